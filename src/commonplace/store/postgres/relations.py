"""The edges between memories."""

from commonplace.domain.memory import Relation, RelationKind
from commonplace.store.postgres.transaction import Transaction, one
from commonplace.store.rows import Row


class PostgresRelations:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def add(self, relation: Relation) -> None:
        self._transaction.run(
            "INSERT INTO relations (tenant, id, source, target, kind, reason, created_at) "
            "VALUES (%s, %s, %s, %s, %s, %s, %s)",
            (
                self._tenant,
                relation.id,
                relation.source,
                relation.target,
                relation.kind.value,
                relation.reason,
                relation.created_at,
            ),
        )

    def get(self, id: str) -> Relation | None:
        found = one(
            self._transaction.rows(
                "SELECT id, source, target, kind, reason, created_at FROM relations WHERE tenant = %s AND id = %s",
                (self._tenant, id),
            )
        )
        return None if found is None else _relation(found)

    def of(self, memory_id: str) -> tuple[Relation, ...]:
        rows = self._transaction.rows(
            "SELECT id, source, target, kind, reason, created_at FROM relations "
            "WHERE tenant = %s AND (source = %s OR target = %s) ORDER BY created_at, id",
            (self._tenant, memory_id, memory_id),
        )
        return tuple(map(_relation, rows))

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


def _relation(row: Row) -> Relation:
    id, source, target, kind, reason, at = row
    return Relation(id, source, target, RelationKind(kind), reason, at)
