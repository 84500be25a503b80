"""Older and newer books: brought up once, copied first, never left between two schemas, never touched when newer."""

import json
import random
import shutil
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.errors import SchemaOutdated, SchemaTooNew, StoreError
from commonplace.store.sqlite.schema import migrations
from tests.faults.workshop import (
    ROOT,
    Companion,
    assert_sound,
    bytes_of,
    found,
    open_book,
    run_child,
    spawn,
    texts,
    unhealthy,
)
from tests.waiting import kill_after

FIXTURES = sorted((ROOT / "tests" / "fixtures").glob("schema-*.db"))
PRESENT = migrations()[-1].number
WRITERS = 6

NEXT_STEP = (
    "ALTER TABLE memories ADD COLUMN mood TEXT; CREATE TABLE moods (mood TEXT); INSERT INTO moods VALUES ('calm');"
)
SLOW_ROWS = 60_000
SLOW_STEP = f"""
ALTER TABLE memories ADD COLUMN mood TEXT;
CREATE TABLE moods (number INTEGER PRIMARY KEY, mood TEXT);
INSERT INTO moods
WITH RECURSIVE counter (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counter WHERE number < {SLOW_ROWS})
SELECT number, 'calm and ' || number FROM counter;
CREATE INDEX moods_by_mood ON moods (mood);
UPDATE memories SET mood = 'calm';
"""


@pytest.fixture
def next_step(tmp_path: Path) -> Path:
    file = tmp_path / "next.sql"
    file.write_text(NEXT_STEP)
    return file


@pytest.fixture(scope="module")
def kept_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "book.db"
    with open_book(path) as book:
        for day in range(30):
            book.remember(f"Day {day}: the tide stood at word{day:03d}")
    return path


@pytest.fixture
def path(kept_book: Path, tmp_path: Path) -> Path:
    """A copy of a book of the present schema, which is an older one to whoever has the next step."""
    (tmp_path / "home").mkdir(mode=0o700)
    return Path(shutil.copy(kept_book, tmp_path / "home" / "book.db"))


def schema_of(path: Path) -> int:
    return int(run_sql(path, "PRAGMA user_version")[0][0])


def run_sql(path: Path, statement: str) -> list[Any]:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(10_000)
    rows = connection.execute(statement).fetchall()
    connection.close()
    return rows


# -- frozen books ----------------------------------------------------------------------------


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda file: file.stem)
def test_a_frozen_book_opens_and_holds_what_it_held(fixture: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(fixture, tmp_path / "book.db"))
    path.chmod(0o600)
    with open_book(path) as book:
        book.care.upgrade()
        assert list(book.transfer.export())[1:] == fixture.with_suffix(".jsonl").read_text("utf-8").splitlines()
        assert unhealthy(book) == []
        assert "The user prefers answers with one example" in found(book, "which answers does the user prefer?")
        assert "SQLite 3.54 is in use" in found(book, "SQLite")
        assert len(book.revisions(3)) == 4
        assert book.history(1)[0].type.value == "memory.created"
        assert [relation.reason for relation in book.relations(7)] == ["upgraded"]
        assert book.get(3).usage.count > 0
        book.remember("A new line in an old book")
        assert unhealthy(book) == []


def test_there_is_a_frozen_book_of_every_schema_since_the_first_release() -> None:
    assert FIXTURES
    assert [int(file.stem.split("-")[1]) for file in FIXTURES][-1] == PRESENT, "run python -m tests.fixtures.make"


# -- upgrading -------------------------------------------------------------------------------


def test_a_reader_of_an_older_book_is_told_so_and_writes_nothing(path: Path, next_step: Path) -> None:
    before = bytes_of(path.parent)
    book = open_book(path, next_step=next_step)
    for read in (lambda: book.recall("tide"), book.list, lambda: book.get(1)):
        with pytest.raises(SchemaOutdated) as caught:
            read()
        assert "commonplace upgrade" in caught.value.message
    (finding,) = unhealthy(book)
    assert finding.startswith("schema")
    book.close()
    assert bytes_of(path.parent) == before


