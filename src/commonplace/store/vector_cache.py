"""Vectors of one tenant and space in memory, for looking through all of them in a few milliseconds.

A cache, never a second truth: the store fills it from the book and follows the book's
changes. Up to a few thousand vectors are compared exactly; beyond that, sign bits pick the
candidates and only those are compared exactly.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from commonplace.ports import Vector

EXACT_LIMIT = 2_048
CANDIDATES = 768
FIRST_CAPACITY = 1_024
_WORD_BITS = 64
_FAR = np.uint16(65_535)


Entry = tuple[int, str, str, Vector]
"""One vector with what a search filters by: number, scope, status, vector."""


class VectorCache:
    """Not thread-safe: the store holds a lock around each use."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._words = -(-dimensions // _WORD_BITS)
        self._slots: dict[int, int] = {}
        self._places: dict[tuple[str, str], int] = {}
        self._allocate(FIRST_CAPACITY)

    def __len__(self) -> int:
        return len(self._slots)

    def put_all(self, entries: Sequence[Entry]) -> None:
        """Add or replace many at once, no number twice. A blank vector has nothing to compare: it is taken out."""
        if not entries:
            return
        numbers, scopes, statuses, given = zip(*entries, strict=True)
        vectors = np.frombuffer(b"".join(given), "<f2").reshape(len(entries), -1)
        bits = vectors.view("<u2")
        compared = bits.any(axis=1)
        for place in np.flatnonzero(~compared):
            self.remove(numbers[place])
        kept = np.flatnonzero(compared)
        if not len(kept):
            return
        if len(kept) < len(entries):
            vectors = vectors[kept]
        self._reserve(len(self._slots) + len(kept))
        slots = np.array([self._slots.setdefault(numbers[place], len(self._slots)) for place in kept])
        self._numbers[slots] = [numbers[place] for place in kept]
        known = self._places
        self._place[slots] = [known.setdefault((scopes[place], statuses[place]), len(known)) for place in kept]
        self._vectors[slots] = vectors
        self._bits[:, slots] = self._sign_bits(vectors).T

    def remove(self, number: int) -> None:
        """Take one out; the last one moves into its place, so that there are no holes."""
        slot = self._slots.pop(number, None)
        if slot is None:
            return
        last = len(self._slots)
        if slot != last:
            moved = int(self._numbers[last])
            for column in (self._numbers, self._place, self._vectors):
                column[slot] = column[last]
            self._bits[:, slot] = self._bits[:, last]
            self._slots[moved] = slot
        self._vectors[last] = 0

    def nearest(
        self, vector: Vector, scopes: Sequence[str], statuses: Sequence[str], limit: int
    ) -> list[tuple[int, float]]:
        """The closest numbers by cosine, best first, from these scopes and of these statuses (any, if none)."""
        query = np.frombuffer(vector, "<f2").astype(np.float32)
        count = len(self._slots)
        allowed = self._allowed(scopes, statuses, count)
        if count <= EXACT_LIMIT:
            slots = np.flatnonzero(allowed)
        else:
            slots = self._candidates(query, allowed, max(CANDIDATES, 4 * limit))
        scores = self._vectors[slots].astype(np.float32) @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(int(self._numbers[slots[i]]), float(scores[i])) for i in best]

    def similarity(self, vector: Vector, numbers: Sequence[int]) -> dict[int, float]:
        """The cosine to each of these memories; those without a vector are left out."""
        known = [(number, self._slots[number]) for number in numbers if number in self._slots]
        if not known:
            return {}
        query = np.frombuffer(vector, "<f2").astype(np.float32)
        scores = self._vectors[[slot for _, slot in known]].astype(np.float32) @ query
        return {number: float(score) for (number, _), score in zip(known, scores, strict=True)}

    def _allowed(self, scopes: Sequence[str], statuses: Sequence[str], count: int) -> NDArray[np.bool_]:
        wanted = [
            code
            for (scope, status), code in self._places.items()
            if scope in scopes and (not statuses or status in statuses)
        ]
        if len(wanted) == len(self._places):
            return np.ones(count, np.bool_)
        return np.isin(self._place[:count], wanted)

    def _candidates(self, query: NDArray[np.float32], allowed: NDArray[np.bool_], wanted: int) -> NDArray[np.intp]:
        """The slots whose sign bits differ least from the query's: at least `wanted` of them if there are."""
        count = len(allowed)
        signs = self._sign_bits(query.astype("<f2")[None, :])[0]
        distance = np.zeros(count, np.uint16)
        for word in range(self._words):
            distance += np.bitwise_count(self._bits[word, :count] ^ signs[word])
        distance[~allowed] = _FAR
        histogram = np.bincount(distance[allowed], minlength=self._dimensions + 1)
        within = np.cumsum(histogram)
        threshold = int(np.searchsorted(within, min(wanted, int(within[-1]))))
        return np.flatnonzero(distance <= threshold)

    def _sign_bits(self, vectors: NDArray[np.float16]) -> NDArray[np.uint64]:
        packed = np.packbits(vectors.view("<i2") > 0, axis=1)  # whole numbers of the same sign, compared much faster
        padded = np.zeros((len(vectors), self._words * 8), np.uint8)
        padded[:, : packed.shape[1]] = packed
        return padded.view(np.uint64)

    def _allocate(self, capacity: int) -> None:
        self._numbers = np.zeros(capacity, np.int64)
        self._place = np.zeros(capacity, np.int32)
        self._vectors = np.zeros((capacity, self._dimensions), np.float16)
        self._bits = np.zeros((self._words, capacity), np.uint64)

    def _reserve(self, needed: int) -> None:
        if needed <= len(self._numbers):
            return
        old = (self._numbers, self._place, self._vectors, self._bits)
        count = len(self._slots)
        self._allocate(max(needed, len(self._numbers) * 3 // 2))
        numbers, place, vectors, bits = old
        self._numbers[:count] = numbers[:count]
        self._place[:count] = place[:count]
        self._vectors[:count] = vectors[:count]
        self._bits[:, :count] = bits[:, :count]
