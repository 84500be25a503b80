"""A migrated book is the same book: every id, number, time, revision, relation, use, key and vector, both ways."""

from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.domain.entries import Entry
from commonplace.domain.memory import Relation, RelationKind
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.domain.tables import TABLES, PlainRow
from commonplace.domain.token import Token
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, NotFound
from commonplace.maintenance.migrate import migrate
from commonplace.ports import Store
from commonplace.store.postgres import PostgresStore
from commonplace.store.sqlite import SqliteStore
from tests.conftest import ManualClock
from tests.hashing import HashingEmbedder
from tests.postgres import Server

EVERY = Filter((), statuses=(), include_expired=True)
WAYS = [("sqlite", "postgres"), ("postgres", "sqlite"), ("postgres", "postgres"), ("sqlite", "sqlite")]

NewStore = Callable[[str], Store]


@pytest.fixture
def new_store(tmp_path: Path, postgres: Server) -> NewStore:
    """An empty book on an engine."""
    made: list[Store] = []

    def new(engine: str) -> Store:
        place = tmp_path / f"{len(made)}.db"
        made.append(
            SqliteStore(place) if engine == "sqlite" else PostgresStore(postgres.address(postgres.new_database()))
        )
        return made[-1]

    yield new
    for store in made:
        store.close()


def book_of(store: Store, clock: ManualClock, tenant: str = "local") -> Book:
    return Book.over(store, Principal(tenant=tenant), HashingEmbedder(), clock)


def lived_in(store: Store, clock: ManualClock, tenant: str = "local") -> Book:
    """A book in which everything has happened that can happen."""
    book = book_of(store, clock, tenant)
    first = book.remember("Deploys are on Monday", topic="deploy day", tags=("ops", "Süd"), importance=0.25).memory
    clock.advance(seconds=5)
    book.remember("Deploys are on Thursday", topic="deploy day", idempotency_key="once")
    kept = book.remember("Lunch is at noon 🥪", expires_at=clock.now + 5_000, session="ses_1", source="chat").memory
    book.remember("部署在星期一", scope="project:atlas", category="ops", valid_from=clock.now)
    clock.advance(days=1)
    book.update(kept.id, Changes(text="Lunch is at one", pinned=True))
    book.forget(book.remember("This was wrong").memory.id, reason="it was")
    gone = book.remember("This has to go", tags=("secret-project",)).memory
    book.purge(gone.id)
    book.recall("lunch")
    book.recall("deploys")
    book.confirm(kept.id)
    book.restore(first.id)
    book.archive(first.id)
    with store.writing(tenant) as unit:
        unit.entries.put(Entry("notes", "a", "user:local", clock.now, {"x": [1, None]}, "the harbour", kept.id, "open"))
        unit.entries.put(Entry("notes", "b", "user:local", clock.now))
        unit.entries.next_in("decisions")
    last = book.remember("The last one is purged, and its number never used again").memory
    book.purge(last.id)
    return book


def everything(store: Store, tenant: str = "local") -> dict[str, list[PlainRow]]:
    with store.reading(tenant) as unit:
        return {table.name: list(unit.tables.rows(table.name)) for table in TABLES}


@pytest.mark.parametrize(("source", "target"), WAYS)
def test_a_migrated_book_is_the_same_book(new_store: NewStore, clock: ManualClock, source: str, target: str) -> None:
    old, new = new_store(source), new_store(target)
    before = lived_in(old, clock)
    copied = migrate(old, new)
    after = book_of(new, clock)
    assert list(after.transfer.export()) == list(before.transfer.export())
    assert everything(new) == everything(old)
    assert {each.table: each.rows for each in copied} == {name: len(rows) for name, rows in everything(old).items()}
    assert all(everything(old).values()), "every table has something to copy"
    for memory in before.list(EVERY, limit=100).memories:
        assert after.revisions(memory.id) == before.revisions(memory.id)
        assert [(each.id, each.payload) for each in after.history(memory.id)] == [
            (each.id, each.payload) for each in before.history(memory.id)
        ]
    assert [finding for finding in after.care.doctor() if not finding.ok] == []


