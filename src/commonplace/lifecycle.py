"""What may become of a memory: updated, confirmed, superseded, invalidated, archived, forgotten, stale, purged."""

from collections.abc import Mapping

from commonplace.checks import check_reason, check_time
from commonplace.errors import Conflict, InvalidInput, RevisionConflict
from commonplace.events import Event, EventType, Plain
from commonplace.ids import ulid
from commonplace.memory import Kind, Memory, MemoryType, Origin, Relation, RelationKind, Standing, Status
from commonplace.ports import Unit
from commonplace.record import Record, replace
from commonplace.scope import Principal, Scope, ScopeKind
from commonplace.shelves import QUOTING, Wanted

QUOTATION_BATCH = 100
PRESENT = (Status.ACTIVE, Status.STALE)
"""A stale memory is doubted, not retired: it can still be superseded, invalidated and archived."""


class Context(Record):
    """Who does something, through which door, and when. The door sets it once for each call."""

    principal: Principal
    surface: str
    actor: str
    origin: Origin
    now: int


class Unchanged:
    """Stands for a field that an update leaves as it is, where None would mean to clear it."""

    def __repr__(self) -> str:
        return "UNCHANGED"


UNCHANGED = Unchanged()


class Changes(Record):
    """What an update is to change. Fields left at UNCHANGED stay as they are."""

    text: str | Unchanged = UNCHANGED
    kind: Kind | Unchanged = UNCHANGED
    memory_type: MemoryType | Unchanged | None = UNCHANGED
    scope: Scope | Unchanged = UNCHANGED
    tags: tuple[str, ...] | Unchanged = UNCHANGED
    category: str | Unchanged | None = UNCHANGED
    topic: str | Unchanged | None = UNCHANGED
    importance: float | Unchanged = UNCHANGED
    confidence: float | Unchanged = UNCHANGED
    priority: int | Unchanged = UNCHANGED
    pinned: bool | Unchanged = UNCHANGED
    confirmed_at: int | Unchanged | None = UNCHANGED
    expires_at: int | Unchanged | None = UNCHANGED
    valid_from: int | Unchanged | None = UNCHANGED
    valid_to: int | Unchanged | None = UNCHANGED

    def asked(self) -> dict[str, object]:
        """The fields that are to change."""
        values = {name: getattr(self, name) for name in self.fields}
        return {name: value for name, value in values.items() if not isinstance(value, Unchanged)}


def revised(context: Context, memory: Memory, changes: Changes) -> Memory:
    """The next revision of a memory, not stored yet. The caller has normalised and checked what is new."""
    asked = changes.asked()
    if not asked:
        raise InvalidInput("Nothing to update: name at least one field.")
    return _unverified(memory, _next(memory, context, **asked))


def update(unit: Unit, context: Context, changed: Memory, changes: Changes) -> None:
    """Store what `revised` made."""
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.UPDATED, changed, {"changed": dict.fromkeys(changes.asked(), True)})


def expect(memory: Memory, revision: int | None) -> None:
    """Refuse to go on if somebody changed the memory since the caller read it."""
    if revision is not None and revision != memory.revision:
        raise RevisionConflict(
            f"{memory.id} is at revision {memory.revision}, not {revision}: read it again, then update."
        )


def _unverified(before: Memory, after: Memory) -> Memory:
    """What a team verified is what it read: another text, or one from elsewhere, starts anew. A contest goes on."""
    moved = before.scope != after.scope
    if after.scope.kind is not ScopeKind.TEAM or (before.text == after.text and not moved):
        return after
    return (
        after if before.standing is Standing.CONTESTED and not moved else replace(after, standing=Standing.UNVERIFIED)
    )


def confirm(unit: Unit, context: Context, memory: Memory, at: int | None) -> Memory:
    """Somebody says it still holds. What waited for a person's word is confirmed when a person gives it."""
    check_time(at, "at")
    _require(memory, "confirmed", Status.ACTIVE)
    moment = context.now if at is None else at
    trusted = memory.origin.waits_for_confirmation and context.origin is Origin.TYPED
    changed = _next(memory, context, confirmed_at=moment, origin=Origin.CONFIRMED if trusted else memory.origin)
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.CONFIRMED, changed, {"at": moment})
    return changed


