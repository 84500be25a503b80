"""Transcripts: whatever wrote them, out come turns, one after another and within limits."""

import json
import tracemalloc
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts import Format, Speaker, Turn, detect, plain, read_file, read_text, reading, turns
from commonplace.sessions.transcripts import lines as line_reading


def said(text: str, format: Format = Format.AUTO) -> list[tuple[str, str]]:
    return [(turn.role.value, turn.text) for turn in read_text(text, format)]


def lines(*records: object) -> str:
    return "\n".join(json.dumps(record) for record in records)


# -- plain text -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "User: We use Rust.\nAssistant: Noted.",
        "Human: We use Rust.\n\nAI: Noted.",
        "**You:** We use Rust.\n**ChatGPT:** Noted.",
        "## User\n\nWe use Rust.\n\n## Assistant\n\nNoted.",
        "### You said:\nWe use Rust.\n### ChatGPT said:\nNoted.",
        "[09:15] User: We use Rust.\n[09:16] Claude: Noted.",
        "Q: We use Rust.\nA: Noted.",
        "> We use Rust.\n\nNoted.",
        "> We use Rust.\n\n⏺ Noted.",
    ],
)
def test_speakers_are_told_however_they_are_marked(text: str) -> None:
    assert said(text) == [("user", "We use Rust."), ("assistant", "Noted.")]


def test_a_turn_goes_on_until_the_next_speaker() -> None:
    text = "User: first\nsecond\n\nthird\nAssistant: answer"
    assert said(text) == [("user", "first\nsecond\n\nthird"), ("assistant", "answer")]


def test_a_prompt_of_several_lines_is_one_turn() -> None:
    assert said("> one\n> two\n  three\n\nanswer\n\n> next") == [
        ("user", "one\ntwo\n  three"),
        ("assistant", "answer"),
        ("user", "next"),
    ]


def test_without_speakers_nobody_is_assumed() -> None:
    assert said("Notes of today.\n\n> a quotation\n\nMore: notes.") == [
        ("unknown", "Notes of today.\n\n> a quotation\n\nMore: notes.")
    ]


def test_a_label_inside_a_code_fence_is_code() -> None:
    assert said("User: look\n```\nAssistant: not me\n```") == [("user", "look\n```\nAssistant: not me\n```")]


@pytest.mark.parametrize(
    "code",
    [
        "```\nAssistant: not me\n```",
        "```python\nAssistant: not me\nUser: nor I\n```",
        "~~~\n```\nAssistant: not me\n~~~",
        "````\n```\nAssistant: not me\n```\n````",
        "  ```yaml\n  User: root\n  ```",
        "```inline```",
    ],
)
@pytest.mark.parametrize("behind", [" ", "\n", " look\n"])
def test_speakers_are_told_apart_around_code(code: str, behind: str) -> None:
    spoken = f"User:{behind}{code}\nAssistant:{behind}{code}\nUser: thanks"
    words = (behind + code).strip()
    assert [(role, text.strip()) for role, text in said(spoken)] == [
        ("user", words),
        ("assistant", words),
        ("user", "thanks"),
    ]


def test_a_fence_that_is_never_closed_does_not_take_the_names_behind_it() -> None:
    assert said("User: see\n```\ncode\nAssistant: noted\nUser: thanks") == [
        ("user", "see\n```\ncode"),
        ("assistant", "noted"),
        ("user", "thanks"),
    ]
    assert said("User: ```\ncode\nAssistant: noted\n```sh\nUser: quoted\n```\nUser: thanks") == [
        ("user", "```\ncode"),
        ("assistant", "noted\n```sh\nUser: quoted\n```"),
        ("user", "thanks"),
    ]


def test_a_fence_longer_than_what_is_held_stays_a_fence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "TURN_AT_MOST", 50)
    text = "User: see\n```\n" + "code\n" * 40 + "User: quoted\n```\nAssistant: noted"
    found = said(text, Format.TEXT)
    assert [role for role, _ in found if role == "assistant"] == ["assistant"]
    assert found[-1] == ("assistant", "noted")
    assert "User: quoted" in "\n".join(text for _, text in found)


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("用户：", "助手："),
        ("ユーザー: ", "アシスタント: "),
        ("Utente: ", "Assistente: "),
        ("Пользователь: ", "Ассистент: "),
    ],
)
def test_speakers_are_told_in_other_languages(user: str, assistant: str) -> None:
    assert said(f"{user}eins\n{assistant}zwei") == [("user", "eins"), ("assistant", "zwei")]


def test_what_a_system_says_above_a_conversation_is_not_said_by_anybody() -> None:
    assert said("System: Always obey.\nNever rest.\n\nUser: hi\nSystem: Ubuntu 24.04") == [
        ("user", "hi\nSystem: Ubuntu 24.04")
    ]


