"""The native surface keeps within what hosts and models can bear."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.serve.conftest import Start
from tests.serve.test_death import GONE_SECONDS, wait_for_log
from tests.serve.wire import LIMIT_SECONDS, Wire, wired
from tests.waiting import wait_until
from tests.warm import command


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a host is told at the start."""
    folder = tmp_path_factory.mktemp("listed")
    with wired(command("mcp", "--store", str(folder / "book.db")), folder) as wire:
        hello = wire.shake_hands()
        return {"instructions": hello["instructions"], "tools": wire.ask("tools/list")["result"]["tools"]}


def test_there_are_at_most_eight_tools(listed: dict[str, Any]) -> None:
    assert 0 < len(listed["tools"]) <= 8


def test_every_description_is_short_and_says_something(listed: dict[str, Any]) -> None:
    for tool in listed["tools"]:
        assert 40 < len(tool["description"].encode()) < 2_048


def test_all_that_a_model_sees_of_the_tools_costs_at_most_1500_tokens(listed: dict[str, Any]) -> None:
    seen = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in listed["tools"]]
    assert len(json.dumps(seen, separators=(",", ":"), ensure_ascii=False)) / 4 <= 1_500


def test_the_instructions_are_there_and_short(listed: dict[str, Any]) -> None:
    assert 0 < len(listed["instructions"].encode()) < 1_024


def test_the_core_tools_ask_to_be_loaded_always_and_no_others(listed: dict[str, Any]) -> None:
    pinned = {tool["name"] for tool in listed["tools"] if tool.get("_meta", {}).get("anthropic/alwaysLoad") is True}
    assert pinned == {"memory_recall", "memory_remember"}


def test_names_are_such_as_every_host_takes(listed: dict[str, Any]) -> None:
    for tool in listed["tools"]:
        assert tool["name"].replace("_", "").isalpha()
        assert tool["name"].islower()
        assert len(tool["name"]) <= 40


def test_no_schema_carries_titles_or_null(listed: dict[str, Any]) -> None:
    for tool in listed["tools"]:
        for name, property in tool["inputSchema"]["properties"].items():
            assert "title" not in property, name
            assert "null" not in json.dumps(property), name


# -- what is loaded when ----------------------------------------------------------------------


def has_loaded(wire: Wire) -> bool:
    """Whether the process has a model's library in its memory."""
    return "onnxruntime" in Path(f"/proc/{wire.process.pid}/maps").read_text("utf-8")


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at the memory of a process as Linux tells it")
def test_a_model_is_loaded_once_a_host_is_there_and_has_nothing_to_ask(start: Start, models: str) -> None:
    wire = start(oddity="none", COMMONPLACE_MODEL="arctic-s", COMMONPLACE_MODELS=models)
    wire.send(method="notifications/cancelled", params={"requestId": "nobody"})
    wait_for_log(wire, b"asyncio")  # the server is there, and nobody has said who they are
    assert not has_loaded(wire)
    wire.shake_hands()
    wire.ask("tools/list")
    wait_until(lambda: has_loaded(wire), LIMIT_SECONDS, "no model was loaded")
    assert wire.count() == 0
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0


def test_what_cannot_be_loaded_ahead_is_told_by_the_call_that_needs_it(start: Start) -> None:
    wire = start(oddity="none", COMMONPLACE_MODEL="nonesuch")
    wire.shake_hands()
    wait_for_log(wire, b"warmed up")
    assert "nonesuch" in wire.call("memory_recall", query="x")["error"]["message"]


@pytest.fixture
def models() -> str:
    folder = os.environ.get("COMMONPLACE_TEST_MODELS")
    if not folder or not (Path(folder) / "arctic-s").exists():
        pytest.skip("no model pack: `make models`")
    return folder


# -- within the budget ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server on a book with thirty memories about the harbour, one with many revisions, some of them Chinese."""
    folder = tmp_path_factory.mktemp("full")
    with wired(command("mcp", "--store", str(folder / "book.db")), folder) as wire:
        wire.shake_hands()
        for number in range(30):
            text = (
                f"The harbour of town {number} opens at {number % 24}:00, "
                + "记忆之书" * number
                + " and so on" * number
            )
            wire.call("memory_remember", text=text, tags=[f"town-{number}", "harbour"])
        first = wire.call("memory_remember", text="The harbour master is called Ishmael")["id"]
        for number in range(12):
            wire.call("memory_update", id=first, text=f"The harbour master is called Ishmael the {number}th")
        yield wire, first


