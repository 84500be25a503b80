"""The decision log: decisions are created, superseded, reverted and found again, never rewritten once they stand.

Numbers come from a sequence of their scope: `DEC-001` is given out once, whatever is removed later.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import cast

from commonplace.decisions.decision import (
    Decision,
    DecisionStatus,
    Found,
    Impact,
    Inquiry,
    Proposal,
    missing,
    number_of,
    shown_id,
    text_of,
)
from commonplace.domain import rank
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.events import Event, EventType, Plain
from commonplace.domain.ids import ulid
from commonplace.domain.query import Filter, Query
from commonplace.domain.record import replace
from commonplace.domain.scope import Right, Scope
from commonplace.domain.validation import check_reason
from commonplace.engine.caller import Caller
from commonplace.engine.context import Context
from commonplace.engine.intake import refuse_secrets, refuse_secrets_in
from commonplace.engine.joined import in_parts
from commonplace.engine.others import embed_at_once, find
from commonplace.engine.recall import AskedQuery, ask
from commonplace.errors import Conflict, InvalidInput
from commonplace.ports import Erasure, Unit, Vector
from commonplace.text import content_terms, normalise, query_terms, terms

SHELF = "decision"


class Decisions:
    """The log of one caller."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # -- write -------------------------------------------------------------------------------

    def create(self, scope: Scope, proposal: Proposal) -> Decision:
        """Write a decision down under the next number of the scope."""
        proposal = _checked(proposal)
        if proposal.area is None:
            raise InvalidInput("area is empty: say what the decision concerns, such as backend.", "area")
        vector = self._vector(proposal)
        with self._caller.writing() as work:
            unit, context, scope = work.unit, work.context, work.scope(scope)
            decision = numbered(unit, scope, proposal, proposal.area, context.now)
            decision = replace(decision, project=work.about(scope))
            self._put_with(unit, decision, vector)
            note(unit, context, EventType.DECISION_CREATED, decision)
        return decision

    def supersede(self, scope: Scope, id: str, proposal: Proposal) -> Decision:
        """Put a new decision in the place of an older one; gives back the new one, which inherits the area."""
        self._caller.principal.require(Right.READ)  # what stands is shown
        proposal = _checked(proposal)
        if proposal.draft:
            raise InvalidInput("A draft supersedes nothing: leave draft out, or create it on its own.", "draft")
        vector = self._vector(proposal)
        with self._caller.writing() as work:
            unit, context, scope = work.unit, work.context, work.scope(scope)
            old = _found(unit, scope, id)
            _refuse_superseded(unit, old, "superseded")
            if old.status is DecisionStatus.DRAFT:
                raise Conflict(f"{old.id} is a draft: update it instead of superseding it.")
            _refuse_restored(unit, old)
            new = numbered(unit, scope, proposal, proposal.area or old.area, context.now)
            new = replace(new, supersedes=old.id, project=old.project)
            self._put_with(unit, new, vector)
            put(unit, replace(old, status=DecisionStatus.SUPERSEDED, superseded_by=new.id))
            note(unit, context, EventType.DECISION_CREATED, new)
            note(unit, context, EventType.DECISION_SUPERSEDED, old, successor=new.id)
        return new

    def revert(self, scope: Scope, id: str, reason: str) -> Decision:
        """Take a decision back; it stays in the log with the reason. What it took the place of stands again."""
        self._caller.principal.require(Right.READ)  # what stands is shown
        check_reason(reason)
        refuse_secrets(reason, "reason")
        with self._caller.writing() as work:
            unit, context, scope = work.unit, work.context, work.scope(scope)
            decision = _found(unit, scope, id)
            _refuse_superseded(unit, decision, "reverted")
            if decision.status is not DecisionStatus.ACTIVE:
                raise Conflict(f"{decision.id} is {decision.status.value}: only an active decision can be reverted.")
            reverted = replace(decision, status=DecisionStatus.REVERTED, revert_reason=normalise(reason))
            put(unit, reverted)
            note(unit, context, EventType.DECISION_REVERTED, reverted, reason=reverted.revert_reason)
            before = _before(unit, reverted)
            if before is not None:
                restored = _with_successor(before, None)
                put(unit, restored)
                note(unit, context, EventType.DECISION_UPDATED, restored, status=restored.status.value)
        return reverted

    def update(self, scope: Scope, id: str, proposal: Proposal) -> Decision:
        """Write a draft anew; unless the proposal is a draft too, it stands from then on."""
        self._caller.principal.require(Right.READ)  # what stands is shown
        proposal = _checked(proposal)
        vector = self._vector(proposal)
        with self._caller.writing() as work:
            unit, context, scope = work.unit, work.context, work.scope(scope)
            draft = _found(unit, scope, id)
            if draft.status is not DecisionStatus.DRAFT:
                raise Conflict(f"{draft.id} is {draft.status.value} and not a draft: supersede it instead.")
            at = draft.decided_at if proposal.draft else context.now
            updated = _decision(draft.id, scope, proposal, proposal.area or draft.area, at)
            updated = replace(updated, project=draft.project)
            self._put_with(unit, updated, vector)
            note(unit, context, EventType.DECISION_UPDATED, updated, status=updated.status.value)
        return updated

    def remove(self, scope: Scope, id: str) -> Erasure:
        """Take a decision out of the log, every byte of it; its number is not given out again.

        What it superseded is joined to what superseded it; with nothing after it, the older one stands again.
        """
        self._caller.principal.require(Right.READ)  # what stands is shown
        with self._caller.purging() as work:
            unit, context, scope = work.unit, work.context, work.scope(scope)
            decision = _found(unit, scope, id)
            before = _before(unit, decision)
            after = None if decision.superseded_by is None else _sought(unit, scope, decision.superseded_by)
            unit.entries.remove(SHELF, entry_id(scope, decision.number))
            if before is not None:
                put(unit, _with_successor(before, after))
            if after is not None:
                put(unit, replace(after, supersedes=decision.supersedes))
            note(unit, context, EventType.DECISION_REMOVED, decision)
        return self._caller.store.upkeep.erase_traces()

    def _vector(self, proposal: Proposal) -> Vector | None:
        """What a decision means, before any transaction is open."""
        return embed_at_once(self._caller.models.embedder, text_of(proposal))

    def _put_with(self, unit: Unit, decision: Decision, vector: Vector | None) -> None:
        entry = put(unit, decision)
        embedder = self._caller.models.embedder
        if vector is not None and embedder is not None:
            for part, own in in_parts(embedder, vector):
                unit.entry_vectors.put(entry, part.space, own)

    # -- read --------------------------------------------------------------------------------

    def get(self, id: str, scopes: Sequence[Scope]) -> Decision:
        """One decision, in whichever of the scopes it stands."""
        with self._caller.reading() as work:
            sought = [_sought(work.unit, scope, id) for scope in work.scopes(scopes)]
        found = [decision for decision in sought if decision is not None]
        if not found:
            raise missing(id)
        if len(found) > 1:
            places = " and ".join(self._caller.principal.show(decision.scope) for decision in found)
            raise Conflict(f"{found[0].id} stands in {places}: name the scope you mean.")
        return found[0]

    def list(self, scopes: Sequence[Scope], *, limit: int = 50, offset: int = 0) -> Found:
        """Every decision, whatever its status, newest first."""
        return self.query(Inquiry(tuple(scopes), include_superseded=True, limit=limit, offset=offset))

    def query(self, inquiry: Inquiry) -> Found:
        """Decisions that have every word asked for, the likeliest first; without a text the newest first.

        If none has every word, those that have some, the more of them the earlier. With a least relevance instead,
        behind those that have every word, those that are relevant enough by words and meaning, where there is a model.
        """
        if not inquiry.scopes:
            raise InvalidInput("Name at least one scope to look in.", "scope")
        asked = self._asked(inquiry)
        close: Sequence[Entry] = ()
        with self._caller.reading() as work:
            unit = work.unit
            wanted = EntryFilter(SHELF, tuple(map(str, work.scopes(inquiry.scopes))), states=inquiry.states)
            count = unit.entries.count(wanted)
            if inquiry.text is None:
                entries: Sequence[Entry] = unit.entries.page(wanted, count)
            else:
                entries = unit.entries.matching(wanted, query_terms(inquiry.text), count)
            if asked is not None and asked.vector is not None:  # by words alone, those that have them all are enough
                close = [hit.entry for hit in find(unit, asked, [wanted], inquiry.least_relevance or 0.0)]
        admitted = [entry for entry in entries if inquiry.admits(decision_of(entry))]
        chosen = admitted if inquiry.text is None else _ranked(admitted, inquiry.text, asked is not None)
        known = {entry.id for entry in chosen}
        chosen += [entry for entry in close if entry.id not in known and inquiry.admits(decision_of(entry))]
        found = [decision_of(entry) for entry in chosen]
        end = inquiry.offset + inquiry.limit
        return Found(tuple(found[inquiry.offset : end]), len(found), end < len(found))

    def _asked(self, inquiry: Inquiry) -> AskedQuery | None:
        """An inquiry as recall understands one, where relevance counts; embedded before any transaction is open."""
        if inquiry.text is None or inquiry.least_relevance is None:
            return None
        return ask(Query(inquiry.text, Filter(inquiry.scopes), profile="plain"), self._caller.models.embedder)

    def chain(self, scope: Scope, id: str) -> tuple[Decision, ...]:
        """A decision with everything it took the place of and everything that took its place, oldest first."""
        with self._caller.reading() as work:
            unit, decision = work.unit, _found(work.unit, work.scope(scope), id)
            return (*reversed(_walk(unit, decision, "supersedes")), decision, *_walk(unit, decision, "superseded_by"))

    def history(self, scope: Scope, id: str) -> tuple[Event, ...]:
        """What happened to a decision, oldest first; it outlives the decision itself."""
        with self._caller.reading() as work:
            return work.unit.log.events(entry_id(work.scope(scope), number_of(id)))