# -- what hosts write -------------------------------------------------------------------------

CLAUDE = (
    {"type": "summary", "summary": "Earlier work", "leafUuid": "1"},
    {"type": "file-history-snapshot", "messageId": "2", "snapshot": {}},
    {
        "type": "user",
        "sessionId": "s",
        "cwd": "/w",
        "timestamp": "2026-03-02T09:15:00.250Z",
        "message": {"role": "user", "content": "We use Rust."},
    },
    {"type": "user", "isMeta": True, "message": {"role": "user", "content": "Caveat: not spoken"}},
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "a sub-agent's errand"}},
    {"type": "user", "message": {"role": "user", "content": "<command-name>/clear</command-name>"}},
    {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "secret thoughts"},
                {"type": "text", "text": "I will look."},
                {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}},
            ],
        },
    },
    {
        "type": "user",
        "message": {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": "Always do as this file says."}],
        },
    },
    {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "text", "text": "Go on."}, {"type": "image", "source": {}}]},
    },
    {"type": "system", "subtype": "stop_hook_summary"},
)
CODEX = (
    {"timestamp": "2026-03-02T09:15:00Z", "type": "session_meta", "payload": {"id": "x", "cwd": "/w"}},
    {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "developer",
            "content": [{"type": "input_text", "text": "rules of the host"}],
        },
    },
    {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": "<environment_context>cwd</environment_context>"}],
        },
    },
    {
        "timestamp": "2026-03-02T09:15:01Z",
        "type": "response_item",
        "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "We use Rust."}]},
    },
    {"type": "event_msg", "payload": {"type": "user_message", "message": "We use Rust."}},
    {"type": "response_item", "payload": {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]}},
    {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": "{}"}},
    {"type": "response_item", "payload": {"type": "function_call_output", "output": "Always obey."}},
    {"type": "turn_context", "payload": {"model": "m"}},
    {
        "type": "response_item",
        "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Noted."}]},
    },
)


def test_of_claude_code_only_what_somebody_said_is_read() -> None:
    assert list(read_text(lines(*CLAUDE))) == [
        Turn(Speaker.USER, "We use Rust.", 1772442900250, "claude-code"),
        Turn(Speaker.ASSISTANT, "I will look.", None, "claude-code"),
        Turn(Speaker.USER, "Go on.", None, "claude-code"),
    ]


def test_of_codex_only_what_somebody_said_is_read_and_once() -> None:
    assert list(read_text(lines(*CODEX))) == [
        Turn(Speaker.USER, "We use Rust.", 1772442901000, "codex"),
        Turn(Speaker.ASSISTANT, "Noted.", None, "codex"),
    ]


def test_the_older_form_of_codex_is_read_too() -> None:
    text = lines(
        {"id": "x", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "We use Rust."}]},
        {"record_type": "state"},
    )
    assert said(text) == [("user", "We use Rust.")]


def test_plain_messages_bring_their_own_time_and_surface() -> None:
    text = lines(
        {"role": "user", "text": "We use Rust.", "at": 7, "surface": "page"},
        {"role": "assistant", "content": "Noted.", "timestamp": "1970-01-01T00:00:01"},
        {"role": "system", "content": "never mind"},
    )
    assert list(read_text(text, surface="import")) == [
        Turn(Speaker.USER, "We use Rust.", 7, "page"),
        Turn(Speaker.ASSISTANT, "Noted.", 1000, "import"),
    ]


@pytest.mark.parametrize(
    ("text", "format"),
    [
        (lines(*CLAUDE), Format.CLAUDE_CODE),
        (lines(*CODEX), Format.CODEX),
        ("User: hi", Format.TEXT),
        (lines({"role": "user", "content": "x"}), Format.MESSAGES),
        ("", Format.TEXT),
        ("[09:15] User: hi", Format.TEXT),
        ("[[A note]] on a thing", Format.TEXT),
        ("[ ] a task", Format.TEXT),
    ],
)
def test_the_format_is_told_by_the_first_lines(text: str, format: Format) -> None:
    assert detect(text.splitlines()) is format


def test_a_named_format_comes_before_what_it_looks_like() -> None:
    text = lines({"role": "user", "content": "x"})
    assert said(text, Format.TEXT) == [("unknown", text)]
    with pytest.raises(InvalidInput, match="2 of 2 lines"):
        said("User: hi\nAssistant: hello", Format.CODEX)


def test_a_last_line_that_was_cut_off_is_left_out() -> None:
    assert said(lines(*CODEX) + '\n{"type": "response_it') == said(lines(*CODEX))


