"""rlm_recall and rlm_memories."""

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace import deadline
from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.snipara.limits import admit_recall
from commonplace.dialects.snipara.refusals import Refusal, unsupported
from commonplace.dialects.snipara.shapes import MemoryOut, RecalledOut, memory_shapes, recalled_shapes
from commonplace.dialects.snipara.vocabulary import (
    KNOWN,
    AgentId,
    ScopeName,
    TeamId,
    TypeName,
    kinds_shown_as,
    looked_in,
    status_of,
)
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import PAGE_LIMIT, Filter, Only, Order, Query
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope

PASSAGES = 3
PROFILE = "fading"  # by words and meaning, and what is not used loses weight

SortKey = Callable[[Book, Memory], float | None]
SORTS: Mapping[str, SortKey] = {
    "created_at": lambda book, memory: memory.created_at,
    "confidence": lambda book, memory: book.confidence(memory),
    "access_count": lambda book, memory: memory.usage.count,
    "last_accessed": lambda book, memory: memory.usage.used_at,
    "expires_at": lambda book, memory: memory.expires_at,
}
ORDERS = ("asc", "desc")

IncludeInactive = Annotated[bool, Field(description="also what is superseded, invalidated, stale or expired")]


class RecallParameters(Parameters):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", json_schema_extra={"required": ["query"]})

    query: Annotated[str | None, Field(description="what to look for, in plain words")] = None
    limit: Whole = 10
    type: TypeName | None = None
    category: str | None = None
    min_relevance: Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})] = 0.5
    scope: ScopeName | None = None
    tags: Annotated[list[str], Field(description="all of them must be there")] = Field(default_factory=list)
    agent_id: AgentId = None
    team_id: TeamId = None
    include_inactive: IncludeInactive = False


class PassageOut(TypedDict):
    chunk_id: str
    title: str
    excerpt: str
    relevance: float


class Recalled(TypedDict):
    memories: list[RecalledOut]
    total: int
    chunks: list[PassageOut]
    query: str
    warnings: list[str]
    total_searched: int
    timing_ms: int


def recall(book: Book, given: RecallParameters) -> Recalled:
    """Hits best first, which makes them stronger; counts against the plan once the arguments are in order."""
    if given.query is None or not given.query.strip():
        raise Refusal("query is required")
    start = book.now()
    filter = _filter(
        book,
        looked_in(book, given.scope, given.agent_id, given.team_id),
        given.type,
        given.category,
        KNOWN if given.include_inactive else (Status.ACTIVE,),
        given.include_inactive,
        tuple(given.tags),
    )
    query = Query(
        given.query,
        filter,
        given.limit,
        min_relevance=given.min_relevance,
        profile=PROFILE,
        surface=book.door.surface,
        reinforces=True,
    )
    admit_recall(book)
    found = book.recall(query)
    return Recalled(
        memories=recalled_shapes(book, found.hits),
        total=len(found.hits),
        chunks=_passages(book, query),
        query=given.query,
        warnings=list(found.warnings),
        total_searched=book.list(filter, limit=1).total,
        timing_ms=max(0, book.now() - start),
    )


def _passages(book: Book, query: Query) -> list[PassageOut]:
    """The chunks of documents that answer a query, for rlm_get_chunk; none where only memories can be meant."""
    where = query.filter
    if where.kinds or where.tags or where.category is not None:
        return []
    alone = Filter(where.scopes)
    asked = replace(query, filter=alone, limit=PASSAGES, only=Only.DOCUMENTS, counts_use=False, reinforces=False)
    return [
        PassageOut(chunk_id=each.part, title=each.title, excerpt=each.excerpt, relevance=each.relevance)
        for each in book.recall(asked).others
        if each.part is not None
    ]


def _filter(
    book: Book,
    scopes: tuple[Scope, ...],
    type: str | None,
    category: str | None,
    statuses: tuple[Status, ...],
    inactive: bool,
    tags: tuple[str, ...] = (),
) -> Filter:
    return Filter(
        scopes,
        kinds_shown_as(type),
        tags=tags,
        category=category,
        statuses=statuses,
        include_expired=inactive,
        valid_at=None if inactive else book.now(),
    )


