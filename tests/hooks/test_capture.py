"""What hooks keep and learn: from the host's own transcript, at once by words, once, and never what they brought."""

import json
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.domain.memory import Memory, Origin
from commonplace.domain.query import Filter
from commonplace.engine.caller import Door
from commonplace.hooks.capture import catch_up
from commonplace.hooks.transcripts import source_of
from commonplace.sessions.entries import TURNS
from commonplace.sessions.transcripts import read_text
from tests.hooks.calling import Person, context_of, transcript
from tests.hooks.test_bringing import config, remember
from tests.waiting import kill_after

WISH = ("user", "Please remember: deploys are on Thursday")
RULE = ("user", "Always use pnpm, never npm.")
YES = ("assistant", "Noted.")


def memories(person: Person) -> tuple[Memory, ...]:
    if not person.book.exists():
        return ()
    with Book.open(person.book, model="none") as book:
        return book.list(Filter(()), limit=500).memories


def turns_in(person: Person) -> int:
    if not person.book.exists():
        return 0
    connection = apsw.Connection(str(person.book))
    return int(str(connection.execute("SELECT count(*) FROM entries WHERE shelf = ?", (TURNS,)).get))


def caught_up(person: Person, asked: bool = False) -> int:
    with Book.open(person.book, model="none") as book:
        done = list(catch_up(book, person.state, person.state.waiting(str(person.book)), asked=asked))
    return len(done)


def test_a_stop_keeps_the_turns_and_the_next_start_has_learnt(person: Person) -> None:
    path = person.says(WISH, YES)
    assert person.stop(path) == ""
    assert turns_in(person) == 2
    assert memories(person) == ()
    told = person.call(person.event("SessionStart", "s2"))
    assert "deploys are on Thursday" in context_of(told)
    assert "heard from the user" in context_of(told)
    assert "learnt 1 thing" in json.loads(told)["systemMessage"]
    (memory,) = memories(person)
    assert memory.origin is Origin.HEARD
    assert not memory.waits
    assert person.state.waiting(str(person.book)) == ()


def test_what_was_not_asked_to_be_kept_waits_and_is_not_brought(person: Person) -> None:
    turns = (WISH, YES, ("user", "We decided to host the shop in Frankfurt because of latency."), YES)
    person.stop(person.says(*turns))
    brought = person.start("s2")
    waiting = [memory for memory in memories(person) if memory.waits]
    assert [memory.origin for memory in waiting] == [Origin.INFERRED]
    assert "Frankfurt" in waiting[0].text
    assert waiting[0].text not in brought


def test_heard_gives_way_to_what_was_typed(person: Person) -> None:
    remember(person, "Deploys are on Monday")
    person.stop(person.says(("user", "No, deploys are on Thursday, not on Monday."), YES))
    person.start("s2")
    typed = next(memory for memory in memories(person) if memory.text == "Deploys are on Monday")
    assert typed.status == "active"


def test_growing_again_and_again_teaches_each_thing_once(person: Person) -> None:
    said = [WISH, YES, RULE, YES, ("user", "Remember that the shop is in Lisbon"), YES]
    for end in range(1, len(said) + 1):
        person.stop(person.says(*said[:end]))
        person.stop(person.says(*said[:end]), name="SessionEnd")
        person.start(f"other {end}")
    texts = [memory.text for memory in memories(person)]
    assert sorted(texts) == sorted(set(texts))
    assert len(texts) == 3
    assert turns_in(person) == len(said)


def test_what_taught_nothing_is_not_kept(person: Person) -> None:
    person.stop(person.says(("user", "hello"), ("assistant", "Hello!")))
    assert turns_in(person) == 2
    person.start("s2")
    assert turns_in(person) == 0


def test_turns_that_were_taken_back_go(person: Person) -> None:
    person.stop(person.says(WISH, YES, RULE, YES))
    person.stop(person.says(WISH, YES))
    person.start("s2")
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]
    assert turns_in(person) == 2


@pytest.mark.parametrize("name", ["Stop", "PreCompact", "SessionEnd"])
def test_every_end_is_heard_and_answered_with_nothing(person: Person, name: str) -> None:
    assert person.stop(person.says(WISH), name=name) == ""
    assert turns_in(person) == 1


# -- what is never heard ----------------------------------------------------------------------


def test_a_transcript_elsewhere_is_not_read(person: Person, tmp_path: Path) -> None:
    inside = person.says(WISH, YES)
    elsewhere = person.project / "session.jsonl"
    elsewhere.write_bytes(inside.read_bytes())
    linked = inside.with_name("linked.jsonl")
    linked.symlink_to(elsewhere)
    up = inside.parent / ".." / ".." / ".." / ".." / "project" / "session.jsonl"
    for path in (elsewhere, linked, up, Path("/etc/passwd"), inside.parent, tmp_path / "none.jsonl"):
        person.stop(path)
    assert turns_in(person) == 0
    assert person.state.waiting(str(person.book)) == ()


