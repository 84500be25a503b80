"""The pool of a recall that looks at the book as it stood at a past moment."""

from typing import TYPE_CHECKING

from commonplace import deadline
from commonplace.domain import rank
from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.rank import Features
from commonplace.text import terms, text_key

if TYPE_CHECKING:
    from commonplace.engine.recall import RecallState


def gather_past(working: "RecallState") -> None:
    """The pool of a past moment: each memory as it then stood, by words that are in no index any more."""
    moment = working.query.filter.as_of or 0
    working.memories = {
        memory.number: memory
        for memory in deadline.each(working.unit.log.states_at(moment))
        if working.query.filter.admits(memory, moment)
    }
    words = {one.number: index_terms(one, terms(one.text)).split() for one in deadline.each(working.memories.values())}
    scores = rank.bm25(words, working.terms)
    used = {number: set(found) for number, found in words.items()}
    frequencies = [sum(term in found for found in used.values()) for term in working.terms]
    best = sum(rank.rarities(frequencies, len(words))) or 1.0
    for number, score in scores.items():
        working.candidate(_features(working.memories[number])).word = score / best
    # A vector is of the words that stand now: it can speak only for those that stood then, too.
    remaining = working.unit.memories.by_numbers(list(working.memories)).values()
    same = [memory.number for memory in remaining if memory.text == working.memories[memory.number].text]
    if working.vector is not None and working.embedder is not None:
        close = working.unit.vectors.similarity(working.vector, working.embedder.space, same)
        for number, cosine in sorted(close.items(), key=lambda item: -item[1])[: working.profile.vector_pool]:
            working.candidate(_features(working.memories[number])).cosine = cosine


def _features(memory: Memory) -> Features:
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
    )
