"""Traces, and why a recall answered as it did."""

import pytest

from commonplace.book.book import Book
from commonplace.domain.query import Filter, Mode
from commonplace.domain.trace import Drop, Score, StageTrace, Trace
from commonplace.engine.explain import explain
from commonplace.engine.recall import STAGES
from tests.conftest import ManualClock

TRACE = Trace(
    (
        StageTrace("pool", 2, 0.1, (Score(1, 0.5, (("words", 0.4),)), Score(2, 0.25))),
        StageTrace("cutoff", 1, 0.1, (Score(1, 0.75),), (Drop(2, "too weak"),)),
        StageTrace("budget", 1, 0.1, (Score(1, 0.75),)),
    )
)


def test_a_path_tells_each_stage_of_one_memory() -> None:
    assert TRACE.path(1) == (("pool", "0.500 (words 0.400)"), ("cutoff", "0.750"), ("budget", "0.750"))


def test_a_part_that_rounds_to_nothing_has_no_sign() -> None:
    trace = Trace((StageTrace("lifecycle", 1, 0.1, (Score(1, 0.5, (("age", -0.0001),)),)),))
    assert trace.path(1) == (("lifecycle", "0.500 (age 0.000)"),)


def test_a_path_ends_where_the_memory_was_dropped() -> None:
    assert TRACE.path(2) == (("pool", "0.250"), ("cutoff", "dropped: too weak"))


def test_a_memory_that_was_never_there_has_no_path() -> None:
    assert TRACE.path(3) == ()


def test_every_stage_is_explained_in_words(book: Book) -> None:
    book.remember("Deploys are on Monday")
    story = book.why("deploys")
    assert [step.stage for step in story.steps] == ["query", *(name for name, _ in STAGES)]
    assert all(step.meaning and step.elapsed_ms >= 0 for step in story.steps)


@pytest.mark.parametrize(
    ("texts", "verdict"), [(0, "0 memories found."), (1, "1 memory found."), (2, "2 memories found.")]
)
def test_without_a_memory_the_verdict_counts(book: Book, texts: int, verdict: str) -> None:
    for place in range(texts):
        book.remember(f"Deploys of service {place} are on Monday")
    assert book.why("deploys").verdict == verdict


def test_a_memory_that_surfaced_is_told_its_place_and_reason(book: Book) -> None:
    memory = book.remember("Deploys are on Monday").memory
    verdict = book.why("deploys", memory).verdict
    assert "surfaced at place 1" in verdict
    assert "matched Deploys" in verdict


def test_a_memory_the_filter_refuses_is_told_why(book: Book, clock: ManualClock) -> None:
    forgotten = book.remember("Deploys are on Monday").memory
    book.forget(forgotten, reason="it moved")
    assert "it is forgotten: it moved" in book.why("deploys", forgotten).verdict
    expired = book.remember("Deploys are on Tuesday", expires_at=clock() + 1).memory
    clock.advance(1)
    assert "it has expired" in book.why("deploys", expired).verdict
    elsewhere = book.remember("Deploys are on Friday", scope="project:atlas").memory
    assert "it lives in project:atlas" in book.why("deploys", elsewhere).verdict


def test_a_memory_dropped_on_the_way_is_told_where(book: Book) -> None:
    for place in range(30):
        book.remember(f"Deploys of service number {place} are on Monday with a longer text around it")
    last = book.remember("Deploys of something else that is described with very many other words here").memory
    story = book.why("deploys of service number 3", last, limit=1)
    assert "did not surface: it ranks beyond the limit of 1" in story.verdict
    assert story.path[-1][1].startswith("dropped: ")


def test_a_memory_with_no_word_in_common_is_told_so(book: Book) -> None:
    memory = book.remember("Lunch is at noon").memory
    assert "shares no significant word" in book.why("deploys", memory).verdict


def test_a_memory_that_did_not_exist_then_is_told_so(book: Book, clock: ManualClock) -> None:
    before = clock()
    clock.advance(1)
    memory = book.remember("Deploys are on Monday").memory
    story = book.why("deploys", memory, filter=Filter(book.scopes, as_of=before))
    assert "at that moment it did not exist" in story.verdict


def test_asking_why_counts_as_no_use(book: Book) -> None:
    memory = book.remember("Deploys are on Monday").memory
    book.why("deploys", memory)
    assert book.get(memory).usage.count == 0


def test_an_untraced_recall_can_only_be_counted(book: Book, clock: ManualClock) -> None:
    memory = book.remember("Deploys are on Monday").memory
    story = explain(book.recall("deploys", mode=Mode.WORDS), memory, clock())
    assert story.steps == ()
    assert story.verdict == "1 memory found."
