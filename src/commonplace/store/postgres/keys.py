"""Idempotency keys, and what was answered to them."""

import json

from commonplace.ports import KeptAnswer
from commonplace.store.postgres.transaction import Transaction, one
from commonplace.store.rows import answer_of


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
        return None if found is None else answer_of(found)

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
