"""How hosts start us: the program by its whole path, the book, and the settings that a host would drop."""

import shlex
from collections.abc import Mapping
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from subprocess import list2cmdline

from commonplace.domain.record import Record

WINDOWS, MAC, LINUX = "win32", "darwin", "linux"
SERVER = "commonplace"


class Surroundings(Record):
    """The system, the user's home, and what the environment says about where hosts keep their files."""

    system: str
    home: str
    variables: Mapping[str, str]

    def path(self, *parts: str) -> str:
        """A path as this system writes it; the first part may be a variable's value."""
        return str(self._kind()(parts[0]).joinpath(*parts[1:]))

    def under(self, variable: str, *default: str) -> str:
        """The folder that a variable names, else one below the home."""
        named = self.variables.get(variable, "")
        return named if named and self._kind()(named).is_absolute() else self.path(self.home, *default)

    def _kind(self) -> type[PurePath]:
        return PureWindowsPath if self.system == WINDOWS else PurePosixPath

    @property
    def application_data(self) -> str:
        """Where programs with windows keep their settings."""
        if self.system == WINDOWS:
            return self.under("APPDATA", "AppData", "Roaming")
        if self.system == MAC:
            return self.path(self.home, "Library", "Application Support")
        return self.under("XDG_CONFIG_HOME", ".config")


class Launch(Record):
    """The words that start us, the book they are to use, and the environment they need."""

    words: tuple[str, ...]
    store: str
    environment: Mapping[str, str]

    @property
    def server(self) -> tuple[str, ...]:
        """The command of the MCP server."""
        return (*self.words, "mcp", "--store", self.store)

    def hook(self, host: str) -> tuple[str, ...]:
        """The command of a host's hooks."""
        return (*self.words, "hook", host, "--store", self.store)

    def hook_line(self, host: str, system: str, powershell: bool = False) -> str:
        """The same as one line for the shell of a host that takes no list of words."""
        words = self.hook(host)
        if system != WINDOWS:
            return shlex.join(words)
        if powershell and " " in words[0]:
            quoted = [f"'{word.replace(chr(39), chr(39) * 2)}'" for word in words]
            return f"& {' '.join(quoted)}"
        return list2cmdline(words)
