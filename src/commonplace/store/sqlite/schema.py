"""The numbered migrations of the SQLite book, and how they are applied."""

from pathlib import Path
from typing import TYPE_CHECKING

import apsw

if TYPE_CHECKING:
    from commonplace.store.migrations import Migration

APPLICATION_ID = 0x436D706C  # "Cmpl": tells our files from other SQLite databases
LATEST = 9
"""The number of the last migration: whoever opens a book of this schema needs none of them."""

_FOLDER = Path(__file__).parent.parent / "schema" / "sqlite"
WORDS = _FOLDER / "002_words.sql"
ENTRY_WORDS = _FOLDER / "005_entry_words.sql"


def migrations() -> "tuple[Migration, ...]":
    """The migrations that came with this version, in order."""
    from commonplace.store.migrations import shipped  # for a new or an older book

    return shipped("sqlite")


def apply(connection: apsw.Connection, steps: "tuple[Migration, ...]", schema: int) -> None:
    """Run what is missing inside the caller's transaction."""
    for step in steps:
        if step.number > schema:
            for _ in connection.execute(step.file.read_text(encoding="utf-8")):
                pass
            connection.pragma("user_version", step.number)
    connection.pragma("application_id", APPLICATION_ID)
