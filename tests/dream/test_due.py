"""When a dream is due: at night, when nobody is about, once."""

from datetime import datetime

import pytest

from commonplace.book.book import Book
from commonplace.config import Settings
from commonplace.domain.memory import Status
from commonplace.domain.scope import Principal, Right
from commonplace.dream import Limits, due
from commonplace.errors import InvalidInput
from commonplace.serve.background import Background
from tests.conftest import ManualClock, OpenBook
from tests.dream.making import everything, keep

SETTINGS = Settings()


def at(text: str) -> int:
    return int(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-03-02T01:59", False),
        ("2026-03-02T02:00", True),
        ("2026-03-02T04:59", True),
        ("2026-03-02T05:00", False),
        ("2026-03-02T14:00", False),
    ],
)
def test_a_dream_is_due_within_the_window(now: str, expected: bool) -> None:
    assert due(at(now), SETTINGS, None, None).now is expected


def test_a_dream_waits_until_nobody_has_been_about_for_a_while() -> None:
    now = at("2026-03-02T03:00")
    assert not due(now, SETTINGS, now - 899_999, None).now
    assert due(now, SETTINGS, now - 900_000, None).now


def test_there_is_one_dream_a_night() -> None:
    now = at("2026-03-02T04:00")
    assert not due(now, SETTINGS, None, at("2026-03-02T02:10")).now
    assert due(now, SETTINGS, None, at("2026-03-01T04:30")).now


def test_a_window_may_run_over_midnight_and_is_one_night() -> None:
    late = Settings(dream_window="23:00-02:00")
    assert due(at("2026-03-02T23:30"), late, None, None).now
    assert not due(at("2026-03-03T01:30"), late, None, at("2026-03-02T23:30")).now
    assert due(at("2026-03-03T23:10"), late, None, at("2026-03-03T01:30")).now
    assert not due(at("2026-03-03T12:00"), late, None, None).now


def test_the_window_is_in_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    assert due(at("2026-03-02T08:00"), SETTINGS, None, None).now
    assert not due(at("2026-03-02T03:00"), SETTINGS, None, None).now


def test_never_is_never_and_nonsense_is_named() -> None:
    assert not due(at("2026-03-02T03:00"), Settings(dream_window="never"), None, None).now
    for text in ("", "2-5", "25:00-26:00", "02:00"):
        with pytest.raises(InvalidInput, match="dream_window"):
            due(0, Settings(dream_window=text), None, None)


def test_a_book_knows_when_it_was_last_used_and_last_dreamt(book: Book, clock: ManualClock) -> None:
    clock.now = at("2026-03-02T02:30")
    keep(book, "Tea at four")
    assert "in use" in book.dreams.due(SETTINGS).because
    clock.advance(seconds=900)
    assert book.dreams.due(SETTINGS).now
    book.recall("tea")
    assert not book.dreams.due(SETTINGS).now
    clock.advance(seconds=900)
    book.dreams.run(stop=lambda: True)
    assert book.dreams.due(SETTINGS).now, "a dream that was interrupted is tried again"
    book.dreams.run()
    clock.advance(seconds=1_000)
    assert "already" in book.dreams.due(SETTINGS).because


def test_limits_come_from_the_settings() -> None:
    assert Limits.of(SETTINGS) == Limits()
    changed = Settings(dream_edit_budget=3, dream_text_budget=99, dream_window="01:00-03:30", dream_unused_days=9)
    limits = Limits.of(changed)
    assert (limits.edits, limits.text_bytes, limits.day_turns_at, limits.unused_days) == (3, 99, 210, 9)
    with pytest.raises(InvalidInput):
        Settings(dream_edit_budget=-1)


def test_a_server_dreams_at_night_for_everybody_who_may_write(open_book: OpenBook, clock: ManualClock) -> None:
    clock.now = at("2026-03-02T02:30")
    book = open_book()
    people = [Principal(user="ada", teams=()), Principal(user="eve", teams=(), rights=frozenset({Right.READ}))]
    for principal in people:
        book.access.create(principal, principal.user)
    for principal in (Principal(), Principal(user="ada"), Principal(user="eve")):
        for _ in range(2):
            keep(open_book(principal=principal), "Tea at four")
    background = Background(book, SETTINGS)
    assert background.dream() == 0, "it is night, but somebody is about"
    clock.advance(seconds=900)
    before = len(everything(book))
    assert background.dream() == 1
    assert background.dream() == 0
    clock.advance(seconds=901)
    assert background.dream() == 1, "for the other one when the traces of the first have settled"
    assert len(everything(book)) == before
    changed = {user: _gave_way(open_book(principal=Principal(user=user))) for user in ("local", "ada", "eve")}
    assert changed == {"local": 1, "ada": 1, "eve": 0}


def _gave_way(book: Book) -> int:
    return sum(memory.status is Status.SUPERSEDED for memory in everything(book).values())
