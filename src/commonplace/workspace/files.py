"""Files among strangers' files: read within bounds and without waiting, written without ever following a link."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from commonplace.errors import InvalidInput, StoreUnwritable

PRIVATE = 0o600
SECRET_BYTES = 4_096
SHARED = 0o666  # what the user's umask leaves of it

# Where a system lacks one of these, it has no such links or pipes in its folders either.
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)
_AS_IT_IS = getattr(os, "O_BINARY", 0)


def abbreviated(place: str) -> str:
    """A path with the home folder as `~`, which says no more of a person than need be."""
    path = Path(place)
    return f"~/{path.relative_to(Path.home()).as_posix()}" if path.is_relative_to(Path.home()) else place


# -- reading ----------------------------------------------------------------------------------


def is_own(status: os.stat_result) -> bool:
    """Whether a file is the user's own; where files have no owner, every one is."""
    return os.name != "posix" or status.st_uid == os.geteuid()


def own_folder(path: Path) -> bool:
    """Whether there is a folder of the user's own, and not a link to one."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and is_own(status)


def own_file(path: Path) -> bool:
    """Whether there is a regular file of the user's own, and not a link to one."""
    try:
        status = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and is_own(status)


def read_regular(path: Path, limit: int, own: bool = False) -> bytes:
    """The whole of a regular file with at most `limit` bytes; with `own`, only one that is the user's.

    Raises an OSError that says why not: for a link, a pipe, a device, another's file, too large a file.
    """
    _check_regular(path, path.lstat(), limit, own)
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK | _NO_WAITING | _AS_IT_IS)
    with open(descriptor, "rb") as source:
        _check_regular(path, os.fstat(descriptor), limit, own)  # what was opened may be another file by now
        return source.read(limit)


def is_open_to_others(path: Path) -> bool:
    """Whether anybody but its owner may read or write a file."""
    return os.name == "posix" and path.exists() and bool(path.stat().st_mode & 0o077)


def read_secret(path: Path, setting: str) -> str:
    """The first line of a file that the user named for a secret: the user's own or root's, and nobody else's to read.

    A link to it is followed, since the user chose it; a pipe or a device is not waited for.
    """
    try:
        status = path.stat()
        if os.name == "posix" and status.st_uid not in (os.geteuid(), 0):
            raise OSError(errno.EPERM, "it belongs to somebody else")
        if is_own(status) and is_open_to_others(path):
            raise OSError(errno.EPERM, "others can read it, run chmod 600 on it")
        content = read_regular(path.resolve(), SECRET_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InvalidInput(f"{path} cannot be used as {setting}: {reason}.", setting) from None
    return content.partition("\n")[0].rstrip("\r")


def _check_regular(path: Path, status: os.stat_result, limit: int, own: bool) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "it is a link", str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if own and not is_own(status):
        raise OSError(errno.EPERM, "it belongs to somebody else", str(path))
    if status.st_size > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit:,} bytes", str(path))


# -- writing ----------------------------------------------------------------------------------


def refuse_links(path: Path, *folders: Path) -> None:
    """Raise if `path` is a link, or leads through one below any of `folders`."""
    whole = Path.cwd() / path
    roots = {folder.resolve() for folder in folders}
    inside = False
    for place in (*reversed(whole.parents), whole):
        if (inside or place == whole) and place.is_symlink():
            raise StoreUnwritable(f"{place} is a link, and links are not followed when writing: name another place.")
        inside = inside or place.resolve() in roots


@contextmanager
def new_file(path: Path, replace: bool, mode: int = PRIVATE) -> Iterator[TextIO]:
    """A file that appears whole or not at all, in the place of another only with `replace`, never of a link."""
    refuse_links(path)
    if path.exists() and not replace:
        raise StoreUnwritable(f"{path} exists already: name another file or add --force.")
    partial = path.with_name(f"{path.name}.{os.urandom(6).hex()}.partial")  # a name nobody can have taken beforehand
    descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _NO_LINK | _AS_IT_IS, mode)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as target:
            yield target
            target.flush()
            os.fsync(descriptor)
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def append_lines(path: Path, lines: list[str]) -> None:
    """Add lines to the end of a regular file, which is made if it is not there."""
    refuse_links(path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK | _NO_WAITING | _AS_IT_IS
    with open(os.open(path, flags, SHARED), "wb") as target:
        if not stat.S_ISREG(os.fstat(target.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        target.write("".join(f"{line}\n" for line in lines).encode())
