"""Vectors of the entries that recall looks through beside memories, in the SQLite book."""

import json
from collections.abc import Iterator, Sequence

import apsw

from commonplace.domain.entries import SEARCHED, Entry, EntryFilter
from commonplace.ports import Finding, Space, Vector
from commonplace.store.rows import ENTRY_COLUMNS, entry_of
from commonplace.store.sqlite.entries import where
from commonplace.store.sqlite.vectors import WIDENING, CacheSource, VectorCaches, new_space, space_row

ENTRIES = CacheSource(
    every="SELECT row, scope, shelf, vector FROM entry_vectors WHERE space = ? AND tenant = ?",
    changed="SELECT c.row, v.scope, v.shelf, v.vector FROM entry_changes AS c LEFT JOIN entry_vectors AS v "
    "ON v.row = c.row AND v.tenant = c.tenant AND v.space = ? WHERE c.sequence > ? AND c.tenant = ?",
    latest="SELECT max(sequence) FROM entry_changes",
)
"""A cache of these knows an entry by its row, and its shelf as a memory's status."""

_COUNTED = (
    "SELECT tenant, scope, shelf, 0, count(*) FROM entries WHERE text <> '' AND shelf IN "
    f"({', '.join(repr(shelf) for shelf in SEARCHED)}) GROUP BY tenant, scope, shelf UNION ALL "
    "SELECT tenant, scope, shelf, space, count(*) FROM entry_vectors GROUP BY tenant, scope, shelf, space"
)


class SqliteEntryVectors:
    def __init__(self, connection: apsw.Connection, tenant: str, caches: VectorCaches) -> None:
        self._connection = connection
        self._tenant = tenant
        self._caches = caches

    def put(self, entry: Entry, space: Space, vector: Vector) -> None:
        known = space_row(self._connection, space) or new_space(self._connection, space)
        self._connection.execute(
            "INSERT INTO entry_vectors (tenant, scope, shelf, space, row, vector) "
            "SELECT tenant, scope, shelf, ?, row, ? FROM entries "
            "WHERE tenant = ? AND shelf = ? AND id = ? AND text = ? AND text <> '' "
            "ON CONFLICT (row, space) DO UPDATE SET vector = excluded.vector",
            (known, vector, self._tenant, entry.shelf, entry.id, entry.text),
        )

    def nearest(self, vector: Vector, space: Space, wanted: EntryFilter, limit: int) -> tuple[tuple[Entry, float], ...]:
        known = space_row(self._connection, space)
        if known is None or not any(vector):
            return ()
        scopes = wanted.scopes or self._scopes()
        reach = limit
        while True:
            with self._caches.current(self._connection, self._tenant, known, space.dimensions) as cache:
                found = cache.nearest(vector, scopes, (wanted.shelf,), reach)
            rows = self._rows(wanted, [row for row, _ in found])
            matches = tuple((rows[row], score) for row, score in found if row in rows)
            # The other conditions are checked on the rows: look further until enough of them pass.
            if len(matches) >= limit or len(found) < reach:
                return matches[:limit]
            reach *= WIDENING

    def similarity(self, vector: Vector, space: Space, entries: Sequence[Entry]) -> dict[tuple[str, str], float]:
        known = space_row(self._connection, space)
        if known is None or not entries:
            return {}
        keys = [[entry.shelf, entry.id] for entry in entries]
        rows = self._connection.execute(
            "SELECT e.row, e.shelf, e.id FROM json_each(?) AS wanted CROSS JOIN entries AS e "
            "WHERE e.tenant = ? AND e.shelf = wanted.value ->> 0 AND e.id = wanted.value ->> 1",
            (json.dumps(keys), self._tenant),
        )
        named = {row: (shelf, id) for row, shelf, id in rows}
        with self._caches.current(self._connection, self._tenant, known, space.dimensions) as cache:
            return {named[row]: cosine for row, cosine in cache.similarity(vector, list(named)).items()}

    def missing(self, space: Space, limit: int) -> tuple[Entry, ...]:
        rows = self._connection.execute(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE e.tenant = ? AND e.text <> '' "
            "AND e.shelf IN (SELECT value FROM json_each(?)) AND NOT EXISTS "
            "(SELECT 1 FROM entry_vectors AS v WHERE v.row = e.row AND v.space = ?) ORDER BY e.row LIMIT ?",
            (self._tenant, json.dumps(SEARCHED), space_row(self._connection, space) or -1, limit),
        )
        return tuple(entry_of(row) for row in rows)

    def held(self, space: Space | None, scopes: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
        known = None if space is None else space_row(self._connection, space)
        among = "AND scope IN (SELECT value FROM json_each(?)) " if scopes else ""
        rows = self._connection.execute(
            "SELECT shelf, total(entries) FILTER (WHERE space = 0), total(entries) FILTER (WHERE space = ?) "
            f"FROM entry_counts WHERE tenant = ? {among}GROUP BY shelf",
            (known or -1, self._tenant, *((json.dumps(list(scopes)),) if scopes else ())),
        )
        return {shelf: (int(entries), int(embedded)) for shelf, entries, embedded in rows if entries}

    def counts(self) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT s.name, sum(c.entries) FROM entry_counts AS c JOIN spaces AS s ON s.space = c.space "
            "WHERE c.tenant = ? GROUP BY s.space ORDER BY s.space",
            (self._tenant,),
        )
        return dict(rows)

    def drop_space(self, name: str) -> int:
        self._connection.execute(
            "DELETE FROM entry_vectors WHERE tenant = ? AND space = (SELECT space FROM spaces WHERE name = ?)",
            (self._tenant, name),
        )
        return self._connection.changes()

    def _rows(self, wanted: EntryFilter, rows: Sequence[int]) -> dict[int, Entry]:
        condition, values = where(wanted, self._tenant)
        found = self._connection.execute(
            f"SELECT e.row, {ENTRY_COLUMNS} FROM json_each(?) AS x CROSS JOIN entries AS e "
            f"WHERE e.row = x.value AND {condition}",
            (json.dumps(list(rows)), *values),
        )
        return {row: entry_of(columns) for row, *columns in found}

    def _scopes(self) -> list[str]:
        """Every scope that has any, for whoever names none."""
        rows = self._connection.execute("SELECT DISTINCT scope FROM entry_counts WHERE tenant = ?", (self._tenant,))
        return [scope for (scope,) in rows]


