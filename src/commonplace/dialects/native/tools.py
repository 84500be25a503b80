"""The native tools: their parameters, and the one call on the book that each stands for."""

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.native.shapes import (
    NOTICE,
    ContradictedOut,
    Explained,
    HitOut,
    MemoryOut,
    NearOut,
    OtherOut,
    contradicted_shape,
    fitting,
    hit_shape,
    memory_shape,
    named_shape,
    near_shape,
    other_shape,
    shortened,
    story,
)
from commonplace.domain.memory import Kind, Status
from commonplace.domain.query import Filter, Only, Order, Query
from commonplace.domain.validation import COUNT_LIMIT, choice
from commonplace.engine.intake import Remembered, Verdict
from commonplace.engine.lifecycle import Changes
from commonplace.engine.parse import expiry, moment
from commonplace.errors import InvalidInput
from commonplace.text.kinds import guessed_kind

DEFAULT_MAX_TOKENS = 2_000
OTHERS = 3
PAGE = 20
NEVER = "never"
BUDGETS = ("limit", "max_tokens")


class NativeParameters(Parameters):
    """Hosts that make every argument required have their models send `""` and 0 where there is nothing to say."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    @classmethod
    def is_given(cls, name: str, value: object) -> bool:
        """An empty text says nothing where none is needed, nor does a budget of nothing."""
        field = cls.model_fields.get(name)
        if value is None or field is None or field.is_required():
            return value is not None
        return value != "" and not (name in BUDGETS and value == 0 and not isinstance(value, bool))


KindName = Literal["fact", "preference", "decision", "learning", "instruction", "event", "task", "context", "note"]
AnyKind = Annotated[KindName | None, WithJsonSchema({"type": "string"})]
"""The same where a memory is asked for; which there are, a model has read where memories are made."""
Scope = Annotated[str | None, Field(description="user, project, agent:NAME or team:NAME")]


# -- recall -----------------------------------------------------------------------------------


class RecallParameters(NativeParameters):
    query: str
    scope: Scope = None
    kind: AnyKind = None
    tags: list[str] = Field(default_factory=list)
    since: Annotated[str | None, Field(description="date, or 30d")] = None
    as_of: Annotated[str | None, Field(description="as the book stood then")] = None
    only: Literal["memories", "decisions", "sessions", "documents"] | None = None
    limit: Whole = 8
    max_tokens: Whole = DEFAULT_MAX_TOKENS


class Recalled(TypedDict):
    memories: list[HitOut]
    others: NotRequired[list[OtherOut]]
    mode: str
    omitted: int
    notice: str
    warnings: NotRequired[list[str]]


def recall(book: Book, given: RecallParameters) -> Recalled:
    """Memories best first, and a few of what stands beside them: as many as fit; `omitted` counts those that do not."""
    filter = _filter(book, given.scope, given.kind, given.tags, given.since, given.as_of)
    only = None if given.only is None else Only(given.only)
    query = Query(given.query, filter, given.limit, given.max_tokens, surface=book.door.surface, only=only)
    found = book.recall(query)
    hits = [hit_shape(book, hit, found.projects) for hit in found.hits]
    answer = Recalled(memories=[], mode=found.effective_mode.value, omitted=found.omitted + len(hits), notice=NOTICE)
    if found.warnings:
        answer["warnings"] = list(found.warnings)
    count = fitting(hits, given.max_tokens, answer)
    answer["memories"] = hits[:count]
    answer["omitted"] -= count
    others = [other_shape(book, other, found.projects) for other in found.others[:OTHERS]]
    fits = fitting(others, given.max_tokens, answer) if others else 0
    if fits:
        answer["others"] = others[:fits]
    answer["omitted"] += len(others) - fits
    return answer


# -- remember ---------------------------------------------------------------------------------


class RememberParameters(NativeParameters):
    text: Annotated[str, Field(description="one self-contained statement")]
    kind: KindName = "fact"
    scope: Scope = None
    tags: list[str] = Field(default_factory=list)
    topic: Annotated[str | None, Field(description="the newest memory on a topic replaces the last")] = None
    replaces: Annotated[str | None, Field(description="id of the memory this corrects")] = None
    importance: float = 0.5
    expires_at: Annotated[str | None, Field(description="date, or 7d")] = None
    inferred: Annotated[bool, Field(description="you concluded it; the user did not say it")] = False
    session: str | None = None
    key: Annotated[str | None, Field(description="makes a retry safe")] = None


class RememberedOut(TypedDict):
    id: str
    outcome: str
    near: list[NearOut]
    previously_corrected: list[NearOut]
    superseded: list[str]
    warnings: list[str]
    contradicts: NotRequired[list[ContradictedOut]]


def remember(book: Book, given: RememberParameters) -> RememberedOut:
    """Stores a text, or says which memory knows it already; a retry with the same key stores nothing twice."""
    guess = None if "kind" in given.model_fields_set else guessed_kind(given.text)
    if guess == "instruction":
        guess = None  # what is to be followed an agent has to call so: a person is asked about it
    # As it was asked, not as a draft: `7d` is another moment on a retry, and still the same request.
    answer = _remembered(
        book.remember(
            given.text,
            idempotency_key=given.key,
            replaces=given.replaces,
            scope=given.scope,
            kind=guess or given.kind,
            tags=given.tags,
            topic=given.topic,
            importance=given.importance,
            expires_at=given.expires_at,
            capture_mode="inferred" if given.inferred else "explicit",
            session=given.session,
            source=book.door.client,
        )
    )
    if guess is not None and answer["outcome"] == Verdict.CREATED:
        answer["warnings"].append(f"Kept as kind {guess}, which no kind was named for: name one to say otherwise.")
    return answer


def _remembered(result: Remembered) -> RememberedOut:
    answer = RememberedOut(
        id=result.memory.id,
        outcome=result.verdict.value,
        near=[near_shape(each) for each in result.near],
        previously_corrected=[near_shape(each) for each in result.previously_corrected],
        superseded=list(result.superseded),
        warnings=list(result.warnings),
    )
    if result.contradicts:
        answer["contradicts"] = [contradicted_shape(each) for each in result.contradicts]
    return answer


# -- update and forget ------------------------------------------------------------------------


class UpdateParameters(NativeParameters):
    id: str
    text: str | None = None
    kind: AnyKind = None
    tags: list[str] | None = None
    topic: str | None = None
    importance: float | None = None
    pinned: bool | None = None
    expires_at: Annotated[str | None, Field(description="date, 7d or never")] = None
    status: Literal["active", "archived", "invalidated"] | None = None
    reason: str | None = None
    revision: Annotated[Whole | None, Field(description="fails if changed since")] = None


class UpdatedOut(TypedDict):
    memory: MemoryOut


def update(book: Book, given: UpdateParameters) -> UpdatedOut:
    """Changes what is named and leaves the rest; RevisionConflict if `revision` is no longer the present one."""
    changes = _changes(book, given)
    if not changes.asked() and given.status is None:
        raise InvalidInput("Nothing to update: give text, kind, tags, topic, importance, expires_at or status.")
    memory = book.update(
        given.id,
        changes,
        expected_revision=given.revision,
        status=None if given.status is None else Status(given.status),
        reason=given.reason,
    )
    return UpdatedOut(memory=memory_shape(book, memory))


def _changes(book: Book, given: UpdateParameters) -> Changes:
    asked: dict[str, object] = {
        name: getattr(given, name)
        for name in ("text", "topic", "importance", "pinned")
        if getattr(given, name) is not None
    }
    if given.kind is not None:
        asked["kind"] = Kind(given.kind)
    if given.tags is not None:
        asked["tags"] = tuple(given.tags)
    if given.expires_at is not None:
        never = given.expires_at.strip().lower() == NEVER
        asked["expires_at"] = None if never else expiry(given.expires_at, book.now(), "expires_at")
    return Changes(**asked)  # type: ignore[arg-type]


class ForgetParameters(NativeParameters):
    id: str
    reason: str | None = None
    replaced_by: Annotated[str | None, Field(description="id")] = None


class ForgottenOut(TypedDict):
    id: str
    status: str
    undo: str


def forget(book: Book, given: ForgetParameters) -> ForgottenOut:
    """Puts a memory out of sight and says how to take that back. Nothing is erased."""
    memory = book.forget(given.id, reason=given.reason, replaced_by=given.replaced_by)
    return ForgottenOut(id=memory.id, status=memory.status.value, undo="memory_update with status active")


# -- list and explain -------------------------------------------------------------------------


class ListParameters(NativeParameters):
    scope: str | None = None
    kind: AnyKind = None
    tags: list[str] = Field(default_factory=list)
    status: Literal["active", "archived", "superseded", "invalidated", "forgotten", "stale", "any"] = "active"
    since: str | None = None
    order: Literal["newest", "oldest", "updated"] = "newest"
    limit: Whole = PAGE
    cursor: Whole | None = None
    max_tokens: Whole = DEFAULT_MAX_TOKENS


class Listed(TypedDict):
    memories: list[MemoryOut]
    total: int
    next_cursor: NotRequired[int]
    notice: str


def list_(book: Book, given: ListParameters) -> Listed:
    """A page in the order asked for, one memory at least; without `next_cursor` it was the last."""
    filter = _filter(book, given.scope, given.kind, given.tags, given.since, None, given.status)
    page = book.list(filter, order=Order(given.order), limit=given.limit, cursor=given.cursor)
    named = book.names_of(page.memories)
    shown = [named_shape(book, memory, named) for memory in page.memories]
    answer = Listed(memories=[], total=page.total, next_cursor=COUNT_LIMIT, notice=NOTICE)
    # One at least, or the next page would be this one again.
    count = max(1, fitting(shown, given.max_tokens, answer))
    answer["memories"] = shown[:count]
    if count < len(shown):
        answer["next_cursor"] = page.memories[count - 1].number
    elif page.next_cursor is not None:
        answer["next_cursor"] = page.next_cursor
    else:
        del answer["next_cursor"]
    return answer


class ExplainParameters(NativeParameters):
    id: str | None = None
    query: str | None = None
    max_tokens: Whole = DEFAULT_MAX_TOKENS


def explain(book: Book, given: ExplainParameters) -> Explained:
    """The story of a memory, why a query answers so, or why it found this one; InvalidInput with neither."""
    if given.id is None and given.query is None:
        raise InvalidInput(
            "Give an id (its story), a query (why it answers so), or both (why it found that one).", "id"
        )
    if given.query is not None:
        explanation = book.why(given.query, given.id)
        steps = [f"{step.stage}: {step.meaning}, {step.count} left" for step in explanation.steps]
        path = [f"{stage}: {what}" for stage, what in explanation.path]
        stages = path or steps
        answer = Explained(verdict=explanation.verdict, stages=[], omitted=len(stages))
        count = fitting(stages, given.max_tokens, answer)
        return Explained(verdict=explanation.verdict, stages=stages[:count], omitted=len(stages) - count)
    return shortened(story(book, given.id or ""), given.max_tokens)


def _filter(
    book: Book,
    scope: str | None,
    kind: str | None,
    tags: list[str],
    since: str | None,
    as_of: str | None,
    status: str = "active",
) -> Filter:
    now = book.now()
    return Filter(
        () if scope is None else (book.scope(scope),),
        kinds=() if kind is None else (Kind(kind),),
        tags=tuple(tags),
        statuses=() if status == "any" else (choice(Status, status, "status"),),
        include_expired=status == "any",
        created_since=None if since is None else moment(since, now, "since"),
        as_of=None if as_of is None else moment(as_of, now, "as_of"),
    )
