"""What the sentences of the snipara document mean, beyond the shape of its answers; on both engines."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.dialect import perform
from commonplace.dialects.snipara import DIALECT
from commonplace.dialects.snipara.plans import PLANS, SETTING, Plan
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Right
from commonplace.errors import InvalidInput
from commonplace.ports import Embedder, Store
from commonplace.wiring import assemble
from tests.conftest import ManualClock
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import QUEUE, REDIS
from tests.hashing import HashingEmbedder
from tests.http.conftest import StartServer, start

__all__ = ["start"]  # the fixture of the HTTP tests

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"
DECISION = {
    "title": "The pier is painted red",
    "owner": "harbour",
    "scope": "paint",
    "context": "Ships did not see it",
    "decision": "Red paint",
    "rationale": "It is seen from afar",
}

Opened = Callable[..., Book]


@pytest.fixture
def opened(either_store: Store, clock: ManualClock, project: Path) -> Opened:
    """The book as a client of the contract uses it."""

    def open_as(
        principal: Principal = Principal(),
        embedder: Embedder | None = None,
        client: str | None = None,
        root: Path | None = project,
    ) -> Book:
        return Book.over(either_store, principal, embedder, clock, replace(DIALECT.door, client=client), root)

    return open_as


def call(book: Book, tool: str, /, **arguments: Any) -> Any:
    answer = perform(DIALECT, book, tool, arguments)
    assert not answer.failed, answer.body
    return answer.body


def refusal(book: Book, tool: str, /, **arguments: Any) -> str:
    answer = perform(DIALECT, book, tool, arguments)
    assert answer.failed, answer.body
    return str(answer.body["error"])


def with_plan(book: Book, plan: Plan, monkeypatch: pytest.MonkeyPatch) -> Book:
    """The same book under a plan that is small enough to use up."""
    monkeypatch.setitem(PLANS, "tiny", plan)  # type: ignore[arg-type]
    limits = replace(book.caller.limits, dialect_settings={SETTING: "tiny"})
    return Book(replace(book.caller, limits=limits))


# -- decay ------------------------------------------------------------------------------------


@requires("snipara.decay.ranking")
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_what_has_faded_does_not_outrank_what_is_fresh_and_fits_as_well(
    opened: Opened, clock: ManualClock, embedder: Embedder | None
) -> None:
    book = opened(embedder=embedder)
    old = call(book, "rlm_remember", text="The harbour opens for trawlers")["id"]
    for number in range(3):
        call(book, "rlm_remember", text=f"Something else {number} entirely")
    clock.advance(days=300)
    new = call(book, "rlm_remember", text="The harbour opens for trawlers and yachts at noon")["id"]
    found = call(book, "rlm_recall", query="The harbour opens for trawlers")["memories"]
    assert [each["id"] for each in found] == [new, old], "though the old one has the very words"
    assert [each["confidence"] for each in found] == [1.0, 0.1]


@requires("snipara.decay.relevance")
def test_a_memory_loses_relevance_until_it_is_reinforced(opened: Opened, clock: ManualClock) -> None:
    book = opened(embedder=HashingEmbedder())
    call(book, "rlm_remember", text="The harbour opens at dawn")

    def relevance() -> float:
        (found,) = call(book, "rlm_recall", query="When does the harbour open?", min_relevance=0)["memories"]
        return float(found["relevance"])

    fresh = relevance()
    clock.advance(days=400)
    faded = relevance()
    assert faded == pytest.approx(0.73 * fresh, abs=0.01), "a tenth of its confidence is left"
    again = relevance()
    assert faded < again < fresh, "that recall gave some of it back"


# -- plans ------------------------------------------------------------------------------------


@requires("snipara.plan.repeat")
def test_at_a_full_plan_a_repeat_reinforces_and_only_what_is_new_is_refused(
    opened: Opened, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = with_plan(opened(), Plan(max_memories=2), monkeypatch)
    first = call(book, "rlm_remember", text="The pier is red")["id"]
    call(book, "rlm_remember", text="The boat is blue")
    clock.advance(days=20)
    again = call(book, "rlm_remember", text="the PIER  is red")
    assert (again["id"], again["created"]) == (first, False)
    (row, _) = sorted(call(book, "rlm_memories")["memories"], key=lambda each: each["id"] != first)
    assert row["confidence"] == pytest.approx(0.98**20 + 0.05, abs=0.001)
    assert refusal(book, "rlm_remember", text="The pier is red", type="decision").startswith("Memory limit exceeded")
    both = call(book, "rlm_remember_bulk", memories=[{"text": "The pier is red"}, {"text": "The boat is blue"}])
    assert (both["stored"], both["created"]) == (2, 0)
    over = refusal(book, "rlm_remember_bulk", memories=[{"text": "The pier is red"}, {"text": "The sail is green"}])
    assert over.startswith("Memory limit exceeded (2+1/2)")
    assert call(book, "rlm_memories")["total"] == 2


@requires("snipara.plan.restart")
def test_the_hours_number_holds_over_a_restart_and_for_each_user(
    opened: Opened, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Principal("local", "ada", (), frozenset({Right.READ}))

    def asked(principal: Principal) -> bool:
        """By a server that has just been started."""
        book = with_plan(opened(principal), Plan(recalls_per_hour=2), monkeypatch)
        return not perform(DIALECT, book, "rlm_recall", {"query": "harbour"}).failed

    assert [asked(Principal()) for _ in range(3)] == [True, True, False]
    assert [asked(reader) for _ in range(3)] == [True, True, False], "who may only read is counted too"
    clock.advance(seconds=3_599)
    assert not asked(Principal())
    clock.advance(seconds=1)
    assert [asked(Principal()) for _ in range(3)] == [True, True, False]


@requires("snipara.plan.names")
def test_a_plan_is_named_as_the_page_writes_it(tmp_path: Path) -> None:
    for written in ("Pro", "pro", " PRO "):
        chosen = load({SETTING: written, "store": str(tmp_path / "book.db")})
        assert chosen.settings.of_dialects == {SETTING: "pro"}
    with pytest.raises(InvalidInput, match="must be one of starter, pro, team, enterprise"):
        load({SETTING: "Prose"})


# -- scopes -----------------------------------------------------------------------------------


@requires("snipara.remember.scope.calling_agent", "snipara.recall.where")
def test_without_an_agent_id_the_calling_agent_is_meant(opened: Opened) -> None:
    book = opened(client="claude-code")
    kept = call(book, "rlm_remember", text="I look at the harbour log first", scope="agent")
    assert (kept["scope"], kept["owner"]["agent_id"]) == ("agent", "local/claude-code")
    for asked in ({"scope": "agent"}, {}, {"scope": "agent", "agent_id": "local/claude-code"}):
        assert call(book, "rlm_recall", query="harbour log", **asked)["total"] == 1, asked
        assert call(book, "rlm_memories", **asked)["total"] == 1, asked
    for other in (opened(client="cursor"), opened(Principal("local", "ada", ()), client="claude-code")):
        assert call(other, "rlm_recall", query="harbour log", scope="agent")["total"] == 0
        assert call(other, "rlm_recall", query="harbour log")["total"] == 0
    odd = call(opened(client="Ünïque Client/2 ☃"), "rlm_remember", text="Odd", scope="agent")
    assert odd["owner"]["agent_id"].startswith("local/~c3~9cn")
    unnamed = refusal(opened(), "rlm_remember", text="Nobody's", scope="agent")
    assert unnamed == "scope=agent requires an agent_id: this client does not say what it is called."


@requires("snipara.remember.scope.no_project", "snipara.decision.no_project")
def test_without_a_project_the_default_is_the_users_own_and_the_answer_says_so(opened: Opened) -> None:
    book = opened(root=None)
    kept = call(book, "rlm_remember", text="The pier is red")
    assert (kept["scope"], kept["owner"]["user_id"]) == ("user", "default")
    assert "your own" in kept["warnings"][0]
    both = call(book, "rlm_remember_bulk", memories=[{"text": "One pier"}, {"text": "Two piers", "scope": "user"}])
    assert both["warnings"] == kept["warnings"]
    assert "warnings" not in call(book, "rlm_remember", text="Mine", scope="user")
    assert call(book, "rlm_recall", query="pier red")["memories"][0]["content"] == "The pier is red"
    made = call(book, "rlm_decision_create", **DECISION)
    assert made["warnings"] == kept["warnings"]
    found = call(book, "rlm_decision_query", query="red pier")
    assert ([each["id"] for each in found["decisions"]], found["warnings"]) == ([made["id"]], kept["warnings"])
    newer = call(book, "rlm_decision_supersede", **DECISION, old_decision_id=made["id"])
    assert (newer["supersedes"], newer["warnings"]) == (made["id"], kept["warnings"])


@requires("snipara.remember.scope.no_project", "snipara.decision.no_project")
def test_over_http_a_token_without_a_project_writes_to_the_users_own(start: StartServer) -> None:
    server = start()
    token = server.token()

    def answer(tool: str, **given: Any) -> Any:
        return json.loads(server.call("/snipara/mcp", tool, given, token).json["result"]["content"][0]["text"])

    kept = answer("rlm_remember", text="The pier is red")
    assert (kept["scope"], len(kept["warnings"])) == ("user", 1)
    assert answer("rlm_recall", query="red pier")["memories"][0]["id"] == kept["id"]
    assert answer("rlm_decision_create", **DECISION)["warnings"] == kept["warnings"]
    assert "use scope user" in answer("rlm_remember", text="The boat is blue", scope="project")["error"]


@requires("snipara.remember.scope.no_project", "snipara.errors.nothing_stored")
def test_whoever_names_the_project_or_deletes_by_filter_hears_that_there_is_none(opened: Opened) -> None:
    book = opened(root=None)
    call(book, "rlm_remember", text="The pier is red", type="todo")
    for tool, given in (
        ("rlm_remember", {"text": "The boat is blue", "scope": "project"}),
        ("rlm_recall", {"query": "pier", "scope": "project"}),
        ("rlm_memories", {"scope": "project"}),
        ("rlm_forget", {"type": "todo"}),
    ):
        said = refusal(book, tool, **given)
        assert said.startswith("There is no current project here: use scope user"), (tool, said)
        assert "project:NAME" not in said, "no tool here takes that"
    assert call(book, "rlm_memories")["total"] == 1


@requires("snipara.remember.scope.team_sentence")
def test_who_is_in_no_team_hears_how_to_have_one(opened: Opened) -> None:
    said = refusal(opened(), "rlm_remember", text="Ours", scope="team")
    assert said == "scope=team requires a team_id: you are in no team; 'commonplace team create NAME' makes one."


# -- chunks -----------------------------------------------------------------------------------

GUIDE = """# Login

