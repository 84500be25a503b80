"""Where SQLite's errors become ours, once."""

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


def translation(error: apsw.Error | UnicodeDecodeError, place: str) -> StoreError:
    """What SQLite says as a sentence about the book at `place`."""
    match error:
        case UnicodeDecodeError():  # APSW found text that is none
            return _damaged(place)
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
            return StoreError(f"SQLite failed on {place}: {error}.")


def _damaged(place: str) -> BookDamaged:
    return BookDamaged(f"{place} is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'.")
