"""export and import."""

import json
import os
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Call


def texts(document: str) -> list[str]:
    lines = [json.loads(line) for line in document.splitlines()]
    assert lines[0]["format"] == "commonplace-export"
    return [line["memory"]["text"] for line in lines if "memory" in line]


def test_export_is_json_lines_of_everything_in_any_state(known: Call) -> None:
    known("forget", "3").ok()
    known("remember", "Kept by an agent", "--scope", "agent:reviewer").ok()
    assert len(texts(known("export").ok().out)) == 4
    assert len(texts(known("export", "--json").ok().out)) == 4


def test_export_narrows_by_filters(known: Call) -> None:
    assert texts(known("export", "--kind", "preference").ok().out) == ["The user prefers SQLite for prototypes"]
    known("forget", "3").ok()
    assert len(texts(known("export", "--status", "active").ok().out)) == 2
    assert len(texts(known("export", "--scope", "user").ok().out)) == 3


def test_export_to_a_file_is_private_and_not_overwritten_unasked(known: Call, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    answer = known("export", "--path", str(path)).ok()
    assert answer.out == f"Exported 3 memories to {path}.\n"
    assert len(texts(path.read_text())) == 3
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("mine")
    refused = known("export", "--path", str(path))
    assert (refused.code, path.read_text()) == (1, "mine")
    assert "exists already" in refused.err
    assert known("export", "--path", str(path), "--force", "--json").ok().json == {"path": str(path), "exported": 3}
    assert list(tmp_path.glob("*.partial")) == []


def test_export_into_a_folder_that_is_not_there_is_one_sentence(known: Call, tmp_path: Path) -> None:
    answer = known("export", "--path", str(tmp_path / "nowhere" / "out.jsonl"))
    assert answer.code == 1
    assert "No such file or directory" in answer.err


def test_import_brings_back_what_export_wrote(known: Call, tmp_path: Path) -> None:
    path, other = str(tmp_path / "out.jsonl"), str(tmp_path / "other.db")
    known("export", "--path", path).ok()
    rehearsed = known("import", path, "--dry-run", "--store", other).ok()
    assert "Would import 3 memories" in rehearsed.out
    assert not Path(other).exists()
    answer = known("import", path, "--store", other, "--json").ok()
    assert answer.json == {
        "imported": 3,
        "skipped": 0,
        "problems": [],
        "dry_run": False,
        "embedded": 0,
        "claims": {"origin": 3, "surface": 3},
        "relations": 0,
        "dropped_relations": 0,
        "beside": {},
        "left_beside": {},
    }
    assert known("show", "1", "--store", other, "--json").ok().json["origin"] == "imported"
    assert "Imported 0 memories, 3 known or purged already." in known("import", path, "--store", other).ok().out


def test_import_from_a_pipe_can_be_trusted(known: Call, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    document = known("export").ok().out
    known("import", "-", "--trust", "--store", other, stdin=document).ok()
    assert known("show", "1", "--store", other, "--json").ok().json["origin"] == "typed"


def test_import_names_each_bad_line_and_takes_the_rest(known: Call, tmp_path: Path) -> None:
    document = known("export").ok().out.splitlines()
    document.insert(2, "{not json")
    document.insert(3, document[1].replace("SQLite", "the wifi password is Tr0ub4dor&3xyz"))
    answer = known("import", "-", "--store", str(tmp_path / "other.db"), stdin="\n".join(document))
    assert answer.code == 1
    assert "Imported 3 memories" in answer.out
    assert "line 3: " in answer.err
    assert "line 4: " in answer.err
    assert "Tr0ub4dor" not in answer.err


def test_import_says_how_many_relations_were_dropped(known: Call, tmp_path: Path) -> None:
    known("supersede", "1", "2").ok()
    whole = known("export").ok().out.splitlines()
    part = "\n".join(line for line in whole if '"number":2' not in line)
    other = str(tmp_path / "other.db")
    rehearsed = known("import", "-", "--dry-run", "--store", other, stdin=part).ok()
    assert "1 relation would be dropped: " in rehearsed.err
    answer = known("import", "-", "--store", other, "--json", stdin=part).ok()
    assert (answer.json["imported"], answer.json["relations"], answer.json["dropped_relations"]) == (2, 0, 1)
    assert "1 relation was dropped: " in answer.err
    assert "dropped" not in known("import", "-", "--store", str(tmp_path / "all.db"), stdin="\n".join(whole)).ok().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"format": "something-else"}\n', "not a Commonplace export"),
        (b"hello\n", "not JSON"),
        (b"\xff\xfe\n", "not valid UTF-8"),
    ],
)
def test_import_of_something_else_is_one_sentence(cli: Call, content: bytes, said: str) -> None:
    answer = cli("import", "-", stdin=content)
    assert (answer.code, answer.out) == (1, "")
    assert said in answer.err


def test_import_of_a_file_that_is_not_there_is_one_sentence(cli: Call) -> None:
    answer = cli("import", "nothing.jsonl")
    assert answer.code == 1
    assert "nothing.jsonl cannot be read (No such file or directory): name a file or a folder." in answer.err
