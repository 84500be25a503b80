"""Undo: what was changed through any door, listed and taken back. Never a purge, and no tool for agents."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from commonplace.domain.entries import Entry, EntryFilter, entry_hash
from commonplace.domain.events import EventType
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import EVERY_TEAM
from commonplace.engine.caller import Caller, Work
from commonplace.engine.intake import embedded
from commonplace.engine.lifecycle import log
from commonplace.engine.operations import (
    DONE,
    SHELF,
    UNDOABLE,
    UNDONE,
    WHOLE,
    EntryChange,
    MemoryChange,
    Operation,
    read_operation,
    spelled,
    together,
)
from commonplace.engine.paging import each_entry
from commonplace.errors import Conflict, NotFound
from commonplace.ports import Vector
from commonplace.text import show_time

PAGE = 100
LIST_LIMIT = 1_000


class TakenBack(Record):
    """An operation that was undone: the memories as they are again, those that are gone, and what was left alone."""

    operation: Operation
    restored: tuple[Memory, ...]
    removed: tuple[Memory, ...]
    left: tuple[str, ...]


def operation_json(operation: Operation) -> dict[str, object]:
    """An operation as plain JSON, its time as text."""
    return {
        "id": operation.id,
        "at": show_time(operation.at),
        "by": operation.by,
        "surface": operation.surface,
        "actor": operation.actor,
        "did": dict(operation.did),
        "state": operation.state,
        "memories": [change.id for change in operation.memories],
    }


class Undo:
    """The operations of one caller, newest first. The one person on a local book has everybody's."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def list(self, limit: int = 20) -> tuple[Operation, ...]:
        """What was done, newest first; what has been undone already is marked. What was done together is one."""
        with self._caller.reading() as work:
            entries = islice(_once(self._ours(work, EntryFilter(SHELF))), max(0, min(limit, LIST_LIMIT)))
            return tuple(_as_one(_parts(work, read_operation(work.unit, entry))) for entry in entries)

    @contextmanager
    def together(self) -> Iterator[Sequence[str]]:
        """What is written inside, in however many transactions, is one thing to take back: by any id of the list."""
        with together(f"grp_{ulid(self._caller.clock())}") as made:
            yield made

    def take_back(self, id: str | None = None, *, force: bool = False) -> TakenBack:
        """Undo an operation, or the last one that stands: everything it changed is as it was before.

        If somebody has changed any of it since, nothing is undone; with `force`, all but that.
        """
        with self._caller.reading() as work:
            operation = self._find(work, id)
            vectors = self._vectors(work, _as_one(_parts(work, operation)))
        with self._caller.writing_for_good() as work:
            parts = _parts(work, self._find(work, operation.id))
            return _joined([_taken_back(work, part, force, vectors) for part in parts])

    def _find(self, work: Work, id: str | None) -> Operation:
        """The operation with an id, however it is spelled; without one, the caller's latest that is not undone yet."""
        if id is not None:
            digits = id.strip().removeprefix("opn_")
            id = spelled(int(digits)) if digits.isascii() and digits.isdigit() and len(digits) <= 12 else id
            entry = work.unit.entries.get(SHELF, id) if id.isascii() and 0 < len(id) <= 64 else None
            if entry is None or not self._is_ours(entry):
                raise NotFound(f"There is nothing to undo under '{id[:60]}': see 'commonplace undo --list'.")
            if entry.state == UNDONE:
                raise Conflict(f"{id} has been undone already.")
            return read_operation(work.unit, entry)
        entry = next(self._ours(work, EntryFilter(SHELF, states=(DONE,))), None)
        if entry is None:
            raise NotFound("There is nothing to undo.")
        return read_operation(work.unit, entry)

    def _ours(self, work: Work, wanted: EntryFilter) -> Iterator[Entry]:
        return filter(self._is_ours, each_entry(work.unit, wanted, page_limit=PAGE))

    def _is_ours(self, entry: Entry) -> bool:
        who = self._caller.principal
        return entry.body["by"] == who.user or EVERY_TEAM in who.teams

    def _vectors(self, work: Work, operation: Operation) -> dict[str, Vector]:
        """Vectors of the texts that come back, made before the book is locked."""
        embedder = self._caller.models.embedder
        if embedder is None:
            return {}
        texts = []
        for change in operation.memories:
            past = [state.memory for state in work.unit.log.revisions(change.number)]
            before = next((state for state in past if state.revision == change.before), None)
            if before is not None and past[-1].text != before.text:
                texts.append(before.text)
        made, _ = embedded(texts, embedder)
        return {text: vector for text, vector in zip(texts, made, strict=True) if vector is not None}


def _once(entries: Iterator[Entry]) -> Iterator[Entry]:
    """Of operations that belong together the newest."""
    seen: set[str] = set()
    for entry in entries:
        if entry.parent is None or entry.parent not in seen:
            seen.update(() if entry.parent is None else (entry.parent,))
            yield entry


