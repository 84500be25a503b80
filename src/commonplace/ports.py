"""The three sockets through which the engine reaches the world: Store, Embedder, LLM.

A store keeps rows, words, vectors and the log together and changes them in one
transaction. It is a unit of work: `reading` and `writing` open one for a tenant, and the
unit exposes a small protocol for each subject. It finds candidates and never ranks them.

What every store promises, and `tests/store` checks on each engine:

- A `writing` block is all or nothing, and durable once it has been left without an error.
- A `reading` block sees one snapshot; it does not wait for writers and never writes.
- `noting` is for counters: it waits at most the patience given, and what it wrote may be
  lost with the power, never with the process.
- Everything is bound to the unit's tenant: a foreign row does not exist. Only how rare a word is
  may be judged by the whole book.
- Opening writes nothing. The first writer creates or upgrades the book.
- Errors are those of `commonplace.errors`, with a sentence that says what to do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.events import Activity, Event, Revision
from commonplace.domain.memory import Memory, Relation
from commonplace.domain.query import Filter, Order
from commonplace.domain.rank import Features, Scale
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope

if TYPE_CHECKING:
    from commonplace.domain.shelves import Entries, TermCounts
    from commonplace.domain.tables import Tables
    from commonplace.domain.token import Token

BYTES_PER_NUMBER = 2
Vector = bytes
"""A unit vector: float16, little-endian, `Space.dimensions` of them. All zeros when the model cannot read the text."""


def is_blank(vector: Vector) -> bool:
    """Whether the model could not read the text, so that there is nothing to compare."""
    return not any(vector)


class Space(Record):
    """Vectors can be compared within one space only: a model, its revision and its runtime."""

    model: str
    revision: str
    runtime: str
    dimensions: int

    def __str__(self) -> str:
        return f"{self.model}@{self.revision}/{self.runtime}/{self.dimensions}"


Match = tuple[Features, float]
"""A memory an index found, with the index's own score (higher is better)."""


class Wording(NamedTuple):
    """What a memory says, the labels it has, and when it was said: its valid time, else when it was written."""

    text: str
    labels: str
    said_at: int


def wording_of(memory: Memory) -> Wording:
    """The wording of a memory that is at hand."""
    labels = " ".join(filter(None, (memory.topic, memory.category, *memory.tags)))
    return Wording(memory.text, labels, memory.created_at if memory.valid_from is None else memory.valid_from)


class Memories(Protocol):
    """The rows, and the keys that lead to them."""

    def next_number(self) -> int:
        """The next integer of this tenant, never given out twice."""

    def last_number(self) -> int:
        """The last one that was given out, 0 before the first."""

    def add(self, memory: Memory, recorded_at: int) -> None:
        """Write a memory that is new to the tenant, with its words, tags and sketch. A vector is put apart."""

    def replace(self, memory: Memory, recorded_at: int) -> None:
        """Write the next revision; what stood before becomes a revision of the past."""

    def take_back(self, number: int, revision: int) -> Memory:
        """Make a past revision the present one again, as if nothing had come after it: for an undo, nothing else."""

    def remove(self, number: int) -> None:
        """Take the row with everything derived from it away: words, vectors, sketches, revisions."""

    def by_id(self, id: str) -> Memory | None:
        """The present revision, of whatever status; None when the tenant has no such memory."""

    def by_number(self, number: int) -> Memory | None:
        """As `by_id`, by the number that `next_number` gave it."""

    def by_numbers(self, numbers: Sequence[int]) -> dict[int, Memory]:
        """Those that are there, by number, in no order; the others are left out."""

    def ids(self, beginning: str, limit: int) -> tuple[str, ...]:
        """Ids of memories, of whatever status, that begin so, in their order."""

    def by_text(self, filter: Filter, now: int, text: str) -> tuple[Memory, ...]:
        """Memories the filter admits whose folded text is the same, newest first."""

    def has(self, what: Literal["topic", "session", "team", "entry", "project"]) -> bool:
        """Whether any memory has one, or is a team's, so that a recall need not look for what cannot be there.

        An `entry` is one of a shelf that recall looks through beside the memories.
        """

    def by_topic(self, filter: Filter, now: int, topics: Sequence[str]) -> tuple[Features, ...]:
        """Memories the filter admits that have one of the topics word for word, newest first."""

    def scopes(self) -> tuple[Scope, ...]:
        """Every scope that has a memory, of whatever status, in the order of their names."""

    def page(self, filter: Filter, now: int, order: Order, limit: int, cursor: int | None) -> tuple[Memory, ...]:
        """A stretch of a listing, starting behind the memory whose number is `cursor`."""

    def count(self, filter: Filter, now: int) -> int:
        """How many memories the filter admits at that moment."""

    def features(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, Features]:
        """Of these memories, the ones the filter admits."""

    def wordings(self, numbers: Sequence[int]) -> dict[int, Wording]:
        """What these memories say, of those that are there, without the rest of their rows."""

    def neighbours(self, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, tuple[int | None, int | None]]:
        """For each memory of a session, the admitted one before it and the one after it."""

    def each(self) -> Iterator[tuple[Memory, int, bytes]]:
        """Every row with its record time and stored hash, oldest first: for doctor, export and repair."""


