"""How often, when and through which surface memories were used."""

from collections.abc import Sequence

from commonplace.ports import Use
from commonplace.store.postgres.rows import columns_of
from commonplace.store.postgres.transaction import Transaction


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
