"""Who has opened the page of this machine: a key that works once, and the sessions that came of it."""

import secrets
from hashlib import sha256
from threading import Lock

from starlette.requests import Request

from commonplace.book.book import Book
from commonplace.errors import Denied
from commonplace.serve.gate import Visitor, bearer_in
from commonplace.serve.halves import LASTS_SECONDS, joined

KEY_LASTS = 300_000  # milliseconds

AGAIN = "run 'commonplace web' again for a new link."


class Visits:
    """The sessions of one process, in its memory alone; the person whose book it is, is who comes."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._lock = Lock()
        self._key = secrets.token_urlsafe(32)
        self._key_ends_at = book.now() + KEY_LASTS
        self._is_used = False
        self._sessions: dict[bytes, int] = {}

    @property
    def key(self) -> str:
        """What the link has; it is told to whoever started the process."""
        return self._key

    def redeem(self, presented: str) -> Visitor:
        """Whoever brings the key, the first time and in time."""
        with self._lock:
            if not secrets.compare_digest(_digest(presented), _digest(self._key)):
                raise Denied(f"This link belongs to a page that has ended: {AGAIN}")
            if self._is_used:
                raise Denied(f"This link was used already: {AGAIN}")
            if self._book.now() >= self._key_ends_at:
                raise Denied(f"This link was good for five minutes, which are over: {AGAIN}")
            self._is_used = True
        return self._visitor("page")

    def verify(self, presented: str) -> Visitor:
        """Whoever brings a session that goes on."""
        digest = _digest(presented)
        with self._lock:
            if self._sessions.get(digest, 0) <= self._book.now():
                self._sessions.pop(digest, None)
                raise Denied(f"This page is no longer signed in: {AGAIN}")
        return self._visitor(f"page:{digest.hex()[:16]}")

    def begin(self, request: Request) -> str:
        """A session for whoever has just redeemed the key."""
        credential = secrets.token_urlsafe(32)
        with self._lock:
            self._sessions[_digest(credential)] = self._book.now() + LASTS_SECONDS * 1000
        return credential

    def end(self, request: Request) -> None:
        """The session that a request comes with is over."""
        presented = bearer_in(request.headers) or joined(request.headers, request.scope["server"][1]) or ""
        with self._lock:
            self._sessions.pop(_digest(presented), None)

    def _visitor(self, key: str) -> Visitor:
        return Visitor(key, self._book.principal, self._book.project)


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "replace")).digest()
