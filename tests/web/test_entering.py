"""Coming in and going out: a link that works once, a visit that ends, and what is said to whoever has no key."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import DAY
from tests.warm import FileClock
from tests.web.conftest import Opened, OpenPage
from tests.web.running import Process, opened, web
from tests.web.views import button, dialog, entered, listed, row, rows
from tests.web.watching import noticed

MINUTE = 60_000
KEPT = "The build runs on two cores"


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    return FileClock(tmp_path / "clock")


@pytest.fixture
def timed(store: Path, tmp_path: Path, clock: FileClock):
    """A page whose time passes when the test says so."""
    with web(store, tmp_path, **clock.environment) as process:
        yield process


def kept(store: Path) -> None:
    with opened(store) as book:
        book.remember(KEPT)


def sign_in(page: Page, token: str) -> None:
    page.get_by_label("Token or address").fill(token)
    button(page, "Sign in").click()


def test_the_link_brings_in_and_leaves_no_trace_of_its_key(store: Path, process: Process, open_page: OpenPage) -> None:
    kept(store)
    page = open_page()
    entered(page, process)
    expect(row(page, KEPT)).to_be_visible()
    key = process.link.partition("key=")[2]
    assert len(key) > 30
    assert key not in page.url
    assert key not in page.evaluate(
        "() => JSON.stringify([localStorage, sessionStorage, history.state, document.body.outerHTML])"
    )


def test_the_link_works_once(store: Path, process: Process, open_page: OpenPage) -> None:
    kept(store)
    first, second = open_page(), open_page()
    entered(first, process)
    second.goto(process.link)
    expect(dialog(second, "Sign in").get_by_role("alert")).to_have_text(
        "This link was used already: run 'commonplace web' again for a new link."
    )
    assert rows(second).count() == 0
    sign_in(second, process.link)  # pasting it is using it again
    expect(dialog(second, "Sign in").get_by_role("alert")).to_contain_text("used already")
    first.reload()
    expect(row(first, KEPT)).to_be_visible()  # who came in first is still there


def test_the_link_is_for_five_minutes(clock: FileClock, timed: Process, open_page: OpenPage) -> None:
    clock.advance(5 * MINUTE)
    page = open_page()
    page.goto(timed.link)
    expect(dialog(page, "Sign in").get_by_role("alert")).to_contain_text("five minutes, which are over")


def test_the_address_can_be_pasted(store: Path, process: Process, open_page: OpenPage) -> None:
    kept(store)
    page = open_page()
    page.goto(process.origin)
    sign_in(page, process.link)
    expect(row(page, KEPT)).to_be_visible()


def test_a_wrong_key_says_so_and_shows_nothing(store: Path, process: Process, open_page: OpenPage) -> None:
    kept(store)
    page = open_page()
    page.goto(f"{process.origin}/#/enter?key=wrong")
    expect(dialog(page, "Sign in").get_by_role("alert")).to_have_text(
        "This link belongs to a page that has ended: run 'commonplace web' again for a new link."
    )
    page.keyboard.press("Escape")
    expect(dialog(page, "Sign in")).to_be_visible()
    assert rows(page).count() == 0


def test_who_signs_out_is_out_in_every_tab_and_comes_in_no_more(
    store: Path, process: Process, open_page: OpenPage
) -> None:
    kept(store)
    page = open_page()
    entered(page, process)
    other = page.context.new_page()
    other.goto(process.origin)
    expect(row(other, KEPT)).to_be_visible()
    halves = page.evaluate("() => localStorage.getItem('commonplace.half')"), page.context.cookies()
    button(page, "Sign out").click()
    expect(dialog(page, "Sign in")).to_be_visible()
    other.reload()
    expect(dialog(other, "Sign in")).to_be_visible()
    # the server has forgotten it too, whoever kept a copy of both halves
    page.context.add_cookies(halves[1])
    status = page.evaluate(
        "(half) => fetch('/api/v1/me', {headers: {'x-commonplace-half': half}}).then((answer) => answer.status)",
        halves[0],
    )
    assert status == 401


def test_a_visit_ends_after_twelve_hours_and_what_was_typed_is_kept(
    store: Path, clock: FileClock, timed: Process, open_page: OpenPage
) -> None:
    kept(store)
    page = open_page()
    entered(page, timed)
    button(page, "Remember something").click()
    words = page.get_by_role("textbox", name="What to remember")
    words.fill("Typed before the visit ended")
    clock.advance(DAY // 2)
    button(dialog(page, "Remember something"), "Remember").click()
    expect(dialog(page, "Sign in again")).to_contain_text("What you typed is kept")
    expect(dialog(page, "Sign in again")).to_contain_text("run commonplace web")
    assert words.input_value() == "Typed before the visit ended"
    with opened(store) as book:
        assert [memory.text for memory in book.list().memories] == [KEPT]


def test_an_empty_book_says_how_to_begin_and_the_first_memory_makes_it(store: Path, page: Page) -> None:
    listed(page)
    region = page.get_by_role("region", name="Search")
    expect(region.get_by_role("heading", name="Nothing is remembered yet")).to_be_visible()
    expect(region).to_contain_text("commonplace setup")
    expect(region).to_contain_text("commonplace import")
    button(region.locator(".empty"), "Remember something").click()
    page.get_by_role("textbox", name="What to remember").fill(KEPT)
    button(dialog(page, "Remember something"), "Remember").click()
    expect(row(page, KEPT)).to_be_visible()
    with opened(store) as book:
        assert [memory.text for memory in book.list().memories] == [KEPT]
    expect(page.get_by_role("heading", name=re.compile("Nothing is remembered"))).to_have_count(0)


def test_the_page_keeps_to_itself(process: Process, page: Page, pages: Opened) -> None:
    """The check at the end of every test, once with its own eyes open: it sees what is asked."""
    listed(page)
    pages[page].check(process.origin)
    page.evaluate("() => fetch('http://canary.invalid/').catch(() => null)")
    watch = pages[page]
    noticed(page, lambda: watch.violations and watch.errors, "the policy stops it, and that is seen")
    page.evaluate("() => { canary(1); alert(2); }")
    noticed(page, lambda: watch.fired and watch.dialogs, "a canary is heard")
    for seen in (watch.violations, watch.errors, watch.fired, watch.dialogs):
        seen.clear()
