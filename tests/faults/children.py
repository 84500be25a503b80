"""What the fault tests run in processes of their own: `python -m tests.faults.children VERB JSON`."""

import json
import os
import random
import re
import resource
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from commonplace.book import Book
from commonplace.errors import CommonplaceError, LockTimeout
from commonplace.lifecycle import Changes
from commonplace.ports import Unit
from commonplace.query import Mode
from commonplace.scope import Scope
from commonplace.store.vector_cache import VectorCache
from tests.faults.workshop import found, open_book, texts, unhealthy

PIECE = 9  # letters of a canary that are enough to know it by
MEANING_SAMPLE = 100  # how many memories a check-up looks for by meaning as well


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


def check_up(path: str, vectors: bool, acknowledged: dict[str, str]) -> None:
    """Everything a fresh pair of eyes can see of a book."""
    connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
    counts = {
        "rows": connection.execute("SELECT count(*) FROM memories").get,
        "words": connection.execute("SELECT count(*) FROM words WHERE rowid > 0").get,
        "vectors": connection.execute("SELECT count(*) FROM vectors").get,
        "numbers": [number for (number,) in connection.execute("SELECT number FROM memories ORDER BY number")],
        "texts": [text for (text,) in connection.execute("SELECT text FROM memories ORDER BY number")],
        "schema": connection.pragma("user_version"),
    }
    connection.close()
    with open_book(path, vectors=vectors) as book:
        say(
            {
                **counts,
                "findings": unhealthy(book),
                "lost": [id for id, word in acknowledged.items() if word not in _text(book, id)],
                "not_recalled": [id for id, word in acknowledged.items() if id not in _ids(book, word, Mode.WORDS)],
                "not_near": [
                    id for id in islice(acknowledged, MEANING_SAMPLE if vectors else 0)
                    if id not in _ids(book, _text(book, id), Mode.VECTORS)
                ],
            }
        )  # fmt: skip


def _ids(book: Book, query: str, mode: Mode) -> set[str]:
    return {hit.memory.id for hit in book.recall(query, mode=mode, limit=3, counts_use=False).hits}


def _text(book: Book, id: str) -> str:
    try:
        return book.get(id).text
    except CommonplaceError:
        return ""


def work(path: str, worker: int, first: int, last: int) -> None:
    """Remember items one by one, saying so before and after each."""
    with open_book(path) as book:
        for item in range(first, last):
            say(["begin", item])
            try:
                kept = book.remember(note(worker, item), tags=[f"worker-{worker}"])
            except CommonplaceError as error:
                say(["error", f"{type(error).__name__} at item {item} of {worker}: {error}"])
                return
            say(["done", item, kept.memory.id])
    say(["end"])


def word(worker: int, item: int) -> str:
    """A word that one item of one worker has, and nothing else."""
    return f"zq{worker:02d}n{item:04d}"


def note(worker: int, item: int) -> str:
    """What one item says: its own word first, and others that few share."""
    chance = random.Random(f"{worker} {item}")
    return " ".join([word(worker, item), *("".join(chance.choices("aeioubdgklmnprst", k=5)) for _ in range(8))])


def create_together(worker: int) -> None:
    """For each path on standard input, write the first memory of a book that others create at the same time."""
    say("ready")
    for line in sys.stdin:
        asked = json.loads(line)
        with open_book(asked["path"], next_step=asked.get("next_step")) as book:
            try:
                if asked["first"] == "read":
                    texts(book)
                say({"id": book.remember(note(worker, 0)).memory.id, "error": None})
            except CommonplaceError as error:
                say({"error": f"{type(error).__name__}: {error}"})


def upgrade(path: str, next_step: str) -> None:
    """Bring a book up to a later schema, saying so before and after."""
    with open_book(path, next_step=next_step) as book:
        say("begin")
        say(book.care.upgrade())


# -- space -----------------------------------------------------------------------------------


def fill_disk(folder: str) -> None:
    """On a small file system of its own: write until there is no space, look around, free some, go on."""
    filler = Path(folder) / "filler"

    def fill() -> None:
        with filler.open("ab", buffering=0) as file, suppress(OSError):
            while file.write(bytes(4_096)):
                pass

    _without_space(Path(folder) / "book.db", fill, filler.unlink)


def limit_file_size(folder: str) -> None:
    """Under a limit on how large a file may grow: the same."""
    path = Path(folder) / "book.db"
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit() -> None:
        size = max(file.stat().st_size for file in path.parent.glob("book.db*") if not file.name.endswith("-shm"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    _without_space(path, limit, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard)))


