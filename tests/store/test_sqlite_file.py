"""What is true of the SQLite book only: its file, its settings, its schema."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from commonplace.domain.memory import Status
from commonplace.domain.query import Filter
from commonplace.domain.rank import Features
from commonplace.domain.record import replace
from commonplace.errors import LockTimeout, NotABook, SchemaOutdated, SchemaTooNew, StoreUnwritable
from commonplace.store.migrations import Migration
from commonplace.store.sqlite import SqliteStore
from commonplace.store.sqlite.memories import SqliteMemories
from commonplace.store.sqlite.schema import LATEST, migrations
from tests.store.making import EVERYTHING, HERE, NOW, OURS, SPACE, add


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "book.db"


def written(path: Path, **options: object) -> SqliteStore:
    store = SqliteStore(path, **options)  # type: ignore[arg-type]
    with store.writing(OURS) as unit:
        add(unit, "one")
    return store


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_opening_and_reading_create_nothing(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 0
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []
    store.close()
    assert list(tmp_path.iterdir()) == []


def test_reading_leaves_every_byte_of_the_book_as_it_is(path: Path) -> None:
    written(path).close()
    before = contents(path.parent)
    store = SqliteStore(path)
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
        list(unit.memories.each())
    list(store.upkeep.examine())
    store.close()
    assert contents(path.parent) == before


def test_a_file_that_a_first_writer_has_only_just_made_is_an_empty_book(path: Path) -> None:
    """Between making the file and filling it lies a moment, in which others may read, or the power may fail."""
    path.parent.mkdir()
    path.touch(mode=0o600)
    store = SqliteStore(path)
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 0
    with store.writing(OURS) as unit:
        add(unit, "one")
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
    store.close()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_only_its_owner_can_read_the_book(path: Path) -> None:
    store = written(path)
    files = [path.parent, *path.parent.iterdir()]
    assert len(files) == 4, "the folder, the book, its log and its shared memory"
    assert {file.name: oct(stat.S_IMODE(file.stat().st_mode) & 0o077) for file in files} == {
        file.name: "0o0" for file in files
    }
    store.close()


def test_writes_go_to_a_log_and_survive_a_power_cut(path: Path) -> None:
    store = written(path)
    with store._connections.writer() as connection:
        settings = {name: connection.pragma(name) for name in ("journal_mode", "synchronous", "secure_delete")}
    assert settings == {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}
    store.close()


def test_a_writing_block_takes_the_lock_at_its_beginning(path: Path) -> None:
    one, other = written(path), SqliteStore(path, busy_seconds=0.05)
    with one.writing(OURS), pytest.raises(LockTimeout), other.writing(OURS):
        pass
    one.close()
    other.close()


def test_a_newer_book_is_refused_untouched(path: Path) -> None:
    store = written(path)
    with store._connections.alone() as connection:
        connection.pragma("user_version", migrations()[-1].number + 1)
    store.close()
    before = contents(path.parent)
    store = SqliteStore(path)
    with pytest.raises(SchemaTooNew, match="newer"), store.reading(OURS):
        pass
    with pytest.raises(SchemaTooNew, match="newer"), store.writing(OURS):
        pass
    store.close()
    after = contents(path.parent)
    assert after[str(path)] == before[str(path)]
    assert after.get(f"{path}-wal", b"") == before.get(f"{path}-wal", b""), "nor is its log worked into it"


def test_an_older_book_is_copied_and_brought_up_by_the_first_writer(path: Path, tmp_path: Path) -> None:
    written(path).close()
    latest = migrations()[-1].number
    more = tmp_path / f"{latest + 1:03}_more.sql"
    more.write_text("CREATE TABLE more (x INTEGER) STRICT;")
    store = SqliteStore(path, steps=(*migrations(), Migration(latest + 1, more)))
    with pytest.raises(SchemaOutdated, match="upgrade"), store.reading(OURS):
        pass
    with store.writing(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
    assert store.upkeep.facts()["schema"] == str(latest + 1)
    store.close()
    copy = SqliteStore(path.with_name(f"book.db.schema-{latest}.backup"))
    with copy.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
    copy.close()


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in migrations()] == list(range(1, len(migrations()) + 1))


@pytest.mark.parametrize("content", [b"hello, I am a letter", b"\x00" * 4096, b"SQLite format 3\x00" + b"junk" * 100])
def test_a_file_that_is_no_database_is_refused_untouched(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    store = SqliteStore(path)
    with pytest.raises(NotABook), store.reading(OURS):
        pass
    with pytest.raises(NotABook), store.writing(OURS):
        pass
    store.close()
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused_untouched(path: Path) -> None:
    path.parent.mkdir()
    other = apsw.Connection(str(path))
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    before = contents(path.parent)
    store = SqliteStore(path)
    with pytest.raises(NotABook), store.reading(OURS):
        pass
    with pytest.raises(NotABook), store.writing(OURS):
        pass
    store.close()
    assert contents(path.parent) == before


def test_a_folder_is_no_book(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises((NotABook, StoreUnwritable)), store.reading(OURS):
        pass
    with pytest.raises(NotABook), store.writing(OURS):
        pass


@pytest.mark.parametrize("place", ["file/book.db", "x" * 300])
def test_a_place_that_cannot_exist_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SqliteStore(tmp_path / place)
    with pytest.raises(StoreUnwritable), store.writing(OURS):
        pass


def test_looking_for_tombstones_does_not_go_through_every_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every write looks for them: what it costs must not grow with the book."""
    store = SqliteStore(path)
    vector = b"\x00\x3c" + b"\x00" * 6
    with store.writing(OURS) as unit:
        for place in range(600):
            add(unit, f"note {place}", vector=vector)
    looked_at: list[int] = []
    features = SqliteMemories.features

    def counted(self: SqliteMemories, filter: Filter, now: int, numbers: Sequence[int]) -> dict[int, Features]:
        looked_at.append(len(numbers))
        return features(self, filter, now, numbers)

    monkeypatch.setattr(SqliteMemories, "features", counted)
    with store.reading(OURS) as unit:
        assert unit.vectors.nearest(vector, SPACE, replace(HERE, statuses=(Status.FORGOTTEN,)), NOW, 5) == ()
    assert sum(looked_at) <= 100
    store.close()


def test_the_latest_schema_is_that_of_the_last_migration() -> None:
    """The number is written down so that whoever opens a book need not list the files."""
    assert migrations()[-1].number == LATEST
