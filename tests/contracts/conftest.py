"""A server for each test, on a book of its own."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from tests.contracts.client import Client, serving


class Serve(Protocol):
    def __call__(self, dialect: str, **environment: str) -> Client: ...


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def serve(tmp_path: Path, project: Path) -> Iterator[Serve]:
    """Starts servers on the test's one book, each with a client; they end with the test."""
    with ExitStack() as stack:

        def start(dialect: str, **environment: str) -> Client:
            return stack.enter_context(serving(dialect, tmp_path / "book.db", project, **environment))

        yield start
