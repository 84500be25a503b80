"""Texts inside a text, in Base64 or in hexadecimal digits, so that a token in one is found."""

from __future__ import annotations

import binascii
from typing import Final

from commonplace.secrets.form import Edit, Form, edited
from commonplace.secrets.regex import Match, pattern

# Both in one line, Base64 also in lines of the same length.
_BASE64: Final = r"(?:[A-Za-z0-9+/]{60,76}\r?\n[ \t]{0,8})*[A-Za-z0-9+/_-]{24,}"
_HEX: Final = r"(?:[0-9A-Fa-f]{2}[ :]?){19,}[0-9A-Fa-f]{2}"
SIGNS: Final = r"[A-Za-z0-9+/_-]{24}|(?:[0-9A-Fa-f]{2}[ :]){20}"
_SAMPLE: Final = 64
_NO_TEXT: Final = bytes(byte for byte in range(256) if not (32 <= byte < 127 or byte in b"\t\n\r"))
_URL_SAFE: Final = bytes.maketrans(b"-_", b"+/")


def decoded(form: Form) -> Form | None:
    """The form with every stretch that is an encoded text decoded, or None if there is none."""
    if pattern(SIGNS).search(form.data) is None:
        return None
    edits: list[Edit] = []
    for match in _stretches(form):
        start, end = match.span()
        text = _text(match.group() or b"")
        if text and (not edits or edits[-1][1] <= start):
            edits.append((start, end, b" " + text + b" "))
    return edited(form, edits)


def _stretches(form: Form) -> list[Match]:
    found = [*pattern(_BASE64).finditer(form.data), *pattern(_HEX).finditer(form.data)]
    return sorted(found, key=lambda match: match.span())


def _text(written: bytes) -> bytes | None:
    """What a stretch says if it is a text in either code; anything else is bytes, or a word."""
    digits = b"".join(written.translate(_URL_SAFE).split())
    return next((raw for raw in (_from_hex(written), _from_base64(digits)) if raw and _is_text(raw)), None)


def _is_text(raw: bytes) -> bool:
    sample = raw[:_SAMPLE]
    return len(sample.translate(None, _NO_TEXT)) * 10 >= len(sample) * 9


def _from_hex(written: bytes) -> bytes | None:
    try:
        return bytes.fromhex(written.replace(b":", b" ").decode())
    except ValueError:
        return None


def _from_base64(digits: bytes) -> bytes | None:
    """A digit too many belongs to something else."""
    whole = digits[: len(digits) - 1] if len(digits) % 4 == 1 else digits
    try:
        return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
    except binascii.Error:
        return None
