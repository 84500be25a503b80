"""The snipara contract: rlm_recall, rlm_memories, and how confidence fades and comes back."""

from pathlib import Path
from typing import Any

import pytest

from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.domain.memory import Kind, Memory
from commonplace.store import rows
from tests.conftest import OpenBook
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import (
    DARK,
    SEED_KEYS,
    SERVER_KEYS,
    listed,
    past,
    recalled,
    refused,
    stored,
    texts,
)

SNIPARA = load_dialect("snipara")


@pytest.fixture
def snipara(serve: Serve) -> Client:
    return serve("snipara")


def row(client: Client, id: str) -> dict[str, Any]:
    """A memory as the list shows it, which reinforces nothing."""
    listed = client.call("rlm_memories", include_inactive=True, limit=100)["memories"]
    (found,) = [each for each in listed if each["id"] == id]
    return dict(found)


# -- recall -----------------------------------------------------------------------------------


@requires("snipara.recall.example", "snipara.recall.shape", "snipara.recall.envelope")
def test_the_published_call_finds_the_published_memory(snipara: Client) -> None:
    id = stored(snipara, DARK, type="preference", category="ui")
    answer = snipara.call(
        "rlm_recall", query="What are the user's UI preferences?", limit=5, type="preference", min_relevance=0.5
    )
    (found,) = answer["memories"]
    assert found.keys() >= SEED_KEYS | SERVER_KEYS | {"last_accessed_at", "review_status", "tags"}
    assert found["id"] == found["memory_id"] == id
    assert (found["content"], found["type"], found["category"]) == (DARK, "preference", "ui")
    assert (found["status"], found["freshness"], found["evidence_count"]) == ("ACTIVE", "fresh", 0)
    assert found["createdAt"] == found["created_at"]
    assert found["createdAt"].endswith("Z")
    assert 0.5 <= found["relevance"] <= 1
    assert found["confidence"] == pytest.approx(1.0, abs=0.001)
    assert found["relevance"] == round(found["relevance"], 4)
    assert answer.keys() == {"memories", "total", "chunks", "query", "warnings", "total_searched", "timing_ms"}
    assert (answer["total"], answer["total_searched"]) == (1, 1)
    assert answer["query"] == "What are the user's UI preferences?"


@requires("snipara.recall.query", "snipara.recall.empty", "snipara.recall.min_relevance")
def test_a_query_is_required_and_numbers_have_bounds(snipara: Client) -> None:
    for arguments in ({}, {"query": ""}, {"query": "  "}, {"query": None}):
        assert snipara.refusal("rlm_recall", **arguments) == {"error": "query is required"}
    answer = snipara.call("rlm_recall", query="anything")
    assert (answer["memories"], answer["total"]) == ([], 0)
    assert "min_relevance" in refused(snipara, "rlm_recall", query="x", min_relevance=1.5)
    assert "min_relevance" in refused(snipara, "rlm_recall", query="x", min_relevance=-0.1)
    assert "limit" in refused(snipara, "rlm_recall", query="x", limit=0)


@requires("snipara.recall.limit", "snipara.recall.min_relevance")
def test_ten_come_back_unless_asked_and_nothing_below_the_bound(snipara: Client) -> None:
    memories = [{"text": f"The harbour has pier {number}"} for number in range(15)]
    snipara.call("rlm_remember_bulk", memories=[*memories, {"text": "A pier of stone stands in the north of the town"}])
    assert len(recalled(snipara, "harbour pier")) == 10
    assert len(recalled(snipara, "harbour pier", limit=3.0)) == 3
    every = recalled(snipara, "harbour pier", limit=50, min_relevance=0.0)
    assert [each["relevance"] for each in every] == sorted((each["relevance"] for each in every), reverse=True)
    least = every[-1]["relevance"]
    bound = (least + every[0]["relevance"]) / 2
    kept = recalled(snipara, "harbour pier", limit=50, min_relevance=bound)
    assert all(each["relevance"] >= bound for each in kept)
    assert len(kept) < len(every)


