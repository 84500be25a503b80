"""A server at the end of a raw wire for each test, on a book of its own."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from tests.serve.wire import Wire, forked_command, odd_command, wired


class Program(Protocol):
    def __call__(self, store: Path | str, *words: str) -> list[str]: ...


class Start(Protocol):
    def __call__(self, *words: str, oddity: str | None = None, **variables: str) -> Wire: ...


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def program() -> Program:
    """What to start for a server. Tests of the start itself and of who ends whom name Python itself instead."""
    return forked_command


@pytest.fixture
def start(store: Path, project: Path, program: Program) -> Iterator[Start]:
    """Starts servers on the test's one book; whatever still runs at the end is ended."""
    with ExitStack() as stack:

        def start_one(*words: str, oddity: str | None = None, **variables: str) -> Wire:
            command = program(store, *words) if oddity is None else odd_command(oddity, store)
            return stack.enter_context(wired(command, project, **variables))

        yield start_one


@pytest.fixture
def wire(start: Start) -> Wire:
    """A server that has shaken hands."""
    wire = start()
    wire.shake_hands()
    return wire
