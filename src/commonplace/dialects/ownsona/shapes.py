"""What the contract answers with: its rows, its codes, its envelope for errors."""

from typing import NotRequired, cast

from typing_extensions import TypedDict

from commonplace.book.reader import BookReader
from commonplace.domain.memory import Memory, Status
from commonplace.engine.duplicates import Near
from commonplace.errors import (
    CommonplaceError,
    Conflict,
    Denied,
    InvalidInput,
    ModelError,
    NotFound,
    QuotaExceeded,
    SecretRefused,
    StoreError,
    TookTooLong,
    TooMany,
)
from commonplace.text import show_time

CODES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (SecretRefused, "SECRET_REJECTED"),
    (TooMany, "LIMIT_EXCEEDED"),
    (QuotaExceeded, "LIMIT_EXCEEDED"),
    (TookTooLong, "LIMIT_EXCEEDED"),
    (InvalidInput, "INVALID_INPUT"),
    (NotFound, "NOT_FOUND"),
    (Denied, "AUTH_FAILED"),
    (ModelError, "EMBEDDING_ERROR"),
    (Conflict, "DATABASE_ERROR"),
    (StoreError, "DATABASE_ERROR"),
    (CommonplaceError, "INTERNAL_ERROR"),
)
"""The contract's code for each of our errors: the first line that fits."""


class Row(TypedDict):
    """A memory in a list. What is not known is left out."""

    id: int
    text: str
    tags: list[str]
    created_at: str
    updated_at: str
    source_provider: NotRequired[str]
    capture_mode: NotRequired[str]
    session_id: NotRequired[str]
    expires_at: NotRequired[str]
    last_confirmed_at: NotRequired[str]
    deleted_at: NotRequired[str]
    forget_reason: NotRequired[str]
    replaced_by_id: NotRequired[int]
    unconfirmed: NotRequired[bool]


class Match(Row):
    score: float


class WholeRow(TypedDict):
    """One memory by itself: with its importance, and null for what is not known."""

    id: int
    text: str
    score: float
    tags: list[str]
    importance: float
    created_at: str
    updated_at: str
    source_provider: str | None
    capture_mode: str | None
    session_id: str | None
    expires_at: str | None
    last_confirmed_at: str | None
    deleted_at: str | None
    forget_reason: str | None
    replaced_by_id: int | None
    unconfirmed: NotRequired[bool]


class ErrorOut(TypedDict):
    code: str
    message: str


def whole(book: BookReader, memory: Memory) -> WholeRow:
    """Every field of the contract, None where there is nothing to say; a score of 0, for nothing was searched."""
    deleted = memory.status is not Status.ACTIVE
    provenance = memory.provenance
    shown = WholeRow(
        id=memory.number,
        text=memory.text,
        score=0.0,
        tags=list(memory.tags),
        importance=memory.importance,
        created_at=show_time(memory.created_at),
        updated_at=show_time(memory.updated_at),
        source_provider=provenance.source,
        capture_mode=None if provenance.capture_mode is None else provenance.capture_mode.value,
        session_id=provenance.session,
        expires_at=None if memory.expires_at is None else show_time(memory.expires_at),
        last_confirmed_at=None if memory.confirmed_at is None else show_time(memory.confirmed_at),
        deleted_at=show_time(memory.updated_at if memory.status_at is None else memory.status_at) if deleted else None,
        forget_reason=memory.status_reason if deleted else None,
        replaced_by_id=_successor(book, memory) if deleted else None,
    )
    if memory.waits:
        shown["unconfirmed"] = True
    return shown


def _successor(book: BookReader, memory: Memory) -> int | None:
    """The number of what replaced it, unless that is gone or somebody else's."""
    if memory.successor is None:
        return None
    try:
        return book.get(memory.successor).number
    except NotFound:
        return None


def row(book: BookReader, memory: Memory) -> Row:
    """A memory as listings show it: what is None is left out, and score and importance with it."""
    known = {name: value for name, value in whole(book, memory).items() if value is not None}
    del known["score"], known["importance"]
    return cast(Row, known)


def match(book: BookReader, memory: Memory, score: float = 0.0) -> Match:
    """A row with its score, 0 where nothing was searched."""
    return Match(**row(book, memory), score=score)


def matches(book: BookReader, near: tuple[Near, ...]) -> list[Match]:
    """Rows in the order given, each with its similarity as score."""
    return [match(book, each.memory, each.similarity) for each in near]


def error_body(error: CommonplaceError) -> ErrorOut:
    """The contract's code for an error of ours, with its sentence; every error has one."""
    code = next(code for kind, code in CODES if isinstance(error, kind))
    return ErrorOut(code=code, message=error.message)


def error_shape(error: CommonplaceError) -> dict[str, object]:
    """The contract's envelope for a call that failed as a whole."""
    return {"ok": False, "error": error_body(error)}
