"""What git tracks, read from the index of the repository above a folder. Git itself is never started.

Git obeys the configuration of the repository it is run in, which may name a command; a file that is only read
obeys nobody. The format is git's own (gitformat-index): a header, entries sorted by name, extensions, a hash.
"""

from collections.abc import Iterator
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.workspace.files import read_regular

INDEX_BYTES = 64_000_000
POINTER_BYTES = 4_096
NAME_BYTES = 4_096
HASH_BYTES = (20, 32)  # SHA-1, and SHA-256 where a repository was made with it

_HEADER_BYTES = 12
_TIMES_AND_MODES_BYTES = 40
_FLAGS_BYTES = 2
_EXTENDED = 0x4000
_NAME_ENDS = b"\0"
_POINTER = b"gitdir:"
_NETWORK = ("//", "\\\\")


class NoRepository(Record):
    """There is no repository above."""


class Tracked(Record):
    """The files git tracks in a folder and below, named from there."""

    files: tuple[str, ...]


class Unavailable(Record):
    """There is a repository, but what it tracks cannot be told."""

    reason: str


class _Malformed(Exception):
    """These bytes are not an index, or not one that we can read."""


def tracked_below(folder: Path) -> Tracked | NoRepository | Unavailable:
    """What the nearest repository at or above a folder tracks in it."""
    folder = folder.resolve()
    for root in (folder, *folder.parents):
        marker = root / ".git"
        if marker.is_symlink() or marker.exists():
            return _look(marker, folder.relative_to(root))
    return NoRepository()


def _look(marker: Path, below: Path) -> Tracked | Unavailable:
    try:
        content = read_regular(_folder_of(marker) / "index", INDEX_BYTES)
    except FileNotFoundError:
        return Tracked(())  # nothing was ever added
    except (OSError, ValueError) as error:
        return Unavailable(f"git's index cannot be read: {getattr(error, 'strerror', None) or 'no such place'}")
    prefix = b"" if below == Path() else f"{below.as_posix()}/".encode("utf-8", "surrogateescape")
    for hash_bytes in HASH_BYTES:
        try:
            return Tracked(
                tuple(_shown(name, prefix) for name in _names(content, hash_bytes) if name.startswith(prefix))
            )
        except _Malformed:
            continue
    return Unavailable("git's index is of a kind that is not known here")


def _shown(name: bytes, prefix: bytes) -> str:
    return name[len(prefix) :].decode("utf-8", "backslashreplace")


def _folder_of(marker: Path) -> Path:
    """Git's folder: `.git` itself, or where the file `.git` of a worktree or submodule points on this machine."""
    if marker.is_dir() and not marker.is_symlink():
        return marker
    content = read_regular(marker, POINTER_BYTES)
    named = content.removeprefix(_POINTER).strip().decode("utf-8", "surrogateescape")
    folder = marker.parent / named
    if not content.startswith(_POINTER) or not named or named.startswith(_NETWORK) or not folder.is_dir():
        raise OSError(0, "the file .git leads to no repository")
    return folder


def _names(content: bytes, hash_bytes: int) -> Iterator[bytes]:
    """The name of every entry; the whole index must add up."""
    version, count = int.from_bytes(content[4:8]), int.from_bytes(content[8:12])
    end = len(content) - hash_bytes
    fixed = _TIMES_AND_MODES_BYTES + hash_bytes + _FLAGS_BYTES
    if content[:4] != b"DIRC" or version not in (2, 3, 4) or count * fixed > end:
        raise _Malformed
    place, name = _HEADER_BYTES, b""
    for _ in range(count):
        start = place
        flags = int.from_bytes(content[start + fixed - _FLAGS_BYTES : start + fixed])
        place = start + fixed + (2 if version > 2 and flags & _EXTENDED else 0)
        kept = b""
        if version == 4:  # only what differs from the end of the name before
            dropped, place = _number(content, place)
            if dropped > len(name):
                raise _Malformed
            kept = name[: len(name) - dropped]
        stop = content.find(_NAME_ENDS, place, min(end, place + NAME_BYTES))
        name = kept + content[place:stop]
        if stop < 0 or not name or len(name) > NAME_BYTES:
            raise _Malformed
        # Before version 4 each entry is filled up with zeros to a multiple of eight bytes, with one at least.
        place = stop + 1 if version == 4 else start + (stop - start + 8) // 8 * 8
        yield name
    _check_extensions(content, place, end)


def _number(content: bytes, place: int) -> tuple[int, int]:
    """A number as git's packs spell offsets, and where it ends."""
    value = 0
    for byte in content[place : place + 4]:
        place += 1
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, place
        value += 1
    raise _Malformed


def _check_extensions(content: bytes, place: int, end: int) -> None:
    """They fill the rest. One whose name begins small changes what the entries mean, and must be understood."""
    while place < end:
        name, size = content[place : place + 4], int.from_bytes(content[place + 4 : place + 8])
        if not name[:1].isupper():
            raise _Malformed
        place += 8 + size
    if place != end:
        raise _Malformed
