"""Corrections: what somebody said was wrong, and what came of it, as entries on a shelf of their own."""

from collections.abc import Sequence
from enum import StrEnum

from commonplace.domain.entries import Entry
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Origin
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope

SHELF = "correction"


class Severity(StrEnum):
    """How much it matters, least first."""

    LOW = "low"
    MED = "med"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for the least; for comparing, never shown."""
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


def settled(said: str, right: Memory, wrong: Sequence[str], now: int) -> Correction:
    """A correction whose right word is in the book already, so that no dream has to make a memory of it."""
    return Correction(
        f"cor_{ulid(now)}",
        said,
        right.scope,
        now,
        status=CorrectionStatus.DISTILLED,
        corrects=tuple(wrong),
        results=(right.id,),
        origin=right.origin,
    )


def entry_of(correction: Correction) -> Entry:
    """Indexed by the ids of what repeats it, so that a purge of the rule takes the correction along."""
    body: dict[str, object] = {
        "content": correction.content,
        "severity": correction.severity.value,
        "suggested_rule": correction.suggested_rule,
        "corrects": list(correction.corrects),
        "results": list(correction.results),
        "origin": correction.origin.value,
    }
    return Entry(
        SHELF,
        correction.id,
        str(correction.scope),
        correction.created_at,
        body,
        " ".join(correction.results),
        state=correction.status.value,
    )


def correction_of(entry: Entry) -> Correction:
    """What was stored, as a correction."""
    body = entry.body
    rule = body["suggested_rule"]
    return Correction(
        entry.id,
        str(body["content"]),
        Scope.parse(entry.scope),
        entry.at,
        Severity(str(body["severity"])),
        None if rule is None else str(rule),
        CorrectionStatus(entry.state),
        _ids(body["corrects"]),
        _ids(body["results"]),
        Origin(str(body["origin"])),
    )


def _ids(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()
