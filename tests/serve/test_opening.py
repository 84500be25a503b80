"""A host's first words are answered from a file, exactly as the server of the SDK would answer them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage

from commonplace.book.book import Book
from commonplace.dialects import dialect_names, load_dialect
from commonplace.serve import surface
from commonplace.serve.opening import CAPABILITIES_KEY, CLIENT_KEY, LOOKED_AT_BYTES, VERSION_KEY, Opening, answers_of
from commonplace.serve.protocol import build_server

ROOT = Path(__file__).parents[2]
MODERN = "2026-07-28"
SECONDS = 20
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN, "2099-01-01", "", 7, None)
CLIENTS: list[Any] = [
    {"name": "host", "version": "1"},
    {"name": "host", "version": "1", "title": "Host", "description": "d", "websiteUrl": "https://host.example"},
    {"name": "host", "version": "1", "icons": [{"src": "https://host.example/i.png"}]},
    {"name": "host", "version": "1", "icons": "none"},
    {"name": "host", "version": "1", "title": 7},
    {"name": "host", "version": "1", "extra": [1]},
    {"name": "host"},
    {"name": 3, "version": "1"},
    {},
    None,
    "host",
]
CAPABILITIES: list[Any] = [
    {},
    {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}, "url": {}}},
    {"roots": {}, "elicitation": {"form": {"applyDefaults": True}}, "sampling": {"tools": {}, "context": {}}},
    {"tasks": {"list": {}, "cancel": {}, "requests": {"elicitation": {"create": {}}}}, "experimental": {"a": {"b": 1}}},
    {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}, "own": 7},
    {"roots": {"listChanged": "perhaps"}},
    {"roots": None},
    {"roots": []},
    {"sampling": True},
    {"tasks": {"requests": 1}},
    {"experimental": {"a": 1}},
    {"extensions": []},
    None,
    [],
]
METHODS = ("initialize", "ping", "server/discover", *surface.LISTS, "tools/call", "no/such", "completion/complete", 7)
LIKELY = surface.HANDSHAKE[2:]


def usually(likely: Any, others: list[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.just(likely), st.just(likely), st.sampled_from(others))


def hello() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "protocolVersion": usually("2025-06-18", list(VERSIONS)),
            "capabilities": usually({}, CAPABILITIES),
            "clientInfo": usually(CLIENTS[0], CLIENTS),
        },
        optional={"_meta": st.sampled_from([{}, {"progressToken": 1}, {VERSION_KEY: MODERN}, 7]), "more": st.just(1)},
    )


def envelope() -> st.SearchStrategy[dict[str, Any]]:
    meta = st.fixed_dictionaries(
        {VERSION_KEY: usually(MODERN, list(VERSIONS)), CAPABILITIES_KEY: usually({}, CAPABILITIES)},
        optional={
            CLIENT_KEY: usually(CLIENTS[0], CLIENTS),
            "progressToken": st.sampled_from(["t", 3, 1.5, None, True]),
            "io.modelcontextprotocol/logLevel": st.sampled_from(["info", "loud"]),
            "own/key": st.just({"a": 1}),
        },
    )
    return st.fixed_dictionaries({"_meta": meta}, optional={"cursor": st.sampled_from(["x", None])})


PLAIN: list[Any] = [{}, {"_meta": {}}, {"_meta": {"progressToken": 4}}, {"_meta": None}, {"cursor": "x"}, {"more": 1}]


def request(method: st.SearchStrategy[Any], params: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    made = {"jsonrpc": st.just("2.0"), "method": method}
    return st.one_of(
        st.fixed_dictionaries({**made, "params": params}),
        st.fixed_dictionaries({**made, "params": params}),
        st.fixed_dictionaries(made),
    )


def messages(first: st.SearchStrategy[Any], params: st.SearchStrategy[Any]) -> st.SearchStrategy[list[dict[str, Any]]]:
    later = st.one_of(
        request(st.sampled_from(LIKELY), params),
        request(st.sampled_from(METHODS[:-1]), st.one_of(params, envelope(), st.sampled_from(PLAIN))),
        request(st.just("initialize"), hello()),
    )
    return st.tuples(first, st.lists(later, max_size=5)).map(lambda drawn: [drawn[0], *drawn[1]])


CONVERSATIONS = st.one_of(
    messages(request(st.just("initialize"), hello()), st.sampled_from(PLAIN)),
    messages(request(st.sampled_from(["server/discover", "tools/list", "ping"]), envelope()), envelope()),
    messages(request(st.sampled_from(METHODS[:-1]), st.sampled_from(PLAIN)), st.sampled_from(PLAIN)),
)


class Server:
    """The SDK's server of a dialect on a connection of its own, asked one thing after the other."""

    def __init__(self, dialect: str) -> None:
        def no_book(context: object) -> Book:
            raise LookupError

        self._server = build_server(load_dialect(dialect), no_book)

    async def __aenter__(self) -> "Server":
        self._to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](8)
        outgoing, self._from_server = anyio.create_memory_object_stream[SessionMessage](8)
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        options = self._server.create_initialization_options()
        self._tasks.start_soon(self._server.run, incoming, outgoing, options)
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._to_server.close()
        await self._tasks.__aexit__(None, None, None)
        self._from_server.close()

    async def ask(self, message: Mapping[str, Any]) -> Any:
        await self._to_server.send(SessionMessage(types.JSONRPCRequest.model_validate(message)))
        with anyio.fail_after(SECONDS):
            answer = (await self._from_server.receive()).message
        return json.loads(json.dumps(answer.model_dump(by_alias=True, exclude_unset=True)))


