"""What people and programs write at a door, as the engine's own types."""

import os
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.validation import TIME_LIMIT, check_time
from commonplace.engine.parse import choice, deadline, draft_fields, moment
from commonplace.errors import InvalidInput
from commonplace.text import show_time

NOW = 1_767_225_600_000  # 2026-01-01T00:00:00Z
DAY = 86_400_000


@pytest.mark.parametrize("spelling", ["fact", "FACT", " Fact "])
def test_a_choice_is_read_whatever_its_case(spelling: str) -> None:
    assert choice(Kind, spelling, "kind") is Kind.FACT


def test_a_wrong_choice_names_the_argument_and_the_right_ones() -> None:
    with pytest.raises(InvalidInput, match="kind must be one of fact, preference") as caught:
        choice(Kind, "poem", "kind")
    assert caught.value.argument == "kind"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2026-01-01", NOW),
        ("2026-01-01T00:00:00Z", NOW),
        ("2026-01-01T01:00+01:00", NOW),
        (" 2026-01-01 ", NOW),
        ("2025-12-31T23:59:59.999Z", NOW - 1),
        (NOW, NOW),
        (datetime(2026, 1, 1, tzinfo=UTC), NOW),
        (datetime(2026, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))), NOW),
        ("3d", NOW - 3 * DAY),
        ("90s", NOW - 90_000),
        ("2 W", NOW - 14 * DAY),
        ("1y", NOW - 365 * DAY),
    ],
)
def test_a_moment_is_read(written: str | int | datetime, expected: int) -> None:
    assert moment(written, NOW, "since") == expected


def test_a_time_without_a_zone_is_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "TZ", "Etc/GMT-5")
    time.tzset()
    assert moment("2026-01-01T05:00", NOW, "since") == NOW
    assert moment(datetime(2026, 1, 1, 5), NOW, "since") == NOW


@pytest.mark.parametrize(
    "written",
    [
        "",
        "yesterday",
        "2026-13-01",
        "3",
        "3x",
        "d",
        "-3d",
        "1234567d",
        "2026-01-01T25:00",
        True,
        None,
        1.5,
        "0001-01-01",
        "9999-12-31T23:59:59-12:00",
    ],
)
def test_what_is_no_time_is_refused_by_name(written: object) -> None:
    with pytest.raises(InvalidInput) as caught:  # either at once or by the noun that the moment is given to
        check_time(moment(written, NOW, "since"), "since")  # type: ignore[arg-type]
    assert caught.value.argument == "since"


def test_a_deadline_lies_ahead() -> None:
    assert deadline("3d", NOW, "expires_at") == NOW + 3 * DAY
    assert deadline("2026-01-01", NOW, "expires_at") == NOW
    assert deadline(5, NOW, "expires_at") == 5


@given(st.integers(0, TIME_LIMIT))
def test_what_is_shown_can_be_read_again(at: int) -> None:
    assert moment(show_time(at), NOW, "at") == at


def test_a_moment_is_shown_in_utc_to_the_millisecond() -> None:
    assert show_time(NOW + 7) == "2026-01-01T00:00:00.007Z"


# -- the fields of a draft --------------------------------------------------------------------


def test_texts_become_choices_and_times() -> None:
    assert draft_fields(
        {
            "kind": "Task",
            "memory_type": "task",
            "tags": ["a", "b"],
            "expires_at": "2d",
            "valid_from": "2d",
            "importance": 0.7,
            "topic": None,
        },
        NOW,
    ) == {
        "kind": Kind.TASK,
        "memory_type": MemoryType.TASK,
        "tags": ("a", "b"),
        "expires_at": NOW + 2 * DAY,
        "valid_from": NOW - 2 * DAY,
        "importance": 0.7,
    }


def test_one_tag_may_come_alone() -> None:
    assert draft_fields({"tags": "alone"}, NOW) == {"tags": ("alone",)}


@pytest.mark.parametrize("name", ["colour", "text", "scope", "origin", "id", "owner", "status"])
def test_what_a_caller_may_not_set_is_refused_by_name(name: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        draft_fields({name: "x"}, NOW)
    assert caught.value.argument == name


@pytest.mark.parametrize(
    ("name", "value"), [("kind", 5), ("kind", "poem"), ("expires_at", "soon"), ("valid_from", "x")]
)
def test_a_text_that_cannot_be_read_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        draft_fields({name: value}, NOW)
    assert caught.value.argument == name
