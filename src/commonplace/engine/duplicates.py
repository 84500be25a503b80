"""Memories that say nearly the same as a text, or contradict it, and groups of near ones in a whole book.

Likeness is on one scale for words and meaning: from `near.NEAR` on, two texts count as near.
Texts that differ in substance (a number, a date, a negation) or in stance (is so, was so) are never alike.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from sys import intern
from typing import NamedTuple

from commonplace import deadline
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.ports import Embedder, Unit, Vector, is_blank
from commonplace.text import content_terms, nearness, query_terms, terms

SCAN_LIMIT = 64
COMPARED = 5  # memories that are read sentence by sentence for one text, the most alike of those found
RARE_TERMS = 4  # terms by which memories are looked for where there is no model
COMMON = 200  # memories that have a term from which on it is not worth looking for
NEIGHBOURS = 10
AT_ODDS_OVERLAP = 0.6  # below `near.WORDS_NEAR`: of a short sentence, one telling word is a large share
REPORT_EVERY = 1_000

Pairs = dict[tuple[int, int], float]
"""How alike two memories are, by their numbers, the lower first."""


class Near(Record):
    """A known memory that says nearly the same, how near it is from 0 to 1, and whether it `says_all` of the text."""

    memory: Memory
    similarity: float
    says_all: bool = True


class Contradicted(Record):
    """A known memory that a newer text contradicts: why in a few words, and how near it is from 0 to 1."""

    memory: Memory
    reason: str
    similarity: float


class Compared(Record):
    """What is known that a text repeats, and what it contradicts, each the most alike first."""

    near: tuple[Near, ...]
    contradicts: tuple[Contradicted, ...]


class NearCandidate(NamedTuple):
    """A memory that a text is compared with: what it says, what share of their words the two have in common, and how
    alike that and, with a model, their meaning makes them. A tuple: dozens are made for each write."""

    number: int
    text: str
    shared: float
    by_words: float
    by_meaning: float | None

    @property
    def likeness(self) -> float:
        """The greater of the two."""
        return max(self.by_words, self.by_meaning or 0.0)


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
    return list(compared(unit, search, text, vector).near)


def compared(unit: Unit, search: Search, text: str, vector: Vector | None) -> Compared:
    """The memories that say nearly what a text says, and those that it contradicts, in one look at the book."""
    found = sorted(_candidates(unit, search, text, vector), key=lambda each: -each.likeness)
    if not found:
        return Compared((), ())
    # Only where there is something to compare with: the first writes of a book load no more than they take.
    from commonplace.text.contradiction import Bearing, compare
    from commonplace.text.stance import adds, says_all
    from commonplace.text.statements import read

    statements = read(text)
    near: list[tuple[NearCandidate, float, bool]] = []
    against: list[tuple[NearCandidate, str]] = []
    for place, each in enumerate(deadline.each(found)):
        known = read(each.text) if place < COMPARED else ()
        judged = compare(known, statements, each.by_meaning) if known else None
        if judged is not None and judged.bearing is Bearing.CONTRADICTION:
            against.append((each, judged.reason))
            continue
        repeats = judged is not None and judged.bearing is Bearing.REPEAT
        likeness = _surer(each.likeness) if repeats else each.likeness
        if likeness >= search.least and (repeats or _is_near(each, text, search.least)):
            whole = says_all(each.text, text) or (repeats and not adds(known[0], statements[0]))
            near.append((each, round(likeness, 4), whole))
    near.sort(key=lambda found: (-found[1], found[0].number))
    numbers = [*(each.number for each, _, _ in near), *(each.number for each, _ in against)]
    memories = unit.memories.by_numbers(numbers)
    return Compared(
        tuple(Near(memories[each.number], likeness, whole) for each, likeness, whole in near),
        tuple(Contradicted(memories[each.number], reason, round(each.likeness, 4)) for each, reason in against),
    )


def _surer(likeness: float) -> float:
    """How alike texts are of which their words say too that one repeats the other: halfway on to the same."""
    return (1 + likeness) / 2


def _is_near(each: NearCandidate, text: str, least: float) -> bool:
    """Near by words, or by meaning with enough words in common, fewer where less is asked; never across a difference
    in substance or stance."""
    enough = nearness.VECTORS_NEAR_OVERLAP * min(1.0, least / nearness.NEAR)
    alike = each.by_words >= min(least, nearness.NEAR) or each.shared >= enough
    return alike and nearness.says_the_same(text, each.text)


def _candidates(unit: Unit, search: Search, text: str, vector: Vector | None) -> list[NearCandidate]:
    """Memories that share a sketch with a text, or are nearest in meaning; without a model, with its rare words."""
    written = terms(text)
    words = frozenset(written)
    by_meaning = dict(_near_in_meaning(unit, search, vector))

    def weighed(texts: Mapping[int, str]) -> Iterator[NearCandidate]:
        for number, said in deadline.each(texts.items()):
            shared = nearness.overlap(words, terms(said))
            likeness = nearness.likeness(shared, nearness.WORDS_NEAR)
            yield NearCandidate(number, said, shared, likeness, by_meaning.get(number))

    texts = dict(unit.sketches.sharing(nearness.sketch(written), search.filter, search.now, SCAN_LIMIT))
    found = list(weighed(texts))
    more = set(by_meaning)
    # Rare words are for a text that has few like it: whoever has enough of those would not get to the others.
    if not more and sum(each.shared >= AT_ODDS_OVERLAP for each in found) < COMPARED:
        more = _with_rare_words(unit, search, text)
    wordings = unit.memories.wordings(sorted(more - texts.keys()))
    found += weighed({number: wording.text for number, wording in wordings.items()})
    return found


def _with_rare_words(unit: Unit, search: Search, text: str) -> set[int]:
    """The numbers of memories with a text's rarest words: those that half the book has cost much and say little."""
    wanted = content_terms(text)
    counts, _ = unit.words.frequencies(wanted)
    known = sorted((count, term) for term, count in zip(wanted, counts, strict=True) if 0 < count <= COMMON)
    rare = [term for _, term in known[:RARE_TERMS]]
    return {features.number for features, _ in unit.words.matching(rare, search.filter, search.now, COMPARED)}


def _near_in_meaning(unit: Unit, search: Search, vector: Vector | None) -> Iterator[tuple[int, float]]:
    """The numbers of the memories whose vectors are the nearest, and how alike that makes them."""
    embedder = search.embedder
    if vector is None or embedder is None or is_blank(vector):
        return
    matches = unit.vectors.nearest(vector, embedder.space, search.filter, search.now, search.neighbours)
    for features, cosine in matches:
        yield features.number, nearness.likeness(cosine, embedder.calibration.near)


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
                    if likeness >= least and nearness.says_the_same(memory.text, memories[other].text):
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
