"""Books in places that can only be read: they answer, and refuse to be written in one clear sentence."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.faults.workshop import Companion, bytes_of, open_book, run_child

NOBODY = 65_534
TEXTS = [f"Memory {n}: the harbour has {n} boats" for n in range(12)]

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as somebody else")


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A book in a folder that others may look into but not write to."""
    with TemporaryDirectory(prefix="commonplace-shelf-") as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "book.db"
        with open_book(path) as book:
            for text in TEXTS:
                book.remember(text)
        path.chmod(0o644)
        yield path


def ask_as_nobody(path: Path, *deeds: str) -> dict[str, Any]:
    return dict(run_child("look_from_outside", user=NOBODY, path=str(path), deeds=deeds))


@needs_root
def test_a_book_in_a_place_that_can_only_be_read_answers_and_refuses_writes_in_one_sentence(shelf: Path) -> None:
    before = bytes_of(shelf.parent)
    report = ask_as_nobody(shelf, "recall", "list", "remember", "purge", "recall")
    assert len(report["recall"]) == 8
    assert report["list"] == sorted(TEXTS)
    for deed in ("remember", "purge"):
        assert report[deed]["error"] == "StoreUnwritable"
        assert report[deed]["message"].startswith(str(shelf))
        assert report[deed]["message"].endswith(".")
    assert bytes_of(shelf.parent) == before


@needs_root
def test_a_book_that_can_only_be_read_is_seen_as_its_owner_goes_on_writing_it(shelf: Path) -> None:
    """A copy of the pages kept from before would be stale, and wrong once the owner writes over them."""
    with Companion(shelf, user=NOBODY) as reader:
        assert len(reader.ask("texts")) == 12
        with open_book(shelf) as book:
            for number in range(40):
                book.remember(f"Written later: the lighthouse {number} is red")
            assert len(reader.ask("texts")) == 52
            book.purge(1)
            assert len(reader.ask("texts")) == 51
        assert len(reader.ask("texts")) == 51
        assert sum("lighthouse" in text for text in reader.ask("recall", query="lighthouse")) == 40


@needs_root
def test_doctor_finds_nothing_damaged_about_a_book_that_can_only_be_read(shelf: Path) -> None:
    report = ask_as_nobody(shelf, "doctor")
    assert [finding for finding in report["doctor"] if not finding.startswith("permissions")] == []


@needs_root
def test_a_book_in_a_folder_one_may_not_enter_is_a_typed_error(shelf: Path) -> None:
    shelf.parent.chmod(0o700)
    report = ask_as_nobody(shelf, "recall", "list", "remember", "doctor", "facts")
    assert {answer["error"] for answer in report.values()} == {"StoreUnwritable"}


@needs_root
def test_a_book_one_may_not_read_is_a_typed_error(shelf: Path) -> None:
    shelf.chmod(0o600)
    report = ask_as_nobody(shelf, "recall", "list", "remember", "doctor")
    assert {answer["error"] for answer in report.values()} == {"StoreUnwritable"}


@needs_root
def test_a_backup_to_a_place_that_can_only_be_read_is_a_typed_error(shelf: Path) -> None:
    report = ask_as_nobody(shelf, "backup")
    assert report["backup"]["error"] == "StoreUnwritable"


@needs_root
def test_a_new_book_in_a_place_that_can_only_be_read_is_refused_in_one_sentence(shelf: Path) -> None:
    path = shelf.parent / "deeper" / "new.db"
    report = ask_as_nobody(path, "recall", "remember")
    assert report["recall"] == []
    assert report["remember"]["error"] == "StoreUnwritable"
    assert report["remember"]["message"].startswith(str(path))


@needs_root
def test_a_book_on_a_read_only_disk_answers(shelf: Path) -> None:
    """Even root cannot write there."""
    prefix = ("unshare", "--mount", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"')
    report = run_child(
        "look_from_outside", prefix=(*prefix, str(shelf.parent)), path=str(shelf), deeds=["recall", "list", "remember"]
    )
    assert report["list"] == sorted(TEXTS)
    assert report["remember"]["error"] == "StoreUnwritable"
