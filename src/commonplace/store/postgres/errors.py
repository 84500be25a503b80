"""Where PostgreSQL's errors become ours, once."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout

from commonplace.errors import (
    BookDamaged,
    IndexCorrupted,
    LockTimeout,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StoreUnwritable,
)

_BUSY = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure)
_FULL = (errors.DiskFull, errors.OutOfMemory, errors.ProgramLimitExceeded)
_REFUSED = (
    errors.InvalidPassword,
    errors.InvalidAuthorizationSpecification,
    errors.InvalidCatalogName,
    errors.InsufficientPrivilege,
    errors.ReadOnlySqlTransaction,
)
_REFUSED_AT_THE_DOOR = ("authentication failed", "does not exist", "no pg_hba.conf entry", "no password supplied")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what PostgreSQL says into a sentence about the book at `place`."""
    try:
        yield
    except psycopg.Error as error:
        raise translate(error, place) from error


def translate(error: psycopg.Error, place: str) -> StoreError:
    """The one of our errors that says what to do about theirs. It is returned, not raised."""
    said = " ".join(str(error).split())
    match error:
        case _ if isinstance(error, _BUSY):
            return LockTimeout(f"Another transaction is writing to {place} and did not finish in time: try again.")
        case errors.QueryCanceled():
            return StoreUnavailable(f"{place} took too long to answer: try again.")
        case _ if isinstance(error, _FULL):
            return StoreFull(f"There is no space left for {place} ({said}): free some and try again.")
        case _ if isinstance(error, _REFUSED):
            return _refused(place, said)
        case errors.IndexCorrupted():
            return IndexCorrupted(f"An index of {place} is damaged: run 'commonplace doctor --repair'.")
        case errors.DataCorrupted():
            return BookDamaged(f"{place} is damaged: restore a back-up of the database.")
        case PoolTimeout():
            return StoreUnavailable(f"{place} cannot be reached, or all its connections are in use: try again later.")
        case psycopg.OperationalError() if error.sqlstate is None and any(w in said for w in _REFUSED_AT_THE_DOOR):
            return _refused(place, said)  # before there is a connection, psycopg has the words but no code
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return StoreUnavailable(f"{place} cannot be reached or went away ({said}): try again later.")
        case _:
            return StoreError(f"PostgreSQL failed on {place}: {said}.")


def _refused(place: str, said: str) -> StoreUnwritable:
    return StoreUnwritable(f"{place} cannot be opened or written ({said}): check the address and its user's rights.")
