"""What people and programs write at a door, as the engine's own types."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from commonplace.domain.memory import CaptureMode, Kind, MemoryType, Standing
from commonplace.domain.validation import choice
from commonplace.engine.intake import Draft
from commonplace.engine.lifecycle import Changes
from commonplace.errors import InvalidInput

_DURATION = re.compile(r"(\d{1,6})\s*(s|m|h|d|w|y)")
_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_536_000}


def moment(value: str | int | datetime, now: int, argument: str) -> int:
    """Milliseconds UTC from a datetime, an ISO 8601 text, a number of milliseconds, or `3d` for three days ago."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, datetime):
        return _milliseconds(value)
    if not isinstance(value, str):
        raise InvalidInput(f"{argument} is not a time.", argument)
    span = _seconds(value)
    if span is not None:
        return now - span * 1000
    try:
        return instant(value)
    except ValueError:
        raise InvalidInput(
            f"{argument} '{value[:40]}' is not a time: write 2026-03-01, 2026-03-01T09:30Z or 3d.", argument
        ) from None


def instant(text: str) -> int:
    """Milliseconds UTC from an ISO 8601 text, or a ValueError. Without an offset it is local time."""
    try:
        return _milliseconds(datetime.fromisoformat(text.strip()))
    except OverflowError as error:  # a local time at the very ends of the calendar
        raise ValueError(str(error)) from None


def deadline(value: str | int | datetime, now: int, argument: str) -> int:
    """Like `moment`, but `3d` lies three days ahead."""
    span = _seconds(value) if isinstance(value, str) else None
    return moment(value, now, argument) if span is None else now + span * 1000


def expiry(value: str | int | datetime, now: int, argument: str) -> int:
    """Like `deadline`, and still to come: InvalidInput for a memory that would be over before it is written."""
    at = deadline(value, now, argument)
    if at <= now:
        raise InvalidInput(
            f"{argument} lies in the past, so it would never be recalled: name a later time, or leave it out.", argument
        )
    return at


_CHOICES: dict[str, type[StrEnum]] = {
    "kind": Kind,
    "memory_type": MemoryType,
    "capture_mode": CaptureMode,
    "standing": Standing,
}
_TIMES = ("confirmed_at", "valid_from", "valid_to")


def draft_fields(fields: Mapping[str, object], now: int) -> dict[str, object]:
    """The fields of a draft, with names checked and texts turned into choices and times."""
    known = set(Draft.fields) - {"text", "scope"}
    parsed = _fields(fields, known, "Draft", now)
    return {name: value for name, value in parsed.items() if value is not None}


def change_fields(fields: Mapping[str, object], now: int) -> dict[str, object]:
    """The fields of an update, likewise; None clears one."""
    return _fields(fields, set(Changes.fields), "Changes", now)


def _fields(fields: Mapping[str, object], known: set[str], record: str, now: int) -> dict[str, object]:
    for name in fields:
        if name not in known:
            raise InvalidInput(f"'{name}' is not something a memory has: see {record} for what is.", name)
    return {name: None if value is None else _field(name, value, now) for name, value in fields.items()}


def _field(name: str, value: object, now: int) -> object:
    if name in _CHOICES:
        return choice(_CHOICES[name], str(value), name)
    if name in _TIMES and isinstance(value, str | datetime):
        return moment(value, now, name)
    if name == "expires_at" and isinstance(value, str | datetime):  # milliseconds are a program's, which has checked
        return expiry(value, now, name)
    if name == "tags":
        if isinstance(value, str):
            return (value,)
        return tuple(value) if isinstance(value, Iterable) else value
    return value


def _seconds(value: str) -> int | None:
    match = _DURATION.fullmatch(value.strip().lower())
    return int(match[1]) * _UNITS[match[2]] if match else None


def _milliseconds(value: datetime) -> int:
    aware = value if value.tzinfo is not None else value.astimezone()
    return int((aware - datetime.fromtimestamp(0, UTC)) / timedelta(milliseconds=1))
