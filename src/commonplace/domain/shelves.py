"""What a store promises about the shelves, and how it tells of the terms a text uses."""

from collections.abc import Sequence
from typing import Protocol

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record


class TermCounts(Record):
    """How often a text uses each term of a query, how many terms it has in all, and whether it ends as a question."""

    of_terms: tuple[int, ...]
    length: int
    asks: bool = False


class Entries(Protocol):
    """Entries beside memories, by shelf, and sequences of numbers that are never given out twice."""

    def put(self, entry: Entry) -> None:
        """Add an entry, or put it in the place of the one with its id."""

    def get(self, shelf: str, id: str) -> Entry | None:
        """None when the shelf holds nothing under that id."""

    def ids(self, shelf: str, beginning: str, limit: int) -> tuple[str, ...]:
        """Ids on a shelf that begin so, in their order."""

    def page(self, wanted: EntryFilter, limit: int, *, newest_first: bool = True, offset: int = 0) -> tuple[Entry, ...]:
        """A stretch of a shelf by time, and by id where times are equal."""

    def count(self, wanted: EntryFilter) -> int:
        """How many entries are wanted, without reading one."""

    def matching(self, wanted: EntryFilter, terms: Sequence[str], limit: int) -> tuple[Entry, ...]:
        """Entries with at least one of the terms, the likeliest first; to be ranked by whoever asks."""

    def passages(
        self, wanted: Sequence[EntryFilter], terms: Sequence[str], limit: int
    ) -> tuple[tuple[Entry, TermCounts], ...]:
        """Entries that one of the filters wants with at least one of the terms, the likeliest first, each with how
        often it uses each term; to be ranked by whoever asks."""

    def term_counts(self, entries: Sequence[Entry], terms: Sequence[str]) -> dict[tuple[str, str], TermCounts]:
        """The same of single entries, by shelf and id; those without a text are left out."""

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        """In how many entries each term occurs, and how many entries recall looks through."""

    def holding(self, wanted: EntryFilter, terms: Sequence[str]) -> tuple[Entry, ...]:
        """Every entry that has all of the terms, in no order; with no terms, none."""

    def remove(self, shelf: str, id: str) -> bool:
        """Whether there was one."""

    def remove_children(self, parent: str) -> int:
        """Take away whatever belongs to something, on every shelf; how many entries that were."""

    def next_in(self, sequence: str) -> int:
        """The next number of a sequence, from 1 on; to be called in a `writing` unit."""
