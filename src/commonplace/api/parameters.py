"""What the operations take: names of fields as the book has them, and the one filter that several share."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.domain.memory import Kind, Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.engine.fields import KindName
from commonplace.engine.parse import moment
from commonplace.text import slug

IDS_LIMIT = 1_000
ANY = "any"

StatusName = Literal["active", "archived", "superseded", "invalidated", "forgotten", "stale"]
OriginName = Literal["typed", "confirmed", "agent", "heard", "revised", "inferred", "tool", "imported"]
Time = Annotated[str | None, Field(description="a date, a time in ISO 8601, or 30d for thirty days ago")]
Ids = Annotated[list[str], Field(min_length=1, max_length=IDS_LIMIT)]


class ApiParameters(Parameters):
    """A misspelled argument is refused: a filter that is passed over would show what was not asked for."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class OneParameters(ApiParameters):
    """One thing, by its id."""

    id: str


class NarrowParameters(ApiParameters):
    """What memories are narrowed down by: several values of one are alternatives, but tags must all be there."""

    scope: Annotated[list[str], Field(description="none: wherever you may see something")] = Field(default_factory=list)
    project: Annotated[list[str], Field(description="by name")] = Field(default_factory=list)
    kind: list[KindName] = Field(default_factory=list)
    tag: list[str] = Field(default_factory=list)
    topic: str | None = None
    origin: list[OriginName] = Field(default_factory=list)
    source: str | None = None
    session: str | None = None
    since: Time = None
    until: Time = None
    pinned: Annotated[bool, Field(description="only what is pinned")] = False


class FilterParameters(NarrowParameters):
    """The same for whoever may also look at what is not in force, or was then."""

    status: Annotated[list[StatusName | Literal["any"]], Field(description="none: active")] = Field(
        default_factory=list
    )
    as_of: Annotated[str | None, Field(description="the book as it stood then: a time as for since")] = None
    waiting: Annotated[bool, Field(description="only what waits for a person")] = False


def scopes_of(book: Book, selectors: list[str]) -> tuple[Scope, ...]:
    """The scopes that were named, or all in which the caller may see something."""
    return tuple(dict.fromkeys(book.scope(each) for each in selectors)) or book.every_scope()


def narrow_filter(book: Book, given: NarrowParameters) -> Filter:
    """The parameters as a filter of the book's, of what is in force."""
    now = book.now()
    return Filter(
        scopes_of(book, given.scope),
        kinds=tuple(Kind(each) for each in dict.fromkeys(given.kind)),
        tags=tuple(given.tag),
        topic=None if given.topic is None else slug(given.topic),
        session=given.session,
        created_since=_moment(given.since, now, "since"),
        created_until=_moment(given.until, now, "until"),
        pinned=given.pinned,
        origins=tuple(Origin(each) for each in dict.fromkeys(given.origin)),
        projects=tuple(dict.fromkeys(id for name in given.project for id in book.project_ids(name))),
        source=given.source,
    )


def filter_of(book: Book, given: FilterParameters) -> Filter:
    """The parameters as a filter of the book's."""
    everything = ANY in given.status
    statuses = tuple(Status(each) for each in dict.fromkeys(given.status) if each != ANY) or (Status.ACTIVE,)
    return replace(
        narrow_filter(book, given),
        statuses=() if everything else statuses,
        include_expired=everything,
        as_of=_moment(given.as_of, book.now(), "as_of"),
        waiting=given.waiting,
    )


def _moment(text: str | None, now: int, argument: str) -> int | None:
    return None if text is None else moment(text, now, argument)
