"""What a caller asks for and what comes back: filters, queries, candidates, recalls and pages."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from commonplace.domain.memory import Kind, Memory, MemoryType, Origin, Status
from commonplace.domain.rank import Profile
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope
from commonplace.domain.validation import (
    check_label,
    check_project,
    check_share,
    check_tags,
    check_text,
    check_time,
)
from commonplace.errors import InvalidInput
from commonplace.text import matched_words, show_time, stems, terms, words_in_common

if TYPE_CHECKING:
    from commonplace.domain.trace import Trace

QUERY_LENGTH_LIMIT = 16_000
RECALL_LIMIT = 200
PAGE_LIMIT = 1_000


class Mode(StrEnum):
    """How to look: by words, by meaning, or by both where a model is at hand."""

    AUTO = "auto"
    WORDS = "words"
    VECTORS = "vectors"


class Only(StrEnum):
    """What a recall may be narrowed to."""

    MEMORIES = "memories"
    DECISIONS = "decisions"
    SESSIONS = "sessions"
    DOCUMENTS = "documents"

    @property
    def one(self) -> str:
        """What a hit of it is called."""
        return _SINGULAR[self]


_SINGULAR = {
    Only.MEMORIES: "memory",
    Only.DECISIONS: "decision",
    Only.SESSIONS: "session",
    Only.DOCUMENTS: "document",
}


class EffectiveMode(StrEnum):
    """How a recall really looked."""

    HYBRID = "hybrid"
    LEXICAL = "lexical"
    SEMANTIC = "semantic"


class Order(StrEnum):
    NEWEST = "newest"
    OLDEST = "oldest"
    UPDATED = "updated"


class Filter(Record):
    """Which memories may take part. Empty tuples mean any; `tags` must all be there, of `any_tags` one.
    A memory that was given no type has the one its kind implies.

    `as_of` looks at the book as it stood at that moment (record time); `valid_at` asks
    for what was true at a moment (valid time). `automatic` is for hosts that inject
    memories unasked: what waits for a person's confirmation is left out. `verified_only`
    leaves out what a team has not verified; what is not a team's stays. `source` is where it was read, as it was
    told when it was written; a file stands for each of its lines. `pinned` asks for what is pinned only,
    `waiting` for what waits for a person only, `only_expired` for what is over, `projects` for what is about one
    of these projects, by their ids.
    """

    scopes: tuple[Scope, ...]
    kinds: tuple[Kind, ...] = ()
    memory_types: tuple[MemoryType, ...] = ()
    tags: tuple[str, ...] = ()
    any_tags: tuple[str, ...] = ()
    category: str | None = None
    topic: str | None = None
    session: str | None = None
    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    include_expired: bool = False
    created_since: int | None = None
    created_until: int | None = None
    valid_at: int | None = None
    as_of: int | None = None
    automatic: bool = False
    verified_only: bool = False
    pinned: bool = False
    waiting: bool = False
    origins: tuple[Origin, ...] = ()
    only_expired: bool = False
    projects: tuple[str, ...] = ()
    source: str | None = None

    def __post_init__(self) -> None:
        for name in ("created_since", "created_until", "valid_at", "as_of"):
            check_time(getattr(self, name), name)
        for name in ("category", "topic", "session", "source"):
            check_label(getattr(self, name), name)
        check_tags(self.tags)
        check_tags(self.any_tags)
        for project in self.projects:
            check_project(project)

    @property
    def beyond_memories(self) -> "Filter":
        """What of the filter can be said of anything, not of memories alone: where, when, and whether unasked."""
        return Filter(
            self.scopes,
            created_since=self.created_since,
            created_until=self.created_until,
            automatic=self.automatic,
        )

    def in_force(self, now: int) -> "Filter":
        """The same filter for whoever asks what is true: now, or at the moment that `as_of` looks at.

        Whoever names a moment keeps theirs, and whoever asks for more than what is active gets what is over too.
        """
        if self.valid_at is not None or self.statuses != (Status.ACTIVE,):
            return self
        return replace(self, valid_at=now if self.as_of is None else self.as_of)

    def admits(self, memory: Memory, now: int) -> bool:
        """The filter as a predicate; stores express the same in their own language."""
        return self.refusal(memory, now) is None

    def refusal(self, memory: Memory, now: int) -> str | None:
        """Why a memory may not take part, in words, or None when it may.

        One reason is told, the one that settles most: where it lives, whether it is in force, then what was asked for.
        """
        if memory.scope not in self.scopes:
            return f"it lives in {memory.scope}, outside the scopes asked for"
        if self.statuses and memory.status not in self.statuses:
            because = f": {memory.status_reason}" if memory.status_reason else ""
            return f"it is {memory.status.value}{because}"
        if self.only_expired and not memory.expired(now):
            return "it has not expired"
        if not (self.include_expired or self.only_expired) and memory.expired(now):
            return "it has expired"
        if self.automatic and memory.waits:
            return f"it is {memory.origin.value} and waits for a person's confirmation"
        if self.waiting and not memory.waits:
            return "it does not wait for anybody"
        if self.origins and memory.origin not in self.origins:
            return f"it is {memory.origin.value}"
        if self.verified_only and memory.doubt:
            return f"it is {memory.standing.value} in its team"
        if self.kinds and memory.kind not in self.kinds:
            return f"its kind is {memory.kind.value}"
        if self.memory_types and memory.effective_type not in self.memory_types:
            return "its memory type was not asked for"
        return self._refused_by_labels(memory) or self._refused_by_time(memory)

    def _refused_by_labels(self, memory: Memory) -> str | None:
        if self.pinned and not memory.pinned:
            return "it is not pinned"
        if not set(self.tags) <= set(memory.tags):
            return "it lacks a tag asked for"
        if self.any_tags and not set(self.any_tags) & set(memory.tags):
            return "it has none of the tags asked for"
        for name in ("category", "topic"):
            wanted = getattr(self, name)
            if wanted is not None and getattr(memory, name) != wanted:
                return f"its {name} is not {wanted}"
        if self.projects and memory.about not in self.projects:
            return "it is about another project" if memory.about else "it is about no project"
        if self.session is not None and memory.provenance.session != self.session:
            return "it belongs to another session"
        if self.source is not None and self.source not in (memory.provenance.source, memory.provenance.file):
            return "it comes from another source"
        return None

    def _refused_by_time(self, memory: Memory) -> str | None:
        if self.created_since is not None and memory.created_at < self.created_since:
            return "it is older than asked for"
        if self.created_until is not None and memory.created_at >= self.created_until:
            return "it is newer than asked for"
        if self.valid_at is not None and not memory.valid(self.valid_at):
            over = memory.valid_to is not None and memory.valid_to <= self.valid_at
            until = memory.valid_to if over else memory.valid_from
            return f"it is true only {'until' if over else 'from'} {show_time(until or 0)[:10]}{'' if over else ' on'}"
        return None


class Query(Record):
    """One recall: what to look for, where, how much to bring back.

    `counts_use` counts the hits as used, `reinforces` lifts the confidence that has faded since, and
    `audited` also logs that they were recalled. A model that fails leaves words to look by, or with
    `needs_vectors` fails the recall; no model is no failure. `profile` is one of ours by its name, or one
    that the caller brings. Unless it is `only` for one thing, it finds memories and, where the door shows
    them, a few of what stands beside them.
    """

    text: str
    filter: Filter
    limit: int = 8
    max_tokens: int | None = None
    min_relevance: float | None = None
    mode: Mode = Mode.AUTO
    profile: str | Profile = "native"
    surface: str = "library"
    counts_use: bool = True
    reinforces: bool = False
    audited: bool = False
    needs_vectors: bool = False
    explain: bool = False
    only: Only | None = None

    def __post_init__(self) -> None:
        check_text(self.text, "query")
        if len(self.text) > QUERY_LENGTH_LIMIT:
            raise InvalidInput(f"query is longer than {QUERY_LENGTH_LIMIT:,} characters: shorten it.", "query")
        if not 1 <= self.limit <= RECALL_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {RECALL_LIMIT}, not {self.limit}.", "limit")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise InvalidInput("max_tokens must be at least 1.", "max_tokens")
        if self.min_relevance is not None:
            check_share(self.min_relevance, "min_relevance")


class Hit(Record):
    """A memory that was found: how relevant it is from 0 to 1, and what spoke for it.

    `query` is what was looked for by words; empty when only meaning counted. `contradicted` is what somebody said
    otherwise later, in a memory that stands as well.
    """

    memory: Memory
    relevance: float
    word_score: float | None = None
    vector_score: float | None = None
    query: str = ""
    by_topic: bool = False
    by_neighbour: bool = False
    points: float | None = None
    contradicted: bool = False

    @property
    def score(self) -> float:
        """What the order goes by: the points of a profile that counts places, else the relevance."""
        return self.relevance if self.points is None else self.points

    @property
    def matched_words(self) -> list[str]:
        """The words of the query, as its writer spelled them, that the memory has in its text or its labels."""
        return matched_words(self.query, {*terms(self._looked_at), *stems(self.memory.text)})

    @property
    def _looked_at(self) -> str:
        """The memory's text and labels."""
        memory = self.memory
        return " ".join(filter(None, (memory.text, memory.topic, memory.category, *memory.tags)))

    @property
    def reason(self) -> str:
        """Why it was found, in words."""
        reasons = matched_reason(words_in_common(self.query, self._looked_at))
        if self.by_topic:
            reasons.append(f"its topic is {self.memory.topic}")
        if self.vector_score is not None:
            reasons.append(f"meaning {self.vector_score:.2f}")
        if self.by_neighbour:
            reasons.append("said next to a match")
        if self.contradicted:
            reasons.append("a newer memory says otherwise")
        return "; ".join(reasons) or "matched the date"


