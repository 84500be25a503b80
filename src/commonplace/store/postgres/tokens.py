"""The tokens, which belong to no tenant: they say which one their bearer is in."""

from commonplace.domain.token import Token
from commonplace.store.postgres.connections import NOBODY, PostgresConnections
from commonplace.store.postgres.transaction import one
from commonplace.store.rows import token_of, token_values

_COLUMNS = "id, digest, label, tenant, owner, teams, rights, project, created_at, expires_at, revoked_at"
_INSERT = f"INSERT INTO tokens ({_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
_CHANGES = ", ".join(f"{name} = excluded.{name}" for name in _COLUMNS.split(", ")[1:])


class PostgresTokens:
    def __init__(self, connections: PostgresConnections) -> None:
        self._connections = connections

    def add(self, token: Token) -> None:
        self._put(_INSERT, token)

    def replace(self, token: Token) -> None:
        self._put(f"{_INSERT} ON CONFLICT (id) DO UPDATE SET {_CHANGES}", token)

    def find(self, id: str) -> Token | None:
        with self._connections.reader(NOBODY) as transaction:
            row = one(transaction.rows(f"SELECT {_COLUMNS} FROM tokens WHERE id = %s", (id,)))
        return None if row is None else token_of(row)

    def all(self) -> tuple[Token, ...]:
        with self._connections.reader(NOBODY) as transaction:
            rows = transaction.rows(f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at, id")
        return tuple(token_of(row) for row in rows)

    def exist(self) -> bool:
        with self._connections.reader(NOBODY) as transaction:
            return transaction.rows("SELECT 1 FROM tokens LIMIT 1") != []

    def _put(self, statement: str, token: Token) -> None:
        with self._connections.writer(NOBODY) as transaction:
            transaction.run(statement, token_values(token))
