"""The tokens, which belong to no tenant: they say which one their bearer is in."""

from commonplace.domain.token import Token
from commonplace.store.rows import token_of, token_values
from commonplace.store.sqlite.connections import SqliteConnections

_COLUMNS = "id, digest, label, tenant, user, teams, rights, project, created_at, expires_at, revoked_at"


class SqliteTokens:
    def __init__(self, connections: SqliteConnections) -> None:
        self._connections = connections

    def add(self, token: Token) -> None:
        self._put(f"INSERT INTO tokens ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", token)

    def replace(self, token: Token) -> None:
        self._put(f"INSERT OR REPLACE INTO tokens ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", token)

    def find(self, id: str) -> Token | None:
        with self._connections.reader() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM tokens WHERE id = ?", (id,)).fetchone()
        return None if row is None else token_of(row)

    def all(self) -> tuple[Token, ...]:
        with self._connections.reader() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM tokens ORDER BY created_at, id").fetchall()
        return tuple(token_of(row) for row in rows)

    def exist(self) -> bool:
        with self._connections.reader() as connection:
            return connection.execute("SELECT 1 FROM tokens LIMIT 1").fetchone() is not None

    def _put(self, statement: str, token: Token) -> None:
        with self._connections.writer() as connection:
            connection.execute(statement, token_values(token))
