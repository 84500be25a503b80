"""The ownsona contract: listing, counting, exporting, and the server itself."""

from datetime import UTC, datetime, timedelta

import pytest

from commonplace import errors
from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects.ownsona import DIALECT, listing
from commonplace.dialects.ownsona.shapes import error_body
from commonplace.errors import CommonplaceError
from tests.contracts.conftest import Serve
from tests.contracts.ownsona_calls import COLBY, ahead, blame, code, got, told
from tests.contracts.requirements import requires

TOOLS = (
    "remember",
    "remember_batch",
    "recall",
    "search_memory",
    "build_context_prompt",
    "list_memories",
    "update_memory",
    "update_memory_batch",
    "confirm",
    "forget",
    "forget_batch",
    "find_near_duplicates",
    "text_search",
    "get_memory",
    "count_memories",
    "memory_stats",
    "list_tags",
    "export_memories",
)
CHANGE = {"remember", "remember_batch", "update_memory", "update_memory_batch", "confirm", "forget", "forget_batch"}
TAKE_AWAY = {"update_memory", "update_memory_batch", "forget", "forget_batch"}


# -- the server -------------------------------------------------------------------------------


@requires("ownsona.server.name", "ownsona.server.tools", "ownsona.server.descriptions", "ownsona.server.effects")
def test_the_server_lists_the_contracts_tools(serve: Serve) -> None:
    client = serve("ownsona")
    assert client.inner.server_info.name == "ownsona-mcp"
    tools = client.tools()
    assert tuple(tool.name for tool in tools) == TOOLS
    assert {tool.name for tool in tools if not tool.annotations.read_only_hint} == CHANGE
    assert {tool.name for tool in tools if tool.annotations.destructive_hint} == TAKE_AWAY
    for tool in tools:
        assert 30 < len(tool.description) < 2_048
    described = {tool.name: tool.description for tool in tools}
    for name in ("recall", "search_memory", "build_context_prompt", "list_memories", "get_memory", "text_search"):
        places = [described[name].index(word) for word in ("last_confirmed_at", "updated_at", "created_at")]
        assert places == sorted(places)
        assert "data" in described[name]
    remember = next(tool for tool in tools if tool.name == "remember")
    assert remember.input_schema["required"] == ["text"]
    assert list(remember.input_schema["properties"]) == [
        "text",
        "tags",
        "source_provider",
        "importance",
        "capture_mode",
        "session_id",
        "dedup_policy",
        "expires_at",
        "last_confirmed_at",
    ]


@requires(
    "ownsona.server.unknown_tool",
    "ownsona.server.unknown_arguments",
    "ownsona.server.same_facts",
    "ownsona.ids.unknown",
)
def test_strangers_are_told_so_and_extras_ignored(serve: Serve) -> None:
    client = serve("ownsona")
    assert code(client, "memorise", text=COLBY) == "INVALID_INPUT"
    id = client.call("remember", text=COLBY, colour="red", tags=None, importance=None)["memory_id"]  # compares both
    assert got(client, id)["importance"] == 0.5
    for tool in ("get_memory", "confirm", "forget"):
        for unknown in (999, 0, -1, "mem_01KDVDNA00H98YQT6QR33ZC24E", "nobody"):
            assert code(client, tool, id=unknown) == "NOT_FOUND"


@requires("ownsona.errors.codes")
def test_every_error_of_the_engine_has_a_code_of_the_contract() -> None:
    expected = {
        "TookTooLong": "LIMIT_EXCEEDED",
        "InvalidInput": "INVALID_INPUT",
        "TooMany": "LIMIT_EXCEEDED",
        "SecretRefused": "SECRET_REJECTED",
        "Denied": "AUTH_FAILED",
        "NotFound": "NOT_FOUND",
        "BookMissing": "NOT_FOUND",
        "Unexpected": "INTERNAL_ERROR",
        "CommonplaceError": "INTERNAL_ERROR",
        "QuotaExceeded": "LIMIT_EXCEEDED",
    }
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, CommonplaceError)]
    assert {kind.__name__ for kind in kinds} > expected.keys()
    for kind in kinds:
        family = "EMBEDDING_ERROR" if issubclass(kind, errors.ModelError) else "DATABASE_ERROR"
        error = kind(("key",)) if kind is errors.SecretRefused else kind("Try again.")
        assert error_body(error)["code"] == expected.get(kind.__name__, family)


