"""A credential in two halves: one in a cookie that scripts cannot read, one that no other page can send.

A cookie of 127.0.0.1 goes to every port of it, and what a page keeps for itself its scripts can read. Neither half
says anything without the other: one is random, the other is the credential with that random pad laid over it.
"""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error

from starlette.datastructures import Headers

HEADER = "x-commonplace-half"
LASTS_SECONDS = 43_200
CREDENTIAL_BYTES = 2_700
"""Longer ones would not fit into a cookie."""


def cookie_name(port: int) -> str:
    """Cookies are shared among the ports of a machine: each server has its own name."""
    return f"commonplace_{port}"


def split(credential: str) -> tuple[str, str]:
    """The pad for the cookie, and the half for the page. Each is random by itself."""
    given = credential.encode()
    pad = secrets.token_bytes(len(given))
    return _text(pad), _text(_laid_over(given, pad))


def joined(headers: Headers, port: int) -> str | None:
    """The credential that a request brings in two halves; None if it has not both of them, or they do not fit."""
    pad, halves = _cookie(headers, cookie_name(port)), headers.getlist(HEADER)
    if pad is None or len(halves) != 1:
        return None
    try:
        one, other = _bytes(pad), _bytes(halves[0])
        return _laid_over(one, other).decode() if one and len(one) == len(other) else None
    except (Error, ValueError):
        return None


def set_cookie(port: int, pad: str, seconds: int, secure: bool) -> str:
    """The line that keeps a pad for some seconds, or with none of them takes it away."""
    marks = ["Path=/api", f"Max-Age={seconds}", "HttpOnly", "SameSite=Strict", *(["Secure"] if secure else [])]
    return "; ".join((f"{cookie_name(port)}={pad}", *marks))


def _cookie(headers: Headers, name: str) -> str | None:
    """The value of a cookie; None if it is not there, or there are several that say different things."""
    pairs = (pair.strip().partition("=") for line in headers.getlist("cookie") for pair in line.split(";"))
    found = {value for key, _, value in pairs if key == name}
    return found.pop() if len(found) == 1 else None


def _laid_over(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
