"""What a purge would reach, found out by the purge itself: it runs on a unit that notes what is done to it.

So there is no second list of places that could say something else. Nothing is written, and nobody waits.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast

from commonplace import deadline
from commonplace.domain.entries import QUOTING, Entry, EntryFilter
from commonplace.domain.events import Event
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record
from commonplace.engine.caller import Reference, Work
from commonplace.engine.paging import each_entry
from commonplace.maintenance import erasure
from commonplace.ports import Unit
from commonplace.sessions.entries import LEARNINGS, SESSIONS, TURNS, Session, learning_of, session_of

EVIDENCE = "evidence"


class ReachedSession(Record):
    """A conversation that words would be taken out of, and of how many of its turns."""

    session: Session
    turns: int


class Reached(Record):
    """What a purge would take away or cut: rows by what they are, each counted once."""

    memories: tuple[Memory, ...]
    revisions: int
    relations: int
    events: int
    sessions: tuple[ReachedSession, ...]
    learnt: int
    evidence: int
    notes: int


def preview(work: Work, references: Iterable[Reference]) -> Reached:
    """What a purge of these memories would reach now; refuses whom the purge would refuse."""
    memories = {memory.id: memory for memory in map(work.find, references)}
    for memory in memories.values():
        work.require_ownership(memory)
    unit = _Noting(work.unit)
    for memory in deadline.each(memories.values()):
        erasure.purge(cast(Unit, unit), work.context, memory)
    relations = {edge.id for id in memories for edge in work.unit.relations.of(id)}
    return Reached(
        tuple(memories.values()),
        sum(len(work.unit.log.revisions(memory.number)) for memory in memories.values()),
        len(relations),
        sum(len(work.unit.log.events(id)) for id in memories),
        _sessions(work, unit.touched),
        len(unit.of(LEARNINGS)),
        len(unit.of(EVIDENCE)),
        sum(len(unit.of(shelf)) for shelf in QUOTING),
    )


def _sessions(work: Work, touched: dict[tuple[str, str], Entry]) -> tuple[ReachedSession, ...]:
    """The conversations that something is cut in, the newest first."""
    turns: dict[str, int] = {}
    for (shelf, id), entry in touched.items():
        if shelf == TURNS:
            turns[entry.parent or ""] = turns.get(entry.parent or "", 0) + 1
        elif shelf == SESSIONS:
            turns.setdefault(id, 0)
        elif shelf == LEARNINGS:
            turns.setdefault(learning_of(entry).session, 0)
    found = [(work.unit.entries.get(SESSIONS, id), count) for id, count in turns.items()]
    reached = [ReachedSession(session_of(entry), count) for entry, count in found if entry is not None]
    return tuple(sorted(reached, key=lambda each: -each.session.saved_at))


class _Through:
    """Whatever reads goes through as it is."""

    def __init__(self, inner: object, noting: "_Noting") -> None:
        self._inner = inner
        self._noting = noting

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Noting:
    """A unit of work that is only read; what would be done to entries is noted, and the rest let go."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.touched: dict[tuple[str, str], Entry] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._unit, name)

    def of(self, shelf: str) -> list[Entry]:
        """What would be done to the entries of a shelf."""
        return [entry for (name, _), entry in self.touched.items() if name == shelf]

    @cached_property
    def memories(self) -> "_Memories":
        return _Memories(self._unit.memories, self)

    @cached_property
    def relations(self) -> "_Relations":
        return _Relations(self._unit.relations, self)

    @cached_property
    def entries(self) -> "_Entries":
        return _Entries(self._unit.entries, self)

    @cached_property
    def log(self) -> "_Log":
        return _Log(self._unit.log, self)

    @cached_property
    def keys(self) -> "_Keys":
        return _Keys(self._unit.keys, self)


class _Memories(_Through):
    def remove(self, number: int) -> None:
        """Its row stays."""


class _Relations(_Through):
    def drop(self, memory_id: str) -> None:
        """They are counted by whoever asks."""


class _Log(_Through):
    def scrub(self, memory_id: str) -> None:
        """What happened is left as it was told."""

    def append(self, event: Event) -> None:
        """Nothing happened."""


class _Keys(_Through):
    def scrub(self, memory_id: str) -> None:
        """They stay."""


class _Entries(_Through):
    def put(self, entry: Entry) -> None:
        """It would be another from then on."""
        self._noting.touched[entry.shelf, entry.id] = entry

    def remove(self, shelf: str, id: str) -> bool:
        """It would be gone."""
        entry: Entry | None = self._inner.get(shelf, id)  # type: ignore[attr-defined]
        if entry is not None:
            self._noting.touched[shelf, id] = entry
        return entry is not None

    def remove_children(self, parent: str) -> int:
        """They would be gone: what belongs to a memory is evidence, or what people gave to a team."""
        unit = self._noting._unit
        found = [entry for shelf in CHILDREN for entry in each_entry(unit, EntryFilter(shelf, parent=parent))]
        for entry in found:
            self._noting.touched[entry.shelf, entry.id] = entry
        return len(found)


CHILDREN = (EVIDENCE, "contribution", "waiting_pin", LEARNINGS)
"""Shelves whose entries hang on a memory."""
