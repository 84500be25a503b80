"""What the programs share that look at the page: the system's browser, and `commonplace web` on a book."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, sync_playwright

STOP_SECONDS = 30
Size = tuple[int, int]
Scheme = Literal["light", "dark"]


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's own Chromium without a window; a sentence where there is none."""
    place = os.environ.get("COMMONPLACE_TEST_BROWSER") or shutil.which("chromium")
    if place is None:
        raise SystemExit("There is no Chromium: '.ci/browser' installs it, or name one in COMMONPLACE_TEST_BROWSER.")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=place)
        yield started
        started.close()


@contextmanager
def page_of(store: Path, home: Path, **variables: str) -> Iterator[str]:
    """`commonplace web` on a book as a process of its own; gives the link that works once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMMONPLACE_", "XDG_"))}
    given = {"COMMONPLACE_MODEL": "none", "HOME": str(home), "COMMONPLACE_STORE": str(store), **variables}
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "web", "--no-open", "--json"],
        cwd=home,
        env={**kept, **given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        if not line:
            raise SystemExit("'commonplace web' did not start.")
        yield str(json.loads(line)["link"])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(STOP_SECONDS)
        process.stdout.close()


def entered(
    browser: Browser, link: str, size: Size = (1280, 800), scheme: Scheme = "light", scale: int = 1
) -> BrowserContext:
    """A browser of its own in which the person came in by the link."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        device_scale_factor=scale,
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(link)
    page.locator('section[data-view="search"] [aria-busy="false"]').wait_for()
    page.close()
    return context
