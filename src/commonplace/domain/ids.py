"""Where time and identity come from: the clock, and ids that sort by time."""

import os
import time
from typing import Protocol

DAY = 86_400_000
"""In milliseconds, as every moment is."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


class Clock(Protocol):
    def __call__(self) -> int:
        """Milliseconds since 1970, UTC."""


def system_clock() -> int:
    return time.time_ns() // 1_000_000


def ulid(now: int) -> str:
    """26 characters: 48 bits of time, 80 of chance, in Crockford's base 32."""
    value = (now << _RANDOM_BITS) | int.from_bytes(os.urandom(_RANDOM_BITS // 8), "big")
    characters = []
    for _ in range(26):
        value, digit = divmod(value, 32)
        characters.append(_ALPHABET[digit])
    return "".join(reversed(characters))
