"""Opening the file of a book: without writing when only reading, and as its first writer when not."""

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from commonplace.errors import BookMissing, NotABook, SchemaOutdated, SchemaTooNew, StoreUnwritable
from commonplace.store.sqlite.schema import APPLICATION_ID, LATEST, apply, migrations

if TYPE_CHECKING:
    from commonplace.store.migrations import Migration

CACHE_KIBIBYTES = 16_384
RETRY_SECONDS = 0.01
SHORTEST_WAIT_SECONDS = 0.0005
MEMORY_ONLY = 2  # temp_store: nothing of a memory goes into a temporary file

File = tuple[int, int]
Opened = TypeVar("Opened")


class Opener:
    """Knows one path and how to open it. Keeps nothing open itself."""

    def __init__(
        self, path: Path, busy_seconds: float, steps: "tuple[Migration, ...] | None" = None, create: bool = True
    ) -> None:
        """Without `create`, a file that is not there is neither made nor taken for an empty book.

        `steps` are the migrations to use instead of those that came with this version.
        """
        self.path = path
        self._steps = steps
        self._create = create
        self._busy_seconds = busy_seconds

    @property
    def steps(self) -> "tuple[Migration, ...]":
        """The migrations to apply, in their order."""
        return self._steps or migrations()

    @property
    def latest(self) -> int:
        """The schema that this version writes."""
        return self._steps[-1].number if self._steps else LATEST

    @property
    def log(self) -> Path:
        """The write-ahead log beside the file; it need not exist."""
        return self.path.with_name(self.path.name + "-wal")

    def look(self) -> File | None:
        """Which file is at the path now, or None when there is none."""
        try:
            status = os.stat(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable(error) from error
        if stat.S_ISDIR(status.st_mode):
            raise NotABook(f"{self.path} is a folder: name a file with --store.")
        return status.st_dev, status.st_ino

    def schema(self) -> int:
        """The schema of the file, 0 when there is none yet."""
        if self._is_missing():
            return 0
        connection = self._patiently(self._open_reading)
        try:
            return schema_of(connection, str(self.path))
        finally:
            connection.close()

    def _is_missing(self) -> bool:
        """Whether the book has yet to be made."""
        missing = self.look() is None
        if missing and not self._create:
            raise BookMissing(str(self.path))
        return missing

    def for_reading(self) -> apsw.Connection:
        """A connection that cannot write; to a book that is not there yet, an empty one in memory."""
        if self._is_missing():
            return self._empty_book()
        connection = self._patiently(self._open_reading)
        try:
            found = schema_of(connection, str(self.path))
            if found == 0:  # a first writer has only just made the file
                connection.close()
                return self._empty_book()
            check_schema(found, self.latest, str(self.path))
            connection.pragma("query_only", True)
            _set_up(connection)
            return connection
        except BaseException:
            connection.close()
            raise

    def for_writing(self) -> apsw.Connection:
        """A connection that can, to a book of the present schema: created or brought up if need be."""
        self._create_file()
        return self._patiently(self._open_writing)

    def copy(self, connection: apsw.Connection, target: Path) -> None:
        """A compact copy through SQLite itself, readable by the owner only."""
        try:
            create_private(target)
        except OSError as error:
            raise StoreUnwritable(f"{target} cannot be written ({error.strerror}): choose another place.") from error
        connection.execute("VACUUM INTO ?", (str(target),))

    def _patiently(self, attempt: Callable[[], Opened]) -> Opened:
        """SQLite does not always wait by itself while another process sets up the same file."""
        deadline = time.monotonic() + self._busy_seconds
        while True:
            try:
                return attempt()
            except apsw.BusyError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)

    def _empty_book(self) -> apsw.Connection:
        connection = apsw.Connection(":memory:")
        apply(connection, self.steps, 0)
        return connection

    def _open_reading(self) -> apsw.Connection:
        """Open without creating; from a read-only place only if no writer's log has to be read."""
        try:
            pending = self.log.exists() and self.log.stat().st_size > 0
            writable = os.access(self.path.parent, os.W_OK) and os.access(self.path, os.W_OK)
            if not os.access(self.path, os.R_OK):
                raise PermissionError(13, "Permission denied")
        except OSError as error:
            raise self._unusable(error) from error
        if not writable and not pending:
            where = self.path.resolve().as_uri() + "?immutable=1"
            return apsw.Connection(where, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            wait_for_others(connection, self._busy_seconds)
            if pending:  # somebody else's log: closing a reader must not work it into the file
                connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            connection.execute("SELECT count(*) FROM sqlite_master").get  # noqa: B018
            return connection
        except BaseException:
            connection.close()
            raise

    def _open_writing(self) -> apsw.Connection:
        pending = self.log.exists() and self.log.stat().st_size > 0
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            wait_for_others(connection, self._busy_seconds)
            found = schema_of(connection, str(self.path))
            if found > self.latest:
                if pending:  # left as it is means with its log
                    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                check_schema(found, self.latest, str(self.path))
            connection.pragma("secure_delete", True)
            _set_up(connection)
            if found < self.latest:
                self._bring_up(connection)
            return connection
        except BaseException:
            connection.close()
            raise

    def _create_file(self) -> None:
        """Make the file (and its folder) for the owner only, before SQLite ever sees it."""
        if self.path.is_symlink():
            raise StoreUnwritable(
                f"{self.path} is a link, and links are not followed when writing: name the file itself with --store."
            )
        if not self._is_missing():
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            create_private(self.path)
        except FileExistsError:
            return  # another process was faster
        except OSError as error:
            raise self._unusable(error) from error

    def _bring_up(self, connection: apsw.Connection) -> None:
        """Create or migrate, once: under an exclusive transaction, after copying an older book."""
        connection.pragma("journal_mode", "wal")
        before = schema_of(connection, str(self.path))
        if 0 < before < self.latest:
            self._copy_before_upgrade(connection, before)
        connection.execute("BEGIN EXCLUSIVE")
        try:
            found = schema_of(connection, str(self.path))  # another process may have been faster
            if found < self.latest:
                apply(connection, self.steps, found)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _copy_before_upgrade(self, connection: apsw.Connection, schema_number: int) -> None:
        target = self.path.with_name(f"{self.path.name}.schema-{schema_number}.backup")
        for left in target.parent.glob(f"{target.name}.*.partial"):
            if not _alive(left.name.split(".")[-2]):  # a killed upgrade left it lying about
                left.unlink(missing_ok=True)
        if target.exists():
            return
        partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
        partial.unlink(missing_ok=True)
        self.copy(connection, partial)
        os.replace(partial, target)

    def _unusable(self, error: OSError) -> StoreUnwritable:
        return StoreUnwritable(f"{self.path} cannot be used ({error.strerror}): choose another place with --store.")


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


def check_schema(schema: int, latest: int, place: str) -> None:
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


def wait_for_others(connection: apsw.Connection, patience_seconds: float) -> None:
    """Wait for another writer in short, uneven steps.

    SQLite's own waiting grows to a tenth of a second, and whoever waits that long is passed over
    again and again by those who do not.
    """
    deadline = 0.0

    def wait(attempts: int) -> bool:
        nonlocal deadline
        now = time.monotonic()
        if attempts == 0:
            deadline = now + patience_seconds
        if now >= deadline:
            return False
        time.sleep(SHORTEST_WAIT_SECONDS * (1 + now * 1_000_000 % 4))
        return True

    connection.set_busy_handler(wait)


def _set_up(connection: apsw.Connection) -> None:
    connection.pragma("temp_store", MEMORY_ONLY)
    connection.pragma("cache_size", -CACHE_KIBIBYTES)


def _alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError):
        return False
    except OSError:
        return True
    return True


def create_private(path: Path) -> None:
    """An empty file that only its owner can read; FileExistsError when there is one already."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
