"""rlm_forget, rlm_memory_invalidate and rlm_memory_supersede."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.dialects.snipara.refusals import Refusal
from commonplace.dialects.snipara.shapes import shown
from commonplace.dialects.snipara.vocabulary import (
    KNOWN,
    AgentId,
    ScopeName,
    TeamId,
    TypeName,
    get_memory,
    kinds_shown_as,
    looked_in,
)
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.scope import Right, Scope
from commonplace.domain.validation import TIME_LIMIT
from commonplace.engine.parse import instant
from commonplace.text import show_time

Reason = Annotated[str | None, Field(description="why; kept with the memory")]


class ForgetParameters(Parameters):
    memory_id: str | None = None
    type: TypeName | None = None
    category: str | None = None
    older_than_days: float | None = None
    scope: Annotated[ScopeName | None, Field(description="the project unless given; an id is found anywhere")] = None
    agent_id: AgentId = None
    team_id: TeamId = None


class Forgotten(TypedDict):
    deleted_count: int
    message: str
    erasure: NotRequired[str]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """For good. Several filters must all hold; an id that is not there is no error."""
    if all(value is None for value in (given.memory_id, given.type, given.category, given.older_than_days)):
        raise Refusal("At least one filter is required")
    book.principal.require(Right.WRITE)  # also when there is nothing to be deleted
    found = _chosen(book, given)
    if given.memory_id is not None:
        message = f"Memory {given.memory_id[:60]} {'deleted' if found else 'not found'}"
    else:
        message = f"Deleted {len(found)} memories"
    answer = Forgotten(deleted_count=len(found), message=message)
    if found:
        answer["erasure"] = "complete" if book.purge(*found).erasure.complete else "pending"
    return answer


def _chosen(book: Book, given: ForgetParameters) -> list[Memory]:
    if given.older_than_days is not None and given.older_than_days <= 0:
        raise Refusal("Invalid parameter 'older_than_days': it must be greater than 0.")
    if given.memory_id is None:
        scopes = looked_in(book, given.scope or "project", given.agent_id, given.team_id)
        return list(book.each(_filter(book, given, scopes)))
    try:
        memory = get_memory(book, given.memory_id)
    except Refusal:
        return []
    scopes = (memory.scope,) if given.scope is None else looked_in(book, given.scope, given.agent_id, given.team_id)
    return [memory] if _filter(book, given, scopes).admits(memory, book.now()) else []


def _filter(book: Book, given: ForgetParameters, scopes: tuple[Scope, ...]) -> Filter:
    days = given.older_than_days
    return Filter(
        scopes,
        kinds_shown_as(given.type),
        category=given.category,
        statuses=KNOWN,
        include_expired=True,
        created_until=None if days is None else max(0, book.now() - int(min(days, TIME_LIMIT / DAY) * DAY)),
    )


# -- what is not true any more ----------------------------------------------------------------


class InvalidateParameters(Parameters):
    memory_id: str
    invalidated_at: Annotated[str | None, Field(description="ISO timestamp; now unless given")] = None
    reason: Reason = None


class Invalidated(TypedDict):
    memory_id: str
    invalidated: bool
    invalidated_at: str | None
    reason: str | None
    status: str
    message: str


def invalidate(book: Book, given: InvalidateParameters) -> Invalidated:
    """Says that a memory is true no longer, from the moment given or from now on. It is kept."""
    at = None if given.invalidated_at is None else _timestamp(given.invalidated_at)
    memory = book.invalidate(get_memory(book, given.memory_id), at=at, reason=stated(given.reason))
    return Invalidated(
        memory_id=memory.id,
        invalidated=True,
        invalidated_at=shown(memory.valid_to),
        reason=memory.status_reason,
        status=memory.status.name,
        message=f"Memory {memory.id} invalidated",
    )


def _timestamp(text: str) -> int:
    try:
        at = instant(text)
    except ValueError:
        at = -1
    if not 0 <= at <= TIME_LIMIT:
        raise Refusal("invalidated_at must be an ISO timestamp")
    return at


class SupersedeParameters(Parameters):
    old_memory_id: str
    new_memory_id: str
    reason: Reason = None


class Superseded(TypedDict):
    old_memory_id: str
    new_memory_id: str
    superseded: bool
    superseded_at: str
    reason: str | None
    message: str


def supersede(book: Book, given: SupersedeParameters) -> Superseded:
    """Lets one memory take another's place; both are kept."""
    old, new = get_memory(book, given.old_memory_id), get_memory(book, given.new_memory_id)
    retired = book.supersede(old, new, reason=stated(given.reason))
    return Superseded(
        old_memory_id=old.id,
        new_memory_id=new.id,
        superseded=True,
        superseded_at=show_time(retired.updated_at if retired.status_at is None else retired.status_at),
        reason=retired.status_reason,
        message=f"Memory {old.id} superseded by {new.id}",
    )


def stated(reason: str | None) -> str | None:
    """None for a reason of blanks only."""
    return reason if reason is not None and reason.strip() else None
