"""Several models in one book: each memory has a vector in the space of every model that reads it.

To the engine they are one embedder in one space. Its vectors are those of its parts, one after another, and are kept
apart: a part that is added later finds the others' vectors where they were. What two texts have in common is the mean
over the parts that can read both, on the scale of the first part. Between an English question and a memory in another
language the share for other languages counts more: to an English model they are far apart whatever they say.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.ports import (
    BYTES_PER_NUMBER,
    Calibration,
    Embedder,
    Match,
    Space,
    Store,
    Tokens,
    Unit,
    Upkeep,
    Vector,
    Vectors,
    is_blank,
)

ACROSS = 3.0
"""How much the share for other languages counts beside an English model for a question in English: chosen on memories
in ten languages, alone and among fourteen hundred English ones."""


class JoinedEmbedder:
    """Models side by side, the one that counts most first. A text that none of them reads has a blank vector.

    `shares` are those two of them that have the texts in other languages and the texts in English.
    """

    def __init__(self, parts: Sequence[Embedder], shares: tuple[Embedder, Embedder] | None = None) -> None:
        self.parts = tuple(parts)
        self._shares = shares
        spaces = [part.space for part in self.parts]
        named = [(space.model.partition(":")[0], space.revision, space.runtime) for space in spaces]
        # Each model once, however many shares of it there are; how many numbers there are in all tells those apart.
        model, revision, runtime = map("+".join, zip(*dict.fromkeys(named), strict=True))
        self._space = Space(model, revision, runtime, sum(space.dimensions for space in spaces))

    @property
    def space(self) -> Space:
        return self._space

    @property
    def calibration(self) -> Calibration:
        return self.parts[0].calibration

    @property
    def uses_network(self) -> bool:
        return any(part.uses_network for part in self.parts)

    def weights(self, asked: Collection[Space]) -> dict[Space, float]:
        """How much each of the spaces counts that a question was asked in: in English it is not asked in all."""
        weights = dict.fromkeys(asked, 1.0)
        if self._shares is not None and self._shares[1].space not in asked:
            weights[self._shares[0].space] = ACROSS
        return weights

    def passed_over(self, spaces: Collection[Space]) -> Space | None:
        """The share for English, where a text that is no question has vectors in these spaces, is in English, and
        another model knows English better: what two English texts have in common, that one says alone."""
        if self._shares is None:
            return None
        others, english = (share.space for share in self._shares)
        return english if english in spaces and others not in spaces and len(spaces) > 1 else None

    def second_opinion(self, vectors: Vectors, vector: Vector, likeness: Mapping[int, float]) -> dict[int, float]:
        """How many log-odds more relevant than the first model the one of many languages finds what is in English.

        `likeness` is what the first one finds. Nothing for a question in another language, in whose likeness the
        model of many languages has its say already.
        """
        if self._shares is None:
            return {}
        others, english = self._shares
        asked = {part.space: each for part, each in in_parts(self, vector)}
        if is_blank(asked[others.space]) or not is_blank(asked[english.space]):
            return {}
        first, second = self.calibration.relevance, english.calibration.relevance
        close = vectors.similarity(asked[others.space], english.space, list(likeness))
        return {number: second.logit(cosine) - first.logit(likeness[number]) for number, cosine in close.items()}

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        of_parts = [part.embed(texts) for part in self.parts]
        return [b"".join(vectors) for vectors in zip(*of_parts, strict=True)]

    def embed_query(self, text: str) -> Vector:
        return b"".join(part.embed_query(text) for part in self.parts)


def parts_of(embedder: Embedder | None) -> tuple[Embedder, ...]:
    """The models whose vectors the book keeps: those that are joined, or the one there is, or none."""
    if embedder is None:
        return ()
    return embedder.parts if isinstance(embedder, JoinedEmbedder) else (embedder,)


def in_parts(embedder: Embedder, vector: Vector) -> list[tuple[Embedder, Vector]]:
    """A vector that an embedder made, model by model, each with its own."""
    found, start = [], 0
    for part in parts_of(embedder):
        end = start + BYTES_PER_NUMBER * part.space.dimensions
        found.append((part, vector[start:end]))
        start = end
    return found


class JoiningStore:
    """A store whose units know the space of joined models and keep what lies in it part by part."""

    def __init__(self, store: Store, joined: JoinedEmbedder) -> None:
        self._store = store
        self._joined = joined

    @property
    def upkeep(self) -> Upkeep:
        return self._store.upkeep

    @property
    def tokens(self) -> Tokens:
        return self._store.tokens

    @contextmanager
    def reading(self, tenant: str) -> Iterator[Unit]:
        with self._store.reading(tenant) as unit:
            yield cast(Unit, _Unit(unit, self._joined))

    @contextmanager
    def writing(self, tenant: str) -> Iterator[Unit]:
        with self._store.writing(tenant) as unit:
            yield cast(Unit, _Unit(unit, self._joined))

    def best_effort(self, tenant: str, patience_seconds: float) -> AbstractContextManager[Unit]:
        return self._store.best_effort(tenant, patience_seconds)  # for counters, which have no vectors

    def close(self) -> None:
        self._store.close()


class _Unit:
    """One transaction, with its vectors part by part."""

    def __init__(self, unit: Unit, joined: JoinedEmbedder) -> None:
        self._unit = unit
        self.vectors = JoinedVectors(unit.vectors, joined)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._unit, name)


class JoinedVectors:
    """Vectors in the joined space; those in any other are the store's own matter."""

    def __init__(self, vectors: Vectors, joined: JoinedEmbedder) -> None:
        self._vectors = vectors
        self._joined = joined

    def put(self, number: int, space: Space, vector: Vector) -> None:
        for each, part in self._apart(space, vector):
            self._vectors.put(number, each, part)

    def nearest(self, vector: Vector, space: Space, filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        if space != self._joined.space:
            return self._vectors.nearest(vector, space, filter, now, limit)
        found = {
            features.number: features
            for each, part in self._readable(vector)
            for features, _ in self._vectors.nearest(part, each, filter, now, limit)
        }
        close = self.similarity(vector, space, list(found))
        best = sorted(close.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return tuple((found[number], cosine) for number, cosine in best)

    def similarity(self, vector: Vector, space: Space, numbers: Sequence[int]) -> dict[int, float]:
        if space != self._joined.space:
            return self._vectors.similarity(vector, space, numbers)
        asked = dict(self._readable(vector))
        weights = self._joined.weights(asked)
        sums: dict[int, float] = {}
        shares: dict[int, float] = {}
        for part in self._joined.parts:
            if part.space in asked:
                weight, scale = weights[part.space], part.calibration.relevance
                for number, cosine in self._vectors.similarity(asked[part.space], part.space, numbers).items():
                    sums[number] = sums.get(number, 0.0) + weight * scale.logit(cosine)
                    shares[number] = shares.get(number, 0.0) + weight
        scale = self._joined.calibration.relevance
        return {number: scale.midpoint + scale.width * total / shares[number] for number, total in sums.items()}

    def of(self, numbers: Sequence[int], space: Space) -> dict[int, Vector]:
        """As in any space; of a memory that lacks one of the parts, none."""
        of_parts = [self._vectors.of(numbers, each) for each in self._spaces(space)]
        whole = set(numbers).intersection(*of_parts)
        return {number: b"".join(part[number] for part in of_parts) for number in whole}

    def missing(self, space: Space, limit: int) -> tuple[Memory, ...]:
        """As in any space: whoever lacks one of the parts."""
        of_parts = (self._vectors.missing(each, limit) for each in self._spaces(space))
        found = {memory.number: memory for part in of_parts for memory in part}
        return tuple(found[number] for number in sorted(found))[:limit]

    def count_missing(self, space: Space) -> int:
        """As in any space: of the part that the most lack, so that it is 0 only if nobody lacks any."""
        return max(self._vectors.count_missing(each) for each in self._spaces(space))

    def counts(self) -> dict[str, int]:
        return self._vectors.counts()

    def drop_space(self, name: str) -> int:
        return self._vectors.drop_space(name)

    def _spaces(self, space: Space) -> list[Space]:
        return [part.space for part in self._joined.parts] if space == self._joined.space else [space]

    def _apart(self, space: Space, vector: Vector) -> Iterator[tuple[Space, Vector]]:
        start = 0
        for each in self._spaces(space):
            end = start + BYTES_PER_NUMBER * each.dimensions
            yield each, vector[start:end]
            start = end

    def _readable(self, vector: Vector) -> list[tuple[Space, Vector]]:
        found = [(each, part) for each, part in self._apart(self._joined.space, vector) if not is_blank(part)]
        passed_over = self._joined.passed_over([each for each, _ in found])
        return [(each, part) for each, part in found if each != passed_over]
