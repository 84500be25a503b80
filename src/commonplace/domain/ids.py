"""Ids that sort by time."""

import os
from hashlib import blake2b

DAY = 86_400_000
"""In milliseconds, as every moment is."""

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80


def ulid(now: int) -> str:
    """26 characters: 48 bits of time, 80 of chance, in Crockford's base 32."""
    return _spelled(now, os.urandom(_RANDOM_BITS // 8))


def ulid_for(key: str, at: int) -> str:
    """The same form, the same for the same key and time: for what has a name elsewhere and may come again."""
    return _spelled(at, blake2b(key.encode("utf-8", "surrogatepass"), digest_size=_RANDOM_BITS // 8).digest())


def _spelled(now: int, chance: bytes) -> str:
    value = (now << _RANDOM_BITS) | int.from_bytes(chance, "big")
    characters = []
    for _ in range(26):
        value, digit = divmod(value, 32)
        characters.append(_ALPHABET[digit])
    return "".join(reversed(characters))
