"""Connections to the file of one book: how it is opened, and who has it open.

`Opener` opens it: without writing when only reading, and as its first writer when not. `SqliteConnections` hands out
one writer and a pool of readers, shared by the threads of a process.
"""

import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import apsw

from commonplace.errors import (
    BookClosed,
    BookMissing,
    LockTimeout,
    NotABook,
    SchemaOutdated,
    SchemaTooNew,
    StoreUnwritable,
)
from commonplace.store.sqlite.schema import APPLICATION_ID, LATEST, apply, migrations

if TYPE_CHECKING:
    from commonplace.store.migrations import Migration

READER_LIMIT = 32
CACHE_KIBIBYTES = 16_384
RETRY_SECONDS = 0.01
SHORTEST_WAIT_SECONDS = 0.0005
MEMORY_ONLY = 2  # temp_store: nothing of a memory goes into a temporary file

File = tuple[int, int]
Opened = TypeVar("Opened")


class SqliteConnections:
    """Hands out connections to a book. Thread-safe; forgets everything in a forked child."""

    def __init__(
        self,
        path: Path,
        busy_seconds: float,
        steps: "tuple[Migration, ...] | None" = None,
        synchronous: str = "FULL",
        create: bool = True,
    ) -> None:
        self.path = path
        self.opener = Opener(path, busy_seconds, steps, create)
        self._busy_seconds = busy_seconds
        self._synchronous = synchronous
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._readers: list[apsw.Connection] = []
        self._writer: apsw.Connection | None = None
        self._file: File | None = None
        self._inherited: list[apsw.Connection] = []
        self._closed = False

    @contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        """A snapshot of the book; of one that does not exist yet, an empty one."""
        self._come_in()
        with translated(str(self.path)):
            connection, file = self._take_reader()
            connection.execute("BEGIN")
            try:
                self._check_schema(connection)
                yield connection
            finally:
                connection.execute("ROLLBACK")
                self._give_reader(connection, file)

    @contextmanager
    def fresh_reader(self) -> Iterator[apsw.Connection]:
        """A reader that remembers nothing of the file from before, for examining it."""
        self._come_in()
        with translated(str(self.path)):
            connection = self.opener.for_reading()
            try:
                yield connection
            finally:
                connection.close()

    @contextmanager
    def writer(
        self, patience_seconds: float | None = None, synchronous: str | None = None
    ) -> Iterator[apsw.Connection]:
        """A write transaction: all or nothing, and on disk when the block has been left."""
        self._come_in()
        patience = self._busy_seconds if patience_seconds is None else patience_seconds
        if not self._writing.acquire(timeout=patience):
            raise LockTimeout(f"Another thread is writing to {self.path} and did not finish in time: try again.")
        try:
            with translated(str(self.path)):
                connection = self._ready_writer()
                wait_for_others(connection, patience)
                connection.pragma("synchronous", synchronous or self._synchronous)
                connection.execute("BEGIN IMMEDIATE")
                try:
                    self._check_schema(connection)
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._writing.release()

    @contextmanager
    def alone(self) -> Iterator[apsw.Connection]:
        """The writer outside a transaction, for checkpoints, back-ups and the like."""
        self._come_in()
        with self._writing, translated(str(self.path)):
            connection = self._ready_writer()
            wait_for_others(connection, self._busy_seconds)
            yield connection

    def schema(self) -> int:
        """The schema of the file, 0 when there is none."""
        self._come_in()
        with translated(str(self.path)):
            return self.opener.schema()

    def close(self) -> None:
        """For good: whoever has a connection gives it back, and nobody gets another."""
        self._follow_fork()
        self._closed = True
        self.let_go()

    def let_go(self) -> None:
        """Close what is open and nobody uses; whoever comes next opens the file anew."""
        with self._lock:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _check_schema(self, connection: apsw.Connection) -> None:
        """A newer version may have upgraded the book while we had it open."""
        check_schema(int(connection.pragma("user_version")), self.opener.latest, str(self.path))

    def _come_in(self) -> None:
        if self._closed:
            raise BookClosed
        self._follow_fork()

    def _follow_fork(self) -> None:
        """A child must neither use nor close its parent's connections: closing would drop the parent's locks."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        self._inherited += [*self._readers, *filter(None, [self._writer])]
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._readers, self._writer, self._file = [], None, None

    def _follow_file(self) -> File | None:
        """Somebody may have moved the book away: go on with what is at the path now, not with a ghost."""
        file = self.opener.look()
        if self._file is not None and file != self._file:
            with self._lock:
                stale, self._readers = [*self._readers, *filter(None, [self._writer])], []
                self._writer = None
            for connection in stale:
                connection.close()
        self._file = file
        return file

    def _take_reader(self) -> tuple[apsw.Connection, File | None]:
        file = self._follow_file()
        with self._lock:
            if self._readers:
                return self._readers.pop(), file
        return self.opener.for_reading(), file

    def _give_reader(self, connection: apsw.Connection, file: File | None) -> None:
        with self._lock:
            # A book in memory is empty, and one from a read-only place does not see what its owner writes.
            lasting = connection.filename and not connection.open_flags & apsw.SQLITE_OPEN_READONLY
            wanted = not self._closed and len(self._readers) < READER_LIMIT and file == self._file
            if lasting and wanted:
                self._readers.append(connection)
                return
        connection.close()

    def _ready_writer(self) -> apsw.Connection:
        self._follow_file()
        if self._writer is None:
            self._writer = self.opener.for_writing()
            self._follow_file()
        return self._writer


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn what SQLite says into a sentence about the book at `place`."""
    try:
        yield
    except (apsw.Error, UnicodeDecodeError) as error:
        from commonplace.store.sqlite.errors import translation  # when there is something to translate

        raise translation(error, place) from error


# -- opening ----------------------------------------------------------------------------------


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
        """A writable connection to a book of the present schema, which is created or upgraded if need be."""
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
            f"{place} was written by a newer Commonplace (schema {schema}, this one knows {latest}): restart your tool "
            "if you have upgraded since it was started, else upgrade the package; the file was left as it is."
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
