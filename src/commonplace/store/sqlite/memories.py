"""The rows of the SQLite book, with the words, tags and sketches that are derived from them."""

import json
from collections.abc import Iterator, Sequence
from typing import Literal

import apsw

from commonplace.domain.canonical_json import encode, row_hash
from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.query import Filter, Order
from commonplace.domain.rank import Features
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.errors import NotFound
from commonplace.ports import Use, Wording
from commonplace.store.rows import (
    DERIVED,
    FEATURE_COLUMNS,
    MEMORY_COLUMNS,
    ORDERINGS,
    STORED,
    WORDING_COLUMNS,
    Row,
    Value,
    any_with,
    behind,
    beside,
    choices,
    conditions,
    memory_of,
    state_of,
    values_of,
)
from commonplace.text import fold, terms, text_key
from commonplace.text.nearness import sketch

_ANY_OF_A_TEAM = "SELECT 1 FROM counts WHERE tenant = ? AND scope > 'team:' AND scope < 'team;' LIMIT 1"

MARK = "?"
BEYOND = "\U0010ffff"
"""Comes behind whatever an id may go on with."""
MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.row = m.row"

_INDEX_OF = {
    (False, "created_at"): "memories_newest",
    (True, "created_at"): "memories_waiting",
    (False, "updated_at"): "memories_changed",
    (True, "updated_at"): "memories_changed",
}
"""By what a page is read: whether only of what waits, and by which time."""

INSERT = f"INSERT INTO memories (tenant, {', '.join(STORED + DERIVED)}) VALUES (?{', ?' * len(STORED + DERIVED)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = ?' for name in STORED + DERIVED)} WHERE row = ?"


