"""A line, a batch, a nesting is measured before it is read whole; nothing but a plain file is waited for."""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects.aleph.methods import METHODS
from commonplace.maintenance.transfer import LINE_LIMIT as IMPORT_LINE_LIMIT
from commonplace.serve import rpc
from commonplace.serve.front import LINE_LIMIT
from commonplace.workspace.bounded_files import bounded_lines
from tests.http.conftest import StartServer, start  # noqa: F401 - a fixture
from tests.serve.wire import mcp_command, wired

WAIT_SECONDS = 60  # a hang is a failure, not a timing
MEGABYTE = 1 << 20
ENDLESS = 128  # megabytes


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


def run(
    store: Path, words: Sequence[str], feed: Callable[[], bytes] | None = None, pieces: int = 0, memory: int = 0
) -> subprocess.CompletedProcess[str]:
    """The command line as a process of its own, fed with so many pieces, perhaps within some megabytes of memory."""
    with subprocess.Popen(
        [sys.executable, "-m", "commonplace", *words, "--store", str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "COMMONPLACE_MODEL": "none"},
    ) as process:
        if memory:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory * MEGABYTE, memory * MEGABYTE))
        assert process.stdin is not None
        try:
            for _ in range(pieces):
                process.stdin.write(feed() if feed else b"")
        except BrokenPipeError:
            pass  # it had heard enough
        out, err = process.communicate(timeout=WAIT_SECONDS)
    return subprocess.CompletedProcess(words, process.returncode, out.decode(), err.decode())


def header() -> bytes:
    return b'{"format":"commonplace-export","version":1,"exported_at":0}\n'


def test_an_endless_line_of_an_import_is_not_held(store: Path, tmp_path: Path) -> None:
    """More in one line than there is memory for, from a file and from a pipe."""
    document = tmp_path / "long.jsonl"
    with document.open("wb") as target:
        target.write(header())
        for _ in range(ENDLESS):
            target.write(b"a" * MEGABYTE)
        target.write(b"\n")
    for words, pieces in ((["import", str(document)], 0), (["import", "-"], 0)):
        feed = iter([header(), *[b"a" * MEGABYTE] * ENDLESS, b"\n"])
        done = run(store, words, lambda feed=feed: next(feed), ENDLESS + 2 if words[-1] == "-" else pieces, memory=180)
        assert done.returncode == 1, done.stderr
        assert f"line 2: The line is longer than {IMPORT_LINE_LIMIT:,} characters." in done.stderr


def test_lines_behind_an_endless_one_are_read(tmp_path: Path) -> None:
    place = tmp_path / "lines"
    place.write_text("short\n" + "b" * 25 + "\nlast")
    with place.open() as stream:
        assert list(bounded_lines(stream, 10)) == ["short\n", "b" * 11, "last"]


