"""The read path beside memories: entries found by words and by meaning, on the same scale of relevance.

Decisions, what was said in conversations and what documents say are entries on shelves. They are gathered, scored and
cut here as memories are; what an entry is, and who may see it, is for whoever asks.
"""

import math
from collections.abc import Iterator, Mapping, Sequence

from commonplace import deadline
from commonplace.domain import rank
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.query import matched_reason
from commonplace.domain.record import Record
from commonplace.domain.shelves import TermCounts
from commonplace.engine.joined import in_parts
from commonplace.engine.recall import AskedQuery
from commonplace.errors import ModelError
from commonplace.ports import Embedder, Unit, Vector, is_blank
from commonplace.text import words_in_common

EMBEDDED_LENGTH = 4_000  # characters; more than any of our models reads
WORD_POOL = 60
NEAR_POOL = 20  # for each shelf
Key = tuple[str, str]
"""An entry by its shelf and its id."""


class EntryHit(Record):
    """An entry that was found: how relevant it is from 0 to 1, and what spoke for it."""

    entry: Entry
    relevance: float
    word_score: float
    vector_score: float | None
    query: str

    @property
    def reason(self) -> str:
        """Why it was found, in words."""
        reasons = matched_reason(words_in_common(self.query, self.entry.text) if self.query else [])
        if self.vector_score is not None:
            reasons.append(f"meaning {self.vector_score:.2f}")
        return "; ".join(reasons) or "matched the date"


def vectors_of(asked: AskedQuery) -> tuple[tuple[Embedder, Vector], ...]:
    """What was asked as vectors, each with the embedder whose space it lies in; none where words have to do."""
    if asked.vector is None or asked.embedder is None:
        return ()
    return tuple((part, vector) for part, vector in in_parts(asked.embedder, asked.vector) if not is_blank(vector))


def embed(embedder: Embedder, entries: Sequence[Entry]) -> list[Vector]:
    """The vectors of entries, outside of any transaction. A model reads the beginning of a long text."""
    return embedder.embed([entry.text[:EMBEDDED_LENGTH] for entry in entries])


def embed_at_once(embedder: Embedder | None, text: str) -> Vector | None:
    """The vector of one thing that is about to be written; None if there is no model, or it fails: then it waits."""
    try:
        return None if embedder is None else embedder.embed([text[:EMBEDDED_LENGTH]])[0]
    except ModelError:
        return None


def find(unit: Unit, asked: AskedQuery, wanted: Sequence[EntryFilter], floor: float) -> list[EntryHit]:
    """The entries that are wanted and at least so relevant, best first; of equals, the newest."""
    entries, counts = _matching(unit, asked, wanted)
    close: list[tuple[Embedder, dict[Key, float]]] = []
    for embedder, vector in vectors_of(asked):
        near = {
            _key(entry): (entry, cosine)
            for each in wanted
            for entry, cosine in unit.entry_vectors.nearest(vector, embedder.space, each, NEAR_POOL)
        }
        known = unit.entry_vectors.similarity(vector, embedder.space, [entries[key] for key in entries.keys() - near])
        close.append((embedder, known | {key: cosine for key, (_, cosine) in near.items()}))
        entries |= {key: entry for key, (entry, _) in near.items()}
    deadline.check()
    words = _word_scores(unit, asked, entries, counts)
    found = [hit for hit in _scored(asked, entries, words, close) if hit.relevance >= floor]
    return sorted(found, key=lambda hit: (-hit.relevance, -hit.entry.at, hit.entry.id))


def _matching(
    unit: Unit, asked: AskedQuery, wanted: Sequence[EntryFilter]
) -> tuple[dict[Key, Entry], dict[Key, TermCounts]]:
    """What has words of the query. If many do, each shelf is asked for its own best: none crowds another out."""
    found = unit.entries.passages(wanted, asked.terms, WORD_POOL)
    if len(found) == WORD_POOL and len(wanted) > 1:
        found = tuple(pair for each in wanted for pair in unit.entries.passages([each], asked.terms, WORD_POOL))
    return {_key(entry): entry for entry, _ in found}, {_key(entry): counted for entry, counted in found}


def _word_scores(
    unit: Unit, asked: AskedQuery, entries: Mapping[Key, Entry], counts: dict[Key, TermCounts]
) -> dict[Key, float]:
    """The share of the best BM25 there is to have, as for memories; how rare a word is, the whole book says."""
    if not asked.terms:
        return {}
    counts |= unit.entries.term_counts([entry for key, entry in entries.items() if key not in counts], asked.terms)
    beside, memories = unit.entries.frequencies(asked.terms), unit.words.frequencies(asked.terms)
    together = [one + other for one, other in zip(beside[0], memories[0], strict=True)]
    rarities = rank.rarities(together, beside[1] + memories[1])
    lengths: dict[str, list[int]] = {}
    for (shelf, _), counted in counts.items():
        lengths.setdefault(shelf, []).append(counted.length)
    usual = {shelf: sum(found) / len(found) or 1.0 for shelf, found in lengths.items()}
    best = sum(rarities)
    return {
        key: rank.in_context(counted, None, None, rarities, usual[key[0]]) / best for key, counted in counts.items()
    }


def _scored(
    asked: AskedQuery,
    entries: Mapping[Key, Entry],
    words: Mapping[Key, float],
    close: Sequence[tuple[Embedder, Mapping[Key, float]]],
) -> Iterator[EntryHit]:
    """Words and meaning as one relevance; where there are several meanings, the one that speaks most for it counts."""
    query = asked.query.text if asked.terms else ""
    for key, entry in entries.items():
        word, cosine = words.get(key, 0.0), None
        logit = rank.fused(word, None, None, asked.profile) if word else -math.inf
        meant = [(embedder, cosines[key]) for embedder, cosines in close if key in cosines]
        if meant:
            scales = [(embedder.calibration.relevance, found) for embedder, found in meant]
            logit, cosine = max((rank.fused(word, found, scale, asked.profile), found) for scale, found in scales)
        yield EntryHit(entry, round(rank.sigmoid(logit), 4), word, cosine, query)


def _key(entry: Entry) -> Key:
    return entry.shelf, entry.id
