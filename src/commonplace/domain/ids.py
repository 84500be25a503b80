"""Ids that sort by time."""

import os

DAY = 86_400_000
"""In milliseconds, as every moment is."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def ulid(now: int) -> str:
    """26 characters: 48 bits of time, 80 of chance, in Crockford's base 32."""
    value = (now << _RANDOM_BITS) | int.from_bytes(os.urandom(_RANDOM_BITS // 8), "big")
    characters = []
    for _ in range(26):
        value, digit = divmod(value, 32)
        characters.append(_ALPHABET[digit])
    return "".join(reversed(characters))
