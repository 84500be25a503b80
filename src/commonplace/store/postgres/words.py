"""The word index: postings of terms that commonplace.text made, scored by BM25 as FTS5 scores them."""

from collections.abc import Sequence

from commonplace.domain.query import Filter
from commonplace.domain.rank import BM25_B, BM25_K1, Features
from commonplace.domain.shelves import TermCounts
from commonplace.ports import Match
from commonplace.store.postgres.memories import MEMORY_SOURCE, where
from commonplace.store.postgres.transaction import Transaction
from commonplace.store.rows import FEATURE_COLUMNS, Row

# As if there were this many texts of usual length that say nothing: see 002_words.sql of the other engine.
BACKGROUND = 256
BACKGROUND_LENGTH = 16
WIDENING = 4
LEAST_RARITY = 1e-6  # a word that most memories have still counts for a little, as in FTS5

# Scores are added up as whole numbers: the sum is then the same in whatever order the rows come, and
# memories that say the same tie, as they do in FTS5.
_SCALE = 1e12


def _float(value: float) -> str:
    """A constant to be counted with in floating point, which is what PostgreSQL does not do by itself."""
    return f"'{value}'::float8"


def ranking(book: str, postings: str, key: str) -> str:
    """The common table expressions that end in `ranked`: a key and a score for whatever has one of the terms.

    `book` answers with how many texts there are and how long they are together. The statement takes the
    values of `book`, then the tenant and the terms.
    """
    return f"""
        WITH book AS ({book}),
        found AS MATERIALIZED (
            SELECT term, {key}, count::float8 AS count, length::float8 AS length FROM {postings}
            WHERE tenant = %s AND term = ANY(%s::text[])
        ),
        rarity AS (
            SELECT term, greatest({_float(LEAST_RARITY)}, ln(((SELECT texts FROM book) - count(*) + {_float(0.5)})
                / (count(*) + {_float(0.5)}))) AS weight FROM found GROUP BY term
        ),
        ranked AS (
            SELECT {key}, sum((weight * (count * {_float(BM25_K1 + 1)}) / (count + {_float(BM25_K1)} *
                ({_float(1 - BM25_B)} + {_float(BM25_B)} * length / (SELECT length / texts FROM book)))
                * {_float(_SCALE)})::bigint) AS score FROM found JOIN rarity USING (term) GROUP BY {key}
        )
    """


_BOOK = (
    f"SELECT ({BACKGROUND} + coalesce(sum(memories), 0))::float8 AS texts, "
    f"({BACKGROUND * BACKGROUND_LENGTH} + coalesce(sum(length), 0))::float8 AS length FROM tenants WHERE tenant = %s"
)
_RANKED = ranking(_BOOK, "postings", "number")


class PostgresWords:
    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._tenant = transaction.tenant

    def matching(self, terms: Sequence[str], filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        wanted = sendable(terms)
        if not wanted:
            return ()
        rows = self._ranked(wanted, filter, now, limit, WIDENING * limit)
        if len(rows) < limit:  # the filter refused many of the best: look at all of them
            rows = self._ranked(wanted, filter, now, limit, None)
        return tuple((Features(*row), float(score) / _SCALE) for score, *row in rows)

    def _ranked(self, terms: list[str], filter: Filter, now: int, limit: int, reach: int | None) -> list[Row]:
        """The best that the filter admits among the `reach` best there are, so that few rows have to be fetched."""
        condition, values = where(filter, self._tenant, now)
        return self._transaction.rows(
            f"{_RANKED} SELECT r.score, {FEATURE_COLUMNS} "
            "FROM (SELECT number, score FROM ranked ORDER BY score DESC, number LIMIT %s) AS r "
            f"JOIN {MEMORY_SOURCE} ON m.number = r.number WHERE {condition} ORDER BY r.score DESC, r.number LIMIT %s",
            (self._tenant, self._tenant, terms, reach, *values, limit),
        )

    def counts(self, terms: Sequence[str], numbers: Sequence[int]) -> dict[int, TermCounts]:
        lengths = self._transaction.rows(
            "SELECT number, length, right(text, 1) = '?' FROM memories "
            "WHERE tenant = %s AND number = ANY(%s::bigint[])",
            (self._tenant, list(numbers)),
        )
        found = self._transaction.rows(
            "SELECT number, term, count FROM postings "
            "WHERE tenant = %s AND term = ANY(%s::text[]) AND number = ANY(%s::bigint[])",
            (self._tenant, sendable(terms), list(numbers)),
        )
        counts = {(number, term): count for number, term, count in found}
        return {
            number: TermCounts(tuple(counts.get((number, term), 0) for term in terms), length, asks)
            for number, length, asks in lengths
        }

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        rows = self._transaction.rows(
            "SELECT term, count(*) FROM postings WHERE tenant = %s AND term = ANY(%s::text[]) GROUP BY term",
            (self._tenant, sendable(terms)),
        )
        known: dict[str, int] = dict(rows)
        book = self._transaction.rows(_BOOK, (self._tenant,))
        return [known.get(term, 0) for term in terms], int(book[0][0]) if book else BACKGROUND

    def lead_to(self, number: int, terms: Sequence[str]) -> bool:
        wanted = set(sendable(terms))
        found = self._transaction.rows(
            "SELECT count(DISTINCT term) FROM postings WHERE tenant = %s AND number = %s AND term = ANY(%s::text[])",
            (self._tenant, number, list(wanted)),
        )
        return int(found[0][0]) == len(wanted)


def sendable(terms: Sequence[str]) -> list[str]:
    """PostgreSQL has no text with a zero byte in it, so nothing can match one."""
    return [term for term in terms if term and "\x00" not in term]
