"""An embedder that needs no model: words and letter triples hashed into a small vector, for tests."""

import math
import re
import struct
from collections.abc import Iterator, Sequence
from hashlib import blake2b

from commonplace.domain.rank import Scale
from commonplace.ports import Calibration, Space, Vector

DEFAULT_DIMENSIONS = 64
WORD_WEIGHT = 1.0
TRIGRAM_WEIGHT = 0.3
"""A word counts more than any triple of its letters, which only lets inflections meet."""

CALIBRATION = Calibration(relevance=Scale(midpoint=0.3, width=0.1), near=0.95)
"""Set, not measured: one rare word in common begins to count, nothing but the same words is the same."""

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Deterministic everywhere; texts that share words are similar."""

    uses_network = False

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        self._space = Space("hashing", "1", "python", dimensions)

    @property
    def space(self) -> Space:
        return self._space

    @property
    def calibration(self) -> Calibration:
        return CALIBRATION

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> Vector:
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        components = [0.0] * self._space.dimensions
        for feature, weight in _features(text):
            digest = blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
            number = int.from_bytes(digest, "little")
            sign = 1.0 if number & 1 else -1.0
            components[(number >> 1) % len(components)] += sign * weight
        return _unit(components)


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.lower()):
        yield word, WORD_WEIGHT
        marked = f"<{word}>"
        for begin in range(len(marked) - 2):
            yield marked[begin : begin + 3], TRIGRAM_WEIGHT


def _unit(components: list[float]) -> Vector:
    length = math.hypot(*components)
    if length == 0.0:
        # A text without words, or one whose features cancel out, still has a direction.
        components, length = [1.0, *components[1:]], 1.0
    return struct.pack(f"<{len(components)}e", *(component / length for component in components))
