"""The edges between memories."""

import apsw

from commonplace.domain.memory import Relation, RelationKind
from commonplace.store.rows import Row


class SqliteRelations:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def add(self, relation: Relation) -> None:
        self._connection.execute(
            "INSERT INTO relations (tenant, id, source, target, kind, reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
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
        found = self._connection.execute(
            "SELECT id, source, target, kind, reason, created_at FROM relations WHERE tenant = ? AND id = ?",
            (self._tenant, id),
        ).fetchone()
        return None if found is None else _relation(found)

    def of(self, memory_id: str) -> tuple[Relation, ...]:
        rows = self._connection.execute(
            "SELECT id, source, target, kind, reason, created_at FROM relations "
            "WHERE tenant = ?1 AND (source = ?2 OR target = ?2) ORDER BY created_at, id",
            (self._tenant, memory_id),
        )
        return tuple(map(_relation, rows))

    def remove(self, id: str) -> bool:
        self._connection.execute("DELETE FROM relations WHERE tenant = ? AND id = ?", (self._tenant, id))
        return bool(self._connection.changes())

    def drop(self, memory_id: str) -> None:
        self._connection.execute(
            "DELETE FROM relations WHERE tenant = ?1 AND (source = ?2 OR target = ?2)", (self._tenant, memory_id)
        )


def _relation(row: Row) -> Relation:
    id, source, target, kind, reason, at = row
    return Relation(id, source, target, RelationKind(kind), reason, at)
