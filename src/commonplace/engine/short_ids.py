"""Names short enough to be typed: `last`, and the beginning of an id that only one thing has."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Protocol

from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter, Order
from commonplace.domain.scope import Scope
from commonplace.errors import InvalidInput
from commonplace.ports import Unit

LAST = "last"
MOST_ALIKE = 1_000
"""So many ids that begin alike are looked at."""
LEAST_SHOWN = 6
"""So much of an id is shown behind its mark at least: a little more than is needed today is still unique tomorrow."""
NAMED = 5


class Sight(Protocol):
    """What a caller may look at: the part of a transaction that finding by a short name takes."""

    @property
    def unit(self) -> Unit:
        """The transaction."""

    @property
    def now(self) -> int:
        """Its moment."""

    def may_see(self, scope: Scope | str) -> bool:
        """Whether the caller sees a scope."""


def memory_meant(work: Sight, text: str, beginning: str | None) -> Memory | None:
    """The memory that was written last, or the only one that the caller may see whose id begins so.

    `beginning` is the text as ids are spelled; None where it cannot be one.
    """
    if text.strip().lower() == LAST:
        everywhere = tuple(scope for scope in work.unit.memories.scopes() if work.may_see(scope))
        newest = Filter(everywhere, statuses=(), include_expired=True)
        return next(iter(work.unit.memories.page(newest, work.now, Order.NEWEST, 1, None)), None)
    if beginning is None:
        return None
    found = map(work.unit.memories.by_id, work.unit.memories.ids(beginning, MOST_ALIKE))
    seen = [each for each in found if each is not None and work.may_see(each.scope)]
    if len(seen) > 1:
        raise _several(text, [str(each.number) for each in seen])
    return seen[0] if seen else None


def entry_meant(work: Sight, shelf: str, mark: str, text: str) -> str:
    """The id of the entry that was made last, or of the only one the caller may see whose id begins so.

    `mark` is what the ids of the shelf begin with. What nothing is meant by is given back as it is.
    """
    text = text.strip()
    if text.lower() == LAST:
        newest = work.unit.entries.page(EntryFilter(shelf), MOST_ALIKE)
        return next((each.id for each in newest if work.may_see(each.scope)), text)
    tail = text.removeprefix(mark)
    if not (tail.isascii() and tail.isalnum()) or work.unit.entries.get(shelf, text) is not None:
        return text
    alike = {
        id for part in {tail.upper(), tail.lower()} for id in work.unit.entries.ids(shelf, mark + part, MOST_ALIKE)
    }
    seen = [id for id in sorted(alike) if _sees(work, shelf, id)]
    if len(seen) > 1:
        raise _several(text, seen)
    return seen[0] if seen else text


def beginning(unit: Unit, shelf: str, id: str) -> str:
    """As much of one id as no other of its shelf begins with, and not much less than `shortened` gives."""
    sizes = range(id.find("_") + 1 + LEAST_SHOWN, len(id))
    return next((id[:size] for size in sizes if len(list(unit.entries.ids(shelf, id[:size], 2))) < 2), id)


def shortened(ids: Iterable[str]) -> dict[str, str]:
    """Each id with the beginning of it that no other has, and not much more."""
    ordered = sorted(set(ids))
    shared = [_shared(a, b) for a, b in pairwise(ordered)]
    longest = [max(before, after) for before, after in zip([0, *shared], [*shared, 0], strict=True)]
    return {id: id[: max(most + 1, id.find("_") + 1 + LEAST_SHOWN)] for id, most in zip(ordered, longest, strict=False)}


def _shared(a: str, b: str) -> int:
    """How many letters two ids have in common at their beginning."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _sees(work: Sight, shelf: str, id: str) -> bool:
    entry = work.unit.entries.get(shelf, id)
    return entry is not None and work.may_see(entry.scope)


def _several(text: str, names: list[str]) -> InvalidInput:
    more = " and more" if len(names) > NAMED else ""
    return InvalidInput(f"'{text[:60]}' may be any of {', '.join(names[:NAMED])}{more}: say more of it.", "id")
