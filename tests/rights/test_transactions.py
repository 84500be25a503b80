"""How many transactions a verb takes, counted on both engines: on a server each is several round trips."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import Settings
from commonplace.decisions.decision import Proposal
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.intake import Draft
from commonplace.ports import Store, Unit
from commonplace.wiring import store_at
from tests.conftest import ManualClock
from tests.postgres import Server

PROJECT = Scope.parse("project:harbour")


class Counting:
    """A store that counts the transactions it gives out."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.upkeep, self.tokens, self.close = store.upkeep, store.tokens, store.close
        self.counts: Counter[str] = Counter()

    @contextmanager
    def reading(self, tenant: str) -> Iterator[Unit]:
        self.counts["read"] += 1
        with self._store.reading(tenant) as unit:
            yield unit

    @contextmanager
    def writing(self, tenant: str) -> Iterator[Unit]:
        self.counts["write"] += 1
        with self._store.writing(tenant) as unit:
            yield unit

    @contextmanager
    def best_effort(self, tenant: str, patience_seconds: float) -> Iterator[Unit]:
        self.counts["note"] += 1
        with self._store.best_effort(tenant, patience_seconds) as unit:
            yield unit


Asked = tuple[Book, Counting]


@pytest.fixture(params=["sqlite", "postgres"])
def asked(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[Asked]:
    """A book as the bearer of a token uses it, in a team, with 250 memories about one thing."""
    place = str(tmp_path / "book.db")
    if request.param == "postgres":
        database: Server = request.getfixturevalue("postgres")
        place = database.address(database.new_database())
    store = Counting(store_at(place, Settings()))
    owner = Book.over(store, Principal("org", "ada", ()), clock=clock)  # type: ignore[arg-type]
    owner.teams.create("core")
    for user in ("carl",):
        owner.teams.invite("core", user)
    book = owner.seen_by(Principal("org", "carl", ("core",)), load_dialect("native").door, PROJECT)
    book.teams.accept("core")
    book.remember_many([Draft(f"The harbour has berth number {n}", PROJECT) for n in range(50)])
    book.remember_many([Draft(f"The harbour master wrote note {n}", Scope.parse("team:core")) for n in range(50)])
    store.counts.clear()
    yield book, store
    store.close()


def call(book: Book, dialect: str, tool: str, **arguments: object) -> dict[str, object]:
    chosen = METHODS if dialect == "rpc" else load_dialect(dialect)
    answer = perform(chosen, book.through(chosen.door), tool, arguments)
    assert not answer.failed, answer.text
    return dict(answer.body)


def spent(asked: Asked, what: str, verb: Callable[[], object]) -> Counter[str]:
    store = asked[1]
    store.counts.clear()
    verb()
    print(f"{what}: {dict(store.counts)}")
    return store.counts


@pytest.mark.parametrize("limit", [1, 20])
def test_a_recall_takes_as_many_transactions_for_twenty_hits_as_for_one(asked: Asked, limit: int) -> None:
    book, _ = asked
    found: list[object] = []

    def recall() -> None:
        found.extend(call(book, "native", "memory_recall", query="harbour berth", limit=limit)["memories"])  # type: ignore[arg-type]

    counts = spent(asked, f"native recall of {limit}", recall)
    assert len(found) == limit
    assert counts["read"] <= 2
    assert counts["write"] == 0


def test_what_stands_beside_the_memories_takes_no_transaction_of_its_own(asked: Asked) -> None:
    book, _ = asked
    book.decisions.create(PROJECT, Proposal("Berths are numbered", "carl", "Many ships", "By harbour", "Order", "ops"))
    book.documents.add_text("berths.md", "Every berth of the harbour has a number.", scope=PROJECT)
    found: dict[str, object] = {}
    counts = spent(
        asked,
        "native recall with others",
        lambda: found.update(call(book, "native", "memory_recall", query="harbour berth")),
    )
    assert len(found["others"]) == 2  # type: ignore[arg-type]
    assert counts["read"] <= 2
    assert counts["write"] == 0


def test_snipara_recalls_in_a_few_reads_however_many_it_finds(asked: Asked) -> None:
    book, _ = asked
    counts = spent(
        asked,
        "snipara recall of 20",
        lambda: call(book, "snipara", "rlm_recall", query="harbour berth", limit=20, min_relevance=0.0),
    )
    assert counts["read"] <= 7  # two of them for the chunks that answer
    assert counts["write"] == 0


def test_two_hundred_memories_are_stored_in_one_write(asked: Asked) -> None:
    book, _ = asked
    drafts = [Draft(f"Crane {n} is painted red", PROJECT) for n in range(200)]
    counts = spent(asked, "remember_many(200)", lambda: book.remember_many(drafts))
    assert counts["write"] == 1
    assert counts["read"] <= 1


def test_clearing_is_one_write_and_all_or_nothing(asked: Asked) -> None:
    book, _ = asked
    own = [Draft(f"Carl saw ship {n}", book.principal.own_scope) for n in range(200)]
    book.remember_many(own)
    cleared: dict[str, object] = {}
    counts = spent(
        asked, "aleph memory.clear of 200", lambda: cleared.update(call(book, "rpc", "memory.clear", confirm=True))
    )
    assert cleared["archived"] == 200
    assert counts["write"] == 1


def test_a_memory_with_a_hundred_references_is_one_write(asked: Asked) -> None:
    book, _ = asked
    known = [memory.id for memory in book.list(limit=50).memories]
    given = {"document_refs": [f"docs/page-{n}.md" for n in range(100)], "related_to": known}
    counts = spent(
        asked,
        "rlm_remember with 100 references and 50 relations",
        lambda: call(book, "snipara", "rlm_remember", text="Ships are towed", **given),
    )
    assert counts["write"] == 1
    assert counts["read"] <= 3


def test_what_cannot_be_attached_leaves_no_memory_behind(asked: Asked) -> None:
    book, _ = asked
    snipara = load_dialect("snipara")

    class Broken(Exception):
        pass

    def broken(*_: object) -> None:
        raise Broken

    seen = book.through(snipara.door)
    seen.evidence.attach_in = broken  # type: ignore[method-assign, assignment]
    before = book.list(limit=1).total
    with pytest.raises(Broken):
        perform(snipara, seen, "rlm_remember", {"text": "Ships are towed at night", "document_refs": ["a.md"]})
    assert book.list(limit=1).total == before
