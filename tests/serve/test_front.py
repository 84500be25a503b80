"""The server is there at once: real processes from their first moment, for every surface and in both eras."""

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

from commonplace.cli import dialect_to_serve
from commonplace.dialects import dialect_names
from commonplace.serve.opening import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY
from tests.serve.conftest import Program, Start
from tests.serve.test_death import GONE_SECONDS, remembering
from tests.serve.wire import HANDSHAKE, LIMIT_SECONDS, Wire, environment, mcp_command

MODERN = "2026-07-28"
LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
MEGABYTE = 1024 * 1024


@pytest.fixture
def program() -> Program:
    """Python itself: what is tested is the start."""
    return mcp_command


@contextmanager
def client(dialect: str, store: Path, project: Path, mode: str) -> Iterator[tuple[McpClient, Any]]:
    program, *words = mcp_command(store, "--dialect", dialect)
    parameters = StdioServerParameters(command=program, args=words, env=environment(), cwd=project)
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(McpClient(stdio_client(parameters), mode=mode)) as inner,
    ):
        yield inner, portal.call


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("dialect", dialect_names())
def test_a_real_client_of_either_era_has_its_tools_before_and_after_the_server_took_over(
    dialect: str, mode: str, store: Path, project: Path
) -> None:
    with client(dialect, store, project, mode) as (inner, call):
        assert (inner.protocol_version == MODERN) == (mode == "auto")
        early = call(inner.list_tools)
        reading = next(tool for tool in early.tools if tool.annotations.read_only_hint)
        needed = dict.fromkeys(reading.input_schema.get("required", ()), "harbour")
        assert call(inner.call_tool, reading.name, needed).content
        assert call(inner.list_tools) == early


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_what_is_stored_has_the_clients_name_whoever_answered_its_first_words(
    mode: str, store: Path, project: Path
) -> None:
    with client("native", store, project, mode) as (inner, call):
        call(inner.list_tools)
        call(inner.call_tool, "memory_remember", {"text": "The harbour opens at dawn"})
        listed = call(inner.call_tool, "memory_list", {})
        (memory,) = json.loads(listed.content[0].text)["memories"]
        assert memory["source"] == "mcp"


def test_all_at_once_is_answered_once_each_and_the_known_first(start: Start) -> None:
    wire = start()
    wire.send(id="hello", method="initialize", params=HANDSHAKE)
    wire.send(method="notifications/initialized")
    wire.send(id=1, method="tools/call", params=remembering("The harbour opens at dawn"))
    for place, method in enumerate(LISTS):
        wire.send(id=f"list {place}", method=method)
    wire.write(b"this is not JSON\n")
    wire.send(id=2, method="ping")
    wire.send(id=3, method="no/such")
    wire.send(id=4, method="tools/list", params={"cursor": "x"})
    heard = [wire.hear() for _ in range(10)]
    ids = [answer.get("id") for answer in heard]
    assert ids[:6] == ["hello", "list 0", "list 1", "list 2", "list 3", 2]
    assert sorted(map(str, ids[6:])) == ["1", "3", "4", "None"]
    answers = {answer.get("id"): answer for answer in heard}
    assert answers[4]["result"] == answers["list 0"]["result"]
    assert answers[3]["error"]["code"] == -32601
    assert answers[None]["error"]["code"] == -32700
    assert wire.count() == 1


def test_the_same_question_later_has_the_same_answer_to_the_letter(start: Start) -> None:
    wire = start()
    asked = [("initialize", HANDSHAKE), *((method, {}) for method in LISTS)]
    for method, params in asked:
        wire.send(id=5, method=method, params=params)
        wire.hear()
    early = wire.lines[1:]
    assert wire.count() == 0  # by now the server is there
    later = []
    for method, params in asked[1:]:
        wire.send(id=5, method=method, params=params)
        wire.hear()
        later.append(wire.lines[-1])
    assert later == early