def entry_id(scope: Scope, number: int) -> str:
    """Unique in the whole tenant, and in the order of the numbers where times are equal."""
    digest = blake2b(str(scope).encode(), digest_size=16).hexdigest()
    return f"dec_{number:012d}_{digest}"


def _checked(proposal: Proposal) -> Proposal:
    """The proposal in its normal form; secrets are refused wherever they are."""
    refuse_secrets_in(proposal)
    return proposal.tidy()


def numbered(unit: Unit, scope: Scope, proposal: Proposal, area: str, now: int) -> Decision:
    """A proposal as the next decision of a scope."""
    return _decision(shown_id(unit.entries.next_in(f"{SHELF}:{scope}")), scope, proposal, area, now)


def _decision(id: str, scope: Scope, proposal: Proposal, area: str, now: int) -> Decision:
    return Decision(
        id,
        scope,
        proposal.title,
        proposal.owner,
        area,
        proposal.context,
        proposal.decision,
        proposal.rationale,
        now if proposal.decided_at is None else proposal.decided_at,
        proposal.impact,
        DecisionStatus.DRAFT if proposal.draft else DecisionStatus.ACTIVE,
        proposal.alternatives,
        proposal.revert_plan,
        proposal.tags,
    )


def _with_successor(decision: Decision, successor: Decision | None) -> Decision:
    if successor is not None:
        return replace(decision, superseded_by=successor.id)
    status = DecisionStatus.ACTIVE if decision.revert_reason is None else DecisionStatus.REVERTED
    return replace(decision, status=status, superseded_by=None)


