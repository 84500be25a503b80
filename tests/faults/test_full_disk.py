"""A disk that is really full: a clear sentence, reads that still answer, and a book that goes on later."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.faults.workshop import assert_sound, run_child

_MOUNT = 'mount -t tmpfs -o size=4m,mode=700 none "$0" && exec "$@"'


def assert_went_on(report: Mapping[str, Any]) -> None:
    """Reads answered while there was no space, and afterwards nothing was missing or half there."""
    assert report["get"] == report["list"] == report["recall by another"] == "done"
    assert report["later"] == "done"
    assert report["findings"] == []
    assert report["lost"] == []
    assert report["half"] == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Mapping[str, Any]:
    """What a book on a file system of four megabytes, private to its process, had to say."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("only root can mount a small disk")
    return run_child(
        "fill_disk", prefix=("unshare", "--mount", "sh", "-c", _MOUNT, str(tmp_path)), folder=str(tmp_path)
    )


def test_a_full_disk_is_a_clear_store_full_and_the_book_goes_on_when_there_is_space(
    small_disk: Mapping[str, Any],
) -> None:
    assert small_disk["error"] == "StoreFull"
    assert small_disk["message"].startswith("There is no space left for ")
    assert small_disk["message"].endswith("free some and try again.")
    assert small_disk["after"].startswith("StoreFull")
    assert_went_on(small_disk)


def test_recall_answers_on_a_full_disk_and_its_book_can_be_closed(small_disk: Mapping[str, Any]) -> None:
    assert small_disk["recall"] == "done"
    assert small_disk["close"] == "done"


def test_a_process_that_starts_on_a_full_disk_can_recall(small_disk: Mapping[str, Any]) -> None:
    assert small_disk["recall afresh"] == "done"


def test_a_file_that_may_not_grow_is_a_typed_error_and_the_book_goes_on_when_it_may(tmp_path: Path) -> None:
    report = run_child("limit_file_size", folder=str(tmp_path))
    assert report["error"] in ("StoreFull", "StoreError")
    assert report["message"].endswith(".")
    assert_went_on(report)
    assert_sound(tmp_path / "book.db")
