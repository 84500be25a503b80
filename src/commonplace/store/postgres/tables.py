"""The tables of the PostgreSQL book as plain values, for copying it to another engine and back."""

from collections.abc import Iterator, Sequence

from commonplace.domain.canonical_json import encode
from commonplace.domain.tables import PlainRow
from commonplace.ports import is_blank
from commonplace.store.postgres.entries import PostgresEntries
from commonplace.store.postgres.memories import PostgresMemories
from commonplace.store.postgres.transaction import Half, Transaction, number, received
from commonplace.store.rows import ENTRY_COLUMNS, EVENT_COLUMNS, RELATION_COLUMNS, Row, entry_of, state_of

_READ = {
    "numbers": "SELECT last_number FROM tenants WHERE tenant = %s",
    "revisions": "SELECT number, revision, recorded_at, state, hash FROM revisions WHERE tenant = %s "
    "ORDER BY number, revision",
    "vectors": "SELECT number, space, dimensions, halfvec_send(vector) FROM vectors WHERE tenant = %s "
    "ORDER BY space, number",
    "uses": "SELECT number, count, used_at, surface, base_confidence FROM uses WHERE tenant = %s ORDER BY number",
    "relations": f"SELECT {RELATION_COLUMNS} FROM relations WHERE tenant = %s ORDER BY id",
    "events": f"SELECT {EVENT_COLUMNS} FROM events WHERE tenant = %s ORDER BY sequence",
    "keys": "SELECT owner, key, digest, ids, kept_at FROM keys WHERE tenant = %s ORDER BY owner, key",
    "entries": f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE tenant = %s ORDER BY shelf, id",
    "sequences": "SELECT name, last FROM sequences WHERE tenant = %s ORDER BY name",
}
_TAKE = {
    "numbers": "INSERT INTO tenants AS t (tenant, last_number) VALUES (%s, %s) ON CONFLICT (tenant) "
    "DO UPDATE SET last_number = greatest(t.last_number, excluded.last_number)",
    "revisions": "INSERT INTO revisions (tenant, number, revision, recorded_at, state, hash) "
    "VALUES (%s, %s, %s, %s, %s, %s)",
    "vectors": "INSERT INTO vectors (tenant, number, space, dimensions, vector) VALUES (%s, %s, %s, %s, %s::halfvec)",
    "uses": "INSERT INTO uses (tenant, number, count, used_at, surface, base_confidence) "
    "VALUES (%s, %s, %s, %s, %s, %s)",
    "relations": f"INSERT INTO relations (tenant, {RELATION_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s)",
    "events": f"INSERT INTO events (tenant, sequence, {EVENT_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
    "keys": "INSERT INTO keys (tenant, owner, key, digest, ids, kept_at) VALUES (%s, %s, %s, %s, %s, %s)",
    "sequences": "INSERT INTO sequences (tenant, name, last) VALUES (%s, %s, %s)",
}


class PostgresTables:
    def __init__(self, transaction: Transaction, memories: PostgresMemories, shelves: PostgresEntries) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant
        self._memories = memories
        self._shelves = shelves

    def rows(self, name: str) -> Iterator[PlainRow]:
        if name == "memories":
            return ((encode(memory), recorded_at) for memory, recorded_at, _ in self._memories.each())
        rows = self._transaction.stream(_READ[name], (self._tenant,))
        return map(_with_our_vector, rows) if name == "vectors" else rows

    def count(self, name: str) -> int:
        counted = "SELECT 1 FROM memories WHERE tenant = %s" if name == "memories" else _READ[name]
        return number(self._transaction.rows(f"SELECT count(*) FROM ({counted}) AS x", (self._tenant,)))

    def take(self, name: str, rows: Sequence[PlainRow]) -> None:
        if name == "memories":
            self._memories.add_many([(state_of(state), recorded_at) for state, recorded_at in rows])  # type: ignore[misc]
            return
        if name == "entries":
            for row in rows:
                self._shelves.put(entry_of(row))
            return
        if name == "vectors":
            rows = [_with_their_vector(row) for row in rows]
        if name == "events":
            last = self._transaction.rows("SELECT max(sequence) FROM events WHERE tenant = %s", (self._tenant,))
            rows = [(place, *row) for place, row in enumerate(rows, (last[0][0] or 0) + 1)]
        self._transaction.run_many(_TAKE[name], [(self._tenant, *row) for row in rows])


def _with_our_vector(row: Row) -> PlainRow:
    number, space, dimensions, sent = row
    return number, space, dimensions, received(sent, dimensions)


def _with_their_vector(row: PlainRow) -> PlainRow:
    number, space, dimensions, vector = row
    blank = not isinstance(vector, bytes) or is_blank(vector)
    return number, space, dimensions, None if blank else Half.of(vector)  # type: ignore[arg-type]
