"""Tokens: who may use a book over the network, and as whom.

A token is `cp_ID_SECRET`. The book keeps the id and a digest of the secret; the secret is shown once,
when the token is made. A secret has 256 random bits, so a plain digest cannot be guessed back.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest

from commonplace.domain.record import Record, replace
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope
from commonplace.domain.token import Token
from commonplace.domain.validation import check_label, check_time
from commonplace.engine.caller import Caller
from commonplace.errors import Denied, InvalidInput, NotFound

PREFIX = "cp"
ID_BYTES = 6
SECRET_BYTES = 32


class Issued(Record):
    """A new token with its secret, which nobody will see again."""

    token: Token
    secret: str


class Access:
    """Makes, lists, revokes and checks tokens. Whoever runs the book does, or has the right to admin."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def create(
        self, principal: Principal, label: str, *, project: Scope | None = None, expires_at: int | None = None
    ) -> Issued:
        """A token that lets its bearer act as `principal`, in the project it is bound to if it is bound to one."""
        self._caller.principal.require(Right.ADMIN)
        check_label(label, "label")
        check_time(expires_at, "expires_at")
        if not principal.rights:
            raise InvalidInput("A token needs at least one of read, write, purge and admin.", "scopes")
        if EVERY_TEAM in principal.teams:
            raise InvalidInput("A token cannot be in every team: name its teams, separated by commas.", "teams")
        id, secret = secrets.token_hex(ID_BYTES), secrets.token_urlsafe(SECRET_BYTES)
        place = project or principal.only_project
        token = Token(id, _digest(secret), label, principal, place, self._caller.clock(), expires_at)
        self._caller.store.tokens.add(token)
        return Issued(token, f"{PREFIX}_{id}_{secret}")

    def list(self) -> Sequence[Token]:
        """Every token there ever was, oldest first."""
        self._caller.principal.require(Right.ADMIN)
        return self._caller.store.tokens.all()

    def exist(self) -> bool:
        """Whether there has ever been a token: from then on nobody comes in without one."""
        return self._caller.store.tokens.exist()

    def revoke(self, id: str) -> Token:
        """End a token at once; once more is no harm."""
        self._caller.principal.require(Right.ADMIN)
        token = self._caller.store.tokens.find(id.removeprefix(f"{PREFIX}_"))
        if token is None:
            raise NotFound(f"There is no token '{id[:20]}': see 'commonplace token list'.")
        if token.revoked_at is None:
            token = replace(token, revoked_at=self._caller.clock())
            self._caller.store.tokens.replace(token)
        return token

    def verify(self, presented: str) -> Token:
        """The token that was presented, or Denied with the same words whatever is wrong with it."""
        presented = presented.strip()
        id, _, secret = presented.removeprefix(f"{PREFIX}_").partition("_")
        token = self._caller.store.tokens.find(id) if is_ours(presented) else None
        # A digest is compared even if there is no such token, so that the time taken says nothing.
        matches = compare_digest(_digest(secret), b"\x00" * 32 if token is None else token.digest)
        now = self._caller.clock()
        if token is None or not matches or not token.in_force(now):
            raise Denied("This token is unknown, expired or revoked: ask whoever runs the book for another.")
        return token


def is_ours(presented: str) -> bool:
    """Whether a token looks like one that a book gave out."""
    return presented.startswith(f"{PREFIX}_")


def _digest(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()
