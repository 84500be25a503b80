"""The edges between memories."""

from commonplace.domain.memory import Relation
from commonplace.store.postgres.transaction import Transaction, one
from commonplace.store.rows import RELATION_COLUMNS, relation_of, relation_values


class PostgresRelations:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def add(self, relation: Relation) -> None:
        self._transaction.run(
            f"INSERT INTO relations (tenant, {RELATION_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (self._tenant, *relation_values(relation)),
        )

    def get(self, id: str) -> Relation | None:
        found = one(
            self._transaction.rows(
                f"SELECT {RELATION_COLUMNS} FROM relations WHERE tenant = %s AND id = %s",
                (self._tenant, id),
            )
        )
        return None if found is None else relation_of(found)

    def of(self, memory_id: str) -> tuple[Relation, ...]:
        rows = self._transaction.rows(
            f"SELECT {RELATION_COLUMNS} FROM relations "
            "WHERE tenant = %s AND (source = %s OR target = %s) ORDER BY created_at, id",
            (self._tenant, memory_id, memory_id),
        )
        return tuple(map(relation_of, rows))

    def remove(self, id: str) -> bool:
        removed = self._transaction.rows(
            "DELETE FROM relations WHERE tenant = %s AND id = %s RETURNING id", (self._tenant, id)
        )
        return bool(removed)

    def drop(self, memory_id: str) -> None:
        self._transaction.run(
            "DELETE FROM relations WHERE tenant = %s AND (source = %s OR target = %s)",
            (self._tenant, memory_id, memory_id),
        )
