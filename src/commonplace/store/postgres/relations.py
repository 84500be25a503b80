"""The small tables beside the rows: uses, idempotency keys, sketches and relations."""

import json
from collections.abc import Sequence

from commonplace.domain.memory import Relation, RelationKind
from commonplace.domain.query import Filter
from commonplace.ports import KeptAnswer, Use
from commonplace.store.postgres.rows import MEMORY_SOURCE, columns_of, where
from commonplace.store.postgres.transaction import Transaction, one
from commonplace.store.rows import Row

SHARING_SCAN_LIMIT = 64


class PostgresUses:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def record(self, uses: Sequence[Use]) -> None:
        """Each memory once and in the order of their numbers: a statement may touch a row only once."""
        counted: dict[int, tuple[int, int, int, str, float | None]] = {}
        for use in uses:
            _, count, used_at, _, confidence = counted.get(use.number, (0, 0, use.at, "", None))
            lifted = confidence if use.base_confidence is None else use.base_confidence
            counted[use.number] = (use.number, count + 1, max(used_at, use.at), use.surface, lifted)
        if not counted:
            return
        self._transaction.run(
            "INSERT INTO uses AS u (tenant, number, count, used_at, surface, base_confidence) "
            "SELECT m.tenant, x.* FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::text[], %s::float8[]) "
            "AS x (number, count, used_at, surface, base_confidence) "
            "JOIN memories AS m ON m.tenant = %s AND m.number = x.number ORDER BY x.number "
            "ON CONFLICT (tenant, number) DO UPDATE SET count = u.count + excluded.count, "
            "used_at = greatest(u.used_at, excluded.used_at), surface = excluded.surface, "
            "base_confidence = coalesce(excluded.base_confidence, u.base_confidence)",
            (*columns_of(list(counted.values()), 5), self._tenant),
        )


class PostgresKeys:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def find(self, user: str, key: str, since: int) -> KeptAnswer | None:
        found = one(
            self._transaction.rows(
                "SELECT digest, ids FROM keys WHERE tenant = %s AND owner = %s AND key = %s AND kept_at >= %s",
                (self._tenant, user, key, since),
            )
        )
        return None if found is None else KeptAnswer(found[0], tuple(json.loads(found[1])))

    def keep(self, user: str, key: str, answer: KeptAnswer, at: int) -> None:
        self._transaction.run(
            "INSERT INTO keys (tenant, owner, key, digest, ids, kept_at) VALUES (%s, %s, %s, %s, %s, %s) "
            "ON CONFLICT (tenant, owner, key) DO UPDATE "
            "SET digest = excluded.digest, ids = excluded.ids, kept_at = excluded.kept_at",
            (self._tenant, user, key, answer.digest, json.dumps(answer.ids), at),
        )

    def scrub(self, memory_id: str) -> None:
        self._transaction.run(
            "UPDATE keys SET digest = ''::bytea WHERE tenant = %s AND ids::jsonb @> to_jsonb(%s::text)",
            (self._tenant, memory_id),
        )

    def sweep(self, before: int) -> None:
        self._transaction.run("DELETE FROM keys WHERE tenant = %s AND kept_at < %s", (self._tenant, before))


class PostgresSketches:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def sharing(self, keys: Sequence[int], filter: Filter, now: int, limit: int) -> tuple[tuple[int, str], ...]:
        if not keys:
            return ()
        condition, values = where(filter, self._tenant, now)
        # A few of the newest for each key: a key that half the book shares says little.
        rows = self._transaction.rows(
            "WITH nearby AS (SELECT DISTINCT n.number FROM unnest(%s::text[]) AS scope, unnest(%s::bigint[]) AS key, "
            "LATERAL (SELECT s.number FROM sketches AS s WHERE s.tenant = %s AND s.scope = scope.scope "
            f"AND s.key = key.key ORDER BY s.number DESC LIMIT {SHARING_SCAN_LIMIT}) AS n) "
            f"SELECT m.number, m.text FROM nearby AS n JOIN {MEMORY_SOURCE} ON m.number = n.number "
            f"WHERE {condition} ORDER BY m.number DESC LIMIT %s",
            ([str(scope) for scope in filter.scopes], list(keys), self._tenant, *values, limit),
        )
        return tuple((number, text) for number, text in rows)


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
