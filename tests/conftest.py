"""What the engine's tests share: a clock that stands still, books in a temporary folder, a clean environment."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from commonplace.book.book import Book
from commonplace.config import CURATED_BUDGET, Settings
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Door
from commonplace.ports import LLM, Embedder, Store
from commonplace.store.sqlite import SqliteStore
from commonplace.wiring import store_at
from tests.postgres import Server, start

pytest.register_assert_rewrite("tests.faults.workshop")  # before anybody imports it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell that runs us in the background had it ignored,
    signal.signal(signal.SIGINT, signal.default_int_handler)  # and every server we start would inherit that

START = 1_767_225_600_000  # 2026-01-01T00:00:00Z
DAY = 86_400_000
HASTY = "NORMAL"  # a commit does not wait for the disk: what a power cut takes is a matter of tests/faults
FOR_TESTS = ("COMMONPLACE_TEST_", "COMMONPLACE_SOAK")  # what the Makefile tells the tests, not the engine

WEB = Path(__file__).parent / "web"  # whatever is there needs a browser
_SOAK = os.environ.get("COMMONPLACE_SOAK") == "1"

# The same examples on every run; a soak looks for new ones.
settings.register_profile(
    "tests",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("soak", settings.get_profile("tests"), derandomize=False, max_examples=2_000)
settings.load_profile("soak" if _SOAK else "tests")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is long by nature, or measures time, runs in a soak only; what needs a browser, in `make test-web` only."""
    for item in items:
        if WEB in item.path.parents:
            item.add_marker("web")
    if config.getoption("markexpr"):
        return
    apart = ("web",) if _SOAK else ("web", "soak")
    elsewhere = [item for item in items if any(map(item.get_closest_marker, apart))]
    if elsewhere:
        config.hook.pytest_deselected(items=elsewhere)
        items[:] = [item for item in items if item not in elsewhere]


NOT_RUN = "NOT RUN: "  # a skip whose reason begins so is said aloud at the end


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What could not be tried on this machine must not pass unnoticed."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple)}
    for reason in sorted(reasons):
        if NOT_RUN in reason:
            terminalreporter.write_line(reason.removeprefix("Skipped: "), yellow=True, bold=True)


class ManualClock:
    """Time that passes only when told to. Milliseconds UTC, like the engine's own clock."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, milliseconds: int = 0, *, seconds: int = 0, days: int = 0) -> int:
        self.now += milliseconds + 1_000 * seconds + DAY * days
        return self.now


OpenBook = Callable[..., Book]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server with pgvector, started when the first test asks for it."""
    server = start()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def either_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store, of one engine and then of the other."""
    place = str(tmp_path / "book.db")
    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        place = server.address(server.new_database())
    made = store_at(place, Settings())
    yield made
    made.close()


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test sees the developer's home, settings or time zone; gives the home it sees instead."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("COMMONPLACE_", "NUZO_", "XDG_")) and not name.startswith(FOR_TESTS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield home
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def open_book(tmp_path: Path, clock: ManualClock) -> Iterator[OpenBook]:
    """Opens books in the test's own folder; the same name is the same file. All are closed at the end."""
    opened: list[Book] = []

    def open_one(
        name: str = "book.db",
        *,
        embedder: Embedder | None = None,
        principal: Principal = Principal(),
        door: Door = Door(),
        project_root: Path | None = None,
    ) -> Book:
        store = SqliteStore(tmp_path / name, synchronous=HASTY)
        book = Book.over(store, principal, embedder, clock, door, project_root)
        opened.append(book)
        return book

    yield open_one
    for book in opened:
        book.close()


def having(
    book: Book, *, llm: LLM | None = None, replaced: tuple[Embedder, ...] = (), curated_budget: int = CURATED_BUDGET
) -> Book:
    """The same book with other models or another budget."""
    caller = book._caller
    models = replace(caller.models, llm=llm, replaced=replaced)
    return Book(replace(caller, models=models, limits=replace(caller.limits, curated_budget=curated_budget)))


@pytest.fixture
def book(open_book: OpenBook) -> Book:
    """One empty book that looks by words."""
    return open_book()
