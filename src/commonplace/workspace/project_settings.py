"""What a project's own files may set. A folder may be somebody else's: it is asked, and obeyed in little.

The files are `.commonplace/config.toml` and those that dialects expect in a project, for their own commands. What
they may not set, what cannot be used and files that are not the user's are listed and otherwise without effect: no
file in a folder makes a command fail.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from commonplace.domain.query import RECALL_LIMIT
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.workspace.dialect_settings import project_files
from commonplace.workspace.files import own_folder, read_regular
from commonplace.workspace.project import FOLDER, scope_of

FILE_BYTES = 16_384
NAME_CHARACTERS = 60

# Nothing here chooses the book, a server, a model, a person, or whom to trust.
ALLOWED = ("near", "mode", "limit", "max_tokens", "scope", "inject", "capture")
WIDEST = {"inject": "both", "capture": "on"}  # what a project may only narrow, and what allows everything
_LARGEST = {"limit": RECALL_LIMIT}
_SAYS_NOTHING = ("version",)  # of the format of the file

Check = Callable[[str, object], object]
Parse = Callable[[bytes], object]
Values = Mapping[str, object]


class Ignored(Record):
    """Something in a project's file that is without effect; no `name` means all of the file."""

    file: Path
    name: str
    reason: str


class ProjectSettings(Record):
    """What a project's files set, what those of dialects set for their own commands, and what is ignored.

    What it `restricts` holds only where it allows less than the person does.
    """

    values: Values
    of_dialects: Mapping[str, Values]
    ignored: tuple[Ignored, ...]
    restricts: Values

    def narrowed(self, name: str, own: str) -> str:
        """What holds of a setting that the project restricts: no more than the person or the project allows."""
        given = str(self.restricts[name])
        if own == given or WIDEST[name] in (own, given):
            return given if own == WIDEST[name] else own
        return "off"


def read_project(root: Path, check: Check) -> ProjectSettings:
    """What the files of a project set. `check` gives a value as the setting takes it, or raises InvalidInput."""
    project = _Project(root, check)
    values, ignored = project.read(root / FOLDER / "config.toml", {name: name for name in ALLOWED}, _toml)
    of_dialects = {}
    for dialect, expected in project_files().items():
        of_dialects[dialect], ignored_there = project.read(root / expected.path, expected.sets, _json)
        ignored += ignored_there
    chosen = {name: value for name, value in values.items() if name not in WIDEST}
    restricts = {name: value for name, value in values.items() if name in WIDEST}
    return ProjectSettings(chosen, of_dialects, tuple(ignored), restricts)


def refuse_in_project(root: Path, name: str, value: object, check: Check) -> None:
    """Raise unless a project may set this value."""
    if name not in ALLOWED:
        raise InvalidInput(
            f"A project may set {', '.join(ALLOWED)} and not '{name}': set it for yourself, without --in-project.",
            name,
        )
    if not _Project(root, check).may_set(name, value):
        raise InvalidInput(f"A project may not set {name} to that: {_advice(name)}.", name)


def _advice(name: str) -> str:
    match name:
        case "scope":
            return "its scope is 'project', the project itself"
        case "limit":
            return f"from 1 to {RECALL_LIMIT}"
        case _:
            return "see 'commonplace config show'"


class _Project(Record):
    """A folder, and how to check a value of a setting."""

    root: Path
    check: Check

    def read(self, file: Path, allowed: Mapping[str, str], parse: Parse) -> tuple[Values, list[Ignored]]:
        """What a file sets, by the names of settings that `allowed` gives its own names, and what it may not."""
        given = _content(file, parse)
        if isinstance(given, Ignored):
            return {}, [given]
        values: dict[str, object] = {}
        ignored = []
        for name, value in given.items():
            if name not in allowed:
                ignored.append(Ignored(file, name[:NAME_CHARACTERS], "a project may not set it"))
            elif not self.may_set(allowed[name], value):
                ignored.append(Ignored(file, name, "its value cannot be used"))
            else:
                values[allowed[name]] = value
        return values, ignored

    def may_set(self, name: str, value: object) -> bool:
        try:
            usable = self.check(name, value)
        except InvalidInput:
            return False
        if type(usable) is not type(value) or (isinstance(usable, int) and usable > _LARGEST.get(name, usable)):
            return False
        return name != "scope" or usable in ("project", "project:auto", str(scope_of(self.root)))


def _content(file: Path, parse: Parse) -> Values | Ignored:
    """What is in a file of the user's own; nothing if there is none."""
    folder = file.parent
    try:
        if folder.is_symlink() or (folder.exists() and not own_folder(folder)):
            return Ignored(file, "", "its folder is a link or belongs to somebody else")
        content = parse(read_regular(file, FILE_BYTES, own=True))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        return Ignored(file, "", error.strerror or "it cannot be read")
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        return Ignored(file, "", f"it does not hold settings as {'JSON' if file.suffix == '.json' else 'TOML'}")
    return {str(name): value for name, value in content.items() if name not in _SAYS_NOTHING}


def _toml(content: bytes) -> object:
    import tomllib  # 10 ms to import, and most commands find no file to read

    return tomllib.loads(content.decode())


def _json(content: bytes) -> object:
    import json  # as above

    return json.loads(content)
