"""Nothing but the protocol on stdout, in UTF-8 whatever the surroundings say, and a server that starts in any case."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.dialects import load_dialect
from tests.serve.conftest import Program, Start
from tests.serve.wire import LIMIT_SECONDS, Wire, environment, mcp_command

# In NFC, as a book keeps it.
SPOKEN = "naïve café x\u0302 q\u0323\u0307 ✓ 👩‍👩‍👧‍👦 🇩🇪 記憶の本 기억 ذاكرة \u202bזיכרון\u202c ﬁ Å \U00020000"


@pytest.fixture
def program() -> Program:
    return mcp_command


def assert_only_protocol(wire: Wire) -> None:
    assert wire.lines
    for line in wire.lines:
        assert json.loads(line)["jsonrpc"] == "2.0"


def test_whatever_is_printed_inside_a_call_goes_to_stderr(start: Start) -> None:
    wire = start(oddity="noisy")
    wire.shake_hands()
    assert wire.call("odd") == {"stdin": ""}, "a tool must not read the wire either"
    assert wire.call("odd") == {"stdin": ""}
    wire.hang_up()
    wire.ended(LIMIT_SECONDS)
    assert_only_protocol(wire)
    log = wire.logged.decode()
    for words in (
        "a library prints",
        "a library writes",
        "somebody writes to the descriptor",
        "a child prints",
        "a shell prints",
        "a library warns",
        "a library logs",
    ):
        assert words in log


def test_a_bug_is_told_to_the_model_without_its_insides_and_to_the_log_with_them(start: Start) -> None:
    wire = start(oddity="broken")
    wire.shake_hands()
    error = wire.call("odd")["error"]
    assert error["code"] == "internal"
    assert "RuntimeError" in error["message"]
    assert "insides" not in json.dumps(error)
    assert wire.count() == 0
    wire.hang_up()
    wire.ended(LIMIT_SECONDS)
    assert b"the insides: /home/somebody/secret" in wire.logged
    assert_only_protocol(wire)


@pytest.mark.parametrize("verbose", [(), ("--verbose",)])
def test_a_quiet_session_logs_nothing(start: Start, verbose: tuple[str, ...]) -> None:
    wire = start(*verbose)
    wire.shake_hands()
    wire.call("memory_remember", text="The harbour opens at dawn")
    wire.hang_up()
    wire.ended(LIMIT_SECONDS)
    assert_only_protocol(wire)
    assert b"harbour" not in wire.logged
    if not verbose:
        assert wire.logged == b""


@pytest.mark.parametrize(
    "surroundings",
    [
        {},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii:strict", "LANG": "C", "LC_ALL": "C"},
        {"PYTHONUTF8": "0", "LANG": "C", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONUTF8": "0", "LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252"},
    ],
    ids=lambda surroundings: ",".join(f"{name}={value}" for name, value in surroundings.items()) or "plain",
)
def test_texts_round_trip_letter_for_letter_whatever_the_surroundings(
    start: Start, surroundings: dict[str, str]
) -> None:
    wire = start(**surroundings)
    wire.shake_hands()
    escaped = wire.call("memory_remember", text=SPOKEN)
    message = {"jsonrpc": "2.0", "id": 5, "method": "tools/call"}
    message["params"] = {"name": "memory_remember", "arguments": {"text": SPOKEN}}
    wire.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
    plain = wire.answer_to(5)["result"]["structuredContent"]
    assert (plain["id"], plain["outcome"]) == (escaped["id"], "repeated")
    (memory,) = wire.call("memory_list")["memories"]
    assert memory["text"] == SPOKEN
    assert any(SPOKEN.encode() in line for line in wire.lines), "answers are UTF-8, not escapes"


# -- books that cannot be opened --------------------------------------------------------------


def assert_answers_with(wire: Wire, code: str, *words: str) -> None:
    """It starts, lists its tools, and says on each call what is wrong."""
    assert wire.shake_hands()["serverInfo"]["name"] == "commonplace"
    assert len(wire.ask("tools/list")["result"]["tools"]) == len(load_dialect("native").tools)
    for tool, arguments in (("memory_recall", {"query": "x"}), ("memory_remember", {"text": "x"})):
        error: Any = wire.call(tool, **arguments)["error"]
        assert error["code"] == code
        for word in words:
            assert word in error["message"]
    assert "error" in wire.ask("resources/read", {"uri": "memory://mem_01"})
    assert "error" in wire.ask("prompts/get", {"name": "what_do_you_remember", "arguments": {"topic": "x"}})
    wire.hang_up()
    assert wire.ended(LIMIT_SECONDS) == 0


def test_a_file_that_is_no_book_is_told_by_each_call_and_left_alone(start: Start, store: Path) -> None:
    store.write_bytes(b"These are my tax returns.\n" * 500)
    assert_answers_with(start(), "not_a_book", str(store))
    assert store.read_bytes() == b"These are my tax returns.\n" * 500


def test_a_newer_book_is_told_by_each_call(start: Start, store: Path) -> None:
    first = start()
    first.shake_hands()
    first.call("memory_remember", text="The harbour opens at dawn")
    first.hang_up()
    first.ended(LIMIT_SECONDS)
    connection = apsw.Connection(str(store))
    connection.pragma("user_version", 4_000)
    connection.close()
    assert_answers_with(start(), "schema_too_new")


def test_a_place_that_cannot_be_written_is_told_by_each_call(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    assert_answers_with(start("--store", str(tmp_path / "file" / "book.db")), "store_unwritable", "file")


def test_a_project_that_is_no_folder_is_told_by_each_call_until_it_is_one(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "later"
    wire = start("--project", str(folder))
    wire.shake_hands()
    assert "later" in wire.call("memory_recall", query="x")["error"]["message"]
    folder.mkdir()
    assert wire.call("memory_recall", query="x")["memories"] == []


def test_a_setting_that_cannot_be_used_is_told_by_each_call(start: Start) -> None:
    assert_answers_with(start(COMMONPLACE_MODEL="nonesuch"), "invalid_input", "nonesuch")


def test_a_folder_that_is_not_there_yet_is_made_by_the_first_write(start: Start, tmp_path: Path) -> None:
    wire = start("--store", str(tmp_path / "new" / "folder" / "book.db"))
    wire.shake_hands()
    assert wire.call("memory_recall", query="harbour")["memories"] == []
    assert not (tmp_path / "new").exists()
    wire.call("memory_remember", text="The harbour opens at dawn")
    assert len(wire.call("memory_recall", query="harbour")["memories"]) == 1


def test_a_dialect_there_is_not_is_a_usage_error(store: Path) -> None:
    done = subprocess.run(
        mcp_command(store, "--dialect", "klingon"),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "klingon" in done.stderr
    assert "native" in done.stderr


# -- by hand ----------------------------------------------------------------------------------


def test_on_a_terminal_it_says_one_line_and_ctrl_c_ends_it_cleanly(store: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(mcp_command(store), stdin=theirs, stdout=theirs, stderr=theirs, env=environment())
    os.close(theirs)
    shown = b""
    while b"\n" not in shown:
        shown += os.read(ours, 65_536)
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
    os.write(ours, hello)
    while b'"result"' not in shown:  # so that it is up, and not in the middle of its imports
        shown += os.read(ours, 65_536)
    process.send_signal(signal.SIGINT)  # what a terminal makes of Ctrl-C
    assert process.wait(LIMIT_SECONDS) == 0
    shown += _rest(ours)
    os.close(ours)
    said = [line for line in shown.decode().splitlines() if line.strip() and "jsonrpc" not in line]
    assert len(said) == 1
    assert "Ctrl-C" in said[0]


def test_it_can_be_interrupted_while_a_call_is_blocked(start: Start) -> None:
    wire = start(oddity="blocked")
    wire.shake_hands()
    wire.send(id=7, method="tools/call", params={"name": "odd", "arguments": {}})
    wire.ask("ping")
    wire.signal(signal.SIGINT)
    wire.ended(2.0)


def _rest(terminal: int) -> bytes:
    shown = b""
    try:
        while part := os.read(terminal, 65_536):
            shown += part
    except OSError:  # Linux's way to say that the other side has closed
        pass
    return shown
