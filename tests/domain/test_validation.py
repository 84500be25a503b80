"""The limits of what a memory can hold."""

import pytest
from hypothesis import given

from commonplace.domain.validation import (
    LABEL_LENGTH_LIMIT,
    REASON_LENGTH_LIMIT,
    TAG_COUNT_LIMIT,
    TAG_LENGTH_LIMIT,
    TEXT_LENGTH_LIMIT,
    TIME_LIMIT,
    check_label,
    check_priority,
    check_reason,
    check_share,
    check_tags,
    check_text,
    check_time,
)
from commonplace.errors import InvalidInput
from tests.strategies import texts


@given(texts)
def test_what_can_be_stored_is_let_through(text: str) -> None:
    check_text(text)


def test_the_longest_text_is_let_through() -> None:
    check_text("x" * TEXT_LENGTH_LIMIT)


@pytest.mark.parametrize(
    "text",
    ["", "   ", "\n\t", "x" * (TEXT_LENGTH_LIMIT + 1), "x" * 10_000_000, "a\x00b", "half \ud83d of a pair"],
    ids=["empty", "blanks", "lines", "too-long", "ten-megabytes", "nul", "surrogate"],
)
def test_what_cannot_be_stored_is_refused_in_one_sentence_that_names_it(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_text(text, "body")
    assert caught.value.argument == "body"
    assert caught.value.message.startswith("body ")
    assert len(caught.value.message) < 200


@pytest.mark.parametrize("label", ["", "  ", "x" * (LABEL_LENGTH_LIMIT + 1), "a\nb", "a\x00b", "a\x7fb", "\udc00"])
def test_a_label_is_a_line_of_printable_characters(label: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_label(label, "category")
    assert caught.value.argument == "category"


@pytest.mark.parametrize("label", [None, "a", "x" * LABEL_LENGTH_LIMIT, "Süd–Ost", "部署"])
def test_other_labels_are_let_through(label: str | None) -> None:
    check_label(label, "category")


@pytest.mark.parametrize(
    "tags", [("",), ("x" * (TAG_LENGTH_LIMIT + 1),), tuple(map(str, range(TAG_COUNT_LIMIT + 1))), ("ok", "a\tb")]
)
def test_tags_have_limits(tags: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_tags(tags)
    assert caught.value.argument == "tags"


def test_as_many_tags_as_allowed_are_let_through() -> None:
    check_tags(tuple("x" * TAG_LENGTH_LIMIT for _ in range(TAG_COUNT_LIMIT)))


@pytest.mark.parametrize("share", [-0.001, 1.001, float("nan"), float("inf"), -float("inf")])
def test_a_share_lies_between_nothing_and_all(share: float) -> None:
    with pytest.raises(InvalidInput, match="importance"):
        check_share(share, "importance")


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_ends_of_a_share_are_shares(share: float) -> None:
    check_share(share, "importance")


@pytest.mark.parametrize("moment", [-1, TIME_LIMIT + 1, 2**70])
def test_a_time_lies_between_1970_and_9999(moment: int) -> None:
    with pytest.raises(InvalidInput, match="expires_at"):
        check_time(moment, "expires_at")


@pytest.mark.parametrize("moment", [None, 0, TIME_LIMIT])
def test_the_ends_of_time_are_times(moment: int | None) -> None:
    check_time(moment, "expires_at")


@pytest.mark.parametrize("priority", [0, 11, -1])
def test_a_priority_is_from_one_to_ten(priority: int) -> None:
    with pytest.raises(InvalidInput, match="priority"):
        check_priority(priority)


@pytest.mark.parametrize("reason", ["", "x" * (REASON_LENGTH_LIMIT + 1), "a\x00"])
def test_a_reason_is_a_short_text(reason: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_reason(reason)
    assert caught.value.argument == "reason"


@pytest.mark.parametrize("reason", [None, "it moved", "x" * REASON_LENGTH_LIMIT])
def test_other_reasons_are_let_through(reason: str | None) -> None:
    check_reason(reason)
