"""memory_status: how much there is, what waits, and whether the indexes are sound."""

from typing import Literal

from typing_extensions import TypedDict

from commonplace.book import Book
from commonplace.corrections import LIST_LIMIT as CORRECTIONS_LIMIT
from commonplace.curated import cost
from commonplace.dialect import Parameters
from commonplace.dialects.aleph.shapes import seconds
from commonplace.scope import Scope

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
    curated_used: int
    curated_budget: int
    curated_snapshot: SnapshotOut | None


def status(book: Book, given: StatusParameters) -> Status:
    runs = book.dreams.list_runs(limit=1)
    entries = book.curated.entries(book.scope())
    snapshot = book.curated.snapshot(book.scope())
    return Status(
        total_notes=book.list(limit=1).total, raw_unprocessed=raw(book, book.scopes),
        index_health=IndexHealth(fts=_words(book), vector=_vectors(book)),
        last_dream_run_at=seconds(runs[0].started_at) if runs else None,
        curated_count=len(entries), curated_used=cost(entries), curated_budget=book.curated.budget,
        curated_snapshot=None if snapshot is None else SnapshotOut(
            version=snapshot.version, hash=snapshot.hash, taken_at=seconds(snapshot.taken_at)
        ),
    )  # fmt: skip


def raw(book: Book, scopes: tuple[Scope, ...]) -> int:
    """What nothing was learnt from yet: turns of conversations, and corrections that wait."""
    pending = book.corrections.list(limit=CORRECTIONS_LIMIT, include_distilled=False)
    return book.sessions.raw(scopes) + sum(correction.scope in scopes for correction in pending)


def _words(book: Book) -> Health:
    """As doctor sees it, since an index that answers may still be wrong; what else doctor looks at is left alone."""
    sound = next((finding.ok for finding in book.care.doctor() if finding.check == "words"), True)
    return "ok" if sound else "corrupted"


def _vectors(book: Book) -> Health:
    if book.embedder is None:
        return "disabled"
    return "degraded" if book.care.missing_vectors() else "ok"
