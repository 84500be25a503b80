"""The snipara contract: the server itself, rlm_remember, rlm_remember_bulk and plans."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.dialects.snipara.plans import NO_PLAN, PLANS, SETTING, Plan
from commonplace.domain.memory import Kind, RelationKind
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Right
from commonplace.workspace.dialect_settings import settings_of_dialects
from tests.conftest import DAY, ManualClock, OpenBook
from tests.contracts.client import Client, text_of
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import DARK, listed, past, recalled, refused, stored, texts
from tests.hashing import HashingEmbedder

SNIPARA = load_dialect("snipara")
TYPES = ("fact", "decision", "learning", "preference", "todo", "context")


@pytest.fixture
def snipara(serve: Serve) -> Client:
    return serve("snipara")


# -- the server -------------------------------------------------------------------------------


@requires("snipara.server.tools", "snipara.server.descriptions")
def test_the_thirteen_tools_are_listed_with_all_that_hosts_ask_for(snipara: Client) -> None:
    tools = snipara.tools()
    assert [tool.name for tool in tools] == [
        "rlm_remember",
        "rlm_remember_bulk",
        "rlm_recall",
        "rlm_memories",
        "rlm_forget",
        "rlm_memory_attach_source",
        "rlm_get_chunk",
        "rlm_memory_verify",
        "rlm_memory_invalidate",
        "rlm_memory_supersede",
        "rlm_decision_create",
        "rlm_decision_query",
        "rlm_decision_supersede",
    ]
    assert snipara.inner.server_info is not None
    assert snipara.inner.server_info.name == "snipara"
    assert all(tool.description and 40 < len(tool.description.encode()) < 2_048 for tool in tools)
    reading = {tool.name for tool in tools if tool.annotations and tool.annotations.read_only_hint}
    assert reading == {"rlm_recall", "rlm_memories", "rlm_get_chunk", "rlm_decision_query"}
    destructive = {tool.name for tool in tools if tool.annotations and tool.annotations.destructive_hint}
    assert destructive == {
        "rlm_forget",
        "rlm_memory_invalidate",
        "rlm_memory_supersede",
        "rlm_decision_supersede",
    }
    required = {tool.name: set(tool.input_schema.get("required", ())) for tool in tools}
    assert required["rlm_remember"] == {"text"}
    assert required["rlm_remember_bulk"] == {"memories"}
    assert required["rlm_recall"] == {"query"}


@requires("snipara.server.text", "snipara.server.unknown_arguments")
def test_an_answer_is_pretty_json_and_unknown_arguments_are_let_be(snipara: Client) -> None:
    result = snipara.raw("rlm_remember", {"text": "Lunch is at noon", "colour": "red", "category": None, "tags": None})
    assert not result.is_error
    body = json.loads(text_of(result))
    assert text_of(result) == json.dumps(body, indent=2, ensure_ascii=False)
    assert result.structured_content == body
    assert body["category"] is None


@requires("snipara.server.one_book", "snipara.remember.kinds")
def test_every_kind_of_another_door_shows_as_the_nearest_type(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project) as book:
        for kind in Kind:
            book.remember(f"The harbour has a {kind.value}", kind=kind)
    client = serve("snipara")
    shown = {each["content"].split()[-1]: each["type"] for each in client.call("rlm_memories", limit=50)["memories"]}
    assert shown == {
        "fact": "fact",
        "preference": "preference",
        "decision": "decision",
        "learning": "learning",
        "instruction": "learning",
        "event": "context",
        "task": "todo",
        "context": "context",
        "note": "fact",
    }
    assert {each.split()[-1] for each in listed(client, type="learning")} == {"learning", "instruction"}
    assert texts(client, "what is the harbour event?", type="context", min_relevance=0.0, limit=20) >= {
        "The harbour has a event"
    }
    stored(client, "The lighthouse is green", scope="user")
    found = serve("native").call("memory_recall", query="what colour is the lighthouse?")["memories"]
    assert [each["text"] for each in found] == ["The lighthouse is green"]


# -- what it takes ----------------------------------------------------------------------------


@requires("snipara.remember.example", "snipara.remember.response")
def test_the_published_memory_is_stored(snipara: Client) -> None:
    answer = snipara.call("rlm_remember", text=DARK, type="preference", category="ui", scope="project", ttl_days=None)
    id = answer["memory_id"]
    assert id.startswith("mem_")
    owner = answer.pop("owner")
    assert answer == {
        "id": id,
        "memory_id": id,
        "content": DARK,
        "type": "preference",
        "scope": "project",
        "review_status": "approved",
        "status": "ACTIVE",
        "category": "ui",
        "tags": [],
        "expires_at": None,
        "stale_at": None,
        "created": True,
        "message": f"Memory stored successfully (ID: {id})",
    }
    assert owner.keys() == {"project_id", "team_id", "user_id", "agent_id"}
    assert [name for name, value in owner.items() if value] == ["project_id"]


@requires("snipara.remember.text", "snipara.remember.missing", "snipara.errors.envelope")
def test_a_text_is_required_and_content_is_another_name_for_it(snipara: Client) -> None:
    missing = "rlm_remember: missing required parameter 'text' (or 'content')"
    for arguments in ({}, {"text": ""}, {"text": "  ", "content": "\n"}, {"content": None}):
        assert snipara.refusal("rlm_remember", **arguments) == {"error": missing}
    assert snipara.call("rlm_remember", content="From before")["content"] == "From before"
    assert snipara.call("rlm_remember", text="The one", content="The other")["content"] == "The one"
    assert snipara.call("rlm_remember", text=" ", content="Third")["content"] == "Third"
    assert sorted(listed(snipara)) == ["From before", "The one", "Third"]


@requires("snipara.remember.types", "snipara.remember.bad_type", "snipara.errors.nothing_stored")
def test_the_six_types_round_trip_and_others_are_named(snipara: Client) -> None:
    for name in TYPES:
        assert snipara.call("rlm_remember", text=f"About a {name}", type=name.upper())["type"] == name
        assert listed(snipara, type=name) == [f"About a {name}"]
        assert recalled(snipara, f"a {name}", type=name)[0]["type"] == name
    assert snipara.call("rlm_remember", text="Untyped")["type"] == "fact"
    expected = "Expected one of: fact, decision, learning, preference, todo, context."
    said = refused(snipara, "rlm_remember", text="Bad", type="note")
    assert said == f"Invalid parameter 'type': unsupported memory type 'note'. {expected}"
    assert "unsupported memory scope 'galaxy'" in refused(snipara, "rlm_remember", text="Bad", scope="galaxy")
    assert refused(snipara, "rlm_recall", query="Bad", type="note") == said
    for wrong in ({"text": 5}, {"text": "Bad", "tags": "x"}, {"text": "Bad", "ttl_days": "3"}):
        assert next(name for name in wrong if name != "text" or wrong[name] == 5) in refused(
            snipara, "rlm_remember", **wrong
        )
    assert "Bad" not in listed(snipara)


@requires("snipara.remember.scope", "snipara.remember.scope.agent", "snipara.recall.where")
def test_a_scope_says_who_finds_it(snipara: Client) -> None:
    stored(snipara, "The harbour of the project")
    stored(snipara, "The harbour of the user", scope="User")
    agent = snipara.call("rlm_remember", text="The harbour of the agent", scope="agent", agent_id="reviewer")
    assert (agent["scope"], agent["owner"]["agent_id"]) == ("agent", "reviewer")
    assert texts(snipara, "harbour", scope="agent") == set(), "the agent that calls is another one"
    both = {"The harbour of the project", "The harbour of the user"}
    assert texts(snipara, "harbour") == both
    assert texts(snipara, "harbour", scope="user") == {"The harbour of the user"}
    assert texts(snipara, "harbour", scope="project") == {"The harbour of the project"}
    assert texts(snipara, "harbour", agent_id="reviewer") == {*both, "The harbour of the agent"}
    assert texts(snipara, "harbour", scope="agent", agent_id="reviewer") == {"The harbour of the agent"}
    assert texts(snipara, "harbour", scope="agent", agent_id="writer") == set()
    own = snipara.call("rlm_remember", text="The harbour of whoever calls", scope="agent")
    assert own["owner"]["agent_id"] == "local/mcp", "as the client calls itself"
    assert texts(snipara, "harbour") == {*both, "The harbour of whoever calls"}
    assert texts(snipara, "harbour", scope="agent", agent_id="reviewer") == {"The harbour of the agent"}


@requires("snipara.remember.scope.team", "snipara.recall.where")
def test_a_team_is_the_callers_own_or_named(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("snipara")
    none = refused(client, "rlm_remember", text="Ours", scope="team")
    assert none.startswith("scope=team requires a team_id")
    assert refused(client, "rlm_recall", query="ours", scope="team") == none
    with past(tmp_path, project) as book:
        book.teams.create("core")
    answer = client.call("rlm_remember", text="The harbour is ours", scope="team")
    assert (answer["scope"], answer["owner"]["team_id"]) == ("team", "core")
    assert texts(client, "harbour", min_relevance=0.3) == {"The harbour is ours"}
    with past(tmp_path, project) as book:
        book.teams.create("design")
    several = refused(client, "rlm_remember", text="Whose?", scope="team")
    assert several.startswith("scope=team requires a team_id")
    assert "core" in several
    assert "design" in several
    assert client.call("rlm_remember", text="Theirs", scope="team", team_id="design")["owner"]["team_id"] == "design"
    assert sorted(listed(client, scope="team")) == ["The harbour is ours", "Theirs"]


@requires("snipara.remember.ttl", "snipara.remember.ttl.positive", "snipara.remember.ttl.hidden")
def test_a_time_to_live_ends_and_null_never_does(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=8) as book:
        for name in TYPES:
            perform(SNIPARA, book, "rlm_remember", {"text": f"A {name} for a week", "type": name, "ttl_days": 7})
            perform(SNIPARA, book, "rlm_remember", {"text": f"A {name} for ever", "type": name, "ttl_days": None})
    client = serve("snipara")
    assert sorted(listed(client)) == sorted(f"A {name} for ever" for name in TYPES)
    assert all(found.endswith("for ever") for found in texts(client, "for a week", min_relevance=0.0, limit=20))
    gone = [each for each in client.call("rlm_memories", include_inactive=True)["memories"] if each["expires_at"]]
    assert len(gone) == 6
    assert {each["freshness"] for each in gone} == {"stale"}
    todo = client.call("rlm_remember", text="Water the plants", type="todo", ttl_days=0.5)
    assert todo["stale_at"] == todo["expires_at"] is not None
    assert client.call("rlm_remember", text="For a month", ttl_days=30)["stale_at"] is None
    for days in (0, -1, 10**9):
        assert refused(client, "rlm_remember", text="Never", ttl_days=days).startswith("Invalid parameter 'ttl_days'")


@requires("snipara.remember.document_refs", "snipara.remember.related_to", "snipara.recall.evidence_count")
def test_references_become_evidence_and_relations(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("snipara")
    first = stored(client, "The harbour opens at nine")
    answer = client.call(
        "rlm_remember",
        text="The lighthouse is green",
        document_refs=["docs/light.md", "docs/sea.md"],
        related_to=[first, "mem_unknown"],
    )
    assert answer["skipped_related"] == ["mem_unknown"]
    assert recalled(client, "lighthouse green")[0]["evidence_count"] == 2
    with past(tmp_path, project) as book:
        assert {each.reference for each in book.evidence.of(answer["id"])} == {"docs/light.md", "docs/sea.md"}
        (edge,) = book.relations(first)
    assert (edge.source, edge.target, edge.kind) == (answer["id"], first, RelationKind.RELATED_TO)


@requires("snipara.remember.repeat", "snipara.remember.repeat.type", "snipara.decay.recall")
def test_the_same_content_again_reinforces_it(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=7) as book:
        old = book.remember(DARK, kind=Kind.PREFERENCE, confidence=0.9).memory.id
    client = serve("snipara")
    again = client.call("rlm_remember", text="user  prefers dark mode in all APPLICATIONS", type="preference")
    assert (again["memory_id"], again["created"]) == (old, False)
    assert again["message"] == f"Memory already stored and reinforced (ID: {old})"
    (row,) = client.call("rlm_memories")["memories"]
    assert row["confidence"] == pytest.approx(0.7813 + 0.05, abs=0.0005)
    assert row["access_count"] == 1
    assert stored(client, DARK, type="fact") != old
    assert stored(client, DARK, type="preference", scope="user") != old
    assert len(listed(client)) == 3


@requires("snipara.remember.secrets")
def test_a_secret_is_neither_stored_nor_echoed(snipara: Client) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    for arguments in (
        {"text": f"Use {secret}"},
        {"text": "Fine", "category": secret},
        {"text": "Fine", "tags": [secret]},
        {"text": "Fine", "document_refs": [secret]},
    ):
        said = refused(snipara, "rlm_remember", **arguments)
        assert "appears to contain sensitive material and was not stored" in said
        assert secret not in said
    assert listed(snipara) == []


@requires("snipara.remember.tags", "snipara.remember.category", "snipara.recall.filters")
def test_tags_and_categories_are_kept_and_narrow(snipara: Client) -> None:
    stored(snipara, "The harbour uses OAuth", category="auth", tags=["sea", "login"])
    stored(snipara, "The harbour uses ropes", category="ui", tags=["sea"])
    assert texts(snipara, "harbour uses", category="auth") == {"The harbour uses OAuth"}
    assert texts(snipara, "harbour uses", tags=["sea"]) == {"The harbour uses OAuth", "The harbour uses ropes"}
    assert texts(snipara, "harbour uses", tags=["sea", "login"]) == {"The harbour uses OAuth"}
    assert recalled(snipara, "harbour uses", tags=["login"])[0]["tags"] == ["sea", "login"]


# -- several at once --------------------------------------------------------------------------


@requires("snipara.bulk.example", "snipara.bulk.order")
def test_the_published_batch_is_stored(snipara: Client) -> None:
    memories = [
        {"text": "User prefers TypeScript", "type": "preference"},
        {"text": "API uses JWT auth", "type": "fact", "category": "auth"},
        {"text": "Deploy to staging first", "type": "decision", "ttl_days": 30},
    ]
    answer = snipara.call("rlm_remember_bulk", memories=memories)
    assert (answer["stored"], answer["message"], len(answer["memory_ids"])) == (3, "Stored 3 memories", 3)
    assert (answer["created"], answer["failed"], answer["failures"]) == (3, 0, None)
    by_id = {each["id"]: each["content"] for each in snipara.call("rlm_memories")["memories"]}
    assert [by_id[id] for id in answer["memory_ids"]] == [each["text"] for each in memories]
    again = snipara.call("rlm_remember_bulk", memories=memories[:2])
    assert (again["stored"], again["created"]) == (2, 0)
    assert again["memory_ids"] == answer["memory_ids"][:2]


@requires("snipara.bulk.limit", "snipara.bulk.partial")
def test_a_batch_has_its_limit_and_a_bad_item_fails_alone(snipara: Client) -> None:
    assert refused(snipara, "rlm_remember_bulk") == "'memories' array is required"
    assert refused(snipara, "rlm_remember_bulk", memories=[]) == "'memories' array is required"
    many = [{"text": f"Fact number {number}"} for number in range(51)]
    assert refused(snipara, "rlm_remember_bulk", memories=many) == "max 50 memories per call"
    assert listed(snipara) == []
    assert snipara.call("rlm_remember_bulk", memories=many[:50])["stored"] == 50
    answer = snipara.call(
        "rlm_remember_bulk",
        memories=[{"text": "Good"}, {"type": "fact"}, "no object", {"text": "Odd", "type": "x"}, {"content": "Fine"}],
    )
    assert (answer["stored"], answer["failed"], answer["message"]) == (2, 3, "Stored 2 memories")
    assert [failure["index"] for failure in answer["failures"]] == [1, 2, 3]
    assert "unsupported memory type 'x'" in answer["failures"][2]["error"]


class Counting(HashingEmbedder):
    """Counts how often it is asked."""

    runs = 0

    def embed(self, texts):  # type: ignore[no-untyped-def]
        self.runs += 1
        return super().embed(texts)


@requires("snipara.bulk.embedding")
def test_a_batch_is_embedded_in_one_run(open_book: OpenBook, tmp_path: Path) -> None:
    embedder = Counting()
    book = open_book(embedder=embedder, door=SNIPARA.door, project_root=tmp_path)
    memories = [{"text": f"Fact {number} of the harbour"} for number in range(50)]
    assert perform(SNIPARA, book, "rlm_remember_bulk", {"memories": memories}).body["stored"] == 50
    assert embedder.runs == 1


# -- rights and plans -------------------------------------------------------------------------


@requires("snipara.errors.rights")
def test_who_may_only_read_writes_nothing(open_book: OpenBook, tmp_path: Path) -> None:
    reader = Principal(rights=frozenset({Right.READ}))
    book = open_book(principal=reader, door=SNIPARA.door, project_root=tmp_path)
    answer = perform(SNIPARA, book, "rlm_remember", {"text": "Mine"})
    assert answer.failed
    assert "right to write" in str(answer.body["error"])


@pytest.fixture
def planned(open_book: OpenBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Plan], Book]:
    """A book with a plan that is small enough to use up."""

    def open_with(plan: Plan) -> Book:
        monkeypatch.setitem(PLANS, "tiny", plan)  # type: ignore[arg-type]
        caller = open_book(door=SNIPARA.door, project_root=tmp_path).caller
        return Book(replace(caller, limits=replace(caller.limits, dialect_settings={SETTING: "tiny"})))

    return open_with


@requires("snipara.plan.numbers", "snipara.plan.off")
def test_the_limits_are_the_published_ones(book: Book) -> None:
    assert [PLANS[name] for name in ("starter", "pro", "team")] == [
        Plan(1_000, 7, 100),
        Plan(5_000, 30, 500),
        Plan(25_000, 90, 2_000),
    ]
    assert PLANS["enterprise"] == NO_PLAN == Plan(None, None, None)
    assert settings_of_dialects()[SETTING].choices == tuple(PLANS)
    book.remember("The harbour opens at dawn")
    for _ in range(101):
        assert not perform(SNIPARA, book, "rlm_recall", {"query": "harbour"}).failed


@requires("snipara.plan.memories")
def test_over_the_number_of_memories_nothing_is_stored(planned: Callable[[Plan], Book], clock: ManualClock) -> None:
    book = planned(Plan(max_memories=3))
    for number, days in enumerate((1, None)):
        assert not perform(SNIPARA, book, "rlm_remember", {"text": f"Fact {number}", "ttl_days": days}).failed
    over = perform(SNIPARA, book, "rlm_remember_bulk", {"memories": [{"text": "One"}, {"text": "Two"}]})
    assert over.failed
    assert str(over.body["error"]).startswith("Memory limit exceeded (2+2/3). Upgrade your plan")
    assert over.body["upgrade_url"] is None
    clock.advance(days=2)  # what has expired does not count
    assert not perform(SNIPARA, book, "rlm_remember_bulk", {"memories": [{"text": "One"}, {"text": "Two"}]}).failed
    assert perform(SNIPARA, book, "rlm_remember", {"text": "Four"}).failed


@requires("snipara.plan.retention", "snipara.plan.recalls")
def test_the_starter_plan_ends_memories_and_counts_recalls(serve: Serve) -> None:
    client = serve("snipara", COMMONPLACE_SNIPARA_PLAN="starter")
    kept = client.call("rlm_remember", text="The harbour is open")
    (row,) = client.call("rlm_memories")["memories"]
    assert row["expires_at"] == kept["expires_at"] is not None
    assert client.call("rlm_remember", text="For a year", ttl_days=365)["expires_at"][:10] == kept["expires_at"][:10]
    assert client.call("rlm_remember", text="For a day", ttl_days=1)["expires_at"] < kept["expires_at"]
    for _ in range(100):
        client.call("rlm_recall", query="harbour")
    over = client.refusal("rlm_recall", query="harbour")
    assert over["error"].startswith("Recall limit exceeded (100 per hour)")
    assert over["upgrade_url"] is None


@requires("snipara.plan.recalls")
def test_an_hour_later_there_are_recalls_again(planned: Callable[[Plan], Book], clock: ManualClock) -> None:
    book = planned(Plan(recalls_per_hour=2))
    asked = [perform(SNIPARA, book, "rlm_recall", {"query": "x"}).failed for _ in range(3)]
    assert asked == [False, False, True]
    clock.advance(DAY // 24)
    assert not perform(SNIPARA, book, "rlm_recall", {"query": "x"}).failed
