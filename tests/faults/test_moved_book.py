"""A book moved away or deleted under a running process: it goes on with what is at the path, never with a ghost."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from commonplace.domain.query import Mode
from commonplace.errors import CommonplaceError
from tests.faults.workshop import Companion, assert_sound, found, open_book, texts, unhealthy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A book with one memory, closed."""
    place = tmp_path / "book.db"
    with open_book(place) as book:
        book.remember("The harbour opens at dawn")
    return place


def move(path: Path, target: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(f"{path}{suffix}"):
            os.rename(f"{path}{suffix}", f"{target}{suffix}")


def delete(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def test_after_the_book_was_moved_away_the_next_write_begins_a_new_one(path: Path, tmp_path: Path) -> None:
    away = tmp_path / "away.db"
    with open_book(path) as book:
        assert len(texts(book)) == 1
        move(path, away)
        assert texts(book) == set()
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}
        assert unhealthy(book) == []
    assert assert_sound(path)["texts"] == ["The boats are blue"]
    assert assert_sound(away)["texts"] == ["The harbour opens at dawn"]


def test_after_the_book_was_deleted_the_next_write_begins_a_new_one(path: Path) -> None:
    with open_book(path) as book:
        book.remember("The tide is low at noon")
        delete(path)
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}
    assert assert_sound(path)["texts"] == ["The boats are blue"]


def test_after_only_the_main_file_was_deleted_the_next_write_begins_a_new_one(path: Path) -> None:
    """Who removes `book.db` by hand seldom thinks of the log beside it."""
    with open_book(path) as book:
        book.remember("The tide is low at noon")
        path.unlink()
        assert texts(book) == set()
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}
        assert unhealthy(book) == []
    assert assert_sound(path)["texts"] == ["The boats are blue"]


def test_a_log_without_its_book_does_not_haunt_a_new_one(path: Path) -> None:
    """The last writer was killed and the main file was deleted by hand: its log belongs to nothing."""
    with Companion(path) as other:
        other.ask("remember", text="The tide is low at noon")
        other.kill()
    path.unlink()
    assert os.path.getsize(f"{path}-wal") > 0
    with open_book(path) as book:
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}
        assert unhealthy(book) == []


def test_a_book_put_in_the_place_of_another_is_read_and_written(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with open_book(other) as book:
        book.remember("Lemons grow behind the mill")
    with open_book(path) as book:
        book.remember("The tide is low at noon")
        delete(path)
        move(other, path)
        assert texts(book) == {"Lemons grow behind the mill"}
        book.remember("The boats are blue")
        assert texts(book) == {"Lemons grow behind the mill", "The boats are blue"}
    assert assert_sound(path)["rows"] == 2


def test_the_vectors_of_a_book_that_was_moved_away_are_forgotten(path: Path, tmp_path: Path) -> None:
    """Numbers begin again in the new book: the old vectors would be taken for those of other memories."""
    with open_book(path) as book:
        assert found(book, "harbour", mode=Mode.VECTORS, min_relevance=0.0) == {"The harbour opens at dawn"}
        move(path, tmp_path / "away.db")
        book.remember("Lemons grow behind the mill")
        hits = book.recall("Lemons grow behind the mill", mode=Mode.VECTORS, min_relevance=0.0).hits
        assert [round(hit.vector_score or 0.0, 2) for hit in hits] == [1.0]


def test_a_reader_that_was_busy_while_the_book_was_moved_is_not_used_again(path: Path, tmp_path: Path) -> None:
    with open_book(path) as book:
        with book._caller.store.reading("local") as busy:
            move(path, tmp_path / "away.db")
            book.remember("The boats are blue")
            assert [memory.text for memory, _, _ in busy.memories.each()] == ["The harbour opens at dawn"]
        for _ in range(3):
            assert texts(book) == {"The boats are blue"}


def test_a_book_moved_away_in_the_middle_of_a_write_is_a_typed_error_or_the_write_is_there(
    path: Path, tmp_path: Path
) -> None:
    """Another thread reads and notices the move while the writer is still at work on the file that went."""
    outcome: list[str] = []
    with open_book(path) as book:
        inside, go_on = threading.Event(), threading.Event()

        def write() -> None:
            try:
                with book._caller.store.writing("local") as unit:
                    memory = unit.memories.by_number(1)
                    inside.set()
                    go_on.wait()
                    assert memory is not None
                    unit.memories.replace(memory, memory.updated_at)
            except CommonplaceError:
                outcome.append("typed")
            except Exception as error:  # noqa: BLE001 - reported by the test
                outcome.append(repr(error))
            else:
                outcome.append("done")

        writer = threading.Thread(target=write)
        writer.start()
        inside.wait()
        move(path, tmp_path / "away.db")
        assert texts(book) == set()
        go_on.set()
        writer.join()
        assert outcome in (["typed"], ["done"])
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}


def test_a_book_deleted_while_another_process_has_it_open_is_begun_anew_by_both(path: Path) -> None:
    with open_book(path) as book, Companion(path) as other:
        book.remember("The tide is low at noon")
        assert len(other.ask("texts")) == 2
        delete(path)
        other.ask("remember", text="The boats are blue")
        book.remember("Lemons grow behind the mill")
        assert texts(book) == {"The boats are blue", "Lemons grow behind the mill"}
        assert other.ask("texts") == sorted(texts(book))
        assert unhealthy(book) == []


def test_a_folder_that_vanished_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "er"
    with open_book(folder / "book.db") as book:
        book.remember("The harbour opens at dawn")
        shutil.rmtree(tmp_path / "deep")
        assert texts(book) == set()
        book.remember("The boats are blue")
        assert texts(book) == {"The boats are blue"}
