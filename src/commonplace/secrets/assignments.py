"""Settings and fields: KEY=value, key: value, "key": "value", <key>value</key>, --key value, | key | value |."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from commonplace.secrets.detector import Detector, FoundSecret
from commonplace.secrets.form import Form
from commonplace.secrets.regex import Match, pattern
from commonplace.secrets.values import (
    is_description,
    is_placeholder,
    is_plain,
    looks_like_long_token,
    looks_like_password,
    looks_like_token,
    trimmed,
)

_PASSWORD_NAMES: Final = (
    r"passwords?|passwd|passphrase|passcode|passwort|kennwort|contrasena|senha|wachtwoord|pwd|pass\b|pw\b"
)
_TOKEN_NAMES: Final = (
    r"api[_-]?keys?|api[_-]?tokens?|tokens?|secrets?|credentials?|auth\b|psk\b"
    r"|(?:pre-?shared|access|secret|private|auth|signing|encryption|master|account|shared[_-]?access|license|app"
    r"|application|service|storage|session|consumer|client|deploy|webhook|hmac|jwt|cookie|aes|admin|root|function"
    r"|subscription|ingest)[_-]?keys?"
)
_NAMES: Final = rf"{_TOKEN_NAMES}|{_PASSWORD_NAMES}"
# Groups: 1 before the word, 2 the word, 3 after it, 4 the separator, 5-7 a quoted value, 8 a bare one.
_VALUE: Final = r"(?:\"([^\"\n]+)\"|'([^'\n]+)'|`([^`\n]+)`|([^\s\"'`,;<>&|\\\x{2e80}-\x{ffff}]{4,}))"
_SEPARATOR: Final = r"\s{0,4}(?::=|=>|->|[:=]|[ \t]\|[ \t])\s{0,4}\\?[*_]{0,2}\s{0,2}"
_ASSIGNMENT: Final = rf"([\w.-]*?)({_NAMES}|\bkey\b)([\w.-]*)[\\\"'`*\])]{{0,4}}({_SEPARATOR}){_VALUE}"
_ELEMENT: Final = rf"<([\w.:-]*?)({_NAMES})([\w.-]*)(>)\s*{_VALUE}\s*</"
_FLAG: Final = rf"(\s--?[\w-]*?)({_NAMES})((?:-\w+)?)(\s+){_VALUE}"

# The last part of a name that makes it the name of something else: token_count, passwordHash, secret-name.
_OTHER_THINGS: Final = frozenset(
    b"count counts limit limits budget budgets type types url uri urls endpoint name names id ids path file"
    b" files dir arn ref refs policy length len size ttl expiry expires expiration expire exp field fields hash"
    b" hashed hashes algo algorithm rotation usage per max min manager format prefix suffix header issuer"
    b" version window cost costs rate price used left total input output prompt label placeholder hint error"
    b" errors reset strength validator rules required enabled changed updated created at age days provider"
    b" store storage source scope scopes status state stream bucket ring chain column table index schema class"
    b" function method fn handler service middleware engine backend env var variable param params arg args"
    b" number regex pattern data info entry callback userdata object".split()
)
_OTHER_THINGS_BEFORE: Final = frozenset(
    b"max min num n total prompt completion input output cached reasoning page next continuation cancellation design"
    b" bos eos pad sep cls mask unk public budget context stop special".split()
)
# Too short to be believed at the end of a longer word: bypass, compass.
_SHORT_NAMES: Final = frozenset({b"pass", b"auth", b"pw", b"key"})


def _assignments(form: Form) -> Iterator[FoundSecret]:
    for source in (_ASSIGNMENT, _ELEMENT, _FLAG):
        for match in pattern(source).finditer(form.lowered):
            group = next((number for number in (5, 6, 7, 8) if match.span(number)[0] >= 0), 0)
            if group and _names_a_secret(form.data, match):
                start, end = match.span(group)
                kind = _kind(match, form.data[start:end], quoted=group != 8)
                if kind:
                    yield FoundSecret(kind, start, end)


def _names_a_secret(data: bytes, match: Match) -> bool:
    before, word, after = (data[slice(*match.span(number))] for number in (1, 2, 3))
    if word.lower() in _SHORT_NAMES and before[-1:].isalpha():
        return False
    parts_before, parts_after = _parts(before), _parts(after)
    if b"public" in parts_before or (parts_before and parts_before[-1] in _OTHER_THINGS_BEFORE):
        return False
    if after[:1].isalpha() and (after[:1].islower() or word[-1:].isupper()):  # tokenizer, secretary, PASSPORT
        return False
    return not parts_after or parts_after[-1] not in _OTHER_THINGS


def _parts(name: bytes) -> list[bytes]:
    """The words of a name in snake, kebab or camel case, in lower case."""
    return [(part.group() or b"").lower() for part in pattern(r"[A-Z]?[a-z]+|[A-Z]+|\d+").finditer(name)]


def _kind(match: Match, value: bytes, *, quoted: bool) -> str | None:
    word = match.group(2) or b""
    separator = match.group(4) or b""
    if word == b"key":
        mixed = value.lower() != value != value.upper()
        unbroken = pattern(r"^[\w+=-]{20,}$").search(value) is not None  # object keys are paths
        return "generic_api_key" if mixed and unbroken and looks_like_long_token(value) else None
    if pattern(rf"^(?:{_PASSWORD_NAMES})$").search(word):
        return "password" if _is_password(value, separator, quoted=quoted) else None
    return "generic_api_key" if looks_like_token(value) else None


def _is_password(value: bytes, separator: bytes, *, quoted: bool) -> bool:
    if looks_like_password(value) or looks_like_token(value):
        return True
    core = trimmed(value)
    if is_placeholder(value) or is_plain(core) or is_description(core):
        return False
    # A plain word counts only where prose and code are unlikely: in quotes, or straight after '='.
    return core.isalpha() and len(core) >= 6 and (core.islower() if quoted else separator == b"=")


DETECTORS: Final[tuple[Detector, ...]] = (
    Detector(
        rf"(?:{_NAMES}|\bkey\b)[\w.-]*[\\\"'`*\])]*\s*(?:[:=>|]|->)|\s--?[\w-]*(?:{_NAMES})",
        _assignments,
    ),
)
