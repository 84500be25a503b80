"""Whose memory it is: scopes, and the principal on whose behalf a book is opened."""

import re
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256

from commonplace.domain.record import Record
from commonplace.errors import Denied, InvalidInput

SCOPE_LENGTH_LIMIT = 256
NAME_LENGTH_LIMIT = 128

_SCOPE_ID = re.compile(r"[A-Za-z0-9._~:/@+-]+")
_NAME = re.compile(r"[A-Za-z0-9._~@+-]+")
_ESCAPE = "~"
_UNESCAPED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@+-")


def name_for(text: str) -> str:
    """Any text as a name, and no two texts as the same one.

    What is plain stays as it is. Else each byte of its UTF-8 that a plain name does not have becomes `~` and two
    hexadecimal digits. Where that is too long, `~~` and the text's SHA-256 stand for it: no escaped name has `~~`.
    """
    if not text:
        raise InvalidInput("A name must not be empty.")
    written = text.encode("utf-8", "surrogatepass")
    escaped = "".join(chr(byte) if byte in _UNESCAPED else f"{_ESCAPE}{byte:02x}" for byte in written)
    return escaped if len(escaped) <= NAME_LENGTH_LIMIT else f"{_ESCAPE}{_ESCAPE}{sha256(written).hexdigest()}"


class ScopeKind(StrEnum):
    USER = "user"
    PROJECT = "project"
    AGENT = "agent"
    TEAM = "team"


class Scope(Record):
    """Where a memory lives: `user:ID`, `project:ID`, `agent:ID` or `team:ID`."""

    kind: ScopeKind
    id: str

    def __post_init__(self) -> None:
        if not _SCOPE_ID.fullmatch(self.id) or len(str(self)) > SCOPE_LENGTH_LIMIT:
            raise InvalidInput(
                f"The scope id '{self.id[:40]}' must be letters, digits and . _ ~ : / @ + - "
                f"({SCOPE_LENGTH_LIMIT} characters at most).",
                "scope",
            )

    @classmethod
    @lru_cache(maxsize=1_024)
    def parse(cls, text: str) -> "Scope":
        """Read `kind:id`; selectors such as `project:auto` are resolved at the door, not here."""
        kind, colon, id = text.strip().partition(":")
        if not colon or kind not in set(ScopeKind):
            raise InvalidInput(
                f"'{text[:60]}' is not a scope: write user:NAME, project:NAME, agent:NAME or team:NAME.",
                "scope",
            )
        return cls(ScopeKind(kind), id)

    def __str__(self) -> str:
        return f"{self.kind.value}:{self.id}"


EVERY_TEAM = "*"  # the one person on a local book is in every team there is


class Right(StrEnum):
    """`read` is for every answer with something in it that was stored, `purge` for what takes bytes away for good,
    `person` for what the bearer says on the page to count as their own word, `admin` for the book as a whole."""

    READ = "read"
    WRITE = "write"
    PURGE = "purge"
    PERSON = "person"
    ADMIN = "admin"


class Principal(Record):
    """Who is asking. It comes from the process or a token, never from an argument.

    `teams` is what a token claims. What somebody may see is asked of a `Viewer`, who is made of a
    principal and the member list: a principal alone cannot be asked. With `only_project` nothing but that
    project is in reach.
    """

    tenant: str = "local"
    user: str = "local"
    teams: tuple[str, ...] = (EVERY_TEAM,)
    rights: frozenset[Right] = frozenset(Right)
    only_project: Scope | None = None

    def __post_init__(self) -> None:
        for name in (self.tenant, self.user, *(team for team in self.teams if team != EVERY_TEAM)):
            if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH_LIMIT:
                raise InvalidInput(f"'{name[:40]}' is not a name: use letters, digits and . _ ~ @ + -.")

    @classmethod
    def bearer(
        cls,
        tenant: str,
        user: str,
        teams: tuple[str, ...],
        rights: frozenset[Right],
        only_project: Scope | None,
    ) -> "Principal":
        """Whoever comes with a token or an issuer's claims. Nothing is taken for granted of them: what a principal
        has unless it is said otherwise is for the person whose book it is."""
        return cls(tenant, user, teams, rights, only_project)

    @property
    def own_scope(self) -> Scope:
        """Where what is theirs alone is kept."""
        return Scope(ScopeKind.USER, self.user)

    def may(self, right: Right) -> bool:
        """Whether they have the right at all, whatever the scope."""
        return right in self.rights

    def require(self, right: Right) -> None:
        """Refuse whoever lacks a right."""
        if not self.may(right):
            raise Denied(f"You have no right to {right.value} here: ask whoever runs the book for it.")

    def show(self, scope: Scope) -> str:
        """The caller's own scope is shown under the name they select it by."""
        return "user:default" if scope == self.own_scope else str(scope)


class Viewer(Record):
    """A principal at one moment, with the teams that they are in by then."""

    principal: Principal
    teams: tuple[str, ...]

    def may_see(self, scope: Scope) -> bool:
        """Other people's user scopes and foreign teams are out of reach; the rest is the tenant's."""
        if self.principal.only_project is not None:
            return scope == self.principal.only_project
        match scope.kind:
            case ScopeKind.USER:
                return scope.id == self.principal.user
            case ScopeKind.TEAM:
                return scope.id in self.teams or EVERY_TEAM in self.teams
            case ScopeKind.PROJECT | ScopeKind.AGENT:
                return True
