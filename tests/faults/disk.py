"""Disks that fail on purpose, put under SQLite as its default file system for as long as a block lasts.

`FailingDisk` fails at a chosen operation. `RecordingDisk` writes down what was written and what
was synced, so that `PowerCuts` can rebuild what a disk may hold after the power has gone: all
that was synced, and of the rest any part, torn at the blocks a drive writes at once.
"""

import gc
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import apsw

BLOCK_BYTES = 512
_REAL = "unix"

_ERRORS: dict[str, tuple[type[apsw.Error], int]] = {
    "xRead": (apsw.IOError, apsw.SQLITE_IOERR_READ),
    "xWrite": (apsw.IOError, apsw.SQLITE_IOERR_WRITE),
    "xSync": (apsw.IOError, apsw.SQLITE_IOERR_FSYNC),
    "xTruncate": (apsw.IOError, apsw.SQLITE_IOERR_TRUNCATE),
    "xFileSize": (apsw.IOError, apsw.SQLITE_IOERR_FSTAT),
    "xLock": (apsw.IOError, apsw.SQLITE_IOERR_LOCK),
    "xDelete": (apsw.IOError, apsw.SQLITE_IOERR_DELETE),
    "xAccess": (apsw.IOError, apsw.SQLITE_IOERR_ACCESS),
    "xOpen": (apsw.CantOpenError, apsw.SQLITE_CANTOPEN),
}

Before = Callable[[str, str, int, bytes], None]
"""Called before each operation with its name, the file's name, and what is written where."""