async def by_the_server(dialect: str, asked: list[dict[str, Any]]) -> list[Any]:
    async with Server(dialect) as server:
        return [await server.ask({**message, "id": id}) for id, message in enumerate(asked)]


async def by_both(dialect: str, asked: list[dict[str, Any]]) -> tuple[list[Any], int]:
    """The answers of opening and server together, and how many of them are the opening's."""
    opening, answers, early = Opening(answers_of(dialect)), [], 0
    async with Server(dialect) as server:
        for id, message in enumerate(asked):
            told = opening.hear(json.dumps({**message, "id": id}).encode() + b"\n")
            early += told.answer is not None
            heard = await server.ask({**message, "id": id}) if told.answer is None or told.opens else None
            answers.append(heard if told.answer is None else json.loads(told.answer))
    return answers, early


@settings(max_examples=300, deadline=None)
@given(CONVERSATIONS)
def test_whatever_is_asked_in_whatever_order_the_answers_are_the_servers(asked: list[dict[str, Any]]) -> None:
    answers, _ = anyio.run(by_both, "native", asked)
    assert answers == anyio.run(by_the_server, "native", asked)


@pytest.mark.parametrize("dialect", dialect_names())
@pytest.mark.parametrize("version", VERSIONS[:6])
def test_an_ordinary_start_is_answered_without_the_server(dialect: str, version: str) -> None:
    if version == MODERN:
        params: dict[str, Any] = {"_meta": {VERSION_KEY: MODERN, CAPABILITIES_KEY: {}, CLIENT_KEY: CLIENTS[1]}}
        asked = [{"jsonrpc": "2.0", "method": method, "params": params} for method in surface.MODERN]
    else:
        hello = {"protocolVersion": version, "capabilities": CAPABILITIES[1], "clientInfo": CLIENTS[0]}
        asked = [{"jsonrpc": "2.0", "method": "initialize", "params": hello}]
        asked += [{"jsonrpc": "2.0", "method": method} for method in surface.HANDSHAKE[1:]]
    answers, early = anyio.run(by_both, dialect, asked)
    assert early == len(asked)
    assert answers == anyio.run(by_the_server, dialect, asked)


@pytest.mark.parametrize("dialect", dialect_names())
def test_what_is_written_down_is_what_the_server_answers_now(dialect: str) -> None:
    current = surface.written(dialect)
    assert surface.place(dialect).read_text("utf-8") == current, "run 'make surfaces'"
    assert answers_of(dialect) == surface.answers(dialect)


