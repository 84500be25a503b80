"""What relevant memories come to: points, each a statement with what contradicts it, the newest first."""

import re
from collections.abc import Sequence

from commonplace import deadline
from commonplace.book.answering import NEAR, asks_for_the_present, fitting, said_at
from commonplace.domain.query import Depth, Hit
from commonplace.domain.rank import logit
from commonplace.domain.record import Record, replace
from commonplace.text import content_terms, nearness, terms
from commonplace.text.contradiction import Bearing, compare
from commonplace.text.statements import Statement, read
from commonplace.text.subjects import Subject
from commonplace.text.substance_words import CHANGES

RELEVANT = 0.5

ASKING = frozenset(content_terms("now today current currently still many much time day"))
"""What a question says of how things stand and in what measure, and a statement of it seldom."""

MOST_STATEMENTS = 3  # of a memory that is compared; longer ones state many values
LEAST_SHARED = 2  # words of a question that what changed and what it was before have in common
MOST_CHANGES = 3  # more statements that differ in a value are a list, and none of them is out of date


class Point(Record):
    """One thing that is known: its newest statement, others that say the same, and older ones that differ.

    `differing` is how many older ones there are in all, shown or not.
    """

    newest: Hit
    same: tuple[Hit, ...]
    older: tuple[Hit, ...]
    differing: int

    @property
    def hits(self) -> tuple[Hit, ...]:
        """All that it rests on."""
        return (self.newest, *self.same, *self.older)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of what it rests on, the newest first."""
        return tuple(hit.memory.id for hit in self.hits)

    @property
    def relevance(self) -> float:
        """That of the most relevant."""
        return max(hit.relevance for hit in self.hits)


def points_of(
    hits: Sequence[Hit], subject: Subject, depth: Depth, wants: Sequence[re.Pattern[str]] = ()
) -> list[Point]:
    """The points that hits make, the most relevant first, with as many sources as the depth may have.

    `wants` is what an answer to the question has in it, as far as that is known.

    A pointed question is answered by what is nearly as relevant as the best; an overview and a comprehensive answer
    have room for all that is relevant. Who asks for what is current is told that it changed, and not from what.
    """
    pointed = not subject.broad and depth is not Depth.COMPREHENSIVE
    relevant = _relevant(hits)
    points = _points(fitting(relevant, subject.text) if pointed else relevant)
    if not points:
        return []
    if not subject.broad:
        present = asks_for_the_present(subject.text)
        points = _overtaken(points, set(content_terms(subject.text)) - ASKING, wants, present)
    if asks_for_the_present(subject.text):
        points = [replace(point, older=()) for point in points]
    brief = _chosen(points, {}, Depth.BRIEF.sources, older=False)
    standard = _chosen(points, brief, Depth.STANDARD.sources, older=True)
    chosen = {
        Depth.BRIEF: brief,
        Depth.STANDARD: standard,
        Depth.COMPREHENSIVE: _chosen(points, standard, Depth.COMPREHENSIVE.sources, older=True),
    }[depth]
    if pointed:
        wanted, best = set(content_terms(subject.text)), points[0]
        points = [point for point in points if _is_near(point, best, wanted) or _tells_of_change(point, best, wanted)]
    return [shown for point in points if (shown := _within(point, chosen)) is not None]


def _is_near(point: Point, best: Point, wanted: set[str]) -> bool:
    """Whether it is nearly as relevant as the best; by words alone, whether it has half as many of those asked for."""
    if best.newest.vector_score is not None:
        return logit(point.relevance) >= logit(best.relevance) - NEAR
    shared, most = (len(wanted & set(terms(each.newest.memory.text))) for each in (point, best))
    return 2 * shared >= most


def _tells_of_change(point: Point, best: Point, wanted: set[str]) -> bool:
    """Whether it is newer than the best and says that something of what was asked for changed."""
    text = point.newest.memory.text
    newer = said_at(point.newest) > said_at(best.newest)
    return newer and bool(wanted & set(terms(text))) and any(each.has(CHANGES) for each in read(text))


def _overtaken(
    points: Sequence[Point], wanted: set[str], wants: Sequence[re.Pattern[str]], present: bool
) -> list[Point]:
    """The points, in which what a later one changed has become what was said before it.

    That is: both have what was asked for in them, and the older all words of the question that the later has, which
    are half of them at least: with a name alone in common, they tell of two things. Who asks how things stand at
    `present` is asking about one thing, and any word of the question that both have will do.
    """
    told = present or bool(wants)
    rest = [point for point in points if told and all(want.search(point.newest.memory.text) for want in wants)]
    changed = [point for point in rest if any(each.has(CHANGES) for each in read(point.newest.memory.text))]
    for later in sorted(changed, key=lambda point: said_at(point.newest), reverse=True):
        about = wanted & set(terms(later.newest.memory.text))
        before = [
            point
            for point in rest
            if about <= set(terms(point.newest.memory.text)) and said_at(point.newest) < said_at(later.newest)
        ]
        least = 1 if present else max(LEAST_SHARED, len(wanted) / 2)
        if len(about) >= least and 0 < len(before) <= MOST_CHANGES:
            older = tuple(hit for point in before for hit in point.hits)
            joined = replace(later, older=(*later.older, *older), differing=later.differing + len(older))
            kept = [joined if point is later else point for point in points if point not in before]
            return sorted(kept, key=lambda point: -point.relevance)
    return list(points)


def _relevant(hits: Sequence[Hit]) -> list[Hit]:
    """What is relevant by its own measure; by words alone, whatever has one."""
    return [hit for hit in hits if hit.vector_score is None or hit.relevance >= RELEVANT]


def _points(hits: Sequence[Hit]) -> list[Point]:
    """Each hit with the older ones that it contradicts or repeats, by the most relevant of them."""
    said = {hit.memory.id: read(hit.memory.text) for hit in hits}
    newest_first = sorted(hits, key=said_at, reverse=True)
    taken: set[str] = set()
    points = []
    for place, hit in enumerate(deadline.each(newest_first)):
        if hit.memory.id in taken:
            continue
        rest = [other for other in newest_first[place + 1 :] if other.memory.id not in taken]
        older = tuple(other for other in rest if _contradicts(said[other.memory.id], said[hit.memory.id]))
        older = older if len(older) <= MOST_CHANGES else ()
        same = tuple(other for other in rest if other not in older and _repeats(other, hit))
        taken |= {hit.memory.id, *(other.memory.id for other in (*older, *same))}
        points.append(Point(hit, same, older, len(older)))
    return sorted(points, key=lambda point: -point.relevance)


def _contradicts(older: Sequence[Statement], newer: Sequence[Statement]) -> bool:
    """Whether the newer says otherwise; what has another number in its name, as "Room 3" and "Room 4", is another."""
    if max(len(older), len(newer)) > MOST_STATEMENTS:
        return False
    numbered = [
        {each for statement in said for each in statement.subject & statement.numbers} for said in (older, newer)
    ]
    return numbered[0] == numbered[1] and compare(older, newer).bearing is Bearing.CONTRADICTION


def _repeats(one: Hit, other: Hit) -> bool:
    shared = nearness.overlap(frozenset(terms(one.memory.text)), terms(other.memory.text))
    alike = nearness.likeness(shared, nearness.WORDS_NEAR) >= nearness.NEAR
    return alike and nearness.same_substance(one.memory.text, other.memory.text)


Chosen = dict[str, None]
"""Ids in the order in which they were chosen."""


def _chosen(points: Sequence[Point], before: Chosen, most: int, *, older: bool) -> Chosen:
    """More ids after those that were chosen before: the newest of each point, and with `older` the rest of it too."""
    chosen = dict(before)
    for point in points:
        for id in point.ids if older else (point.newest.memory.id,):
            if len(chosen) < most:
                chosen.setdefault(id)
    return chosen


def _within(point: Point, chosen: Chosen) -> Point | None:
    """A point with what was chosen of it."""
    if point.newest.memory.id not in chosen:
        return None
    same = tuple(hit for hit in point.same if hit.memory.id in chosen)
    return replace(point, same=same, older=tuple(hit for hit in point.older if hit.memory.id in chosen))
