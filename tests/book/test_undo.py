"""Undo: for any sequence of changes, taking back the last one gives back what the book said before."""

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.config import Settings
from commonplace.decisions.decision import Proposal
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Kind, Origin, RelationKind
from commonplace.domain.query import Filter, Query
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError, Conflict, NotFound
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.wiring import store_at
from tests.conftest import ManualClock, OpenBook
from tests.hashing import HashingEmbedder
from tests.postgres import Server

TEXTS = (
    "Deploys are on Monday",
    "Deploys are on Tuesday",
    "The harbour is closed",
    "Lunch is at noon",
    "Ships are grey",
)
DOORS = (Door("cli", Origin.TYPED, "cli"), Door("native", Origin.AGENT, "claude"), Door("x", Origin.INFERRED, "x"))
Step = tuple[int, int, int, int]


def draw(steps: int) -> st.SearchStrategy[list[Step]]:
    small = st.integers(0, 99)
    return st.lists(st.tuples(small, small, small, small), min_size=2, max_size=steps)


def change(book: Book, clock: ManualClock, step: Step) -> None:
    """One change of some kind to some memory."""
    kind, which, text, door = step
    seen = book.through(DOORS[door % len(DOORS)])
    memories = seen.list(Filter(seen.scopes, statuses=(), include_expired=True), limit=50).memories
    words = TEXTS[text % len(TEXTS)]
    topic = (None, "deploy day", "harbour")[text % 3]
    if not memories:
        seen.remember(words, topic=topic)
        return
    memory, other = memories[which % len(memories)], memories[(which + text) % len(memories)]
    verbs: tuple[Callable[[], object], ...] = (
        lambda: seen.remember(f"{words} {which}", topic=topic),
        lambda: seen.remember_many([seen.draft(f"{words} {n}", topic=topic) for n in range(text % 4)]),
        lambda: seen.update(memory, Changes(text=f"{words} {door}")),
        lambda: seen.update(memory, Changes(tags=("a", "b"), importance=0.9)),
        lambda: seen.update(memory, Changes(topic="deploy-day")),
        lambda: seen.update(memory, Changes(pinned=True)),
        lambda: seen.update(memory, Changes(project="atlas")),
        lambda: seen.update(memory, Changes(kind=Kind.INSTRUCTION)),
        lambda: seen.remember(f"{words} again", replaces=memory),
        lambda: seen.supersede(memory, other),
        lambda: seen.confirm(memory),
        lambda: seen.forget(memory, reason="wrong"),
        lambda: seen.archive(memory),
        lambda: seen.invalidate(memory),
        lambda: seen.restore(memory),
        lambda: seen.relate(memory, [other], RelationKind.RELATED_TO),
        lambda: seen.evidence.attach(memory, Source(EvidenceType.COMMIT, f"c{which}")),
        lambda: seen.corrections.log(f"{words}, no: {which}"),
        lambda: seen.decisions.create(seen.scope(), Proposal("t", "o", "c", words, "r", "backend")),
        lambda: seen.archive_all(Filter(seen.scopes)),
        lambda: seen.sessions.save([Turn(Speaker.USER, f"I prefer {words.lower()}, and I use tabs.")], seen.scope()),
    )
    verbs[kind % len(verbs)]()
    clock.advance(seconds=door)


def said(book: Book) -> tuple[object, ...]:
    """What list, recall and export say, and what is kept beside the memories."""
    everything = Filter(book.scopes, statuses=(), include_expired=True)
    recalled = [book.recall(Query(text, Filter(book.scopes), 20, counts_use=False)).hits for text in TEXTS]
    beside = [book.evidence.of(memory) + book.relations(memory) for memory in book.list(everything, limit=100).memories]
    return (
        list(book.each(everything)),
        recalled,
        list(book.transfer.export())[1:],
        beside,
        book.decisions.list(book.scopes),
        book.corrections.list(),
        book.curated.waiting(book.scope()),
    )