class SqliteMemories:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant
        self._unwritten_words: list[tuple[int, str]] = []

    def flush(self) -> None:
        """Write the words that are still waiting; the unit does this before it commits.

        FTS5 starts a new segment whenever another table is written in between: a batch of
        memories whose words go in together leaves an index that is faster to read.
        """
        self._connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", self._unwritten_words)
        self._unwritten_words.clear()

    def next_number(self) -> int:
        number: int = self._connection.execute(
            "INSERT INTO tenants (tenant, last_number) VALUES (?, 1) "
            "ON CONFLICT DO UPDATE SET last_number = last_number + 1 RETURNING last_number",
            (self._tenant,),
        ).get
        return number

    def last_number(self) -> int:
        number: int | None = self._connection.execute(
            "SELECT last_number FROM tenants WHERE tenant = ?", (self._tenant,)
        ).get
        return number or 0

    def add(self, memory: Memory, recorded_at: int) -> None:
        self._connection.execute(INSERT, (self._tenant, *values_of(memory, recorded_at)))
        self._index(self._connection.last_insert_rowid(), memory, terms(memory.text))

    def replace(self, memory: Memory, recorded_at: int) -> None:
        row, was_recorded_at = self._place(memory.number)
        before = self.by_number(memory.number)
        if before is None:
            raise NotFound(f"There is no memory {memory.id}.")
        state = encode(before)
        self._connection.execute(
            "INSERT INTO revisions (tenant, row, revision, recorded_at, state, hash) VALUES (?, ?, ?, ?, ?, ?)",
            (self._tenant, row, before.revision, was_recorded_at, state, row_hash(state)),
        )
        self._write(row, before, memory, recorded_at)

    def take_back(self, number: int, revision: int) -> Memory:
        row, _ = self._place(number)
        found = self._connection.execute(
            "SELECT state, recorded_at FROM revisions WHERE row = ? AND revision = ?", (row, revision)
        ).fetchone()
        before = self.by_number(number)
        if found is None or before is None:
            raise NotFound(f"Memory number {number} has no revision {revision} to go back to.")
        memory = state_of(found[0])
        self._write(row, before, memory, found[1])
        self._connection.execute("DELETE FROM revisions WHERE row = ? AND revision >= ?", (row, revision))
        return memory

    def _write(self, row: int, before: Memory, memory: Memory, recorded_at: int) -> None:
        """Put one state of a memory in the place of another, in the row and in whatever is derived from it."""
        self._connection.execute(UPDATE, (*values_of(memory, recorded_at), row))
        words, old_words = terms(memory.text), terms(before.text)
        if (index_terms(memory, words), memory.tags, memory.scope) != (
            index_terms(before, old_words),
            before.tags,
            before.scope,
        ):
            self._unindex(row)
            self._index(row, memory, words)
        if memory.text != before.text:
            self._connection.execute("DELETE FROM vectors WHERE row = ?", (row,))
        note_change(self._connection, self._tenant, memory.number)

    def remove(self, number: int) -> None:
        row, _ = self._place(number)
        self._unindex(row)
        for table in ("vectors", "revisions", "uses", "memories"):
            self._connection.execute(f"DELETE FROM {table} WHERE row = ?", (row,))
        note_change(self._connection, self._tenant, number)

    def by_id(self, id: str) -> Memory | None:
        return self._one("m.tenant = ? AND m.id = ?", (self._tenant, id))

    def by_number(self, number: int) -> Memory | None:
        return self._one("m.tenant = ? AND m.number = ?", (self._tenant, number))

    def by_numbers(self, numbers: Sequence[int]) -> dict[int, Memory]:
        if not numbers:
            return {}
        rows = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS} FROM json_each(?) AS wanted CROSS JOIN {MEMORY_SOURCE} "
            "WHERE m.tenant = ? AND m.number = wanted.value",
            (json.dumps(list(numbers)), self._tenant),
        )
        return {row[0]: memory_of(row) for row in rows}

    def ids(self, beginning: str, limit: int) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT m.id FROM memories AS m WHERE m.tenant = ? AND m.id >= ? AND m.id < ? ORDER BY m.id LIMIT ?",
            (self._tenant, beginning, beginning + BEYOND, limit),
        )
        return tuple(row[0] for row in rows)

    def by_text(self, filter: Filter, now: int, text: str) -> tuple[Memory, ...]:
        condition, values = where(filter, self._tenant, now)
        wanted = fold(text)
        found = self._select(
            f"m.text_key = ? AND {condition} ORDER BY m.number DESC", (text_key(text), *values), "memories_by_text"
        )
        return tuple(memory for memory in found if fold(memory.text) == wanted)

    def has(self, what: Literal["topic", "session", "team", "entry", "project"]) -> bool:
        asked = _ANY_OF_A_TEAM if what == "team" else any_with(what, MARK)
        found: int | None = self._connection.execute(asked, (self._tenant,)).get
        return found is not None

    def by_topic(self, filter: Filter, now: int, topics: Sequence[str]) -> tuple[Features, ...]:
        condition, values = where(filter, self._tenant, now)
        rows = self._connection.execute(
            f"SELECT {FEATURE_COLUMNS} FROM json_each(?) AS wanted "
            "CROSS JOIN memories AS m INDEXED BY memories_by_topic "
            f"LEFT JOIN uses AS u ON u.row = m.row WHERE m.topic = wanted.value AND {condition} ORDER BY m.number DESC",
            (json.dumps(list(topics)), *values),
        )
        return tuple(Features(*row) for row in rows)

    def scopes(self) -> tuple[Scope, ...]:
        # From each scope straight to the next one: a book has many memories and few scopes.
        rows = self._connection.execute(
            "WITH RECURSIVE found (scope) AS (SELECT min(scope) FROM memories WHERE tenant = ?1 UNION ALL "
            "SELECT (SELECT min(scope) FROM memories WHERE tenant = ?1 AND scope > found.scope) FROM found "
            "WHERE found.scope IS NOT NULL) SELECT scope FROM found WHERE scope IS NOT NULL ORDER BY scope",
            (self._tenant,),
        )
        return tuple(Scope.parse(scope) for (scope,) in rows)

    def page(self, filter: Filter, now: int, order: Order, limit: int, cursor: int | None) -> tuple[Memory, ...]:
        """Scope by scope, each in the order of an index, and then together: no look at what is not shown."""
        direction = 1 if order is Order.OLDEST else -1
        places = sorted(
            (place for scope in filter.scopes for place in self._places(filter, scope, now, order, limit, cursor)),
            key=lambda place: (direction * place[1], direction * place[0]),
        )
        numbers = [number for number, _ in places[:limit]]
        found = self.by_numbers(numbers)
        if len(found) < len(numbers):
            raise apsw.CorruptError("an index names rows that are not there")
        return tuple(found[number] for number in numbers)

    def _places(
        self, filter: Filter, scope: Scope, now: int, order: Order, limit: int, cursor: int | None
    ) -> Iterator[tuple[int, int]]:
        """The numbers and the times of the first of one scope, in the order."""
        condition, values = where(replace(filter, scopes=(scope,)), self._tenant, now)
        condition = condition.replace("m.scope IN (?)", "m.scope = ?")
        if cursor is not None:
            condition += f" AND {behind(order, MARK)}"
            values += [self._tenant, cursor]
        column = "updated_at" if order is Order.UPDATED else "created_at"
        # What asks for a label has an index of its own, which leads to fewer.
        hint = "" if _asks_for_few(filter) else f"INDEXED BY {_INDEX_OF[filter.waiting, column]} "
        return self._connection.execute(
            f"SELECT m.number, m.{column} FROM memories AS m {hint}"
            f"WHERE {condition} ORDER BY {ORDERINGS[order]} LIMIT ?",
            (*values, limit),
        )

    def count(self, filter: Filter, now: int) -> int:
        if filter == Filter(filter.scopes, statuses=filter.statuses, include_expired=filter.include_expired):
            return self._counted(filter, now)
        condition, values = where(filter, self._tenant, now)
        total: int = self._connection.execute(f"SELECT count(*) FROM memories AS m WHERE {condition}", values).get
        return total

    def _counted(self, filter: Filter, now: int) -> int:
        """By the counts that are kept, without those that have expired: no look at every row."""
        everything = replace(filter, include_expired=True)
        condition, values = where(everything, self._tenant, now)
        total: int = self._connection.execute(
            f"SELECT coalesce(sum(m.memories), 0) FROM counts AS m WHERE {condition}", values
        ).get
        if filter.include_expired:
            return total
        expired: int = self._connection.execute(
            f"SELECT count(*) FROM memories AS m WHERE {condition} AND m.expires_at <= ?", (*values, now)
        ).get
        return total - expired

    def features(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, Features]:
        condition, values = where(filter, self._tenant, now)
        rows = self._connection.execute(
            f"SELECT {FEATURE_COLUMNS} FROM json_each(?) AS wanted "
            f"CROSS JOIN memories AS m LEFT JOIN uses AS u ON u.row = m.row "
            f"WHERE m.number = wanted.value AND {condition}",
            (json.dumps(list(numbers)), *values),
        )
        return {row[0]: Features(*row) for row in rows}

    def wordings(self, numbers: Sequence[int]) -> dict[int, Wording]:
        rows = self._connection.execute(
            f"SELECT m.number, {WORDING_COLUMNS} FROM json_each(?) AS wanted "
            "CROSS JOIN memories AS m WHERE m.tenant = ? AND m.number = wanted.value",
            (json.dumps(list(numbers)), self._tenant),
        )
        return {number: Wording._make(rest) for number, *rest in rows}

    def neighbours(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
        condition, values = where(filter, self._tenant, now)
        rows = self._connection.execute(
            f"SELECT x.number, {beside(condition)} "
            "FROM json_each(?) AS wanted CROSS JOIN memories AS x "
            "WHERE x.number = wanted.value AND x.tenant = ? AND x.session IS NOT NULL",
            (*values, *values, json.dumps(list(numbers)), self._tenant),
        )
        return {number: (before, after) for number, before, after in rows}

    def each(self) -> Iterator[tuple[Memory, int, bytes]]:
        rows = self._connection.execute(
            f"SELECT {MEMORY_COLUMNS}, m.recorded_at, m.hash FROM {MEMORY_SOURCE} WHERE m.tenant = ? ORDER BY m.number",
            (self._tenant,),
        )
        for row in rows:
            yield memory_of(row[:-2]), row[-2], row[-1]

    def _one(self, condition: str, values: tuple[Value, ...]) -> Memory | None:
        found = self._select(condition, values)
        return found[0] if found else None

    def _select(self, condition: str, values: tuple[Value, ...], index: str | None = None) -> tuple[Memory, ...]:
        hint = f"memories AS m INDEXED BY {index} LEFT JOIN uses AS u ON u.row = m.row" if index else MEMORY_SOURCE
        rows: Iterator[Row] = self._connection.execute(f"SELECT {MEMORY_COLUMNS} FROM {hint} WHERE {condition}", values)
        return tuple(memory_of(row) for row in rows)

    def _place(self, number: int) -> tuple[int, int]:
        found = self._connection.execute(
            "SELECT row, recorded_at FROM memories WHERE tenant = ? AND number = ?", (self._tenant, number)
        ).fetchone()
        if found is None:
            raise NotFound(f"There is no memory number {number}.")
        return found[0], found[1]

    def _index(self, row: int, memory: Memory, words: list[str]) -> None:
        self._unwritten_words.append((row, index_terms(memory, words)))
        add_labels(self._connection, self._tenant, row, memory, words)

    def _unindex(self, row: int) -> None:
        self.flush()
        for table, key in (("words", "rowid"), ("tags", "row"), ("sketches", "row")):
            self._connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (row,))


