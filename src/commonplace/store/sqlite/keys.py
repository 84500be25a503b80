"""Idempotency keys, and what was answered to them."""

import json

import apsw

from commonplace.ports import KeptAnswer
from commonplace.store.rows import answer_of


class SqliteKeys:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def find(self, user: str, key: str, since: int) -> KeptAnswer | None:
        found = self._connection.execute(
            "SELECT digest, ids FROM keys WHERE tenant = ? AND user = ? AND key = ? AND kept_at >= ?",
            (self._tenant, user, key, since),
        ).fetchone()
        return None if found is None else answer_of(found)

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
