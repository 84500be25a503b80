"""status, tags and topics, kinds that are guessed, long texts on a terminal, and one shape for lists."""

import os
import sys
from pathlib import Path

import pytest

from commonplace.text.kinds import guessed_kind
from tests.cli.conftest import Call
from tests.cli.terminal import RealTerminal


def test_status_says_that_there_is_no_book_and_makes_none(cli: Call, tmp_path: Path) -> None:
    place = tmp_path / "nowhere" / "book.db"
    assert f"none yet at {place}" in cli("status", "--store", str(place)).ok().out
    assert cli("status", "--store", str(place), "--json").ok().json["book"]["exists"] is False
    assert not place.parent.exists()


def test_status_tells_of_the_book_the_model_and_what_waits(
    cli: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('[mcp_servers.commonplace]\ncommand = "commonplace"\n')
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "hooks.json").write_text('{"command": "/usr/bin/commonplace hook cursor"}')
    cli("remember", "Tea is at four", "Lunch is at noon", "The staging server is called heron").ok()
    cli("remember", "A thing of the project", "--scope", "project:auto").ok()
    document = cli("status", "--json").ok().json
    assert document["book"]["memories"] == 4
    assert document["book"]["scopes"][0] == {"scope": "user:default", "memories": 3}
    assert document["project"] == {"root": str(project), "is_project": False}
    assert f"none: {project} is in no repository" in cli("status").ok().out
    assert (document["hosts"], document["hooks"]) == (["codex", "cursor"], ["cursor"])
    assert document["model"] == {"name": "none", "installed": False, "without_vector": 0}
    assert (document["waiting"], document["wrong"]) == (0, [])
    shown = cli("status").ok().out
    assert "4 memories" in shown
    assert "codex, cursor" in shown


ODD_NAMES = [b"\xff\xfe", b"two\nlines", b"\x1b[31mred", "\u202eevil".encode(), b"--store", b"$(id)", b"x" * 200]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of folders are text")
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_folder_is_worked_in_whatever_it_is_called(
    spawn: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: bytes
) -> None:
    folder = os.fsencode(tmp_path) + b"/" + name
    os.makedirs(folder + b"/.git/refs")
    os.mkdir(folder + b"/.git/objects")
    Path(os.fsdecode(folder), ".git", "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(os.fsdecode(folder))
    spawn("remember", "The staging server is heron").ok()
    assert "heron" in spawn("recall", "staging server").ok().out
    assert spawn("list", "--about", ".", "--json").ok().json["total"] == 1
    assert len(spawn("projects").ok().out.splitlines()) == 2
    shown = spawn("status").ok().out.splitlines()
    assert [line.split()[0] for line in shown[:3]] == ["book", "project", "hosts"], shown
    spawn("setup", "codex", "--dry-run").ok()


def test_tags_and_topics_are_counted(known: Call) -> None:
    known("remember", "Tea is at four", "--tag", "database", "--tag", "tea").ok()
    document = known("tags", "--json").ok().json
    assert document["tags"] == [{"tag": "database", "memories": 2}, {"tag": "tea", "memories": 1}]
    assert document["total"] == 2
    assert known("tags", "te").ok().out.split() == ["memories", "tag", "1", "tea"]
    known("remember", "Deploys are on Friday", "--topic", "deploy day").ok()
    (topic,) = known("topics", "--json").ok().json["topics"]
    assert topic == {"topic": "deploy-day", "memories": 1, "newest": 5, "text": "Deploys are on Friday"}
    assert "deploy-day" in known("topics", "dep").ok().out
    assert "no such topics" in known("topics", "x").ok().err


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I prefer tabs", "preference"),
        ("My favourite editor is vim.", "preference"),
        ("Ich mag Tabs lieber", "preference"),
        ("Never push to main", "instruction"),
        ("Don’t use emojis in commits", "instruction"),
        ("We decided to use PostgreSQL", "decision"),
        ("TODO: rotate the keys", "task"),
        ("Turns out the cache was stale", "learning"),
        ("Deploys are on Monday", None),
        ("The rule is never broken", None),
        ("Do I prefer tabs?", None),
        ("I prefer " + "long texts " * 50, None),
        ("", None),
    ],
)
def test_a_kind_is_guessed_only_where_the_words_leave_no_doubt(text: str, kind: str | None) -> None:
    assert guessed_kind(text) == kind


def test_a_guessed_kind_is_said_and_a_named_one_is_taken(cli: Call) -> None:
    assert "kept as a preference ('commonplace update 1 --kind fact'" in cli("remember", "I prefer tabs").ok().out
    assert "kept as" not in cli("remember", "I prefer spaces", "--kind", "fact").ok().out
    assert "kept as an instruction" in cli("remember", "Never push to main").ok().out
    assert [each["text"] for each in cli("list", "--kind", "preference", "--json").ok().json["memories"]] == [
        "I prefer tabs"
    ]


def test_a_long_text_ends_early_on_a_terminal_and_not_in_a_pipe(cli: Call) -> None:
    cli("remember", "The harbour " + "is long and " * 2_000).ok()
    for words in (("list",), ("recall", "harbour")):
        assert len(cli(*words).ok().out) > 20_000
        terminal = RealTerminal(words)
        assert terminal.leave() == 0
        assert len(terminal.shown) < 2_000
        full = RealTerminal([*words, "--full"])
        assert full.leave() == 0
        assert len(full.shown) > 20_000


def test_the_small_print_of_a_hit_breaks_between_words(cli: Call) -> None:
    cli("remember", "The harbour closes at noon", "--tag", "one", "--tag", "two", "--category", "opening").ok()
    terminal = RealTerminal(["recall", "harbour"], columns=50)
    assert terminal.leave() == 0
    lines = terminal.shown.split("\n")
    assert max(map(len, lines)) <= 50
    assert "opening" in " ".join(lines).split()


def test_many_texts_are_told_in_sum(cli: Call, project: Path) -> None:
    lines = [f"The service {number} belongs to team {number}" for number in range(100)]
    (project / "notes.txt").write_text("\n".join([*lines, "I prefer tabs"]))
    answer = cli("remember", "--file", "notes.txt", "--near", "ignore").ok()
    assert answer.out.count("remembered as") == 0
    assert "101 texts: 101 created." in answer.out
    assert "Kept as preference 1; the rest as facts." in answer.out


def test_every_list_has_one_shape(known: Call) -> None:
    lists = {
        ("list",): "memories",
        ("tags",): "tags",
        ("topics",): "topics",
        ("review",): "waiting",
        ("history", "1"): "events",
        ("docs", "list"): "documents",
        ("session", "list"): "sessions",
        ("evidence", "list", "1"): "evidence",
        ("team", "list"): "teams",
        ("token", "list"): "tokens",
        ("decision", "list"): "decisions",
        ("corrections", "list"): "corrections",
        ("dream", "history"): "runs",
        ("dream", "insights"): "insights",
        ("undo", "--list"): "operations",
        ("projects",): "projects",
        ("models", "list"): "models",
        ("config", "show"): "settings",
        ("decision", "query", "jobs"): "decisions",
        ("session", "search", "deploys"): "sessions",
        ("docs", "search", "deploys"): "passages",
        ("team", "show", "core"): "members",
        ("injected",): "sessions",
    }
    known("team", "create", "core").ok()
    for words, name in lists.items():
        document = known(*words, "--json").ok().json
        assert isinstance(document[name], list), words
        assert document["total"] == len(document[name]), words
        assert document["next_cursor"] is None, words
