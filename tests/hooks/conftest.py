"""A person's machine for each test, whose settings and state are in a folder of its own."""

from pathlib import Path

import pytest

from tests.hooks.calling import Person


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Person:
    made = Person(tmp_path)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return made
