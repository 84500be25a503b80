"""How long another client's recall takes while the server works on a hostile request, beside its quiet time.

    python bench/beside.py [--shapes NAME ...] [--seconds 8] [--json FILE]

A real server process. One client sends the largest transcript the gate lets in, of one hostile shape; another recalls
all the while. Printed are medians from the same run: quiet, during, and how many times as long. The server stops a
request after so many seconds (`request_seconds`).
"""

import argparse
import json
import os
import statistics
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

from commonplace import Book
from hostile import shapes
from load import HEADERS, served

NOTES = 2_000
QUIET = 40
BODY_BYTES = 4_000_000
WORST = ("dots", "token words", "one letter lines", "one sentence many times", "marks out of order", "JSON lines")


def request(tool: str, arguments: dict[str, object]) -> bytes:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    return json.dumps(message, ensure_ascii=False).encode()


class Client:
    """A connection of its own."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=300)

    def send(self, body: bytes) -> tuple[float, bytes]:
        """The answer, and how many seconds it took."""
        started = time.perf_counter()
        self._connection.request("POST", "/mcp", body, HEADERS)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{answer.status}: {content[:200]!r}")
        return time.perf_counter() - started, content

    def recall(self) -> float:
        took, content = self.send(request("memory_recall", {"query": "harbour lighthouse"}))
        if json.loads(content)["result"].get("isError"):
            raise SystemExit(f"a recall failed: {content[:200]!r}")
        return took


def transcript(shape: str) -> bytes:
    """The largest request of a shape that is let in."""
    chosen = next(each for each in shapes() if each.name == shape)
    length = BODY_BYTES
    while len(body := request("memory_session", {"transcript": "User: " + chosen.of_length(length)})) > BODY_BYTES:
        length = length * BODY_BYTES // len(body) * 99 // 100
    return body


def beside(port: int, shape: str) -> dict[str, object]:
    """Recalls before, and while one hostile request is worked on."""
    body, other = transcript(shape), Client(port)
    quiet = statistics.median(other.recall() for _ in range(QUIET))
    hostile: list[tuple[float, bytes]] = []
    attack = threading.Thread(target=lambda: hostile.append(Client(port).send(body)))
    attack.start()
    during = [other.recall()]
    while attack.is_alive():
        during.append(other.recall())
    attack.join()
    ordered = sorted(during)
    return {
        "shape": shape,
        "quiet_ms": quiet * 1000,
        "recalls": len(during),
        "during_ms": statistics.median(during) * 1000,
        "slowest_ms": ordered[-1] * 1000,
        "times": statistics.median(during) / quiet,
        "request_s": hostile[0][0],
        "stopped": b"took_too_long" in hostile[0][1],
    }


def fill(store: str) -> None:
    with Book.open(store, model="none") as book:
        for start in range(0, NOTES, 500):
            numbers = range(start, start + 500)
            book.remember_many([book.draft(f"Note {n} on the harbour and the lighthouse of {n % 97}") for n in numbers])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", nargs="+", default=list(WORST))
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    os.environ["COMMONPLACE_REQUEST_SECONDS"] = str(given.seconds)
    found = []
    print(f"{'shape':28}{'quiet ms':>10}{'during ms':>11}{'times':>7}{'slowest ms':>12}{'recalls':>9}{'request s':>11}")
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "book.db")
        fill(store)
        with served(store) as (port, _):
            for shape in given.shapes:
                found.append(one := beside(port, shape))
                stopped = " stopped" if one["stopped"] else ""
                print(
                    f"{shape:28}{one['quiet_ms']:10.1f}{one['during_ms']:11.1f}{one['times']:7.1f}"
                    f"{one['slowest_ms']:12.1f}{one['recalls']:9}{one['request_s']:11.1f}{stopped}",
                    flush=True,
                )
    if given.json:
        given.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
