"""update_memory, update_memory_batch and confirm."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.dialect import Parameters, read
from commonplace.dialects.ownsona.arguments import (
    Id,
    RawTags,
    Timestamp,
    check_batch,
    check_timestamps,
    get_memory,
    mapping,
    not_ahead,
    share,
    storable,
    timestamp,
    within_a_century,
)
from commonplace.dialects.ownsona.remembering import dropped
from commonplace.dialects.ownsona.shapes import ErrorOut, error_body
from commonplace.dialects.ownsona.tags import tidy
from commonplace.domain.record import Record
from commonplace.engine.intake import ExactPolicy, Refused
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.text import show_time

FIELDS = ("text", "tags", "importance", "expires_at", "last_confirmed_at")

DryRun = Annotated[bool, Field(description="check and say what would happen, change nothing")]


class ItemParameters(Parameters):
    id: Id
    text: str | None = None
    tags: Annotated[RawTags | None, Field(description="replaces all tags; [] clears them")] = None
    importance: float | None = None
    expires_at: Timestamp = None
    last_confirmed_at: Timestamp = None


class UpdateParameters(ItemParameters):
    dry_run: DryRun = False


class UpdatedOut(TypedDict):
    ok: bool
    memory_id: int
    dry_run: bool
    changed_fields: list[str]
    message: str
    note: NotRequired[str]


class Update(Record):
    """A change that passed every check, with the names of what the caller asked for."""

    number: int
    changes: Changes
    asked: tuple[str, ...]
    dropped_tags: tuple[str, ...]


def update(book: Book, given: UpdateParameters) -> UpdatedOut:
    """Changes what is named, or in a dry run only says what would change; tags that are none are dropped, and named."""
    checked = _update(book, given)
    if not given.dry_run:
        (outcome,) = _applied(book, [checked])
        if isinstance(outcome, Refused):
            raise outcome.error
    answer = UpdatedOut(
        ok=True,
        memory_id=checked.number,
        dry_run=given.dry_run,
        changed_fields=list(checked.asked),
        message=_updated(given.dry_run),
    )
    if checked.dropped_tags:
        answer["note"] = dropped(checked.dropped_tags)
    return answer


def _updated(dry_run: bool) -> str:
    return "Would update" if dry_run else "Ok"


def _update(book: Book, given: ItemParameters) -> Update:
    now = book.now()
    expires_at = timestamp(given.expires_at, "expires_at")
    confirmed_at = timestamp(given.last_confirmed_at, "last_confirmed_at")
    fields = tuple(name for name in FIELDS if getattr(given, name) is not None)
    if not fields:
        raise InvalidInput(f"Nothing to update: give at least one of {', '.join(FIELDS)}.")
    asked: dict[str, object] = {}
    if given.text is not None:
        asked["text"] = storable(book, given.text)
    tags = None if given.tags is None else tidy(given.tags)
    if tags is not None:
        asked["tags"] = tags.kept
    share(given.importance, "importance")
    within_a_century(expires_at, now, "expires_at")
    not_ahead(confirmed_at, now, "last_confirmed_at")
    plain = {"importance": given.importance, "expires_at": expires_at, "confirmed_at": confirmed_at}
    asked |= {name: value for name, value in plain.items() if value is not None}
    memory = get_memory(book, given.id)
    return Update(memory.number, Changes(**asked), fields, tags.dropped if tags else ())  # type: ignore[arg-type]


def _applied(book: Book, checked: Sequence[Update | Refused]) -> list[Update | Refused]:
    """The same, with those refused that the book itself refuses."""
    edits = [Edit(each.number, each.changes) for each in checked if isinstance(each, Update)]
    done = iter(book.update_many(edits, exact=ExactPolicy.FOLDED, needs_vectors=True))
    outcomes: list[Update | Refused] = []
    for each in checked:
        result = each if isinstance(each, Refused) else next(done)
        outcomes.append(result if isinstance(result, Refused) else each)
    return outcomes


Item = Annotated[object, WithJsonSchema(ItemParameters.model_json_schema())]
"""Shown as what update_memory takes, but read later, so that a bad one fails alone."""


class UpdateBatchParameters(Parameters):
    items: Annotated[list[Item], Field(description="1 to 200")]
    dry_run: DryRun = False


AsSent = Annotated[int | str, WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}]})]
"""An id as it was sent. Its schema is spelled out: `typing` keeps whichever order of a union it saw first."""


class UpdatedItemOut(TypedDict):
    input_index: int
    id: NotRequired[AsSent]
    ok: bool
    changed_fields: NotRequired[list[str]]
    message: NotRequired[str]
    note: NotRequired[str]
    error: NotRequired[ErrorOut]


class UpdateSummary(TypedDict):
    total: int
    updated: int
    errors: int


class UpdatedBatchOut(TypedDict):
    ok: bool
    dry_run: bool
    results: list[UpdatedItemOut]
    summary: UpdateSummary


def update_batch(book: Book, given: UpdateBatchParameters) -> UpdatedBatchOut:
    """One result for each item in the order given; an item that is refused leaves the others as they are."""
    check_batch(given.items, "items")
    check_timestamps(given.items)
    checked = [_update_or_refused(book, each, place) for place, each in enumerate(given.items)]
    outcomes = checked if given.dry_run else _applied(book, checked)
    results = [
        _refused_item(place, given.items[place], outcome.error)
        if isinstance(outcome, Refused)
        else _updated_item(place, outcome, given.dry_run)
        for place, outcome in enumerate(outcomes)
    ]
    updated = sum(result["ok"] for result in results)
    summary = UpdateSummary(total=len(results), updated=updated, errors=len(results) - updated)
    return UpdatedBatchOut(ok=True, dry_run=given.dry_run, results=results, summary=summary)


def _update_or_refused(book: Book, each: object, place: int) -> Update | Refused:
    try:
        return _update(book, read(ItemParameters, mapping(each, place)))
    except CommonplaceError as error:
        return Refused(error)


def _updated_item(place: int, each: Update, dry_run: bool) -> UpdatedItemOut:
    shown = UpdatedItemOut(
        input_index=place, id=each.number, ok=True, changed_fields=list(each.asked), message=_updated(dry_run)
    )
    if each.dropped_tags:
        shown["note"] = dropped(each.dropped_tags)
    return shown


def _refused_item(place: int, item: object, error: CommonplaceError) -> UpdatedItemOut:
    """With the id it named, if it named one."""
    shown = UpdatedItemOut(input_index=place, ok=False, error=error_body(error))
    id = item.get("id") if isinstance(item, Mapping) else None
    if isinstance(id, int | str):
        shown["id"] = id
    return shown


# -- confirm ----------------------------------------------------------------------------------


class ConfirmParameters(Parameters):
    id: Id


class ConfirmedOut(TypedDict):
    ok: bool
    memory_id: int
    last_confirmed_at: str
    message: str


def confirm(book: Book, given: ConfirmParameters) -> ConfirmedOut:
    """Notes that a memory is still true; it must not be deleted."""
    memory = book.confirm(get_memory(book, given.id))
    confirmed_at = show_time(memory.updated_at if memory.confirmed_at is None else memory.confirmed_at)
    return ConfirmedOut(ok=True, memory_id=memory.number, last_confirmed_at=confirmed_at, message="Confirmed")
