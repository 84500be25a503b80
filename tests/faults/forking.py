"""Verbs about forks: a book that was open when its process forked, used by parent and children."""

import os
import signal
import sys
import threading
from typing import Any

from commonplace.book.book import Book
from commonplace.domain.query import Mode
from commonplace.errors import LockTimeout
from commonplace.store.vector_cache import VectorCache
from tests.faults.workshop import found, note, open_book, outcome, say, texts, unhealthy, word


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
    with book._caller.store.writing("local") as unit:
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
            still_locked = outcome(lambda: another.remember(note(2, 2)))
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
