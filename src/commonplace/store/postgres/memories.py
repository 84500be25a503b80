"""The rows of the PostgreSQL book, with the words, tags and sketches that are derived from them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from commonplace.domain.canonical_json import encode, row_hash
from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.query import Filter, Order
from commonplace.domain.rank import Features
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.errors import NotFound
from commonplace.ports import Use, Wording
from commonplace.store.postgres.transaction import Transaction, number, one
from commonplace.store.rows import (
    DERIVED,
    FEATURE_COLUMNS,
    MEMORY_COLUMNS,
    ORDERINGS,
    STORED,
    WORDING_COLUMNS,
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

MARK = "%s"
MEMORY_SOURCE = "memories AS m LEFT JOIN uses AS u ON u.tenant = m.tenant AND u.number = m.number"

_WRITTEN = (*STORED, *DERIVED, "length")

INSERT = f"INSERT INTO memories (tenant, {', '.join(_WRITTEN)}) VALUES (%s{', %s' * len(_WRITTEN)})"
UPDATE = f"UPDATE memories SET {', '.join(f'{name} = %s' for name in _WRITTEN)} WHERE tenant = %s AND number = %s"


class IndexRow(Record):
    """What of a memory goes into the indexes."""

    number: int
    scope: str
    tags: tuple[str, ...]
    indexed: tuple[str, ...]
    sketch: tuple[int, ...]

    @classmethod
    def of(cls, memory: Memory) -> "IndexRow":
        """What the indexes hold of a memory, worked out from its text once."""
        words = terms(memory.text)
        indexed = tuple(index_terms(memory, words).split())
        return cls(memory.number, str(memory.scope), memory.tags, indexed, tuple(sketch(words)))


class PostgresMemories:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant
        self._unwritten_words: list[IndexRow] = []
        self.removed_by: str | None = None

    def flush(self) -> None:
        """Write the words that are still waiting, all with one statement; the unit does this before it commits."""
        waiting, self._unwritten_words = self._unwritten_words, []
        if waiting:
            add_words(self._transaction, self._tenant, waiting)

    def next_number(self) -> int:
        return number(
            self._transaction.changed(
                "INSERT INTO tenants AS t (tenant, last_number) VALUES (%s, 1) "
                "ON CONFLICT (tenant) DO UPDATE SET last_number = t.last_number + 1 RETURNING last_number",
                (self._tenant,),
            )
        )

    def last_number(self) -> int:
        rows = self._transaction.rows("SELECT last_number FROM tenants WHERE tenant = %s", (self._tenant,))
        return int(rows[0][0]) if rows else 0

    def add(self, memory: Memory, recorded_at: int) -> None:
        self.add_many([(memory, recorded_at)])

    def add_many(self, memories: Sequence[tuple[Memory, int]]) -> None:
        """Several at once, each with its record time."""
        entries = [IndexRow.of(memory) for memory, _ in memories]
        rows = [
            (self._tenant, *values_of(memory, recorded_at), len(entry.indexed))
            for entry, (memory, recorded_at) in zip(entries, memories, strict=True)
        ]
        self._transaction.run_many(INSERT, rows)
        self._index(entries)

    def replace(self, memory: Memory, recorded_at: int) -> None:
        before, was_recorded_at = self._place(memory.number)
        state = encode(before)
        self._transaction.run(
            "INSERT INTO revisions (tenant, number, revision, recorded_at, state, hash) "
            "VALUES (%s, %s, %s, %s, %s, %s)",
            (self._tenant, memory.number, before.revision, was_recorded_at, state, row_hash(state)),
        )
        self._write(before, memory, recorded_at)

    def take_back(self, number: int, revision: int) -> Memory:
        before, _ = self._place(number)
        place = (self._tenant, number, revision)
        found = one(
            self._transaction.rows(
                "SELECT state, recorded_at FROM revisions WHERE tenant = %s AND number = %s AND revision = %s", place
            )
        )
        if found is None:
            raise NotFound(f"Memory number {number} has no revision {revision} to go back to.")
        memory = state_of(found[0])
        self._write(before, memory, found[1])
        self._transaction.run("DELETE FROM revisions WHERE tenant = %s AND number = %s AND revision >= %s", place)
        return memory

    def _write(self, before: Memory, memory: Memory, recorded_at: int) -> None:
        """Put one state of a memory in the place of another, in the row and in whatever is derived from it."""
        entry = IndexRow.of(memory)
        changed = entry != IndexRow.of(before)
        if changed:
            self._unindex(memory.number)
        row = (*values_of(memory, recorded_at), len(entry.indexed))
        self._transaction.run(UPDATE, (*row, self._tenant, memory.number))
        if changed:
            self._index([entry])
        if memory.text != before.text:
            self._delete("vectors", memory.number)

    def remove(self, number: int) -> None:
        self._place(number)
        self._unindex(number)
        for table in ("vectors", "revisions", "uses", "memories"):
            self._delete(table, number)
        [(self.removed_by,)] = self._transaction.rows("SELECT pg_current_xact_id()::text")

    def by_id(self, id: str) -> Memory | None:
        return self._one("m.tenant = %s AND m.id = %s", (self._tenant, id))

    def by_number(self, number: int) -> Memory | None:
        return self._one("m.tenant = %s AND m.number = %s", (self._tenant, number))

    def by_numbers(self, numbers: Sequence[int]) -> dict[int, Memory]:
        if not numbers:
            return {}
        found = self._select("m.tenant = %s AND m.number = ANY(%s::bigint[])", (self._tenant, list(numbers)))
        by_number = {memory.number: memory for memory in found}
        return {wanted: by_number[wanted] for wanted in numbers if wanted in by_number}

    def ids(self, beginning: str, limit: int) -> tuple[str, ...]:
        rows = self._transaction.rows(
            "SELECT m.id FROM memories AS m WHERE m.tenant = %s AND starts_with(m.id, %s) "
            'ORDER BY m.id COLLATE "C" LIMIT %s',
            (self._tenant, beginning, limit),
        )
        return tuple(str(row[0]) for row in rows)

    def by_text(self, filter: Filter, now: int, text: str) -> tuple[Memory, ...]:
        condition, values = where(filter, self._tenant, now)
        wanted = fold(text)
        found = self._select(f"m.text_key = %s AND {condition} ORDER BY m.number DESC", (text_key(text), *values))
        return tuple(memory for memory in found if fold(memory.text) == wanted)

    def has(self, what: Literal["topic", "session", "team", "entry", "project"]) -> bool:
        if what == "team":  # there are few scopes, and no order of names that every server agrees on
            return any(scope.kind is ScopeKind.TEAM for scope in self.scopes())
        return bool(self._transaction.rows(any_with(what, MARK), (self._tenant,)))

    def by_topic(self, filter: Filter, now: int, topics: Sequence[str]) -> tuple[Features, ...]:
        condition, values = where(filter, self._tenant, now)
        rows = self._transaction.rows(
            f"SELECT {FEATURE_COLUMNS} FROM {MEMORY_SOURCE} "
            f"WHERE m.topic = ANY(%s::text[]) AND {condition} ORDER BY m.number DESC",
            (list(topics), *values),
        )
        return tuple(Features(*row) for row in rows)

    def scopes(self) -> tuple[Scope, ...]:
        # From each scope straight to the next one: a book has many memories and few scopes.
        rows = self._transaction.rows(
            "WITH RECURSIVE found (scope) AS ("
            "(SELECT scope FROM memories WHERE tenant = %s ORDER BY scope LIMIT 1) UNION ALL "
            "SELECT (SELECT m.scope FROM memories AS m WHERE m.tenant = %s AND m.scope > found.scope "
            "ORDER BY m.scope LIMIT 1) FROM found WHERE found.scope IS NOT NULL) "
            "SELECT scope FROM found WHERE scope IS NOT NULL ORDER BY scope",
            (self._tenant, self._tenant),
        )
        return tuple(Scope.parse(scope) for (scope,) in rows)

    def page(self, filter: Filter, now: int, order: Order, limit: int, cursor: int | None) -> tuple[Memory, ...]:
        condition, values = where(filter, self._tenant, now)
        if cursor is not None:
            condition += f" AND {behind(order, MARK)}"
            values += [self._tenant, cursor]
        return self._select(f"{condition} ORDER BY {ORDERINGS[order]} LIMIT %s", (*values, limit))

    def count(self, filter: Filter, now: int) -> int:
        condition, values = where(filter, self._tenant, now)
        return number(self._transaction.rows(f"SELECT count(*) FROM memories AS m WHERE {condition}", values))

    def features(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, Features]:
        condition, values = where(filter, self._tenant, now)
        rows = self._transaction.rows(
            f"SELECT {FEATURE_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.number = ANY(%s::bigint[]) AND {condition}",
            (list(numbers), *values),
        )
        return {row[0]: Features(*row) for row in rows}

    def wordings(self, numbers: Sequence[int]) -> dict[int, Wording]:
        rows = self._transaction.rows(
            f"SELECT m.number, {WORDING_COLUMNS} FROM memories AS m "
            "WHERE m.tenant = %s AND m.number = ANY(%s::bigint[])",
            (self._tenant, list(numbers)),
        )
        return {number: Wording._make(rest) for number, *rest in rows}

    def neighbours(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
        condition, values = where(filter, self._tenant, now)
        rows = self._transaction.rows(
            f"SELECT x.number, {beside(condition)} FROM memories AS x "
            "WHERE x.number = ANY(%s::bigint[]) AND x.tenant = %s AND x.session IS NOT NULL",
            (*values, *values, list(numbers), self._tenant),
        )
        return {number: (before, after) for number, before, after in rows}

    def each(self) -> Iterator[tuple[Memory, int, bytes]]:
        rows = self._transaction.stream(
            f"SELECT {MEMORY_COLUMNS}, m.recorded_at, m.hash FROM {MEMORY_SOURCE} "
            "WHERE m.tenant = %s ORDER BY m.number",
            (self._tenant,),
        )
        for row in rows:
            yield memory_of(row[:-2]), row[-2], row[-1]

    def _one(self, condition: str, values: Sequence[object]) -> Memory | None:
        found = self._select(condition, values)
        return found[0] if found else None

    def _select(self, condition: str, values: Sequence[object]) -> tuple[Memory, ...]:
        rows = self._transaction.rows(f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE {condition}", values)
        return tuple(memory_of(row) for row in rows)

    def _place(self, number: int) -> tuple[Memory, int]:
        """The memory as it stands, and when that was recorded."""
        found = one(
            self._transaction.rows(
                f"SELECT {MEMORY_COLUMNS}, m.recorded_at FROM {MEMORY_SOURCE} WHERE m.tenant = %s AND m.number = %s",
                (self._tenant, number),
            )
        )
        if found is None:
            raise NotFound(f"There is no memory number {number}.")
        return memory_of(found[:-1]), found[-1]

    def _index(self, entries: Sequence[IndexRow]) -> None:
        add_labels(self._transaction, self._tenant, entries)
        self._unwritten_words += entries

    def _unindex(self, number: int) -> None:
        self.flush()
        self._transaction.run(
            "UPDATE tenants AS t SET memories = t.memories - 1, length = t.length - m.length FROM memories AS m "
            "WHERE t.tenant = %s AND m.tenant = t.tenant AND m.number = %s",
            (self._tenant, number),
        )
        for table in ("postings", "sketches", "tags"):
            self._delete(table, number)

    def _delete(self, table: str, number: int) -> None:
        self._transaction.run(f"DELETE FROM {table} WHERE tenant = %s AND number = %s", (self._tenant, number))


def add_labels(transaction: Transaction, tenant: str, entries: Sequence[IndexRow]) -> None:
    """The sketches and the tags of memories, apart from their words."""
    sketches = [(tenant, entry.scope, key, entry.number) for entry in entries for key in entry.sketch]
    _insert(transaction, "sketches", ("text", "text", "bigint", "bigint"), sketches)
    tags = [(tenant, tag, entry.number) for entry in entries for tag in entry.tags]
    _insert(transaction, "tags", ("text", "text", "bigint"), tags)


def add_words(transaction: Transaction, tenant: str, entries: Sequence[IndexRow]) -> None:
    """Write the postings of memories that have none yet, and count them in with those the tenant has."""
    postings = [
        (tenant, term, entry.number, count, len(entry.indexed))
        for entry in entries
        for term, count in Counter(entry.indexed).items()
    ]
    _insert(transaction, "postings", ("text", "text", "bigint", "integer", "integer"), postings)
    transaction.run(
        "INSERT INTO tenants AS t (tenant, memories, length) VALUES (%s, %s, %s) ON CONFLICT (tenant) "
        "DO UPDATE SET memories = t.memories + excluded.memories, length = t.length + excluded.length",
        (tenant, len(entries), sum(len(entry.indexed) for entry in entries)),
    )


def _insert(transaction: Transaction, table: str, types: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    if rows:
        marks = ", ".join(f"%s::{type}[]" for type in types)
        transaction.run(
            f"INSERT INTO {table} SELECT * FROM unnest({marks}) ON CONFLICT DO NOTHING", columns_of(rows, len(types))
        )


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


def where(filter: Filter, tenant: str, now: int) -> tuple[str, list[object]]:
    """The filter as a condition on `memories AS m`; `Filter.refusal` says the same in words."""
    parts = ["m.tenant = %s"]
    values: list[object] = [tenant]
    for column, wanted in choices(filter):
        parts.append(f"{column} = ANY(%s::text[])")
        values.append(wanted)
    for condition, given in conditions(filter, now, MARK):
        parts.append(condition)
        values += given
    if filter.pinned:
        parts.append("m.pinned")
    for tag in filter.tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = %s)")
        values += [tenant, tag]
    if filter.any_tags:
        parts.append("m.number IN (SELECT number FROM tags WHERE tenant = %s AND tag = ANY(%s::text[]))")
        values += [tenant, list(filter.any_tags)]
    return " AND ".join(parts), values


def columns_of(rows: Sequence[Sequence[object]], width: int) -> list[list[object]]:
    """Rows as columns, for `unnest`: one statement then writes them all."""
    return [[row[place] for row in rows] for place in range(width)]
