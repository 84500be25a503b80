"""Whether git tracks files of memories: what is pushed cannot be forgotten."""

from fnmatch import fnmatchcase
from pathlib import Path

from commonplace.config import is_switched_on
from commonplace.domain.record import Record
from commonplace.text import collapse, visible
from commonplace.workspace.git_index import NoRepository, Tracked, Unavailable, tracked_below

GIT_CHECK_SWITCH = "NUZO_DOCTOR_SKIP_GIT"
_MEMORY_FILES = (".nuzo/memory/*", "*.sqlite", "*.sqlite-*", "*.memory.export.json", "*.memory.export.md")


class Tracking(Record):
    """What git knows of memory files: a word for it, the files, and whether that is fine."""

    word: str
    files: tuple[str, ...] = ()
    warning: str | None = None


def tracked_memory_files(root: Path) -> Tracking:
    """What git tracks below a folder. Git itself is not started, and its index is only read."""
    if is_switched_on(GIT_CHECK_SWITCH):
        return Tracking(f"skipped ({GIT_CHECK_SWITCH}=1)")
    match tracked_below(root):
        case NoRepository():
            return Tracking("clean")
        case Unavailable(reason=reason):
            return Tracking(f"unavailable ({reason})", warning="Whether git tracks memory files is not known.")
        case Tracked(files=names):
            chosen = (name for name in names if any(fnmatchcase(name, each) for each in _MEMORY_FILES))
            files = tuple(collapse(visible(name)) for name in chosen)
            warning = "Git tracks memory files: run git rm --cached on them."
            return Tracking(f"warning ({len(files)} tracked)", files, warning) if files else Tracking("clean")
