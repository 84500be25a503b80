"""Damaged and hostile files: one sentence that says what to do, and nothing half-imported."""

import json
import os
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest

from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.imports import Format, Plan, look_through
from commonplace.imports.files import TEXT_CHARACTERS
from tests.imports.test_formats import GIVEN

DEEP = 100_000
NAMES = (
    "CLAUDE.md",
    "MEMORY.md",
    "note.md",
    ".cursorrules",
    "rule.mdc",
    "mem0.json",
    "memory.jsonl",
    "conversations.json",
    "memories.json",
    "0001-record.md",
)


def refused(path: Path, format: Format | None = None) -> str:
    """The one sentence with which a file is refused."""
    with pytest.raises(CommonplaceError) as caught:
        look_through([path], format)
    message = caught.value.message
    assert "\n" not in message
    assert len(message) < 600
    return message


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_a_nul_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"- before\x00after\n")
    assert "it is not text: it holds a NUL character; nothing was imported." in refused(tmp_path / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_no_utf_8_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"- caf\xe9\n")
    assert "it is not UTF-8 text: convert it first; nothing was imported." in refused(tmp_path / name)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_too_large_to_be_held_is_refused_unread(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.write(b"- one thing\n")
        file.truncate(100_000_000)
    said = refused(tmp_path / name)
    assert "nothing was imported" in said


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("memory.jsonl", (GIVEN / "server-memory.jsonl").read_text()[:-40]),
        ("memory.jsonl", '{"type":"entity","name":"A","entityType":"b","observations":["c"]}\n[1]\n'),
        ("mem0.json", (GIVEN / "mem0.json").read_text()[:-40]),
        ("memories.json", (GIVEN / "claude-ai-memories.json").read_text()[:-40]),
        ("graph.json", '{"entities":[{"name":"A","observations":["c"]}],"relations":['),
        ("conversations.json", '[{"mapping": {"a": {"message": {"author": {"role": "user"}'),
        ("anything.json", "[" * DEEP),
        ("anything.json", '{"results":' * DEEP),
        ("anything.json", json.dumps({"package": "some", "version": 1})),
        ("anything.json", "[]"),
        ("anything.json", "1" * 10_000),
        ("memory.jsonl", '{"type":"entity","name":' + "[" * DEEP + "\n"),
        ("memory.jsonl", '{"type":"entity"}\n' + "[" * DEEP),
    ],
)
def test_what_is_damaged_or_none_of_ours_is_refused_whole(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    assert "nothing was imported" in refused(tmp_path / name)


@pytest.mark.parametrize("format", [each for each in Format if each not in (Format.COMMONPLACE, Format.CONVERSATIONS)])
@pytest.mark.parametrize(
    "content", ["", "\n\n", "---\n", "---\ntitle: x\n---\n", "[]", "{}", "# \n## \n", "```\n", "<!--"]
)
def test_a_format_that_finds_nothing_finds_nothing(tmp_path: Path, format: Format, content: str) -> None:
    (tmp_path / "file.md").write_text(content)
    plan = Plan()
    with suppress(InvalidInput):
        plan = look_through([tmp_path / "file.md"], format)
    assert plan.items == ()
    assert plan.decisions == ()


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "private.md").write_text("The private key is under the mat\n")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "CLAUDE.md").symlink_to(outside / "private.md")
    (folder / "deeper").symlink_to(outside, target_is_directory=True)
    (folder / "passwd.md").symlink_to("../../../../../../etc/passwd")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "own.md").write_text("Mine\n")
    plan = look_through([folder])
    assert [item.text for item in plan.items] == ["Mine"]
    assert [(each.file, each.reason.partition(",")[0]) for each in plan.left_out] == [
        ("CLAUDE.md", "it is a link"),
        ("passwd.md", "it is a link"),
    ]


def test_a_link_that_was_named_is_followed(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- Use pytest\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert [item.text for item in look_through([tmp_path / "CLAUDE.md"]).items] == ["Use pytest"]


def test_an_import_inside_a_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("@../../etc/passwd\n\n- Use pytest\n")
    plan = look_through([tmp_path / "CLAUDE.md"])
    assert [item.text for item in plan.items] == ["Use pytest"]
    assert [each.line for each in plan.left_out] == [1]


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert "it is not a regular file" in refused(tmp_path / "pipe.md")
    assert [each.reason for each in look_through([tmp_path]).left_out] == ["it is not a plain file"]


def test_an_archive_that_is_a_bomb_or_leads_out_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "out.zip", "w") as archive:
        archive.writestr("../../conversations.txt", "[]")
    assert "archive without a conversations.json" in refused(tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + '{"mapping": {"a": "' + "a" * 60_000_000 + '"}}]')
    assert "nothing was imported" in refused(tmp_path / "bomb.zip")
    (tmp_path / "cut.zip").write_bytes((tmp_path / "out.zip").read_bytes()[:40])
    assert "damaged" in refused(tmp_path / "cut.zip")


def test_a_damaged_file_of_a_folder_is_left_out_and_told(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("Good\n")
    (tmp_path / "bad.json").write_text('{"results": [')
    (tmp_path / "bad.md").write_bytes(b"\xff\xfe")
    plan = look_through([tmp_path])
    assert [item.text for item in plan.items] == ["Good"]
    assert [each.file for each in plan.left_out] == ["bad.json", "bad.md"]


def test_one_damaged_file_among_those_named_stops_all(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"results": [')
    with pytest.raises(InvalidInput, match="nothing was imported"):
        look_through([GIVEN / "AGENTS.md", tmp_path / "bad.json"])


def test_values_of_other_types_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "mem0.json").write_text(
        json.dumps(
            [
                {"id": "1", "memory": "Good", "created_at": "yesterday", "categories": [1, "", "x" * 99, "ok"]},
                {"id": 2, "memory": ["no"], "created_at": -1},
                {"memory": {"deep": {}}},
                {"id": "3", "memory": "Also good", "created_at": 1e300, "expiration_date": "9999-12-31"},
                "text",
            ]
        )
    )
    plan = look_through([tmp_path / "mem0.json"])
    assert [(item.text, item.tags, item.at) for item in plan.items] == [
        ("Good", ("ok",), None),
        ("Also good", (), None),
    ]
    assert len(plan.left_out) == 2


def test_a_text_at_the_limit_is_read_and_a_longer_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "note.md"
    path.write_text("- short\n" + ("x" * 999 + "\n") * (TEXT_CHARACTERS // 1_000 - 1))
    assert look_through([path]).items[0].text.startswith("short")
    path.write_text("- short\n" * (TEXT_CHARACTERS // 8 + 1))
    assert "2,000,000 is the limit: split it up" in refused(path)
