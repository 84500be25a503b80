"""What a person may choose from when they narrow a listing down, at a cost that does not grow with the book."""

from collections import Counter
from itertools import islice

from commonplace.book.book import Book
from commonplace.domain.query import Filter, Order
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.engine.paging import each_memory
from commonplace.engine.projects import KnownProject

LOOKED_AT = 1_000
"""Tags and topics are counted among so many memories, the newest."""
SHOWN = 200


class Choices(Record):
    """Scopes with how many memories each has, projects, and the tags and topics in use, the most used first.

    `complete` says whether every memory was looked at for the tags and topics.
    """

    scopes: tuple[tuple[Scope, int], ...]
    projects: tuple[KnownProject, ...]
    tags: tuple[tuple[str, int], ...]
    topics: tuple[tuple[str, int], ...]
    complete: bool


def choices(book: Book) -> Choices:
    """What there is to choose from, of whatever the caller may see."""
    everywhere = book.every_scope()
    with book.caller.reading() as work:
        counted = tuple((scope, work.unit.memories.count(Filter((scope,)), work.now)) for scope in everywhere)
        newest = list(islice(each_memory(work.unit, Filter(everywhere), work.now, Order.NEWEST), LOOKED_AT))
        projects = tuple(work.projects.projects)
    tags = Counter(tag for memory in newest for tag in memory.tags)
    topics = Counter(memory.topic for memory in newest if memory.topic is not None)
    complete = sum(number for _, number in counted) <= len(newest)
    return Choices(counted, projects, _most_used(tags), _most_used(topics), complete and _fits(tags, topics))


def _most_used(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=lambda each: (-each[1], each[0]))[:SHOWN])


def _fits(*counted: Counter[str]) -> bool:
    return all(len(each) <= SHOWN for each in counted)
