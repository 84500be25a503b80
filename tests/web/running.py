"""`commonplace web` and `commonplace serve` as processes of their own, and the books behind them."""

import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.domain.memory import Origin
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Door
from tests import warm
from tests.conftest import HASTY
from tests.serve.wire import environment

LIMIT_SECONDS = 60
ADDRESS = re.compile(r"http://127\.0\.0\.1:(?P<port>\d+)\S*")
PERSON = Door("cli", Origin.TYPED, "cli")
AGENT = Door("mcp", Origin.AGENT, "assistant")
"""What an agent says through its host."""


@contextmanager
def opened(store: Path | str, door: Door = PERSON, principal: Principal | None = None) -> Iterator[Book]:
    """The book itself, to put something in and to look what the page has done to it."""
    configuration = load({"store": str(store), "model": "none", "synchronous": HASTY})
    with Book.open(configuration=configuration, door=door) as book:
        yield book if principal is None else book.seen_by(principal, door, None)


class Process:
    """One of our servers, with what it says and the address at which it is."""

    def __init__(self, words: tuple[str, ...], folder: Path, variables: Mapping[str, str]) -> None:
        self._words, self._folder, self._variables = words, folder, dict(variables)
        self.said = ""
        self._start()

    def _start(self) -> None:
        self._heard: Queue[str] = Queue()
        self.process = subprocess.Popen(
            warm.command(*self._words),
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            env=environment(HOME=os.environ["HOME"], **self._variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._reader = threading.Thread(target=self._listen, args=(self.process,), daemon=True)
        self._reader.start()
        self.link = self._announced()
        self.port = int(ADDRESS.match(self.link)["port"])  # type: ignore[index]
        self.origin = f"http://127.0.0.1:{self.port}"

    def _listen(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.said += line.decode()
            self._heard.put(line.decode())
        self._heard.put("")

    def _announced(self) -> str:
        """The address it says; fails if it ends, or says nothing for long."""
        try:
            while line := self._heard.get(timeout=LIMIT_SECONDS):
                if found := ADDRESS.search(line):
                    return found[0].rstrip(".:,")
        except Empty:
            pass
        raise AssertionError(f"it never said where it is: {self.said}")

    def kill(self) -> None:
        """As a power cut ends it."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As Ctrl-C ends it."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            self.process.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self._reader.join(LIMIT_SECONDS)
            assert self.process.stdout is not None
            self.process.stdout.close()

    def back(self) -> None:
        """Started again, at the same port."""
        self._variables["COMMONPLACE_PORT"] = str(self.port)
        self._words = tuple(str(self.port) if word == "0" else word for word in self._words)
        self._start()


@contextmanager
def web(store: Path | str, folder: Path, *words: str, **variables: str) -> Iterator[Process]:
    """`commonplace web` on this book."""
    with _running(("web", "--no-open", "--port", "0", *words), store, folder, variables) as process:
        yield process


@contextmanager
def served(store: Path | str, folder: Path, *words: str, **variables: str) -> Iterator[Process]:
    """`commonplace serve` on this book."""
    with _running(("serve", *words), store, folder, {"COMMONPLACE_PORT": "0", **variables}) as process:
        yield process


@contextmanager
def _running(
    words: tuple[str, ...], store: Path | str, folder: Path, variables: Mapping[str, str]
) -> Iterator[Process]:
    process = Process(words, folder, {"COMMONPLACE_STORE": str(store), **variables})
    try:
        yield process
    finally:
        process.stop()
