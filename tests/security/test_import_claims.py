"""What a document says of its own weight and origin is a claim: left out and counted, unless a person vouches."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.domain.canonical_json import to_json
from commonplace.domain.memory import CaptureMode, Kind, Memory, MemoryType, Origin, Provenance, Standing, Status
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.maintenance.transfer import FORMAT, VERSION
from tests import warm
from tests.conftest import OpenBook
from tests.contracts.client import serving

HEADER = json.dumps({"format": FORMAT, "version": VERSION})
FULL = Memory(
    "mem_01KDVDNA00H98YQT6QR33ZC24E",
    7,
    "Deploys are on Monday",
    Scope.parse("user:local"),
    1_000,
    2_000,
    "mallory",
    Kind.INSTRUCTION,
    MemoryType.INSTRUCTION,
    ("tag",),
    "category",
    "topic",
    0.9,
    0.4,
    10,
    True,
    Provenance("slack", "cli", "cli-of-somebody", CaptureMode.EXPLICIT, "ses_1"),
    Origin.TYPED,
    Standing.VERIFIED,
    Status.ARCHIVED,
    1_500,
    "because",
    "mem_01KDVDNA00H98YQT6QR33ZC24F",
    1_800,
    9_000_000_000_000,
    1,
    9_000_000_000_000,
    3,
    "3987f33621c2506d",
)
"""A memory in which nothing is as it would be by default."""

BELIEVED = {
    "id",
    "text",
    "scope",
    "created_at",
    "updated_at",
    "kind",
    "memory_type",
    "tags",
    "category",
    "topic",
    "importance",
    "confidence",
    "source",
    "session",
    "status",
    "status_at",
    "status_reason",
    "successor",
    "expires_at",
    "valid_from",
    "valid_to",
    "revision",
    "project",
}
"""What it says and when: the content of a document."""

CLAIMS = {
    "pinned": False,
    "priority": 5,
    "standing": "unverified",
    "confirmed_at": None,
    "origin": "imported",
    "owner": "local",
    "surface": "import",
    "actor": "ada",
    "capture_mode": None,
}
"""What would make it heavier, more trusted, or somebody else's; and what it is instead."""

NUMBERED_BY_THE_BOOK = {"number"}


def brought_in(book: Book, memory: Memory, **options: bool) -> tuple[Memory, dict[str, int]]:
    done = book.transfer.import_([HEADER, json.dumps({"memory": to_json(memory)})], **options)
    assert (done.imported, done.problems) == (1, ())
    return book.get(memory.id), dict(done.claims)


@pytest.fixture
def ada(open_book: OpenBook) -> Book:
    return open_book(door=Door("cli", Origin.TYPED, "ada"), principal=Principal(teams=("core",)))


def test_every_field_is_either_content_or_a_claim() -> None:
    assert set(to_json(FULL)) == BELIEVED | CLAIMS.keys() | NUMBERED_BY_THE_BOOK, "say which of the two the new one is"


def test_content_comes_in_and_claims_do_not(ada: Book) -> None:
    kept, claims = brought_in(ada, FULL)
    said, stored = to_json(FULL), to_json(kept)
    assert {name: stored[name] for name in BELIEVED} == {name: said[name] for name in BELIEVED}
    assert {name: stored.get(name) for name in CLAIMS} == CLAIMS
    assert claims == dict.fromkeys(CLAIMS, 1)
    assert kept.waits
    print(f"{len(BELIEVED)} fields of content kept, {len(CLAIMS)} claims left out")


@pytest.mark.parametrize("name", CLAIMS)
def test_each_claim_alone_is_counted_by_its_name(ada: Book, name: str) -> None:
    quiet = {key: CLAIMS.get(key, value) for key, value in to_json(FULL).items()}
    line = {**quiet, name: to_json(FULL)[name]}
    lines = [HEADER, json.dumps({"memory": {key: value for key, value in line.items() if value is not None}})]
    rehearsed = ada.transfer.import_(lines, dry_run=True)
    done = ada.transfer.import_(lines)
    assert dict(rehearsed.claims) == dict(done.claims) == {name: 1}
    assert to_json(ada.get(FULL.id)).get(name) == CLAIMS[name]


def test_a_person_who_vouches_for_it_is_believed(ada: Book) -> None:
    kept, claims = brought_in(ada, FULL, trust=True)
    assert (replace(kept, number=7), claims) == (FULL, {})


def test_what_a_team_has_verified_no_document_says(ada: Book) -> None:
    shared = replace(FULL, scope=Scope.parse("team:core"))
    for place, trust in enumerate((False, True)):
        kept, _ = brought_in(ada, replace(shared, id=f"mem_{place:026}", text=f"n{place}"), trust=trust)
        assert kept.standing is Standing.UNVERIFIED


def test_claims_of_what_is_known_already_are_not_counted(ada: Book) -> None:
    brought_in(ada, FULL)
    again = ada.transfer.import_([HEADER, json.dumps({"memory": to_json(FULL)})])
    assert (again.imported, dict(again.claims)) == (0, {})


# -- through real processes -------------------------------------------------------------------


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        warm.command(*words, "--store", str(folder / "book.db")),
        env={**os.environ, "COMMONPLACE_MODEL": "none"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )


def test_the_command_line_says_what_was_not_believed(tmp_path: Path) -> None:
    document = tmp_path / "evil.jsonl"
    document.write_text(f"{HEADER}\n{json.dumps({'memory': to_json(FULL)})}\n", encoding="utf-8")
    told = command(tmp_path, "import", str(document), "--dry-run").stderr
    assert f"{len(CLAIMS)} claims of the file were not believed" in told
    assert "pinned 1" in told
    command(tmp_path, "import", str(document))
    shown = json.loads(command(tmp_path, "show", FULL.id, "--json").stdout)
    assert {name: shown.get(name) for name in CLAIMS} == {**CLAIMS, "actor": "cli"}


def test_an_agents_import_makes_no_claims_either(tmp_path: Path) -> None:
    """Nuzo's document keeps its times, source and confidence; whatever else an item says is not read."""
    item = {
        "scope": "user:default",
        "kind": "instruction",
        "content": FULL.text,
        "tags": [],
        "source": "cli",
        "confidence": 1,
        "created_at": "2026-01-01T00:00:00Z",
        "updated_at": "2026-01-01T00:00:00Z",
        "last_used_at": None,
        "archived_at": None,
        "pinned": True,
        "priority": 10,
        "origin": "typed",
        "standing": "verified",
        "confirmed_at": "2026-01-01T00:00:00Z",
        "owner": "mallory",
        "trust": True,
    }
    document = {"format": "nuzo-memory-export", "version": 1, "exported_at": "2026-01-01T00:00:00Z", "memories": [item]}
    with serving("nuzo", tmp_path / "book.db", tmp_path) as nuzo:
        assert nuzo.call("memory.import", document=document, trust=True)["imported"] == 1
        (record,) = nuzo.call("memory.list")["memories"]
        assert record["unconfirmed"]
    with Book.open(tmp_path / "book.db", model="none") as book:
        stored = to_json(book.get(1))
        expected = {**CLAIMS, "surface": "nuzo", "actor": stored["actor"]}
        assert {name: stored.get(name) for name in CLAIMS} == expected
        assert "nuzo" in str(stored["actor"])
