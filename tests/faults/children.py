"""Verbs that the fault tests run in processes of their own."""

import json
import re
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

import apsw

from commonplace.book.book import Book
from commonplace.domain.query import Mode
from commonplace.errors import CommonplaceError
from tests.faults.workshop import become, note, open_book, outcome, say, texts, unhealthy, word

PIECE = 9  # letters of a canary that are enough to know it by
MEANING_SAMPLE = 100  # how many memories a check-up looks for by meaning as well


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
                    id
                    for id in islice(acknowledged, MEANING_SAMPLE if vectors else 0)
                    if id not in _ids(book, _text(book, id), Mode.VECTORS)
                ],
            }
        )


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
    report["after"] = outcome(lambda: book.remember(note(0, 3_000)))
    report["get"] = outcome(lambda: book.get(kept[0]))
    report["list"] = outcome(book.list)
    report["recall"] = outcome(lambda: book.recall(word(0, 0)))
    with open_book(path) as another:
        report["recall by another"] = outcome(lambda: another.recall(word(0, 0), counts_use=False))
    report["close"] = outcome(book.close)
    book._caller.store.close()
    take()
    with open_book(path) as book:
        report["recall afresh"] = outcome(lambda: book.recall(word(0, 0), counts_use=False))
        give_back()
        report["later"] = outcome(lambda: book.remember(note(0, 4_000)))
        report["findings"] = unhealthy(book)
        report["lost"] = [id for id in kept if not _text(book, id)]
        report["half"] = [text for text in texts(book) if word(0, 3_000) in text]
    say(report)


def look_from_outside(path: str, deeds: list[str], user: int | None = None) -> None:
    """Try some deeds and say what came of each; for users who may not do everything."""
    if user is not None:
        become(user)
    acts: dict[str, Callable[[Book], object]] = {
        "recall": lambda book: [hit.memory.text for hit in book.recall("harbour", min_relevance=0.0).hits],
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
