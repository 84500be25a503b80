"""One book shared by many threads, and by processes that were forked with it open."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.domain.query import Mode
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError
from tests.faults.workshop import assert_sound, found, note, open_book, run_child, unhealthy, word

THREADS = 16


def in_threads(count: int, act: Callable[[int], None]) -> list[str]:
    """Run the same thing in many threads, all begun at once; what they raised."""
    begin = threading.Barrier(count)
    raised: list[str] = []

    def run(number: int) -> None:
        begin.wait()
        try:
            act(number)
        except CommonplaceError as error:
            raised.append(f"{type(error).__name__}: {error}")
        except Exception as error:  # noqa: BLE001 - reported by the test
            raised.append(repr(error))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_sixteen_threads_remember_and_recall_at_once(tmp_path: Path, scaled: Callable[[int, int], int]) -> None:
    path = tmp_path / "book.db"
    items = scaled(12, 200)
    with open_book(path) as book:

        def live(thread: int) -> None:
            for item in range(items):
                memory = book.remember(note(thread, item)).memory
                assert memory.text in found(book, word(thread, item), mode=Mode.WORDS), "not found by words at once"
                assert memory.text in found(book, memory.text, mode=Mode.VECTORS), "not found by meaning at once"

        assert in_threads(THREADS, live) == []
        numbers = sorted(memory.number for memory in book.list(limit=1_000).memories)
        assert numbers == sorted(set(numbers))
        assert unhealthy(book) == []
        expected = {hit.memory.id: word(0, 0) for hit in book.recall(word(0, 0), mode=Mode.WORDS).hits}
    report = assert_sound(path, acknowledged=expected)
    assert report["rows"] == THREADS * items


def test_threads_that_change_and_purge_the_same_memories_leave_a_sound_book(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with open_book(path) as book:
        shared = [book.remember(note(99, item)).memory.id for item in range(8)]

        def quarrel(thread: int) -> None:
            for item in range(8):
                try:
                    book.update(shared[(thread + item) % 8], Changes(text=note(thread, item)))
                    if thread == 0 and item % 3 == 0:
                        book.purge(shared[item])
                except CommonplaceError as error:
                    assert error.code == "not_found"  # noqa: PT017 - whoever purged it was faster
                book.recall(word(thread, item))

        assert in_threads(THREADS, quarrel) == []
        assert unhealthy(book) == []
        alive = book.list().memories
        assert len(alive) == 5
        assert found(book, alive[0].text, mode=Mode.VECTORS) >= {alive[0].text}


def test_threads_that_open_and_close_books_on_one_file_do_not_disturb_each_other(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with open_book(path) as first:
        first.remember("The harbour opens at dawn")

    def come_and_go(thread: int) -> None:
        for item in range(4):
            with open_book(path) as book:
                book.remember(note(thread, item))
                assert found(book, word(thread, item), mode=Mode.WORDS)

    assert in_threads(8, come_and_go) == []
    assert assert_sound(path)["rows"] == 33


@pytest.mark.parametrize("leave", ["vanish", "close", "exit"])
def test_forked_children_share_the_book_and_nobody_loses_anything(leave: str, tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    report = run_child("use_after_fork", path=str(path), children=4, leave=leave)
    assert report["codes"] == [0, 0, 0, 0]
    assert report["missing"] == []
    assert report["findings"] == []
    assert len(set(report["after"])) == 10
    assert report["rows"] == 1 + 4 + 4 * 10 + 10
    expected = assert_sound(path)
    assert expected["rows"] == report["rows"]


def test_a_child_forked_inside_a_transaction_has_no_part_in_it(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    report = run_child("fork_in_a_transaction", path=str(path))
    assert report["child kept out"] == 1
    assert report["still locked"].startswith("LockTimeout")
    assert report["findings"] == []
    assert report["rows"] == 2
    assert_sound(path)


def test_a_child_forked_while_a_thread_looks_for_vectors_can_look_too(tmp_path: Path) -> None:
    """A lock that a thread held at the moment of the fork is held for ever in the child."""
    assert run_child("fork_while_a_thread_looks", path=str(tmp_path / "book.db"))["code"] == 0
