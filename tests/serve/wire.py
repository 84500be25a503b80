"""The raw wire to a real server process: bytes in, lines out, and nothing that tidies them up."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from typing import Any

from tests import warm
from tests.conftest import HASTY

ROOT = Path(__file__).parents[2]
LIMIT_SECONDS = 60  # nobody waits longer than this for a line: a hang is a failure, not a timing
HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "wire", "version": "1"}}

Message = Mapping[str, Any]


def environment(**variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")}
    path = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    ours = {"COMMONPLACE_MODEL": "none", "COMMONPLACE_SYNCHRONOUS": HASTY}
    return {**kept, "PYTHONPATH": path, **ours, **variables}


def mcp_command(store: Path | str, *more: str) -> list[str]:
    return [sys.executable, "-m", "commonplace", "mcp", "--store", str(store), *more]


def forked_command(store: Path | str, *more: str) -> list[str]:
    """The same server without the wait for its imports."""
    return warm.command("mcp", "--store", str(store), *more)


def odd_command(oddity: str, store: Path | str) -> list[str]:
    """A server with one of the oddities of `tests.serve.oddities`."""
    return [sys.executable, "-m", "tests.serve.oddities", oddity, str(store)]


class Wire:
    """One server and the three streams to it."""

    def __init__(self, command: list[str], cwd: Path, **variables: str) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=cwd,
            env=environment(**variables),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: list[bytes] = []
        self.logged = b""
        self._heard: Queue[bytes] = Queue()
        self._last_id = 0
        self._readers = [threading.Thread(target=self._hear), threading.Thread(target=self._keep_log)]
        for reader in self._readers:
            reader.start()

    def _hear(self) -> None:
        assert self.process.stdout is not None
        unfinished = b""
        while part := self.process.stdout.read(65_536):
            *lines, unfinished = (unfinished + part).split(b"\n")
            for line in lines:
                self.lines.append(line)
                self._heard.put(line)
        if unfinished:
            self.lines.append(unfinished)
        self._heard.put(b"")

    def _keep_log(self) -> None:
        assert self.process.stderr is not None
        while part := self.process.stderr.read(65_536):
            self.logged += part

    # -- talking -----------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[self.process.stdin.write(view) :]

    def send(self, **message: Any) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def hear(self) -> Any:
        """The next line, as JSON."""
        line = self._heard.get(timeout=LIMIT_SECONDS)
        assert line, f"the server ended: {self.logged.decode()}"
        return json.loads(line)

    def ask(self, method: str, params: Message | None = None) -> Any:
        """The whole answer to one request, whatever else arrives meanwhile."""
        self._last_id += 1
        self.send(id=f"ask-{self._last_id}", method=method, **({} if params is None else {"params": params}))
        return self.answer_to(f"ask-{self._last_id}")

    def answer_to(self, id: object) -> Any:
        while True:
            message = self.hear()
            if message.get("id") == id:
                return message

    def shake_hands(self, version: str = "2025-11-25") -> Any:
        answer = self.ask("initialize", {**HANDSHAKE, "protocolVersion": version})
        self.send(method="notifications/initialized")
        return answer["result"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """The body of a tool's answer; an error's body has an `error`."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        return json.loads(result["content"][0]["text"])

    def count(self) -> int:
        """How many memories there are, whatever became of them."""
        total: int = self.call("memory_list", status="any", limit=1)["total"]
        return total

    # -- ending ------------------------------------------------------------------------------

    def hang_up(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended(self, within_seconds: float) -> int:
        """Its exit code. Raises if it is still there."""
        code = self.process.wait(within_seconds)
        for reader in self._readers:
            reader.join(LIMIT_SECONDS)
        return code

    def discard(self) -> None:
        self.process.kill()
        self.ended(LIMIT_SECONDS)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


@contextmanager
def wired(command: list[str], cwd: Path, **variables: str) -> Iterator[Wire]:
    wire = Wire(command, cwd, **variables)
    try:
        yield wire
    finally:
        wire.discard()
