"""What was changed through any door, listed and taken back."""

from typing import Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.parameters import ApiParameters
from commonplace.api.shapes import MemoryOut, shapes
from commonplace.book.book import Book
from commonplace.book.undo import operation_json
from commonplace.dialect import Whole
from commonplace.engine.operations import Operation
from commonplace.errors import InvalidInput

CHANGES_LIMIT = 1_000


class ChangesParameters(ApiParameters):
    limit: Annotated[Whole, Field(description="from 1 to 1,000")] = 50


class ChangeOut(TypedDict):
    id: str
    did: dict[str, int]
    at: str
    by: str
    surface: str
    actor: str
    state: str
    memories: list[str]


class Changed(TypedDict):
    changes: list[ChangeOut]
    total: int | None
    next_cursor: None


class UndoParameters(ApiParameters):
    id: Annotated[str | None, Field(description="what `undo` of a write said; none: the last one that stands")] = None
    force: Annotated[bool, Field(description="leave alone what was changed since, and undo the rest")] = False


class Undone(TypedDict):
    restored: list[MemoryOut]
    removed: list[MemoryOut]
    left: list[str]
    change: ChangeOut


def changes(book: Book, given: ChangesParameters) -> Changed:
    """What can be taken back, the newest first; what was taken back already is marked."""
    if not 1 <= given.limit <= CHANGES_LIMIT:
        raise InvalidInput(f"limit must be from 1 to {CHANGES_LIMIT:,}, not {given.limit}.", "limit")
    found = book.undo.list(given.limit)
    total = len(found) if len(found) < given.limit else None
    return Changed(changes=[_change(each) for each in found], total=total, next_cursor=None)


def undo(book: Book, given: UndoParameters) -> Undone:
    """Takes back a change, or the last one that stands; conflict if something of it was changed since."""
    taken = book.undo.take_back(given.id, force=given.force)
    return Undone(
        restored=shapes(book, taken.restored),
        removed=shapes(book, taken.removed),
        left=list(taken.left),
        change=_change(taken.operation),
    )


def _change(operation: Operation) -> ChangeOut:
    return cast(ChangeOut, operation_json(operation))
