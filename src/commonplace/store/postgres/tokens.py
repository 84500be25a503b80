"""The tokens, which belong to no tenant: they say which one their bearer is in."""

import json

from commonplace.bearer import Token
from commonplace.scope import Principal, Right, Scope
from commonplace.store.postgres.connections import Connections
from commonplace.store.postgres.transaction import one
from commonplace.store.rows import Row

NOBODY = ""  # what a transaction names that is no tenant's
_COLUMNS = "id, digest, label, tenant, owner, teams, rights, project, created_at, expires_at, revoked_at"
_INSERT = f"INSERT INTO tokens ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
_CHANGES = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[1:])


class PostgresTokens:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, token: Token) -> None:
        self._put(_INSERT, token)

    def replace(self, token: Token) -> None:
        self._put(f"{_INSERT} ON CONFLICT (id) DO UPDATE SET {_CHANGES}", token)

    def find(self, id: str) -> Token | None:
        with self._connections.reader(NOBODY) as transaction:
            row = one(transaction.rows(f"SELECT {_COLUMNS} FROM tokens WHERE id = %s", (id,)))
        return None if row is None else _token(row)

    def all(self) -> tuple[Token, ...]:
        with self._connections.reader(NOBODY) as transaction:
            rows = transaction.rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at, id")
        return tuple(_token(row) for row in rows)

    def _put(self, statement: str, token: Token) -> None:
        who = token.principal
        values = (
            token.id, token.digest, token.label, who.tenant, who.user, json.dumps(who.teams),
            json.dumps(sorted(right.value for right in who.rights)),
            None if token.project is None else str(token.project), token.created_at, token.expires_at, token.revoked_at,
        )  # fmt: skip
        with self._connections.writer(NOBODY) as transaction:
            transaction.run(statement, values)


def _token(row: Row) -> Token:
    id, digest, label, tenant, user, teams, rights, project, created_at, expires_at, revoked_at = row
    allowed = frozenset(Right(right) for right in json.loads(rights))
    principal = Principal(tenant, user, tuple(json.loads(teams)), allowed)
    place = None if project is None else Scope.parse(project)
    return Token(id, digest, label, principal, place, created_at, expires_at, revoked_at)