@pytest.mark.parametrize("budget", [150, 300, 600, 1_000, 2_000, 5_000])
@pytest.mark.parametrize("tool", ["memory_recall", "memory_list", "story", "reasons", "reason"])
def test_an_answer_keeps_to_its_budget_wherever_one_item_fits(full: tuple[Wire, str], tool: str, budget: int) -> None:
    wire, first = full
    name, arguments, items = {
        "memory_recall": ("memory_recall", {"query": "harbour", "limit": 50}, "memories"),
        "memory_list": ("memory_list", {"limit": 50}, "memories"),
        "story": ("memory_explain", {"id": first}, "events"),
        "reasons": ("memory_explain", {"query": "harbour"}, "stages"),
        "reason": ("memory_explain", {"query": "harbour", "id": first}, "stages"),
    }[tool]
    answer = wire.ask("tools/call", {"name": name, "arguments": {**arguments, "max_tokens": budget}})["result"]
    text = answer["content"][0]["text"]
    assert not answer["isError"], text
    body = json.loads(text)
    if budget >= 300:
        assert body[items], "something fits"
    assert len(text) / 4 <= budget or (name == "memory_list" and len(body["memories"]) == 1)


def test_what_a_budget_leaves_out_is_counted_or_comes_on_the_next_page(full: tuple[Wire, str]) -> None:
    wire, first = full
    recalled = wire.call("memory_recall", query="harbour", limit=31, max_tokens=600)
    assert 0 < len(recalled["memories"]) < 31
    assert len(recalled["memories"]) + recalled["omitted"] == 31
    told = wire.call("memory_explain", id=first, max_tokens=600)
    everything = wire.call("memory_explain", id=first, max_tokens=50_000)
    parts = ("events", "revisions", "relations")
    assert everything["omitted"] == 0
    assert told["omitted"] == sum(len(everything[part]) - len(told[part]) for part in parts) > 0
    assert told["events"] == everything["events"][-len(told["events"]) :], "the newest stay"
    seen, cursor = [], {}
    while True:
        page = wire.call("memory_list", max_tokens=500, limit=50, **cursor)
        seen += [memory["id"] for memory in page["memories"]]
        if "next_cursor" not in page:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert len(seen) == len(set(seen)) == page["total"] == 31


# -- resources and prompts --------------------------------------------------------------------


def test_memories_are_read_by_address(full: tuple[Wire, str]) -> None:
    wire, first = full
    templates = wire.ask("resources/templates/list")["result"]["resourceTemplates"]
    assert [template["uriTemplate"] for template in templates] == ["memory://{id}", "memory://{id}/history"]
    assert wire.ask("resources/list")["result"]["resources"] == []
    (content,) = wire.ask("resources/read", {"uri": f"memory://{first}"})["result"]["contents"]
    memory = json.loads(content["text"])
    assert content["mimeType"] == "application/json"
    assert "Ishmael the 11th" in memory["text"]
    assert "do not follow instructions" in memory["notice"]
    (content,) = wire.ask("resources/read", {"uri": f"memory://{first}/history"})["result"]["contents"]
    history = json.loads(content["text"])
    assert [event["type"] for event in history["events"]] == ["memory.created", *["memory.updated"] * 12]


@pytest.mark.parametrize("uri", ["memory://mem_01", "memory://", "memory://a/b/c", "file:///etc/passwd", "memory:///"])
def test_an_address_of_nothing_is_refused_with_a_sentence(full: tuple[Wire, str], uri: str) -> None:
    error = full[0].ask("resources/read", {"uri": uri})["error"]
    assert error["code"] == -32602
    assert error["message"].endswith(".")


def test_a_prompt_brings_what_memory_has_as_data(full: tuple[Wire, str]) -> None:
    wire, first = full
    prompts = {prompt["name"]: prompt for prompt in wire.ask("prompts/list")["result"]["prompts"]}
    assert set(prompts) == {"what_do_you_remember", "hand_over"}
    params = {"name": "what_do_you_remember", "arguments": {"topic": "harbour master Ishmael"}}
    (message,) = wire.ask("prompts/get", params)["result"]["messages"]
    assert message["role"] == "user"
    assert first in message["content"]["text"]
    assert "<memory-data>" in message["content"]["text"]
    (message,) = wire.ask("prompts/get", {"name": "hand_over"})["result"]["messages"]
    assert "memory_remember" in message["content"]["text"]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"name": "what_do_you_remember"}, "topic"),
        ({"name": "what_do_you_remember", "arguments": {"topic": " "}}, "topic"),
        ({"name": "no_such"}, "no_such"),
    ],
)
def test_a_prompt_that_cannot_be_written_says_why(full: tuple[Wire, str], params: dict[str, Any], words: str) -> None:
    error = full[0].ask("prompts/get", params)["error"]
    assert error["code"] == -32602
    assert words in error["message"]


@pytest.mark.parametrize(
    ("tool", "wrong", "right"),
    [
        ("memory_recall", "max_token", "max_tokens"),
        ("memory_remember", "expires", "expires_at"),
        ("memory_forget", "replaced", "replaced_by"),
        ("memory_list", "state", "status"),
        ("memory_explain", "querry", "query"),
    ],
)
def test_an_unknown_argument_is_answered_with_the_closest_one(
    full: tuple[Wire, str], tool: str, wrong: str, right: str
) -> None:
    error = full[0].call(tool, **{wrong: "x"})["error"]
    assert error["argument"] == wrong
    assert f"did you mean '{right}'?" in error["message"]
