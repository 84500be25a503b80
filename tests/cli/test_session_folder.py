"""session save with files and folders: progress, refusals, being killed, and being asked again."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.store.sqlite import SqliteStore
from commonplace.workspace.project import scope_of
from tests.cli.conftest import Call
from tests.waiting import kill_after

SYLLABLES = ("ba", "do", "fu", "ge", "ki", "lo", "mu", "ne", "pi", "ra")
KILLS = 6
TALKS = 40


def word(number: int) -> str:
    return "".join(SYLLABLES[int(digit)] for digit in f"{number * 7919 % 10_000:04}")


def rule(number: int) -> str:
    """A standing rule, another one for each number."""
    first, second, third = word(number + 1), word(number + 1_001), word(number + 2_001)
    return f"Always compare the {first} with the {second} before the {third} opens."


def talk(number: int, folder: str = "/srv/nowhere") -> str:
    """A transcript as Claude Code writes it."""
    said = (("user", "hello"), ("assistant", "Hi!"), ("user", rule(number)), ("assistant", "Noted."))
    records = [
        {
            "type": role,
            "sessionId": f"talk-{number}",
            "uuid": f"{number}-{place}",
            "parentUuid": f"{number}-{place - 1}" if place else None,
            "cwd": folder,
            "timestamp": f"2026-01-02T10:00:{place:02}Z",
            "message": {"role": role, "content": text},
        }
        for place, (role, text) in enumerate(said)
    ]
    return "\n".join(map(json.dumps, records)) + "\n"


@pytest.fixture
def folder(project: Path) -> Path:
    """Transcripts in folders within a folder, and something that is none."""
    made = project / "talks"
    for number in range(TALKS):
        place = made / f"part-{number % 3}" / f"{number:03}.jsonl"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(talk(number))
    return made


def test_every_conversation_of_a_folder_is_saved_once(cli: Call, folder: Path) -> None:
    first = cli("session", "save", str(folder), "--json").ok().json
    assert len(first["conversations"]) == TALKS
    assert {each["learnt"] for each in first["conversations"]} == {1}
    assert first["refused"] == []
    again = cli("session", "save", "talks", "--json").ok().json
    assert all(each["unchanged"] for each in again["conversations"])
    assert len(cli("session", "list", "--limit", "200", "--json").ok().json["sessions"]) == TALKS
    assert len(cli("list", "--limit", "200", "--json").ok().json["memories"]) == TALKS
    told = cli("session", "save", "talks").ok()
    assert f"{TALKS} were saved before" in told.out


def test_a_conversation_that_has_grown_is_brought_up_to_date(cli: Call, folder: Path) -> None:
    cli("session", "save", "talks").ok()
    grown = folder / "part-0" / "000.jsonl"
    record = json.loads(talk(0).splitlines()[2])
    record["message"]["content"] = "Never deploy the billing service on a Friday afternoon."
    record |= {"uuid": "more", "parentUuid": "0-3"}
    grown.write_text(talk(0) + json.dumps(record) + "\n")
    again = cli("session", "save", "talks", "--json").ok().json["conversations"]
    assert sum(each["learnt"] for each in again) == 1
    assert sum(each["unchanged"] for each in again) == TALKS - 1
    assert len(cli("session", "list", "--limit", "200", "--json").ok().json["sessions"]) == TALKS


def test_a_file_that_is_refused_is_named_and_the_rest_goes_on(cli: Call, folder: Path) -> None:
    (folder / "part-1" / "strange.json").write_text('{"rows": [1, 2, 3]}')
    answer = cli("session", "save", "talks", "nowhere.jsonl", "--json")
    assert answer.code == 1
    assert len(answer.json["conversations"]) == TALKS
    assert [Path(each["path"]).name for each in answer.json["refused"]] == ["strange.json", "nowhere.jsonl"]
    assert "strange.json" in answer.err
    assert cli("session", "save", "talks").code == 1, "a refused file is named every time"


def test_a_dry_run_shows_what_would_be_learnt_and_keeps_nothing(cli: Call, folder: Path) -> None:
    shown = cli("session", "save", "talks", "--dry-run", "--json").ok().json["conversations"]
    assert [item["text"] for each in shown for item in each["would_learn"]] == [
        rule(number) for part in range(3) for number in range(part, TALKS, 3)
    ]
    one = cli("session", "save", str(folder / "part-0" / "000.jsonl"), "--dry-run").ok()
    assert rule(0) in one.out
    assert "turn 3" in one.out
    assert cli("list", "--json").code != 0 or cli("list", "--json").json["memories"] == []


def test_one_key_for_several_conversations_makes_no_sense(cli: Call, folder: Path) -> None:
    answer = cli("session", "save", str(folder), "--key", "4f2a")
    assert answer.code == 2
    assert "--key" in answer.err


def test_a_folder_without_transcripts_says_so(cli: Call, project: Path) -> None:
    (project / "empty").mkdir()
    assert "no transcripts" in cli("session", "save", "empty").ok().err


def test_a_project_on_this_machine_keeps_what_was_held_in_it(cli: Call, project: Path) -> None:
    pier = project / "pier"
    (pier / ".git").mkdir(parents=True)
    (project / "here.jsonl").write_text(talk(1, str(pier)))
    (project / "elsewhere.jsonl").write_text(talk(2, "/srv/nowhere"))
    (project / "named.jsonl").write_text(talk(3, str(pier)))
    saved = cli("session", "save", "here.jsonl", "--json").ok().json["session"]
    assert (saved["scope"], saved["project"], saved["project_id"]) == ("user:default", str(pier), scope_of(pier).id)
    assert (saved["surface"], saved["held_at"]) == ("claude-code", "2026-01-02T10:00:00.000Z")
    assert cli("session", "save", "elsewhere.jsonl", "--json").ok().json["session"]["scope"] == "user:default"
    named = cli("session", "save", "named.jsonl", "--scope", "user", "--json").ok().json["session"]
    assert named["scope"] == "user:default"


def test_what_was_learnt_is_shown_left_out_and_forgotten(cli: Call, folder: Path) -> None:
    saved = cli("session", "save", str(folder / "part-0" / "000.jsonl"), "--json").ok().json
    id = saved["session"]["id"]
    (learnt,) = cli("session", "show", id, "--json").ok().json["learnings"]
    assert (learnt["turn"], learnt["text"], learnt["quote"]) == (2, rule(0), rule(0))
    assert learnt["reason"]
    assert learnt["reason"] in cli("session", "show", id).ok().out
    assert "(waits for you)" in cli("session", "show", id).ok().out
    assert cli("session", "show", id, "--left-out", "--json").ok().json["left_out"] == []
    done = cli("session", "forget", id, "--json").ok().json
    assert [memory["text"] for memory in done["forgotten"]] == [rule(0)]
    assert cli("list", "--json").ok().json["memories"] == []
    assert "is back" in cli("undo").ok().out
    cli("confirm", str(saved["learnt"][0]["number"])).ok()
    kept = cli("session", "forget", id).ok()
    assert "add --all" in kept.err
    assert "forgot 1 thing" in cli("session", "forget", id, "--all").ok().out


def test_whoever_is_killed_goes_on_where_they_were(project: Path, folder: Path, tmp_path: Path) -> None:
    """Killed at random moments: nothing is there twice or by half, and the last run completes it."""
    chance = random.Random(7)
    command = [
        sys.executable,
        "-m",
        "commonplace",
        "--store",
        str(tmp_path / "book.db"),
        "session",
        "save",
        str(folder),
    ]
    environment = {**os.environ, "COMMONPLACE_MODEL": "none"}
    elsewhere = [str(tmp_path / "whole.db") if word.endswith("book.db") else word for word in command]
    started = time.monotonic()
    subprocess.run(elsewhere, cwd=project, env=environment, capture_output=True, check=True)
    whole_seconds = time.monotonic() - started
    killed = 0
    for _ in range(KILLS):
        process = subprocess.Popen(
            command, cwd=project, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        kill_after(process.pid, chance.uniform(0.2, 0.9) * whole_seconds)
        killed += process.wait() == -signal.SIGKILL
    done = subprocess.run(
        [*command, "--json"], cwd=project, env=environment, capture_output=True, text=True, check=True
    )
    assert killed
    assert len(json.loads(done.stdout)["conversations"]) == TALKS
    with Book.over(SqliteStore(tmp_path / "book.db")) as book:
        texts = sorted(memory.text for memory in book.each())
        assert texts == sorted(rule(number) for number in range(TALKS))
        sessions = book.sessions.list(book.scopes, limit=200)
        assert len(sessions) == TALKS
        assert all(len(book.sessions.turns(each.id)) == each.turns == 4 for each in sessions)
        assert book.sessions.raw(book.scopes) == 0


def test_lines_that_cannot_be_read_are_told(cli: Call, project: Path) -> None:
    first, *rest = talk(1).splitlines()
    (project / "talk.jsonl").write_text("\n".join([first, "{broken", *rest]))
    answer = cli("session", "save", "talk.jsonl", "--json").ok()
    assert answer.json["skipped"] == 1
    assert "1 line could not be read" in answer.err
    (project / "talk.jsonl").write_text(talk(2))
    whole = cli("session", "save", "talk.jsonl", "--json").ok()
    assert (whole.json["skipped"], "could not be read" in whole.err) == (0, False)
