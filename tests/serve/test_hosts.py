"""What hosts were seen to send and to need: nothing said is nothing given; errors stand where the protocol has them."""

from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.faults.workshop import assert_sound
from tests.serve.conftest import Start
from tests.serve.wire import LIMIT_SECONDS, Wire

# Every optional argument with nothing in it, as a model sends them whose host makes all of them required.
NOTHING: dict[str, dict[str, Any]] = {
    "memory_recall": {"scope": "", "kind": "", "since": "", "as_of": "", "only": "", "limit": 0, "max_tokens": 0},
    "memory_remember": {
        "kind": "",
        "scope": "",
        "topic": "",
        "replaces": "",
        "expires_at": "",
        "session": "",
        "key": "",
    },
    "memory_list": {"scope": "", "kind": "", "status": "", "since": "", "order": "", "limit": 0, "max_tokens": 0},
    "memory_explain": {"id": "", "max_tokens": 0},
    "memory_session": {"transcript": "", "key": "", "id": "", "since": "", "surface": "", "scope": "", "limit": 0},
    "memory_decide": {"title": "", "decision": "", "rationale": "", "context": "", "supersedes": "", "area": ""},
}
NEEDED = {"memory_recall": {"query": "harbour"}, "memory_remember": {"text": "The harbour opens at dawn"}}
NEEDED |= {"memory_explain": {"query": "harbour"}, "memory_decide": {"query": "harbour"}}


@pytest.mark.parametrize("tool", NOTHING)
def test_an_empty_text_for_an_optional_argument_is_not_given(wire: Wire, tool: str) -> None:
    needed = NEEDED.get(tool, {})
    assert "error" not in wire.call(tool, **needed, **NOTHING[tool])


def test_an_update_with_nothing_in_it_changes_nothing(wire: Wire) -> None:
    id = wire.call("memory_remember", text="The harbour opens at dawn", topic="hours")["id"]
    empty = {"text": "", "kind": "", "topic": "", "expires_at": "", "status": "", "reason": ""}
    assert wire.call("memory_update", id=id, **empty)["error"]["message"].startswith("Nothing to update")
    assert wire.call("memory_update", id=id, importance=0.9, **empty)["memory"]["text"] == "The harbour opens at dawn"


@pytest.mark.parametrize(("tool", "argument"), [("memory_recall", "query"), ("memory_remember", "text")])
def test_an_empty_text_that_is_needed_is_refused(wire: Wire, tool: str, argument: str) -> None:
    assert argument in wire.call(tool, **{argument: ""})["error"]["message"]


def test_a_budget_below_nothing_is_refused(wire: Wire) -> None:
    assert "max_tokens" in wire.call("memory_recall", query="x", max_tokens=-1)["error"]["message"]


def test_a_tool_there_is_not_is_an_error_of_the_protocol(wire: Wire) -> None:
    error = wire.ask("tools/call", {"name": "memory_recal", "arguments": {}})["error"]
    assert error["code"] == -32602
    assert "did you mean 'memory_recall'?" in error["message"]


def test_a_missing_memory_is_named_by_its_address(wire: Wire) -> None:
    error = wire.ask("resources/read", {"uri": "memory://mem_01"})["error"]
    assert error["code"] == -32602
    assert error["data"] == {"uri": "memory://mem_01"}


def test_a_prompts_topic_is_required(wire: Wire) -> None:
    prompts = {each["name"]: each for each in wire.ask("prompts/list")["result"]["prompts"]}
    assert [each["required"] for each in prompts["what_do_you_remember"]["arguments"]] == [True]
    assert [each["required"] for each in prompts["hand_over"]["arguments"]] == [False]


def test_a_book_that_cannot_be_used_is_no_fault_of_the_question(start: Start, store: Path) -> None:
    store.write_bytes(b"These are my tax returns.\n" * 500)
    wire = start()
    wire.shake_hands()
    asked = {"name": "what_do_you_remember", "arguments": {"topic": "x"}}
    assert wire.ask("prompts/get", asked)["error"]["code"] == -32603
    assert wire.ask("resources/read", {"uri": "memory://mem_01"})["error"]["code"] == -32603


def test_a_server_whose_book_was_upgraded_under_it_says_restart_and_loses_nothing(wire: Wire, store: Path) -> None:
    kept = wire.call("memory_remember", text="The harbour opens at dawn")
    wire.call("memory_recall", query="harbour")
    connection = apsw.Connection(str(store))
    ours = int(connection.pragma("user_version"))
    connection.pragma("user_version", ours + 1)  # as a newer version's migration does
    for tool, arguments in (("memory_recall", {"query": "harbour"}), ("memory_remember", {"text": "The pier is long"})):
        error = wire.call(tool, **arguments)["error"]
        assert error["code"] == "schema_too_new"
        assert "restart your tool" in error["message"]
        assert error["message"].count(". ") == 0, "one sentence"
    assert wire.ask("tools/list")["result"]["tools"]
    wire.hang_up()
    assert wire.ended(LIMIT_SECONDS) == 0
    connection.pragma("user_version", ours)  # whoever reads it next knows the schema
    connection.close()
    report = assert_sound(store, acknowledged={kept["id"]: "harbour"}, vectors=False)
    assert report["texts"] == ["The harbour opens at dawn"]
