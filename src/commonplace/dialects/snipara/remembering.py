"""rlm_remember and rlm_remember_bulk."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.edits import Beside
from commonplace.dialect import Parameters, read
from commonplace.dialects.snipara.limits import admit_memories, kept_until
from commonplace.dialects.snipara.refusals import Refusal, sentence
from commonplace.dialects.snipara.shapes import EvidenceOut, Owner, evidence_shape, owner, review_status, shown
from commonplace.dialects.snipara.vocabulary import (
    SCOPES,
    TYPES,
    AgentId,
    ScopeName,
    TeamId,
    TypeName,
    all_present,
    kind_of,
    place_warnings,
    type_of,
    written_to,
)
from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Kind, Memory
from commonplace.domain.record import Record
from commonplace.domain.scope import Right
from commonplace.domain.validation import TIME_LIMIT
from commonplace.engine.intake import (
    Draft,
    ExactPolicy,
    NearPolicy,
    Refused,
    Remembered,
    Repeats,
    Verdict,
    refuse_secrets,
)
from commonplace.errors import CommonplaceError

BATCH_LIMIT = 50
REFERENCE_LIMIT = 100
REPEATS = Repeats(ExactPolicy.FOLDED, NearPolicy.IGNORE, same_kind=True)
SHORT_LIVED = (Kind.TASK, Kind.CONTEXT)  # the shipped server calls their end `stale_at`


class RememberParameters(Parameters):
    # `content` alone is taken too, which a schema cannot say in a way that every host understands.
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", json_schema_extra={"required": ["text"]})

    text: Annotated[str | None, Field(description="one self-contained statement")] = None
    content: Annotated[str | None, Field(description="another name for text")] = None
    type: TypeName = "fact"
    category: Annotated[str | None, Field(description="a label to filter by, such as auth")] = None
    scope: Annotated[
        ScopeName | None, WithJsonSchema({"type": "string", "enum": list(SCOPES), "default": "project"})
    ] = None
    ttl_days: Annotated[float | None, Field(description="days until it expires; null keeps it")] = None
    document_refs: Annotated[list[str], Field(description="paths of documents it rests on")] = Field(
        default_factory=list
    )
    related_to: Annotated[list[str], Field(description="ids of related memories")] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    agent_id: AgentId = None
    team_id: TeamId = None
    source: Annotated[str | None, Field(description="where it comes from")] = None


class RememberedOut(TypedDict):
    id: str
    memory_id: str
    content: str
    type: str
    scope: str
    review_status: str
    status: str
    category: str | None
    tags: list[str]
    owner: Owner
    expires_at: str | None
    stale_at: str | None
    created: bool
    message: str
    document_refs: NotRequired[list[EvidenceOut]]
    skipped_related: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


class RememberRequest(Record):
    """What is to be remembered, and what goes with it; `skipped` are ids nobody knows."""

    draft: Draft
    beside: Beside
    skipped: tuple[str, ...]
    warnings: tuple[str, ...]


def remember(book: Book, given: RememberParameters) -> RememberedOut:
    """Stores a memory with what belongs to it, or makes the one that says the same stronger."""
    request = _request(book, given)
    admit_memories(book, [request.draft])
    (result,) = book.remember_many([request.draft], repeats=REPEATS, beside=[request.beside])
    if isinstance(result, Refused):
        raise result.error
    _reinforce(book, [result])
    return _shape(book, request, result)


def _request(book: Book, given: RememberParameters) -> RememberRequest:
    """All of a call, checked: whatever speaks against it does so before anything is stored."""
    text = given.text if given.text and given.text.strip() else given.content
    if text is None or not text.strip():
        raise Refusal("rlm_remember: missing required parameter 'text' (or 'content')")
    draft = Draft(
        text,
        written_to(book, given.scope, given.agent_id, given.team_id),
        kind_of(given.type),
        tags=tuple(given.tags),
        category=given.category,
        source=given.source or book.door.client,
        expires_at=_expiry(book, given.ttl_days),
    )
    related, skipped = _related(book, given.related_to)
    warnings = place_warnings(book) if given.scope is None else ()
    return RememberRequest(draft, Beside(_sources(given.document_refs), related), skipped, tuple(warnings))


def _expiry(book: Book, ttl_days: float | None) -> int | None:
    if ttl_days is not None and ttl_days <= 0:
        raise Refusal("Invalid parameter 'ttl_days': it must be greater than 0, or null for permanent.")
    if ttl_days is not None and ttl_days * DAY > TIME_LIMIT - book.now():
        raise Refusal("Invalid parameter 'ttl_days': it ends after the year 9999; give null for permanent.")
    return kept_until(book, ttl_days)


def _sources(references: Sequence[str]) -> tuple[Source, ...]:
    _check_count(references, "document_refs")
    for reference in references:
        refuse_secrets(reference, "document_refs")
    return tuple(Source(EvidenceType.DOCUMENT, reference) for reference in dict.fromkeys(references))


def _related(book: Book, ids: Sequence[str]) -> tuple[tuple[Memory, ...], tuple[str, ...]]:
    _check_count(ids, "related_to")
    named = list(dict.fromkeys(ids))
    found = all_present(book, named) if named else ()
    skipped = tuple(id[:60] for id, memory in zip(named, found, strict=True) if memory is None)
    return tuple(memory for memory in found if memory is not None), skipped


def _check_count(items: Sequence[str], argument: str) -> None:
    if len(items) > REFERENCE_LIMIT:
        raise Refusal(f"Invalid parameter '{argument}': {REFERENCE_LIMIT} are the limit, leave some out.")


def _reinforce(book: Book, results: Iterable[Remembered | Refused]) -> None:
    """The same content again reinforces what is known."""
    for result in results:
        if isinstance(result, Remembered) and result.verdict is Verdict.REPEATED:
            book.reinforce(result.memory)


def _shape(book: Book, request: RememberRequest, result: Remembered) -> RememberedOut:
    memory, created = result.memory, result.verdict is Verdict.CREATED
    done = "stored successfully" if created else "already stored and reinforced"
    answer = RememberedOut(
        id=memory.id,
        memory_id=memory.id,
        content=memory.text,
        type=type_of(memory.kind),
        scope=memory.scope.kind.value,
        review_status=review_status(memory),
        status=memory.status.name,
        category=memory.category,
        tags=list(memory.tags),
        owner=owner(book, memory),
        expires_at=shown(memory.expires_at),
        created=created,
        stale_at=shown(memory.expires_at) if memory.kind in SHORT_LIVED else None,
        message=f"Memory {done} (ID: {memory.id})",
    )
    if request.beside.sources and book.principal.may(Right.READ):
        wanted = {source.reference for source in request.beside.sources}
        grounds = book.evidence.grounds([memory.id]).get(memory.id, ())
        answer["document_refs"] = [evidence_shape(each) for each in grounds if each.evidence.reference in wanted]
    if request.skipped:
        answer["skipped_related"] = list(request.skipped)
    if request.warnings or result.warnings:
        answer["warnings"] = [*request.warnings, *result.warnings]
    return answer


# -- several at once --------------------------------------------------------------------------


_ITEM = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "type": {"type": "string", "enum": list(TYPES), "default": "fact"},
        "category": {"type": "string"},
        "scope": {"type": "string", "enum": list(SCOPES), "default": "project"},
        "ttl_days": {"type": "number"},
    },
    "required": ["text"],
}


class BulkParameters(Parameters):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", json_schema_extra={"required": ["memories"]})

    memories: Annotated[
        list[object] | None,
        Field(description="1 to 50, each with anything rlm_remember takes"),
        WithJsonSchema({"type": "array", "items": _ITEM, "minItems": 1, "maxItems": BATCH_LIMIT}),
    ] = None


class Failure(TypedDict):
    index: int
    error: str


class BulkOut(TypedDict):
    stored: int
    memory_ids: list[str]
    message: str
    created: int
    failed: int
    failures: list[Failure] | None
    skipped_related: NotRequired[list[str]]
    warnings: NotRequired[list[str]]


def remember_bulk(book: Book, given: BulkParameters) -> BulkOut:
    """One by one: what is refused is reported and stops no other. The plan is asked for all of them first."""
    items = given.memories
    if not items:
        raise Refusal("'memories' array is required")
    if len(items) > BATCH_LIMIT:
        raise Refusal(f"max {BATCH_LIMIT} memories per call")
    read_items = [_item(book, item) for item in items]
    requests = [request for request in read_items if isinstance(request, RememberRequest)]
    drafts, beside = [request.draft for request in requests], [request.beside for request in requests]
    admit_memories(book, drafts)
    stored = iter(book.remember_many(drafts, repeats=REPEATS, beside=beside))
    results = [item if isinstance(item, Refused) else next(stored) for item in read_items]
    _reinforce(book, results)
    return _bulk_shape(requests, results)


def _item(book: Book, item: object) -> RememberRequest | Refused:
    if not isinstance(item, Mapping):
        return Refused(Refusal("It must be an object with a text."))
    try:
        return _request(book, read(RememberParameters, item))
    except CommonplaceError as error:
        return Refused(error)


def _bulk_shape(requests: Sequence[RememberRequest], results: Sequence[Remembered | Refused]) -> BulkOut:
    good = [result for result in results if isinstance(result, Remembered)]
    failures = [
        Failure(index=index, error=sentence(result.error))
        for index, result in enumerate(results)
        if isinstance(result, Refused)
    ]
    answer = BulkOut(
        stored=len(good),
        memory_ids=[result.memory.id for result in good],
        message=f"Stored {len(good)} memories",
        created=sum(result.verdict is Verdict.CREATED for result in good),
        failed=len(failures),
        failures=failures or None,
    )
    skipped = [id for request in requests for id in request.skipped]
    if skipped:
        answer["skipped_related"] = skipped
    warnings = list(dict.fromkeys(warning for request in requests for warning in request.warnings))
    if warnings:
        answer["warnings"] = warnings
    return answer
