"""The stage that suggests what belongs together: near memories, and topics that a memory speaks of."""

from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, RelationKind
from commonplace.dream.edits import AddInsight, AddRelation, InsightSentence
from commonplace.dream.planning import PlanningState, date_of, related
from commonplace.engine.duplicates import groups_by_words
from commonplace.ports import Unit
from commonplace.text import slugs_within
from commonplace.text.nearness import restated

GROUPS = 8
TOPICS = 4
GROUP_SIZE = 5


def suggest_links(working: PlanningState) -> None:
    """Relations between memories that are near without saying the same, and insights about topics."""
    with working.reading() as unit:
        compared = 0
        for memories in working.by_scope().values():
            groups = groups_by_words(memories, report=lambda done, before=compared: working.report(before + done))  # type: ignore[misc]
            compared += len(memories)
            suggested = 0
            for group in groups:
                if suggested < GROUPS and _relate(working, unit, group.memories[:GROUP_SIZE]):
                    suggested += 1
            _suggest_topics(working, memories)


def _relate(working: PlanningState, unit: Unit, memories: tuple[Memory, ...]) -> bool:
    """Relate the members of a group to its newest; whether there was anything to relate."""
    *others, newest = memories
    now = working.now
    edges = [
        AddRelation(f"rel_{ulid(now)}", newest.id, other.id, RelationKind.RELATED_TO, "they say nearly the same")
        for other in others
        if restated(other.text) != restated(newest.text)
        and not related(unit, newest.id, other.id, RelationKind.RELATED_TO)
    ]
    return bool(edges) and working.propose(*edges)


def _suggest_topics(working: PlanningState, memories: list[Memory]) -> None:
    topics = {memory.topic: memory for memory in memories if memory.topic is not None}
    if not topics:
        return
    suggested = 0
    for memory in memories:
        named = [slug for slug in slugs_within(memory.text) if slug in topics] if memory.topic is None else []
        if named and suggested < TOPICS:
            owner = topics[named[-1]]
            said = f"{memory.id} speaks of {owner.topic}, on which {owner.id} is the newest memory."
            insight = InsightSentence(said, (memory.id, owner.id))
            id = f"ins_topic_{memory.id.removeprefix('mem_')}"
            suggested += working.propose(AddInsight(id, "topic", memory.scope, date_of(working.now), (insight,)))
