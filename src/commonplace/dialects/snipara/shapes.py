"""What the tools answer with: the published keys, and beside them those of the shipped server."""

from collections.abc import Sequence

from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialects.snipara.vocabulary import type_of
from commonplace.documents.grounds import Ground
from commonplace.domain.memory import Memory, Relation, RelationKind, Status
from commonplace.domain.query import Hit
from commonplace.domain.scope import ScopeKind
from commonplace.text import show_time

AGING_BELOW = 0.5  # of the confidence it last had


class Owner(TypedDict):
    project_id: str | None
    team_id: str | None
    user_id: str | None
    agent_id: str | None


class MemoryOut(TypedDict):
    id: str
    memory_id: str
    content: str
    type: str
    category: str | None
    confidence: float
    createdAt: str
    created_at: str
    lastAccessedAt: str | None
    last_accessed_at: str | None
    status: str
    freshness: str
    evidence_count: int
    scope: str
    review_status: str
    owner: Owner
    source: str | None
    access_count: int
    expires_at: str | None
    tags: list[str]
    reason: str | None
    invalidated_at: str | None
    superseded_at: str | None
    superseded_by: str | None
    supersedes: list[str]
    related_to: list[str]


class EvidenceOut(TypedDict):
    """A piece of evidence; `chunk_ids` are for rlm_get_chunk."""

    evidence_id: str
    evidence_type: str
    external_ref: str | None
    document_id: str | None
    chunk_ids: list[str]
    snippet: str | None


class RecalledOut(MemoryOut):
    relevance: float
    evidence: list[EvidenceOut]
    chunk_ids: list[str]


def recalled_shapes(book: Book, hits: Sequence[Hit]) -> list[RecalledOut]:
    """Hits in the order given, each with its relevance to four digits and the chunks it rests on."""
    shapes = memory_shapes(book, [hit.memory for hit in hits])
    grounds = book.evidence.grounds([hit.memory.id for hit in hits])
    found = []
    for shape, hit in zip(shapes, hits, strict=True):
        evidence = [evidence_shape(ground) for ground in grounds.get(hit.memory.id, ())]
        chunks = list(dict.fromkeys(id for each in evidence for id in each["chunk_ids"]))
        found.append(RecalledOut(**shape, relevance=round(hit.relevance, 4), evidence=evidence, chunk_ids=chunks))
    return found


def evidence_shape(ground: Ground) -> EvidenceOut:
    """What a memory rests on, with the ids under which it can be read."""
    evidence = ground.evidence
    return EvidenceOut(
        evidence_id=evidence.id,
        evidence_type=evidence.type.name,
        external_ref=evidence.reference,
        document_id=ground.document_id,
        chunk_ids=list(ground.chunk_ids),
        snippet=evidence.snippet,
    )


def memory_shapes(book: Book, memories: Sequence[Memory]) -> list[MemoryOut]:
    """Memories in the order given; evidence and relations of all are read at once."""
    counts = book.evidence.counts([memory.id for memory in memories])
    relations = book.relations_of(memories)
    return [_shape(book, each, counts.get(each.id, 0), relations.get(each.id, ())) for each in memories]


def _shape(book: Book, memory: Memory, evidence: int, relations: Sequence[Relation]) -> MemoryOut:
    created, accessed = show_time(memory.created_at), shown(memory.usage.used_at)
    invalidated, superseded = memory.status is Status.INVALIDATED, memory.status is Status.SUPERSEDED
    return MemoryOut(
        id=memory.id,
        memory_id=memory.id,
        content=memory.text,
        type=type_of(memory.kind),
        category=memory.category,
        confidence=round(book.confidence(memory), 4),
        createdAt=created,
        created_at=created,
        lastAccessedAt=accessed,
        last_accessed_at=accessed,
        status=memory.status.name,
        freshness=freshness(book, memory),
        evidence_count=evidence,
        scope=memory.scope.kind.value,
        review_status=review_status(memory),
        owner=owner(book, memory),
        source=memory.provenance.source,
        access_count=memory.usage.count,
        expires_at=shown(memory.expires_at),
        tags=list(memory.tags),
        reason=memory.status_reason,
        invalidated_at=shown(memory.valid_to) if invalidated else None,
        superseded_at=shown(memory.status_at) if superseded else None,
        superseded_by=memory.successor if superseded else None,
        supersedes=_others(memory, relations, RelationKind.SUPERSEDES),
        related_to=_others(memory, relations, RelationKind.RELATED_TO),
    )


def _others(memory: Memory, relations: Sequence[Relation], kind: RelationKind) -> list[str]:
    """What a memory says it stands to in this way, in the order it was said."""
    return [edge.target for edge in relations if edge.kind is kind and edge.source == memory.id]


def freshness(book: Book, memory: Memory) -> str:
    """`stale` once it is out of force, `aging` once its confidence has faded far enough, else `fresh`."""
    now = book.now()
    if memory.status is not Status.ACTIVE or memory.expired(now) or not memory.valid(now):
        return "stale"
    return "aging" if book.confidence(memory) < AGING_BELOW * memory.base_confidence else "fresh"


def owner(book: Book, memory: Memory) -> Owner:
    """Whose it is, by the name the caller knows the scope by."""
    id = book.principal.show(memory.scope).partition(":")[2]
    kind = memory.scope.kind
    return Owner(
        project_id=id if kind is ScopeKind.PROJECT else None,
        team_id=id if kind is ScopeKind.TEAM else None,
        user_id=id if kind is ScopeKind.USER else None,
        agent_id=id if kind is ScopeKind.AGENT else None,
    )


def review_status(memory: Memory) -> str:
    """`pending` while it waits for a person, else `approved`."""
    return "pending" if memory.waits else "approved"


def shown(at: int | None) -> str | None:
    """A moment as text; None stays None."""
    return None if at is None else show_time(at)
