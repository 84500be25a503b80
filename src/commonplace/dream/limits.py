"""How far a dream may go, and when it is due."""

import re
from datetime import datetime, timedelta

from commonplace.config import Settings
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput

NEVER = "never"
_WINDOW = re.compile(r"([01]\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]\d|2[0-3]):([0-5]\d)")


class Limits(Record):
    """What one dream may do. Times in days; a memory younger than `young_days` in the book is left alone."""

    edits: int = 32
    text_bytes: int = 262_144
    stale_confidence: float = 0.2
    unused_days: int = 180
    expired_days: int = 30
    young_days: int = 7
    day_turns_at: int = 300  # minutes after midnight: what is dreamt at night is about the day before

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        """The limits as set; a day turns where the window ends, if there is one."""
        window = Window.parse(settings.dream_window)
        return cls(
            settings.dream_edit_budget,
            settings.dream_text_budget,
            settings.dream_stale_confidence,
            settings.dream_unused_days,
            settings.dream_expired_days,
            settings.dream_young_days,
            cls.day_turns_at if window is None else window.end,
        )


class Window(Record):
    """Minutes after midnight, local time; it may run over midnight."""

    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> "Window | None":
        """`02:00-05:00`, or `never`."""
        if text.strip().lower() == NEVER:
            return None
        found = _WINDOW.fullmatch(text.strip())
        if found is None:
            raise InvalidInput(f"dream_window must be like 02:00-05:00, or never, not '{text[:40]}'.", "dream_window")
        start_hour, start_minute, end_hour, end_minute = map(int, found.groups())
        return cls(start_hour * 60 + start_minute, end_hour * 60 + end_minute)

    def holds(self, moment: datetime) -> bool:
        """Whether a local time is inside, the start included and the end not; a window may go past midnight."""
        minute = moment.hour * 60 + moment.minute
        if self.start <= self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end


class Due(Record):
    """Whether to dream now, and why or why not."""

    now: bool
    because: str


def due(now: int, settings: Settings, last_activity: int | None, last_run: int | None) -> Due:
    """Whether it is time for a dream: in the window, nobody active for a while, none yet today."""
    window = Window.parse(settings.dream_window)
    if window is None:
        return Due(False, "dream_window is never")
    moment = datetime.fromtimestamp(now / 1000)
    if not window.holds(moment):
        return Due(False, f"it is {moment:%H:%M}, outside of {settings.dream_window}")
    idle_seconds = settings.dream_idle_seconds
    if last_activity is not None and now - last_activity < idle_seconds * 1000:
        return Due(False, f"the book was in use within the last {idle_seconds:,} seconds")
    if last_run is not None and _night(last_run, window) == _night(now, window):
        return Due(False, "there was a dream already")
    return Due(True, "it is night and nobody is about")


def day_of(now: int, day_turns_at: int) -> tuple[str, int, int]:
    """The day a dream is about: its date, and when it began and ends, in milliseconds."""
    begun = datetime.fromtimestamp(now / 1000) - timedelta(minutes=day_turns_at)
    start = begun.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(minutes=day_turns_at)
    return f"{begun:%Y-%m-%d}", int(start.timestamp() * 1000), int((start + timedelta(days=1)).timestamp() * 1000)


def _night(moment: int, window: Window) -> str:
    """Which night a moment belongs to: counted from the start of the window, so that one over midnight is one night."""
    return f"{datetime.fromtimestamp(moment / 1000) - timedelta(minutes=window.start):%Y-%m-%d}"
