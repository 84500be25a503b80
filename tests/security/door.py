"""Raw requests to a server, and a server in a process of its own, as `commonplace serve` starts it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from queue import Queue

from commonplace.domain.record import Record
from tests.serve.wire import environment

LIMIT_SECONDS = 60  # nobody waits longer than this: a hang is a failure, not a timing
GONE = 0  # the server hung up without an answer, which lets nobody in
SERVING = re.compile(r"Serving (?P<store>.*) at http://(?P<host>\S+):(?P<port>\d+): (?P<surfaces>.*)\.")

Lines = Iterable[tuple[str, str | bytes]]


class Heard(Record):
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def request(method: str, path: str, lines: Lines = (), body: bytes = b"") -> bytes:
    """A request with exactly these header lines, whatever they say."""
    head = [f"{method} {path} HTTP/1.1".encode("latin-1")]
    for name, value in lines:
        head.append(name.encode("latin-1") + b": " + (value.encode("latin-1") if isinstance(value, str) else value))
    return b"\r\n".join((*head, b"", body))


def ask(port: int, method: str, path: str, lines: Lines = (), body: bytes = b"") -> Heard:
    """One request on a connection of its own."""
    return ask_raw(port, request(method, path, lines, body), method=method)


def ask_raw(port: int, data: bytes, patience_seconds: float = LIMIT_SECONDS, method: str = "GET") -> Heard:
    """These bytes and nothing more; whoever is still waiting for the rest of them has not answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=patience_seconds) as connection:
        return _exchange(connection, data, method)[0]


class Caller:
    """Many requests, on one connection as long as the server keeps it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection: socket.socket | None = None

    def ask(self, method: str, path: str, lines: Lines = (), body: bytes = b"") -> Heard:
        kept = self._connection is not None
        connection = self._connection or socket.create_connection(("127.0.0.1", self._port), timeout=LIMIT_SECONDS)
        heard, goes_on = _exchange(connection, request(method, path, lines, body), method)
        self._connection = connection if goes_on else None
        if not goes_on:
            connection.close()
        return self.ask(method, path, lines, body) if kept and heard.status == GONE else heard

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


def _exchange(connection: socket.socket, data: bytes, method: str) -> tuple[Heard, bool]:
    """What was answered, and whether the connection can be used again."""
    with suppress(OSError):  # it may hang up while we still talk; what it said is read all the same
        connection.sendall(data)
    try:
        answer = HTTPResponse(connection, method=method)
        answer.begin()
        heard = Heard(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        return heard, not answer.will_close
    except (OSError, HTTPException):
        return Heard(GONE, {}, b""), False


class Process:
    """`commonplace serve`, with what it says on stderr."""

    def __init__(self, words: tuple[str, ...], folder: Path, variables: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "commonplace", "serve", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            env=environment(HOME=str(folder), **variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.said = ""
        self.port = 0
        self._heard: Queue[str] = Queue()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line.decode()
            self._heard.put(line.decode())
        self._heard.put("")

    def announced(self) -> re.Match[str]:
        """The line that says it serves; fails if it ends without one."""
        while line := self._heard.get(timeout=LIMIT_SECONDS):
            if found := SERVING.search(line):
                self.port = int(found["port"])
                return found
        raise AssertionError(f"it never served: {self.said}")

    def ended(self) -> int:
        """Its exit code, after it ended by itself."""
        code = self.process.wait(LIMIT_SECONDS)
        self._reader.join(LIMIT_SECONDS)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
        try:
            self.ended()
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


@contextmanager
def serving(folder: Path, *words: str, **variables: str) -> Iterator[Process]:
    """A server on `book.db` in the folder, unless a variable names another store."""
    given = {"COMMONPLACE_STORE": str(folder / "book.db"), "COMMONPLACE_PORT": "0", **variables}
    started = Process(words, folder, given)
    try:
        yield started
    finally:
        started.stop()
