"""The memory itself, and the small nouns it is made of. Frozen, and valid by construction."""

import re
from enum import StrEnum

from commonplace.domain.record import Record
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.domain.validation import (
    check_count,
    check_flag,
    check_id,
    check_label,
    check_priority,
    check_project,
    check_reason,
    check_share,
    check_tags,
    check_text,
    check_time,
)
from commonplace.errors import InvalidInput
from commonplace.text import stems, terms

DIGITS = "0123456789"

_COUNTING = re.compile(r"\b(?:ago|last|past|next|this|yesterday|tomorrow|today|tonight)\b", re.IGNORECASE)
"""What a text must have in it to count days from the one it was said on."""


class Kind(StrEnum):
    """What sort of thing is remembered."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    LEARNING = "learning"
    INSTRUCTION = "instruction"
    EVENT = "event"
    TASK = "task"
    CONTEXT = "context"
    NOTE = "note"


class MemoryType(StrEnum):
    """How long it keeps, in the words of contracts that tell it apart from the kind."""

    FACT = "fact"
    EVENT = "event"
    INSTRUCTION = "instruction"
    TASK = "task"


IMPLIED_TYPES = {
    Kind.EVENT: MemoryType.EVENT,
    Kind.DECISION: MemoryType.EVENT,
    Kind.INSTRUCTION: MemoryType.INSTRUCTION,
    Kind.TASK: MemoryType.TASK,
}
"""What a kind says about the type where a memory was given none; the other kinds are facts."""


class Status(StrEnum):
    """Only an active memory is recalled unless a caller asks for others."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    INVALIDATED = "invalidated"
    FORGOTTEN = "forgotten"
    STALE = "stale"


class Origin(StrEnum):
    """Whose words they are, most trusted first. The door sets it, never an argument; `trust` weighs it."""

    TYPED = "typed"
    CONFIRMED = "confirmed"
    AGENT = "agent"
    HEARD = "heard"
    REVISED = "revised"
    INFERRED = "inferred"
    TOOL = "tool"
    IMPORTED = "imported"

    @property
    def distrust(self) -> int:
        """0 for what a person typed, rising from there."""
        return _ORIGINS.index(self)

    @property
    def waits_for_confirmation(self) -> bool:
        """Whatever it is about, nobody's word stands behind it until a person has confirmed it."""
        return self.distrust >= Origin.REVISED.distrust

    @property
    def of_a_person(self) -> bool:
        """Typed by a person, or confirmed by one."""
        return self.distrust <= Origin.CONFIRMED.distrust


_ORIGINS = tuple(Origin)


class Standing(StrEnum):
    """What others made of a memory."""

    UNVERIFIED = "unverified"
    VERIFIED = "verified"
    CONTESTED = "contested"


class CaptureMode(StrEnum):
    EXPLICIT = "explicit"
    INFERRED = "inferred"


class RelationKind(StrEnum):
    SUPERSEDES = "supersedes"
    CONFLICTS_WITH = "conflicts_with"
    DUPLICATE_OF = "duplicate_of"
    RELATED_TO = "related_to"
    SUPPORTS = "supports"
    DERIVED_FROM = "derived_from"
    PROPOSES = "proposes"


class Provenance(Record):
    """Who wrote it down, through which door, and in which conversation."""

    source: str | None = None
    surface: str = "library"
    actor: str = "local"
    capture_mode: CaptureMode | None = None
    session: str | None = None

    def __post_init__(self) -> None:
        for name in ("source", "surface", "actor", "session"):
            check_label(getattr(self, name), name)
        for name in ("surface", "actor"):
            check_text(getattr(self, name), name)

    @property
    def file(self) -> str | None:
        """The source without the line: what was read in one file came together, whichever line it is from."""
        if self.source is None:
            return None
        file = self.source.rstrip(DIGITS)
        return file[:-1] if len(file) > 1 and file != self.source and file.endswith(":") else self.source


class Usage(Record):
    """How often a memory was recalled. Counted beside the memory, not part of its history."""

    count: int = 0
    used_at: int | None = None
    surface: str | None = None
    base_confidence: float | None = None