def test_a_transcript_is_read_as_it_comes(store: Path) -> None:
    """What cannot be a transcript is refused at its first line, while the pipe it comes through is still open."""
    words = [sys.executable, "-m", "commonplace", "session", "save", "-", "--store", str(store)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(b"\x00\n" + b"a\n" * 20_000)
        process.stdin.flush()
        assert process.wait(WAIT_SECONDS) == 1
        assert b"binary data" in process.stderr.read()


COMMANDS_WITH_A_FILE = (
    ("import", "{}"),
    ("remember", "--file", "{}"),
    ("session", "save", "{}"),
    ("memory", "import", "{}"),
    ("memory", "confirm-capture", "{}"),
    ("docs", "add", "{}"),
)


@pytest.mark.parametrize("kind", ["fifo", "device"])
@pytest.mark.parametrize("command", COMMANDS_WITH_A_FILE, ids=lambda words: " ".join(words[:-1]))
def test_what_is_no_plain_file_is_refused_and_not_waited_for(
    store: Path, tmp_path: Path, command: tuple[str, ...], kind: str
) -> None:
    place = tmp_path / "endless"
    if kind == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to("/dev/zero")
    done = run(store, [word.format(place) for word in command], memory=700)
    assert done.returncode in (1, 2), (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr


# -- JSON-RPC ---------------------------------------------------------------------------------


def answered(body: bytes) -> object:
    return rpc.respond(METHODS, lambda method, params: pytest.fail("it was performed"), body)


@pytest.mark.parametrize(
    "batch",
    [
        b"[" + b",".join([b"1"] * (rpc.BATCH_LIMIT + 1)) + b"]",
        b"[" + b"1," * 1_000_000,
        b"[" + b"{}," * rpc.BATCH_LIMIT + b"!!! not even JSON",
        b"[]",
    ],
)
def test_a_batch_of_too_many_is_refused_before_any_of_it_is_performed_or_the_rest_is_read(batch: bytes) -> None:
    error = answered(batch)["error"]  # type: ignore[index]
    assert error["code"] == rpc.INVALID_REQUEST
    assert str(rpc.BATCH_LIMIT) in error["message"]


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100_000 + b"]" * 100_000, b"[1,[2,[" * 9])
def test_nesting_without_end_is_an_answer(body: bytes) -> None:
    assert answered(body)["error"]["code"] == rpc.PARSE_ERROR  # type: ignore[index]


@pytest.mark.parametrize("body", ["[1]", ' [1, "a]" , {"b": [2]}] ', "[1,\n\t2\r]", "3", '{"a": 1}', "\ufeff[1]"])
def test_a_body_is_read_as_json_is(body: str) -> None:
    data = json.loads(body.encode())
    count = len(data) if isinstance(data, list) else 1
    answers = answered(body.encode())
    assert len(answers if isinstance(answers, list) else [answers]) == count


@pytest.mark.parametrize("body", ["[1,]", "[,1]", "[1 2]", "[1", "[1]x", "[1]]", "", "[\u00a01]"])
def test_what_is_no_json_is_refused(body: str) -> None:
    with pytest.raises(ValueError):
        json.loads(body)
    assert answered(body.encode())["error"]["code"] == rpc.PARSE_ERROR  # type: ignore[index]


def test_a_server_answers_what_is_too_much_of_anything(start: StartServer) -> None:  # noqa: F811
    server = start()
    bodies = (b"[" * 1_000_000, b'{"a":' * 500_000, b"[" + b"1," * 1_000_000, b'"' + b"\\" * 3_000_000)
    for path in ("/rpc", "/mcp"):
        for body in bodies:
            reply = server.send("POST", path, body, accept="application/json, text/event-stream")
            assert reply.status in (200, 400), (path, body[:10], reply)
    assert server.call("/mcp", "memory_list", {}).json["result"]["structuredContent"]["total"] == 0
    print(f"{2 * len(bodies)} bodies, every one answered")


# -- stdio ------------------------------------------------------------------------------------


def test_a_line_too_long_is_answered_and_never_held(store: Path, tmp_path: Path) -> None:
    with wired(mcp_command(store), tmp_path) as wire:
        wire.shake_hands()
        assert wire.count() == 0  # so that all is imported that ever will be
        before = resident_megabytes(wire.process.pid)
        for _ in range(4):
            wire.write(b"a" * LINE_LIMIT)
        wire.write(b"\n")
        assert f"{LINE_LIMIT:,} bytes" in wire.hear()["error"]["message"]
        assert resident_megabytes(wire.process.pid) - before < 3 * LINE_LIMIT / MEGABYTE
        wire.write(b"[" * 200_000 + b"\n")
        assert "nested too deep" in wire.hear()["error"]["message"]
        assert wire.count() == 0


def resident_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmHWM")).split()[1]) / 1024


# -- arguments --------------------------------------------------------------------------------


def test_arguments_without_end_are_refused_by_name(store: Path) -> None:
    deep: object = "a"
    for _ in range(500):
        deep = [deep]
    with Book.open(str(store), model="none") as book:
        for tool in METHODS.tools:
            assert perform(METHODS, book, tool.name, {"query": deep}).failed
