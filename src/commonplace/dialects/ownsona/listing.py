"""list_memories, get_memory, count_memories, memory_stats, list_tags and export_memories."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.ownsona.arguments import Id, Timestamp, at_most, not_ahead, timestamp
from commonplace.dialects.ownsona.finding import AnyTags
from commonplace.dialects.ownsona.shapes import Match, Row, WholeRow, match, row, whole
from commonplace.dialects.ownsona.tags import wanted
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter, Order
from commonplace.errors import InvalidInput, TooMany
from commonplace.text import show_time

TAGS_LIMIT = 500
TOP_TAGS = 20
EXPORT_LIMIT = 100_000
NO_PROVIDER = "(none)"

IncludeDeleted = Annotated[bool, Field(description="also soft-deleted and expired memories")]


class SliceParameters(Parameters):
    """Which part of the memories; all conditions must hold."""

    include_deleted: IncludeDeleted = False
    untagged_only: bool = False
    min_chars: Whole | None = None
    max_chars: Whole | None = None
    not_confirmed_since: Annotated[Timestamp, Field(description="ISO 8601; never confirmed counts too")] = None


def _filter(include_deleted: bool, any_tags: tuple[str, ...] = ()) -> Filter:
    if include_deleted:
        return Filter((), any_tags=any_tags, statuses=(), include_expired=True)
    return Filter((), any_tags=any_tags)


def _slice(book: Book, given: SliceParameters, any_tags: tuple[str, ...] = ()) -> Iterator[Memory]:
    """The memories of a slice, newest first. Not a generator: what cannot be asked is refused before one is read."""
    since = timestamp(given.not_confirmed_since, "not_confirmed_since")
    least, most = given.min_chars, given.max_chars
    for name, bound in (("min_chars", least), ("max_chars", most)):
        if bound is not None and bound < 0:
            raise InvalidInput(f"{name} must not be negative, not {bound}.", name)
    if least is not None and most is not None and least > most:
        raise InvalidInput(f"min_chars {least} is more than max_chars {most}: swap them.", "min_chars")
    not_ahead(since, book.now(), "not_confirmed_since")
    return (
        memory
        for memory in book.each(_filter(given.include_deleted, any_tags))
        if not (given.untagged_only and memory.tags)
        and (least is None or len(memory.text) >= least)
        and (most is None or len(memory.text) <= most)
        and (since is None or memory.confirmed_at is None or memory.confirmed_at < since)
    )


# -- list and get -----------------------------------------------------------------------------


class ListParameters(SliceParameters):
    limit: Annotated[Whole, Field(description="50 at most")] = 20
    offset: Whole = 0


class Listed(TypedDict):
    ok: bool
    memories: list[Row]
    note: NotRequired[str]


def list_memories(book: Book, given: ListParameters) -> Listed:
    """A stretch of the listing, newest first; `note` says if the limit was not taken as given."""
    count = at_most(given.limit)
    start = max(0, given.offset)
    found = islice(_slice(book, given), start, start + count.value)
    answer = Listed(ok=True, memories=[row(book, memory) for memory in found])
    if count.note:
        answer["note"] = count.note
    return answer


class GetParameters(Parameters):
    id: Id


class Got(TypedDict):
    ok: bool
    memory: WholeRow


def get_memory(book: Book, given: GetParameters) -> Got:
    """One memory with every field, deleted or not; NotFound if there is none."""
    return Got(ok=True, memory=whole(book, book.get(given.id)))


# -- numbers ----------------------------------------------------------------------------------


class CountParameters(SliceParameters):
    tags: AnyTags
    source_provider: Annotated[str | None, Field(description="exactly this one")] = None


class Counted(TypedDict):
    ok: bool
    count: int


def count_memories(book: Book, given: CountParameters) -> Counted:
    """How many of the slice have one of the tags and come from the provider, where these are given. Reads them all."""
    provider = given.source_provider
    found = _slice(book, given, wanted(given.tags))
    return Counted(ok=True, count=sum(provider is None or each.provenance.source == provider for each in found))


class StatsParameters(Parameters):
    pass


class TagCount(TypedDict):
    tag: str
    count: int


class ProviderCount(TypedDict):
    provider: str
    count: int


class Stats(TypedDict):
    ok: bool
    total: int
    active: int
    soft_deleted: int
    expired: int
    avg_importance: NotRequired[float]
    oldest_created_at: NotRequired[str]
    newest_created_at: NotRequired[str]
    top_tags: list[TagCount]
    by_provider: list[ProviderCount]


def memory_stats(book: Book, given: StatsParameters) -> Stats:
    """Counts over everything. Of deleted ones only their number; mean and dates are missing where nothing is kept."""
    now = book.now()
    everything = list(book.each(_filter(include_deleted=True)))
    kept = [memory for memory in everything if memory.status is Status.ACTIVE]
    active = [memory for memory in kept if not memory.expired(now)]
    providers = Counter(memory.provenance.source or NO_PROVIDER for memory in kept)
    stats = Stats(
        ok=True,
        total=len(everything),
        active=len(active),
        soft_deleted=len(everything) - len(kept),
        expired=len(kept) - len(active),
        top_tags=_tag_counts(active)[:TOP_TAGS],
        by_provider=[ProviderCount(provider=name, count=count) for name, count in _most_first(providers)],
    )
    if kept:
        stats["avg_importance"] = round(sum(memory.importance for memory in kept) / len(kept), 4)
        stats["oldest_created_at"] = show_time(min(memory.created_at for memory in kept))
        stats["newest_created_at"] = show_time(max(memory.created_at for memory in kept))
    return stats


class TagsParameters(Parameters):
    include_deleted: IncludeDeleted = False
    limit: Annotated[Whole, Field(description="500 at most")] = TAGS_LIMIT


class TagsOut(TypedDict):
    ok: bool
    tags: list[TagCount]


def list_tags(book: Book, given: TagsParameters) -> TagsOut:
    """Tags with how often they are used, the most used first."""
    if given.limit < 1:
        raise InvalidInput(f"limit must be at least 1, not {given.limit}.", "limit")
    if given.limit > TAGS_LIMIT:
        raise TooMany(f"limit {given.limit} is over {TAGS_LIMIT}: ask for fewer.", "limit")
    return TagsOut(ok=True, tags=_tag_counts(book.each(_filter(given.include_deleted)))[: given.limit])


def _tag_counts(memories: Iterable[Memory]) -> list[TagCount]:
    counts = Counter(tag for memory in memories for tag in memory.tags)
    return [TagCount(tag=tag, count=count) for tag, count in _most_first(counts)]


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))


# -- export -----------------------------------------------------------------------------------


class ExportParameters(Parameters):
    include_deleted: IncludeDeleted = True


class Exported(TypedDict):
    ok: bool
    count: int
    memories: list[Match]


def export_memories(book: Book, given: ExportParameters) -> Exported:
    """Everything, oldest first; TooMany where it would not fit into one answer, instead of a part."""
    filter = _filter(given.include_deleted)
    total = book.list(filter, limit=1).total
    if total > EXPORT_LIMIT:
        raise TooMany(f"{total:,} memories are more than one answer can hold: run 'commonplace export'.")
    memories = [match(book, memory) for memory in book.each(filter, order=Order.OLDEST)]
    return Exported(ok=True, count=len(memories), memories=memories)