def _without_space(path: Path, take: Callable[[], object], give_back: Callable[[], object]) -> None:
    report: dict[str, object] = {}
    book = open_book(path)
    kept = [book.remember(note(0, item)).memory.id for item in range(20)]
    take()
    for item in range(20, 2_000):
        try:
            kept.append(book.remember(note(0, item)).memory.id)
        except CommonplaceError as error:
            report |= {"error": type(error).__name__, "message": error.message}
            break
    report["after"] = _outcome(lambda: book.remember(note(0, 3_000)))
    report["get"] = _outcome(lambda: book.get(kept[0]))
    report["list"] = _outcome(lambda: book.list())
    report["recall"] = _outcome(lambda: book.recall(word(0, 0)))
    with open_book(path) as another:
        report["recall by another"] = _outcome(lambda: another.recall(word(0, 0), counts_use=False))
    report["close"] = _outcome(book.close)
    book._store.close()
    take()
    with open_book(path) as book:
        report["recall afresh"] = _outcome(lambda: book.recall(word(0, 0), counts_use=False))
        give_back()
        report["later"] = _outcome(lambda: book.remember(note(0, 4_000)))
        report["findings"] = unhealthy(book)
        report["lost"] = [id for id in kept if not _text(book, id)]
        report["half"] = [text for text in texts(book) if word(0, 3_000) in text]
    say(report)


def _outcome(act: Callable[[], object]) -> str:
    try:
        act()
    except CommonplaceError as error:
        return f"{type(error).__name__}: {error.message}"
    return "done"


def look_from_outside(path: str, deeds: list[str], user: int | None = None) -> None:
    """Try some deeds and say what came of each; for users who may not do everything.

    The user is changed once everything has been imported: the interpreter may live where they cannot go.
    """
    if user is not None:
        with TemporaryDirectory() as folder, open_book(f"{folder}/book.db") as book:
            book.remember("The harbour opens at dawn")
            assert found(book, "harbour")
            assert unhealthy(book) == []
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    acts: dict[str, Callable[[Book], object]] = {
        "recall": lambda book: [hit.memory.text for hit in book.recall("harbour").hits],
        "list": lambda book: sorted(texts(book)),
        "doctor": unhealthy,
        "remember": lambda book: book.remember("The lighthouse is red").memory.id,
        "purge": lambda book: book.purge(1).ids,
        "backup": lambda book: book.care.backup(f"{path}.copy"),
        "facts": lambda book: dict(book.care.facts()),
    }
    report: dict[str, object] = {}
    with open_book(path, busy_seconds=0.05) as book:
        for deed in deeds:
            try:
                report[deed] = acts[deed](book)
            except CommonplaceError as error:
                report[deed] = {"error": type(error).__name__, "message": error.message}
            except OSError as error:
                report[deed] = {"error": f"raw {type(error).__name__}", "message": str(error)}
    say(report)


def scan(folder: str, words: list[str], blobs: list[str]) -> None:
    """Which words, whole or in pieces, and which blobs (in hexadecimal) occur in the files of a folder.

    A word index leaves out what a word has in common with the one before it, and cuts the words
    that separate its pages: so every piece of a word counts, in any case.
    """
    pieces = {
        word[start : start + PIECE].lower().encode(): word for word in words for start in range(len(word) - PIECE + 1)
    }
    hits = set()
    for file in sorted(Path(folder).rglob("*")):
        if file.is_file():
            content = file.read_bytes()
            for run in re.findall(rb"[a-z0-9]{%d,}" % PIECE, content.lower()):
                windows = (run[start : start + PIECE] for start in range(len(run) - PIECE + 1))
                hits |= {f"{file.name}: {pieces[window]}" for window in windows if window in pieces}
            hits |= {f"{file.name}: vector {blob[:16]}…" for blob in blobs if bytes.fromhex(blob) in content}
    say(sorted(hits))


# -- forks -----------------------------------------------------------------------------------


def use_after_fork(path: str, children: int, leave: str) -> None:
    """Share an open book with forked children: everybody writes, reads and leaves, the parent last."""
    book = open_book(path)
    book.remember(note(0, 0))
    book.recall(word(0, 0))
    forked = []
    for child in range(1, children + 1):
        process = os.fork()
        if process == 0:
            _live_in_child(book, child, leave)
        forked.append(process)
        book.remember(note(0, child))
    codes = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in forked]
    after = [book.remember(note(0, item)).memory.number for item in range(100, 110)]
    missing = [child for child in range(1, children + 1) if not found(book, word(child, 9), mode=Mode.WORDS)]
    say({"codes": codes, "after": after, "missing": missing, "findings": unhealthy(book), "rows": len(texts(book))})
    book.close()


def _live_in_child(book: Book, child: int, leave: str) -> None:
    code = 1
    try:
        for item in range(10):
            book.remember(note(child, item))
            assert found(book, word(child, item), mode=Mode.WORDS)
            assert found(book, word(0, 0), mode=Mode.WORDS)
        if leave == "close":
            book.close()
        code = 0
    finally:
        if leave == "exit":
            sys.exit(code)  # the interpreter takes everything down, also what the parent had opened
        os._exit(code)


