"""The one mandatory store suite. Every engine runs all of it: add an engine by adding one factory."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonplace.ports import Store
from commonplace.store.postgres import PostgresStore
from commonplace.store.sqlite import SqliteStore
from tests.postgres import Server

OpenStore = Callable[[str], Store]
NewTenant = Callable[[], str]


def sqlite(request: pytest.FixtureRequest, folder: Path) -> OpenStore:
    """Opens the book of a name; the same name is the same book."""
    return lambda name: SqliteStore(folder / f"{name}.db", busy_seconds=0.2)


def postgres(request: pytest.FixtureRequest, folder: Path) -> OpenStore:
    """The same on a server, where a name stands for a database."""
    server: Server = request.getfixturevalue("postgres")
    databases: dict[str, str] = {}

    def open_one(name: str) -> Store:
        if name not in databases:
            databases[name] = server.new_database()
        return PostgresStore(server.address(databases[name]), busy_seconds=0.2)

    return open_one


ENGINES: dict[str, Callable[[pytest.FixtureRequest, Path], OpenStore]] = {"postgres": postgres, "sqlite": sqlite}


@pytest.fixture(scope="module", params=sorted(ENGINES))
def open_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenStore]:
    """Opens a book by name, as one more process would."""
    open_one = ENGINES[request.param](request, tmp_path_factory.mktemp("store"))
    yield lambda name: _keep(open_one(name))
    _close()


_opened: list[Store] = []


def _keep(store: Store) -> Store:
    _opened.append(store)
    return store


def _close() -> None:
    while _opened:
        _opened.pop().close()


@pytest.fixture(autouse=True)
def closed_afterwards() -> Iterator[None]:
    """A server has a hundred connections for all tests."""
    yield
    _close()


@pytest.fixture(scope="module")
def shared_store(open_store: OpenStore) -> Iterator[Store]:
    """One book for all examples of a module's property tests; each takes a tenant of its own."""
    store = open_store("shared")
    _opened.remove(store)  # it outlives the tests that use it
    yield store
    store.close()


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
