"""The numbered migrations of the SQLite book, and how they are applied."""

from pathlib import Path

import apsw

from commonplace.errors import NotABook, SchemaOutdated, SchemaTooNew
from commonplace.store.migrations import Migration, shipped

APPLICATION_ID = 0x436D706C  # "Cmpl": tells our files from other SQLite databases
_FOLDER = Path(__file__).parent.parent / "schema" / "sqlite"
WORDS = _FOLDER / "002_words.sql"
ENTRY_WORDS = _FOLDER / "005_entry_words.sql"


def migrations() -> tuple[Migration, ...]:
    """Those that this version was shipped with, in their order."""
    return shipped("sqlite")


def schema_of(connection: apsw.Connection, place: str) -> int:
    """The schema number of an open file; 0 for an empty one. Refuses other people's databases."""
    # One statement, so that all three come from one moment.
    row = connection.execute(
        "SELECT (SELECT user_version FROM pragma_user_version), (SELECT application_id FROM pragma_application_id), "
        "(SELECT count(*) FROM sqlite_master)"
    ).fetchone()
    version, application, tables = row or (0, 0, 0)
    if application == APPLICATION_ID:
        return int(version)
    if version == 0 and tables == 0:
        return 0
    raise NotABook(f"{place} is a database of another program: name another file with --store.")


def check(schema: int, latest: int, place: str) -> None:
    """Refuse a newer book untouched, and an older one until a writer has brought it up."""
    if schema > latest:
        raise SchemaTooNew(
            f"{place} was written by a newer Commonplace (schema {schema}, this one knows {latest}): "
            "upgrade the package; the file was left as it is."
        )
    if schema < latest:
        raise SchemaOutdated(
            f"{place} has schema {schema} and this version needs {latest}: run 'commonplace upgrade', "
            "which copies the file first."
        )


def apply(connection: apsw.Connection, steps: tuple[Migration, ...], schema: int) -> None:
    """Run what is missing inside the caller's transaction."""
    for step in steps:
        if step.number > schema:
            for _ in connection.execute(step.file.read_text(encoding="utf-8")):
                pass
            connection.pragma("user_version", step.number)
    connection.pragma("application_id", APPLICATION_ID)