def _parts(work: Work, operation: Operation) -> Sequence[Operation]:
    """All that belongs together with an operation and is in the same state, newest first: so it is taken back."""
    if operation.part_of is None:
        return (operation,)
    wanted = EntryFilter(SHELF, parent=operation.part_of, states=(operation.state,))
    found = (read_operation(work.unit, entry) for entry in each_entry(work.unit, wanted, page_limit=PAGE))
    return [each for each in found if each.by == operation.by] or (operation,)


def _as_one(parts: Sequence[Operation]) -> Operation:
    """What was done together, told as one operation under the name of the newest."""
    if len(parts) == 1:
        return parts[0]
    did = Counter[str]()
    for part in parts:
        did.update(part.did)
    memories = tuple(change for part in parts for change in part.memories)
    return replace(parts[0], did=dict(did), memories=memories, entries=tuple(e for part in parts for e in part.entries))


def _joined(taken: Sequence[TakenBack]) -> TakenBack:
    return TakenBack(
        _as_one([each.operation for each in taken]),
        tuple(memory for each in taken for memory in each.restored),
        tuple(memory for each in taken for memory in each.removed),
        tuple(id for each in taken for id in each.left),
    )


def _taken_back(work: Work, operation: Operation, force: bool, vectors: dict[str, Vector]) -> TakenBack:
    """Take back what still is as the operation left it; Conflict about the rest, or with `force` it stays.

    Memories come last: one that is removed takes along whatever hangs on it.
    """
    touched = [change for change in operation.memories if not _stands(work, operation, change)]
    other = [change for change in operation.entries if not _entry_stands(work, change)]
    left = (*(change.id for change in touched), *(change.id for change in other))
    if left and not force:
        raise Conflict(f"{left[0]} was changed since: undo with force to leave it as it is now.")
    _take_back_relations(work, operation)
    _take_back_entries(work, [change for change in operation.entries if change not in other])
    changes = [change for change in reversed(operation.memories) if change not in touched]
    restored = [_restored(work, change, vectors) for change in changes if change.before is not None]
    removed = [_removed(work, change) for change in changes if change.before is None]
    head = work.unit.entries.get(SHELF, operation.id)
    if head is not None:
        work.unit.entries.put(replace(head, state=UNDONE))
    return TakenBack(replace(operation, state=UNDONE), tuple(restored), tuple(removed), left)


def _take_back_relations(work: Work, operation: Operation) -> None:
    """Nobody changes a relation, so there is nothing to ask: it is there or it is not."""
    for id in operation.added:
        work.unit.relations.remove(id)
    for edge in operation.removed:
        if work.unit.relations.get(edge.id) is None:
            work.unit.relations.add(edge)


def _take_back_entries(work: Work, changes: Sequence[EntryChange]) -> None:
    for change in changes:
        if change.before is None:
            work.unit.entries.remove(change.shelf, change.id)
            if change.shelf in WHOLE:
                work.unit.entries.remove_children(change.id)
        else:
            work.unit.entries.put(change.before)


def _stands(work: Work, operation: Operation, change: MemoryChange) -> bool:
    """Whether a memory is as the operation left it, and the caller may still see it."""
    memory = work.seek(change.id)
    if memory is None or memory.revision != change.after:
        return False
    if change.before is None:  # what others have tied to it since would lose its hold
        edges = {edge.id for edge in work.unit.relations.of(change.id)} - set(operation.added)
        return not edges and not _belongings(work, change.id) - {each.id for each in operation.entries}
    past = {state.memory.revision: state.memory for state in work.unit.log.revisions(change.number)}
    return change.before in past and work.may_see(past[change.before].scope)


def _belongings(work: Work, memory_id: str) -> set[str]:
    wanted = [EntryFilter(shelf, parent=memory_id) for shelf in UNDOABLE]
    return {entry.id for each in wanted for entry in work.unit.entries.page(each, PAGE)}


def _entry_stands(work: Work, change: EntryChange) -> bool:
    entry = work.unit.entries.get(change.shelf, change.id)
    if not all(work.may_see(each.scope) for each in (entry, change.before) if each is not None):
        return False
    return (None if entry is None else entry_hash(entry).hex()) == change.after


def _restored(work: Work, change: MemoryChange, vectors: dict[str, Vector]) -> Memory:
    memory = work.unit.memories.take_back(change.number, change.before or 0)
    embedder = work.caller.models.embedder
    if embedder is not None and memory.text in vectors:
        work.unit.vectors.put(memory.number, embedder.space, vectors[memory.text])
    log(work.unit, work.context, EventType.UNDONE, memory, {"scope": str(memory.scope)})
    return memory


def _removed(work: Work, change: MemoryChange) -> Memory:
    memory = work.find(change.id)
    work.unit.memories.remove(memory.number)
    work.unit.relations.drop(memory.id)
    work.unit.entries.remove_children(memory.id)
    log(work.unit, work.context, EventType.UNDONE, memory, {"scope": str(memory.scope)})
    return memory
