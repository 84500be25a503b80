"""How far a value beside the word for a secret is believed, for each family of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from commonplace.secrets import labels
from commonplace.secrets.regex import pattern
from commonplace.secrets.values import (
    is_description,
    is_placeholder,
    is_plain,
    looks_like_camel_password,
    looks_like_long_token,
    looks_like_password,
    looks_like_strong_password,
    looks_like_token,
    trimmed,
)


@dataclass(frozen=True, slots=True)
class TokenCandidate:
    """A value found beside a label: where it is, whether it stood in quotes, and whether its clause ends there."""

    value: bytes
    start: int
    quoted: bool
    ends_clause: bool


Judge = Callable[[TokenCandidate], bool]


@dataclass(frozen=True, slots=True)
class Family:
    """Words for one kind of secret, and what is believed after 'is' or ':' and what when it only stands beside."""

    kind: str
    words: str
    told: Judge
    beside: Judge


def is_told_password(candidate: TokenCandidate) -> bool:
    """After 'is' or ':' much is believed, a bare number at the end of its clause and a quoted word too."""
    value = candidate.value
    if b" " in value:
        return value.count(b" ") <= 4 and looks_like_strong_password(value.replace(b" ", b""))
    if looks_like_password(value):
        return True
    if is_placeholder(value) or is_description(value):
        return False
    core = trimmed(value)
    if candidate.quoted and core.isalpha():
        is_identifier = core[:1].islower() and not core.islower()
        return len(core) >= 5 and not is_identifier and not is_plain(core)
    if not candidate.ends_clause:
        return False
    return (core.isdigit() and len(core) >= 6) or looks_like_camel_password(value)


def is_mixed_password(candidate: TokenCandidate) -> bool:
    """A value that has the looks of a password in itself, whatever stands around it."""
    return looks_like_password(candidate.value)


def is_told_token(candidate: TokenCandidate) -> bool:
    """A value long and mixed enough for a token."""
    return looks_like_token(candidate.value)


def is_told_pin(candidate: TokenCandidate) -> bool:
    """Four to ten digits at the end of a clause, and not a date."""
    core = trimmed(candidate.value).lower()
    if not candidate.ends_clause or pattern(r"^\d{4}-\d\d?-\d\d?$|^\d\d?-\d\d?-\d{4}$").search(core):
        return False
    return pattern(r"^[#*]?\d(?:[ -]?\d){3,9}[a-z#*]?$").search(core) is not None


def is_short_pin(candidate: TokenCandidate) -> bool:
    """A PIN of the two usual lengths, four and six: where it only stands beside the word, others may be anything."""
    return is_told_pin(candidate) and len(trimmed(candidate.value)) in (4, 6)


def is_told_door_code(candidate: TokenCandidate) -> bool:
    """A pin, or digits with a letter among them as keypads have."""
    core = trimmed(candidate.value).lower()
    mixed = candidate.ends_clause and pattern(r"^[#*]?[\da-f]{4,8}[#*]?$").search(core) is not None
    return is_told_pin(candidate) or (mixed and sum(48 <= byte <= 57 for byte in core) >= 3)


def is_told_passcode(candidate: TokenCandidate) -> bool:
    """Whatever would be believed as a PIN or as a password."""
    return is_told_pin(candidate) or is_told_password(candidate)


def is_told_code(candidate: TokenCandidate) -> bool:
    """Whatever would be believed as a PIN or as a token."""
    return is_told_pin(candidate) or looks_like_token(candidate.value)


def is_card_code(candidate: TokenCandidate) -> bool:
    """Three or four digits and nothing else."""
    return pattern(r"^\d{3,4}$").search(trimmed(candidate.value)) is not None


def is_strong_password(candidate: TokenCandidate) -> bool:
    """Believed where it only stands beside the word: nothing but a password looks like it."""
    value = trimmed(candidate.value)
    if looks_like_strong_password(value):
        return True
    several_digits = sum(48 <= byte <= 57 for byte in value) >= 2
    return candidate.ends_clause and len(value) >= 7 and several_digits and looks_like_password(value)


def is_strong_token(candidate: TokenCandidate) -> bool:
    """A long token with a digit in it: long words and names have none."""
    return looks_like_long_token(candidate.value) and any(48 <= byte <= 57 for byte in candidate.value)


def is_mixed_token(candidate: TokenCandidate) -> bool:
    """What is called a key and nothing else may be any name, unless it has both cases and digits at length."""
    value = trimmed(candidate.value)
    mixed = value.lower() != value != value.upper() and pattern(r"^[\w+=-]{20,}$").search(value) is not None
    return mixed and is_strong_token(candidate)


def is_nothing(candidate: TokenCandidate) -> bool:
    """Never: the word is too common for what only stands beside it to be believed."""
    return False


def is_told_cjk_password(candidate: TokenCandidate) -> bool:
    """Digits alone count as well: the same word stands for a password and a pin."""
    return is_told_pin(candidate) or looks_like_password(candidate.value) or looks_like_token(candidate.value)


# Earlier families win where their words begin at the same place.
FAMILIES: Final = (
    Family("one_time_code", labels.ONE_TIME_CODE, is_told_code, is_told_pin),
    Family("card_code", labels.CARD_CODE, is_card_code, is_card_code),
    Family("pin", labels.PIN_IN_FULL, is_told_door_code, is_told_pin),
    Family("pin", labels.PIN, is_told_pin, is_short_pin),
    Family("password", labels.PASSCODE, is_told_passcode, is_told_pin),
    Family("password", labels.PASS_OF_USER, is_told_password, is_strong_password),
    Family("password", labels.PASS, is_mixed_password, is_nothing),
    Family("password", labels.PASSWORD, is_told_password, is_strong_password),
    Family("generic_api_key", labels.TOKEN, is_told_token, is_strong_token),
)
# Apart, for the word is met everywhere and means a credential only now and then.
KEY_FAMILY: Final = Family("generic_api_key", labels.KEY, is_mixed_token, is_mixed_token)
CJK_FAMILIES: Final = (
    Family("password", labels.CJK_PASSWORD, is_told_cjk_password, is_told_cjk_password),
    Family("generic_api_key", labels.CJK_TOKEN, is_told_token, is_told_token),
    Family("one_time_code", labels.CJK_ONE_TIME_CODE, is_told_code, is_told_code),
)
