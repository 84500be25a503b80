"""Long work stops when its time is over or nobody waits for it, with nothing half-written."""

import ast
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
import pytest
from bench.hostile import shapes

from commonplace import deadline
from commonplace.book.book import Book
from commonplace.book.edits import Edit
from commonplace.deadline import FREE_SECONDS, Deadline
from commonplace.dialects import dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.query import Filter
from commonplace.engine.lifecycle import Changes
from commonplace.errors import TookTooLong
from commonplace.sessions.transcripts import read_text
from tests.http.conftest import StartServer, start  # noqa: F401 - a fixture
from tests.serve.wire import mcp_command, wired
from tests.test_architecture import modules, tree
from tests.waiting import stays, wait_until

WAIT_SECONDS = 60  # a hang is a failure, not a timing
QUIET_SECONDS = 0.5  # a call that gives way rests for a millisecond at a time
STOPS = 24  # at so many of its checks each deed is stopped, spread over all of them
TALK = "User: I always prefer tabs over spaces, number {}.\nAssistant: Noted.\n"

Deed = Callable[[Book], object]


# -- the deadline -----------------------------------------------------------------------------


def test_without_a_deadline_there_is_all_the_time() -> None:
    deadline.check()
    assert list(deadline.each([1, 2])) == [1, 2]


def test_time_that_is_over_stops_the_next_step_and_nothing_outside() -> None:
    with pytest.raises(TookTooLong, match="longer than 0 seconds"):
        Deadline(0).run(lambda: list(deadline.each(iter([1, 2]))))
    deadline.check()


def test_a_call_that_was_cancelled_stops_whatever_time_it_has() -> None:
    cancelled = Deadline(None)
    cancelled.cancel()
    with pytest.raises(TookTooLong, match="Nobody waits"):
        cancelled.run(deadline.check)


def test_a_call_that_gives_way_rests_when_it_has_taken_a_while() -> None:
    rests: list[bool] = []

    def busy() -> None:
        started = time.thread_time()
        while time.thread_time() - started < 2 * FREE_SECONDS:
            pass
        before = time.perf_counter() - time.thread_time()
        deadline.check()
        rests.append(time.perf_counter() - time.thread_time() - before >= deadline.REST_SECONDS / 2)

    Deadline(None, gives_way=True).run(busy)
    assert rests == [True]


# -- who asks ---------------------------------------------------------------------------------


def asks(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "deadline" for each in ast.walk(node))


def calls(node: ast.AST, *names: str) -> bool:
    return any(
        isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in names
        for each in ast.walk(node)
    )


def test_whoever_goes_through_pages_or_through_every_memory_asks_on_the_way() -> None:
    """Found in the source, so that a new loop is asked for it too."""
    loops = 0
    silent = []
    for module in modules():
        if module.startswith(("commonplace.store", "commonplace.cli", "commonplace.maintenance.migrate")):
            continue  # stores are asked through their users; nobody waits at the command line but its own user
        for node in ast.walk(tree(module)):
            paged = isinstance(node, ast.While) and calls(node, "page", "list")
            source = node.iter if isinstance(node, ast.For | ast.comprehension) else None
            if paged or ((source is not None and calls(source, "states_at")) or _every_memory(source)):
                loops += 1
                if not asks(node):
                    silent.append(f"{module}:{getattr(node, 'lineno', getattr(source, 'lineno', 0))}")
    print(f"{loops} loops over pages or over every memory, {len(silent)} silent")
    assert loops > 10
    assert silent == []


def _every_memory(source: ast.AST | None) -> bool:
    """`unit.memories.each()`."""
    return source is not None and any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Attribute)
        and each.func.attr == "each"
        and isinstance(each.func.value, ast.Attribute)
        and each.func.value.attr == "memories"
        for each in ast.walk(source)
    )


# -- nothing half-written ---------------------------------------------------------------------


class Countdown(Deadline):
    """Over at one of its checks, whatever the clock says."""

    def __init__(self, checks: float) -> None:
        super().__init__()
        self.left = checks
        self.asked = 0

    def check(self) -> None:
        self.asked += 1
        self.left -= 1
        if self.left < 0:
            raise TookTooLong("It was stopped here.")