class ListParameters(Parameters):
    type: TypeName | None = None
    category: str | None = None
    scope: ScopeName | None = None
    status: Annotated[str | None, WithJsonSchema({"type": "string", "enum": [status.name for status in KNOWN]})] = None
    search: Annotated[str | None, Field(description="a part of the text, whatever its case")] = None
    limit: Whole = 20
    offset: Whole = 0
    sort_by: Annotated[str, WithJsonSchema({"type": "string", "enum": list(SORTS)})] = "created_at"
    sort_order: Annotated[str, WithJsonSchema({"type": "string", "enum": list(ORDERS)})] = "desc"
    include_inactive: IncludeInactive = False
    agent_id: AgentId = None
    team_id: TeamId = None


class Listed(TypedDict):
    memories: list[MemoryOut]
    total: int
    total_count: int
    has_more: bool
    warnings: list[str]


def memories(book: Book, given: ListParameters) -> Listed:
    """A look at what is there: it counts as no use, and reinforces nothing."""
    key = _sort_key(given)
    if not 1 <= given.limit <= PAGE_LIMIT:
        raise Refusal(f"Invalid parameter 'limit': it must be from 1 to {PAGE_LIMIT}.")
    if given.offset < 0:
        raise Refusal("Invalid parameter 'offset': it must not be below 0.")
    descending = given.sort_order.strip().lower() == "desc"
    if key is SORTS["created_at"] and not given.search:
        shown, total = _stretch(book, _selection(book, given), Order.NEWEST if descending else Order.OLDEST, given)
    else:
        found = _ordered(book, _matching(book, given), key, descending)
        shown, total = found[given.offset : given.offset + given.limit], len(found)
    return Listed(
        memories=memory_shapes(book, shown),
        total=total,
        total_count=total,
        has_more=given.offset + given.limit < total,
        warnings=[],
    )


def _sort_key(given: ListParameters) -> SortKey:
    if given.sort_order.strip().lower() not in ORDERS:
        raise unsupported("sort_order", "order", given.sort_order, ORDERS)
    key = SORTS.get(given.sort_by.strip().lower())
    if key is None:
        raise unsupported("sort_by", "order", given.sort_by, SORTS)
    return key


def _stretch(book: Book, filter: Filter, order: Order, given: ListParameters) -> tuple[list[Memory], int]:
    """A page in an order that the book keeps, and how many there are in all: nothing behind the page is read."""
    end = given.offset + given.limit
    found, cursor = list[Memory](), None
    while True:
        deadline.check()
        page = book.list(filter, order=order, limit=min(PAGE_LIMIT, end - len(found)), cursor=cursor)
        found += page.memories
        cursor = page.next_cursor
        if cursor is None or len(found) >= end:
            return found[given.offset : end], page.total


def _selection(book: Book, given: ListParameters) -> Filter:
    status = None if given.status is None else status_of(given.status)
    statuses = (KNOWN if given.include_inactive else (Status.ACTIVE,)) if status is None else (status,)
    inactive = given.include_inactive or status not in (None, Status.ACTIVE)
    scopes = looked_in(book, given.scope, given.agent_id, given.team_id)
    return _filter(book, scopes, given.type, given.category, statuses, inactive)


def _matching(book: Book, given: ListParameters) -> list[Memory]:
    """Every memory of the selection with a part of text in it: what no index answers."""
    wanted = (given.search or "").casefold()
    return [memory for memory in book.each(_selection(book, given)) if wanted in memory.text.casefold()]


def _ordered(book: Book, memories: list[Memory], key: SortKey, descending: bool) -> list[Memory]:
    """By the key, and of equals the newest first; what has no value comes last either way."""
    valued = [(value, memory) for memory in memories if (value := key(book, memory)) is not None]
    sign = -1 if descending else 1
    newest = -1 if descending or key is not SORTS["created_at"] else 1
    valued.sort(key=lambda pair: (sign * pair[0], newest * pair[1].number))
    return [memory for _, memory in valued] + [memory for memory in memories if key(book, memory) is None]
