"""Everything that stands around one memory, on one snapshot: why it waits, where it was said, what it rests on."""

from commonplace.book.quotations import Quotation, quotation_of, session_seen
from commonplace.book.review import Why, waiting_of, words_before
from commonplace.documents.documents import Documents
from commonplace.documents.evidence import Evidence, entries_of, named_lines, weigh
from commonplace.domain.events import EventType
from commonplace.domain.memory import Memory, Relation, RelationKind
from commonplace.domain.record import Record
from commonplace.engine import lifecycle
from commonplace.engine.caller import Caller, Reference, Work
from commonplace.sessions.entries import Session
from commonplace.text import show_time

LIMIT = 200
"""Of what a memory has to do with others, at most so many are shown."""


class Ground(Record):
    """A piece of evidence, and whether it holds: by what stands on the shelves, without reading a file again."""

    evidence: Evidence
    status: str
    detail: str | None
    checked_at: int | None


class Around(Record):
    """A memory with what stands around it, as far as the caller may see that."""

    memory: Memory
    why_waiting: Why | None = None
    quotation: Quotation | None = None
    session: Session | None = None
    evidence: tuple[Ground, ...] = ()
    replaced: tuple[Memory, ...] = ()
    replaced_by: Memory | None = None
    proposals: tuple[Memory, ...] = ()
    relations: tuple[tuple[Relation, Memory], ...] = ()


def around(caller: Caller, reference: Reference) -> Around:
    """A memory and what stands around it."""
    with caller.reading() as work:
        memory = work.find(reference)
        waiting = waiting_of(work, memory) if lifecycle.pin_waits(work.unit, memory) else None
        edges = _edges(work, memory)
        # Whoever stands in a memory's place is named by the memory, and the other way round by an edge.
        superseded = [other for edge, other in edges if _replaced(edge, memory)]
        before = [old for old in words_before(work.unit, memory) if old.id != memory.id and work.may_see(old.scope)]
        return Around(
            memory,
            None if waiting is None else waiting.why,
            quotation_of(work, memory),
            session_seen(work, memory.provenance.session),
            _evidence(work, memory, caller),
            tuple({each.id: each for each in (*superseded, *before)}.values()),
            None if memory.successor is None else work.seek(memory.successor),
            tuple(old for _, old in lifecycle.proposals(work.unit, memory) if work.may_see(old.scope)),
            edges,
        )


def _edges(work: Work, memory: Memory) -> tuple[tuple[Relation, Memory], ...]:
    found = []
    for edge in work.unit.relations.of(memory.id)[-LIMIT:]:
        other = work.seek(edge.target if edge.source == memory.id else edge.source)
        if other is not None and other.id != memory.id:
            found.append((edge, other))
    return tuple(found)


def _replaced(edge: Relation, memory: Memory) -> bool:
    return edge.kind is RelationKind.SUPERSEDES and edge.source == memory.id


def _evidence(work: Work, memory: Memory, caller: Caller) -> tuple[Ground, ...]:
    if not entries_of(work.unit, memory):
        return ()
    verified = [event.at for event in work.unit.log.events(memory.id) if event.type is EventType.VERIFIED]
    checked = verified[-1] if verified else None
    return tuple(
        Ground(
            each.evidence,
            "fails" if each.problem is not None else "holds" if each.evidence.type.on_a_shelf else "untested",
            each.problem,
            checked,
        )
        for each in weigh(work, memory, Documents(caller)).findings[:LIMIT]
    )


def ground_json(ground: Ground) -> dict[str, object]:
    """A piece of evidence as plain JSON."""
    evidence, lines = ground.evidence, named_lines(ground.evidence)
    return {
        "id": evidence.id,
        "type": evidence.type.value,
        "source": evidence.reference or evidence.document_id or evidence.chunk_id or "",
        "lines": None if lines is None else {"first": lines[0], "last": lines[1]},
        "snippet": evidence.snippet,
        "status": ground.status,
        "detail": ground.detail,
        "checked_at": None if ground.checked_at is None else show_time(ground.checked_at),
    }
