"""Corrections: what somebody said was wrong, kept until a dream makes a rule of it."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from commonplace import recall
from commonplace.checks import check_text
from commonplace.errors import Conflict, InvalidInput
from commonplace.ids import Clock, ulid
from commonplace.intake import refuse_secrets
from commonplace.memory import Memory, Origin
from commonplace.ports import Embedder, Store, Unit
from commonplace.query import QUERY_LENGTH_LIMIT, Filter, Hit, Query
from commonplace.reading import Reference
from commonplace.record import Record
from commonplace.scope import Principal, Right, Scope
from commonplace.shelves import Entry, Wanted
from commonplace.text import fold, normalise

SHELF = "correction"
LIST_LIMIT = 1_000
LINK_LIMIT = 16
PROPOSALS = 3
REPEAT_WITHIN = 86_400_000
BATCH = 500


class Severity(StrEnum):
    """How much it matters, least first."""

    LOW = "low"
    MED = "med"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        return _SEVERITIES.index(self)


_SEVERITIES = tuple(Severity)


class CorrectionStatus(StrEnum):
    PENDING = "pending"
    DISTILLED = "distilled"


class Correction(Record):
    """Something that was wrong, in the words of whoever said so.

    `corrects` are the memories it was said about, `results` what came of it. It is trusted like its
    `origin`, the door it came in by.
    """

    id: str
    content: str
    scope: Scope
    created_at: int
    severity: Severity = Severity.MED
    suggested_rule: str | None = None
    status: CorrectionStatus = CorrectionStatus.PENDING
    corrects: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    origin: Origin = Origin.AGENT

    @property
    def rule(self) -> str:
        """What to go by from now on: the rule that was suggested, else the correction itself."""
        return self.suggested_rule or self.content


class Logged(Record):
    """A correction that was logged. `proposed` are memories it may be about: nobody has said so, nothing is linked."""

    correction: Correction
    proposed: tuple[Hit, ...] = ()


Find = Callable[[Unit, Reference], Memory]
"""A memory the caller may see, by any of its names; the book's own way to look one up."""


class Corrections:
    """The corrections of one principal's scopes."""

    def __init__(
        self,
        store: Store,
        principal: Principal,
        embedder: Embedder | None,
        clock: Clock,
        origin: Origin,
        find: Find,
    ) -> None:
        self._store = store
        self._principal = principal
        self._embedder = embedder
        self._clock = clock
        self._origin = origin
        self._find = find

    def log(
        self,
        content: str,
        *,
        scope: Scope | None = None,
        severity: Severity = Severity.MED,
        suggested_rule: str | None = None,
        memories: Sequence[Reference] = (),
    ) -> Logged:
        """Keep a correction. No memory is changed by it, neither those named nor those proposed."""
        self._principal.require(Right.WRITE)
        place = self._place(scope)
        said = _checked(content, "content")
        rule = None if suggested_rule is None else _checked(suggested_rule, "suggested_rule")
        if len(memories) > LINK_LIMIT:
            raise InvalidInput(f"{len(memories)} memories are too many for one correction: {LINK_LIMIT} at most.")
        proposed = () if memories else self._propose(said, place)
        now = self._clock()
        with self._store.writing(self._principal.tenant) as unit:
            _refuse_repeat(unit, said, place, severity, now)
            named = tuple(dict.fromkeys(self._find(unit, each).id for each in memories))
            correction = Correction(
                f"cor_{ulid(now)}", said, place, now, severity, rule, corrects=named, origin=self._origin
            )
            unit.shelves.put(entry_of(correction))
        return Logged(correction, proposed)

    def list(
        self, *, limit: int = 50, scope: Scope | None = None, include_distilled: bool = True
    ) -> tuple[Correction, ...]:
        """Corrections, the newest first."""
        self._principal.require(Right.READ)
        if not 1 <= limit <= LIST_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {LIST_LIMIT}, not {limit}.", "limit")
        states = () if include_distilled else (CorrectionStatus.PENDING.value,)
        scopes = () if scope is None else (str(self._place(scope)),)
        with self._store.reading(self._principal.tenant) as unit:
            return visible(unit, Wanted(SHELF, scopes, states=states), self._principal, limit)

    def _place(self, scope: Scope | None) -> Scope:
        place = scope or self._principal.own_scope
        if not self._principal.may_see(place):
            raise InvalidInput(f"{place} is not one of your scopes.", "scope")
        return place

    def _propose(self, content: str, scope: Scope) -> tuple[Hit, ...]:
        """What it may be about: the best that recall finds in its scope."""
        query = Query(content[:QUERY_LENGTH_LIMIT], Filter((scope,)), PROPOSALS, counts_use=False)
        return recall.find(self._store, self._principal.tenant, query, self._embedder, self._clock()).hits


def visible(unit: Unit, wanted: Wanted, principal: Principal, limit: int) -> tuple[Correction, ...]:
    """The newest corrections that somebody may see."""
    found: list[Correction] = []
    offset = 0
    while len(found) < limit and (page := unit.shelves.page(wanted, BATCH, offset=offset)):
        found += [each for each in map(correction_of, page) if principal.may_see(each.scope)]
        offset += len(page)
    return tuple(found[:limit])


def entry_of(correction: Correction) -> Entry:
    """Its text are the ids of what repeats it, so that a purge of the rule takes the correction along."""
    body: dict[str, object] = {
        "content": correction.content, "severity": correction.severity.value,
        "suggested_rule": correction.suggested_rule, "corrects": list(correction.corrects),
        "results": list(correction.results), "origin": correction.origin.value,
    }  # fmt: skip
    return Entry(
        SHELF, correction.id, str(correction.scope), correction.created_at, body, " ".join(correction.results),
        state=correction.status.value,
    )  # fmt: skip


def correction_of(entry: Entry) -> Correction:
    body = entry.body
    rule = body["suggested_rule"]
    return Correction(
        entry.id, str(body["content"]), Scope.parse(entry.scope), entry.at, Severity(str(body["severity"])),
        None if rule is None else str(rule), CorrectionStatus(entry.state), _ids(body["corrects"]),
        _ids(body["results"]), Origin(str(body["origin"])),
    )  # fmt: skip


def _ids(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _checked(text: str, argument: str) -> str:
    check_text(text, argument)
    said = normalise(text)
    refuse_secrets(said, argument)
    return said


def _refuse_repeat(unit: Unit, content: str, scope: Scope, severity: Severity, now: int) -> None:
    """The same words at the same severity within a day are one correction, not two."""
    wanted = Wanted(SHELF, (str(scope),), since=max(0, now - REPEAT_WITHIN))
    offset, folded = 0, fold(content)
    while page := unit.shelves.page(wanted, BATCH, offset=offset):
        for known in map(correction_of, page):
            if known.severity is severity and fold(known.content) == folded:
                raise Conflict(
                    f"{known.id} says the same at the same severity: raise the severity if it matters more now."
                )
        offset += len(page)
