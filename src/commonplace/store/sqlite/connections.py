"""Connections to one book: a writer, a pool of readers, and the first writer's work of setting up."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from commonplace.errors import BookDamaged, LockTimeout, NotABook, StoreUnwritable
from commonplace.store.sqlite import schema
from commonplace.store.sqlite.border import translated

READER_LIMIT = 32
CACHE_KIBIBYTES = 16_384


class Connections:
    """Hands out connections to a book. Thread-safe; forgets everything in a forked child."""

    def __init__(
        self,
        path: Path,
        busy_seconds: float,
        steps: tuple[schema.Migration, ...],
        synchronous: str = "FULL",
    ) -> None:
        self.path = path
        self.steps = steps
        self._busy_seconds = busy_seconds
        self._synchronous = synchronous
        self._process = 0
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._readers: list[apsw.Connection] = []
        self._writer: apsw.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._inherited: list[apsw.Connection] = []
        self._follow_fork()

    @property
    def latest(self) -> int:
        return self.steps[-1].number

    @contextmanager
    def reader(self) -> Iterator[apsw.Connection]:
        """A snapshot of the book; of one that does not exist yet, an empty one."""
        self._follow_fork()
        with translated(str(self.path)):
            connection = self._take_reader()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")
                self._give_reader(connection)

    @contextmanager
    def fresh_reader(self) -> Iterator[apsw.Connection]:
        """A reader that remembers nothing of the file from before, for examining it."""
        with translated(str(self.path)):
            connection = self._open_checked()
            try:
                yield connection
            finally:
                connection.close()

    @contextmanager
    def writer(
        self, patience_seconds: float | None = None, synchronous: str | None = None
    ) -> Iterator[apsw.Connection]:
        """A write transaction: all or nothing, and on disk when the block has been left."""
        self._follow_fork()
        patience = self._busy_seconds if patience_seconds is None else patience_seconds
        if not self._writing.acquire(timeout=patience):
            raise LockTimeout(f"Another thread is writing to {self.path} and did not finish in time: try again.")
        try:
            with translated(str(self.path)):
                connection = self._ready_writer()
                connection.set_busy_timeout(int(patience * 1000))
                connection.pragma("synchronous", synchronous or self._synchronous)
                connection.execute("BEGIN IMMEDIATE")
                try:
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
        self._follow_fork()
        with self._writing, translated(str(self.path)):
            connection = self._ready_writer()
            connection.set_busy_timeout(int(self._busy_seconds * 1000))
            yield connection

    def schema(self) -> int:
        """The schema of the file, 0 when there is none."""
        if not self.path.exists():
            return 0
        with translated(str(self.path)):
            connection = self._open_reading()
            try:
                return schema.schema_of(connection, str(self.path))
            finally:
                connection.close()

    def copy_to(self, connection: apsw.Connection, target: Path) -> None:
        """A compact copy through SQLite itself, readable by the owner only."""
        create_private(target)
        connection.execute("VACUUM INTO ?", (str(target),))

    def close(self) -> None:
        with self._lock:
            readers, self._readers = self._readers, []
        for reader in readers:
            reader.close()
        with self._writing:
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    # -- opening -----------------------------------------------------------------------------

    def _follow_fork(self) -> None:
        """A child must neither use nor close its parent's connections: closing would drop the parent's locks."""
        if self._process == os.getpid():
            return
        self._process = os.getpid()
        self._inherited += [*self._readers, *filter(None, [self._writer])]
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._readers, self._writer, self._file = [], None, None

    def _follow_file(self) -> None:
        """Somebody may have moved the book away: go on with what is at the path now, not with a ghost."""
        try:
            status = os.stat(self.path)
            file = (status.st_dev, status.st_ino)
        except OSError:
            file = None
        if self._file is not None and file != self._file:
            with self._lock:
                stale, self._readers = [*self._readers, *filter(None, [self._writer])], []
                self._writer = None
            for connection in stale:
                connection.close()
        self._file = file

    def _take_reader(self) -> apsw.Connection:
        self._follow_file()
        with self._lock:
            if self._readers:
                return self._readers.pop()
        return self._open_checked()

    def _open_checked(self) -> apsw.Connection:
        if not self.path.exists():
            return self._empty_book()
        connection = self._open_reading()
        found = schema.schema_of(connection, str(self.path))
        if found == 0:  # a first writer has only just made the file
            connection.close()
            return self._empty_book()
        schema.check(found, self.latest, str(self.path))
        connection.pragma("query_only", True)
        connection.pragma("temp_store", 2)
        connection.pragma("cache_size", -CACHE_KIBIBYTES)
        return connection

    def _give_reader(self, connection: apsw.Connection) -> None:
        with self._lock:
            if len(self._readers) < READER_LIMIT and connection.filename:
                self._readers.append(connection)
                return
        connection.close()

    def _empty_book(self) -> apsw.Connection:
        connection = apsw.Connection(":memory:")
        schema.apply(connection, self.steps, 0)
        return connection

    def _open_reading(self) -> apsw.Connection:
        """Open without creating; from a read-only place only if no writer's log has to be read."""
        try:
            connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
            connection.set_busy_timeout(int(self._busy_seconds * 1000))
            connection.execute("SELECT count(*) FROM sqlite_master").get  # noqa: B018
            return connection
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            log = self.path.with_name(self.path.name + "-wal")
            if os.access(self.path.parent, os.W_OK) or (log.exists() and log.stat().st_size > 0):
                raise
            where = self.path.resolve().as_uri() + "?immutable=1"
            return apsw.Connection(where, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)

    def _ready_writer(self) -> apsw.Connection:
        self._follow_file()
        if self._writer is None:
            self._writer = self._open_writing()
            self._follow_file()
        return self._writer

    def _open_writing(self) -> apsw.Connection:
        self._create_file()
        connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            connection.set_busy_timeout(int(self._busy_seconds * 1000))
            found = schema.schema_of(connection, str(self.path))
            if found > self.latest:
                schema.check(found, self.latest, str(self.path))
            connection.pragma("secure_delete", True)
            connection.pragma("temp_store", 2)
            connection.pragma("cache_size", -CACHE_KIBIBYTES)
            if found < self.latest:
                self._bring_up(connection)
            return connection
        except BaseException:
            connection.close()
            raise

    def _create_file(self) -> None:
        """Make the file (and its folder) for the owner only, before SQLite ever sees it."""
        try:
            if self.path.exists():
                if self.path.is_dir():
                    raise NotABook(f"{self.path} is a folder: name a file with --store.")
                return
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            create_private(self.path)
        except FileExistsError:
            return  # another process was faster
        except OSError as error:
            raise StoreUnwritable(
                f"{self.path} cannot be created ({error.strerror}): choose another place with --store."
            ) from error

    def _bring_up(self, connection: apsw.Connection) -> None:
        """Create or migrate, once: under an exclusive transaction, after copying an older book."""
        connection.pragma("journal_mode", "wal")
        before = schema.schema_of(connection, str(self.path))
        if 0 < before < self.latest:
            self._copy_before_upgrade(connection, before)
        connection.execute("BEGIN EXCLUSIVE")
        try:
            found = schema.schema_of(connection, str(self.path))  # another process may have been faster
            if found < self.latest:
                schema.apply(connection, self.steps, found)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _copy_before_upgrade(self, connection: apsw.Connection, schema_number: int) -> None:
        target = self.path.with_name(f"{self.path.name}.schema-{schema_number}.backup")
        if target.exists():
            return
        partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
        partial.unlink(missing_ok=True)
        self.copy_to(connection, partial)
        os.replace(partial, target)


def create_private(path: Path) -> None:
    """An empty file that only its owner can read; FileExistsError when there is one already."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def integrity(connection: apsw.Connection, place: str) -> None:
    """Raise BookDamaged unless SQLite finds every page in order."""
    with translated(place):
        verdict = connection.execute("PRAGMA integrity_check(1)").get
    if verdict != "ok":
        raise BookDamaged(f"{place} is damaged ({verdict}): choose another back-up.")