def fork_in_a_transaction(path: str) -> None:
    """Fork while a transaction is open: the child has no part in it, and its end does not end it."""
    book = open_book(path, busy_seconds=0.05)
    book.remember(note(0, 0))
    with book._store.writing("local") as unit:
        unit.memories.next_number()
        process = os.fork()
        if process == 0:
            kept_out = 0
            try:
                assert found(book, word(0, 0), mode=Mode.WORDS)
                book.remember(note(1, 1))
            except LockTimeout:
                kept_out = 1
            book.close()
            os._exit(kept_out)
        _, status = os.waitpid(process, 0)
        locked = os.waitstatus_to_exitcode(status)
        with open_book(path, busy_seconds=0.05) as another:
            still_locked = _outcome(lambda: another.remember(note(2, 2)))
    book.remember(note(0, 1))
    say({"child kept out": locked, "still locked": still_locked, "findings": unhealthy(book), "rows": len(texts(book))})
    book.close()


def fork_while_a_thread_looks(path: str) -> None:
    """Fork while another thread is inside the vector cache: the child must be able to look, too."""
    book = open_book(path)
    book.remember(note(0, 0))
    book.recall(word(0, 0))
    inside, leave, parent, look = threading.Event(), threading.Event(), os.getpid(), VectorCache.nearest

    def linger(*arguments: Any) -> Any:
        if os.getpid() == parent and threading.current_thread() is not threading.main_thread():
            inside.set()
            leave.wait()
        return look(*arguments)

    VectorCache.nearest = linger  # type: ignore[method-assign]
    thread = threading.Thread(target=lambda: book.recall(word(0, 0), counts_use=False))
    thread.start()
    inside.wait()
    process = os.fork()
    if process == 0:
        signal.alarm(5)  # a child that hangs is ended by the system
        os._exit(0 if book.recall(word(0, 0), counts_use=False).hits else 1)
    _, status = os.waitpid(process, 0)
    leave.set()
    thread.join()
    say({"code": os.waitstatus_to_exitcode(status)})
    book.close()


# -- the companion ---------------------------------------------------------------------------


class Obedience:
    """Deeds on one book, asked for one at a time on standard input."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._held: list[Any] = []

    def remember(self, text: str, **fields: object) -> str:
        return self.book.remember(text, **fields).memory.id

    def update(self, id: str, text: str) -> int:
        return self.book.update(id, Changes(text=text)).revision

    def move(self, id: str, scope: str) -> None:
        self.book.update(id, Changes(scope=Scope.parse(scope)))

    def forget(self, id: str) -> None:
        self.book.forget(id)

    def restore(self, id: str) -> None:
        self.book.restore(id)

    def purge(self, id: str) -> bool:
        return self.book.purge(id).erasure.complete

    def recall(self, query: str) -> list[str]:
        return sorted(found(self.book, query))

    def texts(self) -> list[str]:
        return sorted(texts(self.book))

    def restore_backup(self, source: str) -> int:
        return self.book.care.restore(source)

    def reset(self) -> None:
        self.book.care.reset()

    def drop_vectors(self) -> None:
        with self._unit("writing") as unit:
            for name in unit.vectors.counts():
                unit.vectors.drop_space(name)

    def begin_writing(self) -> None:
        """Open a write transaction, with something in it, and keep it open."""
        unit = self._hold("writing")
        unit.memories.next_number()

    def begin_reading(self) -> int:
        """Keep a snapshot open."""
        return len(list(self._hold("reading").memories.each()))

    def end(self) -> None:
        self._held.pop().__exit__(None, None, None)

    def damage(self, statement: str) -> None:
        connection = apsw.Connection(str(self.book.care.facts()["place"]))
        connection.pragma("writable_schema", True)
        for _ in connection.execute(statement):
            pass
        connection.close()

    def _hold(self, how: str) -> Unit:
        self._held.append(self._unit(how))
        unit: Unit = self._held[-1].__enter__()
        return unit

    def _unit(self, how: str) -> Any:
        return getattr(self.book._store, how)("local")


def obey(path: str, **options: Any) -> None:
    with open_book(path, **options) as book:
        deeds = Obedience(book)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                result = getattr(deeds, asked.pop("deed"))(**asked)
            except CommonplaceError as error:
                say({"error": f"{type(error).__name__}: {error}"})
            else:
                say({"result": result})


VERBS: dict[str, Callable[..., None]] = {
    each.__name__: each for each in (
        check_up, work, create_together, upgrade, fill_disk, limit_file_size, look_from_outside, scan,
        use_after_fork, fork_in_a_transaction, fork_while_a_thread_looks, obey,
    )
}  # fmt: skip

if __name__ == "__main__":
    VERBS[sys.argv[1]](**json.loads(sys.stdin.read() if sys.argv[2] == "-" else sys.argv[2]))
