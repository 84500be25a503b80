"""The word index: FTS5 over terms that commonplace.text made."""

from collections.abc import Sequence

import apsw

from commonplace.ports import Match
from commonplace.query import Filter
from commonplace.store.sqlite.rows import FEATURE_COLUMNS, features_of, where


class SqliteWords:
    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = tenant

    def matching(self, terms: Sequence[str], filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        if not terms:
            return ()
        condition, values = where(filter, self._tenant, now)
        # Ordering by `rank` lets FTS5 sort by itself, so that rows are only fetched until the limit is full.
        rows = self._connection.execute(
            f"SELECT -words.rank, {FEATURE_COLUMNS} FROM words "
            f"CROSS JOIN memories AS m LEFT JOIN uses AS u ON u.row = m.row "
            f"WHERE words MATCH ? AND m.row = words.rowid AND {condition} ORDER BY words.rank LIMIT ?",
            (expression(terms), *values, limit),
        )
        return tuple(Match(features_of(row[1:]), row[0]) for row in rows)

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        # FTS5 counts the background of the word index too, and so must we.
        total: int = self._connection.execute("SELECT count(*) FROM words").get
        return [self._frequency(term) for term in terms], total

    def _frequency(self, term: str) -> int:
        found: int | None = self._connection.execute("SELECT doc FROM words_vocabulary WHERE term = ?", (term,)).get
        return found or 0


def expression(terms: Sequence[str]) -> str:
    """An FTS5 query of quoted terms, in which nothing can mean anything but itself."""
    return " OR ".join('"' + term.replace('"', '""').replace("\x00", "") + '"' for term in terms)
