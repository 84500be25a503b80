"""import, of what other tools wrote: it shows what would come in, asks, and can be taken back whole."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

FIXTURES = Path(__file__).parents[1] / "fixtures"
GIVEN = FIXTURES / "imports"
TALKS = FIXTURES / "transcripts"


def kept(call: Call) -> list[str]:
    return [
        each["memory"]["text"]
        for line in call("export").ok().out.splitlines()
        if "memory" in (each := json.loads(line))
    ]


def test_a_person_sees_what_would_come_in_and_is_asked(cli: Call) -> None:
    answer = cli("import", str(GIVEN / "AGENTS.md"), typed="y\n").ok()
    assert "Found: instructions (1 file)." in answer.out
    assert "New: 3 memories; 0 known already, 0 left out." in answer.out
    assert "instruction: Style: Prefer composition" in answer.out
    assert "Take 3 memories into user:default? [y/N]" in answer.err
    assert "imported 3 memories" in answer.out
    assert "'commonplace undo' takes all of it back." in answer.err
    assert len(kept(cli)) == 3


def test_whoever_says_no_gets_nothing(cli: Call) -> None:
    assert "Nothing was imported." in cli("import", str(GIVEN / "AGENTS.md"), typed="n\n").ok().err
    assert cli("list").code != 0


def test_without_a_terminal_yes_has_to_be_there(cli: Call) -> None:
    answer = cli("import", str(GIVEN / "AGENTS.md"))
    assert answer.code == 2
    assert "Add --yes to say so." in answer.err
    cli("import", str(GIVEN / "AGENTS.md"), "--yes").ok()
    assert len(kept(cli)) == 3


def test_a_dry_run_changes_nothing(cli: Call, tmp_path: Path) -> None:
    store = tmp_path / "other.db"
    answer = cli("import", str(GIVEN / "CLAUDE.md"), "--dry-run", "--store", str(store)).ok()
    assert "New: 8 memories; 0 known already, 2 left out." in answer.out
    assert "left out CLAUDE.md:5: it names another file" in answer.err
    assert not store.exists()


def test_twice_is_once_and_undo_takes_it_back(cli: Call) -> None:
    cli("import", str(GIVEN), "--yes").ok()
    before = kept(cli)
    again = cli("import", str(GIVEN), "--yes").ok()
    assert "New: nothing; " in again.out
    assert kept(cli) == before
    assert len(cli("decision", "list", "--json").ok().json["decisions"]) == 3
    assert "Undone: " in cli("undo").ok().out
    assert kept(cli) == []
    assert cli("decision", "list", "--json").ok().json["decisions"] == []


def test_json_tells_all_of_it(cli: Call) -> None:
    answer = cli("import", str(GIVEN / "server-memory.jsonl"), "--yes", "--json").ok().json
    assert answer == {
        "formats": {"server-memory": 1},
        "imported": 3,
        "decisions": 0,
        "conversations": 0,
        "learnt": 0,
        "known": 0,
        "left_out": [
            {
                "file": "server-memory.jsonl",
                "line": 2,
                "reason": "it is an entity without a name or without observations",
            }
        ],
        "memories": [
            {"text": "Mara_Lind: Speaks fluent Danish", "kind": "fact", "source": "server-memory.jsonl:1"},
            {"text": "Mara_Lind: Prefers meetings in the morning", "kind": "fact", "source": "server-memory.jsonl:1"},
            {"text": "Mara_Lind works at Harbour_Office", "kind": "fact", "source": "server-memory.jsonl:3"},
        ],
        "embedded": 0,
        "dry_run": False,
    }


@pytest.mark.parametrize("name", ["chatgpt.json", "claude-ai.json"])
def test_conversations_are_saved_once_and_one_undo_takes_them_and_all_else_back(cli: Call, name: str) -> None:
    words = ("import", str(TALKS / name), str(GIVEN / "AGENTS.md"), "--yes", "--json")
    first = cli(*words).ok().json
    assert first["conversations"] >= 1
    assert first["learnt"] >= 1
    assert first["imported"] == 3
    sessions = cli("session", "list", "--json").ok().json
    assert len(sessions["sessions"]) >= 1
    again = cli(*words).ok().json
    assert (again["imported"], again["learnt"], again["known"]) == (0, 0, 3)
    assert cli("session", "list", "--json").ok().json == sessions
    cli("undo").ok()
    assert kept(cli) == []
    assert cli("session", "list", "--json").ok().json == {"sessions": [], "total": 0, "next_cursor": None}
    assert cli(*words).ok().json["learnt"] == first["learnt"]


def test_it_goes_into_the_scope_that_is_named(cli: Call) -> None:
    cli("import", str(GIVEN / "adr"), "--scope", "project:auto", "--yes").ok()
    assert cli("decision", "list", "--scope", "user", "--json").ok().json["decisions"] == []
    assert len(cli("decision", "list", "--scope", "project:auto", "--json").ok().json["decisions"]) == 2


def test_what_you_vouch_for_does_not_wait(cli: Call) -> None:
    cli("import", str(GIVEN / "AGENTS.md"), "--yes", "--trust").ok()
    assert cli("show", "1", "--json").ok().json["origin"] == "confirmed"


def test_our_own_documents_and_others_are_two_things(known: Call, tmp_path: Path) -> None:
    known("export", "--path", str(tmp_path / "own.jsonl")).ok()
    answer = known("import", str(tmp_path / "own.jsonl"), str(GIVEN / "AGENTS.md"))
    assert answer.code == 2
    assert "one after the other" in answer.err


def test_a_format_that_is_none_is_one_sentence(cli: Call) -> None:
    answer = cli("import", str(GIVEN / "AGENTS.md"), "--format", "notion")
    assert answer.code == 1
    assert "format" in answer.err
