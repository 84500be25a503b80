"""What may become of a memory: updated, confirmed, superseded, invalidated, archived, forgotten, stale, purged."""

from collections.abc import Mapping, Sequence

from commonplace.domain import trust
from commonplace.domain.entries import Entry
from commonplace.domain.events import Event, EventType, Plain
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Kind, Memory, MemoryType, Origin, Relation, RelationKind, Standing, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.domain.validation import check_reason, check_time
from commonplace.engine.context import Context
from commonplace.errors import Conflict, InvalidInput, RevisionConflict
from commonplace.ports import Unit

WAITING_PINS = "waiting_pin"
"""The shelf of pins that an agent set on what a person typed or confirmed: the memory is trusted, the pin waits."""

PRESENT = (Status.ACTIVE, Status.STALE)
"""A stale memory is doubted, not retired: it can still be superseded, invalidated and archived."""


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
    project: str | Unchanged | None = UNCHANGED

    def asked(self) -> dict[str, object]:
        """The fields that are to change."""
        values = {name: getattr(self, name) for name in self.fields}
        return {name: value for name, value in values.items() if not isinstance(value, Unchanged)}


def revised(context: Context, memory: Memory, changes: Changes) -> Memory:
    """The next revision of a memory, not stored yet. The caller has normalised and checked what is new."""
    asked = changes.asked()
    if not asked:
        raise InvalidInput("Nothing to update: name at least one field.")
    if changes.pinned is True and context.origin.of_a_person and not memory.origin.of_a_person:
        asked |= {"origin": Origin.CONFIRMED, "confirmed_at": context.now}  # whoever pins it stands behind it
    return _unverified(memory, _next(memory, context, **(_worth(context, memory, changes) | asked)))


def _worth(context: Context, memory: Memory, changes: Changes) -> dict[str, object]:
    """What an update makes of a memory's trust: new words are those of whoever wrote them, and so is their hand.

    To make an instruction of something is to have it followed: that counts as new words too.
    """
    instructs = changes.kind is Kind.INSTRUCTION or changes.memory_type is MemoryType.INSTRUCTION
    reworded = isinstance(changes.text, str) and changes.text != memory.text
    if not reworded and (context.origin.of_a_person or not instructs or memory.instructs):
        return {}
    require_trust(context, context.origin, memory)
    provenance = replace(memory.provenance, surface=context.surface, actor=context.actor)
    origin = trust.of_changed(memory.origin, context.origin)
    return {"origin": origin, "provenance": provenance, "confirmed_at": None}


def require_trust(context: Context, words: Origin, old: Memory) -> None:
    """Refuse words that would take the place of something trusted more."""
    if not trust.may_replace(words, old.origin, context.origin):
        worth = trust.weaker(words, context.origin).value
        raise Conflict(
            f"{old.id} is {old.origin.value}, which is trusted more than {worth}: let a person change it, "
            "or remember the new words beside it."
        )


def update(unit: Unit, context: Context, changed: Memory, changes: Changes) -> None:
    """Store what `revised` made."""
    if changes.pinned is True:
        _note_who_pinned(unit, context, changed)
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.UPDATED, changed, {"changed": dict.fromkeys(changes.asked(), True)})


def _note_who_pinned(unit: Unit, context: Context, memory: Memory) -> None:
    """What an agent's own pin is set on waits as a whole; on what a person stands behind, the pin alone waits."""
    before = unit.memories.by_id(memory.id)
    if context.origin.of_a_person:
        unit.entries.remove(WAITING_PINS, memory.id)
    elif memory.origin.of_a_person and (before is None or not before.pinned):
        unit.entries.put(Entry(WAITING_PINS, memory.id, str(memory.scope), context.now, parent=memory.id))


def pin_waits(unit: Unit, memory: Memory) -> bool:
    """Whether a person has yet to agree to this pin."""
    return memory.waits or unit.entries.get(WAITING_PINS, memory.id) is not None


def unpin(unit: Unit, context: Context, memory: Memory) -> Memory:
    """Take off a pin that waited."""
    unit.entries.remove(WAITING_PINS, memory.id)
    changed = _next(memory, context, pinned=False)
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.UPDATED, changed, {"changed": {"pinned": True}})
    return changed


