"""Nuzo's tools: their parameters, and the one call on the book that each stands for."""

import math
from typing import Annotated, Literal, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.edits import Receipt
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.nuzo.policy import CURRENT_PROJECT, KINDS, Candidate, admit, kind_name, looked_in, selection
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.dialects.nuzo.shapes import (
    CHANGEABLE,
    EventOut,
    HitOut,
    RecordOut,
    event_shape,
    hit_shape,
    record_shape,
    source_of,
)
from commonplace.dialects.nuzo.task import concise, pieces
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import QUERY_LENGTH_LIMIT, Filter, Hit, Query
from commonplace.domain.rank import PLAIN
from commonplace.domain.record import replace
from commonplace.engine.intake import ExactPolicy, NearPolicy, Repeats
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, InvalidInput, NotFound

OWN = "user:default"
RECALL_LIMITS = range(1, 51)
HOOK_LIMITS = range(1, 9)
RELEVANT = replace(PLAIN, name="relevant", floor=0.5)
"""The contract lets nothing but relevance count, and wants what is relevant; by words alone, any word is reason enough.
"""
FOR_TASK = replace(RELEVANT, name="task", missing_penalty=0.0, unheard_penalty=0.0, unheard_ceiling=math.inf)
"""A task is no question: what it names need not stand in what helps with it."""
IDS_TOLD = 3

KindName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(KINDS)})]
Confidence = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Mode = Literal["archive", "delete"]
ScopeName = Annotated[str, Field(description="user:default, project:auto, project:ID, agent:ID or team:ID")]
Tags = Annotated[list[str], Field(description="lower case; all of them must be there")]


# -- remember ---------------------------------------------------------------------------------


class RememberParameters(Parameters):
    content: Annotated[str, Field(description="one self-contained statement, 8000 characters at most")]
    kind: KindName
    scope: ScopeName = OWN
    tags: list[str] = Field(default_factory=list)
    source: Annotated[str, Field(description="where it comes from")] = "nuzo:mcp"
    confidence: Confidence = 1.0


class Remembered(TypedDict):
    id: str
    created: bool
    warnings: list[str]


def remember(book: Book, given: RememberParameters) -> Remembered:
    """Always a new memory: the contract knows no repeats."""
    draft = admit(book, candidate_of(given))
    result = book.remember(draft, repeats=Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE))
    return Remembered(id=result.memory.id, created=True, warnings=list(result.warnings))


def candidate_of(given: RememberParameters) -> Candidate:
    """The arguments as the policy judges them; nothing is checked yet."""
    return Candidate(given.content, given.kind, given.scope, tuple(given.tags), given.source, given.confidence)


# -- recall -----------------------------------------------------------------------------------


class RecallParameters(Parameters):
    query: str
    scope: ScopeName = OWN
    limit: Annotated[Whole, WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 50})] = 8
    include_global: Annotated[bool, Field(description="look in user:default too")] = False


class Recalled(TypedDict):
    results: list[HitOut]


def recall(book: Book, given: RecallParameters) -> Recalled:
    """Hits best first, counted as used and noted in the log."""
    if not given.query.strip():
        raise InvalidInput("query is empty: say what to look for.", "query")
    if len(given.query) > QUERY_LENGTH_LIMIT:
        raise Refusal(
            "RECALL_QUERY_TOO_LONG", f"query is longer than {QUERY_LENGTH_LIMIT:,} characters: shorten it.", "query"
        )
    if given.limit not in RECALL_LIMITS:
        raise InvalidInput(f"limit must be from 1 to {RECALL_LIMITS[-1]}, not {given.limit}.", "limit")
    scopes = looked_in(book, given.scope, given.include_global)
    found = book.recall(
        Query(given.query, Filter(scopes), given.limit, profile=RELEVANT, surface=book.door.surface, audited=True)
    )
    return Recalled(results=[hit_shape(book, hit) for hit in found.hits])


class HookParameters(Parameters):
    task_context: Annotated[str, Field(description="what the task is about")]
    project_scope: ScopeName = CURRENT_PROJECT
    limit: Annotated[Whole, Field(description="1 to 8")] = 5


class Hooked(TypedDict):
    mode: str
    memory_writes: bool
    capture_suggestions: bool
    query: str
    scope: str
    include_global: bool
    limit: int
    results: list[HitOut]
    warnings: NotRequired[list[str]]


