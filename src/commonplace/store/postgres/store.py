"""The PostgreSQL store: units of work on one database."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from commonplace.errors import StoreError
from commonplace.store.limits import BUSY_SECONDS
from commonplace.store.migrations import Migration
from commonplace.store.postgres.connections import PostgresConnections
from commonplace.store.postgres.entries import PostgresEntries
from commonplace.store.postgres.entry_vectors import PostgresEntryVectors
from commonplace.store.postgres.keys import PostgresKeys
from commonplace.store.postgres.log import PostgresLog
from commonplace.store.postgres.memories import PostgresMemories, PostgresUses
from commonplace.store.postgres.relations import PostgresRelations
from commonplace.store.postgres.schema import migrations
from commonplace.store.postgres.sketches import PostgresSketches
from commonplace.store.postgres.tables import PostgresTables
from commonplace.store.postgres.tokens import PostgresTokens
from commonplace.store.postgres.transaction import Transaction
from commonplace.store.postgres.upkeep import PostgresUpkeep
from commonplace.store.postgres.vectors import PostgresVectors
from commonplace.store.postgres.words import PostgresWords


class PostgresUnit:
    """One transaction on one connection, bound to one tenant."""

    def __init__(self, transaction: Transaction) -> None:
        self.memories = PostgresMemories(transaction)
        self.words = PostgresWords(transaction)
        self.vectors = PostgresVectors(transaction)
        self.sketches = PostgresSketches(transaction)
        self.log = PostgresLog(transaction)
        self.uses = PostgresUses(transaction)
        self.keys = PostgresKeys(transaction)
        self.relations = PostgresRelations(transaction)
        self.entries = PostgresEntries(transaction)
        self.entry_vectors = PostgresEntryVectors(transaction)
        self.tables = PostgresTables(transaction, self.memories, self.entries)


class PostgresStore:
    """A book in one database. Safe to share between threads; several processes may use the same database."""

    def __init__(
        self,
        address: str,
        busy_seconds: float = BUSY_SECONDS,
        steps: tuple[Migration, ...] | None = None,
        password: str = "",
        create: bool = True,
    ) -> None:
        """Without `create`, whoever reads or writes a book that is not there is told BookMissing."""
        self._connections = PostgresConnections(address, busy_seconds, steps or migrations(), password, create)
        self.upkeep = PostgresUpkeep(self._connections)
        self.tokens = PostgresTokens(self._connections)

    @contextmanager
    def reading(self, tenant: str) -> Iterator[PostgresUnit]:
        with self._connections.reader(tenant) as transaction:
            yield PostgresUnit(transaction)

    @contextmanager
    def writing(self, tenant: str) -> Iterator[PostgresUnit]:
        with self._connections.writer(tenant) as transaction:
            unit = PostgresUnit(transaction)
            yield unit
            unit.memories.flush()
        if unit.memories.removed_by is not None:
            self.upkeep.removed(tenant, unit.memories.removed_by)
        for space, dimensions in unit.vectors.outgrown:
            # What was written stands. An index that could not be made only costs time, and doctor misses it.
            with suppress(StoreError):
                self.upkeep.index_vectors(tenant, space, dimensions)

    @contextmanager
    def best_effort(self, tenant: str, patience_seconds: float) -> Iterator[PostgresUnit]:
        with self._connections.writer(tenant, patience_seconds, durable=False) as transaction:
            yield PostgresUnit(transaction)

    def close(self) -> None:
        self._connections.close()