def give_back(unit: Unit, context: Context, memory: Memory, words: Memory) -> Memory:
    """A memory with the words it had before, and with whatever they were worth."""
    names = ("text", "kind", "memory_type", "origin", "provenance", "confirmed_at")
    changed = _unverified(memory, _next(memory, context, **{name: getattr(words, name) for name in names}))
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.UPDATED, changed, {"changed": {"text": True, "origin": True}})
    return changed


def check_revision(memory: Memory, revision: int | None) -> None:
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
    by_a_person = context.origin is Origin.TYPED
    origin = Origin.CONFIRMED if by_a_person and memory.waits else memory.origin
    changed = _next(memory, context, confirmed_at=moment, origin=origin)
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.CONFIRMED, changed, {"at": moment})
    if by_a_person:
        unit.entries.remove(WAITING_PINS, memory.id)
        for edge, old in proposals(unit, changed):
            unit.relations.remove(edge.id)
            supersede(unit, context, old, changed, "confirmed by a person")
    return changed


def supersede(unit: Unit, context: Context, old: Memory, new: Memory, reason: str | None) -> Memory:
    """`new` takes the place of `old`, which stays readable as history."""
    if old.id == new.id:
        raise Conflict("A memory cannot supersede itself: name two different ones.")
    if old.status is Status.SUPERSEDED and old.successor == new.id:
        return old
    _require(old, "superseded", *PRESENT)
    _refuse_circle(unit, old, new)
    _require(new, "put in the place of another", *PRESENT)
    require_trust(context, new.origin, old)
    retired = retire(unit, context, old, Status.SUPERSEDED, reason, new)
    take_over(unit, context, new, [old])
    return retired


def take_over(unit: Unit, context: Context, new: Memory, replaced: Sequence[Memory]) -> Memory:
    """A memory as it is worth once it stands in the place of others."""
    origin = worth_after(context, new.origin, replaced)
    if origin is new.origin:
        return new
    changed = _next(new, context, origin=origin)
    unit.memories.replace(changed, context.now)
    log(unit, context, EventType.UPDATED, changed, {"changed": {"origin": True}})
    return changed


def worth_after(context: Context, origin: Origin, replaced: Sequence[Memory]) -> Origin:
    """What words are worth once they stand in the place of others."""
    for old in replaced:
        origin = trust.of_successor(origin, old.origin, context.origin)
    return origin


def on_topic(unit: Unit, context: Context, memory: Memory) -> tuple[list[Memory], list[Memory]]:
    """What else stands on a memory's topic: what gives way to it, and what is trusted more."""
    if memory.topic is None:
        return [], []
    filter = Filter((memory.scope,), statuses=PRESENT, include_expired=True)
    numbers = [features.number for features in unit.memories.by_topic(filter, context.now, [memory.topic])]
    known = unit.memories.by_numbers(numbers).values()
    others = [other for other in known if other.id != memory.id and not memory.is_apart_from(other)]
    weaker = [other for other in others if trust.may_replace(memory.origin, other.origin, context.origin)]
    return weaker, [other for other in others if other not in weaker]


def require_topic(unit: Unit, context: Context, memory: Memory) -> None:
    """Refuse a memory that would be the newest word on a topic where something is trusted more."""
    for other in on_topic(unit, context, memory)[1]:
        require_trust(context, memory.origin, other)


def settle_topic(unit: Unit, context: Context, memory: Memory) -> Memory:
    """The newest word on a topic stands: the others give way, or it is refused if one is trusted more."""
    require_topic(unit, context, memory)
    weaker, _ = on_topic(unit, context, memory)
    for other in weaker:
        retire(unit, context, other, Status.SUPERSEDED, f"a newer memory on {memory.topic}", memory)
    return take_over(unit, context, memory, weaker)


def propose(unit: Unit, context: Context, memory: Memory, old: Memory) -> None:
    """Note that a memory would take the place of one that is trusted more; a person decides by confirming it."""
    unit.relations.add(
        Relation(f"rel_{ulid(context.now)}", memory.id, old.id, RelationKind.PROPOSES, None, context.now)
    )


