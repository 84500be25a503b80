"""The word index: postings of terms that commonplace.text made, scored by BM25 as FTS5 scores them."""

from collections.abc import Sequence

from commonplace.ports import Match, TermCounts
from commonplace.query import Features, Filter
from commonplace.rank import BM25_B, BM25_K1
from commonplace.store.postgres.rows import MEMORY_SOURCE, where
from commonplace.store.postgres.transaction import Transaction
from commonplace.store.rows import FEATURE_COLUMNS

# As if there were this many texts of usual length that say nothing: see 002_words.sql of the other engine.
BACKGROUND = 256
BACKGROUND_LENGTH = 16
LEAST_RARITY = 1e-6  # a word that most memories have still counts for a little, as in FTS5

# Scores are added up as whole numbers: the sum is then the same in whatever order the rows come, and
# memories that say the same tie, as they do in FTS5.
_SCALE = 1e12

_BOOK = (
    f"SELECT {BACKGROUND} + coalesce(sum(memories), 0) AS texts, "
    f"{BACKGROUND * BACKGROUND_LENGTH} + coalesce(sum(length), 0) AS length FROM tenants WHERE tenant = %s"
)
_RANKED = f"""
WITH book AS ({_BOOK}),
found AS MATERIALIZED (
    SELECT term, number, count, length FROM postings WHERE tenant = %s AND term = ANY(%s::text[])
),
rarity AS (
    SELECT term, greatest({LEAST_RARITY}, ln(((SELECT texts FROM book) - count(*) + 0.5) / (count(*) + 0.5)))::float8
        AS weight FROM found GROUP BY term
),
ranked AS (
    SELECT number, (sum((weight * ((count * {BM25_K1 + 1}) / (count + {BM25_K1} * ({1 - BM25_B} + {BM25_B} *
        length / (SELECT (length / texts)::float8 FROM book)))) * {_SCALE})::bigint) / {_SCALE})::float8 AS score
    FROM found JOIN rarity USING (term) GROUP BY number
)
"""


class PostgresWords:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def matching(self, terms: Sequence[str], filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        wanted = _sendable(terms)
        if not wanted:
            return ()
        condition, values = where(filter, self._tenant, now)
        # Best first before the rows are fetched, so that only those are that the limit has room for.
        rows = self._transaction.rows(
            f"{_RANKED} SELECT r.score, {FEATURE_COLUMNS} FROM ranked AS r JOIN {MEMORY_SOURCE} ON m.number = r.number "
            f"WHERE {condition} ORDER BY r.score DESC, r.number LIMIT %s",
            (self._tenant, self._tenant, wanted, *values, limit),
        )
        return tuple((Features(*row), score) for score, *row in rows)

    def counts(self, terms: Sequence[str], numbers: Sequence[int]) -> dict[int, TermCounts]:
        lengths = self._transaction.rows(
            "SELECT number, length FROM memories WHERE tenant = %s AND number = ANY(%s::bigint[])",
            (self._tenant, list(numbers)),
        )
        found = self._transaction.rows(
            "SELECT number, term, count FROM postings "
            "WHERE tenant = %s AND term = ANY(%s::text[]) AND number = ANY(%s::bigint[])",
            (self._tenant, _sendable(terms), list(numbers)),
        )
        counts = {(number, term): count for number, term, count in found}
        return {
            number: TermCounts(tuple(counts.get((number, term), 0) for term in terms), length)
            for number, length in lengths
        }

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        rows = self._transaction.rows(
            "SELECT term, count(*) FROM postings WHERE tenant = %s AND term = ANY(%s::text[]) GROUP BY term",
            (self._tenant, _sendable(terms)),
        )
        known: dict[str, int] = dict(rows)
        book = self._transaction.rows(_BOOK, (self._tenant,))
        return [known.get(term, 0) for term in terms], int(book[0][0]) if book else BACKGROUND


def _sendable(terms: Sequence[str]) -> list[str]:
    """PostgreSQL has no text with a zero byte in it, so nothing can match one."""
    return [term for term in terms if term and "\x00" not in term]
