"""What the fault tests share: books on real files, child processes, and a check-up by a fresh process."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from commonplace.book.book import Book
from commonplace.errors import CommonplaceError
from commonplace.store.migrations import Migration
from commonplace.store.sqlite import SqliteStore
from commonplace.store.sqlite.schema import migrations
from tests.hashing import HashingEmbedder

ROOT = Path(__file__).parents[2]
LIMIT_SECONDS = 300  # no test waits longer than this for a child: a hang is a failure, not a timing

Answer = Mapping[str, Any]


def open_book(
    path: str | Path,
    *,
    vectors: bool = True,
    busy_seconds: float = 10.0,
    synchronous: str = "FULL",
    next_step: str | Path | None = None,
) -> Book:
    """A book with the deterministic embedder, or by words alone.

    `next_step` is the SQL file of a migration that this version does not have yet.
    """
    steps = migrations()
    if next_step is not None:
        steps = (*steps, Migration(steps[-1].number + 1, Path(next_step)))
    store = SqliteStore(Path(path), busy_seconds, synchronous, steps)
    return Book.over(store, embedder=HashingEmbedder() if vectors else None)


def texts(book: Book) -> set[str]:
    return {memory.text for memory in book.list(limit=1_000).memories}


def found(book: Book, query: str, **options: object) -> set[str]:
    """The texts a recall brings back; counts no use."""
    return {hit.memory.text for hit in book.recall(query, **{"limit": 50, "counts_use": False, **options}).hits}


def unhealthy(book: Book) -> list[str]:
    """What doctor finds wrong; an empty list for a sound book."""
    return [f"{finding.check}: {finding.detail}" for finding in book.care.doctor() if not finding.ok]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder. Only for folders no connection of this process is open in."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()}


# -- what is said ----------------------------------------------------------------------------


def word(worker: int, item: int) -> str:
    """A word that one item of one worker has, and nothing else."""
    return f"zq{worker:02d}n{item:04d}"


def note(worker: int, item: int) -> str:
    """What one item says: its own word first, and others that few share."""
    chance = random.Random(f"{worker} {item}")
    return " ".join([word(worker, item), *("".join(chance.choices("aeioubdgklmnprst", k=5)) for _ in range(8))])


def say(message: object) -> None:
    """A line of JSON on standard output, for the parent to read at once."""
    print(json.dumps(message), flush=True)


def become(user: int) -> None:
    """Go on as somebody else, once everything has been imported: they may not be able to read the interpreter."""
    with TemporaryDirectory() as folder, open_book(f"{folder}/book.db") as book:
        book.remember("The harbour opens at dawn")
        assert found(book, "harbour")
        assert unhealthy(book) == []
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def outcome(act: Callable[[], object]) -> str:
    """What came of something, in words."""
    try:
        act()
    except CommonplaceError as error:
        return f"{type(error).__name__}: {error.message}"
    return "done"


# -- child processes -------------------------------------------------------------------------


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
    return {**kept, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT))), "PYTHONDONTWRITEBYTECODE": "1"}


def command(verb: str, arguments: str) -> list[str]:
    """The command line that runs one verb in a process of its own; `-` reads its arguments."""
    return [sys.executable, "-m", "tests.faults", verb, arguments]


def run_child(verb: str, *, prefix: tuple[str, ...] = (), **arguments: object) -> Answer:
    """Run a verb to its end; what it printed last, which is JSON."""
    process = subprocess.run(
        [*prefix, *command(verb, "-")],
        input=json.dumps(arguments),
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert process.returncode == 0, f"{verb} failed:\n{process.stdout}\n{process.stderr}"
    answer: Answer = json.loads(process.stdout.splitlines()[-1])
    return answer


def spawn(verb: str, **arguments: object) -> subprocess.Popen[str]:
    """Start a verb; its standard input and output are pipes."""
    return subprocess.Popen(
        command(verb, json.dumps(arguments)),
        cwd=ROOT,
        env=environment(),
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


class Companion:
    """Another process with the same book open, which does what it is told, one thing at a time."""

    def __init__(self, path: Path, **options: object) -> None:
        self._process = spawn("obey", path=str(path), **options)

    def ask(self, deed: str, **arguments: object) -> Any:
        """Do one thing and wait for what came of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"deed": deed, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the companion died: {self._process.stderr.read() if self._process.stderr else ''}"
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Let it finish and close its book; after a failure it may never finish, so end it."""
        if kind is not None:
            self._process.kill()
        if self._process.returncode is None:
            self._process.communicate(timeout=LIMIT_SECONDS)


def assert_sound(path: Path, *, acknowledged: Mapping[str, str] | None = None, vectors: bool = True) -> Answer:
    """In a fresh process: doctor is content, rows = words = vectors, and every acknowledged memory is found.

    `acknowledged` maps ids to a word that only that memory has.
    """
    report = run_child("check_up", path=str(path), vectors=vectors, acknowledged=dict(acknowledged or {}))
    assert report["findings"] == []
    assert report["lost"] == []
    assert report["not_recalled"] == []
    assert report["not_near"] == []
    assert report["rows"] == report["words"]
    assert report["rows"] == len(set(report["numbers"])), "a number was given out twice"
    if vectors:
        assert report["rows"] == report["vectors"]
    return report
