"""session: conversations from the command line."""

import json
from pathlib import Path

from tests.cli.conftest import Call

TEXT = """\
User: hello
Assistant: Hi!
User: We decided to use PostgreSQL for the billing service because of row-level security.
Assistant: Noted.
User: Always run make check before you push to main.
"""
SPOKEN = [
    ("user", line.partition(": ")[2]) if line.startswith("User") else ("assistant", line.partition(": ")[2])
    for line in TEXT.splitlines()
]


def claude_code() -> str:
    lines = [
        {
            "type": role,
            "sessionId": "s",
            "timestamp": "2026-01-01T10:00:00Z",
            "message": {"role": role, "content": said},
        }
        for role, said in SPOKEN
    ]
    return "\n".join(map(json.dumps, lines))


def codex() -> str:
    lines: list[object] = [{"type": "session_meta", "payload": {"id": "s"}}]
    for role, said in SPOKEN:
        block = {"type": "input_text" if role == "user" else "output_text", "text": said}
        lines.append({"type": "response_item", "payload": {"type": "message", "role": role, "content": [block]}})
    return "\n".join(map(json.dumps, lines))


def test_a_transcript_is_saved_listed_shown_searched_and_removed(cli: Call, project: Path) -> None:
    (project / "talk.txt").write_text(TEXT)
    answer = cli("session", "save", "talk.txt", "--surface", "cursor").ok()
    assert "2 things learnt, 0 known already." in answer.out
    assert "2: Always run make check before you push to main." in answer.out
    (listed,) = cli("session", "list", "--json").ok().json["sessions"]
    assert (listed["surface"], listed["turns"], listed["scope"]) == ("cursor", 5, "user:default")
    id = listed["id"]
    assert id[:10] in cli("session", "list").ok().out
    shown = cli("session", "show", id).ok().out
    assert "row-level security" in shown
    assert "assistant: Noted." not in shown
    assert "assistant: Noted." in cli("session", "show", id, "--turns").ok().out
    whole = cli("session", "show", id, "--turns", "--json").ok().json
    assert [turn["role"] for turn in whole["said"]] == ["user", "assistant", "user", "assistant", "user"]
    assert len(whole["learnings"]) == 2
    assert "We decided to use PostgreSQL" in cli("session", "search", "row-level").ok().out
    (found,) = cli("session", "search", "row-level", "--json").ok().json["sessions"]
    assert found["id"] == id
    assert found["quotes"]
    removed, short = cli("session", "remove", id).ok().out.split()
    assert removed == "removed"
    assert id.startswith(short)
    assert cli("session", "list", "--json").ok().json["sessions"] == []
    assert cli("session", "show", id).code != 0


def test_the_transcripts_of_claude_code_and_codex_are_read_as_they_are(cli: Call, project: Path) -> None:
    for name, content in (("claude-code", claude_code()), ("codex", codex())):
        (project / "talk.jsonl").write_text(content)
        for format in ("auto", name):
            saved = cli(
                "session", "save", "talk.jsonl", "--format", format, "--scope", f"project:{name}-{format}", "--json"
            )
            document = saved.ok().json
            assert (len(document["learnt"]), document["session"]["turns"]) == (2, 5)
            assert (document["refused"], document["omitted"], document["fell_back"]) == (0, 0, None)


def test_a_conversation_with_a_key_grows(cli: Call) -> None:
    first = cli("session", "save", "-", "--key", "4f2a", "--json", stdin=TEXT).ok().json["session"]["id"]
    again = cli("session", "save", "-", "--key", "4f2a", stdin=TEXT).ok()
    assert "0 things learnt, 2 known already: there is nothing new to keep." in again.out
    more = f"{TEXT}User: Never deploy the billing service on a Friday.\n"
    grown = cli("session", "save", "-", "--key", "4f2a", "--json", stdin=more).ok().json
    assert grown["session"]["id"] == first
    assert len(grown["learnt"]) == 1


def test_lists_are_narrowed(cli: Call) -> None:
    cli("session", "save", "-", "--surface", "cursor", stdin=TEXT).ok()
    assert len(cli("session", "list", "--surface", "cursor", "--since", "1d", "--json").ok().json["sessions"]) == 1
    assert cli("session", "list", "--surface", "codex", "--json").ok().json["sessions"] == []
    assert cli("session", "list", "--since", "2999-01-01", "--json").ok().json["sessions"] == []
    assert "There are no conversations here" in cli("session", "list", "--surface", "codex").ok().err


def test_what_cannot_be_read_is_one_sentence(known: Call, project: Path) -> None:
    (project / "junk").write_bytes(bytes(range(1, 256)))
    (project / "zeros").write_bytes(b"text\x00text")
    for words, said in (
        (("save", "nowhere.txt"), "cannot be read"),
        (("save", "junk"), "is not UTF-8 text"),
        (("save", "zeros"), "NUL"),
        (("save", "zeros", "--format", "poem"), "format"),
        (("list", "--limit", "0"), "limit"),
        (("search", " "), "query"),
        (("remove", "ses_nobody"), "There is no session"),
    ):
        answer = known("session", *words)
        assert answer.code != 0
        assert said in answer.err
        assert answer.err.count("\n") == 1
    answer = known("session", "save", "-", stdin=b"\xff\xfe junk \xff")
    assert answer.code != 0
    assert "UTF-8" in answer.err