def supersede(unit: Unit, context: Context, old: Memory, new: Memory, reason: str | None) -> Memory:
    """`new` takes the place of `old`, which stays readable as history."""
    if old.id == new.id:
        raise Conflict("A memory cannot supersede itself: name two different ones.")
    if old.status is Status.SUPERSEDED and old.successor == new.id:
        return old
    _require(old, "superseded", *PRESENT)
    _refuse_circle(unit, old, new)
    return retire(unit, context, old, Status.SUPERSEDED, reason, new)


def invalidate(unit: Unit, context: Context, memory: Memory, at: int | None, reason: str | None) -> Memory:
    """It is not true (any more), from a moment on."""
    check_time(at, "at")
    _require(memory, "invalidated", *PRESENT, Status.INVALIDATED)
    moment = context.now if at is None else at
    if memory.valid_from is not None and moment < memory.valid_from:
        raise InvalidInput("at lies before the memory became valid.", "at")
    return _change_status(unit, context, memory, Status.INVALIDATED, reason, valid_to=moment)


def stand(
    unit: Unit, context: Context, memory: Memory, standing: Standing, type: EventType, payload: Mapping[str, Plain]
) -> Memory:
    """What others made of it, with the event that says so; the same standing once more is logged only."""
    changed = memory if memory.standing is standing else _next(memory, context, standing=standing)
    if changed is not memory:
        unit.memories.replace(changed, context.now)
    log(unit, context, type, changed, {"scope": str(memory.scope), "standing": standing.value, **payload})
    return changed


def archive(unit: Unit, context: Context, memory: Memory, reason: str | None) -> Memory:
    """Out of sight, restorable. Once more is no harm: it is logged again."""
    _require(memory, "archived", *PRESENT, Status.ARCHIVED)
    return _change_status(unit, context, memory, Status.ARCHIVED, reason)


def forget(unit: Unit, context: Context, memory: Memory, reason: str | None, successor: Memory | None) -> Memory:
    """Leave a tombstone: gone from every recall, and a warning for whoever wants to add it again."""
    if successor is not None and successor.id == memory.id:
        raise Conflict("A memory cannot be replaced by itself.")
    if successor is not None:
        _refuse_circle(unit, memory, successor)
    return _change_status(
        unit, context, memory, Status.FORGOTTEN, reason, successor=successor.id if successor else memory.successor
    )


def doubt(unit: Unit, context: Context, memory: Memory, reason: str | None) -> Memory:
    """What it rested on is gone: out of recall until its evidence, or a person, speaks for it again."""
    _require(memory, "marked stale", Status.ACTIVE)
    return _change_status(unit, context, memory, Status.STALE, reason)


def restore(unit: Unit, context: Context, memory: Memory) -> Memory:
    """Back to active, from wherever it went."""
    if memory.status is Status.ACTIVE:
        raise Conflict(f"{memory.id} is active: there is nothing to restore.")
    changed = _next(
        memory, context, status=Status.ACTIVE, status_at=None, status_reason=None, successor=None,
        valid_to=_end_stated_before(unit, memory),
    )  # fmt: skip
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.RESTORED, changed, {})
    return changed


def bring_to(unit: Unit, context: Context, memory: Memory, status: Status, reason: str | None) -> Memory:
    """Give a memory one of the statuses that need nothing but a reason."""
    match status:
        case Status.ACTIVE:
            return memory if memory.status is Status.ACTIVE else restore(unit, context, memory)
        case Status.ARCHIVED:
            return archive(unit, context, memory, reason)
        case Status.INVALIDATED:
            return invalidate(unit, context, memory, None, reason)
        case _:
            raise InvalidInput(f"A memory is not made {status.value} by an update: use forget or supersede.", "status")


