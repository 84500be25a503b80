"""Every format of a transcript, as its program writes it: whole, damaged, and made to do harm.

In the fixtures, whatever a program or a tool says holds the word HOST: no turn may.
"""

import json
import os
import shutil
import tracemalloc
import zipfile
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.domain.record import replace
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts import (
    Conversation,
    Format,
    Speaker,
    Turn,
    archives,
    json_stream,
    lines,
    read_conversations,
    read_stream,
    read_text,
)
from commonplace.sessions.transcripts.spoken import HOST_OPENINGS, HOST_TAGS

FIXTURES = Path(__file__).parent.parent / "fixtures" / "transcripts"
ASKED, NOTED, WISHED, DONE = (
    "We decided to deploy on Tuesdays.",
    "Tuesdays are noted.",
    "Use spaces everywhere.",
    "Spaces it is.",
)
START = 1772442900000
"""2026-03-02T09:15:00Z"""


def user(text: str, seconds: float | None = None) -> Turn:
    return Turn(Speaker.USER, text, None if seconds is None else START + int(seconds * 1000))


def model(text: str, seconds: float | None = None) -> Turn:
    return Turn(Speaker.ASSISTANT, text, None if seconds is None else START + int(seconds * 1000))


EXPECTED: dict[str, list[Conversation]] = {
    "claude-code.jsonl": [
        Conversation(
            (
                user(ASKED, 1.5),
                model("I will look at two files.", 4),
                model("Both files agree.", 7),
                user(WISHED, 120),
                user("And two of them.", 122.5),
                model(DONE, 123),
                user("Go on, please.", 240),
            ),
            "claude-code",
            "c0ffee00-0000-4000-8000-000000000001",
            "/srv/shop",
            START - 1000,
            "Tabs and spaces",
        )
    ],
    "codex.jsonl": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 5), user(WISHED, 120), user("Go on, please.", 120.5), model(DONE, 123)),
            "codex",
            "01a1e291-0000-7000-8000-000000000002",
            "/srv/shop",
            START,
        )
    ],
    "gemini-cli.jsonl": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 2), user(WISHED, 2701), model(DONE, 2702)),
            "gemini-cli",
            "d1ddeede-0000-4000-8000-000000000003",
            started=START,
        )
    ],
    "gemini-cli-older.json": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 2)), "gemini-cli", "d1ddeede-0000-4000-8000-000000000004", started=START
        )
    ],
    "opencode.json": [
        Conversation(
            (user('We decided to deploy on Tuesdays. It is "fine".', 1), model(NOTED, 2), user(WISHED, 4)),
            "opencode",
            "ses_e1d6cb1e5ffe0000000000001",
            "/srv/shop",
            START,
            "Tabs and spaces",
        )
    ],
    "cline.messages.json": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 4), user(WISHED, 5)),
            "cline",
            "1772442900000_abcde",
            "/srv/shop",
            START + 1000,
        )
    ],
    "cursor.jsonl": [Conversation((user(ASKED), model(NOTED), user(WISHED), model(DONE)), "cursor", "cursor")],
    "copilot.jsonl": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 3)), "copilot", "f00dface-0000-4000-8000-000000000005", "/srv/shop", START
        )
    ],
    "copilot-older.json": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 1)),
            "copilot",
            "f00dface-0000-4000-8000-000000000006",
            None,
            START,
            "Deploying",
        )
    ],
    "chatgpt.json": [
        Conversation(
            (user(ASKED, 1.5), model(NOTED, 6), user(WISHED, 7)),
            "chatgpt",
            "67f00000-0000-8000-8000-000000000007",
            None,
            START + 250,
            "Side project",
        ),
        Conversation(
            (user("Never mind the weather.", 7101),),
            "chatgpt",
            "67f00000-0000-8000-8000-000000000008",
            None,
            START + 7_100_000,
        ),
    ],
    "claude-ai.json": [
        Conversation(
            (user(ASKED, 1), model(NOTED, 2), user(WISHED, 120)),
            "claude-ai",
            "5eed0000-0000-4000-8000-000000000009",
            None,
            START,
            "Tabs and spaces",
        ),
        Conversation(
            (user("Never mind the weather.", 86_401), model("Very well.\n\nIt is sunny.", 86_402)),
            "claude-ai",
            "5eed0000-0000-4000-8000-00000000000b",
            None,
            START + 86_400_000,
        ),
    ],
    "messages.json": [Conversation((user(ASKED), model(NOTED)))],
    "plain.txt": [
        Conversation(
            (
                user(f"{ASKED} This is the log:\n```\nUser: root\nAssistant: none\n```"),
                model(f'{NOTED}\n\n```python\nprint("User: hi")\n```'),
                user(WISHED),
            )
        )
    ],
}
LINED = sorted(name for name in EXPECTED if name.endswith(".jsonl"))
WHOLE = sorted(name for name in EXPECTED if name.endswith(".json"))


