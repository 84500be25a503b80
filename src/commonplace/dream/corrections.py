"""Corrections: what somebody said was wrong, kept until a dream makes a rule of it."""

from collections.abc import Sequence
from itertools import islice

from commonplace.domain import trust
from commonplace.domain.corrections import SHELF, Correction, CorrectionStatus, Severity, correction_of, entry_of
from commonplace.domain.entries import EntryFilter
from commonplace.domain.ids import DAY, ulid
from commonplace.domain.memory import Memory
from commonplace.domain.query import QUERY_LENGTH_LIMIT, Filter, Hit, Query
from commonplace.domain.record import Record
from commonplace.domain.scope import Right, Scope, Viewer
from commonplace.domain.validation import check_text
from commonplace.engine import lifecycle, recall
from commonplace.engine.caller import Caller, Reference, Work
from commonplace.engine.intake import refuse_secrets
from commonplace.engine.paging import each_entry
from commonplace.errors import Conflict, InvalidInput
from commonplace.ports import Unit
from commonplace.text import fold, normalise

LIST_LIMIT = 1_000
LINK_LIMIT = 16
PROPOSALS = 3
REPEAT_WITHIN = DAY


class Logged(Record):
    """A correction that was logged, and what became of the memories it was said about.

    `put_away` are not recalled any more, `left` are trusted more than whoever corrects them: a person decides.
    `proposed` are memories it may be about: nobody has said so, nothing is linked.
    """

    correction: Correction
    proposed: tuple[Hit, ...] = ()
    put_away: tuple[Memory, ...] = ()
    left: tuple[Memory, ...] = ()


class Corrections:
    """The corrections of one caller's scopes."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def log(
        self,
        content: str,
        *,
        scope: Scope | None = None,
        severity: Severity = Severity.MED,
        suggested_rule: str | None = None,
        memories: Sequence[Reference] = (),
    ) -> Logged:
        """Keep a correction. The memories named are invalidated as far as trust allows; those proposed stay."""
        said = _checked(content, "content")
        rule = None if suggested_rule is None else _checked(suggested_rule, "suggested_rule")
        if len(memories) > LINK_LIMIT:
            raise InvalidInput(f"{len(memories)} memories are too many for one correction: {LINK_LIMIT} at most.")
        readable = self._caller.principal.may(Right.READ)
        proposed = self._propose(said, scope) if readable and not memories else ()
        with self._caller.writing() as work:
            place, now = self._place(work, scope), work.now
            _refuse_repeat(work.unit, said, place, severity, now)
            named = {memory.id: memory for memory in map(work.find, memories)}
            correction = Correction(
                f"cor_{ulid(now)}",
                said,
                place,
                now,
                severity,
                rule,
                corrects=tuple(named),
                origin=self._caller.door.origin,
            )
            work.unit.entries.put(entry_of(correction))
            put_away, left = _put_away(work, correction, list(named.values()))
        return Logged(correction, proposed, put_away, left)

    def list(
        self, *, limit: int = 50, scope: Scope | None = None, include_distilled: bool = True
    ) -> tuple[Correction, ...]:
        """Corrections, the newest first."""
        if not 1 <= limit <= LIST_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {LIST_LIMIT}, not {limit}.", "limit")
        states = () if include_distilled else (CorrectionStatus.PENDING.value,)
        with self._caller.reading() as work:
            scopes = () if scope is None else (str(work.scope(scope)),)
            return visible(work.unit, EntryFilter(SHELF, scopes, states=states), work.viewer, limit)

    def _place(self, work: Work, scope: Scope | None) -> Scope:
        return work.scope(scope or self._caller.principal.own_scope)

    def _propose(self, content: str, scope: Scope | None) -> tuple[Hit, ...]:
        """What it may be about: the best that recall finds in its scope."""
        query = Query(content[:QUERY_LENGTH_LIMIT], Filter(()), PROPOSALS, counts_use=False)
        asked = recall.ask(query, self._caller.models.embedder)
        with self._caller.looking() as work:
            return recall.answer(work.unit, asked, Filter((self._place(work, scope),)), work.now).hits


def _put_away(
    work: Work, correction: Correction, wrong: Sequence[Memory]
) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """Take out of recall what was said to be wrong, unless it is trusted more than whoever says so."""
    put_away, left = [], []
    for memory in wrong:
        if memory.status not in lifecycle.PRESENT:
            continue
        if trust.may_replace(correction.origin, memory.origin, work.context.origin):
            begun = memory.valid_from is None or memory.valid_from <= work.now
            reason = f"corrected by {correction.id}"
            if begun:
                put_away.append(lifecycle.invalidate(work.unit, work.context, memory, None, reason))
            else:
                put_away.append(lifecycle.archive(work.unit, work.context, memory, reason))
        else:
            left.append(memory)
    return tuple(put_away), tuple(left)


def visible(unit: Unit, wanted: EntryFilter, viewer: Viewer, limit: int) -> tuple[Correction, ...]:
    """The newest corrections that somebody may see."""
    found = (each for each in map(correction_of, each_entry(unit, wanted)) if viewer.may_see(each.scope))
    return tuple(islice(found, limit))


def _checked(text: str, argument: str) -> str:
    check_text(text, argument)
    said = normalise(text)
    refuse_secrets(said, argument)
    return said


def _refuse_repeat(unit: Unit, content: str, scope: Scope, severity: Severity, now: int) -> None:
    """The same words at the same severity within a day are one correction, not two."""
    wanted = EntryFilter(SHELF, (str(scope),), since=max(0, now - REPEAT_WITHIN))
    folded = fold(content)
    for known in map(correction_of, each_entry(unit, wanted)):
        if known.severity is severity and fold(known.content) == folded:
            raise Conflict(f"{known.id} says the same at the same severity: raise the severity if it matters more now.")
