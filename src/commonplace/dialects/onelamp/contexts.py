"""Save, get, list and forget: single pieces of context."""

from typing import Annotated, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, whole
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
    surface_of,
    title_of,
)
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Memory, MemoryType, Standing
from commonplace.domain.query import RECALL_LIMIT, Filter, Hit, Query
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.domain.validation import check_text
from commonplace.engine.intake import ExactPolicy, NearPolicy, Repeats, Verdict, refuse_secrets
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Denied, InvalidInput, NotFound
from commonplace.text import collapse, tidy_tags

TASK_DAYS = 7
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
    """Keeps an entry, or adds what is new to the one that says the same. A task expires by itself."""
    check_text(given.content, "content")
    refuse_secrets(given.content, "content")
    type = MemoryType(given.memory_type or ("event" if given.kind == "decision" else "fact"))
    expires = book.now() + TASK_DAYS * DAY if type is MemoryType.TASK else None
    draft = book.draft(
        given.content,
        kind=given.kind,
        memory_type=type.value,
        topic=given.topic or None,
        tags=given.tags,
        source=surface_of(given.source_surface),
        expires_at=expires,
    )
    result = book.remember(draft, repeats=REPEATS)
    deduped = result.verdict is not Verdict.CREATED
    changes = _said_again(book, result.memory, given)
    if deduped and changes.asked():
        book.update(result.memory, changes)
    return SavedOut(id=context_id(result.memory), deduped=deduped)


def _said_again(book: Book, known: Memory, given: SaveParameters) -> Changes:
    """What a repeat adds: its tags, and time. It never shortens a life: a fact does not become a task."""
    asked: dict[str, object] = {}
    tags = tuple(dict.fromkeys((*known.tags, *tidy_tags(given.tags))))
    if tags != known.tags:
        asked["tags"] = tags
    if known.memory_type is MemoryType.TASK and known.expires_at is not None:
        if given.memory_type in (None, "task"):
            asked["expires_at"] = book.now() + TASK_DAYS * DAY
        else:
            asked |= {"memory_type": MemoryType(given.memory_type), "expires_at": None}
    return Changes(**asked)  # type: ignore[arg-type]


# -- get --------------------------------------------------------------------------------------


class GetParameters(Parameters):
    query: str
    max_results: Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)] = 8
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
    unconfirmed: NotRequired[bool]


class Packs(TypedDict):
    packs: list[Pack]


def get(book: Book, given: GetParameters) -> Packs:
    """The best or the newest entries of one's own and the teams' stores, each once; counted as used."""
    surface = surface_of(given.source_surface) or book.door.client or book.door.surface
    own, teams = _stores(book, given.scope)
    hits = [hit for scopes in (own, teams) if scopes for hit in _found(book, given, scopes)]
    if given.recency and not hits:
        hits = _latest(book, given, (*own, *teams))
    chosen = _each_once(sorted(hits, key=_newest if given.recency else _best))[: given.max_results]
    book.use([hit.memory for hit in chosen], surface)
    return Packs(packs=[_pack(book, hit) for hit in chosen])


def _stores(book: Book, selector: str) -> tuple[tuple[Scope, ...], tuple[Scope, ...]]:
    """The caller's own scopes to look in, and the teams'. A team that is not theirs is as good as none."""
    if selector.startswith("team:"):
        return (), (book.scope(selector),)
    teams = tuple(scope for scope in book.every_scope() if scope.kind is ScopeKind.TEAM)
    match selector:
        case "personal":
            return book.scopes, ()
        case "team":
            return (), teams
        case "all":
            return book.scopes, teams
    raise InvalidInput("scope must be personal, team, team:ID or all.", "scope")


def _found(book: Book, given: GetParameters, scopes: tuple[Scope, ...]) -> list[Hit]:
    """Each store has its own places: so the best of a team ties with one's own best, and one's own wins."""
    query = Query(given.query, _wanted(given, scopes), RECALL_LIMIT, profile="ranks", counts_use=False)
    return [hit for hit in book.recall(query).hits if _trusted(hit.memory, given)]


def _latest(book: Book, given: GetParameters, scopes: tuple[Scope, ...]) -> list[Hit]:
    """What is newest, for a question such as "what was I working on" that shares no word with the answer."""
    if not scopes:
        return []
    newest = book.list(_wanted(given, scopes), limit=RECALL_LIMIT).memories
    return [Hit(memory, 0.0) for memory in newest if _trusted(memory, given)]


def _wanted(given: GetParameters, scopes: tuple[Scope, ...]) -> Filter:
    return Filter(scopes, memory_types=tuple(dict.fromkeys(map(MemoryType, given.memory_types))))


def _each_once(hits: list[Hit]) -> list[Hit]:
    """What one and one's team both know is shown once: as one's own, with the score and the place that has."""
    own = {collapse(hit.memory.text) for hit in hits if not _of_team(hit.memory)}
    shown: dict[str, Hit] = {}
    for hit in hits:
        text = collapse(hit.memory.text)
        if text not in own or not _of_team(hit.memory):
            shown.setdefault(text, hit)
    return list(shown.values())


def _of_team(memory: Memory) -> bool:
    return memory.scope.kind is ScopeKind.TEAM


def _trusted(memory: Memory, given: GetParameters) -> bool:
    return not given.verified_only or not _of_team(memory) or memory.standing is Standing.VERIFIED


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
        id=context_id(memory),
        text=memory.text,
        kind=kind_of(memory),
        memory_type=memory.effective_type.value,
        source_surface=memory.provenance.source,
        ts=memory.created_at,
        score=_score(hit),
    )
    if _of_team(memory):
        pack["scope"] = book.principal.show(memory.scope)
        pack["trust"] = memory.standing.value
    if memory.waits:
        pack["unconfirmed"] = True
    return pack


# -- list and forget --------------------------------------------------------------------------


class ListParameters(Parameters):
    limit: Annotated[int, Field(ge=1, le=200), BeforeValidator(whole)] = 50


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
    unconfirmed: NotRequired[bool]


class Listed(TypedDict):
    items: list[ListItem]


def list_(book: Book, given: ListParameters) -> Listed:
    """The newest entries, up to the limit; without pages."""
    return Listed(items=[_item(memory) for memory in book.list(limit=given.limit).memories])


def _item(memory: Memory) -> ListItem:
    item = ListItem(
        id=context_id(memory),
        title=title_of(memory),
        kind=kind_of(memory),
        memory_type=memory.effective_type.value,
        category=category_of(memory),
        text=shortened(collapse(memory.text), PREVIEW_LENGTH),
        reuse_count=memory.usage.count,
        last_used_surface=memory.usage.surface,
        ts=memory.created_at,
    )
    if memory.topic is not None:
        item["topic"] = memory.topic
    if memory.waits:
        item["unconfirmed"] = True
    return item


class ForgetParameters(Parameters):
    id: str
    confirm: Annotated[bool, Field(description="false previews")] = True


class Forgotten(TypedDict):
    forgotten: bool
    preview: NotRequired[Learning]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """For good. What is over is shown to nobody, and goes all the same if somebody wants it gone."""
    try:
        memory = book.get(given.id)
        if not given.confirm:
            over = memory.expired(book.now())
            return Forgotten(forgotten=False) if over else Forgotten(forgotten=False, preview=learning(memory))
        if _of_team(memory):
            raise Denied("This is a team's: here you forget what is your own, the rest is for whoever runs the book.")
        book.purge(memory)
    except NotFound:
        return Forgotten(forgotten=False)
    return Forgotten(forgotten=True)
