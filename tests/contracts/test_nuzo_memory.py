"""Nuzo's tools through a real client: remember, recall, the hook, list, update, history."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.client import Client, text_of
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires

ELEVEN = [
    "memory.remember",
    "memory.recall",
    "memory.recall_hook",
    "memory.list",
    "memory.update",
    "memory.history",
    "memory.forget",
    "memory.forget_many",
    "memory.export",
    "memory.import",
    "memory.doctor",
]
RECORD = {
    "id",
    "content",
    "kind",
    "scope",
    "tags",
    "source",
    "confidence",
    "created_at",
    "updated_at",
    "last_used_at",
    "archived_at",
}
ULID = "[0-9A-HJKMNP-TV-Z]{26}"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"
SEED = {
    "content": "The user prefers SQLite for local-first prototypes.",
    "kind": "preference",
    "scope": "user:default",
    "tags": ["storage", "architecture"],
    "source": "codex:mcp",
}
LETTERS = "q7Rk2VxT9mPz4LwB8nHc"
SECRETS = {
    "private_key": "-----BEGIN OPENSSH PRIVATE KEY-----",
    "github_token": f"ghp_{LETTERS}",
    "provider_api_key": f"sk-proj-{LETTERS}",
    "aws_access_key": "AKIA2Q7RKVXTMPZ4LWBH",
    "jwt": f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{LETTERS}",
    "bearer_token": f"Bearer {LETTERS}",
    "credential_url": "postgres://app:w7kq9z@db.internal/x",
    "session_cookie": f"session_id={LETTERS}",
    "generic_api_key": f"api_key={LETTERS}",
}


def stored(client: Client, content: str, **more: Any) -> str:
    id: str = client.call("memory.remember", content=content, **{"kind": "fact", **more})["id"]
    return id


def listed(client: Client, **filters: Any) -> dict[str, Any]:
    return {each["id"]: each for each in client.call("memory.list", **filters)["memories"]}


def kept(client: Client, content: str, **more: Any) -> dict[str, Any]:
    """What the list shows of a memory that was just stored."""
    id = stored(client, content, **more)
    record: dict[str, Any] = listed(client)[id]
    return record


def project_scope(project: Path) -> str:
    return f"project:{sha256(str(project.resolve()).encode()).hexdigest()[:16]}"


# -- the server and its errors ----------------------------------------------------------------


@requires("nuzo.server.eleven_tools", "nuzo.server.name", "nuzo.server.text", "nuzo.server.unknown_arguments")
def test_the_server_is_nuzo_with_eleven_tools(serve: Serve) -> None:
    client = serve("nuzo")
    assert [tool.name for tool in client.tools()] == ELEVEN
    assert client.inner.server_info is not None
    assert client.inner.server_info.name == "nuzo"
    answer = client.raw("memory.remember", {**SEED, "mood": "good", "expected_revision": 3})
    assert re.fullmatch(rf'\{{\n  "id": "mem_{ULID}",\n  "created": true,\n  "warnings": \[\]\n\}}', text_of(answer))


@requires("nuzo.errors.envelope", "nuzo.errors.arguments")
def test_every_argument_that_is_missing_or_mistyped_has_its_code(serve: Serve) -> None:
    client = serve("nuzo")
    wrong: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("memory.remember", {"kind": "fact"}, "MEMORY_CONTENT_EMPTY"),
        ("memory.remember", {"content": 7, "kind": "fact"}, "MEMORY_CONTENT_EMPTY"),
        ("memory.remember", {"content": "x"}, "MEMORY_KIND_UNSUPPORTED"),
        ("memory.remember", {"content": "x", "kind": "fact", "scope": 1}, "MEMORY_SCOPE_INVALID"),
        ("memory.remember", {"content": "x", "kind": "fact", "tags": "a"}, "MEMORY_TAG_INVALID"),
        ("memory.remember", {"content": "x", "kind": "fact", "tags": [1]}, "MEMORY_TAG_INVALID"),
        ("memory.remember", {"content": "x", "kind": "fact", "source": []}, "MEMORY_SOURCE_EMPTY"),
        ("memory.remember", {"content": "x", "kind": "fact", "confidence": "y"}, "MEMORY_CONFIDENCE_INVALID"),
        ("memory.remember", {"content": "x", "kind": "fact", "confidence": 10**400}, "MEMORY_CONFIDENCE_INVALID"),
        ("memory.remember", {"content": "x", "kind": "fact", "confidence": True}, "MEMORY_CONFIDENCE_INVALID"),
        ("memory.recall", {}, "RECALL_QUERY_EMPTY"),
        ("memory.recall", {"query": "x", "limit": "many"}, "RECALL_LIMIT_INVALID"),
        ("memory.recall", {"query": "x", "limit": 1.5}, "RECALL_LIMIT_INVALID"),
        ("memory.recall", {"query": "x", "include_global": "yes"}, "MEMORY_INPUT_INVALID"),
        ("memory.recall_hook", {"task_context": "  "}, "RECALL_QUERY_EMPTY"),
        ("memory.recall_hook", {"task_context": "x", "project_scope": "nowhere"}, "MEMORY_SCOPE_INVALID"),
        ("memory.history", {}, "MEMORY_ID_EMPTY"),
        ("memory.forget", {"id": "x", "mode": "burn"}, "MEMORY_INPUT_INVALID"),
        ("memory.import", {}, "MEMORY_EXPORT_INVALID"),
        ("memory.export", {"format": "xml"}, "MEMORY_EXPORT_UNSUPPORTED"),
        ("memory.unknown", {}, "MEMORY_INPUT_INVALID"),
    )
    for tool, arguments, code in wrong:
        body = client.refusal(tool, **arguments)
        assert body["code"] == code, (tool, arguments, body)
        assert set(body) <= {"code", "message", "details"}
        assert body["message"].endswith((".", "?"))
    assert client.call("memory.list")["memories"] == []


# -- remember ---------------------------------------------------------------------------------


@requires(
    "nuzo.remember.output",
    "nuzo.remember.defaults",
    "nuzo.remember.repeats",
    "nuzo.model.record",
    "nuzo.model.ids",
    "nuzo.model.times",
    "nuzo.model.own_scope",
    "nuzo.model.confidence",
    "nuzo.model.content",
    "nuzo.model.tags_once",
    "nuzo.list.output",
)
def test_remember_always_makes_a_new_record(serve: Serve) -> None:
    client = serve("nuzo")
    first, second = client.call("memory.remember", **SEED), client.call("memory.remember", **SEED)
    assert first["id"] != second["id"]
    assert {name: first[name] for name in ("created", "warnings")} == {"created": True, "warnings": []}
    record = listed(client)[first["id"]]
    assert set(record) == RECORD
    assert {name: record[name] for name in SEED} == SEED
    assert re.fullmatch(f"mem_{ULID}", record["id"])
    assert re.fullmatch(TIME, record["created_at"])
    assert record["created_at"] == record["updated_at"]
    assert (record["confidence"], record["last_used_at"], record["archived_at"]) == (1, None, None)
    plain = kept(client, "  padded \n", tags=["b", "a", "b"], confidence=0.25)
    assert (plain["content"], plain["tags"], plain["confidence"]) == ("padded", ["b", "a"], 0.25)
    assert (plain["scope"], plain["source"]) == ("user:default", "nuzo:mcp")
    assert len(kept(client, "x" * 8_000)["content"]) == 8_000


@requires("nuzo.model.kinds", "nuzo.model.foreign_kinds", "nuzo.model.shared_store")
def test_kinds_round_trip_and_those_of_others_show_as_the_closest(serve: Serve) -> None:
    nuzo, native = serve("nuzo"), serve("native")
    for kind in ("preference", "project_decision", "fact", "instruction", "note"):
        assert kept(nuzo, f"of the kind {kind}", kind=kind)["kind"] == kind
    shown = {"decision": "project_decision", "learning": "fact", "event": "fact", "context": "fact", "task": "note"}
    for kind, name in shown.items():
        id = native.call("memory_remember", text=f"heron of the kind {kind}", kind=kind)["id"]
        record = listed(nuzo)[id]
        assert (record["kind"], record["source"] != "") == (name, True)
    assert len(nuzo.call("memory.recall", query="heron")["results"]) == 5
    found = native.call("memory_recall", query="project_decision")["memories"]
    assert found[0]["kind"] == "decision"


@requires(
    "nuzo.remember.order",
    "nuzo.model.tags",
    "nuzo.model.scopes",
    "nuzo.model.content",
    "nuzo.model.confidence",
    "nuzo.model.kinds",
)
def test_checks_come_in_the_order_of_the_contract(serve: Serve) -> None:
    client = serve("nuzo")
    secret = SECRETS["github_token"]
    wrong = {
        "content": "",
        "kind": "mood",
        "scope": "nowhere",
        "source": " ",
        "confidence": 1.5,
        "tags": ["Upper"],
    }
    steps = (
        ({}, "MEMORY_CONTENT_EMPTY"),
        ({"content": f"{secret} {'x' * 8_000}"}, "MEMORY_CONTENT_TOO_LONG"),
        ({"content": secret}, "MEMORY_KIND_UNSUPPORTED"),
        ({"kind": "fact"}, "MEMORY_SCOPE_INVALID"),
        ({"scope": "team:core"}, "MEMORY_SOURCE_EMPTY"),
        ({"source": "test"}, "MEMORY_CONFIDENCE_INVALID"),
        ({"confidence": 0}, "MEMORY_TAG_INVALID"),
        ({"tags": ["fine"]}, "MEMORY_SECRET_DETECTED"),
    )
    for mended, code in steps:
        wrong |= mended
        assert client.refusal("memory.remember", **wrong)["code"] == code
    for tag in ("Upper", "two words", "-first", ".first", "é", "", "x" * 65):
        assert client.refusal("memory.remember", content="x", kind="fact", tags=[tag])["code"] == "MEMORY_TAG_INVALID"
    for scope in ("user", "project", "", "mood:x", "user:", "project:a b", "user:somebody-else"):
        body = client.refusal("memory.remember", content="x", kind="fact", scope=scope)
        assert body["code"] == "MEMORY_SCOPE_INVALID", scope
    for kind in ("decision", "Fact", ""):
        assert client.refusal("memory.remember", content="x", kind=kind)["code"] == "MEMORY_KIND_UNSUPPORTED"
    assert client.call("memory.list")["memories"] == []
    for scope in ("project:a.b_c~d:e/f-1", "agent:reviewer", "team:core"):
        assert kept(client, "x", scope=scope, tags=["0.a_b-c", "x" * 64])["scope"] == scope


@requires("nuzo.remember.secrets")
@pytest.mark.parametrize("tool", ["memory.remember", "memory.update", "memory.import"])
def test_secrets_are_refused_by_kind_and_never_echoed(serve: Serve, tool: str) -> None:
    client = serve("nuzo")
    id = stored(client, "harmless")
    document = client.call("memory.export")
    for kind, secret in SECRETS.items():
        content = f"remember this: {secret}"
        match tool:
            case "memory.remember":
                arguments: dict[str, Any] = {"content": content, "kind": "fact"}
            case "memory.update":
                arguments = {"id": id, "content": content}
            case _:
                arguments = {"document": {**document, "memories": [{**document["memories"][0], "content": content}]}}
        answer = client.raw(tool, arguments)
        assert answer.is_error
        assert secret not in text_of(answer)
        body = client.refusal(tool, **arguments)
        assert body["code"] == "MEMORY_SECRET_DETECTED"
        assert [each["kind"] for each in body["details"]["findings"]] == [kind]
        assert all(each["message"] for each in body["details"]["findings"])
    assert [each["content"] for each in client.call("memory.list")["memories"]] == ["harmless"]


# -- recall -----------------------------------------------------------------------------------


@requires(
    "nuzo.recall.output",
    "nuzo.recall.include_global",
    "nuzo.recall.one_scope",
    "nuzo.recall.reason",
    "nuzo.recall.empty",
    "nuzo.recall.order",
    "nuzo.recall.archived",
    "nuzo.model.project_auto",
)
def test_recall_looks_where_it_is_told(serve: Serve, project: Path) -> None:
    client = serve("nuzo")
    client.call("memory.remember", **SEED)
    here = stored(client, "Storage of this plugin is a SQLite file.", scope="project:auto")
    for scope in ("project:other", "team:core", "agent:reviewer"):
        stored(client, "Storage elsewhere is SQLite.", scope=scope)
    question = "How should I design local-first storage for prototypes?"

    def found(**more: Any) -> list[dict[str, Any]]:
        results: list[dict[str, Any]] = client.call("memory.recall", query=question, **more)["results"]
        return results

    both = found(scope="project:auto", include_global=True)
    assert [hit["scope"] for hit in both] == ["user:default", project_scope(project)]
    assert [hit["scope"] for hit in found(scope="project:auto")] == [project_scope(project)]
    assert [hit["scope"] for hit in found()] == ["user:default"]
    assert [hit["scope"] for hit in found(include_global=True)] == ["user:default"]
    assert set(both[0]) == {"id", "content", "score", "scope", "reason", "kind", "tags"}
    assert both[0]["reason"] == "Matched local-first, storage and prototypes terms."
    assert both[1]["reason"] == "Matched storage term."
    assert 1 >= both[0]["score"] >= both[1]["score"] >= 0
    assert client.call("memory.recall", query="zeppelin")["results"] == []
    client.call("memory.forget", id=here)
    assert found(scope="project:auto") == []


@requires("nuzo.recall.limit", "nuzo.recall.query")
def test_recall_has_limits(serve: Serve) -> None:
    client = serve("nuzo")
    for place in range(12):
        stored(client, f"heron number {place}")
    assert len(client.call("memory.recall", query="heron")["results"]) == 8
    assert len(client.call("memory.recall", query="heron", limit=1)["results"]) == 1
    assert len(client.call("memory.recall", query="heron", limit=50.0)["results"]) == 12
    for limit in (0, 51, -1):
        assert client.refusal("memory.recall", query="heron", limit=limit)["code"] == "RECALL_LIMIT_INVALID"
    for query in ("", " \n"):
        assert client.refusal("memory.recall", query=query)["code"] == "RECALL_QUERY_EMPTY"


@requires("nuzo.recall.use", "nuzo.recall.event", "nuzo.hook.traceless")
def test_recall_leaves_a_trace_and_the_hook_leaves_none(serve: Serve) -> None:
    client = serve("nuzo")
    id = stored(client, "Herons nest in March.")
    before = listed(client)[id]
    assert client.call("memory.recall_hook", task_context="herons in March")["results"][0]["id"] == id
    assert listed(client)[id] == before
    assert [event["event_type"] for event in client.call("memory.history", id=id)["events"]] == ["memory.created"]
    client.call("memory.recall", query="herons in March")
    after = listed(client)[id]
    assert re.fullmatch(TIME, after["last_used_at"])
    assert {**after, "last_used_at": None} == before
    event = client.call("memory.history", id=id)["events"][-1]
    assert (event["event_type"], event["actor"]) == ("memory.recalled", "nuzo:mcp")
    assert event["payload"]["queryHash"] == sha256(b"herons in March").hexdigest()
    assert "herons" not in str(event)


@requires(
    "nuzo.hook.output",
    "nuzo.hook.query",
    "nuzo.hook.scopes",
    "nuzo.hook.limit",
    "nuzo.hook.selector",
    "nuzo.hook.confirmed",
)
def test_the_hook_is_read_only_and_short(serve: Serve, project: Path) -> None:
    client, native = serve("nuzo"), serve("native")
    context = "Continue work on the Nuzo MCP plugin packaging."
    assert client.call("memory.recall_hook", task_context=context) == {
        "mode": "read_only",
        "memory_writes": False,
        "capture_suggestions": False,
        "query": context,
        "scope": "project:auto",
        "include_global": True,
        "limit": 5,
        "results": [],
    }
    for place in range(10):
        stored(client, f"Packaging rule {place}", scope="project:auto" if place % 2 else "user:default")
    stored(client, "Packaging rule of another project", scope="project:other")
    native.call("memory_remember", text="Packaging is done by magic", inferred=True)
    for asked, given in ((99, 8), (0, 1), (-3, 1), (8, 8)):
        answer = client.call("memory.recall_hook", task_context=context, limit=asked)
        assert (answer["limit"], len(answer["results"])) == (given, given)
    scopes = {hit["scope"] for hit in client.call("memory.recall_hook", task_context=context, limit=8)["results"]}
    assert scopes == {"user:default", project_scope(project)}
    assert "magic" not in str(client.call("memory.recall_hook", task_context="packaging by magic")["results"])
    assert "done by magic" in str(client.call("memory.recall", query="packaging by magic"))
    long = client.call("memory.recall_hook", task_context="  packaging \n\t " + "word " * 200)
    assert long["query"].startswith("packaging word word")
    assert " … " in long["query"]
    assert len(long["query"]) <= 500


# -- list, update, history --------------------------------------------------------------------


@requires("nuzo.list.scope", "nuzo.list.tags", "nuzo.list.archived", "nuzo.list.order", "nuzo.list.statuses")
def test_list_filters_and_orders(serve: Serve) -> None:
    client, native = serve("nuzo"), serve("native")
    a = stored(client, "a", tags=["x", "y"])
    b = stored(client, "b", tags=["x"], scope="agent:reviewer")
    c = stored(client, "c", tags=["y"], scope="project:auto")
    assert list(listed(client)) == [c, b, a]
    client.call("memory.update", id=a, confidence=0.5)
    assert list(listed(client)) == [a, c, b]
    assert list(listed(client, tags=["x"])) == [a, b]
    assert list(listed(client, tags=["x", "y"])) == [a]
    assert list(listed(client, scope="agent:reviewer")) == [b]
    client.call("memory.forget", id=b)
    assert b not in listed(client)
    record = listed(client, include_archived=True)[b]
    assert record["archived_at"] == record["updated_at"]
    native.call("memory_update", id=a, status="invalidated")
    native.call("memory_forget", id=c)
    assert list(listed(client)) == []
    assert list(listed(client, include_archived=True)) == [a, b]
    assert client.refusal("memory.update", id=c, content="again")["code"] == "MEMORY_NOT_FOUND"
    assert client.call("memory.forget", id=a)["forgotten"]


@requires("nuzo.update.output", "nuzo.update.fields", "nuzo.update.order", "nuzo.update.policy", "nuzo.update.event")
def test_update_checks_the_whole_record(serve: Serve) -> None:
    client, native = serve("nuzo"), serve("native")
    id = client.call("memory.remember", **SEED)["id"]
    before = listed(client)[id]
    changed = client.call("memory.update", id=id, content=" simpler ", tags=["sqlite"])["memory"]
    assert (changed["content"], changed["tags"]) == ("simpler", ["sqlite"])
    assert {name: changed[name] for name in ("id", "source", "created_at")} == {
        name: before[name] for name in ("id", "source", "created_at")
    }
    assert changed["updated_at"] > before["updated_at"]
    moved = client.call("memory.update", id=id, kind="note", scope="team:core", confidence=0, tags=[])["memory"]
    assert (moved["kind"], moved["scope"], moved["confidence"], moved["tags"]) == ("note", "team:core", 0, [])
    assert client.call("memory.recall", query="simpler", scope="team:core")["results"][0]["id"] == id
    payloads = [event["payload"] for event in client.call("memory.history", id=id)["events"][1:3]]
    none = dict.fromkeys(("content", "kind", "scope", "tags", "confidence"), False)
    assert payloads == [
        {"changed": {**none, "content": True, "tags": True}},
        {"changed": {**none, "kind": True, "scope": True, "tags": True, "confidence": True}},
    ]
    assert client.refusal("memory.update", id="mem_none")["code"] == "MEMORY_NOT_FOUND"
    assert client.refusal("memory.update", id=id)["code"] == "MEMORY_UPDATE_EMPTY"
    assert client.refusal("memory.update", id=id, content=" ", kind="mood")["code"] == "MEMORY_CONTENT_EMPTY"
    assert client.refusal("memory.update", id=id, kind="mood", tags=["A"])["code"] == "MEMORY_KIND_UNSUPPORTED"
    foreign = native.call("memory_remember", text="tagged elsewhere", tags=["Not Ours"])["id"]
    assert client.refusal("memory.update", id=foreign, content="other")["code"] == "MEMORY_TAG_INVALID"
    assert client.call("memory.update", id=foreign, content="other", tags=["ours"])["memory"]["tags"] == ["ours"]


@requires("nuzo.update.archived")
def test_an_archived_record_can_be_updated_and_stays_archived(serve: Serve) -> None:
    client = serve("nuzo")
    id = stored(client, "herons")
    client.call("memory.forget", id=id)
    assert client.call("memory.update", id=id, content="grey herons")["memory"]["archived_at"] is not None
    assert client.call("memory.recall", query="herons")["results"] == []


@requires(
    "nuzo.history.output",
    "nuzo.history.deleted",
    "nuzo.history.own_events",
    "nuzo.history.order",
    "nuzo.history.ids",
    "nuzo.remember.event",
)
def test_history_outlives_the_memory(serve: Serve) -> None:
    client = serve("nuzo")
    id = client.call("memory.remember", content="Herons nest in March.", kind="preference", tags=["workflow"])["id"]
    other = stored(client, "something else")
    (created,) = client.call("memory.history", id=id)["events"]
    assert {**created, "id": "", "created_at": ""} == {
        "id": "",
        "memory_id": id,
        "event_type": "memory.created",
        "actor": "nuzo:mcp",
        "payload": {"kind": "preference", "scope": "user:default", "tags": ["workflow"]},
        "created_at": "",
    }
    assert re.fullmatch(f"evt_{ULID}", created["id"])
    assert re.fullmatch(TIME, created["created_at"])
    for place in range(20):
        client.call("memory.update", id=id, confidence=place / 20)
    client.call("memory.forget", id=id, mode="delete", confirm=True, reason="no longer true")
    events = client.call("memory.history", id=id)["events"]
    assert [event["event_type"] for event in events] == [
        "memory.created",
        *["memory.updated"] * 20,
        "memory.deleted",
    ]
    assert events[-1]["payload"] == {"reason": "no longer true"}
    assert {event["memory_id"] for event in events} == {id}
    assert "Herons" not in str(events)
    assert len(client.call("memory.history", id=other)["events"]) == 1
    assert client.call("memory.history", id="mem_01HZY0000000000000000000AA")["events"] == []
    assert client.refusal("memory.history", id="  ")["code"] == "MEMORY_ID_EMPTY"