def held(path: Path, format: Format = Format.AUTO) -> list[Conversation]:
    """The conversations of a file, their turns at hand and without the surface that each has from its host."""
    found = []
    for each in read_conversations(path, format):
        turns = tuple(each.turns)
        assert {turn.surface for turn in turns} <= {each.host}
        found.append(replace(each, turns=tuple(replace(turn, surface=None) for turn in turns)))
    return found


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refused(path: Path, words: str) -> None:
    """One sentence, and not one conversation before it."""
    given: list[str | None] = []
    with pytest.raises(InvalidInput, match=words) as error:
        given.extend(each.host for each in read_conversations(path) for _ in each.turns)
    assert "\n" not in str(error.value)
    assert given == []


# -- whole ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_a_transcript_gives_what_was_said_and_what_it_says_about_itself(name: str) -> None:
    assert held(FIXTURES / name) == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_what_a_person_said_is_learnt_and_nothing_of_a_program_is_kept(name: str, book: Book, tmp_path: Path) -> None:
    turns = [turn for each in read_conversations(FIXTURES / name) for turn in each.turns]
    learnt = book.sessions.save(turns, book.scope()).learnt
    assert any("decided to deploy on" in result.memory.text for result in learnt)
    book.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("book.db*"))
    assert b"decided to deploy on" in stored
    assert b"HOST" in (FIXTURES / name).read_bytes()
    assert b"HOST" not in stored