class _File(apsw.VFSFile):
    def __init__(self, name: str | apsw.URIFilename | None, flags: list[int], before: Before) -> None:
        plain = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._name = Path(plain).name
        self._before = before
        super().__init__(_REAL, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._before("xRead", self._name, offset, b"")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._before("xWrite", self._name, offset, data)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._before("xSync", self._name, flags, b"")
        super().xSync(flags)

    def xTruncate(self, size: int) -> None:
        self._before("xTruncate", self._name, size, b"")
        super().xTruncate(size)

    def xFileSize(self) -> int:
        self._before("xFileSize", self._name, 0, b"")
        return super().xFileSize()

    def xLock(self, level: int) -> None:
        self._before("xLock", self._name, level, b"")
        super().xLock(level)


class _Disk(apsw.VFS):
    def __init__(self, before: Before) -> None:
        self._before = before
        super().__init__("on-purpose", _REAL, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        plain = name.filename() if isinstance(name, apsw.URIFilename) else name or ""
        self._before("xOpen", Path(plain).name, 0, b"")
        return _File(name, flags, self._before)

    def xDelete(self, name: str, sync: bool) -> None:
        self._before("xDelete", Path(name).name, int(sync), b"")
        super().xDelete(name, sync)

    def xAccess(self, name: str, flags: int) -> bool:
        self._before("xAccess", Path(name).name, flags, b"")
        return super().xAccess(name, flags)


@contextmanager
def _installed(before: Before) -> Iterator[None]:
    # What a failing disk says while a forgotten connection is collected reaches nobody, as with a real one.
    reporter, sys.unraisablehook = sys.unraisablehook, lambda _: None
    disk = _Disk(before)
    try:
        yield
    finally:
        gc.collect()
        apsw.set_default_vfs(_REAL)
        disk.unregister()
        sys.unraisablehook = reporter


@dataclass
class FailingDisk:
    """Fails at operation number `at`, counted from 0: once, or from then on for good.

    With `full`, only what takes space fails, as on a disk without any left; `only` names the
    operations that may fail otherwise, and `file` the end of the name of the file they fail on.
    """

    at: int | None = None
    lasting: bool = False
    full: bool = False
    only: tuple[str, ...] = tuple(_ERRORS)
    file: str = ""
    seen: list[str] = field(default_factory=list)
    failed: int = 0
    healthy: bool = False

    @contextmanager
    def installed(self) -> Iterator["FailingDisk"]:
        with _installed(self._before):
            yield self
            self.healthy = True

    def _before(self, operation: str, name: str, _place: int, _data: bytes) -> None:
        if operation not in (("xWrite",) if self.full else self.only) or not name.endswith(self.file):
            return
        place = len(self.seen)
        self.seen.append(f"{operation} {name}")
        if self.healthy or self.at is None or place < self.at or (place > self.at and not self.lasting):
            return
        self.failed += 1
        if self.full:
            raise apsw.FullError("no space left, on purpose")
        kind, code = _ERRORS[operation]
        error = kind(f"{operation} failed, on purpose")
        error.extendedresult = code
        error.result = code & 0xFF
        raise error


@dataclass
class RecordingDisk:
    """Everything that was done to the files, in order, with the caller's own marks in between."""

    operations: list[tuple[str, str, int, bytes]] = field(default_factory=list)

    @contextmanager
    def installed(self) -> Iterator["RecordingDisk"]:
        with _installed(self._before):
            yield self

    def _before(self, operation: str, name: str, place: int, data: bytes) -> None:
        if operation in ("xWrite", "xSync", "xTruncate", "xDelete"):
            self.operations.append((operation, name, place, bytes(data)))

    @property
    def now(self) -> int:
        """A moment between two operations, to cut the power at or to remember what was promised by then."""
        return len(self.operations)


class PowerCuts:
    """The files a power cut may leave behind, for moments in rising order."""

    def __init__(self, recording: RecordingDisk, chance: random.Random) -> None:
        self._operations = recording.operations
        self._chance = chance
        self._place = 0
        self._synced: dict[str, bytearray | None] = {}
        self._pending: dict[str, list[tuple[str, int, bytes]]] = {}

    def after(self, moment: int) -> dict[str, bytes]:
        """What the disk holds when the power goes after that many operations."""
        for operation, name, place, data in self._operations[self._place : moment]:
            self._pending.setdefault(name, []).append((operation, place, data))
            if operation == "xSync":
                if self._synced.get(name) is None:
                    self._sync_folder()
                self._synced[name] = self._applied(name, keep_all=True)
                self._pending[name] = []
            elif operation == "xDelete" and place:
                self._sync_folder()
        self._place = max(self._place, moment)
        survived = {name: self._applied(name, keep_all=False) for name in {*self._synced, *self._pending}}
        return {name: bytes(content) for name, content in survived.items() if content is not None}

    def _sync_folder(self) -> None:
        """SQLite syncs the folder with the first sync of a new log or journal: what was deleted stays so."""
        for name, waiting in self._pending.items():
            deleted = [place for place, (operation, _, _) in enumerate(waiting) if operation == "xDelete"]
            if deleted:
                self._synced[name] = None
                self._pending[name] = waiting[deleted[-1] + 1 :]

    def _applied(self, name: str, keep_all: bool) -> bytearray | None:
        synced = self._synced.get(name)
        content = bytearray() if synced is None else bytearray(synced)
        there = synced is not None
        for operation, place, data in self._pending.get(name, []):
            if not keep_all and self._chance.random() < 0.5:
                continue
            if operation == "xDelete":
                content, there = bytearray(), False
            elif operation == "xTruncate":
                del content[place:]
            elif operation == "xWrite":
                there = True
                self._write(content, place, data, keep_all)
            else:
                there = True
        return content if there else None

    def _write(self, content: bytearray, place: int, data: bytes, keep_all: bool) -> None:
        if len(content) < place + len(data):
            content.extend(bytes(place + len(data) - len(content)))
        torn = not keep_all and self._chance.random() < 0.5
        for start in range(0, len(data), BLOCK_BYTES):
            if torn and self._chance.random() < 0.5:
                continue
            block = data[start : start + BLOCK_BYTES]
            content[place + start : place + start + len(block)] = block
