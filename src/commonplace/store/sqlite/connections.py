"""Connections to one book: one writer and a pool of readers, shared by the threads of a process."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from commonplace.errors import BookClosed, LockTimeout
from commonplace.store.sqlite.opening import File, Opener, check_schema, wait_for_others

if TYPE_CHECKING:
    from commonplace.store.migrations import Migration

READER_LIMIT = 32


class Connections:
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
