"""The limits of what a memory can hold, and the checks that keep to them."""

import re
from enum import StrEnum
from typing import TypeVar

from commonplace.errors import InvalidInput

Choice = TypeVar("Choice", bound=StrEnum)

TEXT_LENGTH_LIMIT = 64_000
TAG_LENGTH_LIMIT = 64
TAG_COUNT_LIMIT = 32
LABEL_LENGTH_LIMIT = 256
REASON_LENGTH_LIMIT = 1_024
ID_LENGTH_LIMIT = 64
TIME_LIMIT = 253_402_300_799_999  # the last millisecond of the year 9999
COUNT_LIMIT = 2**53
PRIORITY_RANGE = range(1, 11)

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PROJECT = re.compile(r"[A-Za-z0-9._~:/@+-]{1,248}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_text(text: str, name: str = "text") -> None:
    """Refuse what cannot be stored as text; what is let through round-trips exactly."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be a text.", name)
    if not text.strip():
        raise InvalidInput(f"{name} is empty: give it some text.", name)
    if len(text) > TEXT_LENGTH_LIMIT:
        raise InvalidInput(
            f"{name} has {len(text):,} characters and {TEXT_LENGTH_LIMIT:,} is the limit: split it up.", name
        )
    if "\x00" in text:
        raise InvalidInput(f"{name} holds a NUL character: remove it.", name)
    check_unicode(text, name)


def check_unicode(text: str, name: str) -> None:
    """A surrogate that stands alone, or a byte that was no UTF-8 and is kept as one, cannot be stored."""
    place = broken_at(text)
    if place is not None:
        raise InvalidInput(
            f"{name} is not valid Unicode at character {place} (half a surrogate pair, or not UTF-8): "
            "fix its encoding.",
            name,
        )


def broken_at(text: str) -> int | None:
    """Where a text has its first half of a character; None if it is whole."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def check_label(value: str | None, name: str) -> None:
    """Refuse a label that is empty, too long or has control characters. None is no label and passes."""
    if value is None:
        return
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text.", name)
    if not value.strip() or len(value) > LABEL_LENGTH_LIMIT or _CONTROL.search(value):
        raise InvalidInput(f"{name} must be 1 to {LABEL_LENGTH_LIMIT} printable characters.", name)
    if not value.isascii():
        check_text(value, name)


def check_id(value: str, name: str = "id") -> None:
    """Refuse what could not stand in a file name or an address."""
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise InvalidInput(f"{name} must be letters, digits, - and _ ({ID_LENGTH_LIMIT} at most).", name)


def check_project(value: str | None) -> None:
    """Refuse what could not be the id of a `project:` scope. None is no project and passes."""
    if value is not None and (not isinstance(value, str) or not _PROJECT.fullmatch(value)):
        raise InvalidInput("project must be a project's id: letters, digits and . _ ~ : / @ + -.", "project")


def check_tags(tags: tuple[str, ...]) -> None:
    """Refuse too many tags, too long ones, and whatever is no label."""
    if not isinstance(tags, tuple):
        raise InvalidInput("tags must be a list of texts.", "tags")
    if len(tags) > TAG_COUNT_LIMIT:
        raise InvalidInput(f"{len(tags)} tags are too many: {TAG_COUNT_LIMIT} is the limit.", "tags")
    for tag in tags:
        check_label(tag, "tags")
        if len(tag) > TAG_LENGTH_LIMIT:
            raise InvalidInput(f"The tag '{tag[:20]}…' is longer than {TAG_LENGTH_LIMIT} characters.", "tags")


def check_share(value: float, name: str) -> None:
    """Refuse what is no number from 0 to 1; a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= 1.0:
        raise InvalidInput(f"{name} must be a number from 0 to 1, not {value}.", name)


def check_time(value: int | None, name: str) -> None:
    """Refuse what is no whole number of milliseconds from 1970 to 9999. None is no time and passes."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{name} must be a time in whole milliseconds.", name)
    if not 0 <= value <= TIME_LIMIT:
        raise InvalidInput(f"{name} lies outside the years 1970 to 9999.", name)


def check_priority(value: int) -> None:
    """Refuse what is no whole number from 1 to 10."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in PRIORITY_RANGE:
        raise InvalidInput(f"priority must be a whole number from 1 to 10, not {value}.", "priority")


def check_reason(value: str | None) -> None:
    """Refuse a reason too long to be one, or no sound text. None passes."""
    if value is None:
        return
    if len(value) > REASON_LENGTH_LIMIT:
        raise InvalidInput(f"reason is longer than {REASON_LENGTH_LIMIT:,} characters: shorten it.", "reason")
    check_text(value, "reason")


def check_flag(value: bool, name: str) -> None:
    """Refuse what only resembles a truth value, such as 1 or "yes"."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} must be true or false.", name)


def check_count(value: int, name: str, least: int) -> None:
    """Refuse what is no whole number from `least` up to what a store can count."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= COUNT_LIMIT:
        raise InvalidInput(f"{name} must be a whole number from {least} on.", name)


def choice(kind: type[Choice], value: object, argument: str) -> Choice:
    """One of an enumeration's values, whatever its case."""
    try:
        return kind(str(value).strip().lower())
    except ValueError:
        allowed = ", ".join(item.value for item in kind)
        raise InvalidInput(f"{argument} must be one of {allowed}, not '{str(value)[:40]}'.", argument) from None