def recall_hook(book: Book, given: HookParameters) -> Hooked:
    """Leaves no trace, and shows nothing that still waits for a person's word: nobody asked for it. It says so."""
    text = concise(given.task_context)
    if not text:
        raise InvalidInput("task_context is empty: say what the task is about.", "task_context")
    limit = max(HOOK_LIMITS[0], min(HOOK_LIMITS[-1], given.limit))
    scopes = looked_in(book, given.project_scope, include_global=True)
    queries = pieces(given.task_context)
    answer = Hooked(
        mode="read_only",
        memory_writes=False,
        capture_suggestions=False,
        query=text,
        scope=given.project_scope,
        include_global=True,
        limit=limit,
        results=[hit_shape(book, hit) for hit in _about(book, queries, Filter(scopes, automatic=True), limit)],
    )
    waiting = Filter(scopes, waiting=True)
    if book.count(waiting) and (unconfirmed := _about(book, queries, waiting, limit)):
        answer["warnings"] = [_told_of(unconfirmed)]
    return answer


def _about(book: Book, queries: list[str], filter: Filter, limit: int) -> list[Hit]:
    """What is about any of the queries, each memory once, best first."""
    best = dict[str, Hit]()
    for query in queries:
        asked = Query(query, filter, limit, profile=FOR_TASK, surface=book.door.surface, counts_use=False)
        for hit in book.recall(asked).hits:
            known = best.get(hit.memory.id)
            best[hit.memory.id] = hit if known is None or hit.relevance > known.relevance else known
    return sorted(best.values(), key=lambda hit: (-hit.relevance, -hit.memory.number))[:limit]


def _told_of(hits: list[Hit]) -> str:
    """How many wait and how a person lets them in; never what they say."""
    named = ", ".join(hit.memory.id for hit in hits[:IDS_TOLD])
    several = "1 memory about this waits" if len(hits) == 1 else f"{len(hits)} memories about this wait"
    return (
        f"{several} for a person's confirmation and {'is' if len(hits) == 1 else 'are'} not shown ({named}): "
        "the user can look through them with 'commonplace review', or confirm one with 'commonplace confirm ID'."
    )


# -- list and history -------------------------------------------------------------------------


class ListParameters(Parameters):
    scope: ScopeName | None = None
    tags: Tags = Field(default_factory=list)
    include_archived: bool = False


class Listed(TypedDict):
    memories: list[RecordOut]


def list_(book: Book, given: ListParameters) -> Listed:
    """Everything selected, the last changed first and without a limit: the contract has no pages."""
    found = selection(book, given.scope, given.tags, given.include_archived)
    return Listed(memories=[record_shape(book, memory) for memory in found])


class HistoryParameters(Parameters):
    id: str


class Told(TypedDict):
    events: list[EventOut]


def history(book: Book, given: HistoryParameters) -> Told:
    """What happened to a memory, oldest first."""
    if not given.id.strip():
        raise InvalidInput("id is empty: name a memory.", "id")
    return Told(events=[event_shape(book, event) for event in book.history(given.id)])


# -- update -----------------------------------------------------------------------------------


class UpdateParameters(Parameters):
    id: str
    content: str | None = None
    kind: KindName | None = None
    scope: ScopeName | None = None
    tags: Annotated[list[str] | None, Field(description="take the place of those it has")] = None
    confidence: Confidence | None = None


class Updated(TypedDict):
    memory: RecordOut


def update(book: Book, given: UpdateParameters) -> Updated:
    """Changes what is given, after the whole has passed the policy as if it were new."""
    memory = get_memory(book, given.id)
    asked = {name: value for name in CHANGEABLE if (value := getattr(given, name)) is not None}
    if not asked:
        raise Refusal("MEMORY_UPDATE_EMPTY", f"Nothing to update: give one of {', '.join(CHANGEABLE)}.")
    draft = admit(book, _merged(book, memory, given))
    changes = {ours: getattr(draft, ours) for name, ours in CHANGEABLE.items() if name in asked}
    return Updated(memory=record_shape(book, book.update(memory, Changes(**changes))))


def get_memory(book: Book, id: str) -> Memory:
    """A memory that is there; one that was forgotten through another door is not."""
    memory = book.get(id)
    if memory.status is Status.FORGOTTEN:
        raise NotFound(f"There is no memory '{id[:60]}': look it up with recall or list.")
    return memory