def test_a_project_cannot_name_its_own_folder_as_the_hosts(person: Person) -> None:
    planted = person.project / "projects" / "p" / "s.jsonl"
    planted.parent.mkdir(parents=True)
    planted.write_text(transcript("s1", person.project, (WISH,)), encoding="utf-8")
    named = {"HOME": str(person.home), "CLAUDE_CONFIG_DIR": str(person.project)}
    assert source_of("claude-code", str(planted), "s1", person.project, named) is None
    outside = {**named, "CLAUDE_CONFIG_DIR": str(person.home / "claude")}
    own = person.home / "claude" / "projects" / "p" / "s.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text(planted.read_text(encoding="utf-8"), encoding="utf-8")
    assert source_of("claude-code", str(own), "s1", person.project, outside) is not None


def test_fifty_sessions_of_what_was_brought_teach_nothing(person: Person) -> None:
    remember(person, "Always deploy on Thursdays, never on Fridays", kind="instruction")
    remember(person, "Please remember that I prefer tea over coffee", kind="preference")
    remember(person, "The staging database listens on port 6543, use that port from now on")
    known = {memory.id for memory in memories(person)}
    wrappings = (
        "{}",
        "<hook_context>{}</hook_context>",
        "SessionStart hook additional context: {}",
        "UserPromptSubmit hook additional context: {}",
        "<system-reminder>\nSessionStart hook additional context: {}\n</system-reminder>",
        "SessionStart hook success: {}",
    )
    for number in range(50):
        session = f"session {number}"
        block = person.start(session) if number % 2 else person.prompt("Which port has the staging database?", session)
        assert block
        shown = wrappings[number % len(wrappings)].format(block)
        said = (("user", f"{shown}\n\nGo on with the work, please."), ("assistant", f"I was told: {block}"))
        person.stop(person.says(*said, session=session), session)
    person.start("the last")
    caught_up(person)
    assert {memory.id for memory in memories(person)} == known


# -- the person is in charge ------------------------------------------------------------------


def test_capture_off_keeps_and_notes_nothing(person: Person) -> None:
    config(person, 'capture = "off"')
    person.stop(person.says(WISH, YES))
    assert turns_in(person) == 0
    assert not (person.state.folder / "waiting").exists()


def test_capture_ask_keeps_nothing_before_a_word(person: Person) -> None:
    config(person, 'capture = "ask"')
    person.stop(person.says(WISH, YES))
    person.start("s2")
    assert (turns_in(person), memories(person)) == (0, ())
    assert caught_up(person) == 0
    assert len(person.state.waiting(str(person.book))) == 1
    assert caught_up(person, asked=True) == 1
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]


def test_a_project_may_ask_for_less_and_not_for_more(person: Person) -> None:
    folder = person.project / ".commonplace"
    folder.mkdir()
    (folder / "config.toml").write_text('capture = "off"', encoding="utf-8")
    person.stop(person.says(WISH, YES))
    assert turns_in(person) == 0
    (folder / "config.toml").write_text('capture = "on"', encoding="utf-8")
    config(person, 'capture = "off"')
    person.stop(person.says(WISH, YES))
    assert turns_in(person) == 0


def test_private_words_are_not_kept(person: Person) -> None:
    config(person, 'private_patterns = "project nightingale"')
    person.stop(person.says(WISH, ("user", "Remember that Project Nightingale starts on Monday"), YES))
    person.start("s2")
    assert b"ightingale" not in person.book.read_bytes()
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]


def test_a_secret_is_not_kept(person: Person) -> None:
    key = "AKIA" + "Q3EGRZ7LD5TWXVBN"
    person.stop(person.says(WISH, ("user", f"Remember that our key is {key}"), YES))
    person.start("s2")
    assert key.encode() not in person.book.read_bytes()


# -- faults -----------------------------------------------------------------------------------


def test_a_stop_that_finds_the_book_locked_loses_nothing(person: Person) -> None:
    remember(person, "A book is there")
    connection = apsw.Connection(str(person.book))
    connection.execute("BEGIN IMMEDIATE")
    person.stop(person.says(WISH, YES))
    assert [trouble.moment for trouble in person.state.troubles()] == ["stop"]
    connection.execute("ROLLBACK")
    connection.close()
    assert "Thursday" in person.start("s2")


