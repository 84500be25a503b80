"""The word index: FTS5 over terms that commonplace.text made."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import apsw

from commonplace.domain.query import Filter
from commonplace.domain.rank import Features
from commonplace.ports import Match
from commonplace.store.rows import FEATURE_COLUMNS
from commonplace.store.sqlite.memories import where

if TYPE_CHECKING:
    from commonplace.domain.shelves import TermCounts

BACKGROUND = 256  # texts that say nothing, put there by 002_words.sql


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
        return tuple((Features._make(row[1:]), row[0]) for row in rows)

    def counts(self, terms: Sequence[str], numbers: Sequence[int]) -> "dict[int, TermCounts]":
        rows = self._connection.execute(
            "SELECT m.number, substr(m.text, -1) = '?', words.terms FROM json_each(?) AS wanted "
            "CROSS JOIN memories AS m CROSS JOIN words "
            "WHERE m.tenant = ? AND m.number = wanted.value AND words.rowid = m.row",
            (json.dumps(list(numbers)), self._tenant),
        )
        return {number: count_terms(found.split(), terms, bool(asks)) for number, asks, found in rows}

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        # Counting rows would read them all; the last row's key is as good, and the background counts too.
        last: int | None = self._connection.execute("SELECT max(row) FROM memories").get
        rows = self._connection.execute(
            "SELECT v.term, v.doc FROM json_each(?) AS wanted "
            "CROSS JOIN words_vocabulary AS v WHERE v.term = wanted.value",
            (json.dumps(list(terms)),),
        )
        known: dict[str, int] = dict(rows)
        return [known.get(term, 0) for term in terms], BACKGROUND + (last or 0)

    def lead_to(self, number: int, terms: Sequence[str]) -> bool:
        if not terms:
            return True
        found: int | None = self._connection.execute(
            "SELECT 1 FROM memories AS m JOIN words ON words.rowid = m.row "
            "WHERE m.tenant = ? AND m.number = ? AND words MATCH ?",
            (self._tenant, number, expression(terms, "AND")),
        ).get
        return found is not None


def count_terms(words: list[str], terms: Sequence[str], asks: bool = False) -> "TermCounts":
    """How often each term is among the words of a text, which may end as a question."""
    from commonplace.domain.shelves import TermCounts  # for conversations, and for what stands beside memories

    return TermCounts.trusted(tuple(words.count(term) for term in terms), len(words), asks)


def expression(terms: Sequence[str], joined_by: str = "OR") -> str:
    """An FTS5 query of quoted terms, in which nothing can mean anything but itself."""
    return f" {joined_by} ".join('"' + term.replace('"', '""').replace("\x00", "") + '"' for term in terms)