class Memory(Record):
    """One thing worth remembering. Times are integer milliseconds UTC.

    Its scope says who may see it, `project` what it is about: the id of a project, wherever the memory lives.
    """

    id: str
    number: int
    text: str
    scope: Scope
    created_at: int
    updated_at: int
    owner: str = "local"
    kind: Kind = Kind.FACT
    memory_type: MemoryType | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    topic: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    priority: int = 5
    pinned: bool = False
    provenance: Provenance = Provenance()
    origin: Origin = Origin.AGENT
    standing: Standing = Standing.UNVERIFIED
    status: Status = Status.ACTIVE
    status_at: int | None = None
    status_reason: str | None = None
    successor: str | None = None
    confirmed_at: int | None = None
    expires_at: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    revision: int = 1
    project: str | None = None
    usage: Usage = Usage()

    def __post_init__(self) -> None:
        check_text(self.text)
        check_id(self.id)
        check_count(self.number, "number", 0)
        check_count(self.revision, "revision", 1)
        check_flag(self.pinned, "pinned")
        check_share(self.importance, "importance")
        check_share(self.confidence, "confidence")
        for name in ("category", "topic", "owner", "successor"):
            check_label(getattr(self, name), name)
        check_tags(self.tags)
        check_priority(self.priority)
        check_project(self.project)
        check_reason(self.status_reason)
        for name in ("created_at", "updated_at", "status_at", "confirmed_at", "expires_at", "valid_from", "valid_to"):
            check_time(getattr(self, name), name)
        if self.valid_from is not None and self.valid_to is not None and self.valid_to < self.valid_from:
            raise InvalidInput("valid_to lies before valid_from: swap them or leave one out.", "valid_to")

    @property
    def base_confidence(self) -> float:
        """What confidence decays from: as stated, unless use has lifted it since."""
        return self.confidence if self.usage.base_confidence is None else self.usage.base_confidence

    @property
    def about(self) -> str | None:
        """The id of the project it is about: the one it was given, else the one whose scope it lives in."""
        if self.project is None and self.scope.kind is ScopeKind.PROJECT:
            return self.scope.id
        return self.project

    def is_apart_from(self, other: "Memory") -> bool:
        """Whether the two are about two projects: then neither is a word on what the other says."""
        return self.project is not None and other.project is not None and self.project != other.project

    @property
    def doubt(self) -> int:
        """What its team has not settled: 0 nothing, 1 whether it holds, 2 which of several holds. Only teams doubt."""
        if self.scope.kind is not ScopeKind.TEAM or self.standing is Standing.VERIFIED:
            return 0
        return 2 if self.standing is Standing.CONTESTED else 1

    @property
    def waits(self) -> bool:
        """Whether a person has yet to confirm it: until then nothing puts it in front of a model unasked.

        Beside what is inferred or imported, that is what an agent wants to be followed or always seen:
        its instructions and its pins.
        """
        if self.origin is not Origin.AGENT:
            return self.origin.waits_for_confirmation
        return self.pinned or self.instructs

    @property
    def instructs(self) -> bool:
        """Whether it is to be followed, not only known."""
        return self.kind is Kind.INSTRUCTION or self.memory_type is MemoryType.INSTRUCTION

    @property
    def effective_type(self) -> MemoryType:
        """The type it was given, else the one its kind implies."""
        return self.memory_type or IMPLIED_TYPES.get(self.kind, MemoryType.FACT)

    def expired(self, now: int) -> bool:
        """Whether its time is over, to the millisecond; one without an end never expires."""
        return self.expires_at is not None and self.expires_at <= now

    def valid(self, at: int) -> bool:
        """Whether what it says was true at that moment, as far as it says."""
        return (self.valid_from is None or self.valid_from <= at) and (self.valid_to is None or at < self.valid_to)


class Relation(Record):
    """An edge between two memories: `source` supersedes, contradicts, … `target`."""

    id: str
    source: str
    target: str
    kind: RelationKind
    reason: str | None
    created_at: int


def index_terms(memory: Memory, words: list[str]) -> str:
    """What goes into the word index: the words of its text with their stems, of its labels, of the day it was said, and
    of the days it counts from there ("last Friday").

    Its vector is of the bare text: dates and labels did not help there.
    """
    return " ".join((*words, *stems(memory.text), *_beside_the_text(memory), *_counted_days(memory)))


def older_index_terms(memory: Memory, words: list[str]) -> str:
    """The same for a memory that was indexed before texts had stems and days: it is whole like that too."""
    return " ".join((*words, *_beside_the_text(memory)))


def _counted_days(memory: Memory) -> list[str]:
    if not _COUNTING.search(memory.text):
        return []
    # Late for the command line: few memories count days.
    from commonplace.text.dates import counted_spans, span_words

    said_at = memory.created_at if memory.valid_from is None else memory.valid_from
    return [term for span in counted_spans(memory.text, said_at) for term in terms(span_words(span))]


def _beside_the_text(memory: Memory) -> list[str]:
    labels = " ".join(filter(None, (memory.topic, memory.category, *memory.tags)))
    found = terms(labels) if labels else []
    return found if memory.valid_from is None else found + terms(_day(memory.valid_from))


def _day(moment: int) -> str:
    # Late for the command line: few memories are given a time.
    from commonplace.text.dates import day_words

    return day_words(moment)
