"""Who asks, what there is to choose from, and what is found: `me`, `choices`, `recall`, `memories`, `why`."""

from collections.abc import Mapping
from typing import Annotated, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace import __version__
from commonplace.api.parameters import ApiParameters, FilterParameters, filter_of
from commonplace.api.shapes import HitOut, MemoryOut, OtherOut, shapes
from commonplace.book import choices as choosing
from commonplace.book.book import Book
from commonplace.book.display_json import hit_json, other_json, why_json
from commonplace.dialect import Whole
from commonplace.domain.memory import Kind, Origin, Status
from commonplace.domain.query import Filter, Hit, Only, Order, Query
from commonplace.domain.scope import Right

PAGE = 50
HITS = 20
LOCAL = "local"
"""Who acts where nobody had to say who they are."""


class NoParameters(ApiParameters):
    """Nothing is to be said."""


class ProjectOut(TypedDict):
    id: str
    name: str


class Me(TypedDict):
    user: str
    tenant: str
    rights: list[str]
    version: str
    person: bool
    project: ProjectOut | None
    memories: int
    waiting: int
    model: str | None
    words_only: bool
    signed_in: bool


def me(book: Book, given: NoParameters) -> Me:
    """Who asks, with what rights, and how much there is. With `person`, what they write counts as typed."""
    book.principal.require(Right.READ)
    who, place = book.principal, book.caller.project.id
    return Me(
        user=who.user,
        tenant=who.tenant,
        rights=sorted(right.value for right in who.rights),
        version=__version__,
        person=book.door.origin.of_a_person,
        project=None if place is None else ProjectOut(id=place, name=book.project_name(place)),
        memories=book.count(Filter(book.every_scope())),
        waiting=book.review(limit=1).total,
        model=None if book.embedder is None else book.embedder.space.model,
        words_only=book.embedder is None,
        signed_in=book.door.actor != LOCAL,
    )


class ScopeOut(TypedDict):
    scope: str
    memories: int


class TagOut(TypedDict):
    tag: str
    memories: int


class TopicOut(TypedDict):
    topic: str
    memories: int


class Choices(TypedDict):
    scopes: list[ScopeOut]
    projects: list[ProjectOut]
    kinds: list[str]
    statuses: list[str]
    origins: list[str]
    tags: list[TagOut]
    topics: list[TopicOut]
    complete: bool


def choices(book: Book, given: NoParameters) -> Choices:
    """What a filter may ask for. Tags and topics are those of the newest memories; `complete` if these are all."""
    found = choosing.choices(book)
    return Choices(
        scopes=[ScopeOut(scope=book.principal.show(scope), memories=number) for scope, number in found.scopes],
        projects=[ProjectOut(id=each.id, name=each.name) for each in found.projects],
        kinds=[kind.value for kind in Kind],
        statuses=[status.value for status in Status],
        origins=[origin.value for origin in Origin],
        tags=[TagOut(tag=name, memories=number) for name, number in found.tags],
        topics=[TopicOut(topic=name, memories=number) for name, number in found.topics],
        complete=found.complete,
    )


class RecallParameters(FilterParameters):
    query: str
    only: Literal["memories", "decisions", "sessions", "documents"] | None = None
    limit: Annotated[Whole, Field(description="from 1 to 200")] = HITS


class Recalled(TypedDict):
    hits: list[HitOut]
    others: list[OtherOut]
    omitted: int
    mode: str
    warnings: list[str]


def query_of(book: Book, given: RecallParameters) -> Query:
    """The parameters as a query. Looking is not using: what a person looks through is not counted as recalled."""
    only = None if given.only is None else Only(given.only)
    return Query(
        given.query, filter_of(book, given), given.limit, surface=book.door.surface, counts_use=False, only=only
    )


def recall(book: Book, given: RecallParameters) -> Recalled:
    """What is known about something, best first, and a few of what stands beside memories."""
    found = book.recall(query_of(book, given))
    return Recalled(
        hits=[_hit(book, hit, found.projects) for hit in found.hits],
        others=[cast(OtherOut, other_json(other, book.principal, found.projects)) for other in found.others],
        omitted=found.omitted,
        mode=found.effective_mode.value,
        warnings=list(found.warnings),
    )


def _hit(book: Book, hit: Hit, names: Mapping[str, str]) -> HitOut:
    shown = hit_json(hit, book.principal, names)
    return cast(HitOut, {**shown, "waits": hit.memory.waits, "matched_words": hit.matched_words})


class ListParameters(FilterParameters):
    order: Literal["newest", "oldest", "updated"] = "newest"
    limit: Annotated[Whole, Field(description="from 1 to 1,000")] = PAGE
    cursor: Annotated[Whole | None, Field(description="next_cursor of the page before")] = None


class Listed(TypedDict):
    memories: list[MemoryOut]
    total: int
    next_cursor: int | None


def list_(book: Book, given: ListParameters) -> Listed:
    """A page of memories in the order asked for; without `next_cursor` it was the last."""
    page = book.list(filter_of(book, given), order=Order(given.order), limit=given.limit, cursor=given.cursor)
    return Listed(memories=shapes(book, page.memories), total=page.total, next_cursor=page.next_cursor)


class WhyParameters(RecallParameters):
    memory: Annotated[str | None, Field(description="the id of a memory, to learn why it surfaced or did not")] = None


class StepOut(TypedDict):
    stage: str
    meaning: str
    count: int
    elapsed_ms: float


class PathOut(TypedDict):
    stage: str
    said: str


class Explained(TypedDict):
    query: str
    effective_mode: str
    verdict: str
    steps: list[StepOut]
    path: list[PathOut]
    hits: list[dict[str, object]]
    others: list[OtherOut]
    trace: list[dict[str, object]]
    warnings: list[str]


def why(book: Book, given: WhyParameters) -> Explained:
    """Why a recall answers as it does and, for one memory, why it was found or not."""
    return cast(Explained, why_json(book.why(query_of(book, given), given.memory), book.principal))
