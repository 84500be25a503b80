"""The server, started as a host would start it: with a bare environment, by its whole path, over its pipes."""

import json
import subprocess
from collections.abc import Mapping
from threading import Timer
from time import perf_counter
from typing import IO, Any

from commonplace.domain.record import Record
from commonplace.setup.launch import Launch

LIMIT_SECONDS = 60
PASSED_ON = ("HOME", "LOGNAME", "PATH", "SHELL", "USER", "LANG", "TMPDIR", "SYSTEMROOT", "APPDATA", "LOCALAPPDATA")
"""What the most careful of hosts passes on."""

_HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "setup", "version": "1"}}


class Connection(Record):
    """What came of it: how many tools, after how long, and whether a recall was answered; or the problem."""

    tools: int
    seconds: float
    problem: str = ""


def connect(launch: Launch, environment: Mapping[str, str], folder: str) -> Connection:
    """Start the server, shake hands, list its tools and recall once; it is gone when this returns."""
    passed = {name: value for name, value in environment.items() if name in PASSED_ON}
    started = perf_counter()
    try:
        process = subprocess.Popen(
            list(launch.server),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**passed, **launch.environment},
            cwd=folder,
        )
    except OSError as error:
        return Connection(0, 0, f"{launch.words[0]} cannot be started ({error.strerror})")
    clock = Timer(LIMIT_SECONDS, process.kill)
    clock.start()
    try:
        with process:
            return _talk(process, started)
    except (OSError, ValueError, KeyError, TypeError):
        return Connection(0, perf_counter() - started, "the server did not answer as it should")
    finally:
        clock.cancel()
        process.kill()


def _talk(process: "subprocess.Popen[bytes]", started: float) -> Connection:
    into, out = process.stdin, process.stdout
    if into is None or out is None:
        raise ValueError("no pipes")
    _ask(into, out, 1, "initialize", _HELLO)
    into.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    tools = _ask(into, out, 2, "tools/list", {})["tools"]
    seconds = perf_counter() - started
    answer = _ask(into, out, 3, "tools/call", {"name": "memory_recall", "arguments": {"query": "anything"}})
    into.close()
    said = answer["content"][0]["text"] if answer.get("isError") else ""
    return Connection(len(tools), seconds, f"a recall was refused: {said}" if said else "")


def _ask(into: IO[bytes], out: IO[bytes], number: int, method: str, params: Mapping[str, object]) -> Any:
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    into.write(json.dumps(request).encode() + b"\n")
    into.flush()
    while line := out.readline():
        answer = json.loads(line)
        if answer.get("id") == number:
            return answer["result"]
    raise ValueError("it ended")
