"""The shelves: entries beside memories, and numbers that are given out once."""

from collections import Counter
from collections.abc import Iterator, Sequence

from commonplace.domain.entries import Entry, EntryFilter, entry_hash
from commonplace.domain.shelves import TermCounts
from commonplace.ports import Finding
from commonplace.store.postgres.memories import MARK, columns_of
from commonplace.store.postgres.transaction import OpenTransaction, Transaction, number, one
from commonplace.store.postgres.words import ranking, sendable
from commonplace.store.rows import ENTRY_COLUMNS, ENTRY_WRITTEN, entry_conditions, entry_of, entry_values
from commonplace.text import terms

_BOOK = (
    "SELECT sum(entries)::float8 AS texts, sum(entry_length)::float8 AS length FROM tenants "
    "WHERE tenant = %s AND entries > 0"
)
_RANKED = ranking(_BOOK, "entry_postings", "shelf, id")
_PUT = (
    f"INSERT INTO entries (tenant, {ENTRY_WRITTEN}, length) "
    "VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (tenant, shelf, id) DO UPDATE SET "
    "scope = excluded.scope, parent = excluded.parent, state = excluded.state, at = excluded.at, "
    "text = excluded.text, body = excluded.body, hash = excluded.hash, length = excluded.length"
)


class PostgresEntries:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def put(self, entry: Entry) -> None:
        self._unindex("shelf = %s AND id = %s", (entry.shelf, entry.id))
        words = terms(entry.text)
        self._transaction.run(_PUT, (self._tenant, *entry_values(entry), len(words)))
        index_entries(self._transaction, self._tenant, [(entry.shelf, entry.id, words)])

    def get(self, shelf: str, id: str) -> Entry | None:
        found = one(
            self._transaction.rows(
                f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE e.tenant = %s AND e.shelf = %s AND e.id = %s",
                (self._tenant, shelf, id),
            )
        )
        return None if found is None else entry_of(found)

    def ids(self, shelf: str, beginning: str, limit: int) -> tuple[str, ...]:
        rows = self._transaction.rows(
            "SELECT e.id FROM entries AS e WHERE e.tenant = %s AND e.shelf = %s AND starts_with(e.id, %s) "
            'ORDER BY e.id COLLATE "C" LIMIT %s',
            (self._tenant, shelf, beginning, limit),
        )
        return tuple(str(row[0]) for row in rows)

    def page(self, wanted: EntryFilter, limit: int, *, newest_first: bool = True, offset: int = 0) -> tuple[Entry, ...]:
        condition, values = where(wanted, self._tenant)
        direction = "DESC" if newest_first else "ASC"
        rows = self._transaction.rows(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE {condition} "
            f"ORDER BY e.at {direction}, e.id {direction} LIMIT %s OFFSET %s",
            (*values, limit, offset),
        )
        return tuple(entry_of(row) for row in rows)

    def count(self, wanted: EntryFilter) -> int:
        condition, values = where(wanted, self._tenant)
        return number(self._transaction.rows(f"SELECT count(*) FROM entries AS e WHERE {condition}", values))

    def matching(self, wanted: EntryFilter, terms: Sequence[str], limit: int) -> tuple[Entry, ...]:
        sent = sendable(terms)
        if not sent:
            return ()
        condition, values = where(wanted, self._tenant)
        rows = self._transaction.rows(
            f"{_RANKED} SELECT {ENTRY_COLUMNS} FROM ranked AS r JOIN entries AS e ON e.shelf = r.shelf AND e.id = r.id "
            f"WHERE {condition} ORDER BY r.score DESC, e.at, e.id LIMIT %s",
            (self._tenant, self._tenant, sent, *values, limit),
        )
        return tuple(entry_of(row) for row in rows)

    def passages(
        self, wanted: Sequence[EntryFilter], terms: Sequence[str], limit: int
    ) -> tuple[tuple[Entry, TermCounts], ...]:
        sent = sendable(terms)
        if not sent or not wanted:
            return ()
        conditions = [where(each, self._tenant) for each in wanted]
        either = " OR ".join(f"({condition})" for condition, _ in conditions)
        rows = self._transaction.rows(
            f"{_RANKED} SELECT {ENTRY_COLUMNS} FROM ranked AS r JOIN entries AS e ON e.shelf = r.shelf AND e.id = r.id "
            f"WHERE e.tenant = %s AND ({either}) ORDER BY r.score DESC, e.at, e.id LIMIT %s",
            (
                *(self._tenant, self._tenant, sent, self._tenant),
                *(value for _, values in conditions for value in values),
                limit,
            ),
        )
        found = [entry_of(row) for row in rows]
        counts = self.term_counts(found, terms)
        return tuple((each, counts[each.shelf, each.id]) for each in found)

    def term_counts(self, entries: Sequence[Entry], terms: Sequence[str]) -> dict[tuple[str, str], TermCounts]:
        if not entries:
            return {}
        rows = self._transaction.rows(
            "SELECT e.shelf, e.id, e.length, p.term, p.count FROM unnest(%s::text[], %s::text[]) AS x (shelf, id) "
            "JOIN entries AS e ON e.tenant = %s AND e.shelf = x.shelf AND e.id = x.id "
            "LEFT JOIN entry_postings AS p ON p.tenant = e.tenant AND p.shelf = e.shelf AND p.id = e.id "
            "AND p.term = ANY(%s::text[]) WHERE e.length > 0",
            ([each.shelf for each in entries], [each.id for each in entries], self._tenant, sendable(terms)),
        )
        lengths = {(shelf, id): length for shelf, id, length, _, _ in rows}
        counts = {(shelf, id, term): count for shelf, id, _, term, count in rows}
        return {
            key: TermCounts(tuple(counts.get((*key, term), 0) for term in terms), length)
            for key, length in lengths.items()
        }

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        rows = self._transaction.rows(
            "SELECT term, count(*) FROM entry_postings WHERE tenant = %s AND term = ANY(%s::text[]) GROUP BY term",
            (self._tenant, sendable(terms)),
        )
        known: dict[str, int] = dict(rows)
        total = number(
            self._transaction.rows(
                "SELECT coalesce(sum(entries), 0)::bigint FROM entry_counts WHERE tenant = %s AND space = ''",
                (self._tenant,),
            )
        )
        return [known.get(term, 0) for term in terms], total

    def holding(self, wanted: EntryFilter, terms: Sequence[str]) -> tuple[Entry, ...]:
        distinct = set(terms)
        sent = sendable(sorted(distinct))
        if not sent or len(sent) < len(distinct):
            return ()
        condition, values = where(wanted, self._tenant)
        rows = self._transaction.rows(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE {condition} AND (e.shelf, e.id) IN ("
            "SELECT p.shelf, p.id FROM entry_postings AS p WHERE p.tenant = %s AND p.term = ANY(%s::text[]) "
            "GROUP BY p.shelf, p.id HAVING count(*) = %s)",
            (*values, self._tenant, sent, len(sent)),
        )
        return tuple(entry_of(row) for row in rows)

    def remove(self, shelf: str, id: str) -> bool:
        return bool(self._drop("shelf = %s AND id = %s", (shelf, id)))

    def remove_children(self, parent: str) -> int:
        return self._drop("parent = %s", (parent,))

    def next_in(self, sequence: str) -> int:
        return number(
            self._transaction.changed(
                "INSERT INTO sequences AS s (tenant, name, last) VALUES (%s, %s, 1) "
                "ON CONFLICT (tenant, name) DO UPDATE SET last = s.last + 1 RETURNING last",
                (self._tenant, sequence),
            )
        )

    def _drop(self, condition: str, values: tuple[str, ...]) -> int:
        self._unindex(condition, values)
        return self._transaction.run(f"DELETE FROM entries WHERE tenant = %s AND {condition}", (self._tenant, *values))

    def _unindex(self, condition: str, values: tuple[str, ...]) -> None:
        """Take away the words of the entries, and what is known of how many there are."""
        which = f"SELECT shelf, id, length FROM entries WHERE tenant = %s AND {condition}"
        self._transaction.run(
            f"DELETE FROM entry_postings WHERE tenant = %s AND (shelf, id) IN (SELECT shelf, id FROM ({which}) AS x)",
            (self._tenant, self._tenant, *values),
        )
        self._transaction.run(
            "UPDATE tenants AS t SET entries = t.entries - x.entries, entry_length = t.entry_length - x.length FROM "
            "(SELECT count(*) FILTER (WHERE length > 0) AS entries, coalesce(sum(length), 0) AS length "
            f"FROM ({which}) AS y) AS x WHERE t.tenant = %s AND x.entries > 0",
            (self._tenant, *values, self._tenant),
        )


def index_entries(transaction: Transaction, tenant: str, entries: Sequence[tuple[str, str, list[str]]]) -> None:
    """The words of entries that have none yet: shelf, id and terms of each."""
    said = [(shelf, id, words) for shelf, id, words in entries if words]
    if not said:
        return
    rows = [
        (tenant, term, shelf, id, count, len(words))
        for shelf, id, words in said
        for term, count in Counter(words).items()
    ]
    transaction.run(
        "INSERT INTO entry_postings SELECT * FROM "
        "unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::integer[], %s::integer[])",
        columns_of(rows, 6),
    )
    transaction.run(
        "INSERT INTO tenants AS t (tenant, entries, entry_length) VALUES (%s, %s, %s) ON CONFLICT (tenant) "
        "DO UPDATE SET entries = t.entries + excluded.entries, entry_length = t.entry_length + excluded.entry_length",
        (tenant, len(said), sum(len(words) for _, _, words in said)),
    )


def examine_entries(transaction: OpenTransaction) -> Iterator[Finding]:
    """Whether every entry is as it was written, and found by the words it has."""
    from commonplace.store.findings import of_entries  # for doctor only

    count, changed, unfound = 0, [], 0
    rows = transaction.stream(
        "SELECT e.hash, e.length, ARRAY(SELECT p.term || ' ' || p.count FROM entry_postings AS p "
        "WHERE p.tenant = e.tenant AND p.shelf = e.shelf AND p.id = e.id ORDER BY p.term), "
        f"{ENTRY_COLUMNS} FROM entries AS e"
    )
    for hash, length, indexed, *columns in rows:
        entry = entry_of(tuple(columns))
        words = terms(entry.text)
        count += 1
        unfound += length != len(words) or indexed != [f"{term} {n}" for term, n in sorted(Counter(words).items())]
        if entry_hash(entry) != hash:
            changed.append(entry.id)
    yield of_entries(count, changed, unfound)


def rebuild_entry_words(transaction: OpenTransaction) -> None:
    """The word index of the shelves, made again from the entries."""
    transaction.run("DELETE FROM entry_postings")
    transaction.run("UPDATE tenants SET entries = 0, entry_length = 0")
    rows = transaction.rows("SELECT tenant, shelf, id, text FROM entries ORDER BY tenant, shelf, id")
    for tenant, shelf, id, text in rows:
        words = terms(text)
        transaction.run(
            "UPDATE entries SET length = %s WHERE tenant = %s AND shelf = %s AND id = %s",
            (len(words), tenant, shelf, id),
        )
        index_entries(transaction, tenant, [(shelf, id, words)])


def where(wanted: EntryFilter, tenant: str) -> tuple[str, list[object]]:
    """The condition on `entries AS e`, with its values."""
    parts = ["e.tenant = %s", "e.shelf = %s"]
    values: list[object] = [tenant, wanted.shelf]
    for column, chosen in (("e.scope", wanted.scopes), ("e.state", wanted.states)):
        if chosen:
            parts.append(f"{column} = ANY(%s::text[])")
            values.append(list(chosen))
    for condition, given in entry_conditions(wanted, MARK):
        parts.append(condition)
        values += given
    return " AND ".join(parts), values
