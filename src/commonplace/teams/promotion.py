"""From one person's memory to a team's: copied, credited, corroborated by a second person, contested by another word.

Nothing is pooled unasked and nothing is overwritten: what says the same is credited to both, and what is
at odds stays, contested, until somebody who leads the team resolves it.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.events import EventType, Plain
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Origin, Provenance, Relation, RelationKind, Standing, Status, Usage
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope
from commonplace.engine.context import Context
from commonplace.engine.duplicates import Search, at_odds, compared
from commonplace.engine.lifecycle import archive, log, retire, set_standing
from commonplace.engine.paging import each_entry, each_memory
from commonplace.errors import Conflict
from commonplace.ports import Embedder, Unit, Vector

CONTRIBUTIONS = "contribution"
ENOUGH = 2  # so many people make a learning verified


class ContestVerdict(StrEnum):
    """What a promotion came to."""

    SHARED = "shared"
    REPEATED = "repeated"
    CORROBORATED = "corroborated"
    CONTESTED = "contested"


class Contribution(Record):
    """Who brought a team's memory in or said the same, from which memory of theirs, and when."""

    memory: str
    user: str
    source: str
    at: int


class Promoted(Record):
    """The team's memory that a promotion led to, and what it is at odds with."""

    memory: Memory
    verdict: ContestVerdict
    conflicts: tuple[Memory, ...] = ()


class Contest(Record):
    """A team's memories that are at odds with each other, oldest first."""

    memories: tuple[Memory, ...]


def promote(
    unit: Unit, context: Context, source: Memory, scope: Scope, vector: Vector | None, embedder: Embedder | None
) -> Promoted:
    """Bring a memory into a team's scope; the caller has checked who may, and that it holds no secret."""
    known, conflicts = _bearing(unit, context, source, scope, vector, embedder)
    if known is not None:
        return _credited(unit, context, source, known)
    memory = _copy(source, scope, context, unit.memories.next_number(), contested=bool(conflicts))
    unit.memories.add(memory, context.now)
    if vector is not None and embedder is not None:
        unit.vectors.put(memory.number, embedder.space, vector)
    _contribute(unit, memory, context.principal.user, source.id, context.now)
    log(unit, context, EventType.PROMOTED, memory, _by(context, source) | {"scope": str(scope)})
    if not conflicts:
        return Promoted(memory, ContestVerdict.SHARED)
    return Promoted(
        memory, ContestVerdict.CONTESTED, tuple(_contest(unit, context, memory, other) for other in conflicts)
    )


def _bearing(
    unit: Unit, context: Context, source: Memory, scope: Scope, vector: Vector | None, embedder: Embedder | None
) -> tuple[Memory | None, list[Memory]]:
    """The team's memory that says the same, all of it; else those with another word on it."""
    here = Filter((scope,))
    same = unit.memories.by_text(here, context.now, source.text)
    if same:
        return same[0], []
    found = compared(unit, Search(here, context.now, embedder), source.text, vector)
    alike = [near.memory for near in found.near]
    whole = [near.memory for near in found.near if near.says_all]
    if whole:
        return whole[0], []
    others = [other.memory for other in found.contradicts]
    others += at_odds(unit, here, context.now, source.text, source.topic)
    return None, list({other.id: other for other in others if other not in alike}.values())


def _credited(unit: Unit, context: Context, source: Memory, known: Memory) -> Promoted:
    """Somebody says the same: one more person makes it verified, the same person twice does not."""
    user = context.principal.user
    if not any(contributions(unit, known)) and known.origin is not Origin.IMPORTED:
        # Written in the team's scope by hand; who an imported memory says it is from proves nothing.
        _contribute(unit, known, known.owner, known.id, known.created_at)
    before = people(unit, known)
    _contribute(unit, known, user, source.id, context.now)
    if user in before:
        log(unit, context, EventType.PROMOTED, known, _by(context, source) | {"scope": str(known.scope)})
        return Promoted(known, ContestVerdict.REPEATED)
    standing = known.standing if known.standing is Standing.CONTESTED else _earned(unit, known)
    return Promoted(
        set_standing(unit, context, known, standing, EventType.CORROBORATED, _by(context, source)),
        ContestVerdict.CORROBORATED,
    )


def _contest(unit: Unit, context: Context, memory: Memory, other: Memory) -> Memory:
    """Both are in doubt until somebody resolves it, and know of each other."""
    unit.relations.add(
        Relation(f"rel_{ulid(context.now)}", memory.id, other.id, RelationKind.CONFLICTS_WITH, None, context.now)
    )
    return set_standing(unit, context, other, Standing.CONTESTED, EventType.CONTESTED, {"with": memory.id})


def _copy(source: Memory, scope: Scope, context: Context, number: int, contested: bool) -> Memory:
    """A team's own memory: what it says and how far it is trusted, without the conversation it comes from."""
    return replace(
        source,
        id=f"mem_{ulid(context.now)}",
        number=number,
        scope=scope,
        owner=context.principal.user,
        created_at=context.now,
        updated_at=context.now,
        revision=1,
        pinned=False,
        confirmed_at=None,
        usage=Usage(),
        standing=Standing.CONTESTED if contested else Standing.UNVERIFIED,
        provenance=Provenance(source.provenance.source, context.surface, context.actor, source.provenance.capture_mode),
    )


