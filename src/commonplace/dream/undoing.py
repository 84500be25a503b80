"""Taking a dream back: every memory as it was, to the byte. The caller's transaction holds all of it."""

from commonplace.domain.corrections import SHELF as CORRECTIONS
from commonplace.domain.corrections import CorrectionStatus, correction_of
from commonplace.domain.corrections import entry_of as correction_entry
from commonplace.domain.events import EventType
from commonplace.domain.memory import Memory
from commonplace.domain.record import replace
from commonplace.dream.edits import AddInsight, AddMemory, AddRelation, Archive, MarkDistilled, Supersede
from commonplace.dream.runs import INSIGHTS, Done, Run, insight_of
from commonplace.engine.context import Context
from commonplace.engine.lifecycle import log
from commonplace.errors import Conflict
from commonplace.ports import Unit


def take_back(unit: Unit, context: Context, run: Run, force: bool) -> tuple[str, ...]:
    """Undo every edit of a run, the last first. What others changed since is refused, or with `force` left as it is.

    Gives back the ids that were left as they are.
    """
    ours = {id for done in run.done for id in done.relations}
    changed = [id for done in run.done if (id := _changed_since(unit, done, ours)) is not None]
    if changed and not force:
        raise Conflict(f"{changed[0]} was changed since {run.id}: undo with force to leave it as it is now.")
    left = set(changed)
    for done in reversed(run.done):
        _take_back(unit, context, run, done, left)
    return tuple(dict.fromkeys(changed))


def _changed_since(unit: Unit, done: Done, ours: set[str]) -> str | None:
    """The memory an edit touched, if it is not as the edit left it."""
    match done.edit:
        case Supersede() | Archive():
            memory = unit.memories.by_id(done.edit.id)
            return None if memory is not None and memory.revision == done.after else done.edit.id
        case AddMemory():
            memory = unit.memories.by_id(done.edit.id)
            linked = any(relation.id not in ours for relation in unit.relations.of(done.edit.id))
            return None if memory is not None and memory.revision == done.after and not linked else done.edit.id
        case _:
            return None


def _take_back(unit: Unit, context: Context, run: Run, done: Done, left: set[str]) -> None:
    """Undo one edit, unless its memory is among those `left` as they are because somebody changed them since."""
    match done.edit:
        case Supersede(id=id) | Archive(id=id):
            memory = unit.memories.by_id(id)
            if id not in left and memory is not None and done.before is not None:
                _remove_relations(unit, done)
                _note(unit, context, run, unit.memories.take_back(memory.number, done.before))
        case AddMemory(id=id):
            memory = unit.memories.by_id(id)
            if id not in left and memory is not None:
                _remove_memory(unit, context, run, memory)
        case AddRelation():
            _remove_relations(unit, done)
        case AddInsight(id=id):
            entry = unit.entries.get(INSIGHTS, id)
            if entry is not None and insight_of(entry).run == run.id:
                unit.entries.remove(INSIGHTS, id)
        case MarkDistilled(correction=id, results=results):
            _mark_pending(unit, id, results, left)


def _remove_memory(unit: Unit, context: Context, run: Run, memory: Memory) -> None:
    """What a dream wrote goes with the dream; the correction it was made of waits again."""
    if unit.entries.remove_children(memory.id):
        raise Conflict(f"{memory.id} has been given evidence since {run.id}: take that away first, or keep the rule.")
    unit.memories.remove(memory.number)
    _note(unit, context, run, memory)


def _remove_relations(unit: Unit, done: Done) -> None:
    for id in done.relations:
        unit.relations.remove(id)


def _mark_pending(unit: Unit, id: str, results: tuple[str, ...], left: set[str]) -> None:
    entry = unit.entries.get(CORRECTIONS, id)
    if entry is None or left.intersection(results):
        return
    correction = correction_of(entry)
    if correction.results == results:
        unit.entries.put(correction_entry(replace(correction, status=CorrectionStatus.PENDING, results=())))


def _note(unit: Unit, context: Context, run: Run, memory: Memory) -> None:
    log(unit, context, EventType.UNDONE, memory, {"scope": str(memory.scope), "run": run.id})
