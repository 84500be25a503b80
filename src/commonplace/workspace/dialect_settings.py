"""What dialects add to the settings, as data: a `settings.json` in a dialect's folder, where it has something to add.

Every command reads these files and none imports a dialect for them. Each part may be left out:

    settings      settings of its own by name, texts that are empty unless set: what each means, and either the
                  `choices` there are or the least and the most that a whole number may be, as its `range`
    variables     by setting, other names of environment variables that are heard where ours is not there
    project_file  a JSON file that marks a project, and which settings it has under which names of its own
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from commonplace.domain.record import Record

FILE = "settings.json"
_DIALECTS = Path(__file__).parents[1] / "dialects"


class Setting(Record):
    """A setting that one dialect goes by: one of some choices, or a whole number within a range."""

    meaning: str
    choices: tuple[str, ...] = ()
    range: tuple[int, int] | None = None

    def refusal(self, value: str) -> str | None:
        """What it must be instead, if the value is not one it may have."""
        if self.range is None:
            return None if value in self.choices else f"one of {', '.join(self.choices)}"
        least, most = self.range
        number = int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else -1
        return None if least <= number <= most else f"a whole number from {least:,} to {most:,}"


class ProjectFile(Record):
    """A file that a dialect expects in a project; `sets` gives our name for each of its own."""

    path: Path
    sets: Mapping[str, str]


class DialectSettings(Record):
    """What one dialect adds."""

    dialect: str
    settings: Mapping[str, Setting]
    variables: Mapping[str, tuple[str, ...]]
    project_file: ProjectFile | None


@cache
def shipped() -> tuple[DialectSettings, ...]:
    """What the dialects of this version add, in the order of their names."""
    found = sorted(folder / FILE for folder in _DIALECTS.iterdir())
    return tuple(_read(file) for file in found if file.is_file())


def settings_of_dialects() -> Mapping[str, Setting]:
    """Every setting that is a dialect's, by name."""
    return {name: setting for each in shipped() for name, setting in each.settings.items()}


def variables_for(setting: str) -> tuple[str, ...]:
    """The names that environment variables for a setting have in dialects."""
    return tuple(name for each in shipped() for name in each.variables.get(setting, ()))


def project_files() -> Mapping[str, ProjectFile]:
    """The files that dialects expect in a project, by dialect."""
    return {each.dialect: each.project_file for each in shipped() if each.project_file is not None}


def _read(file: Path) -> DialectSettings:
    given = json.loads(file.read_bytes())
    marker = given.get("project_file")
    return DialectSettings(
        file.parent.name,
        {name: _setting(each) for name, each in given.get("settings", {}).items()},
        {setting: tuple(names) for setting, names in given.get("variables", {}).items()},
        None if marker is None else ProjectFile(Path(marker["path"]), marker["sets"]),
    )


def _setting(given: Mapping[str, object]) -> Setting:
    choices, span = given.get("choices", []), given.get("range")
    return Setting(
        str(given["meaning"]),
        tuple(map(str, choices)) if isinstance(choices, list) else (),
        (span[0], span[1]) if isinstance(span, list) else None,
    )
