"""The ownsona contract: batches, update, confirm and forget."""

from pathlib import Path
from typing import Any

from commonplace.book.book import Book
from tests.contracts.conftest import Serve
from tests.contracts.ownsona_calls import COLBY, COLBY_NOW, ahead, blame, code, got, key, told
from tests.contracts.requirements import requires

# -- remember_batch ---------------------------------------------------------------------------


@requires("ownsona.remember_batch.results", "ownsona.remember_batch.summary", "ownsona.remember_batch.sequence")
def test_a_batch_has_a_result_for_each_item(serve: Serve) -> None:
    client = serve("ownsona")
    secret = key("ghp_", 36)
    items: list[Any] = [
        {"text": COLBY, "tags": ["Families"], "colour": "red", "importance": None},
        {"text": f"It is {secret}"},
        {"text": COLBY.upper()},
        {"text": COLBY_NOW},
        {"text": COLBY_NOW + "!", "dedup_policy": "skip_if_near"},
        {"tags": ["work"]},
        {"text": "Bad.", "importance": "high"},
        {"text": "Bad.", "dedup_policy": "merge"},
        {"text": "Bad.", "expires_at": ahead(days=50_000)},
        "Bad.",
        {"text": "Lunch is at noon.", "dedup_policy": "insert"},
    ]
    answer = client.call("remember_batch", items=items)
    results = answer["results"]
    assert answer["ok"] is True
    assert [result["input_index"] for result in results] == list(range(11))
    assert [result["ok"] for result in results] == [True, False, True, True, True, *[False] * 5, True]
    assert answer["summary"] == {
        "total": 11,
        "succeeded": 5,
        "failed": 6,
        "inserted": 3,
        "duplicates": 2,
        "errors": 6,
    }
    codes = [result["error"]["code"] for result in results if not result["ok"]]
    assert codes == ["SECRET_REJECTED", *["INVALID_INPUT"] * 5]
    assert secret not in str(answer)
    assert results[5]["error"]["message"].startswith("text")
    assert results[6]["error"]["message"].startswith("importance")
    first, repeat, near, skipped = results[0], results[2], results[3], results[4]
    assert (first["message"], first["near_duplicates"]) == ("Ok", [])
    assert (repeat["memory_id"], repeat["message"]) == (first["memory_id"], "Already remembered")
    assert [match["id"] for match in near["near_duplicates"]] == [first["memory_id"]]
    assert (skipped["memory_id"], skipped["message"]) == (near["memory_id"], "Already remembered")
    assert got(client, first["memory_id"])["tags"] == ["family"]
    assert client.call("count_memories", include_deleted=True)["count"] == 3


@requires("ownsona.remember_batch.defaults", "ownsona.remember_batch.whole", "ownsona.remember_batch.size")
def test_a_batch_has_defaults_and_can_fail_as_a_whole(serve: Serve) -> None:
    client = serve("ownsona")
    items = [{"text": "One."}, {"text": "Two.", "source_provider": "own"}, {"text": "Three.", "dedup_policy": "ask"}]
    results = client.call("remember_batch", items=items, source_provider="all", dedup_policy="insert")["results"]
    providers = [got(client, result["memory_id"])["source_provider"] for result in results]
    assert providers == ["all", "own", "all"]
    assert ["near_duplicates" in result for result in results] == [False, False, True]
    good = {"text": "Four."}
    assert blame(client, "remember_batch", items=[good], dedup_policy="merge") == "dedup_policy"
    assert blame(client, "remember_batch", items=[good, {"expires_at": "soon"}]) == "items[1].expires_at"
    assert blame(client, "remember_batch", items=[]) == "items"
    assert blame(client, "remember_batch") == "items"
    assert code(client, "remember_batch", items=[good] * 201) == "LIMIT_EXCEEDED"
    assert client.call("count_memories")["count"] == 3
    most = client.call("remember_batch", items=[good] * 200)
    assert most["summary"]["duplicates"] == 199


# -- update and confirm -----------------------------------------------------------------------