@requires("snipara.recall.active", "snipara.recall.freshness", "snipara.memories.status")
def test_only_what_is_active_is_recalled_unless_asked_for_more(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=2) as book:
        ids = {
            name: book.remember(f"The harbour is {name}", expires_at="1d" if name == "expired" else None).memory.id
            for name in ("active", "invalidated", "superseded", "archived", "forgotten", "expired", "over")
        }
        book.invalidate(ids["invalidated"])
        book.supersede(ids["superseded"], ids["active"])
        book.archive(ids["archived"])
        book.forget(ids["forgotten"])
        book.remember("The harbour is yet to come", valid_to=book.now() + 1_000)
    client = serve("snipara")
    assert texts(client, "harbour is") == {"The harbour is active", "The harbour is over"}
    every = {
        each["content"].split()[-1]: each
        for each in recalled(client, "harbour is", include_inactive=True, min_relevance=0.0, limit=50)
    }
    assert every.keys() == {"active", "over", "invalidated", "superseded", "archived", "expired", "come"}
    assert {every[name]["status"] for name in ("active", "over", "expired", "come")} == {"ACTIVE"}
    for name in ("invalidated", "superseded", "archived"):
        assert every[name]["status"] == name.upper()
    assert {name for name, each in every.items() if each["freshness"] == "stale"} == {
        "invalidated",
        "superseded",
        "archived",
        "expired",
        "come",
    }
    assert listed(client, status="superseded") == ["The harbour is superseded"]
    assert listed(client, status="INVALIDATED") == ["The harbour is invalidated"]
    assert listed(client, status="STALE") == []
    assert sorted(listed(client, status="ACTIVE")) == ["The harbour is active", "The harbour is over"]
    assert len(listed(client, include_inactive=True)) == 7
    assert "unsupported memory status 'forgotten'" in refused(client, "rlm_memories", status="forgotten")


# -- confidence -------------------------------------------------------------------------------


@requires("snipara.decay.formula", "snipara.decay.recall", "snipara.recall.last_accessed")
def test_confidence_fades_by_the_published_formula_and_a_recall_lifts_it(
    serve: Serve, tmp_path: Path, project: Path
) -> None:
    with past(tmp_path, project, days=7) as book:
        book.remember(DARK, kind=Kind.PREFERENCE, confidence=0.9)
    client = serve("snipara")
    (first,) = recalled(client, "dark mode")
    assert first["confidence"] == pytest.approx(0.9 * 0.98**7, abs=0.0002) == pytest.approx(0.7813, abs=0.0003)
    assert first["lastAccessedAt"] is first["last_accessed_at"] is None
    assert first["access_count"] == 0
    (second,) = recalled(client, "dark mode")
    assert second["confidence"] == pytest.approx(0.8313, abs=0.0003)
    assert second["access_count"] == 1
    assert first["createdAt"] < second["lastAccessedAt"]
    (third,) = recalled(client, "dark mode")
    assert third["lastAccessedAt"] > second["lastAccessedAt"]
    for _ in range(5):
        recalled(client, "dark mode")
    assert row(client, third["id"])["confidence"] == pytest.approx(1.0, abs=0.0001)


@requires("snipara.decay.floor", "snipara.recall.freshness", "snipara.decay.setting")
def test_what_is_not_used_ages_down_to_the_floor(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=400) as book:
        old = book.remember("The oldest pier").memory.id
    with past(tmp_path, project, days=36) as book:
        aging = book.remember("The older pier").memory.id
    with past(tmp_path, project, days=30) as book:
        fresh = book.remember("The newer pier").memory.id
    client = serve("snipara")
    assert row(client, old)["confidence"] == 0.1
    assert [row(client, id)["freshness"] for id in (old, aging, fresh)] == ["aging", "aging", "fresh"]
    steady = serve("snipara", COMMONPLACE_DECAY_RATE="1.0")
    assert row(steady, old)["confidence"] == 1.0
    assert row(steady, old)["freshness"] == "fresh"


@requires("snipara.decay.only_returned")
def test_only_what_a_recall_returns_is_reinforced(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=10) as book:
        one = book.remember("The harbour opens at nine in the morning").memory.id
        other = book.remember("The harbour closes").memory.id
    client = serve("snipara")
    before = row(client, one), row(client, other)
    client.call("rlm_memory_verify", memory_id=one)
    client.call("rlm_memory_attach_source", memory_id=one, evidence_type="COMMIT", external_ref="abc123")
    client.call("rlm_memories", search="harbour")
    assert [row(client, each)["access_count"] for each in (one, other)] == [0, 0]
    assert row(client, one)["confidence"] == pytest.approx(before[0]["confidence"], abs=0.0001)
    (found,) = recalled(client, "when does the harbour open in the morning?", limit=1)
    assert found["id"] == one
    assert [row(client, each)["access_count"] for each in (one, other)] == [1, 0]
    assert row(client, other)["lastAccessedAt"] is None
    assert row(client, one)["confidence"] > before[0]["confidence"]


