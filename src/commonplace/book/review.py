"""What waits for a person: listed with what stands beside it, and rejected if the person says no.

To say yes is `lifecycle.confirm`. To say no brings back what the person said, where something stands in the place
of that; takes off a pin that an agent set; and forgets whatever else waits, so that it warns when it comes back.
"""

from enum import StrEnum

from commonplace import deadline
from commonplace.book.display_json import memory_json
from commonplace.book.quotations import Quotation, quotation_json, quotation_of, session_seen
from commonplace.domain.canonical_json import Json
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Memory, Origin, RelationKind, Status
from commonplace.domain.query import PAGE_LIMIT, Filter, Order
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal
from commonplace.engine import lifecycle
from commonplace.engine.caller import Reference, Work
from commonplace.engine.intake import Refused
from commonplace.errors import Conflict, InvalidInput, NotFound
from commonplace.ports import Unit


class Why(StrEnum):
    """Why something waits."""

    REVISION = "revision"
    """An agent's words, in the place of a person's."""
    PROPOSAL = "proposal"
    """It would take the place of something that is trusted more."""
    PIN = "pin"
    """An agent wants it always to be seen."""
    INSTRUCTION = "instruction"
    """An agent wants it to be followed."""
    UNCONFIRMED = "unconfirmed"
    """It was inferred, imported or dreamt."""


class Group(Record):
    """What a memory came with: a conversation, a file or page, or else an agent at a door; `kind` says which."""

    kind: str
    id: str
    name: str


class Waiting(Record):
    """A memory that waits, with the other text that a person compares it with.

    `stands` are memories it would take the place of; `before` are the words it stands in the place of. What was learnt
    from a conversation has the words of it in `quotation`; what came together is of one `group`.
    """

    memory: Memory
    why: Why
    stands: tuple[Memory, ...] = ()
    before: tuple[Memory, ...] = ()
    quotation: Quotation | None = None
    group: Group = Group("agent", "", "")


class Review(Record):
    """A page of what waits, the newest first."""

    waiting: tuple[Waiting, ...]
    total: int
    next_cursor: int | None


def page(work: Work, filter: Filter | None, limit: int, cursor: int | None) -> Review:
    """What waits and the filter admits; without scopes, wherever the caller may see something."""
    if not 1 <= limit <= PAGE_LIMIT:
        raise InvalidInput(f"limit must be from 1 to {PAGE_LIMIT}, not {limit}.", "limit")
    if cursor is not None and work.seek(cursor) is None:
        raise InvalidInput("This cursor is no longer valid: list again from the start.", "cursor")
    chosen = _narrowed(work, filter)
    pins = _pins(work, chosen)
    later = pins if cursor is None else [pin for pin in pins if _place(pin) < _place(work.find(cursor))]
    only = replace(chosen, waiting=True)
    found = [*work.unit.memories.page(only, work.now, Order.NEWEST, limit + 1, cursor), *later]
    found.sort(key=_place, reverse=True)
    shown = found[:limit]
    total = work.unit.memories.count(only, work.now) + len(pins)
    following = shown[-1].number if len(found) > limit else None
    return Review(tuple(waiting_of(work, memory) for memory in deadline.each(shown)), total, following)


def _narrowed(work: Work, filter: Filter | None) -> Filter:
    filter = filter or Filter(())
    if filter.scopes:
        return work.filter(filter)
    everywhere = tuple(scope for scope in work.unit.memories.scopes() if work.may_see(scope))
    return work.filter(replace(filter, scopes=everywhere))


def _pins(work: Work, filter: Filter) -> list[Memory]:
    """Memories that a person stands behind, whose pins wait."""
    entries = work.unit.entries.page(EntryFilter(lifecycle.WAITING_PINS), PAGE_LIMIT)
    found = [work.unit.memories.by_id(entry.id) for entry in entries]
    return [each for each in found if each is not None and not each.waits and filter.admits(each, work.now)]


def _place(memory: Memory) -> tuple[int, int]:
    return memory.created_at, memory.number


def waiting_of(work: Work, memory: Memory) -> Waiting:
    """What waits, with why, and what it is to be compared with."""
    stands = tuple(old for _, old in lifecycle.proposals(work.unit, memory) if work.may_see(old.scope))
    before = tuple(old for old in words_before(work.unit, memory) if work.may_see(old.scope))
    why = _why(memory, bool(stands))
    return Waiting(memory, why, stands, before, quotation_of(work, memory), _group(work, memory))


def _group(work: Work, memory: Memory) -> Group:
    source = memory.provenance
    if source.session:
        session = session_seen(work, source.session)
        return Group("session", source.session, session.label if session is not None else source.session)
    if source.source:
        file = source.file or source.source
        return Group("source", file, file)
    return Group("agent", f"{source.surface}:{source.actor}", source.actor)


def waiting_json(waiting: Waiting, principal: Principal) -> Json:
    """What waits, with all texts whole: nobody should agree to what they were not shown."""
    return {
        "why": waiting.why.value,
        "memory": memory_json(waiting.memory, principal),
        "stands": [memory_json(old, principal) for old in waiting.stands],
        "before": [memory_json(old, principal) for old in waiting.before],
        "quotation": None if waiting.quotation is None else quotation_json(waiting.quotation),
        "group": {name: getattr(waiting.group, name) for name in waiting.group.fields},
    }


def _why(memory: Memory, proposes: bool) -> Why:
    if memory.origin is Origin.REVISED:
        return Why.REVISION
    if proposes:
        return Why.PROPOSAL
    if memory.instructs and memory.origin is Origin.AGENT:
        return Why.INSTRUCTION
    return Why.UNCONFIRMED if memory.origin.waits_for_confirmation else Why.PIN


def words_before(unit: Unit, memory: Memory) -> tuple[Memory, ...]:
    """What stood where an agent's revision stands: the same memory as the person left it, or those it superseded."""
    if memory.origin is not Origin.REVISED:
        return ()
    past = [state.memory for state in unit.log.revisions(memory.number)]
    own = [state for state in past if state.origin.of_a_person]
    if own:
        return (own[-1],)
    edges = [edge for edge in unit.relations.of(memory.id) if edge.kind is RelationKind.SUPERSEDES]
    found = [unit.memories.by_id(edge.target) for edge in edges if edge.source == memory.id]
    return tuple(each for each in found if each is not None and each.successor == memory.id)


def rejected(work: Work, reference: Reference, reason: str | None) -> tuple[Memory, ...] | Refused:
    """One of several that are said no to; what stands again gets its vector later."""
    try:
        return reject(work, work.find(reference), reason)
    except (NotFound, Conflict, InvalidInput) as error:
        return Refused(error)


def reject(work: Work, memory: Memory, reason: str | None) -> tuple[Memory, ...]:
    """Say no to what waits; the memories that changed, as they are now, with what stands again first."""
    unit, context = work.unit, work.context
    if not lifecycle.pin_waits(unit, memory) or memory.status is not Status.ACTIVE:
        raise Conflict(f"{memory.id} does not wait for anybody: see 'commonplace review'.")
    if not memory.waits:
        return (lifecycle.unpin(unit, context, memory),)
    before = [old for old in words_before(unit, memory) if work.may_see(old.scope)]
    if before and before[0].id == memory.id:
        return (lifecycle.give_back(unit, context, memory, before[0]),)
    gone = lifecycle.forget(unit, context, memory, reason, None)
    again = [lifecycle.restore(unit, context, old) for old in sorted(before, key=lambda old: old.number)]
    return (*again, gone)
