"""Where SQLite's errors become ours, once."""

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from commonplace.errors import (
    BookDamaged,
    IndexCorrupted,
    LockTimeout,
    NotABook,
    StoreError,
    StoreFull,
    StoreUnwritable,
)


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what SQLite says into a sentence about the book at `place`."""
    try:
        yield
    except apsw.Error as error:
        raise _translate(error, place) from error
    except UnicodeDecodeError as error:  # APSW found text that is none
        raise _damaged(place) from error


def _translate(error: apsw.Error, place: str) -> StoreError:
    match error:
        case apsw.BusyError() | apsw.LockedError():
            return LockTimeout(f"Another process is writing to {place} and did not finish in time: try again.")
        case apsw.FullError():
            return StoreFull(f"There is no space left for {place}: free some and try again.")
        case apsw.NotADBError():
            return NotABook(f"{place} is not a Commonplace book: name another file with --store.")
        case apsw.CorruptError() if getattr(error, "extendedresult", 0) == apsw.SQLITE_CORRUPT_VTAB:
            return IndexCorrupted(f"The word index of {place} is damaged: run 'commonplace doctor --repair'.")
        case apsw.SQLError() if "fts5" in str(error) or "no such table: words" in str(error):
            return IndexCorrupted(f"The word index of {place} is damaged: run 'commonplace doctor --repair'.")
        case apsw.CorruptError():
            return _damaged(place)
        case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.CantOpenError() | apsw.AuthError():
            return StoreUnwritable(f"{place} cannot be opened or written: check the path and its permissions.")
        case apsw.IOError():
            return StoreError(f"The disk under {place} reported an error ({error}): check it and try again.")
        case _:
            return StoreError(f"SQLite could not do it on {place}: {error}.")


def _damaged(place: str) -> BookDamaged:
    return BookDamaged(f"{place} is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'.")