def save(book: Book) -> object:
    return book.sessions.save(read_text("".join(TALK.format(n) for n in range(40))), book.scope(), key="talk")


def grow(book: Book) -> object:
    return book.sessions.save(read_text("".join(TALK.format(n) for n in range(20, 90))), book.scope(), key="before")


def take_in(book: Book) -> object:
    lines = list(book.transfer.export())
    fresh = (line.replace("mem_", "mem_A").replace("Note ", "Fresh note ") for line in lines[1:])
    return book.transfer.import_([lines[0], *fresh])


DEEDS: dict[str, Deed] = {
    "remember_many": lambda book: book.remember_many([book.draft(f"New note {n} on the quay") for n in range(20)]),
    "update_many": lambda book: book.update_many([Edit(n, Changes(text=f"Note {n} anew")) for n in range(1, 20)]),
    "forget_many": lambda book: book.forget_many(list(range(1, 20))),
    "purge": lambda book: book.purge(*range(1, 10)),
    "sessions.save": save,
    "sessions.save, grown": grow,
    "import": take_in,
    "dream": lambda book: book.dreams.run(),
    "near_groups": lambda book: book.near_groups(),
    "recall": lambda book: book.recall("harbour lighthouse", counts_use=False),
    "recall as of": lambda book: book.recall("harbour", filter=Filter((), as_of=book.now()), counts_use=False),
    "reflect": lambda book: book.reflect("harbour lighthouse"),
    "list as of": lambda book: book.list(Filter((), as_of=book.now())),
    "export": lambda book: list(book.transfer.export()),
    "each": lambda book: list(book.each()),
    "doctor": lambda book: list(book.care.doctor()),
    "corrections.log": lambda book: book.corrections.log("The harbour opens at seven"),
    "curated.add": lambda book: book.curated.add("The user is called Ada", book.scope()),
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with something of everything, to be copied for each try."""
    place = tmp_path_factory.mktemp("filled") / "book.db"
    with Book.open(str(place), model="none") as book:
        book.remember_many([book.draft(f"Note {n} on the harbour and the lighthouse of {n % 7}") for n in range(60)])
        book.corrections.log("The harbour is not closed on Mondays")
        book.sessions.save(read_text("".join(TALK.format(n) for n in range(20, 40))), book.scope(), key="before")
    return place


def content(place: Path) -> dict[str, list[object]]:
    """Every row of every table that holds what somebody said. Leases and runs tell only that work was tried."""
    connection = apsw.Connection(str(place))
    found: dict[str, list[object]] = {
        table: list(connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3"))
        for table in ("memories", "revisions", "relations", "counts", "events")
    }
    found["entries"] = list(
        connection.execute("SELECT * FROM entries WHERE shelf NOT IN ('lease', 'dream') ORDER BY row")
    )
    connection.close()
    return found


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_that_is_stopped_anywhere_has_written_nothing(name: str, filled: Path, tmp_path: Path) -> None:
    before = content(filled)
    whole = Countdown(float("inf"))
    attempt(whole, name, filled, tmp_path / "whole.db")
    assert whole.asked > 0, "nothing of it asks"
    step = max(1, whole.asked // STOPS)
    stopped = 0
    for place in range(0, whole.asked, step):
        copy = tmp_path / f"{place}.db"
        assert attempt(Countdown(place), name, filled, copy), f"it was not stopped at {place} of {whole.asked}"
        after = content(copy)
        assert {table: after[table] for table in after if after[table] != before[table]} == {}, place
        stopped += 1
    print(f"{name}: {whole.asked} checks, stopped at {stopped} of them, nothing written")


def attempt(limit: Deadline, name: str, source: Path, copy: Path) -> bool:
    """Whether a deed on a copy of the book was stopped."""
    shutil.copy(source, copy)
    with Book.open(str(copy), model="none") as book:
        try:
            limit.run(lambda: DEEDS[name](book))
        except TookTooLong:
            return True
    return False


# -- at the doors -----------------------------------------------------------------------------


def transcript(characters: int) -> str:
    return "User: " + next(each for each in shapes() if each.name == "token words").of_length(characters)


LONG_CALLS = (
    ("/mcp", "memory_session", {"transcript": transcript(1_500_000)}),
    ("/onelamp/mcp", "save_session", {"transcript": transcript(1_500_000)}),
)


def test_a_server_stops_what_takes_too_long_and_goes_on(start: StartServer) -> None:  # noqa: F811
    server = start(request_seconds=0.5)
    for path, tool, given in LONG_CALLS:
        reply = server.call(path, tool, given).json["result"]
        assert reply["isError"], reply
        assert "longer than 0.5 seconds" in reply["content"][0]["text"]
    assert server.call("/mcp", "memory_list", {"status": "any"}).json["result"]["structuredContent"]["total"] == 0
    assert server.book.sessions.list(server.book.scopes) == ()
    assert server.book.sessions.raw(server.book.scopes) == 0


def test_every_contract_has_its_own_words_for_it() -> None:
    error = TookTooLong("This took longer than 30 seconds and was stopped: ask for less at once.")
    shown = [dialect.render_error(error) for dialect in (*map(load_dialect, dialect_names()), METHODS)]
    assert len(shown) >= 7
    for body in shown:
        text = json.dumps(body)
        assert error.message in text
        assert "internal" not in text.lower(), body


# -- nobody waits any more --------------------------------------------------------------------


def seconds_of_work(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def asleep(pid: int) -> bool:
    """Whether no thread of a process runs or would run if the machine had the time."""
    states = [task.read_text().rpartition(")")[2].split()[0] for task in Path(f"/proc/{pid}/task").glob("*/stat")]
    return set(states) == {"S"}


def begins(pid: int) -> None:
    """Until a process has begun to work in earnest."""
    idle = seconds_of_work(pid)
    wait_until(lambda: seconds_of_work(pid) - idle >= 0.5, WAIT_SECONDS, "it never began")


def comes_to_rest(pid: int) -> None:
    """Until a process does nothing; a call that went on would keep it busy for minutes, but for short rests."""
    wait_until(lambda: stays(lambda: asleep(pid), QUIET_SECONDS), WAIT_SECONDS, "it went on")


def answers(port: int) -> bool:
    with suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


@contextmanager
def serving(store: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "commonplace", "serve", "--store", str(store), "--port", str(port), "--quiet"]
    process = subprocess.Popen(words, env={**os.environ, "COMMONPLACE_MODEL": "none", **variables})
    try:
        wait_until(lambda: answers(port), WAIT_SECONDS, "the server did not start")
        yield process, port
    finally:
        process.terminate()
        process.wait(WAIT_SECONDS)


@pytest.mark.parametrize("path", ["/mcp", "/rpc"])
def test_a_client_that_hangs_up_is_not_worked_for(tmp_path: Path, path: str) -> None:
    call = {"name": "memory_session", "arguments": {"transcript": transcript(3_000_000)}}
    messages: dict[str, object] = {
        "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        "/rpc": [
            {"jsonrpc": "2.0", "id": n, "method": "memory.store", "params": {"content": transcript(30_000) + str(n)}}
            for n in range(100)
        ],
    }
    body = json.dumps(messages[path]).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with serving(tmp_path / "book.db", COMMONPLACE_REQUEST_SECONDS="0") as (process, port):
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(head.encode() + body)
            begins(process.pid)
        comes_to_rest(process.pid)


def test_a_call_that_its_host_cancels_stops(tmp_path: Path) -> None:
    with wired(mcp_command(tmp_path / "book.db"), tmp_path) as wire:
        wire.shake_hands()
        call = {"name": "memory_session", "arguments": {"transcript": transcript(3_000_000)}}
        wire.send(id="long", method="tools/call", params=call)
        begins(wire.process.pid)
        wire.send(method="notifications/cancelled", params={"requestId": "long"})
        comes_to_rest(wire.process.pid)
        assert wire.count() == 0
