"""Vectors in the SQLite book, and the caches of them that follow every process's writes."""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING

import apsw

from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.record import Record
from commonplace.ports import Match, Space, Vector
from commonplace.store.rows import MEMORY_COLUMNS, Row, memory_of
from commonplace.store.sqlite.memories import MEMORY_SOURCE, SqliteMemories, note_change

if TYPE_CHECKING:
    from commonplace.store.vector_cache import VectorCache

LOAD_BATCH = 4_096
WIDENING = 4


class _Place:
    """Where the cache of one tenant and space stands, with how far it has followed the book."""

    __slots__ = ("cache", "epoch", "lock", "seen")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.cache: VectorCache | None = None
        self.epoch = self.seen = 0


class CacheSource(Record):
    """Where vectors are read from, each statement giving number, scope, status and vector; and how far it has come."""

    every: str
    changed: str
    latest: str


class VectorCaches:
    """The caches of one process, one for each tenant and space, shared by its connections.

    Each has a lock of its own: while one tenant's vectors are read, no other tenant waits.
    """

    def __init__(self, source: "CacheSource | None" = None) -> None:
        self._source = source or MEMORIES
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._places: dict[tuple[str, int], _Place] = {}

    def forget(self) -> None:
        """A transaction was rolled back: what was read inside it may never have been true."""
        with self._mine():
            self._places.clear()

    @contextmanager
    def current(self, connection: apsw.Connection, tenant: str, space: int, dimensions: int) -> Iterator["VectorCache"]:
        """The cache, brought up to what the connection sees, for one thread at a time."""
        while True:
            place = self._place(tenant, space)
            with place.lock:
                if self._place(tenant, space) is not place:  # forgotten while we waited for it
                    continue
                yield _followed(self._source, place, connection, tenant, space, dimensions)
                return

    def _place(self, tenant: str, space: int) -> _Place:
        with self._mine():
            return self._places.setdefault((tenant, space), _Place())

    def _mine(self) -> threading.Lock:
        """The lock of the table itself; in a forked child a new one, for a thread of the parent may hold the old."""
        if self._process != os.getpid():
            self._process, self._lock, self._places = os.getpid(), threading.Lock(), {}
        return self._lock


def _followed(
    source: CacheSource, place: _Place, connection: apsw.Connection, tenant: str, space: int, dimensions: int
) -> "VectorCache":
    # numpy takes 0.1 s to import: only those who compare vectors pay for it.
    from commonplace.store.vector_cache import VectorCache

    epoch: int = connection.execute("SELECT number FROM epoch").get
    latest: int = connection.execute(source.latest).get or 0
    cache = place.cache if place.epoch == epoch else None
    place.cache = None  # whoever is stopped half-way leaves nothing half read
    if cache is None:
        cache, place.seen = VectorCache(dimensions), latest
        _fill(cache, connection.execute(source.every, (space, tenant)))
    elif latest > place.seen:
        _fill(cache, connection.execute(source.changed, (space, place.seen, tenant)))
    place.cache, place.epoch, place.seen = cache, epoch, max(place.seen, latest)
    return cache


MEMORIES = CacheSource(
    every="SELECT m.number, m.scope, m.status, v.vector FROM vectors AS v JOIN memories AS m ON m.row = v.row "
    "WHERE v.space = ? AND m.tenant = ?",
    changed="SELECT c.number, m.scope, m.status, v.vector FROM changes AS c "
    "LEFT JOIN memories AS m ON m.tenant = c.tenant AND m.number = c.number "
    "LEFT JOIN vectors AS v ON v.row = m.row AND v.space = ? WHERE c.sequence > ? AND c.tenant = ?",
    latest="SELECT max(sequence) FROM changes",
)


def _fill(cache: "VectorCache", rows: Iterator[Row]) -> None:
    """Put what has a vector into the cache, take out what has none any more."""
    while batch := list(islice(rows, LOAD_BATCH)):
        gone = [number for number, _, _, vector in batch if vector is None]
        for number in gone:
            cache.remove(number)
        cache.put_all([row for row in batch if row[3] is not None] if gone else batch)


def space_row(connection: apsw.Connection, space: Space) -> int | None:
    """The row of a model's space, or None where no vector of it was ever put."""
    found: int | None = connection.execute("SELECT space FROM spaces WHERE name = ?", (str(space),)).get
    return found