def _before(unit: Unit, decision: Decision) -> Decision | None:
    """The decision whose place this one has; one that stands again since this was reverted has its place back."""
    before = None if decision.supersedes is None else _sought(unit, decision.scope, decision.supersedes)
    return before if before is not None and before.superseded_by == decision.id else None


def _refuse_restored(unit: Unit, decision: Decision) -> None:
    """A reverted decision gave its place back: whoever decides anew supersedes what stands there."""
    before = None if decision.supersedes is None else _sought(unit, decision.scope, decision.supersedes)
    if decision.status is not DecisionStatus.REVERTED or before is None:
        return
    head = (before, *_walk(unit, before, "superseded_by"))[-1]
    if head.status is DecisionStatus.ACTIVE:
        raise Conflict(f"{decision.id} was reverted and {head.id} stands in its place: supersede that one.")


def _refuse_superseded(unit: Unit, decision: Decision, action: str) -> None:
    if decision.status is DecisionStatus.SUPERSEDED:
        head = _walk(unit, decision, "superseded_by")[-1]
        raise Conflict(f"{decision.id} was superseded already and cannot be {action}: {head.id} stands in its place.")


def _walk(unit: Unit, decision: Decision, direction: str) -> list[Decision]:
    """The decisions one way along the chain, nearest first. What a reverted one took the place of may be removed."""
    found: list[Decision] = []
    following: str | None = getattr(decision, direction)
    while following is not None and (there := _sought(unit, decision.scope, following)) is not None:
        found.append(there)
        following = getattr(there, direction)
    return found


