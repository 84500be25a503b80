"""How often, when and through which surface memories were used."""

import json
from collections.abc import Sequence

import apsw

from commonplace.ports import Use


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
