"""Memories that say nearly the same: those near one text, and groups of them in a whole book.

Likeness is on one scale for words and meaning: from `near.NEAR` on, two texts count as near.
Texts that differ in substance (a number, a date, a negation) are never alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from sys import intern

from commonplace import deadline
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.ports import Embedder, Unit, Vector, is_blank
from commonplace.text import nearness, query_terms, terms

SCAN_LIMIT = 64
NEIGHBOURS = 10
AT_ODDS_OVERLAP = 0.6  # below `near.WORDS_NEAR`: of a short sentence, one telling word is a large share
REPORT_EVERY = 1_000

Pairs = dict[tuple[int, int], float]
"""How alike two memories are, by their numbers, the lower first."""


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
    least: float = nearness.NEAR
    neighbours: int = NEIGHBOURS


def alike(unit: Unit, search: Search, text: str, vector: Vector | None) -> list[Near]:
    """Memories near a text, nearest first."""
    written = terms(text)
    words = frozenset(written)
    found: dict[int, float] = {}
    sharing = unit.sketches.sharing(nearness.sketch(written), search.filter, search.now, SCAN_LIMIT)
    for number, other in deadline.each(sharing):
        likeness = nearness.likeness(nearness.overlap(words, terms(other)), nearness.WORDS_NEAR)
        if likeness >= search.least and nearness.same_substance(text, other):
            found[number] = likeness
    memories = unit.memories.by_numbers(list(found))
    for memory, cosine in deadline.each(_near_in_meaning(unit, search, vector)):
        likeness = max(cosine, found.get(memory.number, 0.0))
        if (
            likeness >= search.least
            and nearness.overlap(words, terms(memory.text)) >= nearness.VECTORS_NEAR_OVERLAP
            and (memory.number in found or nearness.same_substance(text, memory.text))
        ):
            found[memory.number], memories[memory.number] = likeness, memory
    nearest = (Near(memories[number], round(likeness, 4)) for number, likeness in found.items())
    return sorted(nearest, key=lambda item: (-item.similarity, item.memory.number))


def _near_in_meaning(unit: Unit, search: Search, vector: Vector | None) -> Iterator[tuple[Memory, float]]:
    """The memories whose vectors are the nearest, and how alike that makes them."""
    embedder = search.embedder
    if vector is None or embedder is None or is_blank(vector):
        return
    matches = unit.vectors.nearest(vector, embedder.space, search.filter, search.now, search.neighbours)
    memories = unit.memories.by_numbers([features.number for features, _ in matches])
    for features, cosine in matches:
        if features.number in memories:
            yield memories[features.number], nearness.likeness(cosine, embedder.calibration.near)


def at_odds(unit: Unit, filter: Filter, now: int, text: str, topic: str | None) -> list[Memory]:
    """Memories that differ from a text in substance although they are on its topic or say it with the same words."""
    words = frozenset(terms(text))
    matches = unit.words.matching(query_terms(text), filter, now, SCAN_LIMIT)
    on_topic = {features.number for features in unit.memories.by_topic(filter, now, [topic] if topic else [])}
    found = unit.memories.by_numbers(sorted(on_topic | {features.number for features, _ in matches}))
    return [
        memory
        for number, memory in deadline.each(sorted(found.items()))
        if (number in on_topic or nearness.overlap(words, terms(memory.text)) >= AT_ODDS_OVERLAP)
        and not nearness.same_substance(text, memory.text)
    ]


def groups(unit: Unit, search: Search) -> tuple[list[Group], int]:
    """Every group of near memories, the closest first, and how many near pairs there are in all."""
    memories: dict[int, Memory] = {}
    by_meaning: Pairs = {}
    for memory, vector in deadline.each(_with_vectors(unit, search)):
        memories[memory.number] = memory
        if vector is not None:
            _add_near(by_meaning, memory, alike(unit, search, memory.text, vector))
    pairs = _pairs_by_words(list(memories.values()), search.least, lambda done: None)
    for pair, similarity in by_meaning.items():
        pairs[pair] = max(similarity, pairs.get(pair, 0.0))
    return _grouped(memories, pairs), len(pairs)


def groups_by_words(
    memories: Sequence[Memory], least: float = nearness.NEAR, report: Callable[[int], None] = lambda done: None
) -> list[Group]:
    """The groups among memories at hand, by their words alone; `report` hears how many have been compared."""
    return _grouped({memory.number: memory for memory in memories}, _pairs_by_words(memories, least, report))


def _pairs_by_words(memories: Sequence[Memory], least: float, report: Callable[[int], None]) -> Pairs:
    """Near pairs among those whose sketches share a key: each with the newest of its scope that have the key."""
    words = [frozenset(map(intern, terms(memory.text))) for memory in deadline.each(memories)]
    sharing: dict[int, dict[Scope, list[int]]] = {}
    keys = []
    for place, memory in enumerate(deadline.each(memories)):
        keys.append(nearness.sketch(terms(memory.text)))
        for key in keys[-1]:
            sharing.setdefault(key, {}).setdefault(memory.scope, []).append(place)
    # A key that half the book shares says little, and each with each would take for ever: a few of the newest do.
    newest = {
        key: [place for places in by_scope.values() for place in places[-SCAN_LIMIT:]]
        for key, by_scope in sharing.items()
    }
    pairs: Pairs = {}
    for place, memory in enumerate(deadline.each(memories)):
        if place % REPORT_EVERY == 0:
            report(place)
        own = words[place]
        for other in {each for key in keys[place] for each in newest[key]}:
            if other != place and _may_be_near(own, words[other], least):
                first, second = sorted((memory.number, memories[other].number))
                if (first, second) not in pairs:
                    likeness = nearness.likeness(nearness.overlap(own, words[other]), nearness.WORDS_NEAR)
                    if likeness >= least and nearness.same_substance(memory.text, memories[other].text):
                        pairs[first, second] = round(likeness, 4)
    return pairs


def _may_be_near(a: frozenset[str], b: frozenset[str], least: float) -> bool:
    """Whether two sets of terms are of such sizes that they could share enough: cheaper than to look."""
    small, large = sorted((len(a), len(b)))
    return bool(large) and nearness.likeness(small / large, nearness.WORDS_NEAR) >= least


def _add_near(pairs: Pairs, memory: Memory, others: Sequence[Near]) -> None:
    for other in others:
        if other.memory.number != memory.number:
            first, second = sorted((memory.number, other.memory.number))
            pairs[first, second] = max(other.similarity, pairs.get((first, second), 0.0))


def _grouped(memories: Mapping[int, Memory], pairs: Pairs) -> list[Group]:
    """Whoever is near to somebody, with everybody they are near to, directly or through others."""
    leader: dict[int, int] = {}

    def lead(number: int) -> int:
        while leader.setdefault(number, number) != number:
            leader[number] = leader[leader[number]]
            number = leader[number]
        return number

    for first, second in pairs:
        leader[lead(first)] = lead(second)
    members: dict[int, list[int]] = {}
    for number in sorted(leader):
        members.setdefault(lead(number), []).append(number)
    own: dict[int, list[float]] = {}
    for (first, _), similarity in pairs.items():
        own.setdefault(lead(first), []).append(similarity)
    found = [
        Group(tuple(memories[number] for number in numbers), max(own[each]), len(own[each]))
        for each, numbers in members.items()
    ]
    return sorted(found, key=lambda group: (-group.similarity, group.memories[0].number))


def _with_vectors(unit: Unit, search: Search) -> Iterator[tuple[Memory, Vector | None]]:
    from commonplace.engine.paging import memory_pages  # for a whole book only

    for page in memory_pages(unit, search.filter, search.now):
        vectors: dict[int, Vector] = {}
        if search.embedder is not None:
            vectors = unit.vectors.of([memory.number for memory in page], search.embedder.space)
        yield from ((memory, vectors.get(memory.number)) for memory in page)
