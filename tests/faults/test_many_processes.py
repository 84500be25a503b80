"""Many processes on one book, killed at random: nothing acknowledged is lost, and nothing is half there."""

import json
import os
import random
import selectors
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.faults.workshop import LIMIT_SECONDS, assert_sound, spawn, word
from tests.waiting import kill_after

WORKERS = 8
PASSED_OVER_LIMIT = 180  # how many writes of seven others may come between two of one writer
KILL_DELAY_SECONDS = 0.004  # at most this long after a write began: kills land before, in and after commits


@dataclass
class Worker:
    """One process, its replacements after each kill, and what they said."""

    path: Path
    number: int
    last_item: int
    process: subprocess.Popen[str] = field(init=False)
    acknowledged: dict[str, str] = field(default_factory=dict)
    in_doubt: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    next_item: int = 0
    running: bool = True
    _unheard: bytes = b""

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self._unheard = b""
        self.process = spawn("work", path=str(self.path), worker=self.number, first=self.next_item, last=self.last_item)

    @property
    def voice(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def listen(self) -> bool:
        """Take in what the process has said; whether it is in the middle of a write."""
        said = os.read(self.voice, 65_536)
        *lines, self._unheard = (self._unheard + said).split(b"\n")
        for line in lines:
            self._hear(json.loads(line))
        if not said:
            self.running = False
        return bool(lines) and b"begin" in lines[-1]

    def _hear(self, message: object) -> None:
        match message:
            case ["begin", int(item)]:
                self.next_item = item
            case ["done", int(item), str(id)]:
                self.acknowledged[id] = word(self.number, item)
                self.next_item = item + 1
            case ["error", str(error)]:
                self.errors.append(error)

    def kill(self) -> None:
        """End the process in the middle of what it does; even workers try that item again, odd ones leave it."""
        self.process.kill()
        while self.running:
            self.listen()
        self.process.communicate()
        if self.next_item < self.last_item:
            if word(self.number, self.next_item) not in self.acknowledged.values():
                self.in_doubt.add(word(self.number, self.next_item))
                self.next_item += self.number % 2
            self.running = True
            self.start()


def run_workers(workers: list[Worker], kills: int, chance: random.Random) -> None:
    """Let the workers write, and kill one of them now and then until `kills` have happened."""
    items = sum(worker.last_item for worker in workers)
    moments = sorted(chance.sample(range(items * 3 // 4), kills))
    with selectors.DefaultSelector() as waiting:
        for worker in workers:
            waiting.register(worker.voice, selectors.EVENT_READ, worker)
        while waiting.get_map():
            ready = waiting.select(timeout=LIMIT_SECONDS)
            assert ready, "no worker got anywhere"
            for key, _ in ready:
                worker: Worker = key.data
                writing = worker.listen()
                due = moments and sum(len(each.acknowledged) for each in workers) >= moments[0]
                if writing and due and worker.running:
                    moments.pop(0)
                    waiting.unregister(key.fd)
                    kill_after(worker.process.pid, chance.random() * KILL_DELAY_SECONDS)
                    worker.kill()
                    if worker.running:
                        waiting.register(worker.voice, selectors.EVENT_READ, worker)
                elif not worker.running:
                    waiting.unregister(key.fd)
                    worker.process.communicate()
    assert not moments, f"{len(moments)} kills did not happen"


def test_no_acknowledged_memory_is_lost_when_eight_processes_write_and_are_killed(
    tmp_path: Path, scaled: Callable[[int, int], int]
) -> None:
    chance = random.Random(20261115)
    path = tmp_path / "book.db"
    items = scaled(60, 200)
    workers = [Worker(path, number, items) for number in range(WORKERS)]
    run_workers(workers, scaled(16, 400), chance)

    assert [error for worker in workers for error in worker.errors] == []
    acknowledged = {id: text for worker in workers for id, text in worker.acknowledged.items()}
    in_doubt = {text for worker in workers for text in worker.in_doubt}
    report = assert_sound(path, acknowledged=acknowledged)
    present = [text.split()[0] for text in report["texts"]]
    assert len(present) == len(set(present)), "an item tried again after a kill is there twice"
    assert set(acknowledged.values()) <= set(present) <= set(acknowledged.values()) | in_doubt
    retried = {word(worker.number, item) for worker in workers if worker.number % 2 == 0 for item in range(items)}
    assert retried <= set(present)


def test_no_writer_is_passed_over_for_long_while_others_write(
    tmp_path: Path, scaled: Callable[[int, int], int]
) -> None:
    """Who waits ever longer between two looks at the lock starves, and in the end gets a lock time-out.

    Measured in the writes of others, not in seconds: a slow machine is slow for all.
    """
    path = tmp_path / "book.db"
    items = scaled(50, 100)
    run_workers([Worker(path, number, items) for number in range(WORKERS)], 0, random.Random(1))
    report = assert_sound(path)
    waited: list[int] = []
    latest: dict[str, int] = {}
    for place, text in enumerate(report["texts"]):
        worker = text[:4]
        waited.append(place - latest.get(worker, place))
        latest[worker] = place
    assert len(waited) == WORKERS * items
    assert max(waited) < PASSED_OVER_LIMIT


@pytest.fixture
def crowd() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that have everything imported and wait for a word to begin."""
    processes = [spawn("create_together", worker=number) for number in range(WORKERS)]
    for process in processes:
        assert _line(process) == "ready"
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def _line(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


@pytest.mark.parametrize("first", ["write", "read"])
def test_processes_that_create_the_same_book_at_once_all_succeed(
    first: str, tmp_path: Path, crowd: list[subprocess.Popen[str]], scaled: Callable[[int, int], int]
) -> None:
    for attempt in range(scaled(8, 400)):
        path = tmp_path / str(attempt) / "book.db"
        for process in crowd:
            assert process.stdin is not None
            process.stdin.write(json.dumps({"path": str(path), "first": first}) + "\n")
            process.stdin.flush()
        answers = [_line(process) for process in crowd]
        assert [answer["error"] for answer in answers if answer["error"]] == []
    assert_sound(path, acknowledged={answer["id"]: word(number, 0) for number, answer in enumerate(answers)})
