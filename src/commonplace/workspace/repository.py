"""What the files of a repository claim: whose worktree it is, where it was cloned from, what the project is called.

No program is ever run. Whoever made the folder wrote its files: they are read within bounds, links are not followed,
and what a file claims about another folder counts only where that folder says the same.
"""

from collections.abc import Iterator
from pathlib import Path

from commonplace.workspace.files import own_folder, read_regular

POINTER_BYTES = 4_096
NAME_BYTES = 256
SETTINGS_BYTES = 64_000
ORIGIN_LENGTH = 256
NETWORK = ("//", "\\\\")

_POINTER = b"gitdir:"
_SCHEMES = ("https", "http", "ssh", "git", "git+ssh")


def origin_of(root: Path) -> str | None:
    """Where a git repository says it was cloned from, as `host/path` without names and passwords, or None.

    Anybody can write that into a folder: it is a claim.
    """
    try:
        content = read_regular(root / ".git" / "config", SETTINGS_BYTES, own=True).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
    return next((found for url in _urls(content) if (found := _address(url)) is not None), None)


def claimed_name(root: Path) -> str | None:
    """What the file `.commonplace/project` of a folder says the project is called: its first line, or None.

    Like an origin, it is a claim of whoever made the folder.
    """
    try:
        if not own_folder(root / ".commonplace"):
            return None
        content = read_regular(root / ".commonplace" / "project", NAME_BYTES, own=True).decode()
    except (OSError, ValueError):
        return None
    return content.partition("\n")[0].strip() or None


def home_of_worktree(marker: Path) -> Path | None:
    """The root of the repository whose worktree has this file `.git`, if that repository knows the worktree too.

    `.git` names a folder `worktrees/NAME` of git's own folder, and the file `gitdir` there names `.git` again. Nobody
    who only made the worktree's folder can write the second.
    """
    try:
        if not marker.is_file() or marker.is_symlink():
            return None
        content = read_regular(marker, POINTER_BYTES, own=True)
        inner = _named(content.removeprefix(_POINTER), marker.parent) if content.startswith(_POINTER) else None
        if inner is None or inner.parent.name != "worktrees" or not own_folder(inner):
            return None
        home = inner.parent.parent
        shared = _named(read_regular(inner / "commondir", POINTER_BYTES, own=True), inner)
        back = _named(read_regular(inner / "gitdir", POINTER_BYTES, own=True), inner)
    except (OSError, ValueError, RuntimeError):
        return None
    if shared != home or back != marker.resolve() or not own_folder(home):
        return None
    return home.parent if home.name == ".git" else home


def _named(content: bytes, folder: Path) -> Path | None:
    """The path that a file of one line holds, whole; None for none, and for one on another machine."""
    named = content.strip().decode("utf-8", "surrogateescape")
    if not named or "\n" in named or "\0" in named or named.startswith(NETWORK):
        return None
    return (folder / named).resolve()


def _urls(content: str) -> Iterator[str]:
    """Every url of the remote that is called origin."""
    inside = False
    for line in map(str.strip, content.splitlines()):
        if line.startswith("["):
            inside = line.replace(" ", "").lower() == '[remote"origin"]'
        elif inside:
            name, equals, value = line.partition("=")
            if equals and name.strip().lower() == "url":
                yield value.strip().strip('"')


def _address(url: str) -> str | None:
    """`git@host:team/shop.git` and `https://name:word@host/team/shop` are the same place: `host/team/shop`."""
    scheme, apart, rest = url.partition("://")
    if not apart:  # the short form of ssh; a path on this machine has no host
        host, colon, path = url.partition(":")
        if not colon or "/" in host or len(host.rpartition("@")[2]) < 2:
            return None
        rest = f"{host}/{path.lstrip('/')}"
    elif scheme.lower() not in _SCHEMES:
        return None
    host, slash, path = rest.partition("/")
    host = host.rpartition("@")[2].partition(":")[0].lower()
    path = path.split("?")[0].strip("/").removesuffix(".git")
    found = f"{host}/{path}"
    plain = found.isascii() and found.isprintable() and " " not in found
    return found if host and slash and path and plain and len(found) <= ORIGIN_LENGTH else None