def proposals(unit: Unit, memory: Memory) -> list[tuple[Relation, Memory]]:
    """What a memory would take the place of, as far as that still stands."""
    edges = [edge for edge in unit.relations.of(memory.id) if edge.kind is RelationKind.PROPOSES]
    found = [(edge, unit.memories.by_id(edge.target)) for edge in edges if edge.source == memory.id]
    return [(edge, old) for edge, old in found if old is not None and old.status in PRESENT]


def invalidate(unit: Unit, context: Context, memory: Memory, at: int | None, reason: str | None) -> Memory:
    """It is not true (any more), from a moment on."""
    check_time(at, "at")
    _require(memory, "invalidated", *PRESENT, Status.INVALIDATED)
    moment = context.now if at is None else at
    if memory.valid_from is not None and moment < memory.valid_from:
        raise InvalidInput("at lies before the memory became valid.", "at")
    return _change_status(unit, context, memory, Status.INVALIDATED, reason, valid_to=moment)


def set_standing(
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


def mark_stale(unit: Unit, context: Context, memory: Memory, reason: str | None) -> Memory:
    """What it rested on is gone: out of recall until its evidence, or a person, speaks for it again."""
    _require(memory, "marked stale", Status.ACTIVE)
    return _change_status(unit, context, memory, Status.STALE, reason)


def restore(unit: Unit, context: Context, memory: Memory) -> Memory:
    """Back to active, from wherever it went."""
    if memory.status is Status.ACTIVE:
        raise Conflict(f"{memory.id} is active: there is nothing to restore.")
    changed = _next(
        memory,
        context,
        status=Status.ACTIVE,
        status_at=None,
        status_reason=None,
        successor=None,
        valid_to=_end_stated_before(unit, memory),
    )
    unit.memories.replace(changed, context.now)
    for edge in unit.relations.of(memory.id):
        if edge.kind is RelationKind.SUPERSEDES and edge.target == memory.id and edge.source == memory.successor:
            unit.relations.remove(edge.id)
    log(unit, context, EventType.RESTORED, changed, {})
    return settle_topic(unit, context, changed)


def set_status(unit: Unit, context: Context, memory: Memory, status: Status, reason: str | None) -> Memory:
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


def retire(unit: Unit, context: Context, old: Memory, status: Status, reason: str | None, successor: Memory) -> Memory:
    """Give `old` a successor, with the edge between them."""
    check_reason(reason)
    retired = _change_status(unit, context, old, status, reason, successor=successor.id)
    unit.relations.add(
        Relation(f"rel_{ulid(context.now)}", successor.id, old.id, RelationKind.SUPERSEDES, reason, context.now)
    )
    return retired


def relate(unit: Unit, context: Context, memory: Memory, others: Sequence[Memory], kind: RelationKind) -> None:
    """Write edges from a memory to others; one that is there already is not written again."""
    known = {edge.target for edge in unit.relations.of(memory.id) if edge.source == memory.id and edge.kind is kind}
    for other in others:
        if other.id == memory.id:
            raise Conflict("A memory cannot be related to itself: name another one.")
        if other.id not in known:
            unit.relations.add(Relation(f"rel_{ulid(context.now)}", memory.id, other.id, kind, None, context.now))
            payload: dict[str, Plain] = {"scope": str(memory.scope), "kind": kind.value, "to": other.id}
            log(unit, context, EventType.RELATED, memory, payload)
            known.add(other.id)


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


def _require(memory: Memory, action: str, *statuses: Status) -> None:
    if memory.status not in statuses:
        raise Conflict(f"{memory.id} is {memory.status.value} and cannot be {action}: restore it first.")


def log(unit: Unit, context: Context, type: EventType, memory: Memory, payload: Mapping[str, Plain]) -> None:
    """Add one event about a memory, by whoever acts and at the context's moment."""
    unit.log.append(Event(f"evt_{ulid(context.now)}", type, memory.id, context.actor, context.now, payload))
