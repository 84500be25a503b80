"""The named parameters of the book's verbs, for type checkers and editors. Nothing of this is needed at run time."""

from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Literal, TypedDict

from commonplace.domain.memory import CaptureMode, Kind, MemoryType, Origin, Standing, Status
from commonplace.domain.query import Filter, Mode, Only
from commonplace.domain.rank import Profile
from commonplace.domain.scope import Scope

KindName = Literal["fact", "preference", "decision", "learning", "instruction", "event", "task", "context", "note"]
MemoryTypeName = Literal["fact", "event", "instruction", "task"]
CaptureName = Literal["explicit", "inferred"]
ModeName = Literal["auto", "words", "vectors"]
OnlyName = Literal["memories", "decisions", "sessions", "documents"]
Labels = tuple[str, ...] | list[str] | AbstractSet[str]
"""Several texts; one text alone is no list of letters."""
Moment = int | str | datetime
"""Milliseconds since 1970, ISO 8601, a span such as `30d`, or a datetime."""


class DraftFields(TypedDict, total=False):
    """What can be said of something to remember, beside its text and its scope."""

    kind: Kind | KindName
    memory_type: MemoryType | MemoryTypeName | None
    tags: Labels
    category: str | None
    topic: str | None
    importance: float
    confidence: float
    priority: int
    pinned: bool
    source: str | None
    capture_mode: CaptureMode | CaptureName | None
    session: str | None
    standing: Standing
    confirmed_at: Moment | None
    expires_at: Moment | None
    valid_from: Moment | None
    valid_to: Moment | None
    project: str | None


class ChangeFields(TypedDict, total=False):
    """What can be changed of a memory. None clears a field that may be empty."""

    text: str
    kind: Kind | KindName
    memory_type: MemoryType | MemoryTypeName | None
    scope: Scope
    tags: Labels
    category: str | None
    topic: str | None
    importance: float
    confidence: float
    priority: int
    pinned: bool
    confirmed_at: Moment | None
    expires_at: Moment | None
    valid_from: Moment | None
    valid_to: Moment | None
    project: str | None


class QueryFields(TypedDict, total=False):
    """How a recall looks, beside what for."""

    filter: Filter
    limit: int
    max_tokens: int | None
    min_relevance: float | None
    mode: Mode | ModeName
    profile: str | Profile
    surface: str
    counts_use: bool
    reinforces: bool
    audited: bool
    needs_vectors: bool
    explain: bool
    only: Only | OnlyName | None


class FilterFields(TypedDict, total=False):
    """Which memories take part, for a listing without a `Filter` of its own."""

    scopes: tuple[Scope, ...]
    kinds: tuple[Kind, ...]
    memory_types: tuple[MemoryType, ...]
    tags: Labels
    any_tags: Labels
    category: str | None
    topic: str | None
    session: str | None
    statuses: tuple[Status, ...]
    include_expired: bool
    created_since: int | None
    created_until: int | None
    valid_at: int | None
    as_of: int | None
    automatic: bool
    verified_only: bool
    pinned: bool
    waiting: bool
    origins: tuple[Origin, ...]
    only_expired: bool
    projects: tuple[str, ...]
    source: str | None
