"""What dialects add to the settings: data of theirs that fits ours, and that nobody has to import a dialect for."""

import subprocess
import sys

import pytest

from commonplace.config import Settings
from commonplace.dialects import dialect_names
from commonplace.errors import InvalidInput
from commonplace.workspace.dialect_settings import DialectSettings, settings_of_dialects, shipped
from commonplace.workspace.project_settings import ALLOWED


@pytest.mark.parametrize("added", shipped(), ids=lambda each: each.dialect)
def test_what_a_dialect_adds_fits_what_is_there(added: DialectSettings) -> None:
    assert added.dialect in dialect_names()
    assert added.variables.keys() <= set(Settings.fields) | added.settings.keys()
    for name, setting in added.settings.items():
        assert name.startswith(f"{added.dialect}_"), "so that no two of them, nor one of ours, are the same"
        assert setting.meaning
        assert bool(setting.choices) != bool(setting.range)
        assert "" not in setting.choices
    if added.project_file is not None:
        path = added.project_file.path
        assert (path.is_absolute(), len(path.parts), ".." in path.parts) == (False, 2, False), "a file in a folder"
        assert set(added.project_file.sets.values()) <= set(ALLOWED), "no more than a project may set"


def test_some_dialect_adds_each_kind_of_thing() -> None:
    assert all(any(getattr(each, name) for each in shipped()) for name in ("settings", "variables", "project_file"))


@pytest.mark.parametrize("name", sorted(settings_of_dialects()))
def test_only_what_may_be_chosen_is_taken(name: str) -> None:
    for choice in settings_of_dialects()[name].choices:
        assert Settings(of_dialects={name: choice}).value(name) == choice
    with pytest.raises(InvalidInput, match=f"{name} must be (?:one of|a whole number from)"):
        Settings(of_dialects={name: "another"})
    with pytest.raises(InvalidInput, match="not a setting"):
        Settings(of_dialects={"limit": "3"})


def test_no_dialect_is_imported_for_it() -> None:
    script = "import sys, commonplace.config; print([name for name in sys.modules if 'commonplace.dialect' in name])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