def test_a_second_handshake_is_the_servers_to_judge(start: Start) -> None:
    wire = start()
    assert wire.shake_hands("2025-06-18")["protocolVersion"] == "2025-06-18"
    assert wire.shake_hands("2025-03-26")["protocolVersion"] == "2025-03-26"
    assert wire.ask("tools/list")["result"]["tools"]


def test_the_era_of_the_first_word_stays(start: Start) -> None:
    meta = {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, CLIENT_KEY: HANDSHAKE["clientInfo"]}
    modern = start()
    assert modern.ask("server/discover", {"_meta": meta})["result"]["supportedVersions"] == [MODERN]
    assert modern.ask("initialize", HANDSHAKE)["error"]["code"] == -32022
    old = start()
    old.shake_hands()
    assert old.ask("tools/list", {"_meta": meta})["error"]["code"] == -32600


@pytest.mark.parametrize("megabytes", [10, 17])
def test_a_long_line_while_the_server_is_on_its_way_is_answered_in_its_turn(start: Start, megabytes: int) -> None:
    wire = start()
    wire.shake_hands()
    wire.write(b'{"jsonrpc":"2.0","id":"long","method":"ping","params":{"_meta":{"x":"')
    for _ in range(megabytes):
        wire.write(b"x" * MEGABYTE)
    wire.write(b'"}}}\n')
    wire.send(id="after", method="tools/list")
    answers = [wire.hear(), wire.hear()]
    assert [answer.get("id") for answer in answers] == ["long" if megabytes == 10 else None, "after"]
    assert ("result" in answers[0]) == (megabytes == 10)
    assert wire.count() == 0


# -- ends --------------------------------------------------------------------------------------


def listed(start: Start) -> Wire:
    """A server that has answered its first words and is importing the rest."""
    wire = start()
    wire.shake_hands()
    wire.ask("tools/list")
    return wire


def test_a_host_that_leaves_while_the_server_is_on_its_way_leaves_nothing_behind(start: Start, store: Path) -> None:
    wire = listed(start)
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0
    assert wire.logged == b""
    assert not store.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_signal_while_the_server_is_on_its_way_ends_it(start: Start, number: signal.Signals) -> None:
    wire = listed(start)
    wire.signal(number)
    assert wire.ended(GONE_SECONDS) == -number


def test_what_was_asked_before_the_server_was_there_is_answered_though_the_host_has_hung_up(start: Start) -> None:
    wire = start()
    wire.shake_hands()
    wire.send(id=7, method="tools/call", params=remembering("The harbour opens at dawn"))
    wire.hang_up()
    answer = wire.hear()
    assert answer["id"] == 7
    assert answer["result"]["isError"] is False
    assert wire.ended(LIMIT_SECONDS) == 0


# -- which words start it ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "dialect"),
    [
        (["mcp"], "native"),
        (["mcp", "--dialect", "nuzo"], "nuzo"),
        (["mcp", "--dialect=nuzo", "--store", "b.db", "-v"], "nuzo"),
        (["--store", "mcp", "mcp", "--model=none"], "native"),
        (["mcp", "--dialect", "nuzo", "--dialect", "aleph"], "aleph"),
        (["mcp", "--help"], None),
        (["mcp", "-h"], None),
        (["mcp", "extra"], None),
        (["mcp", "--dialect"], None),
        (["mcp", "--dialect="], None),
        (["mcp", "--store", "--dialect"], None),
        (["mcp", "--store", "b\udcff.db"], None),
        (["mcp", "--verbose=1"], None),
        (["--store", "mcp"], None),
        (["recall", "mcp"], None),
        ([], None),
    ],
)
def test_only_words_that_start_a_server_beyond_doubt_start_it_early(
    words: list[str], dialect: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "isatty", lambda descriptor: False)
    assert dialect_to_serve(words) == dialect
    monkeypatch.setattr(os, "isatty", lambda descriptor: True)
    assert dialect_to_serve(words) is None
