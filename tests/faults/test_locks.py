"""Writers that wait for each other, readers that do not, and the POSIX locks that keep processes apart."""

import ast
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.domain.query import Filter
from commonplace.engine.lifecycle import Changes
from commonplace.errors import LockTimeout
from tests.faults.workshop import ROOT, Companion, found, open_book, texts, unhealthy

SHORT = 0.05


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book with one memory, closed."""
    place = tmp_path / "book.db"
    with open_book(place) as book:
        book.remember("The harbour opens at dawn", topic="harbour", tags=["sea"])
    return place


# -- waiting ---------------------------------------------------------------------------------


def test_a_writer_kept_waiting_too_long_gets_a_lock_timeout_and_leaves_nothing_behind(path: Path) -> None:
    with Companion(path) as other, open_book(path, busy_seconds=SHORT) as book:
        other.ask("begin_writing")
        for write in (
            lambda: book.remember("The lighthouse is red"),
            lambda: book.update(1, Changes(text="The harbour opens at noon")),
            lambda: book.forget(1),
            lambda: book.purge(1),
        ):
            with pytest.raises(LockTimeout) as caught:
                write()
            assert caught.value.retryable
            assert caught.value.message.endswith("try again.")
        other.ask("end")
        assert texts(book) == {"The harbour opens at dawn"}
        assert book.get(1).revision == 1
        assert unhealthy(book) == []
        book.remember("The lighthouse is red")
        assert texts(book) == {"The harbour opens at dawn", "The lighthouse is red"}


def test_a_thread_kept_waiting_too_long_gets_a_lock_timeout(path: Path) -> None:
    with open_book(path, busy_seconds=SHORT) as book, writing_elsewhere(book), pytest.raises(LockTimeout):
        book.remember("The lighthouse is red")


def test_recall_answers_while_a_writer_holds_the_book_and_counts_the_use_later(path: Path) -> None:
    with Companion(path) as other, open_book(path, busy_seconds=SHORT) as book:
        other.ask("begin_writing")
        assert [hit.memory.number for hit in book.recall("harbour").hits] == [1]
        assert book._caller.uses.waiting == 1
        assert book.get(1).usage.count == 0
        other.ask("end")
        book.recall("harbour")
        assert book._caller.uses.waiting == 0
        assert book.get(1).usage.count == 2


def test_uses_still_waiting_are_written_when_the_book_is_closed(path: Path) -> None:
    with Companion(path) as other:
        with open_book(path) as book:
            other.ask("begin_writing")
            book.recall("harbour")
            other.ask("end")
        with open_book(path) as book:
            assert book.get(1).usage.count == 1


def test_every_read_answers_while_a_writer_holds_the_book(path: Path) -> None:
    with Companion(path) as other, open_book(path, busy_seconds=SHORT) as book:
        other.ask("begin_writing")
        assert found(book, "harbour") == {"The harbour opens at dawn"}
        for read in reads(book):
            read()
        other.ask("end")


def test_doctor_does_not_take_a_busy_book_for_a_damaged_one(path: Path) -> None:
    with Companion(path) as other, open_book(path, busy_seconds=SHORT) as book:
        other.ask("begin_writing")
        assert unhealthy(book) == []
        other.ask("end")


def test_a_writer_killed_inside_a_transaction_leaves_no_lock_and_no_change(path: Path) -> None:
    with Companion(path) as other, open_book(path, busy_seconds=SHORT) as book:
        other.ask("begin_writing")
        other.kill()
        assert book.remember("The lighthouse is red").memory.number == 2
        assert unhealthy(book) == []


# -- POSIX locks -----------------------------------------------------------------------------


@contextmanager
def writing_elsewhere(book: Book) -> Iterator[None]:
    """A write transaction open in another thread of this process."""
    begun, finish = threading.Event(), threading.Event()

    def hold() -> None:
        with book._caller.store.writing("local") as unit:
            unit.memories.next_number()
            begun.set()
            finish.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        finish.set()
        thread.join()


def locks_of(path: Path) -> set[tuple[str, ...]]:
    """The locks this process holds on a book and its shared memory, as the kernel sees them."""
    inodes = {str(os.stat(f"{path}{suffix}").st_ino) for suffix in ("", "-shm") if os.path.exists(f"{path}{suffix}")}
    held = set()
    for line in Path("/proc/locks").read_text().splitlines():
        _, kind, _, mode, process, file, start, end = line.replace("->", "").split()[:8]
        if kind == "POSIX" and int(process) == os.getpid() and file.rpartition(":")[2] in inodes:
            held.add((mode, file, start, end))
    return held


def reads(book: Book) -> list[Callable[[], object]]:
    """Every public call that only reads."""
    return [
        lambda: book.get(1),
        book.list,
        lambda: book.recall("harbour"),
        lambda: book.recall("harbour", filter=Filter(book.scopes)),
        lambda: book.why("harbour", 1),
        lambda: book.history(1),
        lambda: book.revisions(1),
        lambda: book.relations(1),
        lambda: list(book.transfer.export()),
        book.care.facts,
        book.care.missing_vectors,
        lambda: list(book.care.doctor()),
    ]


def writes(book: Book) -> list[Callable[[], object]]:
    """Every public call that writes, and that a writer elsewhere keeps from doing so."""
    return [
        lambda: book.remember("The lighthouse is red"),
        lambda: book.update(1, Changes(text="The harbour opens at noon")),
        lambda: book.confirm(1),
        lambda: book.supersede(1, 1),
        lambda: book.invalidate(1),
        lambda: book.archive(1),
        lambda: book.forget(1),
        lambda: book.restore(1),
        lambda: book.purge(1),
        lambda: book.transfer.import_(list(book.transfer.export())),
        lambda: list(book.care.repair()),
        book.care.reset,
    ]


needs_proc_locks = pytest.mark.skipif(not os.path.exists("/proc/locks"), reason="locks are only visible on Linux")


@needs_proc_locks
def test_no_public_call_drops_the_locks_of_a_transaction_in_the_same_process(path: Path, tmp_path: Path) -> None:
    with open_book(path, busy_seconds=SHORT) as book, open_book(path, busy_seconds=SHORT) as second:
        second.care.backup(str(tmp_path / "backup.db"))
        with writing_elsewhere(book):
            before = locks_of(path)
            assert any(mode == "WRITE" for mode, *_ in before), "the writer holds no lock: the test sees nothing"
            for place, call in enumerate([*reads(book), *reads(second)]):
                call()
                assert before <= locks_of(path), f"read {place} dropped a lock"
            for place, call in enumerate([*writes(book), *writes(second)]):
                with pytest.raises(LockTimeout):
                    call()
                assert before <= locks_of(path), f"write {place} dropped a lock"
            second.care.backup(str(tmp_path / "another.db"))
            assert before <= locks_of(path), "backup dropped a lock"
            with pytest.raises(LockTimeout):
                second.care.restore(str(tmp_path / "backup.db"))
            assert before <= locks_of(path), "restore dropped a lock"
            second.close()
            assert before <= locks_of(path), "close dropped a lock"
            with open_book(path) as third:
                third.list()
            assert before <= locks_of(path), "opening and closing another book dropped a lock"
        assert texts(book) == {"The harbour opens at dawn"}


@needs_proc_locks
def test_the_lock_test_sees_a_lock_that_is_dropped(path: Path) -> None:
    with open_book(path) as book, writing_elsewhere(book):
        before = locks_of(path)
        path.read_bytes()
        assert not before <= locks_of(path)


# -- lint ------------------------------------------------------------------------------------

_NEAR_THE_FILE = ("store", "book.py", "care.py", "uses.py", "wiring.py", "transfer.py")
_OPENING = {"open", "read_bytes", "write_bytes", "write_text", "copy2", "copyfile", "copyfileobj", "copytree", "fdopen"}
_ALLOWED = {"connections.py: os.open"}  # creates a file that must not exist yet: O_EXCL


def test_nothing_imports_the_standard_librarys_sqlite() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            module = node.module if isinstance(node, ast.ImportFrom) else None
            assert "sqlite3" not in {*(name.split(".")[0] for name in names), module}, file


def test_nothing_near_the_book_opens_it_as_a_plain_file() -> None:
    """Closing any file handle of a book drops every lock the process holds on it."""
    opened = set()
    for file in (ROOT / "src" / "commonplace").rglob("*.py"):
        parts = file.relative_to(ROOT / "src" / "commonplace").parts
        if parts[0] not in _NEAR_THE_FILE or "postgres" in parts:  # a server's book is no file of ours
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name.rpartition(".")[2] in _OPENING or name.startswith("shutil."):
                    opened.add(f"{file.name}: {name}")
    assert opened == _ALLOWED
    source = (ROOT / "src/commonplace/store/sqlite/connections.py").read_text(encoding="utf-8")
    assert source.count("os.open(") == source.count("os.O_EXCL") == 1


def test_the_engine_is_one_that_does_not_lose_writes_between_processes() -> None:
    """SQLite before 3.51.3 could lose committed writes when several processes reset the log at once."""
    assert tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) >= (3, 51, 3)
