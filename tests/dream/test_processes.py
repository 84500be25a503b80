"""Dreams in processes of their own: killed at any moment, and several at once."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.dream import RunStatus
from commonplace.dream.edits import key_of
from commonplace.store.sqlite import SqliteStore
from tests.conftest import DAY, START, ManualClock
from tests.dream.making import everything, exported, keep
from tests.faults.workshop import LIMIT_SECONDS, ROOT, environment, unhealthy
from tests.waiting import kill_after

LATER = START + 400 * DAY
KILLS = 100 if os.environ.get("COMMONPLACE_SOAK") == "1" else 25
WORKERS = 4


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed book of fifty memories, in which a dream has much to do."""
    path = tmp_path_factory.mktemp("prepared") / "book.db"
    clock = ManualClock()
    with Book.over(SqliteStore(path), clock=clock) as book:
        for number in range(15):
            keep(book, f"The bees of hive {number} are asleep")
            keep(book, f"bees of hive {number} are asleep.")
            keep(book, f"hive {number} was painted by nobody in particular")
        clock.now = LATER - DAY
        for number in range(5):
            keep(book, f"A new thing was said about honey pot {number}")
            book.corrections.log(f"No, pot {number} is empty", memories=[number + 1])
    return path


def opened(path: Path) -> Book:
    return Book.over(SqliteStore(path), clock=lambda: LATER)


class Dreamers:
    """A process that starts dreams in children of its own, quickly."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.dream", str(LATER)],
            cwd=ROOT,
            env=environment(),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def wait(self) -> None:
        """Until it can start dreams at once."""
        assert self._next() == "ready"

    def start(self, path: Path) -> int:
        """Begin a dream; the id of its process."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{path}\n")
        self._process.stdin.flush()
        return int(self._next())

    def answer(self) -> list[str] | None:
        """How the dream ended; None if it was killed before it could say."""
        said, answer = self._next(), None
        while said[0] != "ended":
            said, answer = self._next(), said
        return answer

    def _next(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=LIMIT_SECONDS)


@pytest.fixture
def dreamers() -> Iterator[Callable[[], Dreamers]]:
    made: list[Dreamers] = []

    def make() -> Dreamers:
        made.append(Dreamers())
        made[-1].wait()
        return made[-1]

    yield make
    for each in made:
        each.close()


def facts(book: Book) -> list[tuple[object, ...]]:
    """What memories and corrections are, without ids and times that differ from dream to dream."""
    found: list[tuple[object, ...]] = [
        (memory.text, memory.status, memory.revision) for memory in everything(book).values()
    ]
    found += [(each.content, each.status, len(each.results)) for each in book.corrections.list()]
    relations = {edge.id: edge.kind.value for memory in everything(book).values() for edge in book.relations(memory)}
    return sorted(map(repr, found)) + sorted(relations.values()) + [repr(len(book.dreams.list_insights(1_000)))]


def test_a_dream_that_is_killed_leaves_the_book_as_before_or_as_after(
    prepared: Path, tmp_path: Path, dreamers: Callable[[], Dreamers]
) -> None:
    whole, dreams = tmp_path / "whole.db", dreamers()
    shutil.copy(prepared, whole)
    begun = time.perf_counter()
    dreams.start(whole)
    assert (dreams.answer() or [""])[0] == "applied"
    duration = time.perf_counter() - begun
    with opened(prepared) as book:
        before = facts(book)
    with opened(whole) as book:
        after = facts(book)
    assert before != after
    chance, ends = random.Random(7), {"before": 0, "after": 0}
    for number in range(KILLS):
        path = tmp_path / f"{number}.db"
        shutil.copy(prepared, path)
        child = dreams.start(path)
        kill_after(child, chance.uniform(0, duration))
        dreams.answer()
        with opened(path) as book:
            now = facts(book)
            assert now in (before, after)
            assert unhealthy(book) == []
            ends["before" if now == before else "after"] += 1
            assert all(run.status in (RunStatus.PLANNED, RunStatus.APPLIED) for run in book.dreams.list_runs())
    assert ends["before"] > 0


def test_after_a_kill_the_next_dream_does_it_all(
    prepared: Path, tmp_path: Path, dreamers: Callable[[], Dreamers]
) -> None:
    path, dreams = tmp_path / "book.db", dreamers()
    shutil.copy(prepared, path)
    os.kill(dreams.start(path), signal.SIGKILL)
    dreams.answer()
    later = ManualClock(LATER + 61_000)  # by then the lease of a process that is no more has run out
    with Book.over(SqliteStore(path), clock=later) as book:
        before = exported(book)
        run = book.dreams.run()
        assert run.status is RunStatus.APPLIED
        book.dreams.undo(run.id)
        assert exported(book) == before


def test_of_several_processes_that_dream_at_once_one_does(
    prepared: Path, tmp_path: Path, dreamers: Callable[[], Dreamers]
) -> None:
    path = tmp_path / "book.db"
    shutil.copy(prepared, path)
    several = [dreamers() for _ in range(WORKERS)]
    for each in several:
        each.start(path)
    answers = [(each.answer() or ["killed"])[0] for each in several]
    assert answers.count("applied") >= 1
    assert "refused" in answers
    assert set(answers) <= {"applied", "refused", "interrupted"}
    with opened(path) as book:
        done = [each for run in book.dreams.list_runs() for each in run.done if each.before is not None]
        assert len({key_of(each.edit) for each in done}) == len(done), "nothing was done twice"
        assert all(memory.revision <= 2 for memory in everything(book).values())
        assert unhealthy(book) == []