def test_a_killed_hook_loses_nothing_and_repeats_nothing(person: Person) -> None:
    path = person.says(*((WISH, YES, RULE, YES) * 1), *(("user", f"Line {number} of talk") for number in range(200)))
    given = json.dumps(person.event("Stop", transcript_path=str(path))).encode()
    command = [sys.executable, "-m", "commonplace", "hook", "claude-code", "--store", str(person.book)]
    for step in range(12):
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=person.environment, cwd=person.project
        )
        assert process.stdin is not None
        process.stdin.write(given)
        process.stdin.close()
        kill_after(process.pid, step * 0.08)
        process.wait()
    person.stop(path)
    person.start("s2")
    caught_up(person)
    assert sorted(memory.text for memory in memories(person)) == [
        "Always use pnpm, never npm.",
        "deploys are on Thursday",
    ]
    assert turns_in(person) == 204


def test_a_long_transcript_is_left_to_whoever_has_time(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonplace.hooks.transcripts.BYTES_AT_A_STOP", 10)
    person.stop(person.says(WISH, YES))
    person.start("s2")
    assert turns_in(person) == 0
    assert caught_up(person) == 1
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]


def test_another_book_is_not_taught(person: Person, tmp_path: Path) -> None:
    person.stop(person.says(WISH, YES))
    assert person.state.waiting(str(tmp_path / "other.db")) == ()
    assert len(person.state.waiting(str(person.book))) == 1


def test_only_the_hooks_own_door_hears(person: Person) -> None:
    person.says(WISH, YES)
    with Book.open(person.book, model="none", door=Door("mcp", Origin.AGENT, "mcp")) as book:
        said = "User: Please remember: deploys are on Thursday\nAssistant: Noted."
        saved = book.sessions.save(read_text(said), book.principal.own_scope)
    assert [result.memory.origin for result in saved.learnt] == [Origin.INFERRED]


# -- other hosts ------------------------------------------------------------------------------


def test_opencodes_database_is_read_for_one_session(person: Person) -> None:
    place = person.home / ".local" / "share" / "opencode" / "opencode.db"
    place.parent.mkdir(parents=True)
    connection = apsw.Connection(str(place))
    connection.execute(
        "CREATE TABLE session (id, parent_id, directory, title, time_created);"
        "CREATE TABLE message (id, session_id, time_created, data); CREATE TABLE part (id, message_id, data)"
    )
    for session, text in (("ses_1", "Please remember: deploys are on Thursday"), ("ses_2", RULE[1])):
        connection.execute("INSERT INTO session VALUES (?, NULL, ?, 't', 1)", (session, str(person.project)))
        connection.execute("INSERT INTO message VALUES (?, ?, 1, ?)", (f"m{session}", session, '{"role": "user"}'))
        part = json.dumps({"type": "text", "text": text})
        connection.execute("INSERT INTO part VALUES (?, ?, ?)", (f"p{session}", f"m{session}", part))
    connection.close()
    person.call(person.event("Stop", "ses_1"), "opencode")
    person.start("s2")
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]


def test_the_folder_tells_whose_transcript_it_is(person: Person) -> None:
    """A plugin that two hosts install names one of them."""
    place = person.home / ".codex" / "sessions" / "2026" / "rollout-1.jsonl"
    place.parent.mkdir(parents=True)
    payload = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": WISH[1]}]}
    meta = {"timestamp": "2026-11-16T04:14:28Z", "type": "session_meta", "payload": {"id": "s1", "cwd": "/x"}}
    line = {"timestamp": "2026-11-16T04:14:28Z", "type": "response_item", "payload": payload}
    place.write_text(f"{json.dumps(meta)}\n{json.dumps(line)}\n", encoding="utf-8")
    person.stop(place, host="claude-code")
    person.start("s2")
    assert [memory.text for memory in memories(person)] == ["deploys are on Thursday"]


def test_what_a_user_puts_right_is_a_correction_of_what_was_known(person: Person) -> None:
    path = person.says(WISH, YES)
    person.stop(path)
    person.call(person.event("SessionStart", "s2"))
    (old,) = memories(person)
    path = person.says(("user", "No, that is wrong: deploys are on Monday, not on Thursday."), YES, session="s2")
    person.stop(path, session="s2")
    person.call(person.event("SessionStart", "s3"))
    with Book.open(person.book, model="none") as book:
        (logged,) = book.corrections.list()
        (new,) = logged.results
        assert "Monday" in logged.content
        assert (logged.corrects, logged.origin) == ((old.id,), Origin.HEARD)
        assert book.get(old).successor == new
        assert "that is wrong" not in logged.content, "the quotation is the conversation's, and goes with it"
