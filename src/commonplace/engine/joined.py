"""Several models in one book: each memory has a vector in the space of every model that reads it.

To the engine they are one embedder in one space. Its vectors are those of its parts, one after another, and are kept
apart: a part that is added later finds the others' vectors where they were. What two texts have in common is the mean
over the parts that can read both, on the scale of the first part; but an English question and a memory in another
language are compared by the share for other languages alone, because to an English model they are far apart whatever
they say.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, cast

from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.rank import Scale
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

    def alone(self, asked: Collection[Space]) -> Space | None:
        """The space that needs no other beside it for a question that was asked in these: see above."""
        if self._shares is None or self._shares[1].space in asked:
            return None
        return self._shares[0].space

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
        alone = self._joined.alone(asked)
        close = {} if alone is None else self._logits(asked, alone, numbers)
        means: dict[int, list[float]] = {number: [logit] for number, logit in close.items()}
        rest = [number for number in numbers if number not in close]
        for each in asked:
            if each != alone:
                for number, logit in self._logits(asked, each, rest).items():
                    means.setdefault(number, []).append(logit)
        return {number: _cosine(logits, self._joined.calibration.relevance) for number, logits in means.items()}

    def _logits(self, asked: Mapping[Space, Vector], space: Space, numbers: Sequence[int]) -> dict[int, float]:
        if space not in asked:
            return {}
        (scale,) = (part.calibration.relevance for part in self._joined.parts if part.space == space)
        close = self._vectors.similarity(asked[space], space, numbers)
        return {number: scale.logit(cosine) for number, cosine in close.items()}

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
        return [(each, part) for each, part in self._apart(self._joined.space, vector) if not is_blank(part)]


def _cosine(logits: Sequence[float], scale: Scale) -> float:
    """The cosine on one scale that says as much as several on their own."""
    return scale.midpoint + scale.width * sum(logits) / len(logits)
