"""Vectors in the PostgreSQL book: compared exactly while few take part, through HNSW when many do."""

from collections.abc import Sequence
from hashlib import blake2b

from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.rank import Features
from commonplace.ports import Match, Space, Vector, is_blank
from commonplace.store.postgres.memories import MEMORY_SOURCE, where
from commonplace.store.postgres.transaction import Half, Transaction, number, received
from commonplace.store.rows import FEATURE_COLUMNS, MEMORY_COLUMNS, memory_of

EXACT_LIMIT = 20_000
INDEX_STRIDE = 1_000  # how often a growing tenant is looked at, to see whether it has outgrown exact comparison
HNSW_DIMENSIONS = 4_000

_SOURCE = f"vectors AS v JOIN {MEMORY_SOURCE} ON m.tenant = v.tenant AND m.number = v.number"


class PostgresVectors:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant
        self.outgrown: set[tuple[str, int]] = set()

    def put(self, number: int, space: Space, vector: Vector) -> None:
        self._transaction.run(
            "INSERT INTO vectors (tenant, space, number, dimensions, vector) "
            "SELECT tenant, %s, number, %s, %s::halfvec FROM memories WHERE tenant = %s AND number = %s "
            "ON CONFLICT (tenant, space, number) DO UPDATE SET vector = excluded.vector",
            (str(space), space.dimensions, None if is_blank(vector) else Half.of(vector), self._tenant, number),
        )
        if number % INDEX_STRIDE == 0:
            self.outgrown.add((str(space), space.dimensions))

    def nearest(self, vector: Vector, space: Space, filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        if is_blank(vector):
            return ()
        if self._many_take_part(filter) and space.dimensions <= HNSW_DIMENSIONS:
            found = self._nearest_by_index(vector, space, filter, now, limit)
            if len(found) == limit:
                return found
        condition, values = where(filter, self._tenant, now)
        half = Half.of(vector)
        rows = self._transaction.rows(
            f"SELECT -(v.vector <#> %s::halfvec), {FEATURE_COLUMNS} FROM {_SOURCE} "
            f"WHERE v.tenant = %s AND v.space = %s AND v.vector IS NOT NULL AND {condition} "
            "ORDER BY v.vector <#> %s::halfvec, v.number LIMIT %s",
            (half, self._tenant, str(space), *values, half, limit),
        )
        return tuple((Features(*row), score) for score, *row in rows)

    def similarity(self, vector: Vector, space: Space, numbers: Sequence[int]) -> dict[int, float]:
        if is_blank(vector):
            return {}
        rows = self._transaction.rows(
            "SELECT number, -(vector <#> %s::halfvec) FROM vectors "
            "WHERE tenant = %s AND space = %s AND number = ANY(%s::bigint[]) AND vector IS NOT NULL",
            (Half.of(vector), self._tenant, str(space), list(numbers)),
        )
        return dict(rows)

    def of(self, numbers: Sequence[int], space: Space) -> dict[int, Vector]:
        rows = self._transaction.rows(
            "SELECT number, halfvec_send(vector) FROM vectors "
            "WHERE tenant = %s AND space = %s AND number = ANY(%s::bigint[])",
            (self._tenant, str(space), list(numbers)),
        )
        return {each: received(sent, space.dimensions) for each, sent in rows}

    def missing(self, space: Space, limit: int) -> tuple[Memory, ...]:
        rows = self._transaction.rows(
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.tenant = %s AND NOT EXISTS "
            "(SELECT 1 FROM vectors AS v WHERE v.tenant = m.tenant AND v.space = %s AND v.number = m.number) "
            "ORDER BY m.number LIMIT %s",
            (self._tenant, str(space), limit),
        )
        return tuple(memory_of(row) for row in rows)

    def count_missing(self, space: Space) -> int:
        return number(
            self._transaction.rows(
                "SELECT (SELECT count(*) FROM memories WHERE tenant = %s) - "
                "(SELECT count(*) FROM vectors WHERE tenant = %s AND space = %s)",
                (self._tenant, self._tenant, str(space)),
            )
        )

    def counts(self) -> dict[str, int]:
        rows = self._transaction.rows(
            "SELECT space, count(*) FROM vectors WHERE tenant = %s GROUP BY space ORDER BY space", (self._tenant,)
        )
        return dict(rows)

    def drop_space(self, name: str) -> int:
        return self._transaction.run("DELETE FROM vectors WHERE tenant = %s AND space = %s", (self._tenant, name))

    def _many_take_part(self, filter: Filter) -> bool:
        """Counted no further than needed, and not at all in a book that is small."""
        counted = (
            "SELECT count(*) FROM (SELECT 1 FROM memories WHERE tenant = %s AND scope = ANY(%s::text[]) LIMIT %s) AS x"
        )
        rows = self._transaction.rows(
            f"SELECT CASE WHEN memories > %s THEN ({counted}) ELSE 0 END FROM tenants WHERE tenant = %s",
            (EXACT_LIMIT, self._tenant, [str(scope) for scope in filter.scopes], EXACT_LIMIT + 1, self._tenant),
        )
        return number(rows) > EXACT_LIMIT

    def _nearest_by_index(
        self, vector: Vector, space: Space, filter: Filter, now: int, limit: int
    ) -> tuple[Match, ...]:
        """The index goes on looking until enough memories pass the filter (`hnsw.iterative_scan`)."""
        condition, values = where(filter, self._tenant, now)
        half, size = Half.of(vector), f"halfvec({space.dimensions})"
        rows = self._transaction.rows(
            f"SELECT -(v.vector <#> %s::halfvec), {FEATURE_COLUMNS} FROM {_SOURCE} "
            f"WHERE v.tenant = %s AND v.space = %s AND v.vector IS NOT NULL AND {condition} "
            f"ORDER BY v.vector::{size} <=> %s::{size} LIMIT %s",
            (half, self._tenant, str(space), *values, half, limit),
        )
        matches = [(Features(*row), score) for score, *row in rows]
        return tuple(sorted(matches, key=lambda match: (-match[1], match[0].number)))


def index_name(partition: str, space: str) -> str:
    """The name of the HNSW index of a space on one partition of `vectors`."""
    return f"{partition}_near_{blake2b(space.encode(), digest_size=6).hexdigest()}"
