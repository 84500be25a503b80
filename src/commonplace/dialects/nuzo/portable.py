"""The portability document: memories written out as one JSON document, and taken in from it all or none."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.dialects.nuzo.policy import Candidate, admit, sameness, selection
from commonplace.dialects.nuzo.refusals import Refusal, code_of, details_of
from commonplace.dialects.nuzo.shapes import ItemOut, item_shape
from commonplace.dialects.nuzo.tools import ScopeName, Tags
from commonplace.domain.events import Plain
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Origin, Provenance, Status
from commonplace.domain.scope import Scope
from commonplace.domain.validation import check_time
from commonplace.engine.parse import moment
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.text import show_time

if TYPE_CHECKING:
    from commonplace.maintenance.transfer import Arrival

FORMAT = "nuzo-memory-export"
VERSION = 1
ITEM_LIMIT = 10_000

_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Item = Mapping[str, object]
Result = TypeVar("Result")


# -- export -----------------------------------------------------------------------------------


class ExportParameters(Parameters):
    scope: ScopeName | None = None
    format: Literal["json"] = "json"
    include_archived: bool = False
    tags: Tags = Field(default_factory=list)


class Document(TypedDict):
    format: str
    version: int
    exported_at: str
    memories: list[ItemOut]


def export(book: Book, given: ExportParameters) -> Document:
    """The selected memories as a document that import takes; that it was made is noted in the log."""
    found = selection(book, given.scope, given.tags, given.include_archived)
    book.transfer.note_export(
        {
            "scope": None if given.scope is None else str(book.scope(given.scope)),
            "tags": tuple(given.tags),
            "includeArchived": given.include_archived,
            "count": len(found),
        }
    )
    memories = [item_shape(book, memory) for memory in found]
    return Document(format=FORMAT, version=VERSION, exported_at=show_time(book.now()), memories=memories)


# -- import -----------------------------------------------------------------------------------


class ImportParameters(Parameters):
    document: Annotated[dict[str, object], Field(description="what memory.export answered")]
    scope: Annotated[str | None, Field(description="where everything goes, instead of where it came from")] = None
    dry_run: bool = False


class Imported(TypedDict):
    imported: int
    skipped: int
    dry_run: bool


def import_(book: Book, given: ImportParameters) -> Imported:
    """Take a document in. Everything is checked before anything is written."""
    items = _items(given.document)
    arrivals = [_arrival(book, item, given.scope, f"memories[{place}]") for place, item in enumerate(items)]
    first: dict[tuple[object, ...], Arrival] = {}
    for arrival in arrivals:
        first.setdefault(sameness(arrival.memory), arrival)
    done = book.transfer.take_in(list(first.values()), _same, dry_run=given.dry_run)
    return Imported(imported=done.imported, skipped=len(items) - done.imported, dry_run=given.dry_run)


def _same(known: Memory, memory: Memory) -> bool:
    return sameness(known) == sameness(memory)


def _items(document: Item) -> list[Item]:
    for name, expected in (("format", FORMAT), ("version", VERSION)):
        if document.get(name) != expected or isinstance(document.get(name), bool):
            raise Refusal("MEMORY_EXPORT_UNSUPPORTED", f"{name} must be {expected}: use a Nuzo export.", name)
    _time(document, "exported_at", "")
    memories = document.get("memories")
    if not isinstance(memories, list):
        raise _invalid("memories", "a list")
    if len(memories) > ITEM_LIMIT:
        raise Refusal(
            "MEMORY_IMPORT_LIMIT_EXCEEDED", f"{len(memories):,} memories are too many at once: split them up."
        )
    for place, item in enumerate(memories):
        if not isinstance(item, dict):
            raise _invalid(f"memories[{place}]", "an object")
    return memories


def _arrival(book: Book, item: Item, scope: str | None, path: str) -> "Arrival":
    """One item as it is to stand in the book, with its own times, source and confidence."""
    # Late: only an import needs it, and a server with this contract would load it before its first call.
    from commonplace.maintenance.transfer import Arrival

    created_at, updated_at = (_time(item, name, path) for name in ("created_at", "updated_at"))
    used_at, archived_at = (_time_or_null(item, name, path) for name in ("last_used_at", "archived_at"))
    original = _text(item, "scope", path)
    candidate = Candidate(
        _text(item, "content", path),
        _text(item, "kind", path),
        original if scope is None else scope,
        _tags(item, path),
        _text(item, "source", path),
        _number(item, "confidence", path),
    )
    _at(path, lambda: Scope.parse(original))  # it is written down even where another takes its place
    draft = _at(path, lambda: admit(book, candidate))
    memory = Memory(
        f"mem_{ulid(book.now())}",
        0,
        draft.text,
        draft.scope,
        created_at,
        updated_at,
        owner=book.principal.user,
        kind=draft.kind,
        tags=draft.tags,
        confidence=draft.confidence,
        origin=Origin.IMPORTED,
        provenance=Provenance(draft.source, book.door.surface, book.door.actor),
        status=Status.ACTIVE if archived_at is None else Status.ARCHIVED,
        status_at=archived_at,
    )
    payload: dict[str, Plain] = {
        "originalScope": original,
        "scope": str(draft.scope),
        "archived": archived_at is not None,
    }
    return Arrival(memory, used_at, payload)


def _at(path: str, check: Callable[[], Result]) -> Result:
    """A check whose refusal says where in the document it stands."""
    try:
        return check()
    except CommonplaceError as error:
        argument = error.argument if isinstance(error, InvalidInput) else None
        place = path if argument is None else f"{path}.{argument}"
        raise Refusal(
            code_of(error), f"{place}: {error.message}", place, {**details_of(error), "path": place}
        ) from None


def _text(item: Item, name: str, path: str) -> str:
    value = item.get(name)
    if not isinstance(value, str):
        raise _invalid(f"{path}.{name}", "a text")
    return value


def _number(item: Item, name: str, path: str) -> float:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _invalid(f"{path}.{name}", "a number")
    return value


def _tags(item: Item, path: str) -> tuple[str, ...]:
    value = item.get("tags")
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _invalid(f"{path}.tags", "a list of texts")
    return tuple(value)


def _time(item: Item, name: str, path: str) -> int:
    value, place = item.get(name), f"{path}.{name}".lstrip(".")
    if not isinstance(value, str) or not _DATE.match(value):
        raise _invalid(place, "a time such as 2026-06-19T00:00:00.000Z")
    try:
        at = moment(value, 0, place)
        check_time(at, place)
    except InvalidInput:
        raise _invalid(place, "a time such as 2026-06-19T00:00:00.000Z") from None
    return at


def _time_or_null(item: Item, name: str, path: str) -> int | None:
    if name not in item:
        raise _invalid(f"{path}.{name}", "a time or null")
    return None if item[name] is None else _time(item, name, path)


def _invalid(path: str, wanted: str) -> Refusal:
    return Refusal("MEMORY_EXPORT_INVALID", f"{path} must be {wanted}.", path, {"path": path})