def matched_reason(words: Sequence[str]) -> list[str]:
    """The words in common, as they stand in what was found, as a reason; without any, none."""
    return [f"matched {', '.join(words)}"] if words else []


class OtherHit(Record):
    """What was found beside memories: a decision that stands, a passage of a conversation or of a document.

    `id` is the decision's, the session's or the document's, `part` the id of the passage where there is one. `title`
    is what the whole is called, `excerpt` what the passage says, shortened. `at` is when it was decided, saved or
    read, and `open_with` the command that shows it.
    """

    kind: Only
    id: str
    scope: Scope
    at: int
    title: str
    excerpt: str
    relevance: float
    reason: str
    open_with: str
    part: str | None = None
    project: str | None = None


class Recall(Record):
    """The answer to a query, best first: memories, and in `others` what was found beside them.

    `projects` is what other projects are called that something of it is about, by their ids.
    """

    query: Query
    hits: tuple[Hit, ...]
    effective_mode: EffectiveMode
    warnings: tuple[str, ...] = ()
    omitted: int = 0
    trace: "Trace | None" = None
    others: tuple[OtherHit, ...] = ()
    projects: Mapping[str, str] = MappingProxyType({})


class Page(Record):
    """Part of a listing; `next_cursor` asks for the following one."""

    memories: tuple[Memory, ...]
    total: int
    next_cursor: int | None = None


class Depth(StrEnum):
    """How far an answer that is made of memories goes."""

    BRIEF = "brief"
    STANDARD = "standard"
    COMPREHENSIVE = "comprehensive"

    @property
    def sources(self) -> int:
        """How many memories it may rest on."""
        return _SOURCES[self]


_SOURCES = {Depth.BRIEF: 3, Depth.STANDARD: 8, Depth.COMPREHENSIVE: 20}
MOST_SOURCES = max(_SOURCES.values())
