"""One transaction on a connection: statements go in, plain rows come out, errors are ours."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Protocol

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

from commonplace.errors import StoreError, StoreUnwritable
from commonplace.ports import Vector
from commonplace.store.postgres.errors import translated
from commonplace.store.rows import Row

STREAM_BATCH = 2_000
_HEADER = 4  # bytes before the components of a halfvec on the wire
_streams = count(1)

Values = Sequence[object]


class Half(bytes):
    """A vector on its way into a halfvec: its bytes are what pgvector receives."""

    @classmethod
    def of(cls, vector: Vector) -> "Half":
        """Our vector in the form of the wire: its length, two bytes of nothing, big-endian floats."""
        dimensions = len(vector) // 2
        return cls(dimensions.to_bytes(2, "big") + b"\x00\x00" + swapped(vector))


class HalfDumper(Dumper):
    """Sends a vector in binary; the statement says that it is a halfvec."""

    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer:
        """The bytes as they are: `Half.of` gave them the form of the wire."""
        return bytes(obj)


def swapped(vector: bytes) -> bytes:
    """Every two bytes the other way round: our floats are little-endian, the wire's are not."""
    turned = bytearray(len(vector))
    turned[0::2], turned[1::2] = vector[1::2], vector[0::2]
    return bytes(turned)


def received(sent: object, dimensions: int) -> Vector:
    """What `halfvec_send` gives, as our vector; what the model could not read is stored as nothing."""
    return swapped(sent[_HEADER:]) if isinstance(sent, bytes) else bytes(2 * dimensions)


class Transaction(Protocol):
    """What the parts of a unit run their statements on."""

    tenant: str

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        """Every row of the answer at once; before there is a book, none."""

    def stream(self, statement: str, values: Values = ()) -> Iterator[Row]:
        """The rows of an answer that may be too large to hold."""

    def changed(self, statement: str, values: Values = ()) -> list[Row]:
        """What a statement that writes says of what it wrote."""

    def run(self, statement: str, values: Values = ()) -> int:
        """How many rows it touched."""

    def run_many(self, statement: str, many: Sequence[Values]) -> None:
        """Run one statement for each of the values, in their order."""


class OpenTransaction:
    """A transaction on the server, bound to one tenant."""

    def __init__(self, connection: psycopg.Connection[Row], tenant: str, place: str) -> None:
        self.tenant = tenant
        self._open: psycopg.Connection[Row] | None = connection
        self._place = place

    def end(self) -> None:
        """From here on the connection is somebody else's."""
        self._open = None

    @property
    def _connection(self) -> psycopg.Connection[Row]:
        if self._open is None:
            raise StoreError("This unit of work is over: open another one.")
        return self._open

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        with translated(self._place):
            return self._connection.execute(statement, values).fetchall()

    def stream(self, statement: str, values: Values = ()) -> Iterator[Row]:
        with translated(self._place), self._connection.cursor(name=f"stream_{next(_streams)}") as cursor:
            cursor.itersize = STREAM_BATCH
            cursor.execute(statement, values)
            yield from cursor

    changed = rows

    def run(self, statement: str, values: Values = ()) -> int:
        with translated(self._place):
            return self._connection.execute(statement, values).rowcount

    def run_many(self, statement: str, many: Sequence[Values]) -> None:
        with translated(self._place), self._connection.cursor() as cursor:
            cursor.executemany(statement, many)


class NoBook:
    """What there is to read before the first writer came: nothing."""

    def __init__(self, tenant: str, place: str) -> None:
        self.tenant = tenant
        self._place = place

    def rows(self, statement: str, values: Values = ()) -> list[Row]:
        return []

    def stream(self, statement: str, values: Values = ()) -> Iterator[Row]:
        return iter(())

    def changed(self, statement: str, values: Values = ()) -> list[Row]:
        raise StoreUnwritable(f"{self._place} is being read: open it for writing.")

    def run(self, statement: str, values: Values = ()) -> int:
        return len(self.changed(statement))

    def run_many(self, statement: str, many: Sequence[Values]) -> None:
        self.changed(statement)


def one(rows: list[Row]) -> Row | None:
    """The first row, None when there is none."""
    return rows[0] if rows else None


def number(rows: list[Row]) -> int:
    """The one number a counting statement answers with; of a book that is not there, 0."""
    return int(rows[0][0]) if rows else 0