def test_the_first_writer_upgrades_once_and_keeps_a_copy_that_opens(path: Path, next_step: Path) -> None:
    with open_book(path, next_step=next_step) as book:
        book.remember("The first line after the upgrade")
        book.remember("The second line after the upgrade")
        assert len(texts(book)) == 32
        assert unhealthy(book) == []
    copy = path.with_name(f"book.db.schema-{PRESENT}.backup")
    assert {file.name for file in path.parent.iterdir()} == {"book.db", copy.name}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert run_sql(path, "SELECT count(*) FROM moods") == [(1,)]
    with open_book(copy) as book:
        assert len(texts(book)) == 30
        assert unhealthy(book) == []
    with open_book(path, next_step=next_step) as book:
        book.remember("A third line")
    assert run_sql(path, "SELECT count(*) FROM moods") == [(1,)]


def test_processes_that_upgrade_the_same_book_at_once_upgrade_it_once(
    kept_book: Path, tmp_path: Path, next_step: Path, scaled: Callable[[int, int], int]
) -> None:
    processes = [spawn("create_together", worker=number) for number in range(WRITERS)]
    try:
        for process in processes:
            assert answer_of(process) == "ready"
        for attempt in range(scaled(6, 200)):
            folder = tmp_path / str(attempt)
            folder.mkdir(mode=0o700)
            path = Path(shutil.copy(kept_book, folder / "book.db"))
            asked = json.dumps({"path": str(path), "first": "write", "next_step": str(next_step)})
            for process in processes:
                assert process.stdin is not None
                process.stdin.write(asked + "\n")
                process.stdin.flush()
            answers = [answer_of(process) for process in processes]
            assert [answer["error"] for answer in answers if answer["error"]] == []
            assert run_sql(path, "SELECT count(*) FROM moods") == [(1,)]
            assert run_sql(path, "SELECT count(*) FROM memories") == [(30 + WRITERS,)]
            assert {file.suffix for file in folder.iterdir()} <= {".db", ".db-wal", ".db-shm", ".backup"}
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def answer_of(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


def test_a_kill_in_the_middle_of_an_upgrade_leaves_the_old_schema_or_the_new(
    kept_book: Path, tmp_path: Path, scaled: Callable[[int, int], int]
) -> None:
    step = tmp_path / "slow.sql"
    step.write_text(SLOW_STEP)
    chance = random.Random(99)
    duration = upgrade_and_kill(kept_book, tmp_path / "whole", step, None)
    seen = set()
    for attempt in range(scaled(8, 200)):
        folder = tmp_path / str(attempt)
        upgrade_and_kill(kept_book, folder, step, chance.random() * duration)
        path = folder / "book.db"
        schema = schema_of(path)
        seen.add(schema)
        tables = {name for (name,) in run_sql(path, "SELECT name FROM sqlite_master")}
        assert schema in (PRESENT, PRESENT + 1)
        assert ("moods" in tables) == ("moods_by_mood" in tables) == (schema > PRESENT)
        if schema > PRESENT:
            assert run_sql(path, "SELECT count(*) FROM moods") == [(SLOW_ROWS,)]
        assert run_sql(path, "SELECT count(*) FROM memories") == [(30,)]
        assert run_sql(path, "PRAGMA integrity_check") == [("ok",)]
        for copy in folder.glob("*.backup"):
            with open_book(copy) as book:
                assert len(texts(book)) == 30
        if attempt % 8 == 0:
            run_child("upgrade", path=str(path), next_step=str(step))
            assert run_sql(path, "SELECT count(*) FROM moods") == [(SLOW_ROWS,)]
        shutil.rmtree(folder)
    assert PRESENT in seen, "no kill landed inside an upgrade: the test tests nothing"


def upgrade_and_kill(source: Path, folder: Path, step: Path, after_seconds: float | None) -> float:
    """Upgrade a copy in another process and kill it after a while; how long an upgrade takes when it is not killed."""
    folder.mkdir(mode=0o700)
    path = shutil.copy(source, folder / "book.db")
    process = spawn("upgrade", path=str(path), next_step=str(step))
    assert answer_of(process) == "begin"
    begun = time.monotonic()
    if after_seconds is None:
        assert answer_of(process) == [PRESENT, PRESENT + 1]
    else:
        kill_after(process.pid, after_seconds)
    elapsed = time.monotonic() - begun
    process.communicate()
    return elapsed


def test_what_a_killed_upgrade_left_lying_about_does_not_stay(kept_book: Path, tmp_path: Path) -> None:
    """An unfinished copy holds everything the book holds: the next upgrade clears it away."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    path = Path(shutil.copy(kept_book, folder / "book.db"))
    killed = subprocess.Popen(["true"])
    killed.wait()
    partial = folder / f"book.db.schema-{PRESENT}.backup.{killed.pid}.partial"
    shutil.copy(kept_book, partial)
    step = tmp_path / "next.sql"
    step.write_text(NEXT_STEP)
    with open_book(path, next_step=step) as book:
        book.care.upgrade()
    assert not partial.exists()


def test_a_step_that_fails_leaves_the_book_as_it_was(path: Path, tmp_path: Path) -> None:
    step = tmp_path / "broken.sql"
    step.write_text("CREATE TABLE moods (mood TEXT); INSERT INTO nowhere VALUES (1);")
    with open_book(path, next_step=step) as book, pytest.raises(StoreError):
        book.remember("This cannot be written")
    assert schema_of(path) == PRESENT
    assert_sound(path)


def test_an_older_backup_is_upgraded_when_it_is_restored(path: Path, next_step: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    with open_book(path) as book:
        book.care.backup(str(backup))
    with open_book(path, next_step=next_step) as book:
        book.remember("Written after the upgrade")
        book.care.restore(str(backup))
        assert len(texts(book)) == 30
        assert unhealthy(book) == []
    assert schema_of(path) == PRESENT + 1


# -- newer books -----------------------------------------------------------------------------


@pytest.fixture
def newer(path: Path, next_step: Path) -> Path:
    with open_book(path, next_step=next_step) as book:
        book.care.upgrade()
    return path


def test_a_newer_book_is_refused_and_left_byte_for_byte(newer: Path) -> None:
    before = bytes_of(newer.parent)
    book = open_book(newer)
    for act in (
        lambda: book.recall("tide"),
        book.list,
        lambda: book.remember("This cannot be written"),
        lambda: book.purge(1),
        book.care.reset,
        lambda: list(book.care.repair()),
    ):
        with pytest.raises(SchemaTooNew) as caught:
            act()
        assert "upgrade the package" in caught.value.message
    (finding,) = unhealthy(book)
    assert finding.startswith("schema")
    book.close()
    assert bytes_of(newer.parent) == before


def test_a_newer_book_with_a_log_is_left_byte_for_byte(newer: Path, next_step: Path) -> None:
    """Its last writer was killed, and what it wrote is in the log: that is for a newer version to clear up."""
    with Companion(newer, next_step=str(next_step)) as other:
        other.ask("remember", text="The last words of a newer version")
        other.kill()
    before = {name: content for name, content in bytes_of(newer.parent).items() if not name.endswith("-shm")}
    assert len(before["book.db-wal"]) > 0
    book = open_book(newer)
    for act in (book.list, lambda: book.remember("This cannot be written")):
        with pytest.raises(SchemaTooNew):
            act()
    book.close()
    after = {name: content for name, content in bytes_of(newer.parent).items() if not name.endswith("-shm")}
    assert after == before


def test_a_book_upgraded_by_another_process_is_not_written_to_any_more(path: Path, next_step: Path) -> None:
    """A long-running older version has the book open; it must notice, or it writes what the newer one cannot read."""
    with open_book(path) as book:
        book.remember("Written while the schema was ours")
        texts(book)
        with Companion(path, next_step=str(next_step)) as other:
            other.ask("remember", text="Written by a newer version")
        with pytest.raises(SchemaTooNew):
            book.remember("Written into a schema that this version does not know")
        with pytest.raises(SchemaTooNew):
            book.list()


def test_a_newer_backup_is_refused_and_the_book_stays(kept_book: Path, newer: Path, tmp_path: Path) -> None:
    mine = Path(shutil.copy(kept_book, tmp_path / "mine.db"))
    with open_book(mine) as book:
        with pytest.raises(SchemaTooNew):
            book.care.restore(str(newer))
        assert len(texts(book)) == 30