@requires("ownsona.ids.spellings", "ownsona.scopes.read", "ownsona.statuses")
def test_memories_of_other_doors_are_found_under_any_name(serve: Serve) -> None:
    native, client = serve("native"), serve("ownsona")
    mine = native.call("memory_remember", text="The heron nests by the lake.", kind="preference", tags=["Node.js"])[
        "id"
    ]
    shared = native.call("memory_remember", text="The heron is the project's mascot.", scope="project")["id"]
    native.call("memory_remember", text="The heron is the reviewer's secret.", scope="agent:reviewer")
    matches = client.call("recall", query="heron")["matches"]
    assert sorted(match["text"] for match in matches) == [
        "The heron is the project's mascot.",
        "The heron nests by the lake.",
    ]
    assert client.call("count_memories")["count"] == 2
    assert client.call("recall", query="heron", tags=["Node.js"])["matches"][0]["text"].endswith("lake.")
    number = got(client, mine)["id"]
    for spelling in (number, float(number), str(number), mine, mine.replace("mem_", "ctx_"), f"#{number}"):
        assert got(client, spelling)["id"] == number
    native.call("memory_update", id=mine, status="archived", reason="winter")
    native.call("memory_remember", text="The egret is the project's mascot.", scope="project", replaces=shared)
    archived, replaced = got(client, mine), got(client, shared)
    assert (archived["deleted_at"] is not None, archived["forget_reason"]) == (True, "winter")
    assert got(client, replaced["replaced_by_id"])["text"] == "The egret is the project's mascot."
    assert code(client, "confirm", id=mine) == code(client, "update_memory", id=mine, tags=[]) == "NOT_FOUND"
    assert client.call("memory_stats")["soft_deleted"] == 2
    assert client.call("forget", id=mine, dry_run=True)["already_deleted"] is True
    client.call("forget", id=replaced["replaced_by_id"], hard_delete=True)
    assert got(client, shared)["replaced_by_id"] is None


# -- lists ------------------------------------------------------------------------------------


@requires("ownsona.list.output", "ownsona.list.paging")
def test_a_list_is_newest_first_and_comes_in_pages(serve: Serve) -> None:
    client = serve("ownsona")
    items = [{"text": f"Fact {number}.", "dedup_policy": "insert"} for number in range(55)]
    ids = [result["memory_id"] for result in client.call("remember_batch", items=items)["results"]]

    def listed(**arguments: int) -> list[int]:
        return [memory["id"] for memory in client.call("list_memories", **arguments)["memories"]]

    newest = ids[::-1]
    assert listed() == newest[:20]
    assert listed(limit=5, offset=50) == newest[50:55]
    assert listed(limit=3, offset=-7) == newest[:3]
    assert listed(offset=99) == []
    clamped = client.call("list_memories", limit=51)
    assert (len(clamped["memories"]), "50" in clamped["note"]) == (50, True)
    assert blame(client, "list_memories", limit=0) == "limit"
    assert all("score" not in memory for memory in clamped["memories"])
    assert clamped["memories"][0].keys() == {"id", "text", "tags", "created_at", "updated_at", "last_confirmed_at"}


@requires("ownsona.list.filters", "ownsona.list.deleted", "ownsona.list.refusals", "ownsona.count")
def test_lists_and_counts_are_narrowed_by_the_same_filters(serve: Serve) -> None:
    client = serve("ownsona")
    (short,) = told(client, "12345", tags=["work"], source_provider="openai")
    (long,) = told(client, "1234567890", last_confirmed_at="2024-01-01T00:00:00Z")
    (stale,) = told(client, "123 567", last_confirmed_at="2023-01-01T00:00:00Z", source_provider="openai-2")
    (expired,) = told(client, "expired", expires_at="2020-01-01")
    (forgotten,) = told(client, "forgotten")
    client.call("forget", id=forgotten)

    def both(**arguments: object) -> list[int]:
        found = sorted(memory["id"] for memory in client.call("list_memories", **arguments)["memories"])
        assert client.call("count_memories", **arguments)["count"] == len(found)
        return found

    assert both() == [short, long, stale]
    assert both(include_deleted=True) == [short, long, stale, expired, forgotten]
    assert both(untagged_only=True) == [long, stale]
    assert both(min_chars=7) == [long, stale]
    assert both(max_chars=7) == [short, stale]
    assert both(min_chars=5, max_chars=5) == [short]
    assert both(not_confirmed_since="2024-01-01T00:00:00Z") == [stale]
    assert both(not_confirmed_since="2024-01-01T00:00:01Z") == [long, stale]
    assert both(not_confirmed_since=ahead(minutes=4)) == [short, long, stale]
    assert both(untagged_only=True, min_chars=8, not_confirmed_since="2025-01-01") == [long]
    for arguments, count in (
        ({"tags": ["job"]}, 1),
        ({"tags": ["job"], "untagged_only": True}, 0),
        ({"tags": ["family"]}, 0),
        ({"source_provider": "openai"}, 1),
        ({"source_provider": "OpenAI"}, 0),
        ({"include_deleted": True, "min_chars": 7}, 4),
    ):
        assert client.call("count_memories", **arguments) == {"ok": True, "count": count}
    for tool in ("list_memories", "count_memories"):
        assert blame(client, tool, min_chars=-1) == "min_chars"
        assert blame(client, tool, max_chars=-1) == "max_chars"
        assert blame(client, tool, min_chars=2, max_chars=1) == "min_chars"
        assert blame(client, tool, not_confirmed_since=ahead(minutes=6)) == "not_confirmed_since"
        assert blame(client, tool, not_confirmed_since="lately") == "not_confirmed_since"