def _merged(book: Book, memory: Memory, given: UpdateParameters) -> Candidate:
    """The record as the update would leave it, which has to pass the whole policy again."""
    return Candidate(
        memory.text if given.content is None else given.content,
        kind_name(memory.kind) if given.kind is None else given.kind,
        book.principal.show(memory.scope) if given.scope is None else given.scope,
        memory.tags if given.tags is None else tuple(given.tags),
        source_of(memory),
        memory.confidence if given.confidence is None else given.confidence,
    )


# -- forget -----------------------------------------------------------------------------------


class ForgetParameters(Parameters):
    id: str
    mode: Annotated[Mode, Field(description="archive hides it, delete erases it")] = "archive"
    reason: str | None = None
    confirm: Annotated[bool, Field(description="needed to delete")] = False


class Forgotten(TypedDict):
    id: str
    forgotten: bool
    mode: str
    erasure: NotRequired[str]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """Archives a memory; with `delete` and `confirm` erases it, and says how far."""
    memory = get_memory(book, given.id)
    answer = Forgotten(id=memory.id, forgotten=True, mode=given.mode)
    if given.mode == "delete":
        _require_confirmation(given.confirm)
        answer["erasure"] = _erasure(book.purge(memory, reason=_stated(given.reason)))
    else:
        _archive(book, memory, _stated(given.reason))
    return answer


class ForgetManyParameters(Parameters):
    scope: ScopeName | None = None
    tags: Tags = Field(default_factory=list)
    all: Annotated[bool, Field(description="instead of scope and tags: everything")] = False
    mode: Mode = "archive"
    dry_run: Annotated[bool, Field(description="false to apply it")] = True
    confirm: Annotated[bool, Field(description="needed to delete")] = False
    reason: str | None = None


class ForgottenMany(TypedDict):
    matched: int
    affected: int
    mode: str
    dry_run: bool
    ids: list[str]
    erasure: NotRequired[str]


def forget_many(book: Book, given: ForgetManyParameters) -> ForgottenMany:
    """What matches, and unless it is a dry run how many of them were archived or erased."""
    _check_selector(given)
    if given.mode == "delete" and not given.dry_run:
        _require_confirmation(given.confirm)
    found = selection(book, given.scope, given.tags)
    answer = ForgottenMany(
        matched=len(found), affected=0, mode=given.mode, dry_run=given.dry_run, ids=[memory.id for memory in found]
    )
    if given.dry_run or not found:
        return answer
    reason = _stated(given.reason)
    if given.mode == "delete":
        receipt = book.purge(*found, reason=reason)
        answer["affected"], answer["erasure"] = len(receipt.ids), _erasure(receipt)
    else:
        answer["affected"] = sum(_archived(book, memory, reason) for memory in found)
    return answer


def _check_selector(given: ForgetManyParameters) -> None:
    narrowed = given.scope is not None or bool(given.tags)
    if given.all and narrowed:
        raise Refusal("MEMORY_BULK_SELECTOR_CONFLICT", "all stands alone: leave scope and tags out, or all.", "all")
    if not given.all and not narrowed:
        raise Refusal("MEMORY_BULK_SELECTOR_REQUIRED", "Say which memories: give scope, tags or all.", "scope")


def _require_confirmation(confirmed: bool) -> None:
    if not confirmed:
        raise Refusal(
            "MEMORY_DELETE_CONFIRMATION_REQUIRED",
            "A deletion cannot be undone: confirm it, with confirm or --yes.",
            "confirm",
        )


def _archive(book: Book, memory: Memory, reason: str | None) -> None:
    """What another door has put out of sight, by superseding or invalidating it, stays as that left it."""
    if memory.status in (Status.ACTIVE, Status.ARCHIVED):
        book.archive(memory, reason=reason)


def _archived(book: Book, memory: Memory, reason: str | None) -> bool:
    """Whether it could still be archived: somebody else may have been faster."""
    try:
        book.archive(memory, reason=reason)
    except (NotFound, Conflict):
        return False
    return True


def _stated(reason: str | None) -> str | None:
    return reason if reason is not None and reason.strip() else None


def _erasure(receipt: Receipt) -> str:
    return "complete" if receipt.erasure.complete else "pending"
