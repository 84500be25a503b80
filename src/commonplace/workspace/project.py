"""Which project a caller is in, by what lies in the folders above, and what selectors as `project:auto` stand for."""

from collections.abc import Sequence
from hashlib import sha256
from os import fsencode
from os.path import lexists
from pathlib import Path

from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope, ScopeKind
from commonplace.errors import InvalidInput
from commonplace.workspace.dialect_settings import project_files
from commonplace.workspace.files import is_own, own_file, own_folder
from commonplace.workspace.repository import home_of_worktree

FOLDER = ".commonplace"
REPOSITORY_FOLDERS = (".git", ".jj", ".hg")
HASH_DIGITS = 16
OLDER_LIMIT = 12
_MARKERS = tuple(each.path for each in project_files().values())
_FOLDERS: tuple[str | Path, ...] = (FOLDER, *(marker.parent for marker in _MARKERS))
NO_PROJECT = (
    "There is no current project here: name one, as in project:NAME, or connect with a token that has one "
    "('commonplace token create --project FOLDER')."
)


class Place(Record):
    """Where somebody works: the project's folder, and whether it is one or just the folder they stand in.

    `older` are the folders between the two: each was a project of its own before repositories were known.
    """

    root: Path
    is_project: bool
    older: tuple[Path, ...] = ()


def locate(start: Path) -> Place:
    """The nearest folder above that the user has marked, else the repository's, else the folder itself.

    What somebody else put there, such as into a folder that everybody may write to, marks nothing.
    """
    start = start.resolve()
    above = (start, *start.parents)
    root = next((folder for folder in above if _is_marked(folder)), None) or repository_root(start)
    if root is None:
        return Place(start, False)
    inside = above.index(root) if root in above else _place_of_repository(above) + 1
    return Place(root, True, above[: min(inside, OLDER_LIMIT)])


def repository_root(start: Path) -> Path | None:
    """The root of the repository that a folder is in, or None; of a worktree, that of the repository it belongs to."""
    for folder in (start, *start.parents):
        for name in REPOSITORY_FOLDERS:
            if _is_own(folder / name):
                home = home_of_worktree(folder / name) if name == ".git" else None
                return home or folder
    return None


def _is_own(marker: Path) -> bool:
    """Whether the user's own folder, file or link is there; a link is not followed."""
    try:
        return is_own(marker.lstat())
    except OSError:
        return False


def _place_of_repository(above: Sequence[Path]) -> int:
    """Which of the folders is the first with anything of a repository's in it, of whosever."""
    held = (at for at, folder in enumerate(above) if any(lexists(folder / name) for name in REPOSITORY_FOLDERS))
    return next(held, 0)


def may_have_settings(root: Path) -> bool:
    """Whether there is anything, of whatever kind, where a project's settings would be. Most folders have nothing."""
    return any(lexists(root / folder) for folder in _FOLDERS)


def _is_marked(folder: Path) -> bool:
    if not may_have_settings(folder):
        return False
    markers = (folder / marker for marker in _MARKERS)
    return own_folder(folder / FOLDER) or any(own_folder(each.parent) and own_file(each) for each in markers)


def scope_of(root: Path) -> Scope:
    """A project's scope: the same for everybody who works in the same folder."""
    digest = sha256(fsencode(root.resolve())).hexdigest()
    return Scope(ScopeKind.PROJECT, digest[:HASH_DIGITS])


def resolve(selector: str, principal: Principal, project: Scope | None) -> Scope:
    """What a selector stands for: `user` and `user:default` are the caller's own, `project` the current one.

    Whether the caller may see it is asked in the transaction that uses it.
    """
    match selector.strip():
        case "user" | "user:default":
            return principal.own_scope
        case "project" | "project:auto":
            if project is None:
                raise InvalidInput(NO_PROJECT, "scope")
            return project
        case other:
            return Scope.parse(other)