@requires("ownsona.get.shape", "ownsona.get.deleted")
def test_one_memory_shows_everything_and_null_for_the_rest(serve: Serve) -> None:
    client = serve("ownsona")
    (id,) = told(client, COLBY, importance=0.7)
    answer = client.call("get_memory", id=id)
    assert answer["ok"] is True
    memory = answer["memory"]
    assert memory.keys() == {
        "id",
        "text",
        "score",
        "tags",
        "importance",
        "created_at",
        "updated_at",
        "source_provider",
        "capture_mode",
        "session_id",
        "expires_at",
        "last_confirmed_at",
        "deleted_at",
        "forget_reason",
        "replaced_by_id",
    }
    assert (memory["score"], memory["importance"], memory["deleted_at"]) == (0.0, 0.7, None)
    assert memory["replaced_by_id"] is memory["forget_reason"] is memory["expires_at"] is None
    client.call("forget", id=id, reason="wrong")
    tombstone = got(client, id)
    assert (tombstone["forget_reason"], tombstone["deleted_at"] >= memory["created_at"]) == ("wrong", True)
    assert code(client, "get_memory", id=999) == "NOT_FOUND"
    assert blame(client, "get_memory") == "id"


@requires("ownsona.stats", "ownsona.stats.empty", "ownsona.tags.list", "ownsona.tags.limit")
def test_statistics_and_tags_tell_the_states_apart(serve: Serve) -> None:
    client = serve("ownsona")
    assert client.call("memory_stats") == {
        "ok": True,
        "total": 0,
        "active": 0,
        "soft_deleted": 0,
        "expired": 0,
        "top_tags": [],
        "by_provider": [],
    }
    told(client, "One.", tags=["work", "garden"], importance=1.0, source_provider="openai")
    told(client, "Two.", tags=["work"], importance=0.5)
    (expired,) = told(client, "Three.", tags=["zoo"], importance=0.0, expires_at="2020-01-01")
    (forgotten,) = told(client, "Four.", tags=["attic"], source_provider="openai")
    client.call("forget", id=forgotten)
    stats = client.call("memory_stats")
    assert (stats["total"], stats["active"], stats["soft_deleted"], stats["expired"]) == (4, 2, 1, 1)
    assert stats["avg_importance"] == 0.5
    assert stats["oldest_created_at"] == got(client, 1)["created_at"]
    assert stats["newest_created_at"] == got(client, expired)["created_at"]
    assert stats["top_tags"] == [{"tag": "work", "count": 2}, {"tag": "garden", "count": 1}]
    assert stats["by_provider"] == [{"provider": "(none)", "count": 2}, {"provider": "openai", "count": 1}]
    assert client.call("list_tags") == {"ok": True, "tags": stats["top_tags"]}
    everything = client.call("list_tags", include_deleted=True)["tags"]
    assert [entry["tag"] for entry in everything] == ["work", "attic", "garden", "zoo"]
    assert len(client.call("list_tags", limit=1)["tags"]) == 1
    assert code(client, "list_tags", limit=501) == "LIMIT_EXCEEDED"
    assert blame(client, "list_tags", limit=0) == "limit"


@requires("ownsona.export")
def test_an_export_is_everything_oldest_first(serve: Serve) -> None:
    client = serve("ownsona")
    ids = told(client, "One.", "Two.", "Three.")
    (expired,) = told(client, "Four.", expires_at="2020-01-01")
    client.call("forget", id=ids[1], reason="wrong", replaced_by_id=ids[2])
    answer = client.call("export_memories")
    assert (answer["ok"], answer["count"]) == (True, 4)
    assert [memory["id"] for memory in answer["memories"]] == [*ids, expired]
    tombstone = answer["memories"][1]
    assert (tombstone["forget_reason"], tombstone["replaced_by_id"]) == ("wrong", ids[2])
    assert not {"importance", "embedding"} & answer["memories"][0].keys()
    present = client.call("export_memories", include_deleted=False)
    assert [memory["id"] for memory in present["memories"]] == [ids[0], ids[2]]
    moment = datetime.fromisoformat(answer["memories"][0]["created_at"])
    assert abs(datetime.now(UTC) - moment) < timedelta(minutes=5)


@requires("ownsona.export.limit")
def test_an_export_has_a_bound(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listing.EXPORT_LIMIT == 100_000
    monkeypatch.setattr(listing, "EXPORT_LIMIT", 1)  # no test waits for a hundred thousand
    book.remember("One.")
    assert not perform(DIALECT, book, "export_memories", {}).failed
    book.forget(book.remember("Two.").memory)
    answer = perform(DIALECT, book, "export_memories", {})
    assert (answer.failed, answer.body["error"]["code"]) == (True, "LIMIT_EXCEEDED")  # type: ignore[index]
    assert not perform(DIALECT, book, "export_memories", {"include_deleted": False}).failed