class Words(Protocol):
    """The word index, over terms that `commonplace.text` made."""

    def matching(self, terms: Sequence[str], filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        """Memories with at least one of the terms, best BM25 (k1 1.2, b 0.75) first."""

    def counts(self, terms: Sequence[str], numbers: Sequence[int]) -> "dict[int, TermCounts]":
        """How often each of these memories uses each term, whatever its status."""

    def frequencies(self, terms: Sequence[str]) -> tuple[list[int], int]:
        """In how many memories each term occurs, and how many memories there are."""

    def lead_to(self, number: int, terms: Sequence[str]) -> bool:
        """Whether a memory is found by every one of these terms: a look at one place, however large the book is."""


class Vectors(Protocol):
    """Vectors by space. Two spaces never meet."""

    def put(self, number: int, space: Space, vector: Vector) -> None:
        """Set a memory's vector in a space, in the place of the one it had. An unknown number changes nothing."""

    def nearest(self, vector: Vector, space: Space, filter: Filter, now: int, limit: int) -> tuple[Match, ...]:
        """The closest memories the filter admits, by cosine."""

    def similarity(self, vector: Vector, space: Space, numbers: Sequence[int]) -> dict[int, float]:
        """The cosine to each of these memories that has a vector in the space."""

    def of(self, numbers: Sequence[int], space: Space) -> dict[int, Vector]:
        """The vectors of these memories, of those that have one in the space."""

    def missing(self, space: Space, limit: int) -> tuple[Memory, ...]:
        """Memories without a vector in the space, oldest first."""

    def count_missing(self, space: Space) -> int:
        """How many memories of the tenant, of whatever status, have no vector in the space."""

    def counts(self) -> dict[str, int]:
        """How many vectors each space holds, by its name; a space that holds none is not there."""

    def drop_space(self, name: str) -> int:
        """Take away every vector of a space; how many there were."""


class Log(Protocol):
    """Events and revisions."""

    def append(self, event: Event) -> None:
        """Add a line at the end. Its sequence is given by the store, not taken from the event."""

    def events(self, memory_id: str) -> tuple[Event, ...]:
        """Whatever happened to a memory or an entry, oldest first; to one nobody knows, nothing."""

    def revisions(self, number: int) -> tuple[Revision, ...]:
        """Every state a memory has had, oldest first, the present one last."""

    def states_at(self, moment: int) -> Iterator[Memory]:
        """Each memory as it stood at that moment, by record time."""

    def purged_ids(self) -> frozenset[str]:
        """The ids of all memories that were ever purged, so that a back-up does not bring them back."""

    def activity(self) -> Activity:
        """How much the tenant has written and recalled so far; `at` is None when that is nothing."""

    def scrub(self, memory_id: str) -> None:
        """Take everything but kind and scope out of the payloads of a memory's events."""


class Use(Record):
    """One memory was recalled."""

    number: int
    at: int
    surface: str
    base_confidence: float | None = None


class Uses(Protocol):
    def record(self, uses: Sequence[Use]) -> None:
        """Count each use: one more, the latest time, the last surface. A memory that is gone is passed over."""


class KeptAnswer(Record):
    """What an idempotency key was used for: a digest of the request and the ids it led to, empty where refused.

    The digest is empty once a memory it led to was purged.
    """

    digest: bytes
    ids: tuple[str, ...]


class Keys(Protocol):
    """Idempotency keys, per user."""

    def find(self, user: str, key: str, since: int) -> KeptAnswer | None:
        """What was kept under the key since then."""

    def keep(self, user: str, key: str, answer: KeptAnswer, at: int) -> None:
        """Keep the answer of a request, in the place of an older one under the same key of that user."""

    def scrub(self, memory_id: str) -> None:
        """Take the digests of requests away that led to a memory; that they did stays known."""

    def sweep(self, before: int) -> None:
        """Forget whatever was kept before that moment."""


class Sketches(Protocol):
    """Small fingerprints by which texts with many words in common find each other."""

    def sharing(self, keys: Sequence[int], filter: Filter, now: int, limit: int) -> tuple[tuple[int, str], ...]:
        """The number and the text of the newest memories that share a key; few of them turn out to be near."""
        ...


class Relations(Protocol):
    def add(self, relation: Relation) -> None:
        """Write a relation with a new id. Whether both ends are there is asked by the caller."""

    def of(self, memory_id: str) -> tuple[Relation, ...]:
        """Every relation from or to a memory, oldest first."""

    def get(self, id: str) -> Relation | None:
        """None when the tenant has no relation of that id."""

    def remove(self, id: str) -> bool:
        """Whether there was one."""

    def drop(self, memory_id: str) -> None:
        """Take away every relation from or to a memory."""


class EntryVectors(Protocol):
    """Vectors of the entries that recall looks through. An entry whose text or scope changes loses its own."""

    def put(self, entry: Entry, space: Space, vector: Vector) -> None:
        """Set an entry's vector in a space. One that is gone, or says something else by now, is passed over."""

    def nearest(self, vector: Vector, space: Space, wanted: EntryFilter, limit: int) -> tuple[tuple[Entry, float], ...]:
        """The closest entries that are wanted, by cosine."""

    def similarity(self, vector: Vector, space: Space, entries: Sequence[Entry]) -> dict[tuple[str, str], float]:
        """The cosine to each of these entries that has a vector in the space, by shelf and id."""

    def missing(self, space: Space, limit: int) -> tuple[Entry, ...]:
        """Entries without a vector in the space, of the shelves that are searched, oldest first."""

    def held(self, space: Space | None, scopes: Sequence[str] = ()) -> dict[str, tuple[int, int]]:
        """How many entries each shelf that is searched has in these scopes (in all, if none is named), and how many of
        them have a vector in the space; a shelf with none is not there. It costs the same however many there are."""

    def counts(self) -> dict[str, int]:
        """How many vectors each space holds, by its name; a space that holds none is not there."""

    def drop_space(self, name: str) -> int:
        """Take away every vector of a space; how many there were."""


class Unit(Protocol):
    """One transaction, bound to one tenant."""

    @property
    def memories(self) -> Memories:
        """The rows; their words, tags and sketches are kept in step with them."""

    @property
    def words(self) -> Words:
        """Finding memories by the terms they use."""

    @property
    def vectors(self) -> Vectors:
        """Finding memories by what they are near to."""

    @property
    def sketches(self) -> Sketches:
        """Finding memories that say nearly the same."""

    @property
    def log(self) -> Log:
        """What happened, and what memories were before."""

    @property
    def uses(self) -> Uses:
        """How often memories were recalled, where, and when last."""

    @property
    def keys(self) -> Keys:
        """Requests that were answered before."""

    @property
    def relations(self) -> Relations:
        """What memories have to do with each other."""

    @property
    def tables(self) -> "Tables":
        """Everything the tenant has, for another store."""

    @property
    def entries(self) -> "Entries":
        """What is kept beside memories."""

    @property
    def entry_vectors(self) -> EntryVectors:
        """Finding what is kept beside memories by what it is near to."""


class Finding(Record):
    """One thing doctor looked at."""

    check: str
    ok: bool
    detail: str


class Erasure(Record):
    """Whether removed bytes are gone from disk: `complete`, or pending and why."""

    complete: bool
    detail: str


class Upkeep(Protocol):
    """What only the engine itself can do to its own storage."""

    def upgrade(self) -> int:
        """Bring an older book to the present schema, after copying it; the schema it had."""

    def examine(self) -> Iterator[Finding]:
        """Look at everything and change nothing. Damage is a finding, not an error."""

    def repair(self) -> Iterator[str]:
        """Rebuild every index from the rows."""

    def erase_traces(self) -> Erasure:
        """Make sure that no byte of what was removed is left behind in the book's own files."""

    def settle(self) -> None:
        """Many rows came in at once: let the engine take note of them."""

    def backup(self, target: str) -> None:
        """Write a whole copy to a new file while others go on. InvalidInput where a server has tools of its own."""

    def restore(self, source: str, mend: "Mend") -> None:
        """Put a back-up in the book's place, after `mend` has seen to a private copy of it. All of it or nothing."""

    def reset(self) -> None:
        """Remove every memory of every tenant."""

    def tenants(self) -> tuple[str, ...]:
        """Everybody who has anything in the book, in the order of their names."""

    def facts(self) -> Mapping[str, str]:
        """What the engine says of itself: place, schema, size, version."""


class Tokens(Protocol):
    """Tokens belong to no tenant: they say which one their bearer is in. Each call is a transaction of its own."""

    def add(self, token: "Token") -> None:
        """Write a token whose id is new."""

    def replace(self, token: "Token") -> None:
        """Put a token in the place of the one with its id."""

    def find(self, id: str) -> "Token | None":
        """None when there never was one; one that was revoked or has expired is still found."""

    def all(self) -> "tuple[Token, ...]":
        """Every token there ever was, oldest first."""

    def exist(self) -> bool:
        """Whether there ever was one. It is asked for every request without a token, so none is read."""


Mend = Callable[["Store"], None]
"""What is done to a copy of a back-up before it becomes the book."""


class Store(Protocol):
    @property
    def upkeep(self) -> Upkeep:
        """The whole book at once, whoever's tenant a row is."""

    @property
    def tokens(self) -> Tokens:
        """Who may come in; asked before it is known which tenant a call belongs to."""

    def reading(self, tenant: str) -> AbstractContextManager[Unit]:
        """One snapshot. Before the first writer it is of an empty book; nothing in it may write."""

    def writing(self, tenant: str) -> AbstractContextManager[Unit]:
        """All or nothing, and durable at its end. LockTimeout while another writer keeps it for too long."""

    def best_effort(self, tenant: str, patience_seconds: float) -> AbstractContextManager[Unit]:
        """A write of counters: LockTimeout after so many seconds of waiting, and a power cut may lose it."""

    def close(self) -> None:
        """Let go of it for good: whoever is at work finishes, and whoever comes later is told BookClosed."""


class Calibration(Record):
    """What a space's cosines mean, measured on labelled pairs.

    `relevance` is where a question and a memory begin to belong together; from `near` on,
    two memories say the same.
    """

    relevance: Scale
    near: float


class Embedder(Protocol):
    """Turns texts into vectors of one space. `space` is known without loading the model."""

    @property
    def space(self) -> Space:
        """The same for the embedder's whole life: what `embed` gives lies in it."""

    @property
    def calibration(self) -> Calibration:
        """What this space's cosines mean; nobody compares them with another's."""

    @property
    def uses_network(self) -> bool:
        """Whether texts leave this machine when they are embedded."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector a text, for texts to be stored."""

    def embed_query(self, text: str) -> Vector:
        """The vector of a question, which some models prefix differently."""


class LLM(Protocol):
    """A language model, optional everywhere: what it says is checked, and there is always a way without it."""

    @property
    def uses_network(self) -> bool:
        """Whether a prompt leaves this machine."""

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        """Its answer, of at most so many tokens. ModelError if there is none."""
