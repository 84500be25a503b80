"""Sketches: which memories may say nearly the same."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.store.limits import SHARING_SCAN_LIMIT
from commonplace.store.postgres.memories import MEMORY_SOURCE, where
from commonplace.store.postgres.transaction import Transaction


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
