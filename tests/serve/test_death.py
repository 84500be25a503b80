"""The server goes when its host goes, however that happens and whatever it is doing, and leaves a sound book."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.workshop import Companion, assert_sound
from tests.serve.conftest import Program, Start
from tests.serve.wire import LIMIT_SECONDS, Wire, environment, mcp_command
from tests.waiting import wait_until

GONE_SECONDS = 2.0

# A host: starts the server given to it, says the numbers of its children once the server answers, and waits to
# be killed. As `heir`, its other child inherits the write end of the server's stdin and keeps it open. Only host
# and server hold the host's stderr: where that ends, both are gone.
HOST = """
import json, subprocess, sys, time
how, *command = sys.argv[1:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, pass_fds=[server.stdin.fileno()] if how == "heir" else [])
hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
         "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}}
server.stdin.write(json.dumps(hello).encode() + b"\\n")
server.stdin.flush()
server.stdout.readline()
print(server.pid, other.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def program() -> Program:
    return mcp_command


@pytest.mark.parametrize("how", ["alone", "heir"])
def test_it_goes_when_its_host_is_killed_even_if_another_process_holds_the_pipe(
    how: str, store: Path, project: Path
) -> None:
    command = [sys.executable, "-c", HOST, how, *mcp_command(store)]
    host = subprocess.Popen(command, cwd=project, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert host.stdout is not None
    assert host.stderr is not None
    children = [int(number) for number in host.stdout.readline().split()]
    host.send_signal(signal.SIGKILL)
    ready, _, _ = select.select([host.stderr], [], [], GONE_SECONDS)
    try:
        assert ready == [host.stderr]
        assert host.stderr.read() == b""
    finally:
        for number in children if not ready else children[1:]:
            os.kill(number, signal.SIGKILL)
        host.communicate()


def test_it_goes_at_once_when_stdin_is_closed(wire: Wire) -> None:
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0


def test_python_is_not_taken_down_under_threads_that_may_be_in_native_code(start: Start) -> None:
    wire = start(oddity="takes-leave")
    wire.shake_hands()
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0
    assert b"taken down" not in wire.logged


def test_it_goes_when_stdin_is_closed_before_a_word_was_said(start: Start) -> None:
    wire = start()
    wire.hang_up()
    assert wire.ended(LIMIT_SECONDS) == 0


def test_it_goes_when_the_host_does_not_read_its_answers_any_more(store: Path, project: Path) -> None:
    process = subprocess.Popen(
        mcp_command(store), cwd=project, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n")
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "ping"}).encode() + b"\n")
    try:
        assert process.wait(GONE_SECONDS) == 0
    finally:
        process.kill()
        process.stdin.close()


def test_it_goes_on_sigterm(wire: Wire) -> None:
    wire.signal(signal.SIGTERM)
    assert wire.ended(GONE_SECONDS) == -signal.SIGTERM


End = Callable[[Wire], None]
ENDS: dict[str, End] = {"closed stdin": Wire.hang_up, "SIGTERM": lambda wire: wire.signal(signal.SIGTERM)}


@pytest.mark.parametrize("end", ENDS)
def test_it_goes_while_a_remember_waits_for_a_locked_book(wire: Wire, store: Path, end: str) -> None:
    kept = wire.call("memory_remember", text="The harbour opens at dawn")
    with Companion(store, vectors=False) as other:
        other.ask("begin_writing")
        wire.send(id=7, method="tools/call", params=remembering("The lighthouse is red"))
        wire.ask("ping")
        ENDS[end](wire)
        wire.ended(GONE_SECONDS)
        other.ask("end")
    report = assert_sound(store, acknowledged={kept["id"]: "harbour"}, vectors=False)
    assert report["texts"] == ["The harbour opens at dawn"]


@pytest.mark.parametrize("oddity", ["blocked", "blocked-loop"])
@pytest.mark.parametrize("end", ENDS)
def test_it_goes_while_a_call_is_blocked_in_a_thread_or_on_the_event_loop(
    start: Start, store: Path, oddity: str, end: str
) -> None:
    wire = start(oddity=oddity)
    wire.shake_hands()
    kept = wire.call("memory_remember", text="The harbour opens at dawn")
    wire.send(id=7, method="tools/call", params={"name": "odd", "arguments": {}})
    wait_for_log(wire, b"blocking now")
    ENDS[end](wire)
    wire.ended(GONE_SECONDS)
    assert_sound(store, acknowledged={kept["id"]: "harbour"}, vectors=False)


def test_what_was_asked_before_stdin_was_closed_is_still_answered(start: Start, store: Path) -> None:
    wire = start()
    wire.shake_hands()
    for number in range(20):
        wire.send(id=number, method="tools/call", params=remembering(f"Buoy {number} is at mile {number * 3}"))
    wire.hang_up()
    answers = [wire.hear() for _ in range(20)]
    assert sorted(answer["id"] for answer in answers) == list(range(20))
    assert [answer for answer in answers if "result" not in answer or answer["result"]["isError"]] == []
    assert wire.ended(GONE_SECONDS) == 0
    assert assert_sound(store, vectors=False)["rows"] == 20


def test_a_book_is_sound_when_the_server_is_killed_among_many_writes(start: Start, store: Path) -> None:
    wire = start()
    wire.shake_hands()
    for number in range(60):
        wire.send(id=number, method="tools/call", params=remembering(f"zqbuoy{number:03} is at mile {number * 3}"))
    answers = [wire.hear() for _ in range(10)]
    wire.signal(signal.SIGKILL)
    wire.ended(GONE_SECONDS)
    ids = {ids_of(answer): f"zqbuoy{answer['id']:03}" for answer in answers}
    assert_sound(store, acknowledged=ids, vectors=False)


def ids_of(answer: dict[str, dict[str, dict[str, str]]]) -> str:
    return answer["result"]["structuredContent"]["id"]


def remembering(text: str) -> dict[str, object]:
    return {"name": "memory_remember", "arguments": {"text": text}}


def wait_for_log(wire: Wire, words: bytes, times: int = 1) -> None:
    wait_until(lambda: wire.logged.count(words) >= times, LIMIT_SECONDS, f"{words!r} was not logged {times} times")
