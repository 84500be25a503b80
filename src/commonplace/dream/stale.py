"""The stage that puts out of sight what expired long ago or has faded without anybody using it."""

from commonplace.domain.ids import DAY
from commonplace.domain.memory import CaptureMode, Memory
from commonplace.dream.edits import Archive
from commonplace.dream.planning import PlanningState, is_immune

IMPORTANT = 0.8


def find_stale(working: PlanningState) -> None:
    """Propose to archive what has faded, unless it is protected or another stage has to do with it already."""
    settled = working.changing | working.kept
    for memory in working.snapshot.memories:
        if memory.id in settled or _is_protected(working, memory):
            continue
        reason = _staleness(working, memory)
        if reason is not None and working.propose(Archive(memory.id, memory.revision, reason)):
            working.changing.add(memory.id)


def _is_protected(working: PlanningState, memory: Memory) -> bool:
    """Young is what the book has not known for long, however old the memory says it is: imports are young too."""
    young = working.now - working.snapshot.recorded[memory.id] < working.limits.young_days * DAY
    explicit = memory.provenance.capture_mode is CaptureMode.EXPLICIT
    return young or explicit or is_immune(memory) or memory.importance >= IMPORTANT


def _staleness(working: PlanningState, memory: Memory) -> str | None:
    limits, now = working.limits, working.now
    if memory.expires_at is not None and now - memory.expires_at >= limits.expired_days * DAY:
        return f"expired {(now - memory.expires_at) // DAY} days ago"
    moments = (memory.usage.used_at, memory.created_at, memory.confirmed_at, memory.updated_at)
    days = (now - max(moment for moment in moments if moment is not None)) // DAY
    faded = working.decay.faded(memory.base_confidence, memory.usage.used_at or memory.created_at, now)
    if days >= limits.unused_days and faded < limits.stale_confidence:
        return f"not used for {days} days, and {faded:.2f} is left of its confidence"
    return None
