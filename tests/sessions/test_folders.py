"""The transcripts in a folder: each once, in order, and nothing that a link leads to."""

import os
from pathlib import Path

import pytest

from commonplace.deadline import Deadline
from commonplace.errors import InvalidInput, TookTooLong
from commonplace.sessions.transcripts import folders, transcripts_in

TALK = "User: We deploy on Tuesdays.\n"


def file(path: Path, text: str = "{}") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in transcripts_in(folder)]


def test_files_come_in_order_of_their_paths_also_from_folders_within(tmp_path: Path) -> None:
    for name in ("b/2.jsonl", "b/10.jsonl", "a.json", "c.zip", "opencode.db", "b/x/old.jsonl.zst", "B.JSONL"):
        file(tmp_path / name)
    expected = ["B.JSONL", "a.json", "b/10.jsonl", "b/2.jsonl", "b/x/old.jsonl.zst", "c.zip", "opencode.db"]
    assert found(tmp_path) == expected
    assert found(tmp_path) == expected


def test_a_text_counts_if_somebody_speaks_in_it(tmp_path: Path) -> None:
    file(tmp_path / "talk.txt", TALK)
    file(tmp_path / "talk.md", "# A talk\n\n## User\n\nWe deploy.\n")
    file(tmp_path / "terminal.txt", "\n> We deploy.\n\nNoted.\n")
    file(tmp_path / "notes.md", "# Notes\n\nAlways deploy on Tuesdays.\n\n> a quotation\n")
    file(tmp_path / "picture.png", TALK)
    assert found(tmp_path) == ["talk.md", "talk.txt", "terminal.txt"]


def test_what_stands_beside_transcripts_is_none(tmp_path: Path) -> None:
    for name in ("s/subagents/a.jsonl", "s/tool-results/1.txt", "memory/MEMORY.md", "x.json", ".git/a.json"):
        file(tmp_path / name, TALK)
    file(tmp_path / "x.messages.json")
    file(tmp_path / "y.json")
    assert found(tmp_path) == ["x.messages.json", "y.json"]


def test_links_pipes_and_second_names_are_passed_over(tmp_path: Path) -> None:
    outside = file(tmp_path / "outside" / "secret.jsonl")
    folder = tmp_path / "folder"
    own = file(folder / "own.jsonl")
    (folder / "loop").symlink_to(folder)
    (folder / "out").symlink_to(outside.parent)
    (folder / "out.jsonl").symlink_to(outside)
    (folder / "nowhere.jsonl").symlink_to(folder / "missing")
    (folder / "pipe.jsonl").symlink_to("/dev/zero")
    os.mkfifo(folder / "fifo.jsonl")
    os.mkfifo(folder / "fifo.txt")
    os.link(own, folder / "second.jsonl")
    assert found(folder) == ["own.jsonl"]
    (tmp_path / "named").symlink_to(folder)
    assert found(tmp_path / "named") == ["own.jsonl"]


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"gone cannot be read"):
        found(tmp_path / "gone")
    with pytest.raises(InvalidInput, match=r"a\.json is not a folder"):
        found(file(tmp_path / "a.json"))


def test_folders_within_folders_end_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "DEPTH_LIMIT", 2)
    file(tmp_path / "1" / "2" / "a.json")
    file(tmp_path / "1" / "2" / "3" / "b.json")
    assert found(tmp_path) == ["1/2/a.json"]


def test_looking_through_a_folder_can_be_stopped(tmp_path: Path) -> None:
    file(tmp_path / "a.json")
    late = Deadline()
    late.cancel()
    with pytest.raises(TookTooLong):
        late.run(lambda: found(tmp_path))


def test_files_are_found_as_they_are_asked_for(tmp_path: Path) -> None:
    for number in range(1_000):
        file(tmp_path / f"{number // 50:02}" / f"{number:04}.jsonl")
    files = transcripts_in(tmp_path)
    assert next(files).name == "0000.jsonl"
    (tmp_path / "19" / "0999.jsonl").unlink()
    assert sum(1 for _ in files) == 998
