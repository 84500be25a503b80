"""docs and evidence: files on the shelf and what rests on them, from the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call

GUIDE = "# Guide\n\n## Deploys\n\nDeploys are on Monday.\n\n## Lunch\n\nLunch is at noon.\n"


@pytest.fixture
def guide(project: Path) -> Path:
    (project / ".git").mkdir()
    path = project / "docs" / "guide.md"
    path.parent.mkdir()
    path.write_text(GUIDE)
    return path


def chunk_of(cli: Call, words: str) -> str:
    id: str = cli("docs", "search", words, "--json").ok().json["passages"][0]["id"]
    return id


def test_a_folder_is_added_listed_shown_searched_and_removed(cli: Call, guide: Path) -> None:
    (guide.parent / "picture.png").write_bytes(b"\x89PNG\x00")
    answer = cli("docs", "add", "docs").ok()
    assert "1 added, 0 changed, 0 unchanged, 0 missing; 2 chunks read." in answer.out
    assert "skipped docs/picture.png: it is binary" in answer.err
    assert "present  2       docs/guide.md" in cli("docs", "list").ok().out
    assert "## Lunch Lunch is at noon." in cli("docs", "show", "docs/guide.md").ok().out
    found = cli("docs", "search", "deploys").ok().out
    assert "docs/guide.md:1-5  Guide › Deploys\n  # Guide" in found
    chunk = cli("docs", "show", chunk_of(cli, "lunch"), "--json").ok().json
    assert (chunk["content"], chunk["line_start"], chunk["line_end"]) == ("## Lunch\n\nLunch is at noon.", 7, 9)
    assert cli("docs", "remove", "docs").ok().out == "removed docs/guide.md\n"
    assert cli("docs", "list", "--json").ok().json["documents"] == []


def test_outside_of_any_project_they_are_your_own_and_found_from_elsewhere(
    cli: Call, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (project / "guide.md").write_text(GUIDE)
    added = cli("docs", "add", "guide.md", "--json").ok().json["added"]
    assert [(each["scope"], each["project"], each["place"]) for each in added] == [
        ("user:default", None, str(project.resolve() / "guide.md"))
    ]
    cli("remember", "Deploys are on Monday").ok()
    cli("evidence", "attach", "1", "document", "guide.md").ok()
    assert "1 of 1 piece of evidence hold" in cli("evidence", "verify", "1").ok().out
    monkeypatch.chdir(tmp_path)
    assert "guide.md" in cli("docs", "list").ok().out
    assert "0 added, 0 changed, 1 unchanged, 0 missing" in cli("docs", "refresh").ok().out


def test_patterns_choose_files(cli: Call, guide: Path) -> None:
    (guide.parent / "notes.txt").write_text("notes")
    added = cli("docs", "add", ".", "--pattern", "*.txt", "--json").ok().json["added"]
    assert [document["place"] for document in added] == ["docs/notes.txt"]


def test_a_file_that_cannot_be_read_as_text_is_a_failure_if_it_is_all_there_is(cli: Call, project: Path) -> None:
    (project / "x.bin").write_bytes(b"\x00")
    assert cli("docs", "add", "x.bin").code == 1
    assert cli("docs", "add", "nowhere.md").code == 1


@pytest.mark.usefixtures("guide")
def test_evidence_is_attached_listed_verified_and_taken_away(known: Call) -> None:
    known("docs", "add", "docs").ok()
    attached = known("evidence", "attach", "2", "chunk", chunk_of(known, "deploys"), "--json").ok().json
    assert (attached["known"], attached["type"], attached["weight"]) == (False, "chunk", 1.0)
    commit = ("evidence", "attach", "2", "commit", "4f2a91c", "--snippet", "on Mondays", "--lines", "3-5")
    assert known(*commit).ok().out.startswith("attached evd_")
    assert known(*commit, "--weight", "0.5").ok().out.startswith("brought up to date evd_")
    assert '4f2a91c:3-5 "on Mondays"' in known("evidence", "list", "2").ok().out
    assert "2 active, 2 of 2 pieces of evidence hold" in known("evidence", "verify", "2").ok().out
    assert known("evidence", "detach", attached["id"]).ok().out.startswith("detached evd_")
    assert [each["type"] for each in known("evidence", "list", "2", "--json").ok().json["evidence"]] == ["commit"]


def test_a_memory_goes_stale_with_its_document_and_comes_back(
    known: Call, guide: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known("docs", "add", "docs").ok()
    with monkeypatch.context() as inside:
        inside.chdir(guide.parent)
        named = known("evidence", "attach", "2", "document", "guide.md", "--project", "..", "--json").ok().json
    assert named["reference"] == "docs/guide.md"
    guide.unlink()
    assert "stale 2: Deploys are on Monday" in known("docs", "refresh").ok().out
    assert known("evidence", "verify", "2").code == 1
    assert known("recall", "deploys", "--json").json["hits"] == []
    assert "Deploys are on Monday" in known("list", "--status", "stale").ok().out
    guide.write_text(GUIDE)
    assert known("docs", "refresh", "--json").ok().json["verified"][0]["status"] == "active"


def test_what_does_not_hold_is_named_with_the_reason(known: Call, guide: Path) -> None:
    known("docs", "add", "docs").ok()
    named = known("evidence", "attach", "2", "document", "docs/guide.md", "--lines", "5", "--json").ok().json
    known("evidence", "attach", "2", "commit", "4f2a91c").ok()
    guide.write_text(GUIDE.replace("noon", "one"))
    assert "2 of 2 pieces of evidence hold" in known("evidence", "verify", "2").ok().out
    guide.write_text(GUIDE.replace("Monday", "Friday"))
    answer = known("evidence", "verify", "2").ok().out
    assert "1 of 2 pieces of evidence hold" in answer
    assert f"\n  {named['id'][:10]} docs/guide.md:5-5: what line 5 said has changed\n" in answer
    assert known("evidence", "verify", "2", "--json").ok().json["verified"][0]["failing"] == [
        {"id": named["id"], "type": "document", "source": "docs/guide.md", "line_start": 5, "line_end": 5}
        | {"problem": "what line 5 said has changed"}
    ]


def test_verifying_may_leave_the_status_alone(known: Call) -> None:
    known("evidence", "attach", "2", "document", "docs/nowhere.md").ok()
    answer = known("evidence", "verify", "2", "--keep-active", "--json")
    assert (answer.code, *(answer.json["verified"][0][name] for name in ("status", "score"))) == (1, "active", 0.0)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("docs", "show", "nowhere.md"), 1),
        (("docs", "show", "chunk_0000000000000000"), 1),
        (("docs", "remove", "nowhere"), 1),
        (("docs", "add", "x", "--scope", "user", "--scope", "team:a"), 2),
        (("evidence", "attach", "2", "rumour", "x"), 2),
        (("evidence", "attach", "2", "pr", "x", "--lines", "few"), 2),
        (("evidence", "attach", "99", "pr", "x"), 1),
        (("evidence", "verify", "99"), 1),
    ],
)
def test_what_makes_no_sense_ends_in_one_sentence(known: Call, words: tuple[str, ...], code: int) -> None:
    answer = known(*words)
    assert (answer.code, answer.err.count("\n"), answer.out) == (code, 1, "")