def _by(context: Context, source: Memory) -> dict[str, str]:
    return {"by": context.principal.user, "source": source.id}


# -- who said it ------------------------------------------------------------------------------


def contributions(unit: Unit, memory: Memory) -> Iterator[Contribution]:
    """Who is credited for a team's memory, the first one first."""
    wanted = EntryFilter(CONTRIBUTIONS, parent=memory.id)
    for entry in each_entry(unit, wanted, newest_first=False):
        yield Contribution(memory.id, str(entry.body["user"]), str(entry.body["source"]), entry.at)


def people(unit: Unit, memory: Memory) -> set[str]:
    """Who is credited for a team's memory, each once."""
    return {contribution.user for contribution in contributions(unit, memory)}


def _contribute(unit: Unit, memory: Memory, user: str, source: str, at: int) -> None:
    """The same person with the same memory is credited once, for the first time."""
    known = list(contributions(unit, memory))
    if not any((each.user, each.source) == (user, source) for each in known):
        # The place comes first, so that contributions of one moment keep their order.
        id = f"con_{len(known):08d}_{blake2b(memory.id.encode(), digest_size=16).hexdigest()}"
        body = {"user": user, "source": source}
        unit.entries.put(Entry(CONTRIBUTIONS, id, str(memory.scope), at, body, parent=memory.id))


def _earned(unit: Unit, memory: Memory) -> Standing:
    return Standing.VERIFIED if len(people(unit, memory)) >= ENOUGH else Standing.UNVERIFIED


# -- contests ---------------------------------------------------------------------------------


def contests(unit: Unit, scope: Scope, now: int) -> tuple[Contest, ...]:
    """Everything in a team's scope that waits to be resolved, oldest first."""
    waiting = {memory.number: memory for memory in _contested(unit, scope, now)}
    found = []
    while waiting:
        group = contest_of(unit, waiting[min(waiting)])
        found.append(group)
        for memory in group.memories:
            waiting.pop(memory.number, None)
    return tuple(found)


def contest_of(unit: Unit, memory: Memory) -> Contest:
    """A contested memory with all that it is at odds with, directly or through others."""
    group = {memory.id: memory}
    waiting = [memory.id]
    while waiting:
        id = waiting.pop()
        for relation in unit.relations.of(id):
            other = relation.target if relation.source == id else relation.source
            if relation.kind is RelationKind.CONFLICTS_WITH and other not in group:
                found = unit.memories.by_id(other)
                if found is not None and _waits(found) and found.scope == memory.scope:
                    group[other] = found
                    waiting.append(other)
    return Contest(tuple(sorted(group.values(), key=lambda each: each.number)))


def resolve(
    unit: Unit, context: Context, keep: Sequence[Memory], drop: Sequence[Memory], reason: str | None
) -> tuple[Memory, ...]:
    """End a contest: what is kept against something else is verified, what is dropped stays readable as history.

    Nobody verifies alone: of who took part and who resolves there must be two. If nothing is dropped, nothing was
    decided, and what is kept stands as its contributors made it.
    """
    named = {memory.id: memory for memory in (*keep, *drop)}
    for memory in named.values():
        if not _waits(memory):
            raise Conflict(f"{memory.id} is not contested: see 'commonplace team review' for what is.")
    group = contest_of(unit, next(iter(named.values())))
    forgotten = [memory.id for memory in group.memories if memory.id not in named]
    if forgotten:
        raise Conflict(f"{forgotten[0]} is at odds with these too: say whether to keep or to drop it.")
    unrelated = named.keys() - {memory.id for memory in group.memories}
    if unrelated:
        raise Conflict(f"{min(unrelated)} belongs to another contest: resolve one at a time.")
    because = reason or f"resolved by {context.principal.user}"
    parties = {context.principal.user}.union(*(people(unit, memory) for memory in group.memories))
    settled = bool(drop) and len(parties) >= ENOUGH
    kept = [_keep(unit, context, memory, because, settled) for memory in keep]
    dropped = [_drop(unit, context, memory, because, kept) for memory in drop]
    return (*kept, *dropped)


def _keep(unit: Unit, context: Context, memory: Memory, reason: str, settled: bool) -> Memory:
    payload: dict[str, Plain] = {"by": context.principal.user, "kept": True, "reason": reason}
    standing = Standing.VERIFIED if settled else _earned(unit, memory)
    return set_standing(unit, context, memory, standing, EventType.RESOLVED, payload)


def _drop(unit: Unit, context: Context, memory: Memory, reason: str, kept: Sequence[Memory]) -> Memory:
    """With one winner the others are superseded by it; with several or none they are archived."""
    payload: dict[str, Plain] = {"by": context.principal.user, "kept": False, "reason": reason}
    memory = set_standing(unit, context, memory, memory.standing, EventType.RESOLVED, payload)
    if len(kept) == 1:
        return retire(unit, context, memory, Status.SUPERSEDED, reason, kept[0])
    return archive(unit, context, memory, reason)


def _waits(memory: Memory) -> bool:
    return memory.standing is Standing.CONTESTED and memory.status is Status.ACTIVE


def _contested(unit: Unit, scope: Scope, now: int) -> Iterator[Memory]:
    return filter(_waits, each_memory(unit, Filter((scope,), include_expired=True), now))