def examine_entry_vectors(connection: apsw.Connection) -> Iterator[Finding]:
    """Whether every vector has its entry, and what is kept of how many there are is what there is."""
    from commonplace.store.findings import of_entry_vectors  # for doctor only

    orphans: int = connection.execute(
        "SELECT count(*) FROM entry_vectors AS v WHERE NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.row = v.row "
        "AND (e.tenant, e.scope, e.shelf) = (v.tenant, v.scope, v.shelf))"
    ).get
    wrong: int = connection.execute(
        f"SELECT (SELECT count(*) FROM ({_COUNTED} EXCEPT SELECT * FROM entry_counts)) + "
        f"(SELECT count(*) FROM (SELECT * FROM entry_counts EXCEPT SELECT * FROM ({_COUNTED})))"
    ).get
    total: int = connection.execute("SELECT count(*) FROM entry_vectors").get
    yield of_entry_vectors(total, orphans, wrong)


def rebuild_entry_counts(connection: apsw.Connection) -> int:
    """Vectors without their entry go, and everything is counted again; how many went."""
    connection.execute(
        "DELETE FROM entry_vectors WHERE NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.row = entry_vectors.row "
        "AND (e.tenant, e.scope, e.shelf) = (entry_vectors.tenant, entry_vectors.scope, entry_vectors.shelf))"
    )
    removed = connection.changes()
    connection.execute("DELETE FROM entry_counts")
    connection.execute(f"INSERT INTO entry_counts {_COUNTED}")
    return removed
