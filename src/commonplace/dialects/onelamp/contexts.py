"""Save, get, list and forget: single pieces of context."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.onelamp.shapes import (
    PREVIEW_LENGTH,
    KindName,
    Learning,
    TypeName,
    category_of,
    context_id,
    kind_of,
    learning,
    shortened,
    title_of,
    type_of,
)
from commonplace.errors import InvalidInput, NotFound
from commonplace.intake import ExactPolicy, NearPolicy, Repeats, Verdict
from commonplace.lifecycle import Changes
from commonplace.memory import Memory, MemoryType, Standing
from commonplace.query import RECALL_LIMIT, Filter, Hit, Query
from commonplace.scope import Scope, ScopeKind
from commonplace.text import collapse

TASK_DAYS = 7
DAY = 86_400_000
REPEATS = Repeats(ExactPolicy.CASED, NearPolicy.IGNORE, moves_topic=True)
TRUST = {Standing.VERIFIED: 1.0, Standing.UNVERIFIED: 0.8, Standing.CONTESTED: 0.5}


# -- save -------------------------------------------------------------------------------------


class SaveParameters(Parameters):
    content: str
    memory_type: TypeName | None = None
    kind: KindName = "note"
    topic: Annotated[str | None, Field(description="a stable key, such as deploy-schedule")] = None
    source_surface: Annotated[str | None, Field(description="where this comes from, such as claude-code")] = None
    tags: list[str] = Field(default_factory=list)


class SavedOut(TypedDict):
    id: str
    deduped: bool


def save(book: Book, given: SaveParameters) -> SavedOut:
    sweep(book)
    type = MemoryType(given.memory_type or ("event" if given.kind == "decision" else "fact"))
    expires = book.now() + TASK_DAYS * DAY if type is MemoryType.TASK else None
    draft = book.draft(
        given.content, kind=given.kind, memory_type=type.value, topic=given.topic or None,
        tags=given.tags, source=given.source_surface or None, expires_at=expires,
    )  # fmt: skip
    result = book.remember(draft, repeats=REPEATS)
    deduped = result.verdict is not Verdict.CREATED
    if deduped and result.memory.memory_type is MemoryType.TASK and expires is not None:
        book.update(result.memory, Changes(expires_at=expires))
    return SavedOut(id=context_id(result.memory), deduped=deduped)


def sweep(book: Book) -> None:
    """Tasks whose time has passed are put away by the next write."""
    now = book.now()
    filter = Filter((book.scope(),), memory_types=(MemoryType.TASK,), include_expired=True)
    for memory in [task for task in book.each(filter) if task.expired(now)]:
        book.archive(memory, reason="its time has passed")


# -- get --------------------------------------------------------------------------------------


class GetParameters(Parameters):
    query: str
    max_results: Annotated[Whole, Field(ge=1, le=50)] = 8
    memory_types: list[TypeName] = Field(default_factory=list)
    scope: Annotated[str, Field(description="personal, team, team:ID or all")] = "all"
    verified_only: bool = False
    recency: bool = False
    source_surface: str | None = None


class Pack(TypedDict):
    id: str
    text: str
    kind: str
    memory_type: str
    source_surface: str | None
    ts: int
    score: float
    scope: NotRequired[str]
    trust: NotRequired[str]


class Packs(TypedDict):
    packs: list[Pack]


def get(book: Book, given: GetParameters) -> Packs:
    scopes = _scopes(book, given.scope)
    if not scopes:
        return Packs(packs=[])
    query = Query(given.query, Filter(scopes), RECALL_LIMIT, profile="ranks", counts_use=False)
    wanted = {MemoryType(name) for name in given.memory_types} or set(MemoryType)
    hits = [hit for hit in book.recall(query).hits if type_of(hit.memory) in wanted and _trusted(hit, given)]
    order = _newest if given.recency else _best
    chosen = sorted(hits, key=order)[: given.max_results]
    book.use([hit.memory for hit in chosen], given.source_surface or book.door.surface)
    return Packs(packs=[_pack(book, hit) for hit in chosen])


def _scopes(book: Book, selector: str) -> tuple[Scope, ...]:
    teams = tuple(scope for scope in book.every_scope() if scope.kind is ScopeKind.TEAM)
    match selector:
        case "personal":
            return book.scopes
        case "team":
            return teams
        case "all":
            return (*book.scopes, *teams)
        case _ if selector.startswith("team:"):
            return (book.scope(selector),)
    raise InvalidInput("scope must be personal, team, team:ID or all.", "scope")


def _of_team(memory: Memory) -> bool:
    return memory.scope.kind is ScopeKind.TEAM


def _trusted(hit: Hit, given: GetParameters) -> bool:
    return not given.verified_only or not _of_team(hit.memory) or hit.memory.standing is Standing.VERIFIED


def _score(hit: Hit) -> float:
    weight = TRUST[hit.memory.standing] if _of_team(hit.memory) else 1.0
    return round(hit.score * weight, 4)


def _best(hit: Hit) -> tuple[float, bool, int]:
    """By score; one's own wins a tie with a team's, and then the newer."""
    return -_score(hit), _of_team(hit.memory), -hit.memory.number


def _newest(hit: Hit) -> tuple[int, int]:
    return -hit.memory.created_at, -hit.memory.number


def _pack(book: Book, hit: Hit) -> Pack:
    memory = hit.memory
    pack = Pack(
        id=context_id(memory), text=memory.text, kind=kind_of(memory), memory_type=type_of(memory).value,
        source_surface=memory.provenance.source, ts=memory.created_at, score=_score(hit),
    )  # fmt: skip
    if _of_team(memory):
        pack["scope"] = book.principal.show(memory.scope)
        pack["trust"] = memory.standing.value
    return pack


# -- list and forget --------------------------------------------------------------------------


class ListParameters(Parameters):
    limit: Annotated[Whole, Field(ge=1, le=200)] = 50


class ListItem(TypedDict):
    id: str
    title: str
    kind: str
    memory_type: str
    category: str
    text: str
    reuse_count: int
    last_used_surface: str | None
    ts: int
    topic: NotRequired[str]


class Listed(TypedDict):
    items: list[ListItem]


def list_(book: Book, given: ListParameters) -> Listed:
    return Listed(items=[_item(memory) for memory in book.list(limit=given.limit).memories])


def _item(memory: Memory) -> ListItem:
    item = ListItem(
        id=context_id(memory), title=title_of(memory), kind=kind_of(memory), memory_type=type_of(memory).value,
        category=category_of(memory), text=shortened(collapse(memory.text), PREVIEW_LENGTH),
        reuse_count=memory.usage.count, last_used_surface=memory.usage.surface, ts=memory.created_at,
    )  # fmt: skip
    if memory.topic is not None:
        item["topic"] = memory.topic
    return item


class ForgetParameters(Parameters):
    id: str
    confirm: Annotated[bool, Field(description="false previews")] = True


class Forgotten(TypedDict):
    forgotten: bool
    preview: NotRequired[Learning]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    sweep(book)
    try:
        memory = book.get(given.id)
        if not given.confirm:
            return Forgotten(forgotten=False, preview=learning(memory))
        book.purge(memory)
    except NotFound:
        return Forgotten(forgotten=False)
    return Forgotten(forgotten=True)