@pytest.mark.parametrize(("source", "target"), WAYS)
def test_it_finds_and_goes_on_as_before(new_store: NewStore, clock: ManualClock, source: str, target: str) -> None:
    old, new = new_store(source), new_store(target)
    before = lived_in(old, clock)
    migrate(old, new)
    after = book_of(new, clock)
    for question in ("when are deploys", "lunch", "部署", "this was wrong"):
        one, other = (book.recall(question, counts_use=False) for book in (before, after))
        assert [(hit.memory.id, hit.relevance) for hit in other.hits] == [
            (hit.memory.id, hit.relevance) for hit in one.hits
        ]
    again = after.remember("Deploys are on Thursday", topic="deploy day", idempotency_key="once")
    assert again.verdict.value == "replayed"
    fresh = [book.remember("something new").memory.number for book in (before, after)]
    assert fresh[0] == fresh[1]


def test_tokens_come_along_and_one_that_was_revoked_there_stays_so(new_store: NewStore, clock: ManualClock) -> None:
    old, new, back = new_store("sqlite"), new_store("postgres"), new_store("sqlite")
    lived_in(old, clock)
    token = Token("tok_1", b"digest", "laptop", Principal("acme", "ada", ("core",)), Scope.parse("project:atlas"), 5, 9)
    old.tokens.add(token)
    migrate(old, new)
    assert new.tokens.all() == (token,)
    new.tokens.replace(replace(token, revoked_at=7))
    migrate(old, new)
    migrate(new, back)
    assert back.tokens.find("tok_1") == replace(token, revoked_at=7)


def test_every_tenant_is_copied(new_store: NewStore, clock: ManualClock) -> None:
    old, new = new_store("sqlite"), new_store("postgres")
    for tenant in ("acme", "globex"):
        lived_in(old, clock, tenant)
    migrate(old, new)
    back = new_store("sqlite")
    migrate(new, back)
    assert new.upkeep.tenants() == back.upkeep.tenants() == ("acme", "globex")
    for tenant in ("acme", "globex"):
        assert everything(new, tenant) == everything(old, tenant) == everything(back, tenant)


class Cut(Exception):
    """The connection is gone, as far as the test is concerned."""


@pytest.mark.parametrize(("source", "target"), WAYS[:2])
def test_an_interrupted_copy_goes_on_where_it_was(
    new_store: NewStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, source: str, target: str
) -> None:
    monkeypatch.setattr("commonplace.maintenance.migrate.BATCH", 2)
    old, new = new_store(source), new_store(target)
    lived_in(old, clock)
    total = sum(len(rows) for rows in everything(old).values())
    for stop_after in range(3, total, 5):

        def stopping(done: int, total: int, limit: int = stop_after) -> None:
            if done == limit:
                raise Cut

        with pytest.raises(Cut):
            migrate(old, new, stopping)
    migrate(old, new)
    assert everything(new) == everything(old)
    migrate(old, new)  # and once more changes nothing
    assert everything(new) == everything(old)


def test_a_book_with_something_else_in_it_is_left_alone(new_store: NewStore, clock: ManualClock) -> None:
    old, new = new_store("sqlite"), new_store("postgres")
    lived_in(old, clock)
    book_of(new, clock).remember("I was here first")
    before = everything(new)
    with pytest.raises(Conflict, match="empty book"):
        migrate(old, new)
    assert everything(new)["memories"] == before["memories"]


def test_nothing_is_not_copied(new_store: NewStore) -> None:
    for engine in ("sqlite", "postgres"):
        with pytest.raises(NotFound):
            migrate(new_store(engine), new_store("sqlite"))


def test_what_differs_after_copying_is_noticed(new_store: NewStore, clock: ManualClock) -> None:
    old, new = new_store("sqlite"), new_store("postgres")
    lived_in(old, clock)

    def meddle(done: int, total: int) -> None:
        if done == total:
            with new.writing("local") as unit:
                unit.relations.add(Relation("rel_0", "mem_a", "mem_b", RelationKind.SUPPORTS, None, 1))

    with pytest.raises(Conflict, match="relations of 'local' differ"):
        migrate(old, new, meddle)
