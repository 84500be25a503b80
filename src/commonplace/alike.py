"""Memories that say nearly the same: those near one text, and groups of them in a whole book.

Likeness is on one scale for words and meaning: from `near.NEAR` on, two texts count as near.
Texts that differ in substance (a number, a date, a negation) are never alike.
"""

from collections.abc import Iterator, Sequence

from commonplace import near
from commonplace.memory import Memory
from commonplace.ports import Embedder, Unit, Vector, is_blank
from commonplace.query import PAGE_LIMIT, Filter, Order
from commonplace.record import Record
from commonplace.text import query_terms, terms

SCAN_LIMIT = 64
NEIGHBOURS = 10
AT_ODDS_OVERLAP = 0.6  # below `near.WORDS_NEAR`: of a short sentence, one telling word is a large share


class Near(Record):
    """A known memory that says nearly the same, and how near it is from 0 to 1."""

    memory: Memory
    similarity: float


class Group(Record):
    """Memories that are near each other, oldest first, with their closest pair and how many pairs there are."""

    memories: tuple[Memory, ...]
    similarity: float
    pairs: int


class Search(Record):
    """Where to look for memories alike, and from which likeness on."""

    filter: Filter
    now: int
    embedder: Embedder | None
    least: float = near.NEAR
    neighbours: int = NEIGHBOURS


def alike(unit: Unit, search: Search, text: str, vector: Vector | None) -> list[Near]:
    """Memories near a text, nearest first."""
    words = terms(text)
    found: dict[int, Near] = {}
    for memory in unit.sketches.sharing(near.sketch(words), search.filter, search.now, SCAN_LIMIT):
        _weigh(found, search, text, memory, near.likeness(near.overlap(words, terms(memory.text)), near.WORDS_NEAR))
    if vector is not None and search.embedder is not None and not is_blank(vector):
        embedder = search.embedder
        matches = unit.vectors.nearest(vector, embedder.space, search.filter, search.now, search.neighbours)
        cosines = {features.number: score for features, score in matches}
        for number, memory in unit.memories.by_numbers(list(cosines)).items():
            if near.overlap(words, terms(memory.text)) >= near.VECTORS_NEAR_OVERLAP:
                _weigh(found, search, text, memory, near.likeness(cosines[number], embedder.calibration.near))
    return sorted(found.values(), key=lambda item: (-item.similarity, item.memory.number))


def _weigh(found: dict[int, Near], search: Search, text: str, memory: Memory, likeness: float) -> None:
    known = found.get(memory.number)
    if likeness < search.least or (known is not None and known.similarity >= likeness):
        return
    if known is not None or near.same_substance(text, memory.text):
        found[memory.number] = Near(memory, round(likeness, 4))


def at_odds(unit: Unit, filter: Filter, now: int, text: str, topic: str | None) -> list[Memory]:
    """Memories that differ from a text in substance although they are on its topic or say it with the same words."""
    words = terms(text)
    matches = unit.words.matching(query_terms(text), filter, now, SCAN_LIMIT)
    on_topic = {features.number for features in unit.memories.by_topic(filter, now, [topic] if topic else [])}
    found = unit.memories.by_numbers(sorted(on_topic | {features.number for features, _ in matches}))
    return [
        memory
        for number, memory in sorted(found.items())
        if (number in on_topic or near.overlap(words, terms(memory.text)) >= AT_ODDS_OVERLAP)
        and not near.same_substance(text, memory.text)
    ]


def groups(unit: Unit, search: Search) -> tuple[list[Group], int]:
    """Every group of near memories, the closest first, and how many near pairs there are in all."""
    leader: dict[int, int] = {}
    memories: dict[int, Memory] = {}
    pairs: dict[tuple[int, int], float] = {}

    def lead(number: int) -> int:
        while leader.setdefault(number, number) != number:
            number = leader[number] = leader[leader[number]]
        return number

    for memory, vector in _with_vectors(unit, search):
        for other in alike(unit, search, memory.text, vector):
            if other.memory.number != memory.number:
                first, second = sorted((memory.number, other.memory.number))
                pairs[first, second] = max(other.similarity, pairs.get((first, second), 0.0))
                memories[memory.number], memories[other.memory.number] = memory, other.memory
                leader[lead(first)] = lead(second)
    members: dict[int, list[int]] = {}
    for number in sorted(memories):
        members.setdefault(lead(number), []).append(number)
    found = [_group([memories[number] for number in numbers], pairs) for numbers in members.values()]
    return sorted(found, key=lambda group: (-group.similarity, group.memories[0].number)), len(pairs)


def _group(memories: Sequence[Memory], pairs: dict[tuple[int, int], float]) -> Group:
    numbers = {memory.number for memory in memories}
    own = [similarity for (first, _), similarity in pairs.items() if first in numbers]
    return Group(tuple(memories), max(own), len(own))


def _with_vectors(unit: Unit, search: Search) -> Iterator[tuple[Memory, Vector | None]]:
    cursor: int | None = None
    while True:
        page = unit.memories.page(search.filter, search.now, Order.OLDEST, PAGE_LIMIT, cursor)
        vectors: dict[int, Vector] = {}
        if search.embedder is not None:
            vectors = unit.vectors.of([memory.number for memory in page], search.embedder.space)
        yield from ((memory, vectors.get(memory.number)) for memory in page)
        if len(page) < PAGE_LIMIT:
            return
        cursor = page[-1].number
