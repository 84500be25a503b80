"""The tables of the SQLite book as plain values, for copying it to another engine and back."""

from collections.abc import Iterator, Sequence

import apsw

from commonplace.domain.canonical_json import encode
from commonplace.domain.tables import PlainRow
from commonplace.store.rows import ENTRY_COLUMNS, EVENT_COLUMNS, RELATION_COLUMNS, entry_of, state_of
from commonplace.store.sqlite.entries import SqliteEntries
from commonplace.store.sqlite.memories import SqliteMemories, note_change

_OF_MEMORY = "JOIN memories AS m ON m.row = x.row WHERE m.tenant = ?"

_READ = {
    "numbers": "SELECT last_number FROM tenants WHERE tenant = ?",
    "revisions": f"SELECT m.number, x.revision, x.recorded_at, x.state, x.hash FROM revisions AS x {_OF_MEMORY} "
    "ORDER BY m.number, x.revision",
    "vectors": "SELECT m.number, s.name, s.dimensions, x.vector FROM vectors AS x "
    f"JOIN spaces AS s ON s.space = x.space {_OF_MEMORY} ORDER BY s.name, m.number",
    "uses": f"SELECT m.number, x.count, x.used_at, x.surface, x.base_confidence FROM uses AS x {_OF_MEMORY} "
    "ORDER BY m.number",
    "relations": f"SELECT {RELATION_COLUMNS} FROM relations WHERE tenant = ? ORDER BY id",
    "events": f"SELECT {EVENT_COLUMNS} FROM events WHERE tenant = ? ORDER BY sequence",
    "keys": "SELECT user, key, digest, ids, kept_at FROM keys WHERE tenant = ? ORDER BY user, key",
    "entries": f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE tenant = ? ORDER BY shelf, id",
    "sequences": "SELECT name, last FROM sequences WHERE tenant = ? ORDER BY name",
}
_PLACE = "SELECT row FROM memories WHERE tenant = ?1 AND number = ?2"
_TAKE = {
    "numbers": "INSERT INTO tenants (tenant, last_number) VALUES (?, ?) "
    "ON CONFLICT DO UPDATE SET last_number = max(last_number, excluded.last_number)",
    "revisions": "INSERT INTO revisions (tenant, row, revision, recorded_at, state, hash) "
    f"VALUES (?1, ({_PLACE}), ?3, ?4, ?5, ?6)",
    "uses": "INSERT INTO uses (tenant, row, count, used_at, surface, base_confidence) "
    f"VALUES (?1, ({_PLACE}), ?3, ?4, ?5, ?6)",
    "relations": f"INSERT INTO relations (tenant, {RELATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
    "events": f"INSERT INTO events (tenant, {EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
    "keys": "INSERT INTO keys (tenant, user, key, digest, ids, kept_at) VALUES (?, ?, ?, ?, ?, ?)",
    "sequences": "INSERT INTO sequences (tenant, name, last) VALUES (?, ?, ?)",
    "vectors": f"INSERT INTO vectors (tenant, row, space, vector) VALUES (?1, ({_PLACE}), "
    "(SELECT space FROM spaces WHERE name = ?3 AND dimensions = ?4), ?5)",
}


class SqliteTables:
    def __init__(
        self, connection: apsw.Connection, tenant: str, memories: SqliteMemories, shelves: SqliteEntries
    ) -> None:
        self._connection = connection
        self._tenant = tenant
        self._memories = memories
        self._shelves = shelves

    def rows(self, name: str) -> Iterator[PlainRow]:
        if name == "memories":
            return ((encode(memory), recorded_at) for memory, recorded_at, _ in self._memories.each())
        return self._connection.execute(_READ[name], (self._tenant,))

    def count(self, name: str) -> int:
        counted = "SELECT 1 FROM memories WHERE tenant = ?" if name == "memories" else _READ[name]
        total: int = self._connection.execute(f"SELECT count(*) FROM ({counted})", (self._tenant,)).get
        return total

    def take(self, name: str, rows: Sequence[PlainRow]) -> None:
        if name == "memories":
            for state, recorded_at in rows:
                self._memories.add(state_of(state), recorded_at)  # type: ignore[arg-type]
            return
        if name == "entries":
            for row in rows:
                self._shelves.put(entry_of(row))
            return
        if name == "vectors":
            spaces = {(space, dimensions) for _, space, dimensions, _ in rows}
            self._connection.executemany(
                "INSERT OR IGNORE INTO spaces (name, dimensions) VALUES (?, ?)", sorted(spaces, key=str)
            )
        self._connection.executemany(_TAKE[name], [(self._tenant, *row) for row in rows])
        if name == "vectors":
            for number, *_ in rows:
                note_change(self._connection, self._tenant, number)  # type: ignore[arg-type]
