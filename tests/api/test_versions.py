"""A book of another version is no fault of the server: the page says in one sentence what to do about it."""

import shutil
from pathlib import Path

import apsw
import pytest

from tests.api.conftest import page_on
from tests.conftest import ManualClock

FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.mark.parametrize(("newer", "remedy"), [(False, "run 'commonplace upgrade'"), (True, "upgrade the package")])
def test_the_page_says_what_to_do_about_a_book_of_another_version(
    tmp_path: Path, clock: ManualClock, newer: bool, remedy: str
) -> None:
    place = tmp_path / "book.db"
    shutil.copy(FIXTURES / "schema-8.db", place)
    if newer:
        connection = apsw.Connection(str(place))
        connection.pragma("user_version", 10_000)
        connection.close()
    with page_on(str(place), clock) as page:
        error = page.person().refused("recall", 503, query="lamp")
    assert error["code"] == ("schema_too_new" if newer else "schema_outdated")
    assert remedy in error["message"]
