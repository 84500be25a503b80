"""One browser for the run, a page for each test, and at its end: nothing ran, nobody else was asked."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.running import Process, web
from tests.web.views import entered
from tests.web.watching import Watch

PATIENCE_MS = 60_000
"""How long one thing may take on a machine that does something else as well; nothing waits so long that works."""
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}

ARGUMENTS = [
    "--host-resolver-rules=MAP *.test 127.0.0.1",  # names of strangers, which lead here
    "--disable-features=LocalNetworkAccessChecks",  # what we refuse, we refuse ourselves
]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's own Chromium; a missing one is a failure here, not a reason to skip."""
    place = os.environ.get("COMMONPLACE_TEST_BROWSER") or shutil.which("chromium")
    if place is None:
        pytest.fail("There is no Chromium: run 'make test-web', or name one in COMMONPLACE_TEST_BROWSER.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=place, args=ARGUMENTS)
        yield started
        started.close()


class OpenPage(Protocol):
    def __call__(self, **options: object) -> Page: ...


class Opened(dict[Page, Watch]):
    """The pages of a test, each with what it did."""


@pytest.fixture
def pages() -> Opened:
    return Opened()


@pytest.fixture
def open_page(browser: Browser, pages: Opened) -> Iterator[OpenPage]:
    """A page in a browser of its own: nothing is shared with another but the server."""

    def open_one(**options: object) -> Page:
        given = {"viewport": DESKTOP, "locale": "en-GB", "timezone_id": "UTC", "reduced_motion": "reduce", **options}
        context = browser.new_context(**given)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        watch = Watch(context)
        page = context.new_page()
        pages[page] = watch
        return page

    yield open_one
    for page in pages:
        page.context.close()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


@pytest.fixture
def process(store: Path, tmp_path: Path) -> Iterator[Process]:
    """`commonplace web` on the test's own book, which is opened when the first thing is asked of it."""
    with web(store, tmp_path) as started:
        yield started


@pytest.fixture
def page(open_page: OpenPage, pages: Opened, process: Process) -> Iterator[Page]:
    """A page that came in by the link and is there; at the end it must have kept to itself."""
    opened = open_page()
    entered(opened, process)  # who reloads before that has used up the link
    yield opened
    pages[opened].check(process.origin)


Later = Callable[[], None]
