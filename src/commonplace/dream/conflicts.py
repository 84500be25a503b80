"""The stage that finds memories which may contradict each other. It points them out and decides nothing."""

from itertools import combinations

from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, RelationKind
from commonplace.dream.edits import AddInsight, AddRelation, InsightSentence
from commonplace.dream.planning import PlanningState, date_of, related
from commonplace.ports import Unit
from commonplace.text import terms
from commonplace.text.nearness import overlap, restated, same_substance, skeleton

CLOSE = 0.6  # share of words in common from which two texts that differ in substance may be about the same thing
MANY = 3  # more than this many that differ in a number only are a list, not a quarrel


def find_conflicts(working: PlanningState) -> None:
    """Memories of one scope that are on one topic, or about one thing, and differ in substance."""
    about: dict[tuple[object, ...], list[Memory]] = {}
    for memory in working.present:
        if memory.topic is not None:
            about.setdefault((memory.scope, "topic", memory.topic), []).append(memory)
        bones = skeleton(memory.text)
        if bones:
            about.setdefault((memory.scope, "about", bones), []).append(memory)
    seen: set[tuple[str, str]] = set()
    with working.reading() as unit:
        for memories in about.values():
            if 1 < len(memories) <= MANY:
                for first, second in combinations(memories, 2):
                    if (first.id, second.id) not in seen and _differ(first, second):
                        seen.add((first.id, second.id))
                        _point_out(working, unit, first, second)


def _differ(first: Memory, second: Memory) -> bool:
    """In substance, and at the same time: what was true before may well differ from what is true now."""
    meets = (first.valid_to is None or second.valid_from is None or second.valid_from < first.valid_to) and (
        second.valid_to is None or first.valid_from is None or first.valid_from < second.valid_to
    )
    said_again = restated(first.text) == restated(second.text)
    on_one_thing = first.topic is not None and first.topic == second.topic
    close = on_one_thing or overlap(terms(first.text), terms(second.text)) >= CLOSE
    return meets and close and not said_again and not same_substance(first.text, second.text)


def _point_out(working: PlanningState, unit: Unit, first: Memory, second: Memory) -> None:
    if related(unit, first.id, second.id, RelationKind.CONFLICTS_WITH):
        return
    older, newer = sorted((first, second), key=lambda memory: (memory.created_at, memory.number))
    why = f"both are on {older.topic}" if older.topic and older.topic == newer.topic else "they differ in substance"
    now, sources = working.now, (newer.id, older.id)
    said = f"{newer.id} and {older.id} may contradict each other: {why}."
    working.propose(
        AddRelation(f"rel_{ulid(now)}", newer.id, older.id, RelationKind.CONFLICTS_WITH, f"may contradict: {why}"),
        AddInsight(f"ins_{ulid(now)}", "conflict", newer.scope, date_of(now), (InsightSentence(said, sources),)),
    )
