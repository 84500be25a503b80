"""The same server for both protocol eras: the same tools, answers that keep to their schemas, all annotations set."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from commonplace.dialects import dialect_names
from tests.contracts.client import Client, serving, text_of
from tests.serve.conftest import Start

HANDSHAKES = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
DAWN = {"title": "Dawn", "owner": "ada", "scope": "port", "context": "c", "decision": "d", "rationale": "r"}
CALLS: dict[str, list[tuple[str, Callable[[str], dict[str, Any]]]]] = {
    "native": [
        ("memory_remember", lambda id: {"text": "The harbour opens at six", "topic": "hours", "tags": ["port"]}),
        ("memory_remember", lambda id: {"text": "The harbour opens at dawn", "replaces": id, "expires_at": "90d"}),
        ("memory_recall", lambda id: {"query": "harbour"}),
        ("memory_recall", lambda id: {"query": "nothing of the kind"}),
        ("memory_update", lambda id: {"id": id, "importance": 0.9, "tags": ["port", "sea"]}),
        ("memory_list", lambda id: {"status": "any", "limit": 1}),
        ("memory_list", lambda id: {}),
        ("memory_explain", lambda id: {"id": id}),
        ("memory_explain", lambda id: {"query": "harbour"}),
        ("memory_explain", lambda id: {"id": id, "query": "harbour"}),
        ("memory_forget", lambda id: {"id": id, "reason": "wrong harbour"}),
        ("memory_explain", lambda id: {"id": id}),
        ("memory_remember", lambda id: {"text": "The harbour opens at dawn", "inferred": True, "key": "k1"}),
        ("memory_list", lambda id: {"status": "forgotten"}),
        ("memory_update", lambda id: {"id": id, "status": "active"}),
        ("memory_decide", lambda id: {"title": "Dawn", "decision": "d", "rationale": "r", "context": "c"}),
        ("memory_decide", lambda id: {"query": "dawn"}),
        ("memory_session", lambda id: {"transcript": "User: We always open the harbour at dawn.", "surface": "cli"}),
        ("memory_session", lambda id: {}),
    ],
    "snipara": [
        ("rlm_remember", lambda id: {"text": "The harbour opens at six", "related_to": ["mem_x"], "ttl_days": 9}),
        ("rlm_remember", lambda id: {"text": "The harbour opens at six", "tags": ["port"]}),
        ("rlm_remember_bulk", lambda id: {"memories": [{"text": "The pier is long"}, {"text": "x", "scope": "team"}]}),
        ("rlm_recall", lambda id: {"query": "harbour"}),
        ("rlm_memories", lambda id: {"type": "fact", "limit": 20, "offset": 0}),
        ("rlm_memory_attach_source", lambda id: {"memory_id": id, "evidence_type": "CHUNK", "chunk_id": "chunk_456"}),
        ("rlm_get_chunk", lambda id: {"chunk_id": "chunk_456"}),
        ("rlm_memory_verify", lambda id: {"memory_id": id, "mark_stale_if_missing": True}),
        ("rlm_memory_invalidate", lambda id: {"memory_id": id, "reason": "It opens at dawn"}),
        ("rlm_forget", lambda id: {"memory_id": id}),
        ("rlm_remember", lambda id: {"text": "The lock is open"}),
        ("rlm_memory_supersede", lambda id: {"old_memory_id": "2", "new_memory_id": id}),
        ("rlm_decision_create", lambda id: DAWN),
        ("rlm_decision_query", lambda id: {"query": "dawn"}),
        ("rlm_decision_supersede", lambda id: {"old_decision_id": "DEC-001", **DAWN}),
    ],
    "aleph": [
        ("memory_status", lambda id: {}),
        ("remember", lambda id: {"content": "The harbour opens at six", "priority": 8, "category": "hours"}),
        ("remember", lambda id: {"content": "The harbour opens at dawn", "agent_id": "pilot"}),
        ("memory_search", lambda id: {"query": "harbour"}),
        ("memory_search", lambda id: {"query": "harbour", "mode": "context", "agent_id": "pilot"}),
        ("memory_reflect", lambda id: {"query": "harbour"}),
        ("memory_reflect", lambda id: {"query": "harbour", "depth": "comprehensive"}),
        ("forget", lambda id: {"query": "harbour"}),
        ("forget", lambda id: {"query": "harbour", "confirm": True}),
        ("memory_status", lambda id: {}),
    ],
}

# What has nothing to answer with until something was written through another door; its contract's tests call it.
NEEDS_A_BOOK = {"aleph": {"session_search"}}


@pytest.fixture(params=dialect_names())
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["legacy", MODERN])
def client(request: pytest.FixtureRequest, dialect: str, store: Path, project: Path) -> Iterator[Client]:
    with serving(dialect, store, project, mode=request.param) as client:
        yield client


def test_every_version_is_answered_in_itself(start: Start) -> None:
    listed = []
    for version in HANDSHAKES:
        wire = start()
        answer = wire.shake_hands(version)
        assert answer["protocolVersion"] == version
        assert answer["serverInfo"]["name"] == "commonplace"
        assert answer["instructions"]
        listed.append([tool["name"] for tool in wire.ask("tools/list")["result"]["tools"]])
    assert listed == [listed[0]] * len(HANDSHAKES)


def test_both_eras_list_the_same_tools_in_the_same_order(dialect: str, store: Path, project: Path) -> None:
    found: dict[str, Any] = {}
    for mode in ("legacy", MODERN):
        with serving(dialect, store, project, mode=mode) as client:
            assert (client.inner.protocol_version >= MODERN) == (mode == MODERN)
            listed = [tool.model_dump(mode="json", by_alias=True) for tool in client.tools()]
            assert client.inner.instructions or mode == MODERN  # a pinned client does not ask for them
            found[mode] = listed
    assert found["legacy"] == found[MODERN]


def test_a_client_that_discovers_hears_the_instructions_and_the_newest_version(store: Path, project: Path) -> None:
    with serving("native", store, project, mode="auto") as client:
        assert client.inner.protocol_version == MODERN
        assert "long-term memory" in (client.inner.instructions or "")


def test_every_tool_says_what_it_does_to_the_world(client: Client) -> None:
    for tool in client.tools():
        hints = tool.annotations
        assert hints is not None
        assert hints.open_world_hint is False
        assert isinstance(hints.read_only_hint, bool)
        assert isinstance(hints.destructive_hint, bool)
        assert isinstance(hints.idempotent_hint, bool)
        assert not (hints.read_only_hint and hints.destructive_hint)
        assert tool.title
        assert tool.output_schema is not None
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)


def test_every_answer_keeps_to_its_schema_and_says_the_same_in_text(client: Client, dialect: str) -> None:
    if dialect not in CALLS:
        pytest.skip(f"the calls of {dialect} are with its contract")
    schemas = {tool.name: tool for tool in client.tools()}
    id, called = "", set()
    for name, arguments in CALLS[dialect]:
        given = arguments(id)
        jsonschema.validate(given, schemas[name].input_schema)
        result = client.raw(name, given)
        body = json.loads(text_of(result))
        assert not result.is_error, body
        assert result.structured_content == body
        jsonschema.validate(body, _closed(schemas[name].output_schema))
        id = body.get("id", id)
        called.add(name)
    assert called == set(schemas) - NEEDS_A_BOOK.get(dialect, set())


def _closed(schema: Any) -> Any:
    """The schema with no room for what it does not name: an answer must not say more than was promised."""
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(item) for name, item in schema.items()}
    return {**closed, "additionalProperties": False} if "properties" in schema else closed


def test_the_client_is_written_down_as_the_source_in_both_eras(client: Client, dialect: str) -> None:
    if dialect != "native":
        pytest.skip("what others show of a source is with their contracts")
    client.call("memory_remember", text="The harbour opens at dawn")
    (memory,) = client.call("memory_list")["memories"]
    assert memory["source"] == "mcp"
