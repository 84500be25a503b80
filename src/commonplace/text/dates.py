"""The days a text speaks of: named outright, or counted from the day it was said ("last Friday", "two weeks ago").

English only; times are milliseconds UTC, spans go from their first moment to the moment after their last.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()

Span = tuple[int, int]

_DAY_LENGTH = 86_400_000
_EPOCH = datetime.fromtimestamp(0, UTC)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "few": 3}
_MONTH = r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"  # noqa: E501
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_NAMED = re.compile(
    rf"\b(\d{{4}})-(\d{{2}})-(\d{{2}})\b|\b{_DAY}(?: of)? {_MONTH},? (\d{{4}})\b|\b{_MONTH} {_DAY},? (\d{{4}})\b|"
    rf"\b{_MONTH},? (\d{{4}})\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(yesterday|last night|today|tonight|tomorrow)\b|"
    rf"\b(last|past|next|this)\s+({'|'.join(WEEKDAYS)})\b|"
    r"\b(a|an|one|two|three|four|five|six|few|couple(?: of)?|\d{1,3})\s+(day|week|month|year)s?\s+ago\b|"
    r"\b(last|next|this)\s+(weekend|week|month|year)\b",
    re.IGNORECASE,
)


def day_words(moment: int) -> str:
    """The day of a moment as people write it: `3 March 2026`."""
    day = _EPOCH + timedelta(milliseconds=moment)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def span_words(span: Span) -> str:
    """A day as people write it, of a longer span the month, of a year the year."""
    first, end = span
    if end - first > 31 * _DAY_LENGTH:
        return day_words(first).split()[-1]
    return day_words(first) if end - first == _DAY_LENGTH else day_words(first).split(" ", 1)[1]


def named_spans(text: str) -> tuple[Span, ...]:
    """The days and months a text names with their year, in its order; what is no day of the calendar is left out."""
    return tuple(span for found in _NAMED.finditer(text) if (span := _named(found)) is not None)


def counted_spans(text: str, said_at: int) -> tuple[Span, ...]:
    """The days, weeks, months and years a text counts from the day it was said, in its order."""
    try:
        moment = (_EPOCH + timedelta(milliseconds=said_at)).replace(hour=0, minute=0, second=0, microsecond=0)
        return tuple(span for found in _COUNTED.finditer(text) for span in _counted(found, moment))
    except (OverflowError, ValueError):  # at the very ends of the calendar
        return ()


def _named(found: re.Match[str]) -> Span | None:
    year, month, day, day_first, month_second, year_third, month_first, day_second, year_after, month_alone, of = (
        found.groups()
    )
    try:
        if year:
            return _span(datetime(int(year), int(month), int(day), tzinfo=UTC), 1)
        if day_first:
            return _span(datetime(int(year_third), _month(month_second), int(day_first), tzinfo=UTC), 1)
        if month_first:
            return _span(datetime(int(year_after), _month(month_first), int(day_second), tzinfo=UTC), 1)
        return _whole_month(datetime(int(of), _month(month_alone), 1, tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _counted(found: re.Match[str], moment: datetime) -> Iterator[Span]:
    simple, which, weekday, number, unit, near, period = found.groups()
    if simple:
        shift = {"yesterday": -1, "last night": -1, "tomorrow": 1}.get(simple.lower(), 0)
        yield _span(moment + timedelta(days=shift), 1)
    elif weekday:
        away = WEEKDAYS.index(weekday.lower()) - moment.weekday()
        ahead = which.lower() in ("next", "this")
        yield _span(moment + timedelta(days=away % 7 or 7 if ahead else -(-away % 7 or 7)), 1)
    elif unit:
        word = number.lower().split()[0]
        yield _back(moment, _NUMBERS.get(word) or int(word), unit.lower())
    else:
        yield _beside(moment, {"last": -1, "this": 0, "next": 1}[near.lower()], period.lower())


def _back(moment: datetime, count: int, unit: str) -> Span:
    if unit == "day":
        return _span(moment - timedelta(days=count), 1)
    if unit == "week":
        return _span(moment - timedelta(days=7 * count + 3), 7)
    if unit == "month":
        return _whole_month(_month_away(moment, -count))
    return _whole_year(moment.year - count)


def _beside(moment: datetime, away: int, period: str) -> Span:
    monday = moment - timedelta(days=moment.weekday())
    if period == "week":
        return _span(monday + timedelta(days=7 * away), 7)
    if period == "weekend":
        return _span(monday + timedelta(days=7 * away + 5), 2)
    return _whole_month(_month_away(moment, away)) if period == "month" else _whole_year(moment.year + away)


def _month_away(moment: datetime, away: int) -> datetime:
    months = moment.year * 12 + moment.month - 1 + away
    return datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC)


def _whole_month(first: datetime) -> Span:
    return _milliseconds(first), _milliseconds(_month_away(first, 1))


def _whole_year(year: int) -> Span:
    return _milliseconds(datetime(year, 1, 1, tzinfo=UTC)), _milliseconds(datetime(year + 1, 1, 1, tzinfo=UTC))


def _span(first: datetime, days: int) -> Span:
    return _milliseconds(first), _milliseconds(first + timedelta(days=days))


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month.lower().startswith(name.lower()[:3]))


def _milliseconds(moment: datetime) -> int:
    return int((moment - _EPOCH).total_seconds() * 1000)
