"""The SQLite store: units of work on one file.

Its imports inside functions are those of parts that few calls need: a cold recall loads no more than it uses.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from commonplace.store.limits import BUSY_SECONDS
from commonplace.store.sqlite.connections import SqliteConnections
from commonplace.store.sqlite.memories import SqliteMemories, SqliteUses
from commonplace.store.sqlite.words import SqliteWords

if TYPE_CHECKING:
    from commonplace.store.migrations import Migration
    from commonplace.store.sqlite.entries import SqliteEntries
    from commonplace.store.sqlite.entry_vectors import SqliteEntryVectors
    from commonplace.store.sqlite.keys import SqliteKeys
    from commonplace.store.sqlite.log import SqliteLog
    from commonplace.store.sqlite.relations import SqliteRelations
    from commonplace.store.sqlite.sketches import SqliteSketches
    from commonplace.store.sqlite.tables import SqliteTables
    from commonplace.store.sqlite.tokens import SqliteTokens
    from commonplace.store.sqlite.upkeep import SqliteUpkeep
    from commonplace.store.sqlite.vectors import SqliteVectors, VectorCaches


class SqliteUnit:
    """One transaction on one connection, bound to one tenant. Each part is made when it is first asked for."""

    def __init__(self, connection: apsw.Connection, tenant: str, store: "SqliteStore") -> None:
        self._connection = connection
        self._tenant = tenant
        self._store = store

    @cached_property
    def memories(self) -> SqliteMemories:
        return SqliteMemories(self._connection, self._tenant)

    @cached_property
    def words(self) -> SqliteWords:
        return SqliteWords(self._connection, self._tenant)

    @cached_property
    def vectors(self) -> "SqliteVectors":
        from commonplace.store.sqlite.vectors import SqliteVectors

        return SqliteVectors(self._connection, self._tenant, self._store.caches, self.memories)

    @cached_property
    def sketches(self) -> "SqliteSketches":
        from commonplace.store.sqlite.sketches import SqliteSketches

        return SqliteSketches(self._connection, self._tenant)

    @cached_property
    def log(self) -> "SqliteLog":
        from commonplace.store.sqlite.log import SqliteLog

        return SqliteLog(self._connection, self._tenant)

    @cached_property
    def uses(self) -> SqliteUses:

        return SqliteUses(self._connection, self._tenant)

    @cached_property
    def keys(self) -> "SqliteKeys":
        from commonplace.store.sqlite.keys import SqliteKeys

        return SqliteKeys(self._connection, self._tenant)

    @cached_property
    def relations(self) -> "SqliteRelations":
        from commonplace.store.sqlite.relations import SqliteRelations

        return SqliteRelations(self._connection, self._tenant)

    @cached_property
    def entries(self) -> "SqliteEntries":
        from commonplace.store.sqlite.entries import SqliteEntries

        return SqliteEntries(self._connection, self._tenant)

    @cached_property
    def entry_vectors(self) -> "SqliteEntryVectors":
        from commonplace.store.sqlite.entry_vectors import SqliteEntryVectors

        return SqliteEntryVectors(self._connection, self._tenant, self._store.entry_caches)

    @cached_property
    def tables(self) -> "SqliteTables":
        from commonplace.store.sqlite.tables import SqliteTables

        return SqliteTables(self._connection, self._tenant, self.memories, self.entries)


class SqliteStore:
    """A book in one file. Safe to share between threads; several processes may use the same file."""

    def __init__(
        self,
        path: Path,
        busy_seconds: float = BUSY_SECONDS,
        synchronous: str = "FULL",
        steps: "tuple[Migration, ...] | None" = None,
        create: bool = True,
    ) -> None:
        """Without `create`, whoever reads or writes a book that is not there is told BookMissing."""
        self._connections = SqliteConnections(path, busy_seconds, steps, synchronous, create)
        self._copied_like_this = (busy_seconds, synchronous, steps)
        self._making = threading.Lock()
        self._caches: VectorCaches | None = None
        self._entry_caches: VectorCaches | None = None

    @cached_property
    def upkeep(self) -> "SqliteUpkeep":
        from commonplace.store.sqlite.upkeep import SqliteUpkeep

        return SqliteUpkeep(
            self._connections, self.forget_caches, lambda copy: SqliteStore(copy, *self._copied_like_this)
        )

    @cached_property
    def tokens(self) -> "SqliteTokens":
        from commonplace.store.sqlite.tokens import SqliteTokens

        return SqliteTokens(self._connections)

    @property
    def caches(self) -> "VectorCaches":
        """The vectors this process keeps in memory, the same for every thread."""
        from commonplace.store.sqlite.vectors import VectorCaches

        with self._making:
            if self._caches is None:
                self._caches = VectorCaches()
            return self._caches

    @property
    def entry_caches(self) -> "VectorCaches":
        """The same for the vectors of entries."""
        from commonplace.store.sqlite.entry_vectors import ENTRIES
        from commonplace.store.sqlite.vectors import VectorCaches

        with self._making:
            if self._entry_caches is None:
                self._entry_caches = VectorCaches(ENTRIES)
            return self._entry_caches

    def forget_caches(self) -> None:
        """What was read before may no longer be true."""
        for caches in (self._caches, self._entry_caches):
            if caches is not None:
                caches.forget()

    @contextmanager
    def reading(self, tenant: str) -> Iterator[SqliteUnit]:
        with self._connections.reader() as connection:
            yield SqliteUnit(connection, tenant, self)

    @contextmanager
    def writing(self, tenant: str) -> Iterator[SqliteUnit]:
        with self._forgetting_on_failure(), self._connections.writer() as connection:
            unit = SqliteUnit(connection, tenant, self)
            yield unit
            unit.memories.flush()

    @contextmanager
    def best_effort(self, tenant: str, patience_seconds: float) -> Iterator[SqliteUnit]:
        with self._connections.writer(patience_seconds, synchronous="NORMAL") as connection:
            yield SqliteUnit(connection, tenant, self)

    def close(self) -> None:
        self._connections.close()

    @contextmanager
    def _forgetting_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.forget_caches()
            raise
