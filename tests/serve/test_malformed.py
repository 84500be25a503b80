"""Whatever comes down the wire: a clear error, nothing stored, and the next request is answered."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.dialects import load_dialect
from tests.faults.workshop import Companion
from tests.serve.conftest import Start
from tests.serve.wire import HANDSHAKE, Wire, wired
from tests.warm import command

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NATIVE = load_dialect("native")


def raw_call(arguments: bytes, tool: bytes = b"memory_remember", id: bytes = b'"odd"') -> bytes:
    """A call whose arguments are bytes, whether they are JSON or not."""
    return (
        b'{"jsonrpc":"2.0","id":'
        + id
        + b',"method":"tools/call","params":{"name":"'
        + tool
        + b'","arguments":'
        + arguments
        + b"}}\n"
    )


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server, with one memory, for all that must do nothing to it."""
    yield from everlasting(tmp_path_factory.mktemp("steady"))


@pytest.fixture(scope="module")
def willing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server for all that may do something."""
    yield from everlasting(tmp_path_factory.mktemp("willing"))


def everlasting(folder: Path) -> Iterator[Wire]:
    with wired(command("mcp", "--store", str(folder / "book.db")), folder) as wire:
        wire.shake_hands()
        wire.call("memory_remember", text="The harbour opens at dawn")
        yield wire
        assert b"Traceback" not in wire.logged, wire.logged.decode()


def assert_goes_on(wire: Wire) -> None:
    """Nothing was stored, and the server works."""
    assert wire.count() == 1
    assert len(wire.call("memory_recall", query="harbour")["memories"]) == 1
    assert wire.call("memory_remember", text="The harbour opens at dawn")["outcome"] == "repeated"


# -- arguments --------------------------------------------------------------------------------

DEEP = b"[" * 200 + b"]" * 200

BAD_ARGUMENTS = {
    "missing": (b"{}", "text", "missing"),
    "null for a missing one": (b'{"text": null}', "text", "missing"),
    "null arguments": (b"null", "text", "missing"),
    "wrong type": (b'{"text": 5}', "text", "a text"),
    "wrong type in a list": (b'{"text": "x", "tags": ["a", 5]}', "tags[1]", "a text"),
    "an object for a text": (b'{"text": {"a": "b"}}', "text", "a text"),
    "true for a number": (b'{"text": "x", "importance": true}', "importance", "a number"),
    "no such choice": (b'{"text": "x", "kind": "rumour"}', "kind", "preference"),
    "unknown": (b'{"text": "x", "important": 1}', "important", "did you mean 'importance'"),
    "a megabyte": (b'{"text": "' + b"x" * 1_000_000 + b'"}', "text", "64,000"),
    "a megabyte of key": (b'{"text": "x", "key": "' + b"x" * 1_000_000 + b'"}', "key", "256"),
    "a megabyte of name": (b'{"text": "x", "' + b"x" * 1_000_000 + b'": 1}', "xxx", "has no argument"),
    "invalid UTF-8": (b'{"text": "caf\xe9 \xff\xfe"}', "text", "not valid Unicode at character 3"),
    "invalid UTF-8 in a list": (b'{"text": "x", "tags": ["ok", "\xff"]}', "tags[1]", "not valid Unicode"),
    "invalid UTF-8 in a name": (b'{"text": "x", "t\xff": 1}', "arguments", "not valid Unicode"),
    "a lone surrogate": (b'{"text": "half \\ud83d here"}', "text", "not valid Unicode at character 5"),
    "a lone low surrogate": (b'{"text": "\\ude00"}', "text", "not valid Unicode at character 0"),
    "NUL": (b'{"text": "a\\u0000b"}', "text", "NUL"),
    "empty": (b'{"text": "  "}', "text", "empty"),
    "NaN": (b'{"text": "x", "importance": NaN}', "importance", "finite"),
    "Infinity": (b'{"text": "x", "importance": -Infinity}', "importance", "finite"),
    "beyond all numbers": (b'{"text": "x", "importance": 1e999}', "importance", "finite"),
    "deep": (b'{"text": "x", "tags": ' + DEEP + b"}", "tags", "nested too deep"),
    "deep objects": (b'{"text": ' + b'{"a":' * 100 + b"1" + b"}" * 100 + b"}", "text", "nested too deep"),
    "out of range": (b'{"text": "x", "importance": 7}', "importance", "importance"),
    "a date that is none": (b'{"text": "x", "expires_at": "soonish"}', "expires_at", "expires_at"),
    "a scope that is none": (b'{"text": "x", "scope": "galaxy:far"}', "scope", "scope"),
}


@pytest.mark.parametrize("case", BAD_ARGUMENTS)
def test_a_bad_argument_is_named_nothing_is_stored_and_the_server_goes_on(steady: Wire, case: str) -> None:
    arguments, name, words = BAD_ARGUMENTS[case]
    steady.write(raw_call(arguments))
    result = steady.answer_to("odd")["result"]
    assert result["isError"]
    assert len(json.dumps(result)) < 2_000, "an error does not send back what was sent"
    error = json.loads(result["content"][0]["text"])["error"]
    assert error["code"] == "invalid_input"
    assert name in error["argument"]
    assert words in error["message"]
    assert_goes_on(steady)


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("memory_recall", {"query": "x", "limit": -1}, "limit"),
        ("memory_recall", {"query": "x", "limit": 10**30}, "limit"),
        ("memory_recall", {"query": "x", "limit": 1.5}, "limit"),
        ("memory_recall", {"query": "x", "max_tokens": -1}, "max_tokens"),
        ("memory_recall", {"query": "x", "as_of": "99999-01-01"}, "as_of"),
        ("memory_recall", {"query": ["x"]}, "query"),
        ("memory_list", {"limit": -1}, "limit"),
        ("memory_list", {"max_tokens": -1}, "max_tokens"),
        ("memory_list", {"cursor": 10**30}, "cursor"),
        ("memory_list", {"cursor": -1}, "cursor"),
        ("memory_explain", {"query": "x", "max_tokens": -1}, "max_tokens"),
        ("memory_update", {"id": "mem_01", "revision": "one"}, "revision"),
        ("memory_forget", {"id": 12}, "id"),
    ],
    ids=str,
)
def test_every_tool_names_the_argument_it_cannot_use(
    steady: Wire, tool: str, arguments: dict[str, Any], name: str
) -> None:
    error = steady.call(tool, **arguments)["error"]
    assert (error["code"], error.get("argument")) == ("invalid_input", name)
    assert_goes_on(steady)


def test_a_tool_there_is_not_is_answered_with_the_closest_one(steady: Wire) -> None:
    error = steady.ask("tools/call", {"name": "memory_rember", "arguments": {"text": "x"}})["error"]
    assert error["code"] == -32602
    assert "'memory_remember'" in error["message"]
    assert_goes_on(steady)


@pytest.mark.parametrize("arguments", [b"[1]", b'"text"', b"5", b"true"])
def test_arguments_that_are_no_object_are_refused(steady: Wire, arguments: bytes) -> None:
    steady.write(raw_call(arguments))
    assert steady.answer_to("odd")["error"]["code"] == INVALID_PARAMS
    assert_goes_on(steady)


# -- lines ------------------------------------------------------------------------------------

BAD_LINES = {
    "not JSON": (b"hello, server\n", PARSE_ERROR),
    "half a message": (b'{"jsonrpc": "2.0", "id": 1, "meth\n', PARSE_ERROR),
    "a NUL": (b"\x00\n", PARSE_ERROR),
    "no UTF-8": (b"\xff\xfe\xff\n", PARSE_ERROR),
    "nested beyond reading": (b"[" * 100_000 + b"]" * 100_000 + b"\n", PARSE_ERROR),
    "a number of too many digits": (b'{"id": ' + b"9" * 10_000 + b"}\n", PARSE_ERROR),
    "a batch": (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]\n', INVALID_REQUEST),
    "a text": (b'"ping"\n', INVALID_REQUEST),
    "null": (b"null\n", INVALID_REQUEST),
    "an empty object": (b"{}\n", INVALID_REQUEST),
    "another protocol": (b'{"jsonrpc": "1.0", "method": "ping"}\n', INVALID_REQUEST),
    "20 MB": (b'{"jsonrpc": "2.0", "method": "' + b"x" * 20_000_000 + b'"}\n', INVALID_REQUEST),
}


@pytest.mark.parametrize("case", BAD_LINES)
def test_a_line_that_is_no_message_is_refused_and_the_server_goes_on(steady: Wire, case: str) -> None:
    line, code = BAD_LINES[case]
    steady.write(line)
    answer = steady.hear()
    assert answer["id"] is None
    assert answer["error"]["code"] == code
    assert answer["error"]["message"].endswith(".")
    assert_goes_on(steady)


@pytest.mark.parametrize("id", [7, "seven", -1, 2**60])
def test_a_refusal_names_the_request_where_its_id_can_be_read(steady: Wire, id: object) -> None:
    steady.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": 5}).encode() + b"\n")
    assert steady.answer_to(id)["error"]["code"] == INVALID_REQUEST
    assert_goes_on(steady)


@pytest.mark.parametrize("id", ["\ud800", "half \udcff"])
def test_an_id_with_half_a_character_comes_back_as_it_came(steady: Wire, id: str) -> None:
    steady.send(id=id, method="ping")
    assert steady.answer_to(id)["result"] == {}
    steady.send(id=id, method=5)
    assert steady.answer_to(id)["error"]["code"] == INVALID_REQUEST
    assert_goes_on(steady)


@pytest.mark.parametrize("id", [b"1.5", b"true", b"[]", b"{}", b"NaN", b'"\xff"'])
def test_an_id_that_cannot_be_used_ends_nothing(steady: Wire, id: bytes) -> None:
    steady.write(b'{"jsonrpc": "2.0", "method": "ping", "id": ' + id + b"}\n")
    steady.write(b'{"jsonrpc": "2.0", "method": 5, "id": ' + id + b"}\n")
    assert_goes_on(steady)


def test_half_characters_outside_the_arguments_end_nothing(steady: Wire) -> None:
    for method, params in (
        ("tools/call", {"name": "\ud800", "arguments": {}}),
        ("prompts/get", {"name": "\ud800"}),
        ("prompts/get", {"name": "what_do_you_remember", "arguments": {"topic": "\ud800"}}),
        ("prompts/get", {"name": "what_do_you_remember", "arguments": {"\ud800": "x"}}),
        ("resources/read", {"uri": "memory://\ud800"}),
        ("resources/read", {"uri": "other://\ud800"}),
        ("\ud800", {}),
        ("tools/list", {"cursor": "\ud800"}),
    ):
        answer = steady.ask(method, params)
        assert "error" in answer or answer["result"].get("isError") or method == "tools/list", (method, answer)
    assert_goes_on(steady)


def test_empty_lines_are_nothing_and_line_ends_may_be_windows_own(wire: Wire) -> None:
    wire.write(b"\n\r\n   \n")
    wire.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\r\n")
    assert wire.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    wire.write(raw_call(b'{"text": "two\\r\\nlines"}').replace(b"\n", b"\r\n"))
    assert not wire.answer_to("odd")["result"]["isError"]


def test_a_message_may_come_in_pieces_and_several_at_once(wire: Wire) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
    for byte in line:
        wire.write(bytes([byte]))
    assert wire.hear()["id"] == 1
    wire.write(line * 50)
    assert [wire.hear()["id"] for _ in range(50)] == [1] * 50


# -- requests ---------------------------------------------------------------------------------


def test_a_request_before_the_handshake_is_refused_and_the_handshake_still_works(start: Start) -> None:
    wire = start()
    answer = wire.ask("tools/call", {"name": "memory_remember", "arguments": {"text": "too early"}})
    assert "error" in answer
    wire.shake_hands()
    assert wire.count() == 0


def test_an_unknown_method_is_said_to_be_unknown(steady: Wire) -> None:
    assert steady.ask("memories/steal")["error"]["code"] == METHOD_NOT_FOUND
    steady.send(method="notifications/of-nothing")
    assert_goes_on(steady)


def test_a_second_handshake_ends_nothing(wire: Wire) -> None:
    wire.ask("initialize", HANDSHAKE)
    assert wire.count() == 0


def test_requests_that_share_an_id_are_each_answered(wire: Wire) -> None:
    for number in range(5):
        text = f"Buoy {number} is at mile {number * 3}"
        wire.send(id=1, method="tools/call", params={"name": "memory_remember", "arguments": {"text": text}})
    answers = [wire.hear() for _ in range(5)]
    assert [answer["id"] for answer in answers] == [1] * 5
    assert wire.count() == 5


def test_a_cancelled_call_is_not_answered_and_the_server_goes_on(wire: Wire, store: Path) -> None:
    wire.call("memory_remember", text="The harbour opens at dawn")
    with Companion(store, vectors=False) as other:
        other.ask("begin_writing")
        arguments = {"text": "The lighthouse is red"}
        wire.send(id=7, method="tools/call", params={"name": "memory_remember", "arguments": arguments})
        wire.send(method="notifications/cancelled", params={"requestId": 7, "reason": "changed my mind"})
        assert wire.call("memory_recall", query="harbour")["memories"], "reading goes on meanwhile"
        other.ask("end")
    assert wire.call("memory_remember", text="The pier is long")["outcome"] == "created"
    assert wire.count() in (2, 3)
    assert [line for line in wire.lines if json.loads(line).get("id") == 7] == []


@pytest.mark.parametrize("params", [{}, {"requestId": 99}, {"requestId": None}, {"requestId": [1]}, None])
def test_cancelling_what_is_not_there_ends_nothing(steady: Wire, params: dict[str, Any] | None) -> None:
    steady.send(method="notifications/cancelled", **({} if params is None else {"params": params}))
    assert_goes_on(steady)


# -- anything ---------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def likely(tool: str) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments with the tool's own names more often than not."""
    names = [field for each in NATIVE.tools if each.name == tool for field in each.parameters.model_fields]
    words = st.sampled_from(["user", "project", "7d", "2026-01-01", "fact", "any", "mem_01", "harbour", "1", "#1", ""])
    return st.dictionaries(st.sampled_from(names) | st.text(max_size=10), words | VALUES, max_size=6)


CALLS = st.sampled_from([tool.name for tool in NATIVE.tools]).flatmap(
    lambda tool: st.tuples(st.just(tool), likely(tool))
)


@settings(suppress_health_check=[*HealthCheck])
@given(calls=st.lists(CALLS, min_size=1, max_size=3))
def test_any_arguments_get_a_result_or_a_tools_error(willing: Wire, calls: list[tuple[str, dict[str, Any]]]) -> None:
    for tool, arguments in calls:
        answer = willing.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        body = json.loads(answer["result"]["content"][0]["text"])
        if answer["result"]["isError"]:
            assert body["error"]["code"] not in ("internal", "store_error"), body
        else:
            assert answer["result"]["structuredContent"] == body
    assert willing.ask("ping")["result"] == {}
