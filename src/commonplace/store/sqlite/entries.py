"""The shelves: entries beside memories, and numbers that are given out once."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import apsw

from commonplace.domain.entries import Entry, EntryFilter, entry_hash
from commonplace.ports import Finding
from commonplace.store.rows import ENTRY_COLUMNS, ENTRY_WRITTEN, Value, entry_conditions, entry_of, entry_values
from commonplace.store.sqlite.memories import BEYOND, MARK
from commonplace.store.sqlite.schema import ENTRY_WORDS
from commonplace.store.sqlite.words import count_terms, expression
from commonplace.text import terms

if TYPE_CHECKING:
    from commonplace.domain.shelves import TermCounts


class SqliteEntries:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def put(self, entry: Entry) -> None:
        row = self._connection.execute(
            f"INSERT INTO entries (tenant, {ENTRY_WRITTEN}) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, shelf, id) DO UPDATE SET "
            "scope = excluded.scope, parent = excluded.parent, state = excluded.state, at = excluded.at, "
            "text = excluded.text, body = excluded.body, hash = excluded.hash RETURNING row",
            (self._tenant, *entry_values(entry)),
        ).get
        self._connection.execute("DELETE FROM entry_words WHERE rowid = ?", (row,))
        index_entry(self._connection, row, entry.text)

    def get(self, shelf: str, id: str) -> Entry | None:
        found = self._connection.execute(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE e.tenant = ? AND e.shelf = ? AND e.id = ?",
            (self._tenant, shelf, id),
        ).fetchone()
        return None if found is None else entry_of(found)

    def ids(self, shelf: str, beginning: str, limit: int) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT e.id FROM entries AS e WHERE e.tenant = ? AND e.shelf = ? AND e.id >= ? AND e.id < ? "
            "ORDER BY e.id LIMIT ?",
            (self._tenant, shelf, beginning, beginning + BEYOND, limit),
        )
        return tuple(row[0] for row in rows)

    def page(self, wanted: EntryFilter, limit: int, *, newest_first: bool = True, offset: int = 0) -> tuple[Entry, ...]:
        condition, values = where(wanted, self._tenant)
        direction = "DESC" if newest_first else "ASC"
        rows = self._connection.execute(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE {condition} "
            f"ORDER BY e.at {direction}, e.id {direction} LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        return tuple(entry_of(row) for row in rows)

    def count(self, wanted: EntryFilter) -> int:
        condition, values = where(wanted, self._tenant)
        found: int = self._connection.execute(f"SELECT count(*) FROM entries AS e WHERE {condition}", values).get
        return found

    def matching(self, wanted: EntryFilter, terms: Sequence[str], limit: int) -> tuple[Entry, ...]:
        if not terms:
            return ()
        condition, values = where(wanted, self._tenant)
        rows = self._connection.execute(
            f"SELECT {ENTRY_COLUMNS} FROM entry_words CROSS JOIN entries AS e "
            f"WHERE entry_words MATCH ? AND e.row = entry_words.rowid AND {condition} "
            "ORDER BY entry_words.rank LIMIT ?",
            (expression(terms), *values, limit),
        )
        return tuple(entry_of(row) for row in rows)

    def passages(
        self, wanted: Sequence[EntryFilter], terms: Sequence[str], limit: int
    ) -> "tuple[tuple[Entry, TermCounts], ...]":
        if not terms or not wanted:
            return ()
        conditions = [where(each, self._tenant) for each in wanted]
        either = " OR ".join(f"({condition})" for condition, _ in conditions)
        rows = self._connection.execute(
            f"SELECT entry_words.terms, {ENTRY_COLUMNS} FROM entry_words CROSS JOIN entries AS e "
            f"WHERE entry_words MATCH ? AND e.row = entry_words.rowid AND ({either}) "
            "ORDER BY entry_words.rank LIMIT ?",
            (expression(terms), *(value for _, values in conditions for value in values), limit),
        )
        return tuple((entry_of(row), count_terms(found.split(), terms)) for found, *row in rows)

    def term_counts(self, entries: Sequence[Entry], terms: Sequence[str]) -> "dict[tuple[str, str], TermCounts]":
        keys = [[entry.shelf, entry.id] for entry in entries]
        rows = self._connection.execute(
            "SELECT e.shelf, e.id, w.terms FROM json_each(?) AS wanted CROSS JOIN entries AS e "
            "CROSS JOIN entry_words AS w WHERE e.tenant = ? AND e.shelf = wanted.value ->> 0 "
            "AND e.id = wanted.value ->> 1 AND w.rowid = e.row",
            (json.dumps(keys), self._tenant),
        )
        return {(shelf, id): count_terms(found.split(), terms) for shelf, id, found in rows}

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        rows = self._connection.execute(
            "SELECT v.term, v.doc FROM json_each(?) AS wanted "
            "CROSS JOIN entry_vocabulary AS v WHERE v.term = wanted.value",
            (json.dumps(list(terms)),),
        )
        known: dict[str, int] = dict(rows)
        total: int | None = self._connection.execute("SELECT sum(entries) FROM entry_counts WHERE space = 0").get
        return [known.get(term, 0) for term in terms], total or 0

    def holding(self, wanted: EntryFilter, terms: Sequence[str]) -> tuple[Entry, ...]:
        if not terms:
            return ()
        condition, values = where(wanted, self._tenant)
        rows = self._connection.execute(
            f"SELECT {ENTRY_COLUMNS} FROM entry_words CROSS JOIN entries AS e "
            f"WHERE entry_words MATCH ? AND e.row = entry_words.rowid AND {condition}",
            (expression(terms, "AND"), *values),
        )
        return tuple(entry_of(row) for row in rows)

    def remove(self, shelf: str, id: str) -> bool:
        return bool(self._drop("shelf = ? AND id = ?", (shelf, id)))

    def remove_children(self, parent: str) -> int:
        return self._drop("parent = ?", (parent,))

    def next_in(self, sequence: str) -> int:
        found: int = self._connection.execute(
            "INSERT INTO sequences (tenant, name, last) VALUES (?, ?, 1) "
            "ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last",
            (self._tenant, sequence),
        ).get
        return found

    def _drop(self, condition: str, values: tuple[str, ...]) -> int:
        rows = self._connection.execute(
            f"DELETE FROM entries WHERE tenant = ? AND {condition} RETURNING row", (self._tenant, *values)
        ).fetchall()
        for (row,) in rows:
            self._connection.execute("DELETE FROM entry_words WHERE rowid = ?", (row,))
        return len(rows)


def index_entry(connection: apsw.Connection, row: object, text: str) -> None:
    """Add the words of an entry that has none in the index yet; one without a text gets none."""
    if text:
        connection.execute("INSERT INTO entry_words (rowid, terms) VALUES (?, ?)", (row, " ".join(terms(text))))


def examine_entries(connection: apsw.Connection) -> Iterator[Finding]:
    """Whether every entry is as it was written, and found by the words it has."""
    from commonplace.store.findings import of_entries  # for doctor only

    count, changed, unfound = 0, [], 0
    rows = connection.execute(
        f"SELECT e.hash, w.terms, {ENTRY_COLUMNS} FROM entries AS e LEFT JOIN entry_words AS w ON w.rowid = e.row"
    )
    for hash, indexed, *columns in rows:
        entry = entry_of(columns)
        count += 1
        unfound += (indexed or "") != " ".join(terms(entry.text))
        if entry_hash(entry) != hash:
            changed.append(entry.id)
    yield of_entries(count, changed, unfound)


def rebuild_entry_words(connection: apsw.Connection) -> None:
    """The word index of the shelves, made again from the entries."""
    with suppress(apsw.SQLError):  # FTS5 will not even drop a table that has lost its version
        connection.execute("INSERT OR IGNORE INTO entry_words_config (k, v) VALUES ('version', 4)")
    connection.execute("DROP TABLE IF EXISTS entry_words")
    connection.execute(ENTRY_WORDS.read_text(encoding="utf-8"))
    for row, text in connection.execute("SELECT row, text FROM entries ORDER BY row").fetchall():
        index_entry(connection, row, str(text))


def where(wanted: EntryFilter, tenant: str) -> tuple[str, list[Value]]:
    """The condition on `entries AS e`, with its values."""
    parts = ["e.tenant = ?", "e.shelf = ?"]
    values: list[Value] = [tenant, wanted.shelf]
    for column, chosen in (("e.scope", wanted.scopes), ("e.state", wanted.states)):
        if chosen:
            parts.append(f"{column} IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(chosen))
    for condition, given in entry_conditions(wanted, MARK):
        parts.append(condition)
        values += given
    return " AND ".join(parts), values