def tried(book: Book, clock: ManualClock, steps: list[Step]) -> None:
    for step in steps:
        before, operations = said(book), len(book.undo.list(1_000))
        try:
            change(book, clock, step)
        except CommonplaceError:
            assert said(book) == before, "what was refused has changed something"
            continue
        if len(book.undo.list(1_000)) == operations:
            assert said(book) == before, "something changed that cannot be undone"
            continue
        book.undo.take_back()
        assert said(book) == before
        change(book, clock, step)  # once more, so that the next change has something to build on


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(draw(8))
def test_undo_gives_back_what_was_said_before(steps: list[Step]) -> None:
    clock = ManualClock()
    with TemporaryDirectory() as folder:
        store = store_at(str(Path(folder) / "book.db"), Settings(synchronous="NORMAL"))
        with Book.over(store, embedder=HashingEmbedder(), clock=clock) as book:
            tried(book, clock, steps)


@pytest.fixture
def on_a_server(postgres: Server) -> Iterator[Callable[[], Book]]:
    opened: list[Book] = []

    def made() -> Book:
        book = Book.over(store_at(postgres.address(postgres.new_database()), Settings()), clock=ManualClock())
        opened.append(book)
        return book

    yield made
    for book in opened:
        book.close()


@settings(max_examples=6, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(steps=draw(6))
def test_undo_gives_back_what_was_said_before_on_a_server(on_a_server: Callable[[], Book], steps: list[Step]) -> None:
    book = on_a_server()
    tried(book, book._caller.clock, steps)  # type: ignore[arg-type]


def test_what_is_undone_is_listed_as_undone_and_the_one_before_is_next(book: Book) -> None:
    first = book.remember("Deploys are on Monday").memory
    book.update(first, Changes(text="Deploys are on Tuesday"))
    assert book.undo.take_back().restored == (first,)
    assert book.get(first) == first
    gone = book.undo.take_back()
    assert [memory.id for memory in gone.removed] == [first.id]
    assert book.list().total == 0
    with pytest.raises(NotFound):
        book.undo.take_back()
    assert [operation.state for operation in book.undo.list()] == ["undone", "undone"]


def test_what_others_changed_since_is_refused_or_left_alone(book: Book) -> None:
    first, second = (book.remember(text).memory for text in TEXTS[:2])
    book.archive_all(Filter(book.scopes))
    (operation, *_) = book.undo.list()
    book.restore(first)
    with pytest.raises(Conflict) as caught:
        book.undo.take_back(operation.id)
    assert first.id in caught.value.message
    assert book.undo.take_back(operation.id, force=True).left == (first.id,)
    assert book.get(second) == second


def test_an_import_a_sessions_learning_and_a_bulk_change_are_one_operation_each(
    book: Book, open_book: OpenBook
) -> None:
    other = open_book("other.db")
    other.remember_many([other.draft(text) for text in TEXTS])
    book.transfer.import_(list(other.transfer.export()))
    assert len(book.undo.take_back().removed) == len(TEXTS)
    turns = [Turn(Speaker.USER, "We decided that service 3 of the harbour uses herons for the login.")]
    learnt = book.sessions.save(turns, book.scope()).learnt
    assert learnt
    assert len(book.undo.take_back().removed) == len(learnt)
    assert book.list().total == 0


def test_a_purge_is_not_undone_and_leaves_no_name_behind(book: Book) -> None:
    memory = book.remember("Deploys are on Monday").memory
    book.update(memory, Changes(text="Deploys are on Friday"))
    book.purge(memory)
    assert all(not operation.memories for operation in book.undo.list())
    with book._caller.reading() as work:
        rows = [repr(row) for row in work.unit.tables.rows("entries")]
    assert not any(memory.id in row for row in rows)


def test_an_agents_words_in_the_place_of_a_persons_are_one_undo_away(book: Book) -> None:
    person, agent = (book.through(door) for door in DOORS[:2])
    typed = person.remember("The deploy needs two approvals").memory
    changed = agent.update(typed, Changes(text="The deploy needs no approvals"))
    assert (changed.origin, changed.waits, changed.provenance.surface) == (Origin.REVISED, True, "native")
    assert book.undo.take_back().restored == (typed,)
    assert book.get(typed) == typed


def test_nobody_undoes_what_another_did(open_book: OpenBook) -> None:
    shared = Scope.parse("project:x")
    ada, bob = (open_book(principal=Principal(user=user, teams=())) for user in ("ada", "bob"))
    ada.remember(replace(ada.draft("Ships are grey"), scope=shared))
    assert bob.undo.list() == ()
    with pytest.raises(NotFound):
        bob.undo.take_back()
    with pytest.raises(NotFound):
        bob.undo.take_back(ada.undo.list()[0].id)
    assert len(ada.undo.take_back().removed) == 1