@pytest.mark.parametrize("id", [0, -1, 2**70, "a", "", "a b"])
def test_an_id_comes_back_as_it_was(id: object) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENTS[0]}
    line = json.dumps({"jsonrpc": "2.0", "id": id, "method": "initialize", "params": hello}).encode()
    answer = Opening(answers_of("native")).hear(line).answer
    assert answer is not None
    assert json.loads(answer)["id"] == id


ODD_LINES = (
    b"{",
    b"[]",
    b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    b"nonsense",
    b'{"jsonrpc":"2.0","id":1,"method":"ping"} and more',
    b'{"jsonrpc":"2.0","id":"\xff","method":"initialize"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"initialize"}',
    b'{"jsonrpc":"2.0","id":true,"method":"initialize"}',
    b'{"jsonrpc":"2.0","id":null,"method":"initialize"}',
    b'{"jsonrpc":"1.0","id":1,"method":"initialize"}',
    b'{"id":1,"method":"initialize"}',
    b'{"jsonrpc":"2.0","id":1,"result":{}}',
    b"[" * 30_000,
    b"7",
    b"null",
    b'"initialize"',
)


@pytest.mark.parametrize("line", ODD_LINES)
def test_what_is_not_understood_is_left_to_the_server(line: bytes) -> None:
    told = Opening(answers_of("native")).hear(line)
    assert told.answer is None
    assert told.asks


def test_after_a_line_too_long_to_be_looked_at_nothing_is_answered_early() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENTS[0]}
    opening = Opening(answers_of("native"))
    opening.hear(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"x":"' + b"x" * LOOKED_AT_BYTES + b'"}}')
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
    assert opening.hear(line).answer is None


@pytest.mark.parametrize("name", ["klingon", "../native", "", "native/..", "__init__"])
def test_a_dialect_there_is_not_has_no_answers(name: str) -> None:
    assert answers_of(name) == {}


EARLY = """
import os, sys
host, ours = os.pipe(), os.pipe()
os.write(host[1], sys.argv[1].encode())
os.dup2(host[0], 0), os.dup2(ours[1], 1)
from commonplace.cli import main
from commonplace.serve.front import begin_early
begin_early("native")
heard = b""
while heard.count(b"\\n") < 3:
    heard += os.read(ours[0], 65_536)
sys.stderr.write(" ".join(sys.modules))
sys.stderr.flush()
os._exit(0)
"""


def test_the_first_words_are_answered_before_anything_slow_is_imported() -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENTS[0]}
    asked = [("initialize", hello), ("tools/list", {}), ("prompts/list", {})]
    lines = "".join(
        json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n"
        for id, (method, params) in enumerate(asked)
    )
    done = subprocess.run(
        [sys.executable, "-c", EARLY, lines],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    loaded = done.stderr.split()
    assert {name for name in loaded if name.startswith("commonplace")} == {
        "commonplace",
        "commonplace.cli",
        "commonplace.serve",
        "commonplace.serve.front",
        "commonplace.serve.opening",
        "commonplace.serve.wire",
    }
    others = {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"commonplace"}
    assert others & {"mcp", "mcp_types", "pydantic", "anyio", "apsw", "numpy"} == set()
    assert set(loaded) & {"typing", "argparse", "logging", "asyncio", "pathlib", "dataclasses"} == set()


LOADED = """
import sys
from commonplace.dialects import load_dialect
from commonplace.serve.protocol import build_server
import commonplace.serve.stdio
build_server(load_dialect(sys.argv[1]), lambda context: None)
print(*sys.modules)
"""
NOT_FOR_A_FIRST_CALL = {
    "commonplace.sessions.distil",
    "commonplace.hooks.capture",
    "commonplace.maintenance.transfer",
    "commonplace.documents.ingest",
}


@pytest.mark.parametrize("dialect", dialect_names())
def test_a_first_call_does_not_wait_for_what_few_calls_need(dialect: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, dialect],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "commonplace.serve.stdio" in done.stdout.split()
    assert set(done.stdout.split()) & NOT_FOR_A_FIRST_CALL == set()
