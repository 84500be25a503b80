"""rlm_memory_attach_source, rlm_get_chunk and rlm_memory_verify."""

from typing import Annotated, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.snipara.refusals import Refusal, unsupported
from commonplace.dialects.snipara.vocabulary import get_memory
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.errors import NotFound

CHARACTERS_PER_TOKEN = 4
MISSED = "Chunk not found or expired. Search the documents again: a chunk is gone when its text has changed."

_ALSO = {"URL": EvidenceType.EXTERNAL_URL, "DOC": EvidenceType.DOCUMENT}  # as the contract's prose calls them


class AttachParameters(Parameters):
    memory_id: str
    evidence_type: Annotated[str, WithJsonSchema({"type": "string", "enum": [each.name for each in EvidenceType]})]
    chunk_id: str | None = None
    document_id: str | None = None
    external_ref: Annotated[str | None, Field(description="path, link, number or hash, as the type wants")] = None
    snippet: Annotated[str | None, Field(description="the words it rests on")] = None
    line_start: Whole | None = None
    line_end: Whole | None = None
    weight: Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})] = 1.0


class Attached(TypedDict):
    memory_id: str
    evidence_type: str
    evidence_id: str
    created: bool
    message: str
    document_id: NotRequired[str | None]
    chunk_ids: NotRequired[list[str]]


def attach_source(book: Book, given: AttachParameters) -> Attached:
    """The same source again is the same evidence. Whether it exists is for verify to say, and nothing more."""
    type = _evidence_type(given.evidence_type)
    if not any((given.chunk_id, given.document_id, given.external_ref, given.snippet)):
        raise Refusal("Say what the memory rests on: give chunk_id, document_id, external_ref or snippet.")
    source = Source(
        type,
        given.external_ref,
        given.document_id,
        given.chunk_id,
        given.snippet,
        given.line_start,
        given.line_end,
        given.weight,
    )
    attached = book.evidence.attach(get_memory(book, given.memory_id), source, close=False)
    memory_id = attached.evidence.memory_id
    answer = Attached(
        memory_id=memory_id,
        evidence_type=type.name,
        evidence_id=attached.evidence.id,
        created=not attached.known,
        message=f"{type.name} evidence {'was attached already' if attached.known else 'attached'} to {memory_id}",
    )
    if type.on_a_shelf:
        grounds = book.evidence.grounds([memory_id]).get(memory_id, ())
        ground = next(each for each in grounds if each.evidence.id == attached.evidence.id)
        answer["document_id"], answer["chunk_ids"] = ground.document_id, list(ground.chunk_ids)
    return answer


def _evidence_type(name: str) -> EvidenceType:
    spelled = name.strip().upper()
    known = {**{each.name: each for each in EvidenceType}, **_ALSO}
    if spelled not in known:
        raise unsupported("evidence_type", "evidence type", name, (each.name for each in EvidenceType))
    return known[spelled]


class ChunkParameters(Parameters):
    chunk_id: str | None = None


class ChunkOut(TypedDict):
    chunk_id: str
    title: str
    content: str
    file: str
    lines: list[int]
    token_count: int
    found: bool
    message: str


def get_chunk(book: Book, given: ChunkParameters) -> ChunkOut:
    """A chunk that is not there is an answer, not an error."""
    id = (given.chunk_id or "").strip()
    if not id:
        return _no_chunk("", "chunk_id is required")
    try:
        chunk = book.documents.get_chunk(id)
    except NotFound:
        return _no_chunk(id[:60], MISSED)
    return ChunkOut(
        chunk_id=chunk.id,
        title=" > ".join(chunk.title),
        content=chunk.content,
        file=chunk.place,
        lines=[chunk.line_start, chunk.line_end],
        token_count=max(1, len(chunk.content) // CHARACTERS_PER_TOKEN),
        found=True,
        message="Chunk found",
    )


def _no_chunk(id: str, message: str) -> ChunkOut:
    return ChunkOut(
        chunk_id=id, title="", content="", file="", lines=[0, 0], token_count=0, found=False, message=message
    )


class VerifyParameters(Parameters):
    memory_id: str
    mark_stale_if_missing: bool = True


class Verified(TypedDict):
    memory_id: str
    verified: bool
    total_evidence: int
    valid_evidence: int
    invalid_evidence: int
    evidence_score: float
    status: str
    message: str


def verify(book: Book, given: VerifyParameters) -> Verified:
    """`verified` says that the check was made; how it came out, the numbers and the status say."""
    found = book.evidence.verify(get_memory(book, given.memory_id), given.mark_stale_if_missing)
    return Verified(
        memory_id=found.memory.id,
        verified=True,
        total_evidence=found.total,
        valid_evidence=found.valid,
        invalid_evidence=found.invalid,
        evidence_score=found.score,
        status=found.status.name,
        message=f"{found.valid} of {found.total} pieces of evidence hold",
    )
