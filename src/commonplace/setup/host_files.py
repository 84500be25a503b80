"""Hosts' files on the disk: read whole or not at all, copied beside before they change, written at one stroke."""

import os
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.errors import StoreUnwritable
from commonplace.setup.changes import CannotChange
from commonplace.workspace.files import PRIVATE, is_own, new_file, read_regular

FILE_BYTES = 20_000_000
BACKUPS = 1_000
_WRITABLE = 0o200


class HostFile(Record):
    """A file as it was found. `target` is where it really is; `text` is None where there is none yet."""

    path: Path
    target: Path
    text: str | None
    mode: int = PRIVATE

    @property
    def is_link(self) -> bool:
        """Whether the name a host knows leads to a file somewhere else."""
        return self.target != self.path


def look(path: Path) -> HostFile:
    """The file under a name, links followed to a file of the user's own; raises CannotChange with the reason."""
    try:
        if not os.path.lexists(path):
            return HostFile(path, path.parent.resolve() / path.name if path.parent.exists() else path, None)
        target = path.resolve(strict=True)
        status = target.stat()
        if not is_own(status):
            raise CannotChange("it belongs to somebody else")
        if not status.st_mode & _WRITABLE:
            raise CannotChange("it is read-only")
        text = read_regular(target, FILE_BYTES, own=True).decode("utf-8")
    except FileNotFoundError:
        raise CannotChange("it is a link that leads nowhere") from None
    except UnicodeDecodeError:
        raise CannotChange("it is not UTF-8") from None
    except (OSError, RuntimeError) as error:
        raise CannotChange(getattr(error, "strerror", None) or "it is a link that leads back to itself") from None
    if "\0" in text:
        raise CannotChange("it is not text")
    return HostFile(path, target, text, status.st_mode & 0o777)


def write(file: HostFile, text: str, with_copy: bool) -> Path | None:
    """Put a text in the place of what was found, and give the copy of that, if any; refuses if it changed meanwhile."""
    if look(file.path) != file:
        raise CannotChange("it changed meanwhile: run this again")
    backup = _backup(file) if with_copy and file.text is not None else None
    try:
        file.target.parent.mkdir(parents=True, exist_ok=True)
        with new_file(file.target, replace=True, mode=PRIVATE) as target:
            target.write(text)
        if file.text is not None:
            file.target.chmod(file.mode)
    except (OSError, StoreUnwritable) as error:
        if backup:
            backup.unlink(missing_ok=True)
        raise CannotChange(f"it cannot be written ({getattr(error, 'strerror', None) or error})") from None
    return backup


def delete(file: HostFile) -> None:
    """Take away a file that was found; refuses if it changed meanwhile."""
    if look(file.path) != file:
        raise CannotChange("it changed meanwhile: run this again")
    try:
        file.target.unlink()
    except OSError as error:
        raise CannotChange(f"it cannot be taken away ({error.strerror})") from None


def missing_folders(path: Path) -> tuple[Path, ...]:
    """The folders that have to be made for a file, the innermost first."""
    return tuple(folder for folder in path.parents if not folder.exists())


def _backup(file: HostFile) -> Path:
    """A copy beside the file that nobody else can read, under the first number that is free."""
    for number in range(1, BACKUPS):
        copy = file.target.with_name(f"{file.target.name}.commonplace-{number}.bak")
        if not os.path.lexists(copy):
            try:
                with new_file(copy, replace=False, mode=PRIVATE) as target:
                    target.write(file.text or "")
            except OSError as error:
                raise CannotChange(f"no copy can be made beside it ({error.strerror})") from None
            return copy
    raise CannotChange(f"there are {BACKUPS} copies beside it already: move some away")
