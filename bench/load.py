"""The team server under load: requests a second and p99 over HTTP beside the same engine called in-process.

    python bench/load.py [--store URL] [--clients 16] [--seconds 20] [--soak-minutes 0]

A real server process, clients with a connection each. With --soak-minutes the load goes on and the
server's memory is printed every minute: it should be flat.
"""

import argparse
import http.client
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from commonplace import Book

_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "on", "us")]
WORDS = ["".join(random.Random(number).choices(_SYLLABLES, k=3)) for number in range(5_000)]
HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


Call = Callable[[str, dict[str, object]], None]
"""One request: a tool's name and its arguments."""


def sentence(dice: random.Random) -> str:
    return " ".join(dice.choices(WORDS, k=12))


@contextmanager
def served(store: str) -> Iterator[tuple[int, int]]:
    """A server process on a free port: the port, and the process."""
    with socket_port() as port:
        pass
    environment = {**os.environ, "COMMONPLACE_MODEL": "none", "COMMONPLACE_RATE_PER_MINUTE": "100000000"}
    words = [sys.executable, "-m", "commonplace", "serve", "--store", store, "--port", str(port), "--quiet"]
    process = subprocess.Popen(words, env=environment)
    try:
        deadline = time.monotonic() + 30
        while not answers(port):
            if time.monotonic() > deadline or process.poll() is not None:
                raise SystemExit("the server did not start")
            time.sleep(0.05)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(15)


@contextmanager
def socket_port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        yield free.getsockname()[1]


def answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        connection.request("GET", "/ready")
        return connection.getresponse().status == 200
    except OSError:
        return False


def over_http(port: int) -> Callable[[], Call]:
    """A client of its own for each thread."""

    def connect() -> Call:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def call(tool: str, arguments: dict[str, object]) -> None:
            body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
            connection.request("POST", "/mcp", json.dumps(body), HEADERS)
            answer = json.loads(connection.getresponse().read())
            if answer["result"].get("isError"):
                raise SystemExit(f"{tool}: {answer}")

        return call

    return connect


def in_process(book: Book) -> Callable[[], Call]:
    def connect() -> Call:
        def call(tool: str, arguments: dict[str, object]) -> None:
            if tool == "memory_remember":
                book.remember(str(arguments["text"]))
            else:
                book.recall(str(arguments["query"]))

        return call

    return connect


def measure(
    connect: Callable[[], Call],
    tool: str,
    clients: int,
    seconds: float,
) -> tuple[float, float, float]:
    """Requests a second, and the median and p99 in milliseconds."""
    took: list[float] = []
    stop = time.monotonic() + seconds
    lock = threading.Lock()

    def work(number: int) -> None:
        dice, own = random.Random(time.monotonic_ns() + number), []
        call = connect()
        while time.monotonic() < stop:
            key = "text" if tool == "memory_remember" else "query"
            said = sentence(dice) if key == "text" else " ".join(dice.choices(WORDS, k=3))
            started = time.perf_counter()
            call(tool, {key: said})
            own.append((time.perf_counter() - started) * 1000)
        with lock:
            took.extend(own)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    started = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took.sort()
    return len(took) / (time.monotonic() - started), statistics.median(took), took[int(len(took) * 0.99)]


def resident_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", help="a file or an address; a temporary file if it is not given")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--soak-minutes", type=float, default=0)
    given = parser.parse_args()
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {given.clients} clients")
    with tempfile.TemporaryDirectory() as folder:
        store = given.store or str(Path(folder) / "book.db")
        print(f"{'':28}{'requests/s':>12}{'median ms':>12}{'p99 ms':>12}{'x in-process':>14}")
        with Book.open(store, model="none") as book:
            alone = {tool: measure(in_process(book), tool, given.clients, given.seconds / 2) for tool in TOOLS}
        with served(store) as (port, pid):
            for tool in TOOLS:
                rate, median, slowest = alone[tool]
                print(f"{tool + ' in-process':28}{rate:12.0f}{median:12.1f}{slowest:12.1f}{1.0:14.2f}")
                rate, median, slowest = measure(over_http(port), tool, given.clients, given.seconds)
                print(f"{tool + ' over HTTP':28}{rate:12.0f}{median:12.1f}{slowest:12.1f}{rate / alone[tool][0]:14.2f}")
            for minute in range(int(given.soak_minutes)):
                measure(over_http(port), "memory_recall", given.clients, 60)
                print(f"after {minute + 1} min of recall: {resident_megabytes(pid):.0f} MB resident")


TOOLS = ("memory_remember", "memory_recall")

if __name__ == "__main__":
    main()
