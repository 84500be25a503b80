"""memory_status: how much there is, what waits, and whether the indexes are sound."""

from typing import Literal

from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.curated import Snapshot, cost
from commonplace.dialect import Parameters
from commonplace.dialects.aleph.shapes import seconds
from commonplace.domain.scope import Scope

Health = Literal["ok", "degraded", "corrupted", "disabled"]


class StatusParameters(Parameters):
    """None."""


class IndexHealth(TypedDict):
    fts: Health
    vector: Health


class SnapshotOut(TypedDict):
    version: int
    hash: str
    taken_at: int


class Status(TypedDict):
    total_notes: int
    raw_unprocessed: int
    index_health: IndexHealth
    last_dream_run_at: int | None
    curated_count: int
    curated_waiting: int
    curated_used: int
    curated_budget: int
    curated_snapshot: SnapshotOut | None


def status(book: Book, given: StatusParameters) -> Status:
    """How the caller's memory stands: counts, the index, the last dream (None before the first), what is curated."""
    runs = book.dreams.list_runs(limit=1)
    entries = book.curated.entries(book.scope())
    snapshot = book.curated.snapshot(book.scope())
    return Status(
        total_notes=book.count(),
        raw_unprocessed=raw(book, book.scopes),
        index_health=_health(book),
        last_dream_run_at=seconds(runs[0].started_at) if runs else None,
        curated_count=len(entries),
        curated_waiting=len(book.curated.waiting(book.scope())),
        curated_used=cost(entries),
        curated_budget=book.curated.budget,
        curated_snapshot=None if snapshot is None else snapshot_of(snapshot),
    )


def snapshot_of(snapshot: Snapshot) -> SnapshotOut:
    """What tells two snapshots apart, and when one was taken."""
    return SnapshotOut(version=snapshot.version, hash=snapshot.hash, taken_at=seconds(snapshot.taken_at))


def raw(book: Book, scopes: tuple[Scope, ...]) -> int:
    """What nothing was learnt from yet: turns of conversations, and corrections that wait."""
    # Late: a host's first call need not wait for what only this one takes.
    from commonplace.dream.corrections import LIST_LIMIT as CORRECTIONS_LIMIT

    pending = book.corrections.list(limit=CORRECTIONS_LIMIT, include_distilled=False)
    return book.sessions.raw(scopes) + sum(correction.scope in scopes for correction in pending)


def _health(book: Book) -> IndexHealth:
    """What a look at a few of the caller's own notes tells; `doctor` looks at everything there is."""
    found = book.care.spot_check(book.scopes)
    vectors: Health = "disabled" if book.embedder is None else "ok" if found.vectors else "degraded"
    return IndexHealth(fts="ok" if found.words else "corrupted", vector=vectors)
