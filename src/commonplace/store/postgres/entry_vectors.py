"""Vectors of the entries that recall looks through beside memories, in the PostgreSQL book: compared exactly."""

from collections.abc import Iterator, Sequence

from commonplace.domain.entries import SEARCHED, Entry, EntryFilter
from commonplace.ports import Finding, Space, Vector, is_blank
from commonplace.store.postgres.entries import where
from commonplace.store.postgres.transaction import Half, OpenTransaction, Transaction, number
from commonplace.store.rows import ENTRY_COLUMNS, entry_of

_SOURCE = "entry_vectors AS v JOIN entries AS e ON e.tenant = v.tenant AND e.shelf = v.shelf AND e.id = v.id"
_COUNTED = (
    "SELECT tenant, scope, shelf, '' AS space, count(*) AS entries FROM entries WHERE text <> '' AND shelf IN "
    f"({', '.join(repr(shelf) for shelf in SEARCHED)}) GROUP BY tenant, scope, shelf UNION ALL "
    "SELECT tenant, scope, shelf, space, count(*) FROM entry_vectors GROUP BY tenant, scope, shelf, space"
)
_ORPHANS = (
    "entry_vectors AS v WHERE NOT EXISTS (SELECT 1 FROM entries AS e WHERE e.tenant = v.tenant AND e.shelf = v.shelf "
    "AND e.id = v.id AND e.scope = v.scope)"
)


class PostgresEntryVectors:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def put(self, entry: Entry, space: Space, vector: Vector) -> None:
        half = None if is_blank(vector) else Half.of(vector)
        self._transaction.run(
            "INSERT INTO entry_vectors (tenant, space, shelf, id, scope, dimensions, vector) "
            "SELECT tenant, %s, shelf, id, scope, %s, %s::halfvec FROM entries "
            "WHERE tenant = %s AND shelf = %s AND id = %s AND text = %s AND text <> '' "
            "ON CONFLICT (tenant, space, shelf, id) DO UPDATE SET vector = excluded.vector",
            (str(space), space.dimensions, half, self._tenant, entry.shelf, entry.id, entry.text),
        )

    def nearest(self, vector: Vector, space: Space, wanted: EntryFilter, limit: int) -> tuple[tuple[Entry, float], ...]:
        if is_blank(vector):
            return ()
        condition, values = where(wanted, self._tenant)
        half = Half.of(vector)
        rows = self._transaction.rows(
            f"SELECT -(v.vector <#> %s::halfvec), {ENTRY_COLUMNS} FROM {_SOURCE} "
            f"WHERE v.tenant = %s AND v.space = %s AND v.shelf = %s AND v.vector IS NOT NULL AND {condition} "
            "ORDER BY v.vector <#> %s::halfvec, e.at, e.id LIMIT %s",
            (half, self._tenant, str(space), wanted.shelf, *values, half, limit),
        )
        return tuple((entry_of(row), score) for score, *row in rows)

    def similarity(self, vector: Vector, space: Space, entries: Sequence[Entry]) -> dict[tuple[str, str], float]:
        if is_blank(vector) or not entries:
            return {}
        rows = self._transaction.rows(
            "SELECT v.shelf, v.id, -(v.vector <#> %s::halfvec) FROM unnest(%s::text[], %s::text[]) AS x (shelf, id) "
            "JOIN entry_vectors AS v ON v.tenant = %s AND v.space = %s AND v.shelf = x.shelf AND v.id = x.id "
            "WHERE v.vector IS NOT NULL",
            (
                Half.of(vector),
                [each.shelf for each in entries],
                [each.id for each in entries],
                self._tenant,
                str(space),
            ),
        )
        return {(shelf, id): cosine for shelf, id, cosine in rows}

    def missing(self, space: Space, limit: int) -> tuple[Entry, ...]:
        rows = self._transaction.rows(
            f"SELECT {ENTRY_COLUMNS} FROM entries AS e WHERE e.tenant = %s AND e.shelf = ANY(%s::text[]) "
            "AND e.text <> '' AND NOT EXISTS (SELECT 1 FROM entry_vectors AS v WHERE v.tenant = e.tenant "
            "AND v.space = %s AND v.shelf = e.shelf AND v.id = e.id) ORDER BY e.at, e.id LIMIT %s",
            (self._tenant, list(SEARCHED), str(space), limit),
        )
        return tuple(entry_of(row) for row in rows)

    def held(self, space: Space | None, scopes: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
        among = "AND scope = ANY(%s::text[]) " if scopes else ""
        rows = self._transaction.rows(
            "SELECT shelf, coalesce(sum(entries) FILTER (WHERE space = ''), 0)::bigint, "
            "coalesce(sum(entries) FILTER (WHERE space = %s), 0)::bigint "
            f"FROM entry_counts WHERE tenant = %s {among}GROUP BY shelf",
            ("-" if space is None else str(space), self._tenant, *((list(scopes),) if scopes else ())),
        )
        return {shelf: (entries, embedded) for shelf, entries, embedded in rows if entries}

    def counts(self) -> dict[str, int]:
        rows = self._transaction.rows(
            "SELECT space, sum(entries)::bigint FROM entry_counts WHERE tenant = %s AND space <> '' "
            "GROUP BY space ORDER BY space",
            (self._tenant,),
        )
        return dict(rows)

    def drop_space(self, name: str) -> int:
        return self._transaction.run("DELETE FROM entry_vectors WHERE tenant = %s AND space = %s", (self._tenant, name))


def examine_entry_vectors(transaction: OpenTransaction) -> Iterator[Finding]:
    """Whether every vector has its entry, and what is kept of how many there are is what there is."""
    from commonplace.store.findings import of_entry_vectors  # for doctor only

    orphans = number(transaction.rows(f"SELECT count(*) FROM {_ORPHANS}"))
    kept = "SELECT tenant, scope, shelf, space, entries FROM entry_counts"
    wrong = number(
        transaction.rows(
            f"SELECT (SELECT count(*) FROM (({_COUNTED}) EXCEPT {kept}) AS x) + "
            f"(SELECT count(*) FROM ({kept} EXCEPT ({_COUNTED})) AS y)"
        )
    )
    yield of_entry_vectors(number(transaction.rows("SELECT count(*) FROM entry_vectors")), orphans, wrong)


def rebuild_entry_counts(transaction: OpenTransaction) -> int:
    """Vectors without their entry go, and everything is counted again; how many went."""
    removed = transaction.run(f"DELETE FROM {_ORPHANS}")
    transaction.run("DELETE FROM entry_counts")
    transaction.run(f"INSERT INTO entry_counts (tenant, scope, shelf, space, entries) {_COUNTED}")
    return removed