def purge(unit: Unit, context: Context, memory: Memory, reason: str | None = None) -> None:
    """Take every byte of it out of rows, words, vectors, revisions and the log's payloads.

    The reason for purging it stays: whoever gives one gives it for the log.
    """
    check_reason(reason)
    unit.memories.remove(memory.number)
    unit.relations.drop(memory.id)
    unit.shelves.remove_children(memory.id)
    _remove_quotations(unit, memory.id)
    unit.log.scrub(memory.id)
    payload = {"kind": memory.kind.value, "scope": str(memory.scope)}
    log(unit, context, EventType.PURGED, memory, payload if reason is None else {**payload, "reason": reason})


def _remove_quotations(unit: Unit, memory_id: str) -> None:
    named = [memory_id.lower()]  # an id is one term of its own
    for shelf in QUOTING:
        while found := unit.shelves.matching(Wanted(shelf), named, QUOTATION_BATCH):
            for entry in found:
                unit.shelves.remove(shelf, entry.id)


def retire(unit: Unit, context: Context, old: Memory, status: Status, reason: str | None, successor: Memory) -> Memory:
    """Give `old` a successor, with the edge between them."""
    check_reason(reason)
    retired = _change_status(unit, context, old, status, reason, successor=successor.id)
    unit.relations.add(
        Relation(f"rel_{ulid(context.now)}", successor.id, old.id, RelationKind.SUPERSEDES, reason, context.now)
    )
    return retired


def _refuse_circle(unit: Unit, old: Memory, new: Memory) -> None:
    """Follow the successors of `new`: none of them may be `old`."""
    seen: set[str] = set()
    successor: str | None = new.id
    while successor is not None and successor not in seen:
        if successor == old.id:
            raise Conflict(f"{new.id} was itself replaced by {old.id}: a chain cannot run in a circle.")
        seen.add(successor)
        following = unit.memories.by_id(successor)
        successor = following.successor if following is not None else None


def _end_stated_before(unit: Unit, memory: Memory) -> int | None:
    """Invalidating set an end; restoring gives back the one that stood before."""
    if memory.status is not Status.INVALIDATED:
        return memory.valid_to
    past = [revision.memory for revision in unit.log.revisions(memory.number)]
    stated = [state.valid_to for state in past if state.status is not Status.INVALIDATED]
    return stated[-1] if stated else None


_EVENTS: Mapping[Status, EventType] = {
    Status.SUPERSEDED: EventType.SUPERSEDED,
    Status.INVALIDATED: EventType.INVALIDATED,
    Status.ARCHIVED: EventType.ARCHIVED,
    Status.FORGOTTEN: EventType.FORGOTTEN,
    Status.STALE: EventType.STALE,
}


def _change_status(
    unit: Unit, context: Context, memory: Memory, status: Status, reason: str | None, **also: object
) -> Memory:
    check_reason(reason)
    at = memory.status_at if memory.status is status else context.now
    changed = _next(
        memory, context, status=status, status_at=at, status_reason=reason or _kept_reason(memory, status), **also
    )
    unit.memories.replace(changed, context.now)
    payload: dict[str, Plain] = {"scope": str(memory.scope), "successor": changed.successor, "reason": reason}
    log(unit, context, _EVENTS[status], changed, payload)
    return changed


def _kept_reason(memory: Memory, status: Status) -> str | None:
    return memory.status_reason if memory.status is status else None


def _next(memory: Memory, context: Context, **changes: object) -> Memory:
    return replace(memory, updated_at=context.now, revision=memory.revision + 1, **changes)


def _require(memory: Memory, deed: str, *statuses: Status) -> None:
    if memory.status not in statuses:
        raise Conflict(f"{memory.id} is {memory.status.value} and cannot be {deed}: restore it first.")


def log(unit: Unit, context: Context, type: EventType, memory: Memory, payload: Mapping[str, Plain]) -> None:
    unit.log.append(Event(f"evt_{ulid(context.now)}", type, memory.id, context.actor, context.now, payload))
