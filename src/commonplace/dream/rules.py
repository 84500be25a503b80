"""The stage that makes rules of corrections, in the words they were said in."""

from commonplace.domain.corrections import Correction, Severity
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Kind, Memory, RelationKind, Status
from commonplace.domain.query import Filter
from commonplace.dream.edits import AddInsight, AddMemory, AddRelation, Edit, InsightSentence, MarkDistilled
from commonplace.dream.planning import PlanningState, date_of
from commonplace.dream.wording import cut, quoted
from commonplace.ports import Unit

_IMPORTANCE = {Severity.LOW: 0.4, Severity.MED: 0.5, Severity.HIGH: 0.7, Severity.CRITICAL: 0.9}


def distil_corrections(working: PlanningState) -> None:
    """Each pending correction becomes a memory, the gravest first; what the book says already is only linked."""
    pending = sorted(working.snapshot.corrections, key=lambda each: (-each.severity.rank, each.created_at, each.id))
    known: dict[tuple[object, str], str] = {}
    with working.reading() as unit:
        for correction in pending:
            place = (correction.scope, correction.rule.casefold())
            said = unit.memories.by_text(Filter((correction.scope,)), working.now, correction.rule)
            result = said[0].id if said else known.get(place)
            if result is not None:
                working.propose(MarkDistilled(correction.id, (result,)))
                continue
            if _forgotten_since(unit, correction, working.now):
                working.notes.append(f"{correction.id} was not distilled: what it says has been forgotten since.")
                continue
            rule = _rule(correction, working.now)
            known[place] = rule.id
            existing = [memory for id in correction.corrects if (memory := unit.memories.by_id(id)) is not None]
            working.propose(rule, *_links(correction, rule, existing, working.now))


def _forgotten_since(unit: Unit, correction: Correction, now: int) -> bool:
    """Somebody left a tombstone on the very words: they are not to come back through a dream."""
    tombstones = Filter((correction.scope,), statuses=(Status.FORGOTTEN,), include_expired=True)
    found = unit.memories.by_text(tombstones, now, correction.rule)
    return any((memory.status_at or 0) >= correction.created_at for memory in found)


def _rule(correction: Correction, now: int) -> AddMemory:
    kind = Kind.LEARNING if correction.suggested_rule is None else Kind.INSTRUCTION
    return AddMemory(
        f"mem_{ulid(now)}",
        correction.rule,
        correction.scope,
        kind,
        _IMPORTANCE[correction.severity],
        correction.origin,
        correction.id,
    )


def _links(correction: Correction, rule: AddMemory, corrected: list[Memory], now: int) -> list[Edit]:
    """The rule is derived from what it corrects; whether it takes its place is for a person to say."""
    edits: list[Edit] = [
        AddRelation(f"rel_{ulid(now)}", rule.id, each.id, RelationKind.DERIVED_FROM, f"distilled from {correction.id}")
        for each in corrected
    ]
    if corrected:
        said = f"{', '.join(map(quoted, corrected))} was corrected: '{cut(rule.text)}'."
        if any(each.status is Status.ACTIVE for each in corrected):
            said += " It still stands: supersede it if the correction says all there is to say."
        insight = InsightSentence(said, (*(each.id for each in corrected), rule.id))
        edits.append(AddInsight(f"ins_{ulid(now)}", "correction", correction.scope, date_of(now), (insight,)))
    return [*edits, MarkDistilled(correction.id, (rule.id,))]