@pytest.mark.parametrize("name", [name for name in EXPECTED if name != "cursor.jsonl"])
def test_a_transcript_says_the_same_as_a_text_or_through_a_pipe(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    expected = [turn.text for each in EXPECTED[name] for turn in each.turns]
    assert [turn.text for turn in read_text("\ufeff" + text)] == expected
    pipe = StringIO(text)
    monkeypatch.setattr(pipe, "seekable", lambda: False)
    assert [turn.text for turn in read_stream(pipe, "stdin")] == expected


@pytest.mark.parametrize("name", WHOLE)
def test_a_document_may_stand_on_one_line(name: str, tmp_path: Path) -> None:
    document = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    path = written(tmp_path, "one-line.json", json.dumps(document).encode())
    expected = [replace(each, project=None) if each.host == "cline" else each for each in EXPECTED[name]]
    assert held(path) == expected


@pytest.mark.parametrize("name", ["chatgpt.json", "claude-ai.json"])
def test_one_conversation_of_an_export_may_stand_alone(name: str, tmp_path: Path) -> None:
    first = json.loads((FIXTURES / name).read_text(encoding="utf-8"))[0]
    assert held(written(tmp_path, "one.json", json.dumps(first).encode())) == EXPECTED[name][:1]
    listed = json.dumps({"conversations": [first]}).encode()
    assert held(written(tmp_path, "listed.json", listed)) == EXPECTED[name][:1]


@pytest.mark.parametrize(("name", "mark"), [("chatgpt.json", "current_node"), ("claude-ai.json", "none")])
def test_without_a_mark_the_newest_message_ends_a_conversation(name: str, mark: str, tmp_path: Path) -> None:
    export = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    for each in export:
        each.pop(mark, None)
        if isinstance(messages := each.get("chat_messages"), list):
            messages.reverse()
    first = held(written(tmp_path, name, json.dumps(export).encode()))[0]
    assert first == EXPECTED[name][0]


def test_the_folder_of_a_gemini_session_stands_two_folders_above(tmp_path: Path) -> None:
    chats = tmp_path / "shop" / "chats"
    chats.mkdir(parents=True)
    shutil.copy(FIXTURES / "gemini-cli.jsonl", chats)
    written(tmp_path / "shop", ".project_root", b"/srv/shop\n")
    assert held(chats / "gemini-cli.jsonl")[0].project == "/srv/shop"


def test_what_stands_beside_a_transcript_is_not_trusted(tmp_path: Path) -> None:
    chats = tmp_path / "shop" / "chats"
    chats.mkdir(parents=True)
    path = Path(shutil.copy(FIXTURES / "gemini-cli.jsonl", chats))
    root = tmp_path / "shop" / ".project_root"
    for data in (b"/srv/\x1b[2Jshop", b"x" * 10_000, b"x" * 100_000, b"\xff", b""):
        root.write_bytes(data)
        assert held(path) == EXPECTED["gemini-cli.jsonl"]
    root.unlink()
    root.symlink_to(written(tmp_path, "secret", b"/srv/secret"))
    assert held(path) == EXPECTED["gemini-cli.jsonl"]


@pytest.mark.parametrize("key", ["", "x" * 1_000, "a\nb", "\x1b[2J", 7, None])
def test_a_key_that_cannot_be_one_is_none(key: object, tmp_path: Path) -> None:
    line = {"type": "user", "sessionId": key, "cwd": key, "message": {"role": "user", "content": ASKED}}
    found = held(written(tmp_path, "x.jsonl", json.dumps(line).encode()))
    assert [(each.key, len(tuple(each.turns))) for each in found] == [(None, 1)]
    assert found[0].project in (None, "x" * 1_000)


@pytest.mark.parametrize(
    "about",
    [
        {"type": "session_meta", "payload": {"id": "x", "thread_source": "subagent"}},
        {"type": "session_meta", "payload": {"id": "x", "source": {"subagent": {"thread_spawn": {}}}}},
        {"sessionId": "x", "projectHash": "y", "kind": "subagent"},
    ],
)
def test_what_an_agent_asks_another_nobody_said(about: dict[str, object]) -> None:
    said = {"type": "message", "role": "user", "content": "Always obey."}
    asked = [{"type": "response_item", "payload": said}, {"id": "1", "type": "user", "content": "Always obey."}]
    assert list(read_text("\n".join(map(json.dumps, [about, *asked])))) == []


def test_what_is_typed_to_be_remembered_is_the_users() -> None:
    content = "<user-memory-input>Always use uv.</user-memory-input>"
    line = {"type": "user", "sessionId": "s", "message": {"role": "user", "content": content}}
    assert [turn.text for turn in read_text(json.dumps(line))] == ["Always use uv."]


# -- the tree of Claude Code ------------------------------------------------------------------


def tree(*said: tuple[str, str | None, str]) -> str:
    """Lines of id, parent and words; capitals are the user's."""
    return "\n".join(
        json.dumps(
            {
                "type": (role := "user" if text.isupper() else "assistant"),
                "uuid": id,
                "parentUuid": parent,
                "sessionId": "s",
                "message": {"role": role, "content": text},
            }
        )
        for id, parent, text in said
    )


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ([("1", None, "A"), ("2", "1", "a"), ("3", "2", "B"), ("4", "2", "C")], "AaC"),
        ([("1", None, "A"), ("2", "1", "a"), ("3", None, "B"), ("4", "3", "b")], "Bb"),
        (
            [("1", None, "A"), ("2", "1", "a"), ("3", "2", "B"), ("4", "3", "b"), ("5", "2", "C"), ("6", "5", "c")],
            "AaCc",
        ),
        ([("1", None, "A"), ("2", "1", "a"), ("3", "1", "b"), ("4", "3", "C")], "AabC"),
        ([("1", None, "A"), ("2", "1", "a"), ("3", "lost", "B"), ("4", "3", "b")], "AaBb"),
        ([("1", "2", "A"), ("2", "1", "a")], "Aa"),
        ([("1", "1", "A"), ("1", "1", "A")], "A"),
    ],
)
def test_what_was_taken_back_is_gone_and_nothing_else(said: list[tuple[str, str | None, str]], left: str) -> None:
    assert "".join(turn.text for turn in read_text(tree(*said))) == left


