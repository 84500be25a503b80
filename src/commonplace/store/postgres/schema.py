"""The numbered migrations of the PostgreSQL book, and how the first writer applies them."""

import psycopg
from psycopg import errors, sql

from commonplace.errors import NotABook, SchemaOutdated, SchemaTooNew, StoreUnwritable
from commonplace.store.migrations import Migration, shipped
from commonplace.store.rows import Row

ROLE = "commonplace_app"
SEARCH_PATH = "commonplace, public, extensions"  # pgvector is in one of the last two, depending on who runs the server
LEAST_SERVER = 160_000
LEAST_PGVECTOR = (0, 8)  # the first that goes on looking when a filter refuses what an index found
BOOK_LOCK = 0x436D706C  # "Cmpl": writers share this advisory lock, a migration or a reset has it alone

Connection = psycopg.Connection[Row]


def migrations() -> tuple[Migration, ...]:
    """Those that this version was shipped with, in their order."""
    return shipped("postgres")


def schema_of(connection: Connection) -> int:
    """The schema number of the database's book, 0 when it has none."""
    # Not to_regclass: it may still answer from what this session knew before it waited for another's migration.
    found = connection.execute(
        "SELECT 1 FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'commonplace' AND c.relname = 'book'"
    ).fetchone()
    if not found:
        return 0
    row = connection.execute("SELECT schema FROM commonplace.book").fetchone()
    return row[0] if row else 0


def check(schema: int, latest: int, place: str) -> None:
    """Refuse a newer book untouched, and an older one until a writer has brought it up."""
    if schema > latest:
        raise SchemaTooNew(
            f"{place} was written by a newer Commonplace (schema {schema}, this one knows {latest}): restart your tool "
            "if you have upgraded since it was started, else upgrade the package; the database was left as it is."
        )
    if schema < latest:
        raise SchemaOutdated(
            f"{place} has schema {schema} and this version needs {latest}: make a pg_dump of it, "
            "then run 'commonplace upgrade' as its owner."
        )


def check_role(connection: Connection, place: str) -> None:
    """Refuse to work as a role that row-level security does not bind."""
    row = connection.execute(
        "SELECT rolsuper OR rolbypassrls, pg_has_role(current_user, oid, 'SET') FROM pg_roles WHERE rolname = %s",
        (ROLE,),
    ).fetchone()
    if row is None or not row[1]:
        raise StoreUnwritable(
            f"The user of {place} may not act as {ROLE}: have an administrator run GRANT {ROLE} TO that user."
        )
    if row[0]:
        raise StoreUnwritable(
            f"The role {ROLE} on {place} sees every tenant: have an administrator run "
            f"ALTER ROLE {ROLE} NOSUPERUSER NOBYPASSRLS."
        )


def bring_up(connection: Connection, steps: tuple[Migration, ...], place: str) -> None:
    """Create or migrate, once: whoever comes second waits, then finds it done."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (BOOK_LOCK,))
        found = schema_of(connection)
        if found >= steps[-1].number:
            check(found, steps[-1].number, place)
            return
        _need_versions(connection, place)
        _need_role(connection, place)
        try:
            for step in steps:
                if step.number > found:
                    connection.execute(step.file.read_text(encoding="utf-8"))
                    connection.execute("UPDATE commonplace.book SET schema = %s", (step.number,))
        except errors.InsufficientPrivilege as error:
            raise StoreUnwritable(
                f"The user of {place} may not create or change the book: run 'commonplace upgrade' as the owner of "
                f"the database, then GRANT {ROLE} TO this user."
            ) from error
        except errors.DuplicateTable as error:
            raise NotABook(f"The schema 'commonplace' of {place} belongs to another program: use another.") from error


def _need_versions(connection: Connection, place: str) -> None:
    if connection.info.server_version < LEAST_SERVER:
        raise StoreUnwritable(f"{place} is an older PostgreSQL: {LEAST_SERVER // 10_000} or newer is needed.")
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (errors.InsufficientPrivilege, errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise StoreUnwritable(
            f"{place} lacks pgvector: install it on the server and have an administrator run "
            "CREATE EXTENSION vector in the database."
        ) from error
    enough = connection.execute(
        "SELECT string_to_array(extversion, '.')::int[] >= %s::int[] FROM pg_extension WHERE extname = 'vector'",
        (list(LEAST_PGVECTOR),),
    ).fetchone()
    if enough != (True,):
        raise StoreUnwritable(
            f"{place} has an older pgvector: have an administrator install "
            f"{'.'.join(map(str, LEAST_PGVECTOR))} or newer and run ALTER EXTENSION vector UPDATE."
        )


def _need_role(connection: Connection, place: str) -> None:
    """Make the role that units of work run as, unless another database of the server has it already."""
    try:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
            try:
                with connection.transaction():
                    connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(ROLE)))
            except (errors.DuplicateObject, errors.UniqueViolation):
                pass  # roles are the whole server's: somebody else has just made it
        member = connection.execute("SELECT pg_has_role(current_user, %s, 'SET')", (ROLE,)).fetchone()
        if not (member and member[0]):
            connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(ROLE)))
    except errors.InsufficientPrivilege as error:
        raise StoreUnwritable(
            f"The user of {place} may not create roles: have an administrator run "
            f"CREATE ROLE {ROLE} NOLOGIN and GRANT {ROLE} TO that user."
        ) from error
