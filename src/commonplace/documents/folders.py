"""Files that documents come from: which of a folder are looked at, and what identifies a file."""

import codecs
import os
import stat
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.errors import InvalidInput

FILE_SIZE_LIMIT = 16_000_000
FILE_COUNT_LIMIT = 20_000
READ_SIZE = 1 << 20
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})


class Unusable(Record):
    """Why a file is not read; `passing` if it may well be read the next time."""

    reason: str
    passing: bool = False


GONE = Unusable("there is no such file")


class Stamp(Record):
    """What identifies a file, without reading it."""

    size: int
    modified_ns: int


def files_in(folder: Path, patterns: Sequence[str] = ()) -> list[Path]:
    """Every file of a folder and of those in it, in the order of their paths. Hidden ones and links are left alone."""
    found = []
    for path in _walk(folder):
        if not patterns or _matches(path.relative_to(folder).as_posix(), patterns):
            found.append(path)
        if len(found) > FILE_COUNT_LIMIT:
            raise InvalidInput(f"{folder} has more than {FILE_COUNT_LIMIT:,} files: narrow it down with patterns.")
    return sorted(found)


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, followlinks=False):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED_FOLDERS]
        for name in names:
            if not name.startswith("."):
                yield Path(place, name)


def _matches(path: str, patterns: Sequence[str]) -> bool:
    """A pattern without a slash is about the name, one with a slash about the path within the folder."""
    name = path.rpartition("/")[2]
    return any(fnmatchcase(path if "/" in pattern else name, pattern) for pattern in patterns)


def stamp_of(path: Path) -> Stamp | Unusable:
    """The stamp of a regular file. A link is never followed: what it leads to may lie anywhere."""
    try:
        if path.parent.resolve() != path.parent:
            return GONE
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return GONE
    except (OSError, RuntimeError) as error:
        return Unusable(f"it cannot be looked at ({_said(error)})", passing=True)
    if stat.S_ISLNK(found.st_mode):
        return Unusable("it is a link: name the file itself")
    if not stat.S_ISREG(found.st_mode):
        return Unusable("it is not a file")
    if found.st_size > FILE_SIZE_LIMIT:
        return Unusable(f"it has {found.st_size:,} bytes and {FILE_SIZE_LIMIT:,} is the limit")
    return Stamp(found.st_size, found.st_mtime_ns)


def digest_of(path: Path) -> str | Unusable:
    """The digest of a text file's bytes; whatever is not UTF-8 or holds a NUL is not text."""
    digest, decoder = blake2b(digest_size=16), codecs.getincrementaldecoder("utf-8")()
    try:
        with path.open("rb") as source:
            while block := source.read(READ_SIZE):
                if b"\x00" in block:
                    return Unusable("it is binary")
                decoder.decode(block)
                digest.update(block)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return Unusable("it is not UTF-8 text")
    except FileNotFoundError:
        return GONE
    except OSError as error:
        return Unusable(f"it cannot be read ({_said(error)})", passing=True)
    return digest.hexdigest()


def _said(error: Exception) -> str:
    return (getattr(error, "strerror", None) or type(error).__name__).lower()
