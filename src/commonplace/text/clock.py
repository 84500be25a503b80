"""Times of day as people say them, written as on a clock of 24 hours: "half past seven in the evening" is 19:30."""

import re

_HOURS = {
    name: hour for hour, name in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
} | {str(hour): hour for hour in range(1, 13)}
_MINUTES = {"a quarter": 15, "quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_SPOKEN = re.compile(
    rf"\b({'|'.join(_MINUTES)}) (past|to) ({'|'.join(_HOURS)})\b(?: in the (morning|afternoon|evening)\b)?",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\b0(\d:[0-5]\d)\b")
_MORNING = 12  # the hour from which on a clock of twelve hours begins again


def spoken_times(text: str) -> str:
    """A text with its times as they stand on a clock, without a zero before the hour."""
    return _ZERO.sub(r"\1", _SPOKEN.sub(_on_the_clock, text))


def _on_the_clock(found: re.Match[str]) -> str:
    minutes, hour = _MINUTES[found[1].lower()], _HOURS[found[3].lower()]
    if found[2].lower() == "to":
        minutes, hour = 60 - minutes, (hour - 2) % 12 + 1
    late = (found[4] or "").lower() in ("afternoon", "evening") and hour < _MORNING
    return f"{hour + 12 * late}:{minutes:02}"