@requires("ownsona.update.output", "ownsona.update.partial", "ownsona.update.nothing")
def test_an_update_changes_what_is_given(serve: Serve) -> None:
    client = serve("ownsona")
    (id,) = told(client, COLBY, tags=["family", "places"], source_provider="openai")
    before = got(client, id)
    answer = client.call(
        "update_memory",
        id=id,
        last_confirmed_at="2024-01-01T00:00:00Z",
        importance=0.9,
        text=" Colby moved to Denver. ",
    )
    assert answer == {
        "ok": True,
        "memory_id": id,
        "dry_run": False,
        "message": "Ok",
        "changed_fields": ["text", "importance", "last_confirmed_at"],
    }
    after = got(client, id)
    assert (after["text"], after["importance"]) == ("Colby moved to Denver.", 0.9)
    assert after["last_confirmed_at"] == "2024-01-01T00:00:00.000Z"
    assert after["updated_at"] > before["updated_at"]
    kept = ("id", "tags", "created_at", "source_provider", "expires_at")
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert client.call("recall", query="Denver")["matches"][0]["id"] == id
    assert client.call("update_memory", id=id, tags=["Tech"], text=None)["changed_fields"] == ["tags"]
    assert got(client, id)["tags"] == ["software"]
    assert client.call("update_memory", id=id, tags=["software"])["changed_fields"] == ["tags"]
    client.call("update_memory", id=id, tags=[], expires_at="2020-01-01T00:00:00Z")
    assert (got(client, id)["tags"], got(client, id)["text"]) == ([], "Colby moved to Denver.")
    assert client.call("recall", query="Denver")["matches"] == []
    client.call("update_memory", id=id, expires_at=ahead(days=1))
    assert client.call("recall", query="Denver")["matches"]
    for nothing in ({}, {"dry_run": True}, {"text": None, "colour": "red"}):
        assert code(client, "update_memory", id=id, **nothing) == "INVALID_INPUT"


@requires("ownsona.update.validation", "ownsona.update.gone", "ownsona.update.collision", "ownsona.update.dry_run")
def test_an_update_is_checked_like_a_new_fact_dry_or_not(serve: Serve) -> None:
    client = serve("ownsona")
    first, second, gone = told(client, COLBY, "Lunch is at noon.", "Tea is at five.")
    client.call("forget", id=gone)
    before = client.call("export_memories")
    for dry_run in (False, True):
        for wrong in (
            {"text": " "},
            {"text": "x" * 16_001},
            {"importance": 1.5},
            {"importance": "high"},
            {"expires_at": "soon"},
            {"expires_at": ahead(days=50_000)},
            {"last_confirmed_at": ahead(days=1)},
        ):
            assert blame(client, "update_memory", id=first, dry_run=dry_run, **wrong) == next(iter(wrong))
        assert code(client, "update_memory", id=first, tags=["y" * 65], dry_run=dry_run) == "INVALID_INPUT"
        assert code(client, "update_memory", id=first, text=key("ghp_", 36), dry_run=dry_run) == "SECRET_REJECTED"
        for unknown in (gone, 999):
            assert code(client, "update_memory", id=unknown, tags=[], dry_run=dry_run) == "NOT_FOUND"
        assert blame(client, "update_memory", tags=[], dry_run=dry_run) == "id"
    assert code(client, "update_memory", id=first, text="LUNCH is  at noon.") == "DATABASE_ERROR"
    would = client.call("update_memory", id=first, text="Colby moved.", tags=["x1"], dry_run=True)
    assert would == {
        "ok": True,
        "memory_id": first,
        "dry_run": True,
        "changed_fields": ["text", "tags"],
        "message": "Would update",
    }
    assert client.call("export_memories") == before
    client.call("forget", id=second)
    assert client.call("update_memory", id=first, text="Lunch is at noon.")["message"] == "Ok"


