"""decision: the log on the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Answer, Call

WHY = ("--context", "Jobs run twice", "--decision", "A set with a TTL", "--rationale", "It is there already")
TITLE = "Use Redis for background job deduplication"


@pytest.fixture
def decided(cli: Call) -> Call:
    cli("decision", "create", TITLE, "--area", "backend", "--impact", "HIGH", "--tag", "jobs", *WHY).ok()
    return cli


def ids(answer: Answer) -> list[str]:
    return [decision["id"] for decision in answer.ok().json["decisions"]]


def test_a_decision_is_created_and_shown(cli: Call) -> None:
    made = (
        cli(
            "decision",
            "create",
            TITLE,
            "--area",
            "backend",
            "--owner",
            "ada",
            "--alternative",
            "A table",
            "--alternative",
            "Nothing",
            "--revert-plan",
            "Drop it",
            "--decided-at",
            "2026-03-01",
            "--json",
            *WHY,
        )
        .ok()
        .json
    )
    assert (made["id"], made["owner"], made["scope"], made["impact"]) == ("DEC-001", "ada", "user:default", "medium")
    assert made["decided_at"].startswith(("2026-02-28", "2026-03-01"))
    shown = cli("decision", "show", "dec-1", "--json").ok().json
    assert shown == {**made, "chain": ["DEC-001"]}
    text = cli("decision", "show", "DEC-001").ok().out
    assert all(part in text for part in (TITLE, "Jobs run twice", "A table", "Nothing", "Drop it", "ada"))


def test_a_query_finds_words_that_stand_apart(decided: Call) -> None:
    assert ids(decided("decision", "query", "redis deduplication", "--json")) == ["DEC-001"]
    assert TITLE in decided("decision", "query", "redis deduplication").ok().out
    assert ids(decided("decision", "query", "redis kangaroo", "--json")) == ["DEC-001"]
    assert ids(decided("decision", "query", "kangaroo", "--json")) == []
    assert "no such decision" in decided("decision", "query", "kangaroo").ok().err


@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        (("--area", "backend"), True),
        (("--area", "style"), False),
        (("--impact", "high"), True),
        (("--impact", "low"), False),
        (("--status", "ACTIVE"), True),
        (("--status", "draft"), False),
        (("--tag", "jobs", "--tag", "x"), True),
        (("--tag", "x"), False),
        (("--offset", "1"), False),
    ],
)
def test_a_query_is_narrowed(decided: Call, narrowed: tuple[str, ...], found: bool) -> None:
    assert ids(decided("decision", "query", *narrowed, "--json")) == (["DEC-001"] if found else [])


def test_a_decision_gives_way_and_is_taken_back(decided: Call) -> None:
    new = decided("decision", "supersede", "DEC-001", "Use a table", *WHY, "--json").ok().json
    assert (new["id"], new["supersedes"], new["area"]) == ("DEC-002", "DEC-001", "backend")
    refused = decided("decision", "supersede", "DEC-001", "Again", *WHY)
    assert refused.code == 1
    assert "DEC-002 stands in its place" in refused.err
    assert ids(decided("decision", "query", "--json")) == ["DEC-002"]
    assert ids(decided("decision", "query", "--include-superseded", "--json")) == ["DEC-002", "DEC-001"]
    assert "* DEC-001 superseded" in decided("decision", "show", "DEC-001").ok().out
    answer = decided("decision", "revert", "DEC-002", "--reason", "too slow").ok().out
    assert answer == "reverted DEC-002: Use a table; DEC-001 stands again\n"
    assert ids(decided("decision", "list", "--json")) == ["DEC-002", "DEC-001"]
    assert "  DEC-001 active" in decided("decision", "show", "DEC-002").ok().out
    assert decided("decision", "revert", "DEC-001", "--reason", "no use", "--json").ok().json["standing"] is None


def test_an_export_twice_is_the_same_bytes(decided: Call, project: Path) -> None:
    decided("decision", "supersede", "DEC-001", "Use a table", *WHY).ok()

    def exported() -> dict[str, bytes]:
        decided("decision", "export", "docs/decisions").ok()
        return {file.name: file.read_bytes() for file in (project / "docs" / "decisions").iterdir()}

    first = exported()
    assert sorted(first) == [
        "DEC-001-use-redis-for-background-job-deduplication.md",
        "DEC-002-use-a-table.md",
        "index.md",
    ]
    assert exported() == first


def test_a_decision_of_a_project_is_its_own(decided: Call) -> None:
    decided("decision", "create", "Tabs", "--area", "style", "--scope", "project:auto", *WHY).ok()
    refused = decided("decision", "show", "DEC-001")
    assert (refused.code, "name the scope" in refused.err) == (1, True)
    assert "Tabs" in decided("decision", "show", "DEC-001", "--scope", "project:auto").ok().out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("create", "t", *WHY), 2),
        (("create", "t", "--area", "a", "--impact", "huge", *WHY), 1),
        (("revert", "DEC-001"), 2),
        (("show", "DEC-009"), 1),
        (("query", "x", "--limit", "0"), 1),
        ((), 2),
        (("create", " ", "--area", "a", *WHY), 1),
    ],
)
def test_what_makes_no_sense_is_refused(decided: Call, words: tuple[str, ...], code: int) -> None:
    assert decided("decision", *words).code == code
    assert ids(decided("decision", "list", "--json")) == ["DEC-001"]


def test_what_a_decision_says_cannot_steer_a_terminal(cli: Call) -> None:
    hostile = ("--context", "x \x1b[31m red", "--decision", "d", "--rationale", "r")
    cli("decision", "create", "Title", "--area", "a", *hostile).ok()
    assert "\x1b" not in cli("decision", "show", "1").ok().out