def new_space(connection: apsw.Connection, space: Space) -> int:
    """A row for a space of which this is the first vector."""
    connection.execute("INSERT INTO spaces (name, dimensions) VALUES (?, ?)", (str(space), space.dimensions))
    return connection.last_insert_rowid()


class SqliteVectors:
    def __init__(
        self, connection: apsw.Connection, tenant: str, caches: VectorCaches, memories: SqliteMemories
    ) -> None:
        self._connection = connection
        self._tenant = tenant
        self._caches = caches
        self._memories = memories

    def put(self, number: int, space: Space, vector: Vector) -> None:
        known = space_row(self._connection, space) or new_space(self._connection, space)
        self._connection.execute(
            "INSERT OR REPLACE INTO vectors (tenant, space, row, vector) "
            "SELECT tenant, ?, row, ? FROM memories WHERE tenant = ? AND number = ?",
            (known, vector, self._tenant, number),
        )
        note_change(self._connection, self._tenant, number)

    def nearest(self, vector: Vector, space: Space, filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        known = space_row(self._connection, space)
        if known is None:
            return ()
        scopes = [str(scope) for scope in filter.scopes]
        statuses = [status.value for status in filter.statuses]
        reach = limit
        while True:
            with self._caches.current(self._connection, self._tenant, known, space.dimensions) as cache:
                found = cache.nearest(vector, scopes, statuses, reach)
            features = self._memories.features(filter, now, [number for number, _ in found])
            matches = tuple((features[number], score) for number, score in found if number in features)
            # The other conditions are checked on the rows: look further until enough of them pass.
            if len(matches) >= limit or len(found) < reach:
                return matches[:limit]
            reach *= WIDENING

    def similarity(self, vector: Vector, space: Space, numbers: Sequence[int]) -> dict[int, float]:
        known = space_row(self._connection, space)
        if known is None:
            return {}
        with self._caches.current(self._connection, self._tenant, known, space.dimensions) as cache:
            return cache.similarity(vector, numbers)

    def of(self, numbers: Sequence[int], space: Space) -> dict[int, Vector]:
        rows = self._connection.execute(
            "SELECT m.number, v.vector FROM json_each(?) AS wanted "
            "JOIN memories AS m ON m.tenant = ? AND m.number = wanted.value "
            "JOIN vectors AS v ON v.row = m.row AND v.space = ?",
            (json.dumps(list(numbers)), self._tenant, space_row(self._connection, space)),
        )
        return dict(rows)

    def missing(self, space: Space, limit: int) -> tuple[Memory, ...]:
        rows = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.tenant = ? AND NOT EXISTS "
            "(SELECT 1 FROM vectors AS v WHERE v.row = m.row AND v.space = ?) ORDER BY m.number LIMIT ?",
            (self._tenant, space_row(self._connection, space) or -1, limit),
        )
        return tuple(memory_of(row) for row in rows)

    def count_missing(self, space: Space) -> int:
        missing: int = self._connection.execute(
            "SELECT (SELECT count(*) FROM memories WHERE tenant = ?1) - "
            "(SELECT count(*) FROM vectors WHERE tenant = ?1 AND space = ?2)",
            (self._tenant, space_row(self._connection, space) or -1),
        ).get
        return missing

    def counts(self) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT s.name, count(*) FROM vectors AS v JOIN spaces AS s ON s.space = v.space WHERE v.tenant = ? "
            "GROUP BY s.space ORDER BY s.space",
            (self._tenant,),
        )
        return dict(rows)

    def drop_space(self, name: str) -> int:
        self._connection.execute(
            "INSERT OR REPLACE INTO changes (tenant, number) SELECT m.tenant, m.number FROM vectors AS v "
            "JOIN memories AS m ON m.row = v.row JOIN spaces AS s ON s.space = v.space "
            "WHERE m.tenant = ? AND s.name = ?",
            (self._tenant, name),
        )
        self._connection.execute(
            "DELETE FROM vectors WHERE tenant = ? AND space = (SELECT space FROM spaces WHERE name = ?)",
            (self._tenant, name),
        )
        return self._connection.changes()