# -- list -------------------------------------------------------------------------------------


@requires("snipara.memories.example", "snipara.memories.shape", "snipara.memories.pages")
def test_the_published_call_lists_page_by_page(snipara: Client) -> None:
    snipara.call(
        "rlm_remember_bulk",
        memories=[{"text": f"Decision {number}", "type": "decision"} for number in range(25)] + [{"text": "A fact"}],
    )
    first = snipara.call("rlm_memories", type="decision", limit=20, offset=0)
    assert first.keys() >= {"memories", "total_count", "has_more", "warnings"}
    assert (len(first["memories"]), first["total_count"], first["has_more"]) == (20, 25, True)
    assert all(each.keys() >= SERVER_KEYS | (SEED_KEYS - {"relevance"}) for each in first["memories"])
    second = snipara.call("rlm_memories", type="decision", offset=20)
    assert (len(second["memories"]), second["has_more"]) == (5, False)
    shown = [each["content"] for each in (*first["memories"], *second["memories"])]
    assert shown == [f"Decision {number}" for number in reversed(range(25))]
    exact = snipara.call("rlm_memories", type="decision", limit=25)
    assert exact["has_more"] is False
    assert listed(snipara, type="decision", offset=100) == []
    assert "limit" in refused(snipara, "rlm_memories", limit=0)
    assert "offset" in refused(snipara, "rlm_memories", offset=-1)


@requires("snipara.memories.pages")
@pytest.mark.parametrize("way", ["desc", "asc"])
def test_a_page_reads_no_more_of_the_book_than_it_shows(
    open_book: OpenBook, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = open_book(door=SNIPARA.door, project_root=tmp_path)
    book.remember_many([book.draft(f"Berth {number}") for number in range(60)])
    read: list[int] = []
    memory_of = rows._memory_of

    def noted(row: rows.Row) -> Memory:
        read.append(row[0])
        return memory_of(row)

    monkeypatch.setattr(rows, "_memory_of", noted)
    first = perform(SNIPARA, book, "rlm_memories", {"limit": 5, "sort_order": way}).body
    assert (first["total_count"], first["has_more"], len(set(read))) == (60, True, 6)
    read.clear()
    perform(SNIPARA, book, "rlm_memories", {"limit": 5, "offset": 10, "sort_order": way})
    assert len(set(read)) == 16


@requires("snipara.memories.filters")
def test_a_list_is_narrowed_by_scope_category_and_a_part_of_the_text(snipara: Client) -> None:
    stored(snipara, "The Harbour is 100% open", category="sea")
    stored(snipara, "The harbourmaster sleeps", category="people")
    stored(snipara, "My own harbour", scope="user")
    assert len(listed(snipara, search="HARBOUR")) == 3
    assert listed(snipara, search="100%") == ["The Harbour is 100% open"]
    assert listed(snipara, category="people") == ["The harbourmaster sleeps"]
    assert listed(snipara, scope="user") == ["My own harbour"]
    assert listed(snipara, search="%") == ["The Harbour is 100% open"]


@requires("snipara.memories.sorting")
def test_a_list_is_sorted_five_ways(serve: Serve, tmp_path: Path, project: Path) -> None:
    for days, name, confidence, expires in ((3, "a", 0.5, "9d"), (2, "b", 0.9, None), (1, "c", 0.7, "4d")):
        with past(tmp_path, project, days=days) as book:
            book.remember(f"Pier {name}", confidence=confidence, expires_at=expires)
    with past(tmp_path, project) as book:
        for name in ("c", "c", "a"):
            book.reinforce(book.same(f"Pier {name}")[0])
    client = serve("snipara")

    def order(by: str, way: str) -> str:
        return "".join(text[-1] for text in listed(client, sort_by=by, sort_order=way))

    assert (order("created_at", "desc"), order("created_at", "asc")) == ("cba", "abc")
    assert (order("confidence", "desc"), order("confidence", "asc")) == ("bca", "acb")
    assert (order("access_count", "desc"), order("access_count", "asc")) == ("cab", "bac")
    assert (order("expires_at", "desc"), order("expires_at", "asc")) == ("acb", "cab")
    assert order("last_accessed", "desc")[-1] == "b"
    assert order("last_accessed", "asc")[-1] == "b"
    assert "sort_by" in refused(client, "rlm_memories", sort_by="colour")
    assert "sort_order" in refused(client, "rlm_memories", sort_order="sideways")
