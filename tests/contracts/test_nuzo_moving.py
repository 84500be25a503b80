"""Nuzo's tools through a real client: forget, export, import, doctor."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.client import Client, serving, text_of
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires
from tests.contracts.test_nuzo_memory import ELEVEN, RECORD, listed, project_scope, stored

FORMAT = {"format": "nuzo-memory-export", "version": 1, "exported_at": "2026-06-13T00:00:00.000Z"}
ITEM = {
    "scope": "user:default",
    "kind": "preference",
    "content": "The user prefers  SQLite.",
    "tags": ["storage", "db"],
    "source": "codex:mcp",
    "confidence": 0.75,
    "created_at": "2025-01-02T03:04:05.006Z",
    "updated_at": "2025-02-02T03:04:05.006Z",
    "last_used_at": "2025-03-02T03:04:05.006Z",
    "archived_at": None,
}


def document(*items: Any) -> dict[str, Any]:
    return {**FORMAT, "memories": list(items)}


def taken_in(client: Client, *items: Any, **more: Any) -> tuple[int, int]:
    answer = client.call("memory.import", document=document(*items), **more)
    assert set(answer) == {"imported", "skipped", "dry_run"}
    return answer["imported"], answer["skipped"]


def types_of(client: Client, id: str) -> list[str]:
    return [event["event_type"] for event in client.call("memory.history", id=id)["events"]]


# -- forget -----------------------------------------------------------------------------------


@requires("nuzo.forget.output", "nuzo.forget.archive", "nuzo.forget.again", "nuzo.forget.events", "nuzo.forget.order")
def test_forget_archives_unless_told_otherwise(serve: Serve) -> None:
    client = serve("nuzo")
    id = stored(client, "herons")
    assert client.call("memory.forget", id=id, reason="replaced") == {"id": id, "forgotten": True, "mode": "archive"}
    assert client.call("memory.forget", id=id, mode="archive")["forgotten"]
    assert types_of(client, id) == ["memory.created", "memory.archived", "memory.archived"]
    payloads = [event["payload"] for event in client.call("memory.history", id=id)["events"]]
    assert payloads[1:] == [{"reason": "replaced"}, {"reason": None}]
    assert listed(client) == {}
    assert client.call("memory.recall", query="herons")["results"] == []
    for mode in ("archive", "delete"):
        assert client.refusal("memory.forget", id="mem_none", mode=mode)["code"] == "MEMORY_NOT_FOUND"


@requires("nuzo.forget.delete", "nuzo.forget.events")
def test_delete_needs_a_confirmation_and_leaves_no_byte(serve: Serve, tmp_path: Path) -> None:
    client = serve("nuzo")
    id = stored(client, "Xylophone lessons are on Tuesday")
    assert client.refusal("memory.forget", id=id, mode="delete")["code"] == "MEMORY_DELETE_CONFIRMATION_REQUIRED"
    assert id in listed(client)
    answer = client.call("memory.forget", id=id, mode="delete", confirm=True)
    assert (answer["id"], answer["forgotten"], answer["mode"]) == (id, True, "delete")
    assert listed(client, include_archived=True) == {}
    assert client.call("memory.history", id=id)["events"][-1]["payload"] == {"reason": None}
    assert all(b"ylophone" not in file.read_bytes() for file in tmp_path.glob("book.db*"))
    assert client.refusal("memory.forget", id=id, mode="delete", confirm=True)["code"] == "MEMORY_NOT_FOUND"


@requires(
    "nuzo.forget_many.preview",
    "nuzo.forget_many.selector",
    "nuzo.forget_many.tags",
    "nuzo.forget_many.apply",
    "nuzo.forget_many.output",
    "nuzo.forget_many.active",
)
def test_forget_many_previews_and_archives(serve: Serve) -> None:
    client = serve("nuzo")
    a = stored(client, "a", scope="project:auto", tags=["obsolete", "x"])
    b = stored(client, "b", scope="project:auto", tags=["obsolete"])
    c = stored(client, "c", tags=["obsolete"])
    d = stored(client, "d", scope="project:auto")
    asked = {"scope": "project:auto", "tags": ["obsolete"], "all": False, "mode": "archive", "confirm": False}
    preview = {"matched": 2, "affected": 0, "mode": "archive", "dry_run": True, "ids": [b, a]}
    assert client.call("memory.forget_many", **asked, dry_run=True) == preview
    assert client.call("memory.forget_many", **asked) == preview
    assert client.call("memory.forget_many", tags=["obsolete", "x"])["ids"] == [a]
    assert client.call("memory.forget_many", tags=["obsolete"])["ids"] == [c, b, a]
    assert client.call("memory.forget_many", all=True)["ids"] == [d, c, b, a]
    for empty in ({}, {"tags": []}, {"all": False, "mode": "delete"}):
        assert client.refusal("memory.forget_many", **empty)["code"] == "MEMORY_BULK_SELECTOR_REQUIRED"
    for narrowed in ({"scope": "user:default"}, {"tags": ["x"]}):
        body = client.refusal("memory.forget_many", all=True, **narrowed)
        assert body["code"] == "MEMORY_BULK_SELECTOR_CONFLICT"
    assert client.call("memory.list")["memories"][0]["id"] == d
    done = client.call("memory.forget_many", **asked, dry_run=False, reason="Project decision was replaced.")
    assert done == {**preview, "affected": 2, "dry_run": False}
    for id in (a, b):
        event = client.call("memory.history", id=id)["events"][-1]
        assert (event["event_type"], event["payload"]) == (
            "memory.archived",
            {"reason": "Project decision was replaced."},
        )
    assert client.call("memory.forget_many", **asked, dry_run=False)["matched"] == 0
    assert set(listed(client)) == {c, d}


@requires("nuzo.forget_many.delete", "nuzo.forget_many.active")
def test_forget_many_deletes_only_when_confirmed(serve: Serve) -> None:
    client = serve("nuzo")
    a, b, c = (stored(client, text, scope="agent:reviewer") for text in ("a", "b", "c"))
    client.call("memory.forget", id=c)
    asked = {"scope": "agent:reviewer", "mode": "delete"}
    assert client.call("memory.forget_many", **asked)["ids"] == [b, a]
    refusal = client.refusal("memory.forget_many", **asked, dry_run=False)
    assert refusal["code"] == "MEMORY_DELETE_CONFIRMATION_REQUIRED"
    assert set(listed(client)) == {a, b}
    done = client.call("memory.forget_many", **asked, dry_run=False, confirm=True, reason="over")
    assert (done["matched"], done["affected"], done["ids"]) == (2, 2, [b, a])
    assert set(listed(client, include_archived=True)) == {c}
    assert types_of(client, a)[-1] == types_of(client, b)[-1] == "memory.deleted"


# -- export and import ------------------------------------------------------------------------


@requires("nuzo.export.document", "nuzo.export.items", "nuzo.export.filters")
def test_export_is_the_bare_document(serve: Serve) -> None:
    client = serve("nuzo")
    stored(client, "a", tags=["x"])
    b = stored(client, "b", tags=["x", "y"], scope="agent:reviewer")
    stored(client, "c")
    client.call("memory.forget", id=b)
    whole = client.call("memory.export")
    assert set(whole) == {"format", "version", "exported_at", "memories"}
    assert (whole["format"], whole["version"]) == ("nuzo-memory-export", 1)
    assert {item["content"] for item in whole["memories"]} == {"a", "c"}
    assert all(set(item) == RECORD - {"id"} for item in whole["memories"])

    def contents(**filters: Any) -> set[str]:
        return {item["content"] for item in client.call("memory.export", **filters)["memories"]}

    assert contents(include_archived=True, format="json") == {"a", "b", "c"}
    assert contents(include_archived=True, tags=["x", "y"]) == {"b"}
    assert contents(scope="user:default", tags=["x"]) == {"a"}
    assert contents(scope="agent:reviewer") == set()


@requires("nuzo.export.event")
def test_an_export_is_logged_without_a_memory(serve: Serve, tmp_path: Path) -> None:
    import apsw

    client = serve("nuzo")
    id = stored(client, "a", tags=["x"])
    client.call("memory.export", tags=["x"])
    with apsw.Connection(str(tmp_path / "book.db")) as connection:
        rows = connection.execute("SELECT memory_id, payload FROM events WHERE type = 'memory.exported'").fetchall()
    assert [row[0] for row in rows] == [None]
    for part in ('"scope":null', '"tags":["x"]', '"includeArchived":false', '"count":1'):
        assert part in str(rows[0][1]).replace(" ", "")
    assert types_of(client, id) == ["memory.created"]


@requires(
    "nuzo.import.output",
    "nuzo.import.idempotent",
    "nuzo.import.sameness",
    "nuzo.import.repeats",
    "nuzo.import.dry_run",
    "nuzo.import.scope",
)
def test_import_skips_what_is_known(serve: Serve, project: Path) -> None:
    client = serve("nuzo")
    assert taken_in(client) == (0, 0)
    assert taken_in(client, ITEM, dry_run=True) == (1, 0)
    assert listed(client) == {}
    same = {**ITEM, "content": " The user\nprefers SQLite. ", "tags": ["db", "storage", "db"], "confidence": 1}
    assert taken_in(client, ITEM, same, dry_run=True) == (1, 1)
    assert taken_in(client, ITEM, same) == (1, 1)
    assert taken_in(client, same) == (0, 1)
    other = (
        {**ITEM, "content": "the user prefers SQLite."},
        {**ITEM, "kind": "fact"},
        {**ITEM, "tags": ["db"]},
        {**ITEM, "scope": "agent:reviewer"},
    )
    assert taken_in(client, ITEM, *other) == (4, 1)
    assert taken_in(client, ITEM, *other, scope="project:auto") == (4, 1)
    assert len(listed(client, scope=project_scope(project))) == 4
    archived = next(iter(listed(client, scope="agent:reviewer")))
    client.call("memory.forget", id=archived)
    assert taken_in(client, other[3]) == (0, 1)
    assert listed(client, scope="agent:reviewer") == {}


@requires("nuzo.import.kept", "nuzo.import.event", "nuzo.hook.confirmed")
def test_import_keeps_what_the_items_say(serve: Serve) -> None:
    client = serve("nuzo")
    gone = {**ITEM, "content": "long gone", "archived_at": "2025-04-02T03:04:05.006Z"}
    assert taken_in(client, ITEM, gone, scope="team:core") == (2, 0)
    records = {each["content"]: each for each in listed(client, include_archived=True).values()}
    for item in (ITEM, gone):
        record = records[str(item["content"])]
        assert {name: record[name] for name in item} == {**item, "scope": "team:core"}
        assert client.call("memory.history", id=record["id"])["events"][0]["payload"] == {
            "originalScope": "user:default",
            "scope": "team:core",
            "archived": item is gone,
        }
        assert types_of(client, record["id"]) == ["memory.imported"]
    assert list(listed(client)) == [records["The user prefers  SQLite."]["id"]]
    answer = client.call("memory.recall_hook", task_context="prefers SQLite", project_scope="team:core")
    assert answer["results"] == []
    assert len(client.call("memory.recall", query="prefers SQLite", scope="team:core")["results"]) == 1


@requires("nuzo.import.atomic", "nuzo.import.unsupported", "nuzo.import.invalid")
def test_one_bad_item_keeps_the_whole_document_out(serve: Serve) -> None:
    client = serve("nuzo")
    for wrong in ({"format": "other"}, {"version": 2}, {"version": "1"}, {"version": True}):
        body = client.refusal("memory.import", document={**document(ITEM), **wrong})
        assert body["code"] == "MEMORY_EXPORT_UNSUPPORTED", wrong
    for wrong in ({"memories": None}, {"memories": {}}, {"exported_at": "yesterday"}, {"exported_at": None}):
        body = client.refusal("memory.import", document={**document(ITEM), **wrong})
        assert (body["code"], body["details"]["path"]) == ("MEMORY_EXPORT_INVALID", next(iter(wrong)))
    shapes = {
        "scope": 1,
        "kind": None,
        "content": [],
        "tags": "x",
        "source": None,
        "confidence": "high",
        "created_at": "3d",
        "updated_at": 5,
        "last_used_at": "soon",
        "archived_at": "2025-99-99T00:00:00Z",
    }
    for name, value in shapes.items():
        for bad in ({**ITEM, name: value}, {each: ITEM[each] for each in ITEM if each != name}):
            body = client.refusal("memory.import", document=document(ITEM, bad))
            assert (body["code"], body["details"]["path"]) == ("MEMORY_EXPORT_INVALID", f"memories[1].{name}")
    assert client.refusal("memory.import", document=document("x"))["details"]["path"] == "memories[0]"
    hidden = document({**ITEM, "scope": "no scope at all"})
    assert client.refusal("memory.import", document=hidden, scope="team:core")["code"] == "MEMORY_SCOPE_INVALID"
    policy = {
        "content": (" ", "MEMORY_CONTENT_EMPTY"),
        "kind": ("mood", "MEMORY_KIND_UNSUPPORTED"),
        "scope": ("nowhere", "MEMORY_SCOPE_INVALID"),
        "source": ("", "MEMORY_SOURCE_EMPTY"),
        "confidence": (10**400, "MEMORY_CONFIDENCE_INVALID"),
        "tags": (["Up"], "MEMORY_TAG_INVALID"),
    }
    for field, (content, code) in policy.items():
        body = client.refusal("memory.import", document=document(ITEM, {**ITEM, field: content}))
        assert (body["code"], body["details"]["path"]) == (code, f"memories[1].{field}")
    assert listed(client, include_archived=True) == {}


@requires("nuzo.import.other_host")
def test_what_one_store_exported_another_takes_in(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("nuzo")
    stored(client, "Ünïcode ✓ und ein\nUmbruch", kind="project_decision", tags=["a"], source="codex:mcp")
    gone = stored(client, "archived", confidence=0.5)
    client.call("memory.forget", id=gone)
    client.call("memory.recall", query="Umbruch")
    exported = client.call("memory.export", include_archived=True)
    with serving("nuzo", tmp_path / "other.db", project) as other:
        assert other.call("memory.import", document=exported)["imported"] == 2
        assert other.call("memory.export", include_archived=True)["memories"] == exported["memories"]


# -- doctor -----------------------------------------------------------------------------------


@requires("nuzo.doctor.output", "nuzo.doctor.counts", "nuzo.doctor.discreet", "nuzo.doctor.path")
def test_doctor_counts_and_says_no_more(serve: Serve, tmp_path: Path) -> None:
    client = serve("nuzo", HOME=str(tmp_path))
    a = stored(client, "Herons nest in March.", tags=["ornithology"], source="notebook", scope="agent:reviewer")
    stored(client, "Storks nest in April.")
    client.call("memory.forget", id=a)
    answer = client.raw("memory.doctor", {})
    assert client.call("memory.doctor") == {
        "ok": True,
        "network": "disabled",
        "store": {"path": "~/book.db", "readable": True, "writable_check": "not_performed"},
        "counts": {"active_memories": 1, "archived_memories": 1, "total_memories": 2},
        "tools": ELEVEN,
        "warnings": [],
    }
    for word in ("nest", "ornithology", "notebook", "nuzo-memory-export"):
        assert word not in text_of(answer)


@requires("nuzo.doctor.no_store", "nuzo.doctor.git")
def test_doctor_tells_of_a_store_that_is_not_there_and_of_files_in_git(
    serve: Serve, tmp_path: Path, project: Path
) -> None:
    client = serve("nuzo")
    before = client.call("memory.doctor")
    assert (before["ok"], before["store"]["readable"], before["counts"]) == (False, False, None)
    assert before["warnings"] == ["There is no store yet: the first memory makes it, or 'commonplace memory init'."]
    assert not (tmp_path / "book.db").exists()
    stored(client, "Herons nest in March.")
    assert (client.call("memory.doctor")["ok"], client.call("memory.doctor")["warnings"]) == (True, [])
    (project / "a.memory.export.json").write_text("{}")
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], check=True, cwd=project)
    after = client.call("memory.doctor")
    assert (after["ok"], after["warnings"]) == (False, ["Git tracks memory files: run git rm --cached on them."])


@requires("nuzo.doctor.unreadable")
@pytest.mark.parametrize("content", [b"this is no database at all, but long enough to be read as one" * 20])
def test_doctor_tells_of_a_store_that_cannot_be_read(serve: Serve, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "book.db").write_bytes(content)
    answer = serve("nuzo").call("memory.doctor")
    assert (answer["ok"], answer["store"]["readable"], answer["counts"]) == (False, False, None)
    (warning,) = answer["warnings"]
    assert warning.startswith("memory store read check failed: ")
