"""What relevant memories come to: points, each a statement with what contradicts it, the newest first."""

from collections.abc import Sequence

from commonplace import deadline
from commonplace.domain.query import Depth, Hit
from commonplace.domain.rank import logit
from commonplace.domain.record import Record, replace
from commonplace.ports import wording_of
from commonplace.text import content_terms, nearness, terms
from commonplace.text.contradiction import Bearing, compare
from commonplace.text.statements import Statement, read
from commonplace.text.subjects import Subject
from commonplace.text.substance_words import CHANGES

RELEVANT = 0.5
MARGIN = 3.0  # in log-odds: what is so much less relevant than the best is no answer to a pointed question

MOST_STATEMENTS = 3  # of a memory that is compared; longer ones state many values
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


def points_of(hits: Sequence[Hit], subject: Subject, depth: Depth) -> list[Point]:
    """The points that hits make, the most relevant first, with as many sources as the depth may have.

    A pointed question is answered by what is nearly as relevant as the best; an overview and a comprehensive answer
    have room for all that is relevant.
    """
    points = _points(_relevant(hits))
    if not points:
        return []
    brief = _chosen(points, {}, Depth.BRIEF.sources, older=False)
    standard = _chosen(points, brief, Depth.STANDARD.sources, older=True)
    chosen = {
        Depth.BRIEF: brief,
        Depth.STANDARD: standard,
        Depth.COMPREHENSIVE: _chosen(points, standard, Depth.COMPREHENSIVE.sources, older=True),
    }[depth]
    shown = [shown for point in points if (shown := _within(point, chosen)) is not None]
    if subject.broad or depth is Depth.COMPREHENSIVE:
        return shown
    wanted = set(content_terms(subject.text))
    return [
        point for point in shown if _is_near(point, points[0], wanted) or _tells_of_change(point, points[0], wanted)
    ]


def _is_near(point: Point, best: Point, wanted: set[str]) -> bool:
    """Whether it is nearly as relevant as the best; by words alone, whether it has half as many of those asked for."""
    if best.newest.vector_score is not None:
        return logit(point.relevance) >= logit(best.relevance) - MARGIN
    shared, most = (len(wanted & set(terms(each.newest.memory.text))) for each in (point, best))
    return 2 * shared >= most


def _tells_of_change(point: Point, best: Point, wanted: set[str]) -> bool:
    """Whether it is newer than the best and says that something of what was asked for changed."""
    text = point.newest.memory.text
    newer = _said_at(point.newest) > _said_at(best.newest)
    return newer and bool(wanted & set(terms(text))) and any(each.has(CHANGES) for each in read(text))


def _relevant(hits: Sequence[Hit]) -> list[Hit]:
    """What is relevant by its own measure; by words alone, whatever has one."""
    return [hit for hit in hits if hit.vector_score is None or hit.relevance >= RELEVANT]


def _said_at(hit: Hit) -> tuple[int, int]:
    return wording_of(hit.memory).said_at, hit.memory.number


def _points(hits: Sequence[Hit]) -> list[Point]:
    """Each hit with the older ones that it contradicts or repeats, by the most relevant of them."""
    said = {hit.memory.id: read(hit.memory.text) for hit in hits}
    newest_first = sorted(hits, key=_said_at, reverse=True)
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
