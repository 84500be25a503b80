"""The command line under test: called in this process, or started as a process of its own."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonplace.cli import main
from tests import warm

TIMEOUT_SECONDS = 60


class Answer(NamedTuple):
    """What a call of the command line gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout; fails if there is anything beside it."""
        return json.loads(self.out)

    def ok(self) -> "Answer":
        assert self.code == 0, (self.out, self.err)
        return self


Call = Callable[..., Answer]


class Terminal(io.TextIOWrapper):
    """A stdin that a person types into."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Every test works in a project folder of its own, by words, without colours from outside."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COMMONPLACE_MODEL", "none")
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `main` in this process."""

    def call(*words: str, stdin: str | bytes = b"", typed: str | None = None) -> Answer:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        stream = io.TextIOWrapper(io.BytesIO(content)) if typed is None else Terminal(io.BytesIO(typed.encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        code = main(list(words))
        return Answer(code, *capsys.readouterr())

    return call


@pytest.fixture
def spawn() -> Call:
    """Starts `python -m commonplace` as a person's shell would."""
    return _calling(lambda *words: [sys.executable, "-m", "commonplace", *words])


@pytest.fixture
def forked() -> Call:
    """A process for each command, without the wait for its imports."""
    return _calling(warm.command)


def _calling(program: Callable[..., list[str]]) -> Call:
    def call(*words: str, stdin: str | bytes = b"", **variables: str) -> Answer:
        content = stdin.encode() if isinstance(stdin, str) else stdin
        done = subprocess.run(
            program(*words),
            input=content,
            capture_output=True,
            env={**os.environ, **variables},
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def known(cli: Call) -> Call:
    """A book that knows three things, numbered 1 to 3."""
    cli("remember", "The user prefers SQLite for prototypes", "--kind", "preference", "--tag", "database").ok()
    cli("remember", "Deploys are on Monday", "--topic", "deploy day").ok()
    cli("remember", "The staging server is called heron", "--category", "infrastructure").ok()
    return cli
