"""Whatever happens to memories, in any order: what is gone is not recalled, and the history tells what became of it."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.events import EventType
from commonplace.domain.memory import Status
from commonplace.domain.scope import Principal
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, InvalidInput, NotFound
from commonplace.store.sqlite import SqliteStore
from tests.conftest import DAY, ManualClock

SNIPARA = load_dialect("snipara")
PURGED = "purged"
WORD = "harbour"
PEOPLE = {
    "ada": Principal("org", "ada", ()),
    "bob": Principal("org", "bob", ()),
    "eve": Principal("elsewhere", "ada", ()),  # the same name in another organisation
}
OF_STATUS = {
    Status.SUPERSEDED: EventType.SUPERSEDED,
    Status.INVALIDATED: EventType.INVALIDATED,
    Status.ARCHIVED: EventType.ARCHIVED,
    Status.FORGOTTEN: EventType.FORGOTTEN,
    Status.STALE: EventType.STALE,
}
TURNS = {*OF_STATUS.values(), EventType.CREATED, EventType.RESTORED}


class Kept:
    """What is expected of one memory, in plain Python."""

    def __init__(self, id: str, owner: str, project: bool, expires_at: int | None) -> None:
        self.id, self.owner, self.project, self.expires_at = id, owner, project, expires_at
        self.status: Status | str = Status.ACTIVE
        self.valid = self.invalid = 0
        self.deeds = 1
        self.events: tuple[str, ...] = ()

    def seen_by(self, who: str) -> bool:
        """Other people's own memories are out of reach; a project is the organisation's."""
        return self.owner == who or (self.project and PEOPLE[self.owner].tenant == PEOPLE[who].tenant)

    def recalled(self, now: int) -> bool:
        return self.status is Status.ACTIVE and (self.expires_at is None or self.expires_at > now)


OWNER = "owner"
CHANGES = ("update", "supersede", "invalidate", "archive", "forget", "restore", "attach", "verify", "purge")
MANY = 5  # each deed must have been done so often, or the laws were hardly tried

places = st.integers(0, 4)
people = st.sampled_from([OWNER, OWNER, OWNER, OWNER, *PEOPLE])  # mostly whoever may
deeds = st.one_of(
    st.tuples(st.just("remember"), st.sampled_from(sorted(PEOPLE)), st.booleans(), st.sampled_from([None, 1, 3])),
    st.tuples(st.just("supersede"), people, places, places),
    st.tuples(st.sampled_from(["invalidate", "archive", "forget", "update"]), people, places, st.none()),
    st.tuples(st.sampled_from(["restore", "verify", "purge"]), people, places, st.none()),
    st.tuples(st.sampled_from(["restore", "verify"]), people, places, st.none()),
    st.tuples(st.just("attach"), people, places, st.booleans()),
    st.tuples(st.just("wait"), st.just(OWNER), st.sampled_from([1, 2]), st.none()),
)


class World:
    """Three people on one file, and what is expected of every memory there ever was."""

    def __init__(self, folder: Path, done: Counter[str]) -> None:
        self.clock = ManualClock()
        self.done = done
        self.books = {
            name: Book.over(SqliteStore(folder / "book.db"), who, None, self.clock, SNIPARA.door, folder)
            for name, who in PEOPLE.items()
        }
        self.kept: list[Kept] = []

    def do(self, name: str, who: str, first: object, second: object) -> None:
        self.clock.advance(1)
        if name == "wait":
            self.clock.advance(days=int(str(first)))
        elif name == "remember":
            self.remember(who, bool(first), second)  # type: ignore[arg-type]
        elif self.kept:
            self.change(name, who, int(str(first)) % len(self.kept), second)

    def remember(self, who: str, project: bool, days: int | None) -> None:
        expires_at = None if days is None else self.clock() + days * DAY
        scope = "project:auto" if project else "user:default"
        text = f"The {WORD} note {len(self.kept)}"
        memory = self.books[who].remember(text, scope=scope, expires_at=expires_at).memory
        self.kept.append(Kept(memory.id, who, project, expires_at))

    def change(self, name: str, who: str, place: int, second: object) -> None:
        kept = self.kept[place]
        who = kept.owner if who == OWNER else who
        book = self.books[who]
        other = self.kept[int(str(second)) % len(self.kept)] if name == "supersede" else kept
        try:
            after = self.deed(book, name, kept, other, bool(second))
        except (Conflict, InvalidInput):
            assert kept.seen_by(who)
            assert other.seen_by(who)
            return
        except NotFound:
            assert PURGED in (kept.status, other.status) or not (kept.seen_by(who) and other.seen_by(who))
            return
        assert kept.seen_by(who)
        assert other.seen_by(who)
        self.done[name] += 1
        kept.deeds += 1
        kept.status = after or kept.status
        if name == "verify":
            self.verified(kept)

    def deed(self, book: Book, name: str, kept: Kept, other: Kept, flag: bool) -> Status | str | None:
        """What the memory is afterwards, if that changes."""
        match name:
            case "update":
                book.update(kept.id, Changes(text=f"The {WORD} note of {kept.id}, once more {kept.deeds}"))
                return None
            case "supersede":
                before = book.get(kept.id)
                if book.supersede(kept.id, other.id, reason="newer") == before:
                    kept.deeds -= 1  # said before: nothing is done twice
                return Status.SUPERSEDED
            case "attach":
                type = EvidenceType.COMMIT if flag else EvidenceType.CHUNK
                known = book.evidence.attach(kept.id, Source(type, f"ref-{kept.deeds}")).known
                assert not known
                kept.valid, kept.invalid = kept.valid + flag, kept.invalid + (not flag)
                return None
            case "verify":
                book.evidence.verify(kept.id)
                return None
            case "purge":
                book.purge(kept.id)
                return PURGED
            case "restore":
                book.restore(kept.id)
                return Status.ACTIVE
            case "invalidate":
                book.invalidate(kept.id, reason="wrong")
                return Status.INVALIDATED
            case "archive":
                book.archive(kept.id)
                return Status.ARCHIVED
            case "forget":
                book.forget(kept.id)
                return Status.FORGOTTEN
        raise AssertionError(name)

    def verified(self, kept: Kept) -> None:
        if kept.status is Status.ACTIVE and kept.invalid and not kept.valid:
            kept.status, kept.deeds = Status.STALE, kept.deeds + 1
        elif kept.status is Status.STALE and kept.valid:
            kept.status, kept.deeds = Status.ACTIVE, kept.deeds + 1

    # -- the laws ----------------------------------------------------------------------------

    def check_recall(self) -> None:
        """Exactly what is active, unexpired and one's own to see; through two doors."""
        for who, book in self.books.items():
            wanted = {kept.id for kept in self.kept if kept.seen_by(who) and kept.recalled(self.clock())}
            assert {hit.memory.id for hit in book.recall(WORD, limit=200).hits} == wanted
            answer = perform(SNIPARA, book, "rlm_recall", {"query": WORD, "limit": 200, "min_relevance": 0})
            assert {each["id"] for each in answer.body["memories"]} == wanted  # type: ignore[attr-defined]

    def check_history(self) -> None:
        """Every deed has its event, in its place; the last turn is what the memory is; strangers are told nothing."""
        for kept in self.kept:
            events = self.books[kept.owner].history(kept.id)
            ids = tuple(event.id for event in events)
            assert ids[: len(kept.events)] == kept.events
            assert len(ids) == kept.deeds
            kept.events = ids
            assert events[0].type is EventType.CREATED
            for who, book in self.books.items():
                if not kept.seen_by(who):
                    assert book.history(kept.id) == ()
            self.check_end(kept)

    def check_end(self, kept: Kept) -> None:
        book = self.books[kept.owner]
        turns = [event.type for event in book.history(kept.id) if event.type in {*TURNS, EventType.PURGED}]
        if kept.status == PURGED:
            assert turns[-1] is EventType.PURGED
            with pytest.raises(NotFound):
                book.get(kept.id)
            return
        memory = book.get(kept.id)
        assert memory.status is kept.status
        assert len(book.revisions(kept.id)) == memory.revision
        if memory.status is Status.ACTIVE:
            assert turns[-1] in (EventType.CREATED, EventType.RESTORED)
        else:
            assert turns[-1] is OF_STATUS[memory.status]
        if memory.status is Status.SUPERSEDED:
            assert memory.successor in {each.id for each in self.kept}
            assert memory.status_reason == "newer"

    def close(self) -> None:
        for book in self.books.values():
            book.close()


def test_what_is_gone_is_never_recalled_and_never_lost_from_the_history() -> None:
    done: Counter[str] = Counter()

    @given(st.lists(deeds, min_size=10, max_size=30))
    def holds(story: list[tuple[str, str, object, object]]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            world = World(Path(folder), done)
            try:
                for who, project, days in (("ada", True, None), ("ada", False, 2), ("bob", False, None)):
                    world.remember(who, project, days)
                for deed in story:
                    world.do(*deed)
                    world.check_recall()
                world.check_history()
            finally:
                world.close()

    holds()
    assert {name: count for name in CHANGES if (count := done[name]) < MANY} == {}
