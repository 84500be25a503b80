"""Operations: what one transaction of one caller changed, written down so that it can be taken back.

Every write goes through a `Recorder`, which notes what it adds, changes and removes: memories by their
revisions, whose texts the book keeps anyway, relations, and the small entries beside memories with what they
said before. It becomes one entry of the shelf in the same transaction. A purge takes itself out of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from commonplace.domain.canonical_json import Json
from commonplace.domain.entries import Body, Entry, EntryFilter, body_of, body_text, entry_hash
from commonplace.domain.events import Event
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Memory, Relation, RelationKind
from commonplace.domain.record import Record, replace
from commonplace.ports import (
    EntryVectors,
    Keys,
    Log,
    Memories,
    Relations,
    Sketches,
    Unit,
    Uses,
    Vectors,
    Words,
)

if TYPE_CHECKING:
    from commonplace.domain.shelves import Entries
    from commonplace.domain.tables import Tables

SHELF, PARTS = "operation", "operation_part"
PART = 10_000  # memories that one entry names; a larger operation has several
DONE, UNDONE = "done", "undone"
KEPT_DAYS = 30
SWEPT_AT_ONCE = 100
_TOGETHER: ContextVar["tuple[str, list[str]] | None"] = ContextVar("together", default=None)
UNDOABLE = ("contribution", "correction", "decision", "evidence", "waiting_pin")
"""Shelves whose entries are somebody's word. The others hold what can be made again or has an undo of its own; who is
in a team is a right, which nobody takes back to themselves."""
WHOLE = ("session",)
"""Shelves of which an undo takes away what is new, with all that belongs to it, and leaves alone what was there."""


@contextmanager
def together(id: str) -> Iterator[list[str]]:
    """What is written inside, in however many transactions, one undo takes back; `id` names it.

    The list has the ids of the operations, as they are written down.
    """
    made: list[str] = []
    token = _TOGETHER.set((id, made))
    try:
        yield made
    finally:
        _TOGETHER.reset(token)


class MemoryChange(Record):
    """A memory that an operation added (`before` is None) or changed, by its revisions."""

    id: str
    number: int
    before: int | None
    after: int


class EntryChange(Record):
    """An entry that an operation put or removed: what stood there before, and a digest of what stood there after."""

    shelf: str
    id: str
    before: Entry | None
    after: str | None


class Operation(Record):
    """What one call changed, by whom and when; `did` counts what happened, by the type of the event.

    Those that are `part_of` the same are taken back together.
    """

    id: str
    at: int
    by: str
    surface: str
    actor: str
    did: Mapping[str, int]
    memories: tuple[MemoryChange, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[Relation, ...] = ()
    entries: tuple[EntryChange, ...] = ()
    state: str = DONE
    part_of: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it changed nothing, so that there is nothing to take back."""
        return not (self.memories or self.added or self.removed or self.entries)


