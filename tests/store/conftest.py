"""The one mandatory store suite. Every engine runs all of it: add an engine by adding one factory."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.ports import Store
from commonplace.store.sqlite import SqliteStore

OpenStore = Callable[[str], Store]
NewTenant = Callable[[], str]


def sqlite(folder: Path) -> OpenStore:
    """Opens the book of a name; the same name is the same book."""
    return lambda name: SqliteStore(folder / f"{name}.db", busy_seconds=0.2)


ENGINES: dict[str, Callable[[Path], OpenStore]] = {"sqlite": sqlite}


@pytest.fixture(scope="module", params=sorted(ENGINES))
def open_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenStore]:
    """Opens a book by name, as one more process would. Everything is closed at the end."""
    open_one = ENGINES[request.param](tmp_path_factory.mktemp("store"))
    opened: list[Store] = []

    def open_and_keep(name: str) -> Store:
        opened.append(open_one(name))
        return opened[-1]

    yield open_and_keep
    for store in opened:
        store.close()


@pytest.fixture(scope="module")
def shared_store(open_store: OpenStore) -> Store:
    """One book for all examples of a module's property tests; each takes a tenant of its own."""
    return open_store("shared")


@pytest.fixture(scope="module")
def new_tenant() -> NewTenant:
    """A tenant nobody has used yet: as good as an empty book, and much faster to have."""
    names = itertools.count(1)
    return lambda: f"tenant-{next(names)}"


@pytest.fixture
def book_name(request: pytest.FixtureRequest) -> str:
    """A name that no other test's book has."""
    return f"book-{abs(hash(request.node.nodeid))}"


@pytest.fixture
def store(open_store: OpenStore, book_name: str) -> Store:
    """One empty book."""
    return open_store(book_name)
