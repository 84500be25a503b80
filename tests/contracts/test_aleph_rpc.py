"""Aleph's RPC methods, over HTTP and on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.corrections import Severity
from commonplace.domain.memory import Origin
from commonplace.dream.runs import edits_in
from commonplace.engine.caller import Door
from commonplace.serve.rpc import BATCH_LIMIT
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.store.sqlite import SqliteStore
from tests.contracts.requirements import requires
from tests.contracts.test_aleph_tools import TALK, Interrupted, command
from tests.hashing import HashingEmbedder
from tests.http.conftest import Server, StartServer, start

__all__ = ["start"]  # the fixture of the HTTP tests

STAGES = ["query", "candidate_pool", "bm25_vector_scores", "rrf_fusion", "cutoff", "ranked"]
WORDS = ("harbour", "boat", "tide", "crane", "dock", "sail")


@pytest.fixture
def server(start: StartServer) -> Server:
    return start()


def ask(server: Server, method: str, /, **params: Any) -> Any:
    """The result of a method."""
    reply = server.rpc("/rpc", method, params)
    assert reply.status == 200
    assert set(reply.json) == {"jsonrpc", "id", "result"}, reply.json
    return reply.json["result"]


def refusal(server: Server, method: str, /, **params: Any) -> Any:
    reply = server.rpc("/rpc", method, params)
    assert reply.status == 200
    error = reply.json["error"]
    assert set(error) == {"code", "message", "data"}
    assert isinstance(error["code"], int)
    assert set(error["data"]) == {"code", "retryable"}
    return error


def send(server: Server, body: object) -> Any:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return server.send("POST", "/rpc", raw)


def message(method: str, id: object = 1, **params: Any) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


# -- JSON-RPC ---------------------------------------------------------------------------------


@requires("aleph.rpc.http")
def test_errors_of_the_protocol_have_its_numbers(server: Server) -> None:
    cases: list[tuple[object, int]] = [
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[" * 100_000, -32700),
        ([], -32600),
        (1, -32600),
        ({}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "memory.stats"}, -32600),
        ({"jsonrpc": "2.0", "id": 1}, -32600),
        ({"jsonrpc": "2.0", "id": {}, "method": "memory.stats"}, -32600),
        (message("memory.fly"), -32601),
        (message("memory_search", query="x"), -32601),
        ({**message("memory.search"), "params": ["x"]}, -32602),
        (message("memory.search"), -32602),
        (message("memory.search", query="x", limit=0), -32602),
        ([message("memory.stats")] * (BATCH_LIMIT + 1), -32600),
    ]
    for body, number in cases:
        reply = send(server, body)
        assert reply.status == 200
        assert reply.json["error"]["code"] == number, str(body)[:80]
        assert reply.json["error"]["data"]["code"]
    error = refusal(server, "memory.search", query=" ")
    assert (error["code"], error["data"]) == (-32602, {"code": "InvalidParams", "retryable": False})
    assert server.send("GET", "/rpc").status == 405


@requires("aleph.rpc.batch")
def test_a_batch_is_answered_in_order_and_a_notification_is_not(server: Server) -> None:
    told = {"jsonrpc": "2.0", "method": "memory.store", "params": {"content": "The harbour opens at six"}}
    batch = [message("memory.stats", "a"), told, 7, message("memory.search", None, query="harbour")]
    stats, wrong, found = send(server, batch).json
    assert (stats["id"], stats["result"]["validFacts"]) == ("a", 0)
    assert (wrong["id"], wrong["error"]["code"]) == (None, -32600)
    assert (found["id"], found["result"]["total"]) == (None, 1)
    alone = send(server, told)
    assert (alone.status, alone.body) == (204, b"")
    assert send(server, [told, told]).status == 204
    assert send(server, {**told, "id": "\ud800"}).json["id"] == "\ud800"


@requires("aleph.rpc.cli", "aleph.rpc.cli.errors")
def test_the_same_methods_are_commands(tmp_path: Path) -> None:
    store = tmp_path / "book.db"
    made = json.loads(command(store, "rpc", "memory.store", '{"content": "The harbour opens at six"}').stdout)
    found = json.loads(command(store, "rpc", "memory.search", '{"query": "harbour"}').stdout)
    assert [each["id"] for each in found["memories"]] == [made["id"]]
    failed = command(store, "rpc", "memory.delete", '{"id": "mem_1"}', "--json")
    assert (failed.returncode, json.loads(failed.stdout)["error"]["data"]["code"]) == (1, "MemoryNotFound")
    spoken = command(store, "rpc", "memory.delete", '{"id": "mem_1"}')
    assert (spoken.returncode, spoken.stdout) == (1, failed.stdout)
    assert "There is no memory 'mem_1'" in json.loads(spoken.stdout)["error"]["message"]
    for number, *words in ((-32601, "memory.fly"), (-32602, "memory.stats", "{"), (-32602, "memory.stats", "[]")):
        wrong = command(store, "rpc", *words)
        assert (wrong.returncode, json.loads(wrong.stdout)["error"]["code"]) == (2, number)
    (tmp_path / "letter.db").write_text("This is a letter and no book. " * 200)
    unusable = command(tmp_path / "letter.db", "rpc", "memory.stats")
    assert unusable.returncode == 1
    assert json.loads(unusable.stdout)["error"]["data"]["code"] in ("StoreError", "IndexCorrupted", "StoreUnavailable")


# -- the trace --------------------------------------------------------------------------------


@requires("aleph.rpc.trace", "aleph.rpc.trace.counts", "aleph.rpc.empty")
def test_the_trace_has_six_stages_and_changes_nothing(server: Server) -> None:
    for number in range(6):
        ask(server, "memory.store", content=f"The harbour has berth {number}")
    before = [memory.usage for memory in server.book.each()]
    events = [server.book.history(memory) for memory in server.book.each()]
    found = ask(server, "memory.retrieve_with_trace", query="which harbour berth", limit=3)
    assert [stage["stage"] for stage in found["trace"]] == STAGES
    assert all(set(stage) == {"stage", "count", "elapsed_ms", "scores"} for stage in found["trace"])
    assert all(stage["elapsed_ms"] >= 0 for stage in found["trace"])
    counts = {stage["stage"]: stage["count"] for stage in found["trace"]}
    assert (counts["candidate_pool"], counts["rrf_fusion"], counts["ranked"]) == (6, 6, 3)
    ranked = [(score["id"], score["score"]) for score in found["trace"][-1]["scores"]]
    assert ranked == [(result["id"], result["score"]) for result in found["results"]]
    assert all(set(score) == {"id", "bm25", "vector"} for score in found["trace"][2]["scores"])
    assert [memory.usage for memory in server.book.each()] == before
    assert [server.book.history(memory) for memory in server.book.each()] == events
    nothing = ask(server, "memory.retrieve_with_trace", query="zebras", agent_id="nobody")
    assert (nothing["results"], [stage["stage"] for stage in nothing["trace"]]) == ([], STAGES)
    assert ask(server, "memory.search", query="zebras") == {"query": "zebras", "memories": [], "total": 0}
    assert ask(server, "memory.list_corrections") == {"corrections": []}
    assert ask(server, "dreaming.list_insights") == {"daily": [], "synthesis": [], "runs": []}


@requires("aleph.rpc.trace.why")
def test_a_trace_shows_where_a_fact_was_lost(server: Server) -> None:
    fits = ask(server, "memory.store", content="The harbour opens at six for every trawler of the cooperative")["id"]
    loses = ask(server, "memory.store", content="A trawler was repainted")["id"]
    beside = ask(server, "memory.store", content="Invoices are sent by post")["id"]
    asked = {"query": "When does the harbour open for every trawler of the cooperative?", "limit": 1}
    trace = ask(server, "memory.retrieve_with_trace", **asked)["trace"]
    lasted = {stage["stage"]: {score["id"] for score in stage["scores"]} for stage in trace}
    assert lasted["ranked"] == {fits}
    assert {fits, loses} <= lasted["bm25_vector_scores"]
    assert all(beside not in ids for ids in lasted.values())


@requires("aleph.rpc.trace.same")
@given(
    texts=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), min_size=0, max_size=25),
    asked=st.lists(st.sampled_from((*WORDS, "zebra")), min_size=1, max_size=4),
    limit=st.integers(1, 12),
    by_meaning=st.booleans(),
)
def test_traced_and_untraced_answer_alike(
    texts: list[list[str]], asked: list[str], limit: int, by_meaning: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = SqliteStore(tmp_path_factory.mktemp("book") / "book.db")
    with Book.over(store, embedder=HashingEmbedder() if by_meaning else None) as book:
        for words in texts:
            book.remember(" ".join(words))
        given = {"query": " ".join(asked), "limit": limit}
        plain: Any = perform(METHODS, book, "memory.search", given).body
        traced: Any = perform(METHODS, book, "memory.retrieve_with_trace", given).body
        untraced = [(fact["id"], fact["score"]) for fact in plain["memories"]]
        assert [(result["id"], result["score"]) for result in traced["results"]] == untraced
        assert [(score["id"], score["score"]) for score in traced["trace"][-1]["scores"]] == untraced
        assert traced["trace"][-1]["count"] == len(untraced)
        scores = [score for _, score in untraced]
        assert scores == sorted(scores, reverse=True)
        assert all(score >= 0.4 * scores[0] for score in scores)


# -- corrections and dreams -------------------------------------------------------------------


@requires("aleph.rpc.corrections", "aleph.rpc.insights", "aleph.rpc.run_now")
def test_a_correction_is_distilled_by_a_dream_that_is_listed(server: Server) -> None:
    server.book.corrections.log("Deploys are never on Friday", severity=Severity.HIGH, suggested_rule="Ship on Mondays")
    (correction,) = ask(server, "memory.list_corrections")["corrections"]
    assert (correction["content"], correction["severity"]) == ("Deploys are never on Friday", "high")
    assert (correction["suggested_rule"], correction["status"]) == ("Ship on Mondays", "pending")
    run = ask(server, "dreaming.run_now")
    assert run["ok"] is True
    (correction,) = ask(server, "memory.list_corrections")["corrections"]
    assert correction["status"] == "distilled"
    assert [server.book.get(id).text for id in correction["results"]] == ["Ship on Mondays"]
    assert ask(server, "memory.list_corrections", include_distilled=False)["corrections"] == []
    assert ask(server, "memory.list_corrections", agent_id="other")["corrections"] == []
    second = ask(server, "dreaming.run_now")
    insights = ask(server, "dreaming.list_insights")
    assert [each["id"] for each in insights["runs"]] == [second["run_id"], run["run_id"]]
    assert insights["daily"]
    assert insights["daily"][0]["source_memory_count"] >= 1
    assert len(ask(server, "dreaming.list_insights", limit=1)["runs"]) == 1


@requires(
    "aleph.rpc.corrections.flow", "aleph.rpc.corrections.logged", "aleph.rpc.insights.read", "aleph.rpc.insights.counts"
)
def test_a_correction_is_logged_here_and_the_day_tells_of_it(server: Server) -> None:
    wrong = ask(server, "memory.store", content="Deploys are on Thursday")["id"]
    ask(server, "memory.store", content="We chose NATS over Kafka", category="decision")
    ask(server, "memory.store", content="Rotate the certificate before June", category="task")
    logged = ask(server, "memory.log_correction", content="No, deploys are on Monday", memory_ids=[wrong])
    assert (logged["status"], logged["put_away"], logged["left"]) == ("pending", [wrong], [])
    (listed,) = ask(server, "memory.list_corrections")["corrections"]
    assert listed["id"] == logged["id"]
    assert refusal(server, "memory.log_correction", content="x", severity="huge")["data"]["code"] == "InvalidParams"
    assert refusal(server, "memory.log_correction", content=" ")["data"]["code"] == "InvalidParams"
    run = ask(server, "dreaming.run_now")
    found = ask(server, "memory.search", query="When are deploys?")["memories"]
    assert [each["content"] for each in found if "eploys" in each["content"]] == ["No, deploys are on Monday"]
    insights = ask(server, "dreaming.list_insights")
    (day,) = insights["daily"]
    assert day["content"] == (
        "Corrected: No, deploys are on Monday. Decided: We chose NATS over Kafka. "
        "To do: Rotate the certificate before June."
    )
    assert day["source_memory_count"] == 3
    assert all("mem_" not in each["content"] for each in (*insights["daily"], *insights["synthesis"]))
    (entry,) = insights["runs"]
    (kept,) = server.book.dreams.list_runs()
    assert (entry["id"], entry["edits"], entry["notes"]) == (run["run_id"], edits_in(kept), run["notes"])


@requires("aleph.rpc.insights.model")
def test_a_fall_back_from_a_model_says_so(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(("Sure! Here is your summary.",))

    class Talking:
        def complete(self, system: str, prompt: str, max_tokens: int) -> str:
            return next(answers, None) or _fenced(json.loads(prompt.splitlines()[0])["id"])

    monkeypatch.setattr(Book, "llm", Talking())
    ask(server, "memory.store", content="The harbour opens at six")
    first = ask(server, "dreaming.run_now")
    assert "not the JSON" in first["notes"][0]
    assert ask(server, "dreaming.list_insights")["daily"][0]["content"] == "The harbour opens at six."
    second = ask(server, "dreaming.run_now")
    insights = ask(server, "dreaming.list_insights")
    assert (second["notes"], insights["daily"][0]["content"]) == ([], "Ships come early.")
    assert [each["notes"] for each in insights["runs"]] == [[], first["notes"]]


def _fenced(id: str) -> str:
    return f"```json\n{json.dumps({'sentences': [{'text': 'Ships come early.', 'sources': [id]}]})}\n```"


@requires("aleph.rpc.curate")
def test_the_snapshot_is_taken_anew_over_http_of_what_no_person_has_to_see_first(server: Server) -> None:
    assert ask(server, "memory.curate") == {"snapshot": None, "entries": 0, "waiting": []}
    first = server.book.curated.add("Deploys are on Monday", server.book.scope()).memory
    other = server.book.curated.add("Lunch is at noon", server.book.scope()).memory
    waits = [f"cur_{memory.id.removeprefix('mem_')}" for memory in (first, other)]
    told = ask(server, "memory.curate")
    assert (told["snapshot"], sorted(told["waiting"])) == (None, sorted(waits))
    server.book.through(Door("cli", Origin.TYPED, "cli")).confirm(first.id)
    told = ask(server, "memory.curate")
    assert (told["snapshot"]["version"], told["entries"], told["waiting"]) == (1, 1, waits[1:])
    assert ask(server, "memory.curate")["snapshot"] == told["snapshot"], "nothing has changed"


@requires("aleph.rpc.compress")
def test_compress_distils_what_is_raw_and_nothing_else(server: Server) -> None:
    book = server.book
    book.corrections.log("Deploys are never on Friday", severity=Severity.HIGH)
    book.remember("The harbour opens at six")

    def stop(done: int, total: int) -> None:
        if 2 * done > total:  # it was read, and the first turns are in the book
            raise Interrupted

    with pytest.raises(Interrupted):
        book.sessions.save(TALK, book.scope(), key="talk", progress=stop)
    more = [Turn(Speaker.USER, "We decided that service 9 uses LDAP for the login.")]
    with pytest.raises(Interrupted):
        book.sessions.save(more, book.scope(), key="other", progress=stop)
    raw = len(TALK) + len(more) + 1
    assert ask(server, "memory.stats")["rawMemories"] == raw
    known = {memory.id for memory in book.each()}
    done = ask(server, "memory.compress")
    assert (done["memoriesProcessed"], done["factsInvalidated"]) == (raw, 0)
    assert known <= {memory.id for memory in book.each()}
    assert len(list(book.each())) == len(known) + done["factsExtracted"]
    assert ask(server, "memory.stats")["rawMemories"] == 0
    assert {told.session.turns for told in book.sessions.search("login", book.scopes)} == {len(TALK), len(more)}
    assert ask(server, "memory.list_corrections")["corrections"][0]["status"] == "distilled"
    assert ask(server, "memory.compress")["memoriesProcessed"] == 0


# -- the plain operations ---------------------------------------------------------------------


@requires("aleph.rpc.store")
def test_what_is_stored_is_found(server: Server) -> None:
    own = ask(server, "memory.store", content="The harbour opens at six", category="hours")
    assert set(own) == {"id"}
    other = ask(server, "memory.store", content="The harbour has a reviewer", agent_id="reviewer")
    (fact,) = ask(server, "memory.search", query="harbour")["memories"]
    assert (fact["id"], fact["category"], fact["agent_id"]) == (own["id"], "hours", None)
    (fact,) = ask(server, "memory.search", query="harbour", agent_id="reviewer")["memories"]
    assert (fact["id"], fact["agent_id"]) == (other["id"], "reviewer")
    error = refusal(server, "memory.store", content="The key is AKIAIOSFODNN7EXAMPLF")
    assert (error["code"], error["data"]["code"]) == (-32000, "SecretRefused")


@requires("aleph.rpc.delete")
def test_delete_leaves_a_tombstone(server: Server) -> None:
    id = ask(server, "memory.store", content="The harbour opens at six")["id"]
    assert ask(server, "memory.delete", id=id)["ok"] is True
    assert server.book.get(id).status == "forgotten"
    for unknown in ("mem_1", "zebra"):
        error = refusal(server, "memory.delete", id=unknown)
        assert (error["code"], error["data"]["code"]) == (-32000, "MemoryNotFound")


@requires("aleph.rpc.clear")
def test_clear_needs_a_word_archives_one_namespace_and_purges_nothing(server: Server) -> None:
    ids = [ask(server, "memory.store", content=f"The harbour has berth {number}")["id"] for number in range(3)]
    other = ask(server, "memory.store", content="The harbour has a reviewer", agent_id="reviewer")["id"]
    assert refusal(server, "memory.clear")["data"]["code"] == "InvalidParams"
    assert ask(server, "memory.search", query="harbour")["total"] == 3
    assert ask(server, "memory.clear", confirm=True) == {"ok": True, "archived": 3}
    assert ask(server, "memory.search", query="harbour")["total"] == 0
    assert {server.book.get(id).status for id in ids} == {"archived"}
    assert server.book.get(other).status == "active"
    assert server.book.restore(ids[0]).text == "The harbour has berth 0"
    assert ask(server, "memory.clear", confirm=True, agent_id="reviewer")["archived"] == 1


@requires("aleph.rpc.stats")
def test_statistics_are_of_one_scope(server: Server) -> None:
    for number in range(3):
        ask(server, "memory.store", content=f"The harbour has berth {number}", category="port")
    gone = ask(server, "memory.store", content="The lift is slow")["id"]
    away = ask(server, "memory.store", content="The lamp is green")["id"]
    ask(server, "memory.delete", id=gone)
    server.book.archive(away)
    ask(server, "memory.store", content="The reviewer checks", agent_id="reviewer")
    stats = ask(server, "memory.stats")
    assert (stats["totalMemories"], stats["totalFacts"], stats["validFacts"]) == (5, 4, 3)
    assert (stats["categories"], stats["scope"]) == ({"port": 3}, "global")
    agent = ask(server, "memory.stats", agent_id="reviewer")
    assert (agent["totalMemories"], agent["validFacts"], agent["scope"]) == (1, 1, "agent")
