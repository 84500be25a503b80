"""What the contract's tools are given, checked by its rules and in its order."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from pydantic import Field, PlainValidator, WithJsonSchema

from commonplace.book.book import Book
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Memory, Status
from commonplace.domain.record import Record
from commonplace.domain.validation import check_share, check_text, check_time
from commonplace.engine.intake import refuse_secrets
from commonplace.engine.parse import instant
from commonplace.errors import InvalidInput, NotFound, TooMany
from commonplace.text import normalise

TEXT_CHARACTERS = "ownsona_max_text_chars"
USUAL_TEXT_CHARACTERS = 16_000
BATCH_LIMIT = 200
PAGE_LIMIT = 50
TOLERANCE = 5 * 60_000  # how far a client's clock may be ahead of ours
CENTURY = 36_525 * DAY
TIMESTAMPS = ("expires_at", "last_confirmed_at")


def _reference(value: object) -> int | str:
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(whole, bool) or not isinstance(whole, int | str):
        raise ValueError("must be the number of a memory.")
    return whole


Id = Annotated[int | str, PlainValidator(_reference), WithJsonSchema({"type": "integer"})]
"""A memory by its number; every other spelling of it that the book knows is taken too."""

MaybeId = Annotated[int | str | None, PlainValidator(_reference), WithJsonSchema({"type": "integer"})]

RawTags = list[Annotated[str | None, WithJsonSchema({"type": "string"})]]
Timestamp = Annotated[str | None, Field(description="ISO 8601")]


def fact(book: Book, text: str, argument: str = "text") -> str:
    """A text within the length that is set, without the blanks around it."""
    check_text(text, argument)
    trimmed = normalise(text)
    most = int(book.dialect_settings.get(TEXT_CHARACTERS, USUAL_TEXT_CHARACTERS))
    if len(trimmed) > most:
        raise InvalidInput(
            f"{argument} has {len(trimmed):,} characters and {most:,} is the limit: shorten it.", argument
        )
    return trimmed


def storable(book: Book, text: str) -> str:
    """A text that may be stored: neither too long nor a secret."""
    trimmed = fact(book, text)
    refuse_secrets(trimmed, "text")
    return trimmed


def timestamp(value: str | None, argument: str) -> int | None:
    """Milliseconds of an ISO 8601 text; None stays None, anything else is InvalidInput."""
    if value is None:
        return None
    try:
        at = instant(value)
    except ValueError:
        raise InvalidInput(
            f"{argument} '{value[:40]}' is no ISO 8601 timestamp: write 2026-03-01T09:30:00Z.", argument
        ) from None
    check_time(at, argument)
    return at


def within_a_century(at: int | None, now: int, argument: str) -> None:
    """Refuse an end so far ahead that it can only be a slip. None passes."""
    if at is not None and at > now + CENTURY:
        raise InvalidInput(f"{argument} lies more than 100 years ahead: leave it out for never.", argument)


def not_ahead(at: int | None, now: int, argument: str) -> None:
    """Refuse a moment that has not come yet, clocks that differ a little allowed. None passes."""
    if at is not None and at > now + TOLERANCE:
        raise InvalidInput(f"{argument} lies in the future: give a moment that has passed.", argument)


def share(value: float | None, argument: str) -> None:
    """Refuse what is no number from 0 to 1. None passes."""
    if value is not None:
        check_share(value, argument)


class Count(Record):
    """How many to give back, and what to say if fewer than asked for."""

    value: int
    note: str | None = None


def at_most(limit: int, highest: int = PAGE_LIMIT) -> Count:
    """A limit over the highest one counts as that."""
    if limit < 1:
        raise InvalidInput(f"limit must be at least 1, not {limit}.", "limit")
    if limit > highest:
        return Count(highest, f"limit {limit} is over the maximum and counts as {highest}.")
    return Count(limit)


def check_batch(items: Sequence[object], argument: str) -> None:
    """Refuse an empty batch, and with TooMany one over the limit, before any of it is done."""
    if not items:
        raise InvalidInput(f"{argument} is empty: give at least one.", argument)
    if len(items) > BATCH_LIMIT:
        raise TooMany(f"{argument} has {len(items):,} and {BATCH_LIMIT} is the limit: split it up.", argument)


def check_timestamps(items: Sequence[object]) -> None:
    """A malformed one anywhere in a batch is found before anything of it is looked at."""
    for place, name, value in _timestamps(items):
        timestamp(value, f"items[{place}].{name}")


def _timestamps(items: Sequence[object]) -> Iterator[tuple[int, str, str]]:
    for place, each in enumerate(items):
        for name in TIMESTAMPS:
            value = each.get(name) if isinstance(each, Mapping) else None
            if isinstance(value, str):
                yield place, name, value


def mapping(value: object, place: int) -> Mapping[str, object]:
    """The item itself if it is an object; else InvalidInput that says which one is not."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"items[{place}] must be an object.", f"items[{place}]")
    return value


def get_memory(book: Book, id: int | str) -> Memory:
    """A memory that is not soft-deleted, whether or not it has expired."""
    memory = book.get(id)
    if memory.status is not Status.ACTIVE:
        raise NotFound(f"Memory {memory.number} was forgotten: remember it again if it holds after all.")
    return memory
