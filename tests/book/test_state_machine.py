"""Every verb in any order, against a model of the book in plain Python."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from commonplace.book.book import Book
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import PAGE_LIMIT, RECALL_LIMIT, Filter, Mode, Order
from commonplace.engine.intake import ExactPolicy, NearPolicy, Remembered, Repeats, Verdict
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, KeyReused, NotFound, RevisionConflict
from commonplace.ports import Store
from commonplace.store.postgres import PostgresStore
from commonplace.store.sqlite import SqliteStore
from tests.conftest import ManualClock
from tests.hashing import HashingEmbedder
from tests.postgres import Server

SOAK = os.environ.get("COMMONPLACE_SOAK") == "1"

# Texts of one subject are near each other; texts of two have no word in common.
SUBJECTS = {
    "deploys": "deploys happen whenever somebody presses the button",
    "lunch": "lunch arrives through a hatch beside our kitchen",
    "penguin": "penguin feathers keep cold water away from skin",
}
SPELLINGS = ("{}", "{}!", "{} ", "UPPER")
PRESENT = ("active", "stale")
SOURCES = {True: Source(EvidenceType.COMMIT, "4f2a91c"), False: Source(EvidenceType.WEBHOOK)}  # holds, or does not
EVERY = Filter((), statuses=(), include_expired=True)

subjects = st.sampled_from(sorted(SUBJECTS))
spellings = st.sampled_from(SPELLINGS)
topics = st.sampled_from((None, None, "alpha", "beta"))
tags = st.sampled_from(((), ("red",), ("red", "blue")))
lifetimes = st.sampled_from((None, None, 5, 5_000))
policies = st.builds(Repeats, exact=st.sampled_from(ExactPolicy), near=st.sampled_from(NearPolicy))
places = st.integers(0, 30)
items = st.tuples(subjects, spellings, topics, tags, lifetimes)

Item = tuple[str, str, str | None, tuple[str, ...], int | None]


class Draft(NamedTuple):
    """What a caller asks the book to remember."""

    text: str
    topic: str | None
    tags: tuple[str, ...]
    expires_at: int | None


class State(NamedTuple):
    """A memory at one moment, as the model sees it."""

    text: str
    topic: str | None
    tags: tuple[str, ...]
    expires_at: int | None
    status: str = "active"
    successor: str | None = None
    valid_to: int | None = None
    confirmed_at: int | None = None
    revision: int = 1

    @property
    def folded(self) -> str:
        return self.text.strip().lower()

    @property
    def subject(self) -> str:
        return self.folded.split()[0]

    def visible(self, now: int) -> bool:
        return self.status == "active" and (self.expires_at is None or self.expires_at > now)


class Kept:
    """A memory and all it has been."""

    def __init__(self, number: int, state: State, now: int) -> None:
        self.number = number
        self.states = [(now, state)]
        self.events = ["memory.created"]
        self.uses = 0
        self.evidence: set[bool] = set()

    @property
    def now(self) -> State:
        return self.states[-1][1]

    def at(self, moment: int) -> State | None:
        return next((state for at, state in reversed(self.states) if at <= moment), None)

    def change(self, now: int, event: str, **changes: object) -> None:
        self.states.append((now, self.now._replace(revision=self.now.revision + 1, **changes)))  # type: ignore[arg-type]
        self.events.append(event)


def state_of(memory: Memory) -> State:
    return State(
        memory.text,
        memory.topic,
        memory.tags,
        memory.expires_at,
        memory.status.value,
        memory.successor,
        memory.valid_to,
        memory.confirmed_at,
        memory.revision,
    )


def spelled(subject: str, spelling: str) -> str:
    text = SUBJECTS[subject]
    return text.upper() if spelling == "UPPER" else spelling.format(text)


class BookMachine(RuleBasedStateMachine):
    """The book must agree with the model after every step, and about every moment there has been."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="state-machine-"))
        self.clock = ManualClock()
        self.book = self.opened()
        self.kept: dict[str, Kept] = {}
        self.purged: dict[str, list[str]] = {}
        self.requests: list[tuple[str, Draft, Repeats, str]] = []
        self.numbers = count(1)
        self.moments = [self.clock()]
        self.document: list[str] = []

    def opened(self) -> Book:
        return Book.over(self.store(), embedder=HashingEmbedder(), clock=self.clock)

    def store(self) -> Store:
        return SqliteStore(self.folder / "book.db")

    def teardown(self) -> None:
        try:
            self.every_moment_is_as_it_was()
            self.histories_are_complete_and_in_order()
            assert [finding for finding in self.book.care.doctor() if not finding.ok] == []
        finally:
            self.book.close()
            shutil.rmtree(self.folder)

    # -- the model ----------------------------------------------------------------------------

    def pick(self, place: int) -> tuple[str, Kept]:
        ids = list(self.kept)
        id = ids[place % len(ids)]
        return id, self.kept[id]

    def visible(self) -> dict[str, Kept]:
        return {id: kept for id, kept in self.kept.items() if kept.now.visible(self.clock())}

    def expected(self, draft: Draft, repeats: Repeats) -> tuple[Verdict, str | None]:
        """What becomes of a draft, and which known memory stands for it; the newest if there are several."""
        newest = sorted(self.visible().items(), key=lambda item: -item[1].number)
        asked = State(*draft)
        for id, kept in newest:
            same = kept.now.folded == asked.folded and repeats.exact is not ExactPolicy.NEVER
            cased = repeats.exact is not ExactPolicy.CASED or kept.now.text.strip() == draft.text.strip()
            if same and cased and draft.topic in (None, kept.now.topic):
                return Verdict.REPEATED, id
        alike = [id for id, kept in newest if kept.now.subject == asked.subject]
        if repeats.near is NearPolicy.SKIP and alike:
            return Verdict.SKIPPED, alike[0]
        return Verdict.CREATED, None

    def check(self, draft: Draft, repeats: Repeats, result: Remembered) -> None:
        """Compare one result with the model, and bring the model up to it."""
        verdict, known = self.expected(draft, repeats)
        subject, now = State(*draft).subject, self.clock()
        near = {id for id, kept in self.visible().items() if kept.now.subject == subject}
        tombstones = {
            id for id, kept in self.kept.items() if kept.now.status == "forgotten" and kept.now.subject == subject
        }
        assert result.verdict is verdict
        if verdict is Verdict.REPEATED:
            assert result.memory.id == known
            return
        if repeats.near is NearPolicy.IGNORE:
            near = tombstones = set()
        assert {each.memory.id for each in result.near} <= near
        assert len(result.near) == min(5, len(near))
        assert {each.memory.id for each in result.previously_corrected} <= tombstones
        assert len(result.previously_corrected) == min(5, len(tombstones))
        if verdict is Verdict.SKIPPED:
            assert result.memory.id in near
            return
        state = State(draft.text.strip(), *draft[1:])
        assert (state_of(result.memory), result.memory.number) == (state, next(self.numbers))
        self.kept[result.memory.id] = Kept(result.memory.number, state, now)
        assert sorted(result.superseded) == sorted(self.settle(result.memory.id))

    def settle(self, newest: str) -> list[str]:
        """The newest word on a topic stands; which others gave way to it."""
        topic = self.kept[newest].now.topic
        others = [
            (id, kept)
            for id, kept in self.kept.items()
            if id != newest and topic is not None and kept.now.topic == topic and kept.now.status in PRESENT
        ]
        for _, kept in others:
            kept.change(self.clock(), "memory.superseded", status="superseded", successor=newest)
        return [id for id, _ in others]

    @contextmanager
    def refused(self, *errors: type[Exception]) -> Iterator[None]:
        """The book must refuse, and nothing may have changed; the invariants look."""
        with pytest.raises(errors):
            yield

    # -- remembering --------------------------------------------------------------------------

    def draft(self, subject: str, spelling: str, topic: str | None, tags: tuple[str, ...], life: int | None) -> Draft:
        return Draft(spelled(subject, spelling), topic, tags, None if life is None else self.clock() + life)

    @initialize()
    def begin(self) -> None:
        self.check(draft := Draft(SUBJECTS["lunch"], None, (), None), Repeats(), self.book.remember(draft.text))

    @rule(item=items, repeats=policies, with_key=st.booleans())
    def remember(self, item: Item, repeats: Repeats, with_key: bool) -> None:
        draft = self.draft(*item)
        key = f"key {len(self.requests)}" if with_key else None
        result = self.ask(draft, repeats, key)
        self.check(draft, repeats, result)
        if key is not None:
            self.requests.append((key, draft, repeats, result.memory.id))

    def ask(self, draft: Draft, repeats: Repeats, key: str | None) -> Remembered:
        return self.book.remember(
            draft.text,
            topic=draft.topic,
            tags=draft.tags,
            expires_at=draft.expires_at,
            repeats=repeats,
            idempotency_key=key,
        )

    @precondition(lambda self: self.requests)
    @rule(place=places)
    def send_a_request_again(self, place: int) -> None:
        key, draft, repeats, id = self.requests[place % len(self.requests)]
        if id in self.kept:
            result = self.ask(draft, repeats, key)
            assert (result.verdict, result.memory.id) == (Verdict.REPLAYED, id)
            assert state_of(result.memory) == self.kept[id].now

    @precondition(lambda self: self.requests)
    @rule(place=places, item=items)
    def use_a_key_for_another_request(self, place: int, item: Item) -> None:
        key, draft, repeats, id = self.requests[place % len(self.requests)]
        other = self.draft(*item)
        if other != draft:  # a purge leaves no digest by which to tell two requests apart
            with self.refused(KeyReused if id in self.kept else NotFound):
                self.ask(other, repeats, key)

    @rule(several=st.lists(items, min_size=2, max_size=3), repeats=policies)
    def remember_many(self, several: list[Item], repeats: Repeats) -> None:
        drafts = [self.draft(*item) for item in several]
        asked = [self.book.draft(d.text, topic=d.topic, tags=d.tags, expires_at=d.expires_at) for d in drafts]
        for draft, result in zip(drafts, self.book.remember_many(asked, repeats=repeats), strict=True):
            assert isinstance(result, Remembered)
            self.check(draft, repeats, result)

    # -- changing -----------------------------------------------------------------------------

    @precondition(lambda self: self.kept)
    @rule(place=places, subject=subjects, spelling=spellings, life=lifetimes, offset=st.sampled_from((None, 0, 1)))
    def update(self, place: int, subject: str, spelling: str, life: int | None, offset: int | None) -> None:
        id, kept = self.pick(place)
        expires_at = None if life is None else self.clock() + life
        changes = Changes(text=spelled(subject, spelling), expires_at=expires_at)
        expected = None if offset is None else kept.now.revision - offset
        if expected not in (None, kept.now.revision):
            with self.refused(RevisionConflict):
                self.book.update(id, changes, expected_revision=expected)
            return
        self.book.update(id, changes, expected_revision=expected)
        text = spelled(subject, spelling).strip()
        confirmed_at = kept.now.confirmed_at if text == kept.now.text else None  # nobody has confirmed the new words
        kept.change(self.clock(), "memory.updated", text=text, expires_at=expires_at, confirmed_at=confirmed_at)

    @precondition(lambda self: self.kept)
    @rule(place=places, topic=topics, tags=tags)
    def relabel(self, place: int, topic: str | None, tags: tuple[str, ...]) -> None:
        id, kept = self.pick(place)
        moved = topic != kept.now.topic
        self.book.update(id, Changes(topic=topic, tags=tags))
        kept.change(self.clock(), "memory.updated", topic=topic, tags=tags)
        if moved and kept.now.status in PRESENT:
            self.settle(id)

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def confirm(self, place: int) -> None:
        id, kept = self.pick(place)
        if kept.now.status != "active":
            with self.refused(Conflict):
                self.book.confirm(id)
            return
        self.book.confirm(id)
        kept.change(self.clock(), "memory.confirmed", confirmed_at=self.clock())

    @precondition(lambda self: self.kept)
    @rule(place=places, other=places)
    def supersede(self, place: int, other: int) -> None:
        (old, kept), (new, successor) = self.pick(place), self.pick(other)
        if kept.now.status == "superseded" and kept.now.successor == new != old:
            assert state_of(self.book.supersede(old, new)) == kept.now
            return
        if old in self.chain(new) or not {kept.now.status, successor.now.status} <= {*PRESENT}:
            with self.refused(Conflict):
                self.book.supersede(old, new)
            return
        self.book.supersede(old, new)
        kept.change(self.clock(), "memory.superseded", status="superseded", successor=new)

    def chain(self, id: str | None) -> list[str]:
        found = []
        while id in self.kept:
            found.append(id)
            id = self.kept[id].now.successor
        return found if id is None else [*found, id]

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def invalidate(self, place: int) -> None:
        id, kept = self.pick(place)
        if kept.now.status not in (*PRESENT, "invalidated"):
            with self.refused(Conflict):
                self.book.invalidate(id)
            return
        self.book.invalidate(id)
        kept.change(self.clock(), "memory.invalidated", status="invalidated", valid_to=self.clock())

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def archive(self, place: int) -> None:
        id, kept = self.pick(place)
        if kept.now.status not in (*PRESENT, "archived"):
            with self.refused(Conflict):
                self.book.archive(id)
            return
        self.book.archive(id)
        kept.change(self.clock(), "memory.archived", status="archived")

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def forget(self, place: int) -> None:
        id, kept = self.pick(place)
        self.book.forget(id, reason="it was wrong")
        kept.change(self.clock(), "memory.forgotten", status="forgotten")

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def restore(self, place: int) -> None:
        id, kept = self.pick(place)
        if kept.now.status == "active":
            with self.refused(Conflict):
                self.book.restore(id)
            return
        self.book.restore(id)
        valid_to = None if kept.now.status == "invalidated" else kept.now.valid_to
        kept.change(self.clock(), "memory.restored", status="active", successor=None, valid_to=valid_to)
        self.settle(id)

    @precondition(lambda self: self.kept)
    @rule(place=places, holds=st.booleans())
    def attach(self, place: int, holds: bool) -> None:
        id, kept = self.pick(place)
        assert self.book.evidence.attach(id, SOURCES[holds]).known == (holds in kept.evidence)
        kept.evidence.add(holds)
        kept.events.append("memory.evidence")

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def detach(self, place: int) -> None:
        id, kept = self.pick(place)
        for evidence in self.book.evidence.of(id):
            self.book.evidence.detach(evidence.id)
            kept.events.append("memory.evidence")
        kept.evidence.clear()

    @precondition(lambda self: self.kept)
    @rule(place=places, mark_stale=st.booleans())
    def verify(self, place: int, mark_stale: bool) -> None:
        id, kept = self.pick(place)
        verified = self.book.evidence.verify(id, mark_stale)
        holds = True in kept.evidence
        assert (verified.total, verified.valid) == (len(kept.evidence), int(holds))
        if kept.now.status == "active" and kept.evidence and not holds and mark_stale:
            kept.change(self.clock(), "memory.stale", status="stale")
            assert verified.changed
        elif kept.now.status == "stale" and holds:
            kept.change(self.clock(), "memory.restored", status="active", successor=None)
            assert verified.changed
        kept.events.append("memory.verified")
        assert verified.status.value == kept.now.status

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def purge(self, place: int) -> None:
        id, kept = self.pick(place)
        assert self.book.purge(id).erasure.complete
        self.purged[id] = [*kept.events, "memory.purged"]
        del self.kept[id]

    # -- time, processes, documents -----------------------------------------------------------

    @rule(milliseconds=st.sampled_from((1, 4, 5, 1_000, 3_600_000)))
    def wait(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds)
        self.moments.append(self.clock())

    @rule()
    def reopen(self) -> None:
        self.book.close()
        self.book = self.opened()

    @rule()
    def write_document(self) -> None:
        self.document = list(self.book.transfer.export())
        assert sum('"memory"' in line for line in self.document) == len(self.kept)

    @precondition(lambda self: self.document)
    @rule(trust=st.booleans())
    def read_document(self, trust: bool) -> None:
        """Everything in it is there already or was purged: nothing may come in."""
        done = self.book.transfer.import_(self.document, trust=trust)
        assert (done.imported, done.problems) == (0, ())

    # -- looking ------------------------------------------------------------------------------

    @rule(subject=subjects, counts=st.booleans())
    def recall(self, subject: str, counts: bool) -> None:
        found = self.book.recall(subject, mode=Mode.WORDS, limit=RECALL_LIMIT, counts_use=counts)
        wanted = {id: kept for id, kept in self.visible().items() if kept.now.subject == subject}
        hits = {hit.memory.id for hit in found.hits}
        assert hits <= wanted.keys()
        assert {wanted[id].now.folded for id in hits} == {kept.now.folded for kept in wanted.values()}
        for id in hits if counts else ():
            self.kept[id].uses += 1

    @rule(subject=subjects)
    def recall_by_meaning(self, subject: str) -> None:
        found = self.book.recall(SUBJECTS[subject], mode=Mode.VECTORS, min_relevance=0.0, counts_use=False)
        wanted = {id: kept for id, kept in self.visible().items() if kept.now.subject == subject}
        assert {hit.memory.id for hit in found.hits} <= self.visible().keys()
        assert bool(wanted) == any(hit.vector_score is not None and hit.vector_score > 0.95 for hit in found.hits)

    @precondition(lambda self: self.kept)
    @rule(place=places, subject=subjects)
    def recall_the_past(self, place: int, subject: str) -> None:
        moment = self.moments[place % len(self.moments)]
        past = Filter(self.book.scopes, as_of=moment)
        found = self.book.recall(subject, filter=past, mode=Mode.WORDS, limit=RECALL_LIMIT, counts_use=False)
        then = [kept.at(moment) for kept in self.kept.values()]
        wanted = {state.folded for state in then if state and state.visible(moment) and state.subject == subject}
        assert {state_of(hit.memory).folded for hit in found.hits} == wanted

    @precondition(lambda self: self.kept)
    @rule(place=places)
    def get(self, place: int) -> None:
        id, kept = self.pick(place)
        memory = self.book.get(kept.number)
        assert (memory.id, state_of(memory), memory.usage.count) == (id, kept.now, kept.uses)
        revisions = self.book.revisions(id)
        assert [(each.recorded_at, state_of(each.memory)) for each in revisions] == kept.states

    @rule(order=st.sampled_from(Order), size=st.integers(1, 5))
    def page_through(self, order: Order, size: int) -> None:
        walked: list[Memory] = []
        cursor = None
        while True:
            page = self.book.list(EVERY, order=order, limit=size, cursor=cursor)
            walked += page.memories
            cursor = page.next_cursor
            if cursor is None:
                break
        assert sorted(memory.id for memory in walked) == sorted(self.kept)
        moments = [memory.updated_at if order is Order.UPDATED else memory.created_at for memory in walked]
        assert moments == sorted(moments, reverse=order is not Order.OLDEST)

    # -- what always holds --------------------------------------------------------------------

    @invariant()
    def what_is_shown_is_what_is_current(self) -> None:
        shown = self.book.list(limit=PAGE_LIMIT)
        assert {memory.id: state_of(memory) for memory in shown.memories} == {
            id: kept.now for id, kept in self.visible().items()
        }
        assert shown.total == len(shown.memories)
        assert all(memory.status is Status.ACTIVE for memory in shown.memories)

    @invariant()
    def everything_is_there_under_its_own_number(self) -> None:
        found = self.book.list(EVERY, limit=PAGE_LIMIT).memories
        assert {memory.number: memory.id for memory in found} == {kept.number: id for id, kept in self.kept.items()}
        assert len(found) == len(self.kept)

    def every_moment_is_as_it_was(self) -> None:
        for moment in {*self.moments, self.moments[0] - 1, self.clock()}:
            past = self.book.list(
                Filter(EVERY.scopes, statuses=(), include_expired=True, as_of=moment), limit=PAGE_LIMIT
            )
            then = {id: kept.at(moment) for id, kept in self.kept.items()}
            assert {memory.id: state_of(memory) for memory in past.memories} == {
                id: state for id, state in then.items() if state is not None
            }

    def histories_are_complete_and_in_order(self) -> None:
        for id, events in {**self.purged, **{id: kept.events for id, kept in self.kept.items()}}.items():
            history = self.book.history(id)
            assert [event.type.value for event in history] == events
            assert [event.sequence for event in history] == sorted(event.sequence for event in history)
        for id in self.purged:
            with pytest.raises(NotFound):
                self.book.get(id)


def examples(count: int) -> settings:
    return settings(
        max_examples=30 * count if SOAK else count,
        stateful_step_count=80 if SOAK else 40,
        deadline=None,
        derandomize=not SOAK,
        database=None,
        suppress_health_check=settings.get_profile("tests").suppress_health_check,
    )


TestBookMachine = BookMachine.TestCase
TestBookMachine.settings = examples(100)


def test_every_verb_agrees_with_the_model_on_postgresql_too(postgres: Server) -> None:
    made = postgres.new_database()
    template = PostgresStore(postgres.address(made))
    template.upkeep.upgrade()
    template.close()

    class OnPostgres(BookMachine):
        def store(self) -> Store:
            if not hasattr(self, "database"):
                self.database = postgres.new_database(made)
            return PostgresStore(postgres.address(self.database))

        def teardown(self) -> None:
            super().teardown()
            postgres.drop_database(self.database)

    run_state_machine_as_test(OnPostgres, settings=examples(20))
