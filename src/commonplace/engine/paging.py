"""Going through all of something, a page at a time: whoever does it can be stopped between pages.

Whoever changes what they go through reads it to the end first, with `list`.
"""

from collections.abc import Iterator

from commonplace import deadline
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.memory import Memory
from commonplace.domain.query import PAGE_LIMIT, Filter, Order
from commonplace.ports import Unit


def each_memory(unit: Unit, filter: Filter, now: int, order: Order = Order.OLDEST) -> Iterator[Memory]:
    """Every memory a filter finds, in this order."""
    for page in memory_pages(unit, filter, now, order):
        yield from page


def memory_pages(unit: Unit, filter: Filter, now: int, order: Order = Order.OLDEST) -> Iterator[tuple[Memory, ...]]:
    """The same, a page at a time, for whoever looks something up for many at once."""
    cursor: int | None = None
    while page := unit.memories.page(filter, now, order, PAGE_LIMIT, cursor):
        deadline.check()
        yield page
        if len(page) < PAGE_LIMIT:
            return
        cursor = page[-1].number


def each_entry(
    unit: Unit, wanted: EntryFilter, *, newest_first: bool = True, page_limit: int = PAGE_LIMIT
) -> Iterator[Entry]:
    """Every entry that is wanted, by its moment; whoever may stop early reads smaller pages."""
    offset = 0
    while page := unit.entries.page(wanted, page_limit, newest_first=newest_first, offset=offset):
        deadline.check()
        yield from page
        if len(page) < page_limit:
            return
        offset += len(page)
