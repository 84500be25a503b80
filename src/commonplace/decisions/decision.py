"""A decision and what it is made of: the nouns of the decision log."""

import re
from enum import StrEnum

from commonplace.domain.query import PAGE_LIMIT, QUERY_LENGTH_LIMIT
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.domain.validation import check_label, check_share, check_tags, check_text, check_time
from commonplace.errors import InvalidInput, NotFound
from commonplace.text import fold, normalise, tidy_tags

DIGITS = 3
BODY_LENGTH_LIMIT = 16_000
ALTERNATIVE_LENGTH_LIMIT = 4_000
ALTERNATIVE_COUNT_LIMIT = 32

_ID = re.compile(r"(?:dec-)?0*([1-9]\d{0,11})", re.IGNORECASE | re.ASCII)
_LABELS = ("title", "owner", "area")
_TEXTS = ("context", "decision", "rationale")


class Impact(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class DecisionStatus(StrEnum):
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    REVERTED = "reverted"
    DRAFT = "draft"


class Proposal(Record):
    """A decision as its author gives it. `area` is what it concerns, such as backend."""

    title: str
    owner: str
    context: str
    decision: str
    rationale: str
    area: str | None = None
    impact: Impact = Impact.MEDIUM
    alternatives: tuple[str, ...] = ()
    revert_plan: str | None = None
    tags: tuple[str, ...] = ()
    decided_at: int | None = None
    draft: bool = False

    def __post_init__(self) -> None:
        for name in _LABELS:
            check_label(getattr(self, name), name)
        for name in _TEXTS:
            _check_body(getattr(self, name), name, BODY_LENGTH_LIMIT)
        if self.revert_plan is not None:
            _check_body(self.revert_plan, "revert_plan", BODY_LENGTH_LIMIT)
        if not isinstance(self.alternatives, tuple):
            raise InvalidInput("alternatives must be a list of texts.", "alternatives")
        if len(self.alternatives) > ALTERNATIVE_COUNT_LIMIT:
            raise InvalidInput(f"{ALTERNATIVE_COUNT_LIMIT} alternatives are the limit: leave some out.", "alternatives")
        for alternative in self.alternatives:
            _check_body(alternative, "alternatives", ALTERNATIVE_LENGTH_LIMIT)
        check_tags(self.tags)
        check_time(self.decided_at, "decided_at")

    def tidy(self) -> "Proposal":
        """The same in its normal form."""
        tidy: dict[str, object] = {name: normalise(getattr(self, name)) for name in ("title", "owner", *_TEXTS)}
        for name in ("area", "revert_plan"):
            value = getattr(self, name)
            tidy[name] = None if value is None else normalise(value)
        return replace(self, **tidy, alternatives=tuple(map(normalise, self.alternatives)), tags=tidy_tags(self.tags))


class Decision(Record):
    """One line of the log. `id` is unique within `scope`, the scope of memories it belongs to; `project` is the id of
    the project it is about, if it is about one."""

    id: str
    scope: Scope
    title: str
    owner: str
    area: str
    context: str
    decision: str
    rationale: str
    decided_at: int
    impact: Impact = Impact.MEDIUM
    status: DecisionStatus = DecisionStatus.ACTIVE
    alternatives: tuple[str, ...] = ()
    revert_plan: str | None = None
    tags: tuple[str, ...] = ()
    supersedes: str | None = None
    superseded_by: str | None = None
    revert_reason: str | None = None
    project: str | None = None

    @property
    def about(self) -> str | None:
        """The id of the project it is about: the one it was given, else the one whose scope it stands in."""
        return self.scope.id if self.project is None and self.scope.kind is ScopeKind.PROJECT else self.project

    @property
    def number(self) -> int:
        """Its place in the order in which decisions were made, from 1 on."""
        return number_of(self.id)

    @property
    def text(self) -> str:
        """What it is found by."""
        return text_of(self)


class Recorded(Record):
    """A decision from a folder of records: `number` is its own there, `superseded_by` that of the one after it.

    `reason` says why it stands no more, where something else than another record is why; `file` is where it was found.
    """

    proposal: Proposal
    number: int | None = None
    status: DecisionStatus = DecisionStatus.ACTIVE
    superseded_by: int | None = None
    reason: str | None = None
    file: str = ""


def text_of(decided: Proposal | Decision) -> str:
    """What a decision is found by, known before it has a number."""
    said = (decided.title, decided.context, decided.decision, decided.rationale)
    return "\n".join((*said, *decided.tags, *decided.alternatives))


class Inquiry(Record):
    """Which decisions to look for; of `tags`, one is enough. With `least_relevance`, some words of the `text` are no
    reason by themselves: beside those that have all, those are wanted that are so relevant by words and meaning.

    Without a `status`, what was superseded is left out unless asked for.
    """

    scopes: tuple[Scope, ...]
    text: str | None = None
    area: str | None = None
    impact: Impact | None = None
    status: DecisionStatus | None = None
    tags: tuple[str, ...] = ()
    include_superseded: bool = False
    limit: int = 10
    offset: int = 0
    least_relevance: float | None = None

    def __post_init__(self) -> None:
        if self.text is not None:
            check_text(self.text, "query")
            if len(self.text) > QUERY_LENGTH_LIMIT:
                raise InvalidInput(f"query is longer than {QUERY_LENGTH_LIMIT:,} characters: shorten it.", "query")
        check_label(self.area, "area")
        check_tags(self.tags)
        if not 1 <= self.limit <= PAGE_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {PAGE_LIMIT}, not {self.limit}.", "limit")
        if self.least_relevance is not None:
            check_share(self.least_relevance, "least_relevance")
        if self.offset < 0:
            raise InvalidInput(f"offset must not be below zero, as {self.offset} is.", "offset")

    def admits(self, decision: Decision) -> bool:
        """Whether a decision has the area, the impact and one of the tags asked for; what was not asked for is free."""
        return (
            (self.area is None or fold(decision.area) == fold(self.area))
            and self.impact in (None, decision.impact)
            and (not self.tags or not set(tidy_tags(self.tags)).isdisjoint(decision.tags))
        )

    @property
    def states(self) -> tuple[str, ...]:
        """The statuses to look among; without a wish of its own, all but superseded ones."""
        if self.status is not None:
            return (self.status.value,)
        hidden = () if self.include_superseded else (DecisionStatus.SUPERSEDED,)
        return tuple(status.value for status in DecisionStatus if status not in hidden)


class Found(Record):
    """A stretch of an answer, and how many decisions the whole answer has."""

    decisions: tuple[Decision, ...]
    total: int
    has_more: bool


def number_of(id: str) -> int:
    """`DEC-014`, `dec-14` and `14` are the fourteenth."""
    match = _ID.fullmatch(id.strip()) if isinstance(id, str) else None
    if match is None:
        raise missing(id)
    return int(match[1])


def shown_id(number: int) -> str:
    """`DEC-014`: the id under which a decision is kept and shown."""
    return f"DEC-{number:0{DIGITS}d}"


def missing(id: object) -> NotFound:
    """The one answer for unknown ids and for foreign ones."""
    return NotFound(f"There is no decision '{str(id)[:40]}' here: look it up with 'commonplace decision list'.")


def _check_body(text: str, name: str, limit: int) -> None:
    check_text(text, name)
    if len(text) > limit:
        raise InvalidInput(f"{name} has {len(text):,} characters and {limit:,} is the limit: shorten it.", name)