def _asks_for_few(filter: Filter) -> bool:
    labels = (filter.topic, filter.session, filter.tags, filter.any_tags, filter.projects)
    return any(labels) or filter.pinned or filter.only_expired


def add_labels(connection: apsw.Connection, tenant: str, row: int, memory: Memory, words: list[str]) -> None:
    """The sketch and the tags of a row, apart from its words."""
    scope = str(memory.scope)
    connection.executemany(
        "INSERT INTO sketches (tenant, scope, key, row) VALUES (?, ?, ?, ?)",
        [(tenant, scope, key, row) for key in sketch(words)],
    )
    if memory.tags:
        connection.executemany(
            "INSERT OR IGNORE INTO tags (tenant, tag, row) VALUES (?, ?, ?)",
            [(tenant, tag, row) for tag in memory.tags],
        )


def note_change(connection: apsw.Connection, tenant: str, number: int) -> None:
    """Let every process's vector cache know that this memory is not what it was."""
    connection.execute("INSERT OR REPLACE INTO changes (tenant, number) VALUES (?, ?)", (tenant, number))


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


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[Value]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = ?"]
    values: list[Value] = [tenant]
    for column, wanted in choices(filter):
        parts.append(f"{column} IN ({_marks(wanted)})")
        values += wanted
    for condition, given in conditions(filter, now, MARK):
        parts.append(condition)
        values += given
    if filter.pinned:
        parts.append("m.pinned = 1")
    for tag in filter.tags:
        parts.append("m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag = ?)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append(f"m.row IN (SELECT row FROM tags WHERE tenant = ? AND tag IN ({_marks(filter.any_tags)}))")
        values += [tenant, *filter.any_tags]
    return " AND ".join(parts), values


def _marks(items: Sequence[object]) -> str:
    return ", ".join(MARK * len(items))
