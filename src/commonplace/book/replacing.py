"""What is remembered in the place of a memory that is named."""

from commonplace.domain import trust
from commonplace.domain.corrections import entry_of, settled
from commonplace.domain.record import replace
from commonplace.engine import intake, lifecycle
from commonplace.engine.caller import Reference, Work
from commonplace.engine.intake import Refused, Remembered


def in_the_place_of(work: Work, old: Reference, result: Remembered | Refused) -> Remembered | Refused:
    """What was remembered, once the older memory gave way as trust allows, and the correction is listed."""
    if isinstance(result, Refused):
        return result
    replaced = work.find(old)
    if replaced.id in (result.memory.id, *result.superseded):
        return result
    work.unit.entries.put(entry_of(settled(result.memory.text, result.memory, [replaced.id], work.now)))
    if not trust.may_replace(result.memory.origin, replaced.origin, work.context.origin):
        lifecycle.propose(work.unit, work.context, result.memory, replaced)
        return replace(result, warnings=(*result.warnings, *intake.still_standing([replaced])))
    lifecycle.supersede(work.unit, work.context, replaced, result.memory, None)
    memory = work.find(result.memory)
    contradicts = tuple(each for each in result.contradicts if each.memory.id != replaced.id)
    return replace(result, memory=memory, superseded=(*result.superseded, replaced.id), contradicts=contradicts)
