"""The walks that ARCHITECTURE.md tells are the walks that a request takes, and short enough to follow."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from tests.walks import QUESTION, SEEDS, walks

ROOT = Path(__file__).parent.parent
TOLD_AS = {
    "recall": "A recall on the command line",
    "remember": "A remember on the command line",
    "tool": "A call of a tool on stdio",
    "http": "A call of a tool over HTTP",
}
MOST_FILES = {"recall": 29, "remember": 44, "tool": 28, "http": 34}
MOST_MODULES = 80
"""How many modules of ours a command that writes may load."""


def told(walk: str) -> set[str]:
    """The files that ARCHITECTURE.md names in a walk."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    section = re.search(
        rf"^### {re.escape(TOLD_AS[walk])}\n(.*?)^(?:###? |A dialect is)", text, re.DOTALL | re.MULTILINE
    )
    assert section is not None
    return set(re.findall(r"`([\w/]+\.py)`", section[1]))


def unlike(number: int) -> str:
    """A memory about the question that has no other word in common with the rest."""
    return "We deploy " + " ".join(f"{letter}{number}" for letter in "bcdfgh")


def taken(walk: str, folder: Path) -> dict[str, object]:
    """The walk as it is taken in a process of its own."""
    nowhere = load({"store": str(folder / "book.db"), "model": "none"}, folder=folder)  # in no project
    with Book.open(configuration=nowhere) as book:
        book.remember_many([book.draft(unlike(number)) for number in range(SEEDS)])
        assert len(book.recall(QUESTION, limit=SEEDS).hits) == SEEDS
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    words = [sys.executable, "-m", "tests.walks", walk, str(folder)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("walk", TOLD_AS)
def test_a_walk_goes_through_the_files_that_are_told(walk: str, tmp_path: Path) -> None:
    found = taken(walk, tmp_path)
    files = found["files"]
    assert isinstance(files, list)
    print(f"{walk}: {len(files)} files, {found['modules']} modules")
    assert set(files) == told(walk)
    assert len(files) <= MOST_FILES[walk]


def test_whoever_remembers_loads_little(tmp_path: Path) -> None:
    assert int(str(taken("remember", tmp_path)["modules"])) <= MOST_MODULES


def test_every_walk_is_told(tmp_path: Path) -> None:
    assert walks(tmp_path).keys() == TOLD_AS.keys() == MOST_FILES.keys()
