"""Where hosts keep their transcripts. What a hook names is read only if it is the user's own file in one of these.

Words from there count as heard. A file elsewhere may be anybody's: a repository's, or one that a text asked for.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.hooks.events import Host
from commonplace.workspace.files import own_file

BYTES_AT_A_STOP = 16_000_000
"""A longer transcript is not read while a host waits."""


class Source(Record):
    """A transcript: the file, the host whose it is, and, in a database of many, the session's id."""

    path: Path
    host: Host
    session: str | None = None

    @property
    def is_short(self) -> bool:
        """Whether it can be read while a host waits."""
        return self.session is not None or self.path.stat().st_size <= BYTES_AT_A_STOP


def folders(environment: Mapping[str, str], project: Path) -> Iterator[tuple[Host, Path]]:
    """The folders in which hosts keep transcripts. One that the environment names must not lie in the project."""
    home = Path(environment.get("HOME") or Path.home())
    yield Host.CLAUDE_CODE, home / ".claude" / "projects"
    yield Host.CODEX, home / ".codex" / "sessions"
    yield Host.GEMINI, home / ".gemini" / "tmp"
    yield Host.CURSOR, home / ".cursor" / "projects"
    yield Host.VSCODE, _code_folder(environment, home) / "User" / "workspaceStorage"
    yield Host.OPENCODE, _data(environment, home) / "opencode"
    for host, variable, inside in (
        (Host.CLAUDE_CODE, "CLAUDE_CONFIG_DIR", "projects"),
        (Host.CODEX, "CODEX_HOME", "sessions"),
    ):
        named = environment.get(variable)
        if named and not Path(named).resolve().is_relative_to(project.resolve()):
            yield host, Path(named) / inside


def _code_folder(environment: Mapping[str, str], home: Path) -> Path:
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "Code"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Code"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "Code"


def _data(environment: Mapping[str, str], home: Path) -> Path:
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")


def source_of(
    host: str, transcript: str, session: str, project: Path, environment: Mapping[str, str] | None = None
) -> Source | None:
    """The transcript of a session, if the host keeps it where its transcripts are and it is a file of the user's.

    opencode keeps every session in one database, of which one is read.
    """
    known = list(folders(os.environ if environment is None else environment, project))
    if host == Host.OPENCODE:
        path = next(folder for owner, folder in known if owner is Host.OPENCODE) / "opencode.db"
        return Source(path, Host.OPENCODE, session) if own_file(path) else None
    if not transcript:
        return None
    path = Path(transcript).expanduser().absolute()
    for owner, folder in known:
        if owner is not Host.OPENCODE and path.resolve().is_relative_to(folder.resolve()) and own_file(path.resolve()):
            return Source(path.resolve(), owner)
    return None