@requires("ownsona.update_batch.results", "ownsona.update_batch.dry_run", "ownsona.update_batch.size")
def test_a_batch_of_updates_has_a_result_for_each_item(serve: Serve) -> None:
    client = serve("ownsona")
    first, second, gone = told(client, COLBY, "Lunch is at noon.", "Tea is at five.")
    client.call("forget", id=gone)
    before = client.call("export_memories")
    items: list[Any] = [
        {"id": first, "tags": ["Kin"], "importance": 0.9},
        {"id": 999, "tags": []},
        {"id": gone, "tags": []},
        {"id": second},
        {"id": None, "tags": []},
        {"id": second, "importance": 3},
        {"id": second, "text": key("ghp_", 36)},
        {"id": second, "text": "Lunch is at one."},
    ]
    dry = client.call("update_memory_batch", items=items, dry_run=True)
    assert client.call("export_memories") == before
    done = client.call("update_memory_batch", items=items)
    for answer, message in ((dry, "Would update"), (done, "Ok")):
        results = answer["results"]
        assert answer["summary"] == {"total": 8, "updated": 2, "errors": 6}
        assert results[0] == {
            "input_index": 0,
            "id": first,
            "ok": True,
            "changed_fields": ["tags", "importance"],
            "message": message,
        }
        assert [result["input_index"] for result in results] == list(range(8))
        assert [result.get("id") for result in results] == [first, 999, gone, second, None, second, second, second]
        assert [result["error"]["code"] for result in results[1:7]] == [
            "NOT_FOUND",
            "NOT_FOUND",
            "INVALID_INPUT",
            "INVALID_INPUT",
            "INVALID_INPUT",
            "SECRET_REJECTED",
        ]
    assert (dry["dry_run"], done["dry_run"]) == (True, False)
    assert (got(client, first)["tags"], got(client, second)["text"]) == (["family"], "Lunch is at one.")
    swapped = client.call(
        "update_memory_batch", items=[{"id": first, "text": "lunch is at ONE."}, {"id": second, "text": "Lunch moved."}]
    )
    assert [result["ok"] for result in swapped["results"]] == [False, True]
    assert swapped["results"][0]["error"]["code"] == "DATABASE_ERROR"
    assert blame(client, "update_memory_batch", items=[]) == "items"
    assert code(client, "update_memory_batch", items=[{"id": first, "tags": []}] * 201) == "LIMIT_EXCEEDED"
    assert blame(client, "update_memory_batch", items=[{"id": 1, "expires_at": "soon"}]) == "items[0].expires_at"


@requires("ownsona.confirm", "ownsona.confirm.gone")
def test_confirming_sets_the_time_to_now(serve: Serve) -> None:
    client = serve("ownsona")
    (id,) = told(client, COLBY, last_confirmed_at="2024-01-01")
    answer = client.call("confirm", id=id)
    after = got(client, id)
    assert answer == {
        "ok": True,
        "memory_id": id,
        "last_confirmed_at": after["last_confirmed_at"],
        "message": "Confirmed",
    }
    assert after["last_confirmed_at"] >= after["created_at"]
    assert after["text"] == COLBY
    client.call("forget", id=id)
    for gone in (id, 999):
        assert code(client, "confirm", id=gone) == "NOT_FOUND"
    assert blame(client, "confirm") == "id"


# -- forget -----------------------------------------------------------------------------------


@requires("ownsona.forget.soft", "ownsona.forget.again", "ownsona.forget.dry_run", "ownsona.forget.reason")
def test_forgetting_leaves_a_tombstone(serve: Serve) -> None:
    client = serve("ownsona")
    id, other = told(client, COLBY, "Colby moved to Denver.")
    answer = {"ok": True, "memory_id": id, "dry_run": True, "already_deleted": False, "message": "Would soft-delete"}
    assert client.call("forget", id=id, reason="moved", replaced_by_id=other, dry_run=True) == answer
    assert got(client, id)["deleted_at"] is None
    assert client.call("forget", id=id, reason=" he moved ") == {**answer, "dry_run": False, "message": "Forgotten"}
    tombstone = got(client, id)
    assert (tombstone["forget_reason"], tombstone["replaced_by_id"]) == ("he moved", None)
    assert client.call("text_search", text="Los Angeles")["matches"] == []
    would = client.call("forget", id=id, dry_run=True)
    assert (would["already_deleted"], would["message"]) == (True, "Would update tombstone (already soft-deleted)")
    again = client.call("forget", id=id, replaced_by_id=other)
    assert (again["already_deleted"], again["message"]) == (True, "Forgotten")
    updated = got(client, id)
    assert (updated["deleted_at"], updated["forget_reason"]) == (tombstone["deleted_at"], "he moved")
    assert updated["replaced_by_id"] == other
    client.call("forget", id=id, reason="r" * 1_024)
    assert got(client, id)["forget_reason"] == "r" * 1_024
    assert blame(client, "forget", id=id, reason="r" * 1_025) == "reason"
    assert client.call("forget", id=other, reason="  ")["message"] == "Forgotten"
    assert got(client, other)["forget_reason"] is None


