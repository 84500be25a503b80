"""Whose memory it is: scopes, and the principal on whose behalf a book is opened."""

import re
from enum import StrEnum
from functools import lru_cache

from commonplace.errors import Denied, InvalidInput
from commonplace.record import Record

SCOPE_LENGTH_LIMIT = 256
NAME_LENGTH_LIMIT = 128

_SCOPE_ID = re.compile(r"[A-Za-z0-9._~:/@+-]+")
_NAME = re.compile(r"[A-Za-z0-9._~@+-]+")


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
    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class Principal(Record):
    """Who is asking. It comes from the process or a token, never from an argument."""

    tenant: str = "local"
    user: str = "local"
    teams: tuple[str, ...] = (EVERY_TEAM,)
    rights: frozenset[Right] = frozenset(Right)

    def __post_init__(self) -> None:
        for name in (self.tenant, self.user, *(team for team in self.teams if team != EVERY_TEAM)):
            if not _NAME.fullmatch(name) or len(name) > NAME_LENGTH_LIMIT:
                raise InvalidInput(f"'{name[:40]}' is not a name: use letters, digits and . _ ~ @ + -.")

    @property
    def own_scope(self) -> Scope:
        return Scope(ScopeKind.USER, self.user)

    def may_see(self, scope: Scope) -> bool:
        """Other people's user scopes and foreign teams are out of reach; the rest is the tenant's."""
        match scope.kind:
            case ScopeKind.USER:
                return scope.id == self.user
            case ScopeKind.TEAM:
                return scope.id in self.teams or EVERY_TEAM in self.teams
            case ScopeKind.PROJECT | ScopeKind.AGENT:
                return True

    def may(self, right: Right) -> bool:
        return right in self.rights

    def require(self, right: Right) -> None:
        """Refuse whoever lacks a right."""
        if not self.may(right):
            raise Denied(f"You have no right to {right.value} here: ask whoever runs the book for it.")

    def show(self, scope: Scope) -> str:
        """The caller's own scope is shown under the name they select it by."""
        return "user:default" if scope == self.own_scope else str(scope)
