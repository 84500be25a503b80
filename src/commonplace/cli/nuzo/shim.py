"""setup: a command `nuzo`, so that scripts and skills written for `nuzo memory` find one."""

import os
import shlex
import shutil
import sys
from pathlib import Path

from commonplace.cli.parser import PROGRAM
from commonplace.cli.session import CommandSession
from commonplace.errors import Conflict, InvalidInput, NotFound
from commonplace.workspace.files import new_file, read_regular

NAME = "nuzo"
MARK = f"made by '{PROGRAM} setup {NAME}-shim'"
EXECUTABLE = 0o755
SHIM_BYTES = 10_000  # ours has a few hundred


SHIM = f"{NAME}-shim"


def make_or_remove(session: CommandSession) -> int:
    """Make the command, or with --remove take it away again, in --folder or where our own is."""
    given, output = session.arguments, session.output
    file = _folder(given.folder) / (f"{NAME}.cmd" if os.name == "nt" else NAME)
    ours = _is_ours(file)
    if given.remove:
        if not ours:
            raise NotFound(f"There is no {file} that was {MARK}: name its folder with --folder.")
        file.unlink()
    else:
        if not ours and os.path.lexists(file):
            raise Conflict(f"{file} is there and was not {MARK}: move it away, or name another place with --folder.")
        file.parent.mkdir(parents=True, exist_ok=True)
        with new_file(file, replace=ours, mode=EXECUTABLE) as target:
            target.write(_script())
    if output.json:
        output.document({"path": str(file), "removed": given.remove})
    else:
        output.line(f"{'Removed' if given.remove else 'Made'} {file}")
    if not given.remove and shutil.which(NAME) != str(file):
        output.note(f"'{NAME}' is not found there yet: add {file.parent} to PATH, before any other '{NAME}'.")
    return 0


def _folder(named: str | None) -> Path:
    """The folder named, else the one where our own command was found, else where people keep theirs."""
    own = shutil.which(PROGRAM)
    if named is None:
        return Path(own).parent if own else Path.home() / ".local" / "bin"
    folder = Path(named).expanduser().absolute()
    if not folder.is_dir():
        raise InvalidInput(f"There is no folder '{named}': make it first, or name another with --folder.", "folder")
    return folder


def _is_ours(file: Path) -> bool:
    """Whether it is a file that an earlier call made; a link or anything else never is."""
    if file.is_symlink() or not file.is_file() or file.stat().st_size > SHIM_BYTES:
        return False
    return MARK.encode() in read_regular(file, SHIM_BYTES)


def _script() -> str:
    """By the very Python that runs now: its packages are ours, whatever else is installed."""
    if os.name == "nt":
        return f'@rem {MARK}\n@"{sys.executable}" -m {PROGRAM} %*\n'
    return f'#!/bin/sh\n# {MARK}\nexec {shlex.quote(sys.executable)} -m {PROGRAM} "$@"\n'
