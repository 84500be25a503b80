"""Files that are not books, and books that are damaged: one clear sentence each, and nothing lost."""

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.domain.query import Mode
from commonplace.engine.lifecycle import Changes
from commonplace.errors import (
    BookDamaged,
    CommonplaceError,
    IndexCorrupted,
    NotABook,
    StoreError,
    StoreUnwritable,
)
from tests.faults.workshop import bytes_of, found, open_book, texts, unhealthy

TEXTS = [f"Memory {n}: the harbour has {n} boats and a word{n:03d} of its own" for n in range(60)]


@pytest.fixture(scope="module")
def whole_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "book.db"
    with open_book(path) as book:
        for text in TEXTS:
            book.remember(text, tags=["boat"], category="harbour")
        book.update(1, Changes(importance=0.9))
    return path


@pytest.fixture
def path(whole_book: Path, tmp_path: Path) -> Path:
    """A copy of a sound book with sixty memories, with no connection open on it."""
    return Path(shutil.copy(whole_book, tmp_path / "book.db"))


def assert_one_sentence(error: CommonplaceError, path: Path) -> None:
    assert str(path) in error.message
    assert "\n" not in error.message
    assert error.message.endswith(".")
    assert ": " in error.message, "it does not say what to do"


def everything(book: Book) -> Iterator[Callable[[], object]]:
    """A read of every kind, then a write."""
    yield lambda: book.recall("harbour")
    yield book.list
    yield lambda: book.get(1)
    yield lambda: list(book.care.doctor())
    yield lambda: book.remember("The lighthouse is red")


# -- not a book ------------------------------------------------------------------------------


def a_text_file(path: Path) -> None:
    path.write_text("Dear diary, today I was not a database.\n" * 100)


def a_short_text_file(path: Path) -> None:
    path.write_text("hi")


