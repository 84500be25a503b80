"""What the page asks as it opens and as one types costs about the same in a large book as in a small one.

Counted are the steps of SQLite's own machine, not seconds.
"""

from pathlib import Path
from typing import Any

import pytest

from commonplace.api.operations import OPERATIONS, PAGE_DOOR, dialect
from commonplace.book.book import Book
from commonplace.dialect import perform
from tests.security.test_status_cost import AT_MOST, LARGE, SMALL, counted, make

API = dialect(PAGE_DOOR, OPERATIONS)
SAME = (
    ("me", {}),
    ("list", {}),
    ("list", {"order": "updated"}),
    ("show", {"id": "1"}),
    ("history", {"id": "1"}),
    ("changes", {}),
    ("review", {}),
    ("dreams", {}),
    ("sessions", {}),
    ("decisions", {}),
    ("health", {}),
)
BOUNDED = (("choices", {}),)


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("books")
    places = {name: folder / f"{name}.db" for name in ("small", "middle", "large")}
    make(places["small"], SMALL, "local")
    make(places["middle"], LARGE // 4, "local")
    make(places["large"], LARGE, "local")
    return places


def cost(place: Path, name: str, given: dict[str, Any]) -> int:
    with counted() as steps, Book.open(str(place), model="none", door=PAGE_DOOR) as book:
        answer = perform(API, book, name, given)
        assert not answer.failed, answer.text
        return sum(steps)


@pytest.mark.parametrize(("name", "given"), SAME, ids=[f"{name} {given}" for name, given in SAME])
def test_what_the_page_asks_costs_the_same_in_any_book(
    books: dict[str, Path], name: str, given: dict[str, Any]
) -> None:
    small, large = cost(books["small"], name, given), cost(books["large"], name, given)
    print(f"{name} {given}: {small:,} steps for {SMALL:,} notes, {large:,} for {LARGE:,}")
    assert large <= AT_MOST * small


@pytest.mark.parametrize(("name", "given"), BOUNDED, ids=[name for name, _ in BOUNDED])
def test_what_looks_at_the_newest_costs_no_more_from_there_on(
    books: dict[str, Path], name: str, given: dict[str, Any]
) -> None:
    middle, large = cost(books["middle"], name, given), cost(books["large"], name, given)
    print(f"{name}: {middle:,} steps for {LARGE // 4:,} notes, {large:,} for {LARGE:,}")
    assert large <= AT_MOST * middle
