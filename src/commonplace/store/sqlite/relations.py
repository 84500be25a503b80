"""The small tables beside the rows: uses, idempotency keys, sketches and relations."""

import json
from collections.abc import Sequence

import apsw

from commonplace.domain.memory import Relation, RelationKind
from commonplace.domain.query import Filter
from commonplace.ports import KeptAnswer, Use
from commonplace.store.rows import Row
from commonplace.store.sqlite.rows import where

SHARING_SCAN_LIMIT = 64


class SqliteUses:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def record(self, uses: Sequence[Use]) -> None:
        self._connection.execute(
            "INSERT INTO uses (row, tenant, count, used_at, surface, base_confidence) "
            "SELECT m.row, m.tenant, 1, x.value ->> 1, x.value ->> 2, x.value ->> 3 FROM json_each(?) AS x "
            "CROSS JOIN memories AS m WHERE m.tenant = ? AND m.number = x.value ->> 0 "
            "ON CONFLICT DO UPDATE SET count = count + 1, used_at = max(used_at, excluded.used_at), "
            "surface = excluded.surface, base_confidence = coalesce(excluded.base_confidence, base_confidence)",
            (json.dumps([(use.number, use.at, use.surface, use.base_confidence) for use in uses]), self._tenant),
        )


class SqliteKeys:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def find(self, user: str, key: str, since: int) -> KeptAnswer | None:
        found = self._connection.execute(
            "SELECT digest, ids FROM keys WHERE tenant = ? AND user = ? AND key = ? AND kept_at >= ?",
            (self._tenant, user, key, since),
        ).fetchone()
        return None if found is None else KeptAnswer(found[0], tuple(json.loads(found[1])))

    def keep(self, user: str, key: str, answer: KeptAnswer, at: int) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO keys (tenant, user, key, digest, ids, kept_at) VALUES (?, ?, ?, ?, ?, ?)",
            (self._tenant, user, key, answer.digest, json.dumps(answer.ids), at),
        )

    def scrub(self, memory_id: str) -> None:
        self._connection.execute(
            "UPDATE keys SET digest = x'' WHERE tenant = ? AND ? IN (SELECT value FROM json_each(ids))",
            (self._tenant, memory_id),
        )

    def sweep(self, before: int) -> None:
        self._connection.execute("DELETE FROM keys WHERE tenant = ? AND kept_at < ?", (self._tenant, before))


class SqliteSketches:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def sharing(self, keys: Sequence[int], filter: Filter, now: int, limit: int) -> tuple[tuple[int, str], ...]:
        if not keys:
            return ()
        # A few of the newest for each key: a key that half the book shares says little.
        places = [(str(scope), key) for scope in filter.scopes for key in keys]
        nearby = " UNION ".join(
            "SELECT row FROM (SELECT row FROM sketches WHERE tenant = ? AND scope = ? AND key = ? "
            f"ORDER BY row DESC LIMIT {SHARING_SCAN_LIMIT})"
            for _ in places
        )
        condition, values = where(filter, self._tenant, now)
        rows = self._connection.execute(
            f"SELECT m.number, m.text FROM ({nearby}) AS n CROSS JOIN memories AS m "
            f"WHERE m.row = n.row AND {condition} ORDER BY m.number DESC LIMIT ?",
            (*(value for scope, key in places for value in (self._tenant, scope, key)), *values, limit),
        )
        return tuple(rows)


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
