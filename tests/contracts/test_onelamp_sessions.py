"""The onelamp contract: sessions that one tool saves and another resumes."""

from pathlib import Path

import pytest

from tests.contracts.client import Client
from tests.contracts.conftest import Serve
from tests.contracts.onelamp_calls import DAY, TRANSCRIPT, ask, code, items, library, present, save, texts
from tests.contracts.requirements import requires

DECISION = "We decided to use PostgreSQL for the billing service because of row-level security."
RULE = "Always run make check before you push to main."
TASK = "I need to migrate the invoices table by Friday."
KEY = "AKIAIOSFODNN7EXAMPLQ"
PASSWORD = "hunter2-Xk99!pq"


@pytest.fixture
def lamp(serve: Serve) -> Client:
    return serve("onelamp")


@requires("onelamp.session.distils", "onelamp.session.returns", "onelamp.session.id", "onelamp.resume.one")
def test_a_transcript_becomes_typed_entries_and_a_session(lamp: Client) -> None:
    answer = lamp.call("save_session", transcript=TRANSCRIPT, source_surface="codex")
    assert set(answer) == {"saved", "deduped", "total", "session_id"}
    assert answer["deduped"] == 0
    assert answer["saved"] == answer["total"] >= 3
    assert answer["session_id"].startswith("ses_")
    session = lamp.call("resume_session", session_id=answer["session_id"])["session"]
    assert set(session) == {"session_id", "label", "summary", "source_surface", "ts", "learnings"}
    assert (session["session_id"], session["source_surface"]) == (answer["session_id"], "codex")
    assert "PostgreSQL" in session["label"]
    assert RULE in session["summary"]
    assert all(set(each) - {"unconfirmed"} == {"id", "text", "kind", "memory_type"} for each in session["learnings"])
    types = {each["text"]: (each["memory_type"], each["kind"]) for each in session["learnings"]}
    assert types[DECISION] == ("event", "decision"), "a decision is something that happened"
    assert types[RULE][0] == "instruction"
    assert types[TASK][0] == "task"
    assert not any("sounds good" in text for text in types)
    assert len(types) == answer["saved"]
    assert {item["id"] for item in items(lamp)} == {each["id"] for each in session["learnings"]}
    assert texts(lamp, "invoices table", memory_types=["task"]) == [TASK]


@requires("onelamp.session.again", "onelamp.session.id")
def test_the_same_transcript_again_is_all_known_and_no_session(lamp: Client) -> None:
    total = lamp.call("save_session", transcript=TRANSCRIPT)["total"]
    again = lamp.call("save_session", transcript=TRANSCRIPT)
    assert again == {"saved": 0, "deduped": total, "total": total}
    longer = lamp.call("save_session", transcript=f"{TRANSCRIPT}User: Never deploy on a Friday.\n")
    assert (longer["saved"], longer["deduped"], longer["total"]) == (1, total, total + 1)
    assert len(lamp.call("resume_session")["sessions"]) == 2


@requires("onelamp.session.chatter", "onelamp.session.blank", "onelamp.session.id")
def test_chatter_gives_zeros_and_nothing_at_all_is_an_error(lamp: Client) -> None:
    chatter = "User: hi there\nAssistant: Hello! How can I help?\nUser: thanks, bye\n"
    assert lamp.call("save_session", transcript=chatter) == {"saved": 0, "deduped": 0, "total": 0}
    assert lamp.call("resume_session") == {"sessions": []}
    for wrong in ({"transcript": " \n"}, {}, {"transcript": ["x"]}):
        error = lamp.refusal("save_session", **wrong)["error"]
        assert error["code"] == "invalid_params"
        assert "transcript" in error["message"]


@requires("onelamp.session.secrets")
def test_secrets_are_skipped_and_leave_no_byte(lamp: Client, tmp_path: Path) -> None:
    said = (
        f"{TRANSCRIPT}User: Remember that the key of the billing service is {KEY}. We always deploy from main.\n"
        f"User: My password is {PASSWORD}, never change it.\n"
    )
    assert "session_id" in lamp.call("save_session", transcript=said)
    files = b"".join(path.read_bytes() for path in tmp_path.glob("book.db*"))
    assert KEY.encode() not in files
    assert PASSWORD.encode() not in files
    assert b"row-level security" in files


