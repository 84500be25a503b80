"""Decisions from records elsewhere, brought into the log: numbered anew in their order, and who gave way to whom kept.

A record that the log has already, by its title and what was decided, is not brought again. Where records lead in a
circle, or to one that is not there, the log says that they stand no more, and not who took their place.
"""

from collections.abc import Mapping, Sequence

from commonplace.decisions.decision import Decision, DecisionStatus, Recorded
from commonplace.decisions.log import SHELF, decision_of, note, numbered, put
from commonplace.domain.entries import EntryFilter
from commonplace.domain.events import EventType
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.engine.caller import Work
from commonplace.engine.intake import refuse_secrets, refuse_secrets_in
from commonplace.engine.paging import each_entry
from commonplace.ports import Unit
from commonplace.text import fold, normalise

NO_SUCCESSOR = "superseded by a record that was not brought along"


def known_among(unit: Unit, scope: Scope, records: Sequence[Recorded]) -> dict[int, Decision]:
    """The decisions of the scope that say what a record says, by the place of the record."""
    logged = (decision_of(entry) for entry in each_entry(unit, EntryFilter(SHELF, (str(scope),))))
    by_words = {_words(decision.title, decision.decision): decision for decision in logged}
    tidy = [record.proposal.tidy() for record in records]
    found = {place: by_words.get(_words(each.title, each.decision)) for place, each in enumerate(tidy)}
    return {place: decision for place, decision in found.items() if decision is not None}


def check_record(record: Recorded) -> None:
    """Refuse a secret wherever it stands in a record."""
    refuse_secrets_in(record.proposal)
    refuse_secrets(record.reason or "", "reason")


def bring(work: Work, scope: Scope, records: Sequence[Recorded]) -> tuple[Decision, ...]:
    """Write the records down that the log does not have, in the caller's transaction; those that are new."""
    for record in records:
        check_record(record)
    there = known_among(work.unit, scope, records)
    fresh = [place for place in _in_order(records) if place not in there]
    made: dict[int, Decision] = {}
    for place in fresh:
        proposal = records[place].proposal.tidy()
        made[place] = numbered(work.unit, scope, proposal, proposal.area or "", work.now)
    successors = _successors(records)
    for place in fresh:
        made[place] = _standing(records[place], made[place], {**there, **made}.get(successors.get(place, -1)))
    for place, after in successors.items():
        if place in made and after in made and made[after].supersedes is None:
            made[after] = replace(made[after], supersedes=made[place].id)
    for decision in made.values():
        put(work.unit, decision)
        note(work.unit, work.context, EventType.DECISION_CREATED, decision)
    return tuple(made.values())


def _standing(record: Recorded, decision: Decision, after: Decision | None) -> Decision:
    if record.status is DecisionStatus.SUPERSEDED and after is not None:
        return replace(decision, status=DecisionStatus.SUPERSEDED, superseded_by=after.id)
    if record.status in (DecisionStatus.SUPERSEDED, DecisionStatus.REVERTED):
        reason = normalise(record.reason) if record.reason else NO_SUCCESSOR
        return replace(decision, status=DecisionStatus.REVERTED, revert_reason=reason)
    return decision


def _successors(records: Sequence[Recorded]) -> Mapping[int, int]:
    """The place of each superseded record's successor, as far as following them comes to an end."""
    places = {record.number: place for place, record in enumerate(records) if record.number is not None}
    named = {
        place: places[record.superseded_by]
        for place, record in enumerate(records)
        if record.status is DecisionStatus.SUPERSEDED and record.superseded_by in places
    }
    ends: dict[int, bool] = {}
    for start in named:
        way: dict[int, None] = {}
        place: int | None = start
        while place is not None and place not in way and place not in ends:
            way[place] = None
            place = named.get(place)
        comes_to_an_end = place is None or (place not in way and ends.get(place, False))
        ends |= dict.fromkeys(way, comes_to_an_end)
    return {place: after for place, after in named.items() if ends[place]}


def _in_order(records: Sequence[Recorded]) -> list[int]:
    """By their own numbers, those without one behind; of equal ones in the order they came."""
    return sorted(range(len(records)), key=lambda place: (records[place].number is None, records[place].number or 0))


def _words(title: str, decision: str) -> tuple[str, str]:
    return fold(title), fold(decision)
