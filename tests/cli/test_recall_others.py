"""recall and why beside memories: decisions, conversations and documents, each labelled."""

from pathlib import Path

import pytest

from tests.cli.conftest import Call

DECISION = (
    *("decision", "create", "Moor zeppelins at pier nine", "--area", "harbour"),
    *("--context", "They need height", "--decision", "Pier nine is theirs", "--rationale", "It is the tallest"),
)


@pytest.fixture
def beside(cli: Call, project: Path) -> Call:
    """A project with something of each."""
    (project / "runbook.md").write_text("# Bolts\n\nBlue bolts are ordered from the chandler.\n")
    (project / "talk.txt").write_text(
        "User: The crane squeaks since the storm.\n"
        "User: We decided to use PostgreSQL for the billing service because of row-level security.\n"
    )
    cli("remember", "The harbour opens at dawn").ok()
    cli(*DECISION).ok()
    cli("docs", "add", "runbook.md").ok()
    cli("session", "save", "talk.txt").ok()
    return cli


def test_they_stand_below_the_memories_with_what_they_are_and_how_to_open_them(beside: Call) -> None:
    beside("remember", "A zeppelin is filled with helium").ok()
    lines = beside("recall", "zeppelin").ok().out.splitlines()
    head = lines.index("Beside the memories:")
    assert "A zeppelin is filled with helium" in lines[0]
    assert lines[head + 1].split("  ", 1)[1] == "decision DEC-001  Moor zeppelins at pier nine"
    assert lines[head + 2].strip() == "Pier nine is theirs"
    assert "matched zeppelin" in lines[head + 3]
    command = lines[head + 3].rpartition("commonplace ")[2].split()
    assert "Pier nine is theirs" in beside(*command).ok().out


@pytest.mark.parametrize(
    ("query", "only", "said"),
    [("chandler bolts", "documents", "Blue bolts are ordered"), ("crane squeaks", "sessions", "since the storm")],
)
def test_each_can_be_opened_as_it_says(beside: Call, query: str, only: str, said: str) -> None:
    lines = beside("recall", query, "--only", only).ok().out.splitlines()
    assert "Beside" not in lines[0]
    assert f"  {only.removesuffix('s')} " in lines[0]
    command = lines[-1].rpartition("commonplace ")[2].split()
    assert said in beside(*command).ok().out


def test_as_json_they_are_a_list_of_their_own(beside: Call) -> None:
    document = beside("recall", "pier", "--json").ok().json
    (other,) = document["others"]
    assert document["hits"] == []
    assert set(other) == {
        *("kind", "id", "part", "scope", "at", "title", "excerpt", "relevance", "reason", "open_with"),
    }
    assert (other["kind"], other["id"], other["excerpt"]) == ("decision", "DEC-001", "Pier nine is theirs")
    assert beside("recall", "dawn", "--json").ok().json["others"] == []
    assert beside("why", "pier", "--json").ok().json["others"] == [other]


def test_nothing_found_is_said_only_if_there_is_nothing_at_all(beside: Call) -> None:
    assert "Nothing found" not in beside("recall", "pier").ok().err
    assert "Nothing found" in beside("recall", "pier", "--only", "memories").ok().err
    assert "Nothing found" in beside("recall", "penguin").ok().err


def test_what_cannot_be_asked_of_them_is_refused_with_a_sentence(beside: Call) -> None:
    answer = beside("recall", "pier", "--only", "decisions", "--tag", "harbour")
    assert answer.code == 1
    assert "name a scope or dates alone" in answer.err
    assert beside("recall", "pier", "--only", "nothing").code == 2
    assert beside("recall", "pier", "--automatic", "--json").ok().json["others"][0]["id"] == "DEC-001"


def test_why_tells_their_reasons(beside: Call) -> None:
    out = beside("why", "pier").ok().out
    assert "beside memories" in out
    assert "decision DEC-001" in out
    assert "and beside them decision DEC-001 (matched Pier)" in out


def test_a_text_that_steers_a_terminal_is_shown_and_not_obeyed(cli: Call) -> None:
    steering = "Moor \x1b[31mred\x1b[0m zeppelins"
    cli(*(steering if word == "Pier nine is theirs" else word for word in DECISION)).ok()
    assert "\\x1b[31mred" in cli("recall", "zeppelins").ok().out
    for command in ("recall", "why"):
        assert "\x1b" not in cli(command, "zeppelins").ok().out
