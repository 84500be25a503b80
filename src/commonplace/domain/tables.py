"""Everything a tenant has, as tables of plain values: the form in which one store hands a book to another."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from commonplace.domain.record import Record

Plain = str | int | float | bytes | None
PlainRow = tuple[Plain, ...]


class Table(Record):
    """What a store keeps of one sort, as any other store understands it; what can be derived is left out."""

    name: str
    columns: tuple[str, ...]


TABLES: tuple[Table, ...] = (
    Table("numbers", ("last_number",)),
    Table("memories", ("state", "recorded_at")),
    Table("revisions", ("number", "revision", "recorded_at", "state", "hash")),
    Table("vectors", ("number", "space", "dimensions", "vector")),
    Table("uses", ("number", "count", "used_at", "surface", "base_confidence")),
    Table("relations", ("id", "source", "target", "kind", "reason", "created_at")),
    Table("events", ("id", "type", "memory_id", "actor", "at", "payload")),
    Table("keys", ("user", "key", "digest", "ids", "kept_at")),
    Table("entries", ("shelf", "id", "scope", "at", "body", "text", "parent", "state")),
    Table("sequences", ("name", "last")),
)
"""Everything a tenant has, in the order in which another store can take it in."""


class Tables(Protocol):
    """The tenant's tables as plain values, for copying a book from one engine to another."""

    def rows(self, name: str) -> Iterator[PlainRow]:
        """The rows of a table, in the same order on every engine."""

    def count(self, name: str) -> int:
        """How many rows `rows` would give."""

    def take(self, name: str, rows: Sequence[PlainRow]) -> None:
        """Add rows that another store gave, with all that is derived from them."""