@requires("ownsona.forget.hard", "ownsona.forget.references", "ownsona.forget.unknown")
def test_a_hard_delete_leaves_nothing(serve: Serve, tmp_path: Path) -> None:
    client = serve("ownsona")
    id, old = told(client, COLBY, "Colby lives in Boston.")
    for more in ({"reason": "x"}, {"replaced_by_id": old}):
        assert code(client, "forget", id=id, hard_delete=True, **more) == "INVALID_INPUT"
    for unknown in (999, "nobody"):
        assert code(client, "forget", id=unknown) == code(client, "forget", id=unknown, hard_delete=True) == "NOT_FOUND"
        assert code(client, "forget", id=old, replaced_by_id=unknown) == "DATABASE_ERROR"
    assert code(client, "forget", id=old, replaced_by_id=old) == "DATABASE_ERROR"
    client.call("forget", id=old, replaced_by_id=id)
    assert code(client, "forget", id=id, hard_delete=True) == "DATABASE_ERROR"
    assert got(client, id)["text"] == COLBY
    would = client.call("forget", id=old, hard_delete=True, dry_run=True)
    assert (would["message"], would["already_deleted"]) == ("Would hard-delete", True)
    assert client.call("forget", id=old, hard_delete=True)["message"] == "Hard deleted"
    assert client.call("forget", id=id, hard_delete=True) == {
        "ok": True,
        "memory_id": id,
        "dry_run": False,
        "already_deleted": False,
        "message": "Hard deleted",
    }
    assert code(client, "get_memory", id=id) == "NOT_FOUND"
    assert client.call("export_memories")["count"] == 0
    assert b"Colby" not in (tmp_path / "book.db").read_bytes()
    fresh = client.call("remember", text=COLBY)
    assert fresh["memory_id"] > old
    assert "previously_corrected" not in fresh


@requires("ownsona.forget_batch.results", "ownsona.forget_batch.dry_run", "ownsona.forget_batch.size")
def test_a_batch_is_forgotten_with_one_reason(serve: Serve, tmp_path: Path) -> None:
    client = serve("ownsona")
    first, second, gone = told(client, COLBY, "Lunch is at noon.", "Tea is at five.")
    client.call("forget", id=gone, reason="old")
    ids: list[Any] = [first, 999, gone, first, str(second)]
    summary = {"total": 5, "deleted": 2, "already_deleted": 2, "errors": 1}
    dry = client.call("forget_batch", ids=ids, reason="clean up", dry_run=True)
    assert (dry["dry_run"], dry["summary"]) == (True, summary)
    assert [result.get("message", "") for result in dry["results"]] == [
        "Would soft-delete",
        "",
        "Would update tombstone (already soft-deleted)",
        "Would update tombstone (already soft-deleted)",
        "Would soft-delete",
    ]
    assert client.call("count_memories")["count"] == 2
    done = client.call("forget_batch", ids=ids, reason=" clean up ")
    assert (done["ok"], done["dry_run"], done["summary"]) == (True, False, summary)
    assert [result.get("message", "") for result in done["results"]] == [
        "Forgotten",
        "",
        "Already soft-deleted (tombstone updated)",
        "Already soft-deleted (tombstone updated)",
        "Forgotten",
    ]
    assert [(result["input_index"], result["id"]) for result in done["results"]] == list(
        enumerate([first, 999, gone, first, second])
    )
    assert done["results"][1]["error"]["code"] == "NOT_FOUND"
    assert {got(client, id)["forget_reason"] for id in (first, second, gone)} == {"clean up"}
    assert client.call("count_memories")["count"] == 0
    assert blame(client, "forget_batch", ids=[]) == "ids"
    assert blame(client, "forget_batch", ids=[first], reason="r" * 1_025) == "reason"
    assert code(client, "forget_batch", ids=[first] * 201) == "LIMIT_EXCEEDED"
    with Book.open(tmp_path / "book.db", model="none") as book:
        assert book.get(gone).text == "Tea is at five."
