"""Making the edits of a plan, each checked against the book as it is now, all in the caller's transaction."""

from collections.abc import Mapping

from commonplace.domain.corrections import SHELF as CORRECTIONS
from commonplace.domain.corrections import CorrectionStatus, correction_of
from commonplace.domain.corrections import entry_of as correction_entry
from commonplace.domain.events import EventType
from commonplace.domain.memory import Memory, Provenance, Relation, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.dream.duplicates import covers
from commonplace.dream.edits import AddInsight, AddMemory, AddRelation, Archive, Edit, MarkDistilled, Supersede
from commonplace.dream.planning import is_immune, related
from commonplace.dream.runs import Done, SkippedEdit, put_insight
from commonplace.engine.context import Context
from commonplace.engine.lifecycle import archive, log, supersede
from commonplace.errors import Conflict, SecretRefused
from commonplace.ports import Embedder, Unit, Vector

TAG = "correction"


class ApplyContext(Record):
    """What an edit is made with: the transaction, who acts in it and for which run, and vectors made beforehand."""

    unit: Unit
    context: Context
    run: str
    embedder: Embedder | None
    vectors: Mapping[str, Vector | None]


def make(edit: Edit, hand: ApplyContext) -> Done | SkippedEdit:
    """Make one edit if the book still is what it was planned on."""
    try:
        match edit:
            case Supersede():
                return _supersede(edit, hand)
            case Archive():
                return _archive(edit, hand)
            case AddMemory():
                return _add_memory(edit, hand)
            case AddRelation():
                return _add_relation(edit, hand)
            case AddInsight():
                return _add_insight(edit, hand)
            case MarkDistilled():
                return _mark_distilled(edit, hand)
    except (Conflict, SecretRefused) as error:
        return SkippedEdit(edit, error.message)


def _supersede(edit: Supersede, hand: ApplyContext) -> Done | SkippedEdit:
    unit = hand.unit
    old, new = _untouched(unit, edit.id, edit.revision), _untouched(unit, edit.successor, edit.successor_revision)
    if new.status is not Status.ACTIVE or new.expired(hand.context.now) or not covers(new, old):
        raise Conflict(f"{new.id} cannot take its place any more")
    _refuse_immune(old)
    known = {relation.id for relation in unit.relations.of(old.id)}
    theirs = replace(hand.context, origin=new.origin)  # a dream has no words of its own: the successor's count
    changed = supersede(unit, theirs, old, new, edit.reason)
    added = tuple(relation.id for relation in unit.relations.of(old.id) if relation.id not in known)
    return Done(edit, old.revision, changed.revision, added)


def _archive(edit: Archive, hand: ApplyContext) -> Done | SkippedEdit:
    memory = _untouched(hand.unit, edit.id, edit.revision)
    _refuse_immune(memory)
    if memory.status is not Status.ACTIVE:
        raise Conflict(f"{memory.id} is {memory.status.value} by now")
    changed = archive(hand.unit, hand.context, memory, edit.reason)
    return Done(edit, memory.revision, changed.revision)


def _add_memory(edit: AddMemory, hand: ApplyContext) -> Done | SkippedEdit:
    """Row, words and vector, in the same transaction as whatever else follows from it."""
    unit, context = hand.unit, hand.context
    entry = unit.entries.get(CORRECTIONS, edit.correction)
    if entry is None or entry.state != CorrectionStatus.PENDING.value:
        raise Conflict(f"{edit.correction} does not wait to be distilled any more")
    said = unit.memories.by_text(Filter((edit.scope,)), context.now, edit.text)
    if said:
        raise Conflict(f"{said[0].id} says the same by now")
    memory = Memory(
        edit.id,
        unit.memories.next_number(),
        edit.text,
        edit.scope,
        context.now,
        context.now,
        owner=context.principal.user,
        kind=edit.kind,
        tags=(TAG,),
        importance=edit.importance,
        origin=edit.origin,
        provenance=Provenance(edit.correction, context.surface, context.actor),
    )
    unit.memories.add(memory, context.now)
    vector = hand.vectors.get(edit.id)
    if vector is not None and hand.embedder is not None:
        unit.vectors.put(memory.number, hand.embedder.space, vector)
    payload = {"kind": memory.kind.value, "scope": str(memory.scope), "tags": memory.tags}
    log(unit, context, EventType.CREATED, memory, payload)
    return Done(edit, None, memory.revision)


def _add_relation(edit: AddRelation, hand: ApplyContext) -> Done | SkippedEdit:
    for id in (edit.source, edit.target):
        _present(hand.unit, id)
    if related(hand.unit, edit.source, edit.target, edit.kind):
        raise Conflict(f"{edit.source} and {edit.target} are related already")
    relation = Relation(edit.id, edit.source, edit.target, edit.kind, edit.reason, hand.context.now)
    hand.unit.relations.add(relation)
    return Done(edit, relations=(edit.id,))


def _add_insight(edit: AddInsight, hand: ApplyContext) -> Done | SkippedEdit:
    for id in edit.sources:
        _present(hand.unit, id)
    put_insight(hand.unit, edit, hand.run, hand.context.now)
    return Done(edit)


def _mark_distilled(edit: MarkDistilled, hand: ApplyContext) -> Done | SkippedEdit:
    entry = hand.unit.entries.get(CORRECTIONS, edit.correction)
    if entry is None or entry.state != CorrectionStatus.PENDING.value:
        raise Conflict(f"{edit.correction} does not wait to be distilled any more")
    for id in edit.results:
        _present(hand.unit, id)
    marked = replace(correction_of(entry), status=CorrectionStatus.DISTILLED, results=edit.results)
    hand.unit.entries.put(correction_entry(marked))
    return Done(edit)


def _present(unit: Unit, id: str) -> Memory:
    memory = unit.memories.by_id(id)
    if memory is None:
        raise Conflict(f"{id} is gone")
    return memory


def _untouched(unit: Unit, id: str, revision: int) -> Memory:
    memory = _present(unit, id)
    if memory.revision != revision:
        raise Conflict(f"{id} was changed since the dream began")
    return memory


def _refuse_immune(memory: Memory) -> None:
    if is_immune(memory):
        raise Conflict(f"{memory.id} is a person's own word")
