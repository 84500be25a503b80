"""A time as another tool writes it."""

from commonplace.domain.validation import TIME_LIMIT
from commonplace.engine.parse import instant

LENGTH_LIMIT = 64


def time_of(value: object) -> int | None:
    """A time as a text or as seconds since 1970, in milliseconds, if it can be one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return int(value * 1000) if 0 <= value * 1000 <= TIME_LIMIT else None
    if not isinstance(value, str) or len(value) > LENGTH_LIMIT:
        return None
    try:
        at = instant(value)
    except ValueError:
        return None
    return at if 0 <= at <= TIME_LIMIT else None
