"""The snipara contract: forgetting, evidence, verification, invalidation and supersession."""

from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects import load_dialect
from commonplace.domain.memory import RelationKind
from commonplace.domain.scope import Principal
from tests.conftest import OpenBook
from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.requirements import requires
from tests.contracts.snipara_calls import listed, past, recalled, refused, stored, texts

VERIFY_KEYS = {
    "memory_id",
    "verified",
    "total_evidence",
    "valid_evidence",
    "invalid_evidence",
    "evidence_score",
    "status",
}
SNIPARA = load_dialect("snipara")
BY_ID = ("rlm_memory_attach_source", "rlm_memory_verify", "rlm_memory_invalidate")


def ask(book: Book, tool: str, **given: Any) -> Any:
    answer = perform(SNIPARA, book, tool, given)
    assert not answer.failed, answer.text
    return answer.body


def audit(row: dict[str, Any]) -> tuple[object, ...]:
    """What a row tells of how its memory was retired."""
    return tuple(row[key] for key in ("status", "reason", "invalidated_at", "superseded_at", "superseded_by"))


@pytest.fixture
def snipara(serve: Serve) -> Client:
    return serve("snipara")


# -- forget -----------------------------------------------------------------------------------


@requires("snipara.forget.id", "snipara.forget.purge")
def test_by_id_every_byte_is_gone(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("snipara")
    id = stored(client, "The xylophone of the harbour", document_refs=["docs/zephyrine.md"])
    answer = client.call("rlm_forget", memory_id=id)
    assert (answer["deleted_count"], answer["message"]) == (1, f"Memory {id} deleted")
    again = client.call("rlm_forget", memory_id=id)
    assert again == {"deleted_count": 0, "message": f"Memory {id} not found"}
    assert listed(client, include_inactive=True) == []
    with past(tmp_path, project) as book:
        assert book.history(id)[-1].type.value == "memory.purged"
        written = b"".join(file.read_bytes() for file in tmp_path.glob("book.db*"))
    assert b"xylophone" not in written
    assert b"zephyrine" not in written


@requires("snipara.forget.filter", "snipara.forget.filters")
def test_filters_and_together_and_stay_in_the_project(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project, days=10) as book:
        book.remember("Old auth", category="auth")
        book.remember("Old ui", category="ui")
    client = serve("snipara")
    stored(client, "New auth", category="auth")
    for number in range(3):
        stored(client, f"Todo {number}", type="todo")
    stored(client, "My own todo", type="todo", scope="user")
    assert refused(client, "rlm_forget") == "At least one filter is required"
    assert refused(client, "rlm_forget", scope="project") == "At least one filter is required"
    assert "older_than_days" in refused(client, "rlm_forget", older_than_days=0)
    assert client.call("rlm_forget", type="todo")["message"] == "Deleted 3 memories"
    assert client.call("rlm_forget", category="auth", older_than_days=5)["deleted_count"] == 1
    assert sorted(listed(client)) == ["My own todo", "New auth", "Old ui"]
    assert client.call("rlm_forget", type="todo", scope="user")["deleted_count"] == 1
    last = client.call("rlm_memories", search="New auth")["memories"][0]["id"]
    assert client.call("rlm_forget", memory_id=last, type="todo")["deleted_count"] == 0
    assert client.call("rlm_forget", memory_id=last, category="auth")["deleted_count"] == 1
    assert listed(client) == ["Old ui"]


# -- evidence ---------------------------------------------------------------------------------


@requires("snipara.attach.example", "snipara.attach.again")
def test_the_published_source_is_attached_once(snipara: Client) -> None:
    id = stored(snipara, "OAuth callbacks validate state")
    source = {
        "memory_id": id,
        "evidence_type": "CHUNK",
        "chunk_id": "chunk_456",
        "snippet": "OAuth callback validates state before token exchange",
        "weight": 1.0,
    }
    first = snipara.call("rlm_memory_attach_source", **source)
    assert (first["memory_id"], first["evidence_type"], first["created"]) == (id, "CHUNK", True)
    assert first["message"]
    assert snipara.call("rlm_memory_attach_source", **source)["created"] is False
    assert recalled(snipara, "OAuth callbacks")[0]["evidence_count"] == 1


@requires("snipara.attach.types", "snipara.attach.checks", "snipara.lifecycle.not_found")
def test_every_type_of_source_is_known_and_bad_ones_refused(snipara: Client) -> None:
    id = stored(snipara, "Deploys are on Monday")
    for name in ("DOCUMENT", "SESSION", "PR", "issue", "COMMIT", "WEBHOOK", "EXTERNAL_URL", "URL"):
        answer = snipara.call("rlm_memory_attach_source", memory_id=id, evidence_type=name, external_ref=f"ref-{name}")
        assert answer["created"] is True
    assert snipara.call("rlm_memory_verify", memory_id=id)["total_evidence"] == 8

    def said(**arguments: object) -> str:
        return refused(
            snipara,
            "rlm_memory_attach_source",
            **{"memory_id": id, "evidence_type": "PR", "external_ref": "1", **arguments},
        )

    assert "unsupported evidence type 'DREAM'" in said(evidence_type="DREAM")
    assert "weight" in said(weight=1.1)
    assert "line_start" in said(line_start=0)
    assert "line_end" in said(line_start=5, line_end=4)
    assert "external_ref" in said(external_ref=None)
    unknown = snipara.refusal("rlm_memory_attach_source", memory_id="mem_x", evidence_type="PR", external_ref="1")
    assert unknown == {"error": "Memory 'mem_x' not found in Memory V2", "memory_id": "mem_x"}
    assert snipara.call("rlm_memory_verify", memory_id=id)["total_evidence"] == 8


@requires("snipara.attach.checks")
def test_lines_and_snippets_only_say_where_to_look(book: Book) -> None:
    book.documents.add_text("guide.md", "one\ntwo\n")
    id = book.remember("There are two").memory.id
    source = {"memory_id": id, "evidence_type": "DOCUMENT", "external_ref": "guide.md", "line_start": 2, "snippet": "2"}
    ask(book, "rlm_memory_attach_source", **source)
    book.documents.add_text("guide.md", "one\nthree\n")
    assert ask(book, "rlm_memory_verify", memory_id=id)["valid_evidence"] == 1


@requires("snipara.chunk.found", "snipara.chunk.missing")
def test_a_chunk_is_found_or_said_to_be_missing(serve: Serve, tmp_path: Path, project: Path) -> None:
    with past(tmp_path, project) as book:
        book.documents.add_text("guide.md", "# Guide\n\nThe harbour opens at nine.\n")
        (chunk,) = book.documents.chunks("guide.md")
    client = serve("snipara")
    found = client.call("rlm_get_chunk", chunk_id=chunk.id)
    assert found.keys() == {"chunk_id", "title", "content", "file", "lines", "token_count", "found", "message"}
    assert (found["chunk_id"], found["file"], found["found"]) == (chunk.id, "guide.md", True)
    assert "opens at nine" in found["content"]
    assert found["lines"] == [chunk.line_start, chunk.line_end]
    assert found["token_count"] == max(1, len(found["content"]) // 4)
    missing = client.call("rlm_get_chunk", chunk_id="chunk_456")
    message = missing.pop("message")
    assert message.startswith("Chunk not found or expired.")
    assert missing == {
        "chunk_id": "chunk_456",
        "title": "",
        "content": "",
        "file": "",
        "lines": [0, 0],
        "token_count": 0,
        "found": False,
    }
    for arguments in ({}, {"chunk_id": ""}):
        empty = client.call("rlm_get_chunk", **arguments)
        assert (empty["found"], empty["message"]) == (False, "chunk_id is required")


@requires("snipara.verify.example", "snipara.verify.none", "snipara.verify.spelling")
def test_verification_counts_what_holds(snipara: Client) -> None:
    id = stored(snipara, "Deploys are on Monday")
    bare = snipara.call("rlm_memory_verify", memory_id=id, mark_stale_if_missing=True)
    assert bare.keys() == VERIFY_KEYS | {"message"}
    assert (bare["verified"], bare["total_evidence"], bare["evidence_score"], bare["status"]) == (
        True,
        0,
        0.0,
        "ACTIVE",
    )
    for reference in ("https://harbour.example/1", "https://harbour.example/2"):
        snipara.call("rlm_memory_attach_source", memory_id=id, evidence_type="EXTERNAL_URL", external_ref=reference)
    answer = snipara.call("rlm_memory_verify", memory_id=id.replace("mem_", "mem_v2_"))
    answer.pop("message")
    assert answer == {
        "memory_id": id,
        "verified": True,
        "total_evidence": 2,
        "valid_evidence": 2,
        "invalid_evidence": 0,
        "evidence_score": 1.0,
        "status": "ACTIVE",
    }
    snipara.call("rlm_memory_attach_source", memory_id=id, evidence_type="CHUNK", chunk_id="chunk_456", weight=0.1)
    third = snipara.call("rlm_memory_verify", memory_id=id)
    assert (third["invalid_evidence"], third["evidence_score"], third["status"]) == (1, 0.6667, "ACTIVE")


@requires("snipara.verify.stale", "snipara.verify.restores")
def test_without_valid_evidence_it_is_stale_until_some_holds_again(snipara: Client) -> None:
    id = stored(snipara, "The harbour opens at nine", document_refs=["guide.md"])
    unmarked = snipara.call("rlm_memory_verify", memory_id=id, mark_stale_if_missing=False)
    assert (unmarked["verified"], unmarked["valid_evidence"], unmarked["status"]) == (True, 0, "ACTIVE")
    marked = snipara.call("rlm_memory_verify", memory_id=id)
    assert (marked["verified"], marked["evidence_score"], marked["status"]) == (True, 0.0, "STALE")
    assert texts(snipara, "when does the harbour open?") == set()
    (row,) = snipara.call("rlm_memories", status="STALE")["memories"]
    assert (row["id"], row["status"], row["freshness"]) == (id, "STALE", "stale")
    snipara.call("rlm_memory_attach_source", memory_id=id, evidence_type="COMMIT", external_ref="4f2a91c")
    again = snipara.call("rlm_memory_verify", memory_id=id)
    assert (again["valid_evidence"], again["evidence_score"], again["status"]) == (1, 0.5, "ACTIVE")
    assert texts(snipara, "when does the harbour open?") == {"The harbour opens at nine"}


# -- invalidate and supersede -----------------------------------------------------------------


@requires("snipara.invalidate.example", "snipara.invalidate.again", "snipara.invalidate.timestamp")
def test_what_is_invalidated_is_kept_with_time_and_reason(serve: Serve, tmp_path: Path, project: Path) -> None:
    client = serve("snipara")
    id = stored(client, "OAuth uses the legacy flow")
    reason = "Legacy OAuth flow replaced by PKCE-only flow"
    said = refused(client, "rlm_memory_invalidate", memory_id=id, invalidated_at="yesterday-ish", reason=reason)
    assert said == "invalidated_at must be an ISO timestamp"
    assert texts(client, "OAuth legacy flow") == {"OAuth uses the legacy flow"}
    answer = client.call("rlm_memory_invalidate", memory_id=id, invalidated_at="2026-04-10T14:30:00Z", reason=reason)
    assert (answer["memory_id"], answer["invalidated"], answer["reason"]) == (id, True, reason)
    assert answer["invalidated_at"].startswith("2026-04-10T14:30:00")
    assert texts(client, "OAuth legacy flow") == set()
    with past(tmp_path, project) as book:
        kept = book.get(id)
        assert (kept.text, kept.status_reason) == ("OAuth uses the legacy flow", reason)
        assert "memory.invalidated" in [event.type.value for event in book.history(id)]
    later = client.call("rlm_memory_invalidate", memory_id=id)
    assert later["invalidated_at"] > answer["invalidated_at"]
    assert later["reason"] == reason


@requires("snipara.supersede.example", "snipara.supersede.guards")
def test_what_is_superseded_keeps_its_reason_and_chains_have_no_circles(
    serve: Serve, tmp_path: Path, project: Path
) -> None:
    client = serve("snipara")
    old, new = stored(client, "Auth server is alpha"), stored(client, "Auth server is beta")
    reason = "Authorization server configuration changed"
    answer = client.call("rlm_memory_supersede", old_memory_id=old, new_memory_id=new, reason=reason)
    assert (answer["old_memory_id"], answer["new_memory_id"]) == (old, new)
    assert (answer["superseded"], answer["reason"]) == (True, reason)
    assert answer["superseded_at"].endswith("Z")
    assert texts(client, "auth server") == {"Auth server is beta"}
    (row,) = client.call("rlm_memories", status="SUPERSEDED")["memories"]
    assert row["id"] == old
    with past(tmp_path, project) as book:
        assert (book.get(old).status_reason, book.get(old).successor) == (reason, new)
        assert book.get(new).status.value == "active"
        (edge,) = book.relations(old)
    assert (edge.source, edge.target, edge.kind, edge.reason) == (new, old, RelationKind.SUPERSEDES, reason)
    assert "itself" in refused(client, "rlm_memory_supersede", old_memory_id=new, new_memory_id=new)
    assert "circle" in refused(client, "rlm_memory_supersede", old_memory_id=new, new_memory_id=old)
    third = stored(client, "Auth server is gamma")
    assert "superseded" in refused(client, "rlm_memory_supersede", old_memory_id=old, new_memory_id=third)
    for first, second in (("mem_gone", third), (third, "mem_gone")):
        assert client.refusal("rlm_memory_supersede", old_memory_id=first, new_memory_id=second) == {
            "error": "Memory 'mem_gone' not found in Memory V2",
            "memory_id": "mem_gone",
        }
    assert sorted(listed(client)) == ["Auth server is beta", "Auth server is gamma"]


@requires("snipara.lifecycle.audit", "snipara.lifecycle.related")
def test_time_reason_and_successor_are_read_back_through_the_same_tools(open_book: OpenBook, tmp_path: Path) -> None:
    book = open_book(door=SNIPARA.door, project_root=tmp_path)
    ids = [str(ask(book, "rlm_remember", text=f"Auth server is {name}")["id"]) for name in ("alpha", "beta", "gamma")]
    alpha, beta, gamma = ids
    other = str(ask(book, "rlm_remember", text="The login is slow", related_to=[beta])["id"])
    done = ask(book, "rlm_memory_supersede", old_memory_id=alpha, new_memory_id=beta, reason="It moved")
    at = "2026-01-01T00:00:00Z"
    gone = ask(book, "rlm_memory_invalidate", memory_id=gamma, invalidated_at=at, reason="It never was")
    listed = {row["id"]: row for row in ask(book, "rlm_memories", include_inactive=True)["memories"]}
    found = ask(book, "rlm_recall", query="auth server login", include_inactive=True, min_relevance=0.0)["memories"]
    recalled = {row["id"]: row for row in found}
    for rows in (listed, recalled):
        assert rows.keys() == {*ids, other}
        assert audit(rows[alpha]) == ("SUPERSEDED", "It moved", None, done["superseded_at"], beta)
        assert audit(rows[gamma]) == ("INVALIDATED", "It never was", gone["invalidated_at"], None, None)
        assert audit(rows[beta]) == ("ACTIVE", None, None, None, None)
        assert (rows[beta]["supersedes"], rows[beta]["related_to"]) == ([alpha], [])
        assert (rows[other]["supersedes"], rows[other]["related_to"]) == ([], [beta])
    assert gone["invalidated_at"].startswith("2026-01-01T00:00:00")
    for status, id in (("SUPERSEDED", alpha), ("INVALIDATED", gamma)):
        (row,) = ask(book, "rlm_memories", status=status)["memories"]
        assert (row["id"], audit(row)) == (id, audit(listed[id]))


@requires("snipara.lifecycle.related", "snipara.lifecycle.foreign")
def test_a_relation_to_what_somebody_may_not_see_is_not_shown(open_book: OpenBook, tmp_path: Path) -> None:
    ada, bob = (
        open_book(principal=Principal("org", name, ()), door=SNIPARA.door, project_root=tmp_path)
        for name in ("ada", "bob")
    )
    own = ask(ada, "rlm_remember", text="Ada's own word", scope="user")["id"]
    ask(ada, "rlm_remember", text="The harbour opens", related_to=[own])
    assert [row["related_to"] for row in ask(ada, "rlm_memories", scope="project")["memories"]] == [[own]]
    assert [row["related_to"] for row in ask(bob, "rlm_memories", scope="project")["memories"]] == [[]]


@requires("snipara.lifecycle.foreign", "snipara.lifecycle.not_found")
def test_a_foreign_id_answers_like_an_unknown_one(open_book: OpenBook, tmp_path: Path) -> None:
    ada, bob = (
        open_book(principal=Principal("org", name, ()), door=SNIPARA.door, project_root=tmp_path)
        for name in ("ada", "bob")
    )
    own = perform(SNIPARA, ada, "rlm_remember", {"text": "Ada's own word", "scope": "user"}).body["id"]
    mine = perform(SNIPARA, bob, "rlm_remember", {"text": "Bob's word"}).body["id"]
    extra = {"evidence_type": "PR", "external_ref": "1"}
    unknown = "mem_01ARZ3NDEKTSV4RRFFQ69G5FAV"
    for tool in BY_ID:
        said = [
            str(perform(SNIPARA, bob, tool, {"memory_id": id, **extra}).body).replace(str(id), "ID")
            for id in (own, unknown)
        ]
        assert said[0] == said[1] == "{'error': \"Memory 'ID' not found in Memory V2\", 'memory_id': 'ID'}"
    for old, new in ((own, mine), (mine, own)):
        assert perform(SNIPARA, bob, "rlm_memory_supersede", {"old_memory_id": old, "new_memory_id": new}).failed
    assert perform(SNIPARA, bob, "rlm_forget", {"memory_id": own}).body["deleted_count"] == 0
    related = perform(SNIPARA, bob, "rlm_remember", {"text": "Related", "related_to": [own]}).body
    assert related["skipped_related"] == [own]
    assert ada.get(str(own)).status.value == "active"
    assert [event.type.value for event in ada.history(str(own))] == ["memory.created"]
