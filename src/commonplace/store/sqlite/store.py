"""The SQLite store: units of work on one file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from commonplace.store.limits import BUSY_SECONDS
from commonplace.store.migrations import Migration
from commonplace.store.sqlite.connections import Connections
from commonplace.store.sqlite.keys import SqliteKeys
from commonplace.store.sqlite.log import SqliteLog
from commonplace.store.sqlite.memories import SqliteMemories
from commonplace.store.sqlite.relations import SqliteRelations
from commonplace.store.sqlite.schema import migrations
from commonplace.store.sqlite.shelves import SqliteShelves
from commonplace.store.sqlite.sketches import SqliteSketches
from commonplace.store.sqlite.tables import SqliteTables
from commonplace.store.sqlite.tokens import SqliteTokens
from commonplace.store.sqlite.upkeep import SqliteUpkeep
from commonplace.store.sqlite.usage import SqliteUses
from commonplace.store.sqlite.vectors import SqliteVectors, VectorCaches
from commonplace.store.sqlite.words import SqliteWords


class SqliteUnit:
    """One transaction on one connection, bound to one tenant."""

    def __init__(self, connection: apsw.Connection, tenant: str, caches: VectorCaches) -> None:
        self.memories = SqliteMemories(connection, tenant)
        self.words = SqliteWords(connection, tenant)
        self.vectors = SqliteVectors(connection, tenant, caches, self.memories)
        self.sketches = SqliteSketches(connection, tenant)
        self.log = SqliteLog(connection, tenant)
        self.uses = SqliteUses(connection, tenant)
        self.keys = SqliteKeys(connection, tenant)
        self.relations = SqliteRelations(connection, tenant)
        self.shelves = SqliteShelves(connection, tenant)
        self.tables = SqliteTables(connection, tenant, self.memories, self.shelves)


class SqliteStore:
    """A book in one file. Safe to share between threads; several processes may use the same file."""

    def __init__(
        self,
        path: Path,
        busy_seconds: float = BUSY_SECONDS,
        synchronous: str = "FULL",
        steps: tuple[Migration, ...] | None = None,
        create: bool = True,
    ) -> None:
        """Without `create`, whoever reads or writes a book that is not there is told BookMissing."""
        self._connections = Connections(path, busy_seconds, steps or migrations(), synchronous, create)
        self._caches = VectorCaches()
        self.upkeep = SqliteUpkeep(
            self._connections, self._caches, lambda copy: SqliteStore(copy, busy_seconds, synchronous, steps)
        )
        self.tokens = SqliteTokens(self._connections)

    @contextmanager
    def reading(self, tenant: str) -> Iterator[SqliteUnit]:
        with self._connections.reader() as connection:
            yield SqliteUnit(connection, tenant, self._caches)

    @contextmanager
    def writing(self, tenant: str) -> Iterator[SqliteUnit]:
        with self._forgetting_on_failure(), self._connections.writer() as connection:
            unit = SqliteUnit(connection, tenant, self._caches)
            yield unit
            unit.memories.flush()

    @contextmanager
    def noting(self, tenant: str, patience_seconds: float) -> Iterator[SqliteUnit]:
        with self._connections.writer(patience_seconds, synchronous="NORMAL") as connection:
            yield SqliteUnit(connection, tenant, self._caches)

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def _forgetting_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._caches.forget()
            raise
