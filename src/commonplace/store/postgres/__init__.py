"""The book on a PostgreSQL server with pgvector, through psycopg and only psycopg.

Row-level security binds every transaction to one tenant, whoever wrote its SQL. It does not
bind superusers, and owners only as far as they let it; so a unit of work always runs as the role
`commonplace_app`, which the first migration is given and which owns nothing. In a simple
set-up the application connects as the owner of the tables and steps down to that role inside each
transaction (`SET LOCAL ROLE`). In a strict one it connects as a login that is a member of
`commonplace_app` and cannot do more; then the owner runs `commonplace upgrade` before it.
"""

from commonplace.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