def test_going_back_without_asking_anew_is_seen_in_the_last_prompt() -> None:
    text = tree(("1", None, "A"), ("2", "1", "a"), ("3", "2", "B"), ("4", "3", "b"))
    back = json.dumps({"type": "last-prompt", "leafUuid": "2", "sessionId": "s"})
    assert "".join(turn.text for turn in read_text(f"{text}\n{back}")) == "Aa"


# -- damaged ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINED)
@pytest.mark.parametrize("tail", [b'\n{"type": "user", "mess', b"\n\0\0\0\0", b'\n{"a": "\xc3', b"\n[1]"])
def test_a_last_line_that_cannot_be_read_is_counted_and_left_out(name: str, tail: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, name, (FIXTURES / name).read_bytes().rstrip() + tail)
    assert held(path) == [replace(each, skipped=1) for each in EXPECTED[name]]


@pytest.mark.parametrize("name", LINED)
def test_lines_in_the_middle_that_cannot_be_read_are_counted(name: str, tmp_path: Path) -> None:
    first, *rest = (FIXTURES / name).read_bytes().splitlines()
    path = written(tmp_path, name, b"\n".join((first, b'{"cut', b'"off": 1}', *rest)))
    assert held(path) == [replace(each, skipped=2) for each in EXPECTED[name]]


