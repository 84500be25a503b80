"""The stage that finds memories said again, and keeps the best of each."""

from commonplace.domain.memory import CaptureMode, Memory, Origin, Standing
from commonplace.dream.edits import Supersede
from commonplace.dream.planning import PlanningState, is_immune
from commonplace.text.nearness import restated

_STANDINGS = (Standing.VERIFIED, Standing.UNVERIFIED, Standing.CONTESTED)


def find_duplicates(working: PlanningState) -> None:
    """Memories that say the same word for word, articles and case apart, give way to the best one of them."""
    same: dict[tuple[object, ...], list[Memory]] = {}
    for memory in working.present:
        same.setdefault(_sameness(memory), []).append(memory)
    for memories in same.values():
        if len(memories) > 1:
            _keep_best(working, memories)


def _keep_best(working: PlanningState, memories: list[Memory]) -> None:
    best = max(memories, key=_worth)
    for memory in memories:
        if memory.id == best.id or is_immune(memory) or not covers(best, memory):
            continue
        edit = Supersede(
            memory.id, memory.revision, best.id, best.revision, f"says the same as {best.id}, which is kept"
        )
        if working.propose(edit):
            working.changing.add(memory.id)
            working.kept.add(best.id)


def _sameness(memory: Memory) -> tuple[object, ...]:
    """What must be equal for one memory to be another said again."""
    return (
        memory.scope,
        memory.project,
        memory.kind,
        memory.memory_type,
        memory.valid_from,
        memory.valid_to,
        restated(memory.text),
    )


def covers(best: Memory, other: Memory) -> bool:
    """Whether the best one is found wherever the other was: under its labels, and for as long."""
    lasts = best.expires_at is None or (other.expires_at is not None and best.expires_at >= other.expires_at)
    labelled = (
        other.topic in (None, best.topic)
        and other.category in (None, best.category)
        and other.provenance.session in (None, best.provenance.session)
        and set(other.tags) <= set(best.tags)
    )
    return lasts and labelled


def _worth(memory: Memory) -> tuple[object, ...]:
    """Explicit before pinned before trusted before verified before new."""
    explicit = (
        memory.origin in (Origin.TYPED, Origin.CONFIRMED) or memory.provenance.capture_mode is CaptureMode.EXPLICIT
    )
    return (
        explicit,
        memory.pinned,
        -memory.origin.distrust,
        -_STANDINGS.index(memory.standing),
        memory.created_at,
        memory.number,
    )
