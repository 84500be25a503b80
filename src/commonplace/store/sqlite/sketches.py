"""Sketches: which memories may say nearly the same."""

from collections.abc import Sequence

import apsw

from commonplace.domain.query import Filter
from commonplace.store.limits import SHARING_SCAN_LIMIT
from commonplace.store.sqlite.memories import where


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