@requires("onelamp.session.tasks")
def test_a_task_of_a_session_expires_and_is_refreshed_like_any_other(tmp_path: Path) -> None:
    with library(tmp_path) as (book, clock):
        id = ask(book, "save_session", transcript=TRANSCRIPT)["session_id"]
        clock.advance(days=6)
        assert ask(book, "save_session", transcript=TRANSCRIPT)["saved"] == 0
        clock.advance(days=6)
        assert ask(book, "get_context", query="invoices")["packs"][0]["text"] == TASK
        clock.advance(days=1)
        assert ask(book, "get_context", query="invoices")["packs"] == []
        learnings = ask(book, "resume_session", session_id=id)["session"]["learnings"]
        assert TASK not in [each["text"] for each in learnings]
        assert ask(book, "resume_session")["sessions"][0]["learning_count"] == len(learnings)


@requires("onelamp.resume.list", "onelamp.resume.surface", "onelamp.resume.since", "onelamp.resume.limit")
def test_sessions_are_listed_newest_first_by_surface_and_since(lamp: Client, tmp_path: Path) -> None:
    start = present() - 30 * DAY
    with library(tmp_path) as (book, clock):
        for number in range(7):
            clock.now = start + number * DAY
            surface = "codex" if number % 2 else "claude-code"
            said = f"User: We decided to use berth {number} for the ferry because it is free."
            assert ask(book, "save_session", transcript=said, source_surface=surface)["saved"] == 1

    def shown(**options: object) -> list[int]:
        sessions = lamp.call("resume_session", **options)["sessions"]
        keys = {"session_id", "label", "summary", "source_surface", "ts", "learning_count"}
        assert all(set(each) == keys and each["learning_count"] == 1 for each in sessions)
        return [(each["ts"] - start) // DAY for each in sessions]

    assert shown() == [6, 5, 4, 3, 2]
    assert shown(limit=50) == [6, 5, 4, 3, 2, 1, 0]
    assert shown(limit=1) == [6]
    assert shown(source_surface="codex") == [5, 3, 1]
    assert shown(source_surface="cursor") == []
    assert shown(since=start + 5 * DAY) == [6, 5], "inclusive"
    assert shown(since=start + 5 * DAY + 0.5) == [6]
    assert shown(since=float(start + 5 * DAY), source_surface="codex") == [5]
    for wrong in ({"limit": 0}, {"limit": 51}, {"since": -1}, {"since": 1e300}, {"since": "today"}):
        assert code(lamp, "resume_session", **wrong) == "invalid_params"
    id = lamp.call("resume_session", limit=1)["sessions"][0]["session_id"]
    assert lamp.call("resume_session", session_id=id, limit=0, since=1e300)["session"]["session_id"] == id


@requires("onelamp.resume.handoff", "onelamp.resume.unknown")
def test_what_one_tool_saved_another_resumes_and_an_unknown_id_is_an_error(serve: Serve, lamp: Client) -> None:
    id = lamp.call("save_session", transcript=TRANSCRIPT, source_surface="claude-code")["session_id"]
    other = serve("onelamp")
    assert other.call("resume_session", session_id=id)["session"]["source_surface"] == "claude-code"
    for unknown in ("ses_nobody", "ctx_1", "ü", "x" * 500):
        assert code(other, "resume_session", session_id=unknown) == "not_found"


@requires("onelamp.resume.forgotten", "onelamp.forget.deletes")
def test_a_forgotten_learning_vanishes_from_its_session_to_the_last_byte(lamp: Client, tmp_path: Path) -> None:
    id = lamp.call("save_session", transcript=TRANSCRIPT)["session_id"]
    learnings = lamp.call("resume_session", session_id=id)["session"]["learnings"]
    (gone,) = [each["id"] for each in learnings if each["text"] == DECISION]
    assert lamp.call("forget_context", id=gone) == {"forgotten": True}
    session = lamp.call("resume_session", session_id=id)["session"]
    assert [each["id"] for each in session["learnings"]] == [each["id"] for each in learnings if each["id"] != gone]
    assert "PostgreSQL" not in f"{session['label']} {session['summary']}"
    assert RULE in session["summary"]
    assert lamp.call("resume_session")["sessions"][0]["learning_count"] == len(learnings) - 1
    files = b"".join(path.read_bytes() for path in tmp_path.glob("book.db*"))
    assert b"PostgreSQL" not in files


@requires("onelamp.resume.superseded")
def test_a_superseded_learning_stays_and_is_marked(lamp: Client) -> None:
    id = lamp.call("save_session", transcript=TRANSCRIPT)["session_id"]
    save(lamp, RULE, topic="checks")
    save(lamp, "Run make check only before a release.", topic="checks")
    learnings = lamp.call("resume_session", session_id=id)["session"]["learnings"]
    assert {each["text"]: each.get("superseded") for each in learnings}[RULE] is True
    assert sum("superseded" in each for each in learnings) == 1
