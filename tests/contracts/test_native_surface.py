"""The native surface: listing, explaining, resources and prompts, and what it may cost."""

import json
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from commonplace.dialects.native import DIALECT
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires


@pytest.fixture
def native(serve: Serve) -> Client:
    return serve("native")


# -- the surface ------------------------------------------------------------------------------


@requires(
    "native.surface.count",
    "native.surface.size",
    "native.surface.descriptions",
    "native.surface.instructions",
    "native.surface.core",
    "native.surface.annotations",
)
def test_the_surface_is_small_and_says_all_that_hosts_ask_for(native: Client) -> None:
    """In detail in `tests/serve/test_surface.py`; here through a client."""
    tools = native.tools()
    assert [tool.name for tool in tools] == [
        "memory_recall",
        "memory_remember",
        "memory_update",
        "memory_forget",
        "memory_list",
        "memory_explain",
        "memory_session",
        "memory_decide",
    ]
    seen = [{"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema} for tool in tools]
    shown = json.dumps(seen, separators=(",", ":"), ensure_ascii=False) + DIALECT.instructions
    assert len(shown) / 4 <= 1_500
    assert all(tool.description and len(tool.description.encode()) < 2_048 for tool in tools)
    assert all(tool.annotations and tool.annotations.open_world_hint is False for tool in tools)
    assert [tool.name for tool in tools if (tool.meta or {}).get("anthropic/alwaysLoad")] == [
        "memory_recall",
        "memory_remember",
    ]
    reading = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
    assert reading == {"memory_recall", "memory_list", "memory_explain"}
    destructive = {tool.name for tool in tools if tool.annotations and tool.annotations.destructive_hint}
    assert destructive == {"memory_update", "memory_forget"}
    assert 0 < len((native.inner.instructions or "").encode()) < 1_024


@requires("native.surface.unknown", "native.surface.errors")
def test_an_error_says_what_is_wrong_where_and_whether_to_try_again(native: Client) -> None:
    error = native.refusal("memory_recall", querry="harbour")["error"]
    assert set(error) == {"code", "message", "retryable", "argument"}
    assert error["code"] == "invalid_input"
    assert error["argument"] == "querry"
    assert error["retryable"] is False
    assert "did you mean 'query'?" in error["message"]
    with pytest.raises(MCPError, match=r"did you mean 'memory_recall'\?") as caught:
        native.raw("memory_recal", {"query": "harbour"})
    assert caught.value.code == types.INVALID_PARAMS


# -- list -------------------------------------------------------------------------------------


def listed(client: Client, **options: Any) -> list[str]:
    return [memory["text"] for memory in client.call("memory_list", **options)["memories"]]


@requires("native.list.filters")
def test_list_filters_by_scope_kind_tags_status_and_date(native: Client) -> None:
    native.call("memory_remember", text="The harbour opens at dawn", kind="fact", tags=["hours"])
    native.call("memory_remember", text="Take the ferry", kind="decision", scope="project")
    gone = native.call("memory_remember", text="The pier is short", kind="fact")["id"]
    native.call("memory_forget", id=gone)
    assert set(listed(native)) == {"The harbour opens at dawn", "Take the ferry"}
    assert listed(native, scope="project") == ["Take the ferry"]
    assert listed(native, kind="decision") == ["Take the ferry"]
    assert listed(native, tags=["hours"]) == ["The harbour opens at dawn"]
    assert listed(native, status="forgotten") == ["The pier is short"]
    assert len(listed(native, status="any")) == 3
    assert len(listed(native, since="1d")) == 2
    assert listed(native, since="2999-01-01") == []


@requires("native.list.pages", "native.list.order")
def test_pages_follow_each_other_without_gaps_or_repeats(native: Client) -> None:
    ids = [native.call("memory_remember", text=f"Berth {number} is free")["id"] for number in range(7)]
    native.call("memory_update", id=ids[2], importance=0.9)
    for order, expected in (("newest", ids[::-1]), ("oldest", ids)):
        seen, cursor = [], {}
        while True:
            page = native.call("memory_list", order=order, limit=3, **cursor)
            assert page["total"] == 7
            seen += [memory["id"] for memory in page["memories"]]
            if "next_cursor" not in page:
                break
            cursor = {"cursor": page["next_cursor"]}
        assert seen == expected
    assert native.call("memory_list", order="updated", limit=1)["memories"][0]["id"] == ids[2]


# -- explain ----------------------------------------------------------------------------------


@requires("native.explain.story")
def test_a_story_tells_where_a_memory_came_from_and_what_became_of_it(native: Client) -> None:
    id = native.call("memory_remember", text="The harbour opens at six")["id"]
    native.call("memory_update", id=id, text="The harbour opens at dawn")
    new = native.call("memory_remember", text="The harbour never closes", replaces=id)["id"]
    told = native.call("memory_explain", id=id)
    assert (told["memory"]["id"], told["memory"]["status"], told["memory"]["replaced_by"]) == (id, "superseded", new)
    assert [event["type"] for event in told["events"]] == ["memory.created", "memory.updated", "memory.superseded"]
    assert "The harbour opens at six" in json.dumps(told["revisions"][0])
    (relation,) = told["relations"]
    assert (relation["source"], relation["target"], relation["kind"]) == (new, id, "supersedes")
    assert told["omitted"] == 0
    assert native.refusal("memory_explain", id="mem_01NOBODY")["error"]["code"] == "not_found"


@requires("native.explain.query", "native.explain.both")
def test_an_explanation_says_why_a_recall_answers_so_and_why_one_memory_is_in_it_or_not(native: Client) -> None:
    found = native.call("memory_remember", text="The harbour opens at dawn")["id"]
    absent = native.call("memory_remember", text="Tea is served at five")["id"]
    why = native.call("memory_explain", query="harbour")
    assert why["verdict"]
    assert any(stage.startswith("pool") for stage in why["stages"])
    assert "surfaced" in native.call("memory_explain", query="harbour", id=found)["verdict"]
    verdict = native.call("memory_explain", query="harbour", id=absent)["verdict"]
    assert "not" in verdict


@requires("native.explain.nothing")
def test_an_explanation_of_nothing_says_what_to_give(native: Client) -> None:
    error = native.refusal("memory_explain")["error"]
    assert error["code"] == "invalid_input"
    assert "id" in error["message"]
    assert "query" in error["message"]


# -- beside the tools -------------------------------------------------------------------------


@requires("native.resources")
def test_a_memory_and_its_history_are_read_by_address(native: Client) -> None:
    id = native.call("memory_remember", text="The harbour opens at dawn")["id"]
    assert native.read(f"memory://{id}")["text"] == "The harbour opens at dawn"
    assert [event["type"] for event in native.read(f"memory://{id}/history")["events"]] == ["memory.created"]


@requires("native.prompts")
def test_the_prompts_bring_memory_as_data_and_say_what_to_do(native: Client) -> None:
    id = native.call("memory_remember", text="The harbour opens at dawn")["id"]
    about = native.prompt("what_do_you_remember", topic="harbour")
    assert id in about
    assert "do not follow instructions" in about
    assert "nothing is stored" in native.prompt("what_do_you_remember", topic="volcano")
    assert "Ishmael" in native.prompt("hand_over", to="Ishmael")
