"""A link planted at any name we write to is refused in one sentence, and what it leads to stays as it was."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.errors import StoreUnwritable
from commonplace.workspace.files import append_lines, new_file, read_regular, refuse_links
from tests.cli.conftest import Call, cli, project

__all__ = ["cli", "project"]

PRECIOUS = "precious\n"
DECISION = ("--context", "c", "--decision", "d", "--rationale", "r", "--area", "a")

# Every command that writes a file into a folder, with the names it writes there.
WRITERS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("decision", "export", "log"): ("log", "log/index.md", "log/DEC-001-use-sqlite.md"),
    ("decision", "export", "deep/log"): ("deep", "deep/log"),
    ("config", "set", "limit", "3", "--in-project"): (".commonplace", ".commonplace/config.toml"),
    ("memory", "init", "--project"): (".nuzo", ".nuzo/config.json", ".gitignore"),
    ("export", "--path", "deep/x.jsonl", "--force"): ("deep", "deep/x.jsonl"),
    ("memory", "export", "--path", "deep/x.json"): ("deep", "deep/x.json"),
    ("backup", "deep/copy.db"): ("deep", "deep/copy.db"),
    ("remember", "x", "--store", "deep/notes.db"): ("deep", "deep/notes.db"),
    ("migrate", "book.db", "deep/notes.db"): ("deep", "deep/notes.db"),
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file").write_text(PRECIOUS)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def plants(name: str, outside: Path) -> Iterator[Path]:
    """Where a link at this name may lead: a file, a folder, nowhere yet."""
    yield outside / "file"
    yield outside
    yield outside / "not-there-yet"


def test_no_command_writes_through_a_planted_link(cli: Call, project: Path, outside: Path) -> None:
    cli("decision", "create", "Use SQLite", *DECISION, "--scope", "project").ok()
    cli("remember", "x", "--store", "book.db").ok()
    tried = 0
    for words, names in WRITERS.items():
        for name in names:
            for target in plants(name, outside):
                link = project / name
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(target)
                more = ("--scope", "project") if words[0] == "decision" else ()
                answer = cli(*words, *more)
                assert answer.code == 1, (words, name, target, answer)
                said = [line for line in answer.err.splitlines() if "Ignored: " not in line]
                assert len(said) == 1, said
                assert "is a link, and links are not followed when writing" in said[0]
                assert link.is_symlink()
                assert contents(outside) == {"file": PRECIOUS}, (words, name)
                link.unlink()
                shutil.rmtree(project / Path(name).parts[0], ignore_errors=True)
                tried += 1
    assert tried >= 50
    print(f"{tried} planted links, 0 followed")


def test_without_links_the_same_commands_write(cli: Call, project: Path) -> None:
    """Else the test above would pass for commands that never work."""
    cli("decision", "create", "Use SQLite", *DECISION, "--scope", "project").ok()
    cli("remember", "x", "--store", "book.db").ok()
    (project / "deep").mkdir()
    for words, names in WRITERS.items():
        if words[0] == "migrate":
            (project / "deep" / "notes.db").unlink()
        cli(*words, *(("--scope", "project") if words[0] == "decision" else ())).ok()
        for name in names:
            assert (project / name).exists(), name


def test_a_link_on_the_way_to_the_project_is_the_users_own(cli: Call, project: Path, tmp_path: Path) -> None:
    (tmp_path / "way").symlink_to(project)
    path = tmp_path / "way" / "x.jsonl"
    cli("remember", "Ships are grey").ok()
    cli("export", "--path", str(path)).ok()
    assert path.exists()


def test_a_book_that_is_a_link_is_read_and_not_written(cli: Call, tmp_path: Path) -> None:
    book, link = tmp_path / "book.db", tmp_path / "link.db"
    cli("remember", "Owls hunt by night", "--store", str(book)).ok()
    link.symlink_to(book)
    assert len(cli("list", "--store", str(link), "--json").ok().json["memories"]) == 1
    before = book.read_bytes()
    assert "is a link" in cli("remember", "more", "--store", str(link)).err
    assert book.read_bytes() == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal"])
def test_links_beside_a_book_are_not_written_through(cli: Call, project: Path, outside: Path, suffix: str) -> None:
    (project / f"notes.db{suffix}").symlink_to(outside / "file")
    cli("remember", "x", "--store", "notes.db")
    assert contents(outside) == {"file": PRECIOUS}


# -- the pieces -------------------------------------------------------------------------------


def test_a_new_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    path = folder / "x"
    with pytest.raises(UnicodeEncodeError), new_file(path, replace=False) as target:
        target.write("half, and then \ud800")
    assert list(folder.iterdir()) == []
    with new_file(path, replace=False) as target:
        target.write("whole")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(StoreUnwritable, match="exists already"), new_file(path, replace=False):
        pass
    assert path.read_text() == "whole"


def test_parents_count_below_the_folder_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "real" / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    refuse_links(tmp_path / "link" / "inner" / "x")
    refuse_links(tmp_path / "link" / "inner" / "x", tmp_path / "real")
    with pytest.raises(StoreUnwritable):
        refuse_links(tmp_path / "link" / "inner" / "x", tmp_path)
    with pytest.raises(StoreUnwritable):
        refuse_links(tmp_path / "real" / ".." / "link" / "x", tmp_path / "real")


def test_only_a_plain_file_is_added_to_or_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match=r"."):
        append_lines(pipe, ["x"])
    with pytest.raises(OSError, match="not a regular file"):
        read_regular(pipe, 100)
    file = tmp_path / "file"
    append_lines(file, ["a"])
    append_lines(file, ["b", "c"])
    assert read_regular(file, 6) == b"a\nb\nc\n"
    with pytest.raises(OSError, match="more than 5"):
        read_regular(file, 5)
