"""How close in meaning what somebody says is to a memory, and how far ahead of every other memory that one is."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from commonplace.book.book import Book
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.errors import ModelError
from commonplace.ports import is_blank

FARTHEST = 12.0
"""In log-odds: how far ahead one is of nothing at all."""


class Closeness(NamedTuple):
    """In log-odds: how surely a text belongs to a memory, and how much more so than to the next one."""

    own: float
    ahead: float


def closeness(
    book: Book, texts: Sequence[str], memory: Memory, among: Filter, beside: Collection[int] = ()
) -> tuple[Closeness, ...] | None:
    """For each text, how close it is to a memory; None where no model can tell.

    It is compared with what the filter admits, but for the memories `beside` it, by their numbers.
    """
    embedder = book.embedder
    if embedder is None:
        return None
    try:
        vectors = [embedder.embed_query(text) for text in texts]
    except ModelError:
        return None
    if any(map(is_blank, vectors)):
        return None
    scale, space = embedder.calibration.relevance, embedder.space
    found = []
    with book.caller.reading() as work:
        filter = work.filter(among)
        for vector in vectors:
            own = work.unit.vectors.similarity(vector, space, [memory.number]).get(memory.number)
            if own is None:
                return None
            nearest = work.unit.vectors.nearest(vector, space, filter, work.now, len(beside) + 2)
            others = [cosine for other, cosine in nearest if other.number not in {memory.number, *beside}]
            ahead = scale.logit(own) - scale.logit(max(others)) if others else FARTHEST
            found.append(Closeness(scale.logit(own), ahead))
    return tuple(found)
