"""Which tools on this machine know of us, as their own files say: looked at, never changed."""

import re
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.errors import CommonplaceError
from commonplace.workspace.bounded_files import open_plain

FILE_BYTES = 16_000_000
_SERVER = re.compile(r"commonplace")
_HOOK = re.compile(r"commonplace[\s\S]{0,200}?\bhook\b")


_OPENCODE_HOOKS = ".config/opencode/plugins/commonplace.js"


class Host(Record):
    """A tool, and the files of a home folder in which it keeps its servers and its hooks."""

    name: str
    files: tuple[str, ...]


HOSTS = (
    Host("claude-code", (".claude.json", ".claude/settings.json")),
    Host("codex", (".codex/config.toml", ".codex/hooks.json")),
    Host("gemini", (".gemini/settings.json",)),
    Host("opencode", (".config/opencode/opencode.json", ".config/opencode/opencode.jsonc", _OPENCODE_HOOKS)),
    Host("cursor", (".cursor/mcp.json", ".cursor/hooks.json")),
)


def connected_hosts(home: Path) -> list[str]:
    """The tools whose files name our server."""
    return [host.name for host in HOSTS if _found(home, host, _SERVER)]


def hooked_hosts(home: Path) -> list[str]:
    """The tools that call `commonplace hook`."""
    return [host.name for host in HOSTS if _found(home, host, _HOOK)]


def _found(home: Path, host: Host, wanted: re.Pattern[str]) -> bool:
    return any(wanted.search(_content(home / file)) for file in host.files)


def _content(file: Path) -> str:
    """What is in a file; of one that is not there, or is no plain file, nothing."""
    try:
        with open_plain(file) as source:
            return source.read(FILE_BYTES).decode("utf-8", "replace")
    except (OSError, CommonplaceError):
        return ""