def a_foreign_database(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute(
        "CREATE TABLE memories (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO memories VALUES (1, 'mine')"
    )
    connection.close()


def a_foreign_database_with_a_version(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("user_version", 1)
    connection.pragma("application_id", 0x47504B47)
    connection.close()


@pytest.mark.parametrize(
    "make", [a_text_file, a_short_text_file, a_foreign_database, a_foreign_database_with_a_version]
)
def test_a_file_that_is_not_a_book_is_refused_and_left_as_it_is(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    make(path)
    before = bytes_of(tmp_path)
    book = open_book(path)
    for act in everything(book):
        with pytest.raises(NotABook) as caught:
            act()
        assert_one_sentence(caught.value, path)
    book.close()
    assert bytes_of(tmp_path) == before


def test_a_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "folder"
    path.mkdir()
    book = open_book(path)
    for act in everything(book):
        with pytest.raises((NotABook, StoreUnwritable)) as caught:
            act()
        assert_one_sentence(caught.value, path)
    book.close()
    assert list(path.iterdir()) == []


@pytest.mark.parametrize("tail", ["below/book.db", "x" * 300])
def test_a_path_that_cannot_exist_is_a_typed_error(tail: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    path = tmp_path / "file" / tail if "/" in tail else tmp_path / tail
    book = open_book(path)
    for act in everything(book):
        with pytest.raises(StoreError) as caught:
            act()
        assert_one_sentence(caught.value, path)
    book.close()


def test_an_empty_file_is_a_book_without_memories_yet(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    path.touch(mode=0o600)
    with open_book(path) as book:
        assert found(book, "harbour") == set()
        assert texts(book) == set()
        book.remember("The lighthouse is red")
        assert texts(book) == {"The lighthouse is red"}
        assert unhealthy(book) == []


def test_a_book_that_does_not_exist_is_not_made_by_reading(tmp_path: Path) -> None:
    with open_book(tmp_path / "new" / "book.db") as book:
        for read in list(everything(book))[:2]:
            read()
        assert unhealthy(book) == []
    assert list(tmp_path.iterdir()) == []


def test_a_book_made_by_another_process_between_two_looks_is_not_taken_for_a_foreign_one(tmp_path: Path) -> None:
    """A reader looks at a new file's numbers, then at its tables; a writer may finish making it in between."""
    path = tmp_path / "book.db"
    path.touch(mode=0o600)
    waiting = [path]

    def make_the_book(_cursor: object, statement: str, _bindings: object) -> bool:
        if waiting and "sqlite_master" in statement:
            maker = open_book(waiting.pop())
            maker.remember("The lighthouse is red")
            maker.close()
        return True

    def watch(connection: apsw.Connection) -> None:
        connection.exec_trace = make_the_book

    apsw.connection_hooks.append(watch)
    try:
        with open_book(path) as book:
            book.remember("The harbour opens at dawn")
    finally:
        apsw.connection_hooks.remove(watch)
    with open_book(path) as book:
        assert len(texts(book)) == 1 + (not waiting)


# -- damage ----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [0.5, 0.9, 100, 4_096, 50_000, -3_000])
def test_a_truncated_book_is_a_typed_error_and_is_not_written_to(size: float, path: Path) -> None:
    whole = len(path.read_bytes().rstrip(b"\0"))  # what follows is the empty end of a page, and nobody's loss
    os.truncate(path, int(size * whole) if 0 < size < 1 else int(size) % whole)
    with open_book(path) as book:
        seen = damage_seen(book)
        assert seen, "nobody noticed"
        for error in seen:
            assert "\n" not in error


def damage_seen(book: Book) -> list[str]:
    """What reading everything and asking doctor say; anything but typed errors escapes to the test."""
    seen: list[str] = []
    for act in (
        lambda: found(book, "harbour"),
        lambda: texts(book),
        lambda: list(book.transfer.export()),
        lambda: book.revisions(1),
        lambda: book.history(1),
    ):
        try:
            act()
        except CommonplaceError as error:
            seen.append(error.message)
    try:
        seen += unhealthy(book)
    except CommonplaceError as error:
        seen.append(error.message)
    return seen


def flip(path: Path, place: int, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1 << bit
    path.write_bytes(content)


def contents(book: Book) -> list[str]:
    """Everything a caller can read, without the time of the export."""
    return list(book.transfer.export())[1:]


def test_a_flipped_byte_in_a_table_page_is_damage_in_one_sentence(path: Path) -> None:
    connection = apsw.Connection(str(path))
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'memories'").get
    size = connection.pragma("page_size")
    connection.close()
    flip(path, (root - 1) * size, 6)
    with open_book(path) as book:
        with pytest.raises(BookDamaged) as caught:
            texts(book)
        assert_one_sentence(caught.value, path)
        assert "restore-backup" in caught.value.message
        assert any(finding.startswith("pages") for finding in unhealthy(book))


def test_a_flipped_bit_is_noticed_or_harmless_and_never_an_untyped_error(
    path: Path, whole_book: Path, scaled: Callable[[int, int], int]
) -> None:
    with open_book(whole_book) as book:
        sound = contents(book)
    chance = random.Random(42)
    size = path.stat().st_size
    strange: list[str] = []
    for _ in range(scaled(120, 2_000)):
        place, bit = chance.randrange(size), chance.randrange(8)
        flip(path, place, bit)
        try:
            with open_book(path) as book:
                if not damage_seen(book) and contents(book) != sound:
                    strange.append(f"byte {place}, bit {bit}: changed, and nobody noticed")
        except Exception as error:  # noqa: BLE001 - anything but a typed error is what this test looks for
            strange.append(f"byte {place}, bit {bit}: {error!r}")
        shutil.copy(whole_book, path)
    assert strange == []


DAMAGE_TO_ROWS = {
    "text that is not UTF-8": "UPDATE memories SET text = CAST(x'ff80fe' AS TEXT) WHERE number = 3",
    "an unknown kind": "UPDATE memories SET kind = 'fbct' WHERE number = 3",
    "an unknown scope": "UPDATE memories SET scope = 'nowhere' WHERE number = 3",
    "tags that are not JSON": "UPDATE memories SET tags = '[\"bo' WHERE number = 3",
    "another text": "UPDATE memories SET text = 'the harbour says something else' WHERE number = 3",
    "a past that is not JSON": "UPDATE revisions SET state = '{\"text' WHERE revision = 1",
}


@pytest.mark.parametrize("damage", DAMAGE_TO_ROWS)
def test_a_row_changed_behind_our_back_is_found_by_doctor_and_raises_nothing_untyped(damage: str, path: Path) -> None:
    run_sql(path, DAMAGE_TO_ROWS[damage])
    with open_book(path) as book:
        assert any(finding.startswith("hashes") for finding in unhealthy(book))
        for error in damage_seen(book):
            assert "\n" not in error


def run_sql(path: Path, statements: str) -> None:
    connection = apsw.Connection(str(path))
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    connection.pragma("writable_schema", True)
    for _ in connection.execute(statements):
        pass
    connection.close()


DAMAGE_TO_WORDS = {
    "its segments are gone": "DELETE FROM words_data WHERE id > 10",
    "its structure is gone": "DELETE FROM words_data",
    "its structure is rubbish": "UPDATE words_data SET block = x'00112233445566778899' WHERE id = 10",
    "a segment is rubbish": "UPDATE words_data SET block = zeroblob(length(block)) WHERE id > 10",
    "its content is gone": "DELETE FROM words_content WHERE id > 5",
    "its settings are gone": "DELETE FROM words_config",
    "entries are missing": "DELETE FROM words WHERE rowid IN (3, 4)",
    "an entry is wrong": "UPDATE words SET terms = 'nonsense' WHERE rowid = 3",
    "a shadow table is gone": "DROP TABLE words_idx",
}


@pytest.mark.parametrize("damage", DAMAGE_TO_WORDS)
def test_a_damaged_word_index_is_noticed_and_mended_and_nothing_is_lost(
    damage: str, path: Path, whole_book: Path
) -> None:
    with open_book(whole_book) as book:
        sound = contents(book)
    run_sql(path, DAMAGE_TO_WORDS[damage])
    with open_book(path) as book:
        assert unhealthy(book) != []
        try:
            found(book, "word003")
        except (IndexCorrupted, BookDamaged) as error:
            assert_one_sentence(error, path)
            assert "commonplace doctor" in error.message  # noqa: PT017 - some damage does not hinder a recall
        assert contents(book) == sound
        list(book.care.repair())
        assert unhealthy(book) == []
        assert contents(book) == sound
        assert found(book, "word003", mode=Mode.WORDS) == {TEXTS[3]}
        book.remember("The lighthouse is red")
        assert "The lighthouse is red" in found(book, "lighthouse")


@pytest.mark.parametrize("index", ["sqlite_autoindex_memories_1", "sqlite_autoindex_memories_2", "memories_by_text"])
def test_a_damaged_index_of_the_rows_is_noticed_and_mended_and_nothing_is_lost(
    index: str, path: Path, whole_book: Path
) -> None:
    """SQLite finds a row by one index and not by another: that is damage, not a bug of the caller."""
    with open_book(whole_book) as book:
        sound = contents(book)
    damage_index(path, index)
    with open_book(path) as book:
        assert damage_seen(book) != []
        for number in range(1, 20):
            with suppress(CommonplaceError):
                book.recall(f"word{number:03d}", counts_use=False)
            with suppress(CommonplaceError):
                book.get(number)
        list(book.care.repair())
        assert unhealthy(book) == []
        assert contents(book) == sound
        assert {memory.text for memory in map(book.get, range(1, 20))} == set(TEXTS[:19])


def damage_index(path: Path, index: str) -> None:
    """Change the keys of an index a little, so that what it points to is not found by them."""
    connection = apsw.Connection(str(path))
    size = connection.pragma("page_size")
    wanted = ("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (index,))
    pages = [page for (page,) in connection.execute(*wanted)]
    connection.close()
    content = bytearray(path.read_bytes())
    for page in pages:
        start = (page - 1) * size
        keys = [match.end() for match in re.finditer(b"local", content[start : start + size])]
        for place in keys[::3]:
            content[start + place] ^= 0x10
    path.write_bytes(content)


def test_a_damaged_book_can_be_replaced_by_its_backup(path: Path, whole_book: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copy(whole_book, tmp_path / "backup.db"))
    for page in range(3, path.stat().st_size // 4_096):
        flip(path, page * 4_096, 7)
    with open_book(path) as book:
        assert damage_seen(book)
        book.care.restore(str(backup))
        assert texts(book) == set(TEXTS)
        assert unhealthy(book) == []


@pytest.mark.parametrize("make", [a_text_file, a_foreign_database])
def test_a_backup_that_is_not_one_is_refused_and_the_book_stays(
    make: Callable[[Path], None], path: Path, tmp_path: Path
) -> None:
    (tmp_path / "apart").mkdir()
    backup = tmp_path / "apart" / "backup.db"
    make(backup)
    before = bytes_of(backup.parent)
    with open_book(path) as book:
        with pytest.raises(NotABook) as caught:
            book.care.restore(str(backup))
        assert_one_sentence(caught.value, backup)
        assert texts(book) == set(TEXTS)
    assert bytes_of(backup.parent) == before


def test_a_damaged_backup_is_refused_and_the_book_stays(path: Path, whole_book: Path, tmp_path: Path) -> None:
    backup = Path(shutil.copy(whole_book, tmp_path / "backup.db"))
    for page in range(3, path.stat().st_size // 4_096):
        flip(backup, page * 4_096, 7)
    with open_book(path) as book:
        with pytest.raises(BookDamaged) as caught:
            book.care.restore(str(backup))
        assert_one_sentence(caught.value, backup)
        assert texts(book) == set(TEXTS)
        assert unhealthy(book) == []
