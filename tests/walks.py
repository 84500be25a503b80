"""Which files of the package run for one request: the walks that ARCHITECTURE.md tells.

    python -m tests.walks recall|remember|tool|http FOLDER

takes one walk in a process of its own, on a book in FOLDER, and prints as JSON the files in which a function was
called, in the order they were first met, and how many modules were loaded. What runs while modules are imported does
not count; of a server's walk, only what runs from the moment a request is sent until its answer is there, once it has
answered another like it.
"""

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

import commonplace
from commonplace.cli import main
from commonplace.domain.record import Record

PACKAGE = str(Path(commonplace.__file__).parent) + os.sep
QUESTION = "when do we deploy"
SEEDS = 20


class Walked(Record):
    """The files that ran, in the order they were met, and how many modules there were at the end."""

    files: tuple[str, ...]
    modules: int


class Tracer:
    """Notes the files of the package in which a function is called, in every thread, while it is told to."""

    def __init__(self) -> None:
        self.noting = False
        self._files: dict[str, None] = {}
        self._importing = threading.local()
        threading.setprofile(self._heard)
        sys.setprofile(self._heard)

    def _heard(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if code.co_name == "<module>":
            depth = getattr(self._importing, "depth", 0)
            self._importing.depth = depth + {"call": 1, "return": -1}.get(event, 0)
        elif self._is_a_step(event, code.co_filename):
            self._files.setdefault(code.co_filename.removeprefix(PACKAGE), None)

    def _is_a_step(self, event: str, file: str) -> bool:
        importing = getattr(self._importing, "depth", 0) > 0
        return self.noting and event == "call" and not importing and file.startswith(PACKAGE)

    def walked(self) -> Walked:
        """What was noted; nothing is from here on."""
        self.noting = False
        sys.setprofile(None)
        return Walked(tuple(self._files), sum(name.startswith("commonplace") for name in sys.modules))


def of_command(words: list[str]) -> Walked:
    """One command, in this process as in its own."""
    tracer = Tracer()
    tracer.noting = True
    main(words)
    return tracer.walked()


def of_tool(store: Path) -> Walked:
    """A call of `memory_recall` by a host on stdio."""
    from commonplace.config import load
    from commonplace.dialects import load_dialect
    from commonplace.serve.front import Front
    from commonplace.serve.opening import Opening
    from commonplace.serve.stdio import run
    from commonplace.serve.wire import Wire

    tracer = Tracer()
    from_host, to_server = os.pipe()
    from_server, to_host = os.pipe()
    front = Front(Wire(os.fdopen(from_host, "rb"), os.fdopen(to_host, "wb")), Opening({}))
    serving = (load_dialect("native"), front, lambda: load({"store": str(store), "model": "none"}))
    threading.Thread(target=run, args=serving, daemon=True).start()
    host, answers = os.fdopen(to_server, "wb"), os.fdopen(from_server, "rb")

    def send(method: str, params: Mapping[str, object], id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **({} if id is None else {"id": id})}
        host.write(json.dumps(message).encode() + b"\n")
        host.flush()
        if id is not None:
            assert "result" in json.loads(answers.readline())

    about = {"name": "walks", "version": "1"}
    send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}, 1)
    send("notifications/initialized", {})
    asked = {"name": "memory_recall", "arguments": {"query": QUESTION, "limit": SEEDS}}
    send("tools/call", asked, 2)
    tracer.noting = True
    send("tools/call", asked, 3)
    return tracer.walked()


def of_request(store: Path) -> Walked:
    """The same over HTTP, by somebody with a token."""
    from tests.http.conftest import running

    tracer = Tracer()
    with running(store=str(store)) as server:
        token = server.token("local")  # whose memories they are

        def ask() -> None:
            answer = server.call("/mcp", "memory_recall", {"query": QUESTION, "limit": SEEDS}, token)
            assert answer.status == 200

        ask()
        tracer.noting = True
        ask()
        return tracer.walked()


def walks(folder: Path) -> Mapping[str, Callable[[], Walked]]:
    """The walks by name, on a book in a folder that has some memories already."""
    store = folder / "book.db"
    at = ["--store", str(store), "--model", "none"]
    return {
        "recall": lambda: of_command(["recall", QUESTION, *at]),
        "remember": lambda: of_command(["remember", "Releases are cut on Monday", *at]),
        "tool": lambda: of_tool(store),
        "http": lambda: of_request(store),
    }


if __name__ == "__main__":
    found = walks(Path(sys.argv[2]))[sys.argv[1]]()
    print(json.dumps({"files": found.files, "modules": found.modules}), flush=True)
    os._exit(0)  # a server under way is of no further use
