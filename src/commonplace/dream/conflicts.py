"""The stage that finds memories which may contradict each other. It points them out and decides nothing."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from commonplace import deadline
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, RelationKind
from commonplace.dream.edits import AddInsight, AddRelation, InsightSentence
from commonplace.dream.planning import PlanningState, date_of, related
from commonplace.dream.wording import quoted
from commonplace.ports import Unit
from commonplace.text import terms
from commonplace.text.contradiction import Bearing, Judgement, judge
from commonplace.text.nearness import overlap, restated, same_substance, skeleton

CONFLICT = "conflict"
CLOSE = 0.6  # share of words in common from which two texts that differ in substance may be about the same thing
MANY = 3  # more than this many that differ may be a list: then only what is judged a contradiction is one
EACH_WITH_EACH = 16  # of more memories about one thing, each is compared with the newest only


def find_conflicts(working: PlanningState) -> None:
    """Memories of one scope that are on one topic, or about one thing, and differ in substance."""
    with working.reading() as unit:
        for older, newer, found in contradictions(working.present):
            _point_out(working, unit, older, newer, found)


def contradictions(present: Iterable[Memory]) -> Iterator[tuple[Memory, Memory, Judgement]]:
    """Pairs of memories of one scope that may contradict each other, the older one first, with what was found."""
    about: dict[tuple[object, ...], list[Memory]] = {}
    for memory in present:
        if memory.topic is not None:
            about.setdefault((memory.scope, "topic", memory.topic), []).append(memory)
        bones = skeleton(memory.text)
        if bones:
            about.setdefault((memory.scope, "about", bones), []).append(memory)
    seen: set[tuple[str, str]] = set()
    for memories in deadline.each(list(about.values())):
        for first, second in _pairs(memories):
            older, newer = sorted((first, second), key=lambda memory: (memory.created_at, memory.number))
            if (older.id, newer.id) in seen or not _differ(older, newer):
                continue
            found = judge(older.text, newer.text)
            if len(memories) <= MANY or found.bearing is Bearing.CONTRADICTION:
                seen.add((older.id, newer.id))
                yield older, newer, found


def _pairs(memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    if len(memories) <= EACH_WITH_EACH:
        yield from combinations(memories, 2)
        return
    newest = max(memories, key=lambda memory: (memory.created_at, memory.number))
    yield from ((memory, newest) for memory in memories if memory is not newest)


def _differ(first: Memory, second: Memory) -> bool:
    """In substance, and at the same time: what was true before may well differ from what is true now."""
    meets = (first.valid_to is None or second.valid_from is None or second.valid_from < first.valid_to) and (
        second.valid_to is None or first.valid_from is None or first.valid_from < second.valid_to
    )
    said_again = restated(first.text) == restated(second.text)
    on_one_thing = first.topic is not None and first.topic == second.topic
    close = on_one_thing or overlap(terms(first.text), terms(second.text)) >= CLOSE
    return (
        meets
        and close
        and not first.is_apart_from(second)
        and not said_again
        and not same_substance(first.text, second.text)
    )


def _point_out(working: PlanningState, unit: Unit, older: Memory, newer: Memory, found: Judgement) -> None:
    if related(unit, older.id, newer.id, RelationKind.CONFLICTS_WITH):
        return
    on_topic = older.topic is not None and older.topic == newer.topic
    why = found.reason or (f"both are on {older.topic}" if on_topic else "they differ in substance")
    now, sources = working.now, (newer.id, older.id)
    said = f"{quoted(newer)} may contradict {quoted(older)}: {why}."
    reason = f"both are on {older.topic}" if on_topic else "they differ in substance"
    working.propose(
        AddRelation(f"rel_{ulid(now)}", newer.id, older.id, RelationKind.CONFLICTS_WITH, f"may contradict: {reason}"),
        AddInsight(f"ins_{ulid(now)}", CONFLICT, newer.scope, date_of(now), (InsightSentence(said, sources),)),
    )
