"""The pool of a recall that looks at the book as it stood at a past moment."""

from collections.abc import Sequence
from typing import NamedTuple

from commonplace import deadline
from commonplace.domain import rank
from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.query import Filter
from commonplace.domain.rank import Features
from commonplace.ports import Space, Unit, Vector
from commonplace.text import terms, text_key


class PastPool(NamedTuple):
    """The memories as they then stood, by number, with what words and meaning say of those that they find."""

    memories: dict[int, Memory]
    words: dict[int, float]
    cosines: dict[int, float]


def past_pool(
    unit: Unit, filter: Filter, wanted: Sequence[str], vector: tuple[Vector, Space] | None, most: int
) -> PastPool:
    """Each memory as it stood at the filter's moment, by words that are in no index any more."""
    moment = filter.as_of or 0
    memories = {
        memory.number: memory for memory in deadline.each(unit.log.states_at(moment)) if filter.admits(memory, moment)
    }
    words = {one.number: index_terms(one, terms(one.text)).split() for one in deadline.each(memories.values())}
    used = {number: set(found) for number, found in words.items()}
    frequencies = [sum(term in found for found in used.values()) for term in wanted]
    best = sum(rank.rarities(frequencies, len(words))) or 1.0
    scores = {number: score / best for number, score in rank.bm25(words, wanted).items()}
    return PastPool(memories, scores, {} if vector is None else _cosines(unit, memories, *vector, most))


def _cosines(unit: Unit, memories: dict[int, Memory], vector: Vector, space: Space, most: int) -> dict[int, float]:
    """A vector is of the words that stand now: it can speak only for those that stood then, too."""
    remaining = unit.memories.by_numbers(list(memories)).values()
    same = [memory.number for memory in remaining if memory.text == memories[memory.number].text]
    close = unit.vectors.similarity(vector, space, same)
    return dict(sorted(close.items(), key=lambda item: -item[1])[:most])


def features_of(memory: Memory) -> Features:
    """What ranking needs to know of a memory that is at hand."""
    fresh_at = memory.updated_at if memory.confirmed_at is None else memory.confirmed_at
    return Features(
        memory.number,
        memory.provenance.session,
        memory.created_at,
        fresh_at,
        memory.base_confidence,
        memory.importance,
        memory.pinned,
        memory.origin.distrust,
        memory.doubt,
        text_key(memory.text),
        memory.usage.used_at,
        memory.about,
    )