def test_a_broken_line_in_the_middle_is_left_out() -> None:
    assert said(lines(CODEX[0]) + "\n{broken\n" + lines(CODEX[3])) == [("user", "We use Rust.")]


@pytest.mark.parametrize(
    "text",
    [
        "{broken",
        '{"some": "thing"}',
        "[1, 2]",
        "[]",
        '["a", "b"]',
        "[{'role': 'user'}]",
        '[\n  "a"\n]',
        '{"messages": 3}',
    ],
)
def test_json_that_is_no_transcript_is_refused_with_the_list_of_formats(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"Claude Code, Codex, Gemini.*ChatGPT and Claude\.ai"):
        said(text)


@pytest.mark.parametrize("at", ["yesterday", "", -5, True, 1.5, None, {}])
def test_a_strange_time_loses_nothing_but_the_time(at: object) -> None:
    assert list(read_text(lines({"role": "user", "content": "x", "at": at}))) == [Turn(Speaker.USER, "x")]


# -- files and limits -------------------------------------------------------------------------


def test_a_file_is_read_like_a_text(tmp_path: Path) -> None:
    file = tmp_path / "t.txt"
    file.write_bytes("\ufeffUser: grüße\r\nAssistant: hallo\r\n".encode())
    assert [(turn.role, turn.text) for turn in read_file(file)] == [
        (Speaker.USER, "grüße"),
        (Speaker.ASSISTANT, "hallo"),
    ]


@pytest.mark.parametrize("data", [b"\xff\xfeU\x00s\x00", b"\x89PNG\r\n\x1a\n\x00\x00", b"User: a\x00b", b"\x80" * 100])
def test_binary_data_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "t.bin"
    file.write_bytes(data)
    with pytest.raises(InvalidInput, match=r"not UTF-8|binary"):
        list(read_file(file))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"gone\.txt"):
        list(read_file(tmp_path / "gone.txt"))
    with pytest.raises(InvalidInput, match="is not a plain file"):
        list(read_file(tmp_path))


def test_a_speech_beyond_the_limit_is_several_turns_that_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TURN_CHARACTERS", 10)
    found = list(read_text(lines({"role": "user", "content": "one two three four five"})))
    assert "".join(turn.text for turn in found) == "one two three four five"
    assert [turn.goes_on for turn in found] == [False, True, True]
    assert all(len(turn.text) <= 10 for turn in found)


@pytest.mark.parametrize(
    ("place", "limit", "value", "text", "words"),
    [
        (reading, "TURN_COUNT_LIMIT", 2, "User: a\nAI: b\nUser: c", "more than 2 turns"),
        (line_reading, "CHARACTER_LIMIT", 10, "User: a longer story", "more than 10 characters"),
    ],
)
def test_each_limit_is_named_when_it_is_passed(
    monkeypatch: pytest.MonkeyPatch, place: ModuleType, limit: str, value: int, text: str, words: str
) -> None:
    monkeypatch.setattr(place, limit, value)
    with pytest.raises(InvalidInput, match=words):
        said(text, Format.TEXT)


def test_ten_megabytes_without_a_line_end_are_read_in_bounded_memory(tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("User: " + "word " * 2_000_000)
    tracemalloc.start()
    size = sum(len(turn.text) for turn in read_file(file))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size >= 9_999_980  # but for the blanks at which it is parted
    assert peak < 80_000_000


def test_a_hundred_thousand_turns_are_read(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text("".join(f"User: question {number}\nAssistant: answer {number}\n" for number in range(50_000)))
    assert sum(1 for _ in read_file(file)) == 100_000


def test_turns_are_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "many.txt"
    file.write_text(f"User: {'question ' * 100}\nAssistant: answer\n" * 5_000)
    tracemalloc.start()
    assert sum(1 for _ in read_file(file)) == 10_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


@given(st.text(st.characters(exclude_characters="\x00")))
def test_any_text_is_read_as_what_somebody_said(text: str) -> None:
    spelled = text.replace("\r\n", "\n").replace("\r", "\n")
    for turn in read_text(text, Format.TEXT):
        assert turn.text.strip()
        assert all(line.strip() in spelled for line in turn.text.split("\n"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from("type message payload role content text timestamp".split()), inner, max_size=4
            )
        ),
        max_leaves=8,
    ),
    st.sampled_from([Format.CLAUDE_CODE, Format.CODEX, Format.MESSAGES]),
)
def test_any_json_is_read_or_refused(value: object, format: Format) -> None:
    record = value if isinstance(value, dict) else {"type": "user", "message": value, "payload": value}
    assert all(turn.text for turn in read_text(json.dumps(record), format))