The callback validates the state before the token exchange.

# Deploys

Deploys run on Thursday after the smoke tests.

# Colours

The pier is red.
"""


@requires("snipara.chunk.reachable")
def test_the_agent_is_told_which_chunks_a_memory_rests_on(opened: Opened) -> None:
    book = opened()
    book.documents.add_text("docs/guide.md", GUIDE)
    kept = call(
        book,
        "rlm_remember",
        text="OAuth checks the state before the token exchange",
        document_refs=["docs/guide.md", "docs/none.md"],
    )
    known, unknown = sorted(kept["document_refs"], key=lambda each: each["external_ref"])
    assert (unknown["document_id"], unknown["chunk_ids"]) == (None, [])
    assert known["document_id"].startswith("doc_")
    (row,) = call(book, "rlm_recall", query="OAuth state token exchange")["memories"]
    assert row["chunk_ids"] == known["chunk_ids"]
    assert {each["external_ref"] for each in row["evidence"]} == {"docs/guide.md", "docs/none.md"}
    best = call(book, "rlm_get_chunk", chunk_id=row["chunk_ids"][0])
    assert "callback validates the state" in best["content"], "the chunk likest the memory comes first"
    deploys = call(book, "rlm_remember", text="Releases follow the smoke tests")["id"]
    source = {"memory_id": deploys, "evidence_type": "DOCUMENT", "external_ref": "docs/guide.md"}
    attached = call(book, "rlm_memory_attach_source", **source, line_start=5, line_end=7)
    (chunk,) = attached["chunk_ids"]
    assert "on Thursday" in call(book, "rlm_get_chunk", chunk_id=chunk)["content"]
    again = call(book, "rlm_memory_attach_source", memory_id=deploys, evidence_type="CHUNK", chunk_id=chunk)
    assert again["chunk_ids"] == [chunk]
    link = call(book, "rlm_memory_attach_source", memory_id=deploys, evidence_type="URL", external_ref="https://x.org")
    assert "chunk_ids" not in link


@requires("snipara.chunk.reachable", "snipara.lifecycle.foreign")
def test_nobody_is_told_of_chunks_that_are_not_theirs_to_see(opened: Opened) -> None:
    ada, bob = (opened(Principal("local", name, ())) for name in ("ada", "bob"))
    ada.documents.add_text("guide.md", GUIDE, scope="user")
    (login, *_) = ada.documents.chunks("guide.md", scope="user")
    memory = call(bob, "rlm_remember", text="The callback validates the state")["id"]
    attached = call(bob, "rlm_memory_attach_source", memory_id=memory, evidence_type="CHUNK", chunk_id=login.id)
    assert (attached["document_id"], attached["chunk_ids"]) == (None, [])
    call(ada, "rlm_memory_attach_source", memory_id=memory, evidence_type="CHUNK", chunk_id=login.id)
    (row,) = call(bob, "rlm_recall", query="callback state")["memories"]
    assert row["chunk_ids"] == []
    assert call(ada, "rlm_recall", query="callback state")["memories"][0]["chunk_ids"] == [login.id]


@requires("snipara.chunk.passages")
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_a_recall_names_the_chunks_that_answer_it(opened: Opened, embedder: Embedder | None) -> None:
    book = opened(embedder=embedder)
    assert call(book, "rlm_recall", query="anything")["chunks"] == []
    book.documents.add_text("guide.md", GUIDE)
    if embedder is not None:
        book.care.reembed()
    (found,) = call(book, "rlm_recall", query="Deploys run on Thursday after smoke tests")["chunks"]
    assert found.keys() == {"chunk_id", "title", "excerpt", "relevance"}
    assert "smoke tests" in call(book, "rlm_get_chunk", chunk_id=found["chunk_id"])["content"]
    assert found["relevance"] >= 0.5
    for narrowed in ({"type": "fact"}, {"category": "x"}, {"tags": ["x"]}, {"scope": "user"}):
        answer = call(book, "rlm_recall", query="Deploys run on Thursday after smoke tests", **narrowed)
        assert answer["chunks"] == [], narrowed


# -- decisions --------------------------------------------------------------------------------


@requires("snipara.decision.meaning")
def test_a_decision_is_found_by_what_it_is_about(opened: Opened) -> None:
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"{MODELS_VARIABLE} does not name a folder with {PACK}: what a model does is NOT TESTED.")
    chosen = load({"model": PACK, "models": str(folder)})
    book = opened(embedder=assemble(chosen, True).embedder)
    redis = call(book, "rlm_decision_create", **REDIS)["id"]
    call(book, "rlm_decision_create", **DECISION)

    def found(query: str, **narrowed: Any) -> list[str]:
        return [each["id"] for each in call(book, "rlm_decision_query", query=query, **narrowed)["decisions"]]

    assert found("Which datastore avoids duplicate jobs?") == [redis]
    assert found("Which datastore avoids duplicate jobs?", scope="frontend") == []
    assert found("Where shall we eat tonight?") == []
    newer = call(book, "rlm_decision_supersede", old_decision_id=redis, **QUEUE)["id"]
    assert found("Which datastore avoids duplicate jobs?") == [newer]
    assert set(found("Which datastore avoids duplicate jobs?", include_superseded=True)) == {redis, newer}