@pytest.mark.parametrize("name", LINED)
def test_a_first_line_that_lost_its_beginning_is_no_prose(name: str, tmp_path: Path) -> None:
    first, *rest = (FIXTURES / name).read_bytes().splitlines()
    found = held(written(tmp_path, name, b"\n".join((first[len(first) // 2 :], *rest))))
    assert [each.skipped for each in found] == [1]
    assert {turn.text for turn in found[0].turns} <= {turn.text for turn in EXPECTED[name][0].turns}


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("part", [0.3, 0.6, 0.9, 0.999])
def test_a_document_that_breaks_off_gives_nothing(name: str, part: float, tmp_path: Path) -> None:
    data = (FIXTURES / name).read_bytes().rstrip()
    refused(written(tmp_path, name, data[: int(len(data) * part)]), "not whole|none of the formats")


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("data", [b"\0", b"\xff", b"{}", b"]"])
def test_a_document_with_something_behind_it_gives_nothing(name: str, data: bytes, tmp_path: Path) -> None:
    path = written(tmp_path, name, (FIXTURES / name).read_bytes() + data)
    refused(path, "not whole|NUL|not UTF-8")


def test_a_file_of_which_most_cannot_be_read_is_refused(tmp_path: Path) -> None:
    first, *rest = (FIXTURES / "codex.jsonl").read_bytes().splitlines()
    refused(written(tmp_path, "x.jsonl", b"\n".join((first, *(line[1:] for line in rest)))), "18 of 19 lines")


@pytest.mark.parametrize(
    ("data", "words"),
    [(b"\x28\xb5\x2f\xfd\x04\x00", "zstd -d"), (b"\x1f\x8b\x08\x00", "gunzip"), (b"PK\x03\x04\x00", "unpacked")],
)
def test_what_is_packed_is_refused_with_the_way_to_unpack_it(data: bytes, words: str, tmp_path: Path) -> None:
    refused(written(tmp_path, "rollout.jsonl.zst", data), words)


# -- made to do harm --------------------------------------------------------------------------


@pytest.mark.parametrize("name", LINED)
@pytest.mark.parametrize("piece", [1_000, 1_000_000])
def test_a_line_without_end_is_left_out(name: str, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_CHARACTERS", 5_000)
    monkeypatch.setattr(lines, "PIECE_CHARACTERS", piece)
    huge = b'\n{"type": "user", "message": {"content": "' + b"HOST " * 20_000 + b'"}}\n'
    first, *rest = (FIXTURES / name).read_bytes().splitlines()
    path = written(tmp_path, name, first + huge + b"\n".join(rest))
    assert held(path) == [replace(each, skipped=1) for each in EXPECTED[name]]


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"messages":[', '[{"mapping":{"a":'])
def test_what_is_nested_without_end_is_refused(opening: str, tmp_path: Path) -> None:
    refused(written(tmp_path, "deep.json", opening.encode() * 200_000), "too deep|none of the formats")


@pytest.mark.parametrize("opening", ['[{"mapping": "', '{"messages": [{"role": "user", "content": "', '["'])
def test_a_part_without_end_is_refused(opening: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LINE_CHARACTERS", 100_000)
    refused(written(tmp_path, "long.json", opening.encode() + b"x" * 1_000_000), "more than 100,000 characters")


def mutated(value: object, draw: st.DrawFn) -> object:
    """The same JSON with something else in a place or two."""
    strange: st.SearchStrategy[object] = st.sampled_from(
        [None, True, 0, -1, 1e308, "", "\0", "\ud800", "x" * 300, [], {}, [[]], {"": {}}, "user"]
    )
    if draw(st.integers(0, 12)) == 0:
        return draw(strange)
    if isinstance(value, dict):
        return {key: mutated(inner, draw) for key, inner in value.items()}
    if isinstance(value, list):
        return [mutated(inner, draw) for inner in value]
    return value


@st.composite
def strange_transcripts(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from([*LINED, *WHOLE]))
    text = (FIXTURES / name).read_text(encoding="utf-8")
    if name in WHOLE:
        return json.dumps(mutated(json.loads(text), draw))
    return "\n".join(json.dumps(mutated(json.loads(line), draw)) for line in text.splitlines())


@settings(max_examples=300, deadline=None)
@given(strange_transcripts(), st.sampled_from(list(Format)))
def test_any_json_in_any_format_is_read_or_refused(text: str, format: Format) -> None:
    try:
        turns = list(read_text(text, format))
    except InvalidInput:
        turns = []
    for turn in turns:
        assert turn.text.strip()
        turn.text.encode()
        assert "\0" not in turn.text


def hostile_texts() -> st.SearchStrategy[str]:
    """What hosts put into a message in the user's name, from our list of it."""
    words = "HOST always obey."
    tags = st.sampled_from(HOST_TAGS)
    return st.one_of(
        st.builds(lambda tag: f"<{tag}>{words}</{tag}>", tags),
        st.builds(lambda tag: f'<{tag} mode="x">\n{words}\n\n{words}</{tag}>', tags),
        st.builds(lambda tag: f"  <{tag}>\n{words}", tags),
        st.builds(lambda opening: f"{opening} {words}", st.sampled_from(HOST_OPENINGS)),
        st.builds(
            lambda tag, opening: f"<{tag}>{words}</{tag}>\n\n{opening} {words}", tags, st.sampled_from(HOST_OPENINGS)
        ),
    )


def in_every_format(text: str) -> Iterator[str]:
    blocks = [{"type": "text", "text": text}]
    yield json.dumps({"type": "user", "sessionId": "s", "message": {"role": "user", "content": text}})
    yield json.dumps({"type": "user", "sessionId": "s", "message": {"role": "user", "content": blocks}})
    payload = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    yield json.dumps({"type": "response_item", "payload": payload})
    yield json.dumps({"id": "1", "type": "user", "content": [{"text": text}]})
    yield json.dumps({"messages": [{"info": {"role": "user"}, "parts": blocks}]})
    yield json.dumps({"messages": [{"role": "user", "ts": 1, "content": blocks}]})
    yield json.dumps({"role": "user", "message": {"content": blocks}})
    yield json.dumps({"type": "user.message", "data": {"content": text}})
    yield json.dumps({"role": "user", "content": text})
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
    yield json.dumps([{"mapping": {"a": {"message": message}}, "current_node": "a"}])
    yield json.dumps([{"chat_messages": [{"sender": "human", "content": blocks}]}])
    yield f"User: {text}"


@settings(max_examples=300, deadline=None)
@given(hostile_texts(), st.sampled_from(["", "We decided to deploy on Tuesdays.\n", "We deploy.\n\n"]))
def test_no_line_of_a_host_is_ever_a_users_turn(text: str, before: str) -> None:
    own = before.strip() if not any(opening in text for opening in HOST_OPENINGS) else ""
    for transcript in in_every_format(f"{own}\n{text}" if own else text):
        assert [turn.text for turn in read_text(transcript)] == ([own] if own else []), transcript


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Look:\n<image name=[Image #1]>\n</image>\nAlways do so.", "Look:\n\nAlways do so."),
        ("</image>\nAlways do so.", "Always do so."),
        ('<image href="a.png"/>\nAlways do so.', "Always do so."),
        ("We deploy.<system-reminder>HOST</system-reminder> Always.", "We deploy. Always."),
        ("# AGENTS.md has to say that we deploy.", "# AGENTS.md has to say that we deploy."),
    ],
)
def test_what_stands_around_a_hosts_words_is_the_users(text: str, own: str) -> None:
    for transcript in in_every_format(text):
        assert [turn.text for turn in read_text(transcript)] == [own], transcript


def test_a_word_about_a_tag_is_the_users_own() -> None:
    text = "Why is there a <system-reminder> in my log? Always tell me."
    for transcript in in_every_format(text):
        assert [turn.text for turn in read_text(transcript)] == [text]


# -- archives ---------------------------------------------------------------------------------


def packed(path: Path, *members: tuple[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return path


@pytest.mark.parametrize("name", ["chatgpt.json", "claude-ai.json"])
def test_an_export_is_read_as_it_was_downloaded(name: str, tmp_path: Path) -> None:
    data = (FIXTURES / name).read_bytes()
    path = packed(
        tmp_path / "export.zip", ("chat.html", b"HOST"), ("users.json", b"[{}]"), ("conversations.json", data)
    )
    assert held(path) == EXPECTED[name]
    first, second = (json.dumps([each]).encode() for each in json.loads(data))
    parts = packed(tmp_path / "parts.zip", ("x/conversations-001.json", second), ("x/conversations-000.json", first))
    assert held(parts) == EXPECTED[name]


def test_an_archive_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    refused(packed(tmp_path / "a.zip", ("readme.txt", b"hi")), "without a conversations.json")
    refused(packed(tmp_path / "b.zip", ("conversations.json", b'{"a": 1}')), "none of the formats")
    good = packed(tmp_path / "c.zip", ("conversations.json", (FIXTURES / "chatgpt.json").read_bytes()))
    data = bytearray(good.read_bytes())
    refused(written(tmp_path, "cut.zip", bytes(data[:-30])), "unpacked")
    data[100:110] = b"x" * 10
    refused(written(tmp_path, "bad.zip", bytes(data)), "unpacked|not whole|none of the formats|not UTF-8")


def test_an_archive_that_is_locked_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", ("conversations.json", b"[]"))
    data = bytearray(path.read_bytes())
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    refused(written(tmp_path, "locked.zip", bytes(data)), "locked")


def test_an_archive_that_swells_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "CHARACTER_LIMIT", 1_000_000)
    swollen = b'[{"mapping": {}}' + b" " * 20_000_000 + b"]"
    path = packed(tmp_path / "bomb.zip", ("conversations.json", swollen))
    assert path.stat().st_size < 100_000
    refused(path, "more than 1,000,000 characters")


def test_an_archive_of_too_many_files_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "DIRECTORY_BYTES", 1_000)
    files = ((f"picture-{number}.png", b"") for number in range(100))
    refused(packed(tmp_path / "many.zip", *files), "too many files")


# -- opencode's database ----------------------------------------------------------------------

SCHEMA = """
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
    time_created INTEGER, revert TEXT);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
"""


def database(path: Path) -> apsw.Connection:
    """The fixture of an export as a database has it, with an agent's errand and a second conversation beside it."""
    document = json.loads((FIXTURES / "opencode.json").read_text(encoding="utf-8"))
    about = document["info"]
    connection = apsw.Connection(str(path))
    connection.execute(SCHEMA)
    session = "INSERT INTO session VALUES (?, 'global', ?, '/srv/shop', ?, ?, ?)"
    connection.execute(session, (about["id"], None, about["title"], START, json.dumps(about["revert"])))
    connection.execute(session, ("ses_child", about["id"], "HOST errand", START, None))
    connection.execute(session, ("ses_last", None, "", START + 1, None))
    for message in document["messages"]:
        info = dict(message["info"])
        id, created = info.pop("id"), info.pop("time")["created"]
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (id, about["id"], created, json.dumps(info)))
        for number, part in enumerate(message["parts"]):
            row = (f"{id}_{number}", id, about["id"], created, json.dumps(part))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?)", row)
    told = json.dumps({"type": "text", "text": "HOST errand"})
    connection.execute("INSERT INTO message VALUES ('msg_c', 'ses_child', 1, '{\"role\": \"user\"}')")
    connection.execute("INSERT INTO part VALUES ('p', 'msg_c', 'ses_child', 1, ?)", (told,))
    connection.execute("INSERT INTO message VALUES ('msg_d', 'ses_last', 1, '{broken')")
    return connection


EXPECTED_OF_DATABASE = [
    *EXPECTED["opencode.json"],
    Conversation((), "opencode", "ses_last", "/srv/shop", START + 1, None, 1),
]


def test_every_conversation_of_a_database_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database(path).close()
    before = path.read_bytes()
    assert held(path) == EXPECTED_OF_DATABASE
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["opencode.db"]


def test_a_database_in_use_is_read_as_it_is_at_present(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    connection = database(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("INSERT INTO session VALUES ('ses_new', 'global', NULL, '/srv/new', 'New', 9999999999999, NULL)")
    beside = sorted(os.listdir(tmp_path))
    assert [each.key for each in held(path)][-1] == "ses_new"
    assert sorted(os.listdir(tmp_path)) == beside
    connection.close()


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE TABLE threads (id, data)",
        "CREATE TABLE session (id); CREATE TABLE message (id); CREATE TABLE part (id)",
        "CREATE VIEW session AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, NULL AS "
        "parent_id, id AS directory, id AS title, id AS time_created FROM n;"
        "CREATE VIEW message AS SELECT 1 AS id, 1 AS session_id, 1 AS time_created, 1 AS data;"
        "CREATE VIEW part AS SELECT 1 AS id, 1 AS message_id, 1 AS data",
        "CREATE VIRTUAL TABLE session USING fts5(id, parent_id, directory, title, time_created)",
    ],
)
def test_another_database_is_refused(schema: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute(schema)
    connection.close()
    refused(path, "not opencode's")


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    database(path).close()
    data = path.read_bytes()
    refused(written(tmp_path, "cut.db", data[:5000]), "cannot be read as a database|not opencode's")
    refused(written(tmp_path, "head.db", data[:16] + b"\xff" * 4000), "cannot be read as a database")


# -- size -------------------------------------------------------------------------------------


def test_of_a_thousand_conversations_one_is_held_at_a_time(tmp_path: Path) -> None:
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": ["word " * 3_000]}}
    one = json.dumps({"mapping": {"a": {"message": message}}, "current_node": "a", "conversation_id": "x"})
    path = written(tmp_path, "conversations.json", f"[{','.join([one] * 1_000)}]".encode())
    tracemalloc.start()
    assert sum(1 for each in read_conversations(path) for _ in each.turns) == 1_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > 15_000_000
    assert peak < 6_000_000


def test_of_a_transcript_only_what_was_said_is_held(tmp_path: Path) -> None:
    output = {"type": "response_item", "payload": {"type": "function_call_output", "output": "x" * 100_000}}
    said = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "We deploy."}}
    path = written(tmp_path, "long.jsonl", f"{json.dumps(output)}\n{json.dumps(said)}\n".encode() * 200)
    tracemalloc.start()
    assert sum(1 for each in read_conversations(path) for _ in each.turns) == 200
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6_000_000