def _ranked(entries: Sequence[Entry], text: str, every_word: bool) -> list[Entry]:
    """The entries that have every word of the text, best first and of equals the newest; else those that have some."""
    words = {place: terms(entry.text) for place, entry in enumerate(entries)}
    scores = rank.bm25(words, query_terms(text))
    wanted = _wanted_terms(text)
    shared = {place: len(wanted.intersection(found)) for place, found in words.items()}
    least = len(wanted) if every_word or len(wanted) in shared.values() else 1
    chosen = [place for place, count in shared.items() if count >= least]
    newest = sorted(chosen, key=lambda place: (entries[place].at, entries[place].id), reverse=True)
    return [entries[place] for place in sorted(newest, key=lambda place: (-shared[place], -scores.get(place, 0.0)))]


def _wanted_terms(text: str) -> set[str]:
    """What is looked for. Of a compound its parts are enough: `job-queue` is found in `job queue`."""
    wanted: set[str] = set()
    for word in text.split():
        found = content_terms(word)
        wanted.update(found[1:] if len(found) > 1 and word.isascii() else found)
    return wanted or set(query_terms(text))


def _found(unit: Unit, scope: Scope, id: str) -> Decision:
    decision = _sought(unit, scope, id)
    if decision is None:
        raise missing(id)
    return decision


def _sought(unit: Unit, scope: Scope, id: str) -> Decision | None:
    entry = unit.entries.get(SHELF, entry_id(scope, number_of(id)))
    return None if entry is None else decision_of(entry)


def put(unit: Unit, decision: Decision) -> Entry:
    """Write a decision into the log, in the place of itself if it stands there already."""
    body: dict[str, object] = {
        **{name: getattr(decision, name) for name in _PLAIN},
        "impact": decision.impact.value,
        "alternatives": list(decision.alternatives),
        "tags": list(decision.tags),
    }
    if decision.project is not None:
        body["project"] = decision.project
    entry = Entry(
        SHELF,
        entry_id(decision.scope, decision.number),
        str(decision.scope),
        decision.decided_at,
        body,
        decision.text,
        state=decision.status.value,
    )
    unit.entries.put(entry)
    return entry


_PLAIN = (
    "id",
    "title",
    "owner",
    "area",
    "context",
    "decision",
    "rationale",
    "revert_plan",
    "supersedes",
    "superseded_by",
    "revert_reason",
)


def decision_of(entry: Entry) -> Decision:
    """What was stored, as a decision."""
    body = cast(Mapping[str, str], entry.body)
    return Decision(
        **{name: body[name] for name in _PLAIN},
        scope=Scope.parse(entry.scope),
        decided_at=entry.at,
        impact=Impact(body["impact"]),
        status=DecisionStatus(entry.state),
        alternatives=tuple(body["alternatives"]),
        tags=tuple(body["tags"]),
        project=body.get("project"),
    )


def note(unit: Unit, context: Context, type: EventType, decision: Decision, **more: Plain) -> None:
    """Numbers and reasons, never what a decision says."""
    payload: dict[str, Plain] = {"scope": str(decision.scope), "decision": decision.id, **more}
    subject = entry_id(decision.scope, decision.number)
    unit.log.append(Event(f"evt_{ulid(context.now)}", type, subject, context.actor, context.now, payload))