class Recorder:
    """A unit of work that notes what is changed through it."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self.did: dict[str, int] = {}
        self.changed: dict[str, MemoryChange] = {}
        self.added: dict[str, None] = {}
        self.removed: dict[str, Relation] = {}
        self.changed_entries: dict[tuple[str, str], EntryChange] = {}

    @cached_property
    def memories(self) -> Memories:
        return cast(Memories, _Memories(self._unit.memories, self))

    @cached_property
    def relations(self) -> Relations:
        return cast(Relations, _Relations(self._unit.relations, self))

    @cached_property
    def entries(self) -> "Entries":
        return cast("Entries", _Entries(self._unit.entries, self))

    @cached_property
    def log(self) -> Log:
        return cast(Log, _Log(self._unit.log, self))

    @property
    def words(self) -> Words:
        return self._unit.words

    @property
    def vectors(self) -> Vectors:
        return self._unit.vectors

    @property
    def entry_vectors(self) -> EntryVectors:
        return self._unit.entry_vectors

    @property
    def sketches(self) -> Sketches:
        return self._unit.sketches

    @property
    def uses(self) -> Uses:
        return self._unit.uses

    @property
    def keys(self) -> Keys:
        return self._unit.keys

    @property
    def tables(self) -> "Tables":
        return self._unit.tables

    def keep(self, by: str, scope: str, surface: str, actor: str, now: int) -> None:
        """Write the operation down, if there was one."""
        within = _TOGETHER.get()
        operation = Operation(
            "",
            now,
            by,
            surface,
            actor,
            self.did,
            tuple(self.changed.values()),
            tuple(self.added),
            tuple(self.removed.values()),
            tuple(self.changed_entries.values()),
            part_of=None if within is None else within[0],
        )
        if operation.is_empty:
            return
        operation = replace(operation, id=spelled(self._unit.entries.next_in(SHELF)))
        if within is not None:
            within[1].append(operation.id)
        for entry in entries_of(operation, scope):
            self._unit.entries.put(entry)
        if operation.id.endswith("0"):  # now and then
            old = EntryFilter(SHELF, until=max(0, now - KEPT_DAYS * DAY))
            for entry in self._unit.entries.page(old, SWEPT_AT_ONCE, newest_first=False):
                self._unit.entries.remove_children(entry.id)
                self._unit.entries.remove(SHELF, entry.id)


class _Through:
    """Whatever is not noted goes through as it is."""

    def __init__(self, inner: object, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    def __getattr__(self, name: str) -> object:
        return getattr(self._inner, name)


class _Memories(_Through):
    _inner: Memories

    def add(self, memory: Memory, recorded_at: int) -> None:
        self._inner.add(memory, recorded_at)
        self._recorder.changed[memory.id] = MemoryChange(memory.id, memory.number, None, memory.revision)

    def replace(self, memory: Memory, recorded_at: int) -> None:
        self._inner.replace(memory, recorded_at)
        known = self._recorder.changed.get(memory.id)
        before = memory.revision - 1 if known is None else known.before
        self._recorder.changed[memory.id] = MemoryChange(memory.id, memory.number, before, memory.revision)

    def remove(self, number: int) -> None:
        """For good: there is nothing left to take back."""
        self._inner.remove(number)
        gone = [change.id for change in self._recorder.changed.values() if change.number == number]
        for id in gone:
            del self._recorder.changed[id]


class _Relations(_Through):
    _inner: Relations

    def add(self, relation: Relation) -> None:
        self._inner.add(relation)
        self._recorder.added[relation.id] = None

    def remove(self, id: str) -> bool:
        known = self._inner.get(id)
        if known is not None and id not in self._recorder.added:
            self._recorder.removed[id] = known
        self._recorder.added.pop(id, None)
        return self._inner.remove(id)


class _Entries(_Through):
    _inner: "Entries"

    def put(self, entry: Entry) -> None:
        self._note(entry.shelf, entry.id, entry)
        self._inner.put(entry)

    def remove(self, shelf: str, id: str) -> bool:
        self._note(shelf, id, None)
        return self._inner.remove(shelf, id)

    def _note(self, shelf: str, id: str, after: Entry | None) -> None:
        if shelf not in UNDOABLE and shelf not in WHOLE:
            return
        known = self._recorder.changed_entries.get((shelf, id))
        before = self._inner.get(shelf, id) if known is None else known.before
        if shelf in WHOLE and before is not None:
            return
        if before is None and after is None:
            self._recorder.changed_entries.pop((shelf, id), None)
            return
        digest = None if after is None else entry_hash(after).hex()
        self._recorder.changed_entries[shelf, id] = EntryChange(shelf, id, before, digest)


class _Log(_Through):
    _inner: Log

    def append(self, event: Event) -> None:
        self._inner.append(event)
        self._recorder.did[event.type.value] = self._recorder.did.get(event.type.value, 0) + 1


def spelled(number: int) -> str:
    """The id of an operation by its number, in which operations of one moment keep their order."""
    return f"opn_{number:012d}"


# -- as entries -------------------------------------------------------------------------------


def entries_of(operation: Operation, scope: str) -> Iterator[Entry]:
    """The operation and, if it is a large one, its further parts.

    They are found by the ids of their memories, so that a purge of any can take itself out of them.
    """
    memories, first = operation.memories, operation.memories[:PART]
    yield _head(replace(operation, memories=first), scope)
    for start in range(PART, len(memories), PART):
        part = memories[start : start + PART]
        body = {"memories": _memory_rows(part)}
        named = " ".join(each.id for each in part)
        yield Entry(PARTS, f"{operation.id}_{start}", scope, operation.at, body, named, parent=operation.id)


def read_operation(unit: Unit, head: Entry) -> Operation:
    """The inverse of `entries_of`."""
    operation = _operation(head)
    from commonplace.engine.paging import each_entry  # for an undo only

    parts = each_entry(unit, EntryFilter(PARTS, parent=head.id))
    more = [MemoryChange(*row) for part in parts for row in _rows(part.body["memories"])]
    return replace(operation, memories=(*operation.memories, *more))


def forget_memory(unit: Unit, memory_id: str) -> None:
    """Take a memory that is being purged out of every operation."""
    named = [memory_id.lower()]  # an id is one term of its own
    for head in unit.entries.holding(EntryFilter(SHELF), named):
        left = without_memory(_operation(head), memory_id)
        unit.entries.put(_head(left, head.scope))
    for part in unit.entries.holding(EntryFilter(PARTS), named):
        rows = [row for row in _rows(part.body["memories"]) if row[0] != memory_id]
        text = " ".join(str(row[0]) for row in rows)
        unit.entries.put(replace(part, body={"memories": rows}, text=text))


def _head(operation: Operation, scope: str) -> Entry:
    body: dict[str, object] = {
        "by": operation.by,
        "surface": operation.surface,
        "actor": operation.actor,
        "did": dict(operation.did),
        "memories": _memory_rows(operation.memories),
        "added": list(operation.added),
        "removed": [[getattr(edge, name) for name in Relation.fields] for edge in operation.removed],
        "entries": [
            [each.shelf, each.id, None if each.before is None else _kept(each.before), each.after]
            for each in operation.entries
        ],
    }
    named = " ".join(dict.fromkeys(_named(operation)))
    return Entry(SHELF, operation.id, scope, operation.at, body, named, operation.part_of, operation.state)


def _memory_rows(changes: Sequence[MemoryChange]) -> list[list[object]]:
    return [[each.id, each.number, each.before, each.after] for each in changes]


def _operation(entry: Entry) -> Operation:
    body = cast(Json, entry.body)
    removed = [
        Relation(id, source, target, RelationKind(kind), reason, at)
        for id, source, target, kind, reason, at in _rows(body["removed"])
    ]
    entries = [EntryChange(shelf, id, _before(kept), after) for shelf, id, kept, after in _rows(body["entries"])]
    return Operation(
        entry.id,
        entry.at,
        str(body["by"]),
        str(body["surface"]),
        str(body["actor"]),
        cast(Mapping[str, int], body["did"]),
        tuple(MemoryChange(*row) for row in _rows(body["memories"])),
        tuple(cast(list[str], body["added"])),
        tuple(removed),
        tuple(entries),
        entry.state,
        entry.parent,
    )


def without_memory(operation: Operation, memory_id: str) -> Operation:
    """An operation as it can be taken back once one of its memories was purged."""
    return replace(
        operation,
        memories=tuple(each for each in operation.memories if each.id != memory_id),
        removed=tuple(edge for edge in operation.removed if memory_id not in (edge.source, edge.target)),
        entries=tuple(each for each in operation.entries if not _is_about(each, memory_id)),
    )


def _is_about(change: EntryChange, memory_id: str) -> bool:
    before = change.before
    return before is not None and (before.parent == memory_id or memory_id in body_text(before))


def _named(operation: Operation) -> Iterator[str]:
    yield from (each.id for each in operation.memories)
    for edge in operation.removed:
        yield from (edge.source, edge.target)
    yield from (each.before.parent for each in operation.entries if each.before is not None and each.before.parent)


def _kept(entry: Entry) -> list[object]:
    return [entry.scope, entry.at, body_text(entry), entry.text, entry.parent, entry.state, entry.shelf, entry.id]


def _before(kept: Sequence[object] | None) -> Entry | None:
    if kept is None:
        return None
    scope, at, body, text, parent, state, shelf, id = kept
    found: Body = body_of(str(body))
    return Entry(str(shelf), str(id), str(scope), int(str(at)), found, str(text), cast(str | None, parent), str(state))


def _rows(value: object) -> list[list[Any]]:
    return cast(list[list[Any]], value)
