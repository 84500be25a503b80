"""The edges between memories."""

import apsw

from commonplace.domain.memory import Relation
from commonplace.store.rows import RELATION_COLUMNS, relation_of, relation_values


class SqliteRelations:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def add(self, relation: Relation) -> None:
        self._connection.execute(
            f"INSERT INTO relations (tenant, {RELATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self._tenant, *relation_values(relation)),
        )

    def get(self, id: str) -> Relation | None:
        found = self._connection.execute(
            f"SELECT {RELATION_COLUMNS} FROM relations WHERE tenant = ? AND id = ?",
            (self._tenant, id),
        ).fetchone()
        return None if found is None else relation_of(found)

    def of(self, memory_id: str) -> tuple[Relation, ...]:
        rows = self._connection.execute(
            f"SELECT {RELATION_COLUMNS} FROM relations "
            "WHERE tenant = ?1 AND (source = ?2 OR target = ?2) ORDER BY created_at, id",
            (self._tenant, memory_id),
        )
        return tuple(map(relation_of, rows))

    def remove(self, id: str) -> bool:
        self._connection.execute("DELETE FROM relations WHERE tenant = ? AND id = ?", (self._tenant, id))
        return bool(self._connection.changes())

    def drop(self, memory_id: str) -> None:
        self._connection.execute(
            "DELETE FROM relations WHERE tenant = ?1 AND (source = ?2 OR target = ?2)", (self._tenant, memory_id)
        )
