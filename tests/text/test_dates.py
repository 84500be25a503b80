"""The days a text speaks of."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.dates import Span, counted_spans, day_words, named_spans, span_words

FRIDAY = int(datetime(2024, 1, 5, 15, 30, tzinfo=UTC).timestamp() * 1000)


def told(spans: tuple[Span, ...]) -> list[tuple[str, str]]:
    """The first and the last day of each span."""
    return [(day_words(first), day_words(end - 1)) for first, end in spans]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("where was Elise on 31 Dec 2023?", "31 December 2023", "31 December 2023"),
        ("on March 5th, 2024 we met", "5 March 2024", "5 March 2024"),
        ("the 12th of May 2020", "12 May 2020", "12 May 2020"),
        ("released 2024-02-29", "29 February 2024", "29 February 2024"),
        ("in sept. 2021", "1 September 2021", "30 September 2021"),
        ("in February 2024", "1 February 2024", "29 February 2024"),
    ],
)
def test_a_day_is_found_however_it_is_written(text: str, first: str, last: str) -> None:
    assert told(named_spans(text)) == [(first, last)]


@pytest.mark.parametrize("text", ["2024-02-30", "31 April 2020", "in May", "version 12.5.2020", "0 March 2024", ""])
def test_what_is_no_day_of_the_calendar_is_none(text: str) -> None:
    assert named_spans(text) == ()


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("we went yesterday", "4 January 2024", "4 January 2024"),
        ("last night it rained", "4 January 2024", "4 January 2024"),
        ("see you tomorrow", "6 January 2024", "6 January 2024"),
        ("last Friday", "29 December 2023", "29 December 2023"),
        ("past Monday", "1 January 2024", "1 January 2024"),
        ("next Friday", "12 January 2024", "12 January 2024"),
        ("this Sunday", "7 January 2024", "7 January 2024"),
        ("two days ago", "3 January 2024", "3 January 2024"),
        ("a couple of days ago", "3 January 2024", "3 January 2024"),
        ("two weeks ago", "19 December 2023", "25 December 2023"),
        ("3 months ago", "1 October 2023", "31 October 2023"),
        ("last week", "25 December 2023", "31 December 2023"),
        ("last weekend", "30 December 2023", "31 December 2023"),
        ("last month", "1 December 2023", "31 December 2023"),
        ("next year", "1 January 2025", "31 December 2025"),
    ],
)
def test_a_day_is_counted_from_the_day_it_was_said(text: str, first: str, last: str) -> None:
    assert told(counted_spans(text, FRIDAY)) == [(first, last)]


def test_a_span_is_written_as_its_day_its_month_or_its_year() -> None:
    said = counted_spans("yesterday, last week, last month and last year, but always on Monday", FRIDAY)
    assert [span_words(span) for span in said] == ["4 January 2024", "December 2023", "December 2023", "2023"]


@given(st.text(), st.integers(-(2**62), 2**62))
def test_any_text_at_any_time_has_an_answer(text: str, said_at: int) -> None:
    spans = (*named_spans(text), *counted_spans(f"{text} 999 years ago, last month, next Friday", said_at))
    assert all(first < end for first, end in spans)
