"""Every flow by keyboard alone: the mouse is never touched, and where the focus is can be seen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from commonplace.domain.memory import Origin, Status
from commonplace.domain.query import Filter
from commonplace.errors import NotFound
from tests.web import believable
from tests.web.conftest import PHONE, OpenPage
from tests.web.running import AGENT, Process, opened
from tests.web.views import dialog, listed, pane, rows, told
from tests.web.watching import noticed

DEPLOY = "Deploys are on Monday"
STEPS = 60  # presses of Tab that lead from anywhere to anywhere


class Mouse(Exception):
    """Somebody reached for it."""


@pytest.fixture
def keyboard(store: Path, page: Page, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A page with one memory of the person's, without a mouse."""
    with opened(store) as book:
        book.remember(DEPLOY)
    page.reload()
    listed(page)
    for name in ("click", "dblclick", "move", "down", "wheel"):
        monkeypatch.setattr(type(page.mouse), name, lambda *_, **__: (_ for _ in ()).throw(Mouse))
    return page


def focused(page: Page) -> str:
    """What the one at the focus is called, as a screen reader would say it."""
    return page.evaluate(
        """() => { const one = document.activeElement;
            return one.getAttribute('aria-label') ?? one.labels?.[0]?.innerText ?? one.innerText ?? one.tagName; }"""
    ).strip()


def to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until the focus is on what is called so; where a key has brought it must always be seen.

    A heading to which the page itself takes the focus, when what was opened is there, is no stop of Tab.
    """
    for _ in range(STEPS):
        if re.search(name, focused(page)):
            return
        page.keyboard.press(key)
        assert page.evaluate(SEEN), focused(page)
    raise AssertionError(f"Tab never leads to {name}")


SEEN = """() => {
  const one = document.activeElement;
  if (one === document.body || one.matches('h1[tabindex="-1"], h2[tabindex="-1"], h3[tabindex="-1"]')) return true;
  const box = one.getBoundingClientRect();
  const near = [one, one.parentElement, one.closest('li'), one.closest('label')].filter(Boolean)
    .map((each) => getComputedStyle(each));
  return box.width > 0 && box.height > 0 && near.some((each) =>
    (each.outlineStyle !== 'none' && parseFloat(each.outlineWidth) > 0) || each.boxShadow !== 'none');
}"""


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def said(store: Path, *statuses: Status) -> list[str]:
    with opened(store) as book:
        return sorted(memory.text for memory in book.list(Filter(book.every_scope(), statuses=statuses)).memories)


def test_search_open_read_on_and_close(store: Path, keyboard: Page) -> None:
    with opened(store) as book:
        book.remember("Releases are cut on Monday at noon")
    press(keyboard, "/")
    keyboard.keyboard.type("monday")
    expect(rows(keyboard)).to_have_count(2)
    listed(keyboard)
    press(keyboard, "ArrowDown", "Enter")
    article = pane(keyboard).get_by_role("article")
    first = article.locator(".memory-text").first
    expect(first).to_be_visible()
    words = first.inner_text()
    expect(article.get_by_role("heading", level=2)).to_be_focused()
    press(keyboard, "j")
    expect(first).not_to_have_text(words)
    press(keyboard, "Escape")
    expect(pane(keyboard).get_by_role("article")).to_have_count(0)
    assert re.search("onday", focused(keyboard))


def test_edit_and_undo(store: Path, keyboard: Page) -> None:
    press(keyboard, "j", "Enter")
    expect(pane(keyboard).get_by_role("article")).to_be_visible()
    press(keyboard, "e")
    expect(keyboard.get_by_role("textbox", name="The words")).to_be_focused()
    press(keyboard, "End")
    keyboard.keyboard.type(" and Thursday")
    press(keyboard, "Control+Enter")
    told(keyboard, "Changed")
    assert said(store, Status.ACTIVE) == [f"{DEPLOY} and Thursday"]
    press(keyboard, "Control+z")
    told(keyboard, "Taken back")
    assert said(store, Status.ACTIVE) == [DEPLOY]


def test_forget_restore_confirm_and_archive(store: Path, keyboard: Page) -> None:
    with opened(store) as book:
        book.through(AGENT.__replace__(origin=Origin.INFERRED)).remember("Reviews wait for the tide")
    keyboard.reload()
    listed(keyboard)
    press(keyboard, "j")
    press(keyboard, "y")
    told(keyboard, "Confirmed")
    with opened(store) as book:
        assert book.review(limit=10).total == 0
    press(keyboard, "#")
    told(keyboard, "Forgot")
    assert said(store, Status.FORGOTTEN) == ["Reviews wait for the tide"]
    press(keyboard, "Control+z")
    told(keyboard, "Taken back")
    press(keyboard, "Enter")
    expect(pane(keyboard).get_by_role("article")).to_be_visible()
    to(keyboard, "^More$")
    press(keyboard, "Enter")
    to(keyboard, "^Archive$")
    press(keyboard, "Enter")
    told(keyboard, "Archived")
    assert said(store, Status.ARCHIVED) == ["Reviews wait for the tide"]
    to(keyboard, "^Restore$")
    press(keyboard, "Enter")
    told(keyboard, "Restored")
    assert said(store, Status.ARCHIVED) == []


def test_remember(store: Path, keyboard: Page) -> None:
    press(keyboard, "n")
    expect(keyboard.get_by_role("textbox", name="What to remember")).to_be_focused()
    keyboard.keyboard.type("The gate opens at nine")
    to(keyboard, "^Labels and dates$")
    press(keyboard, "Enter")
    to(keyboard, "^Tags")
    keyboard.keyboard.type("gate")
    press(keyboard, "Control+Enter")
    told(keyboard, "Remembered as")
    assert "The gate opens at nine" in said(store, Status.ACTIVE)
    expect(dialog(keyboard)).to_have_count(0)


def test_supersede_and_purge(store: Path, keyboard: Page) -> None:
    with opened(store) as book:
        book.remember("Ships leave at dawn on Thursday")
    keyboard.reload()
    listed(keyboard)
    press(keyboard, "j", "j", "Enter")
    expect(pane(keyboard)).to_contain_text(DEPLOY)
    to(keyboard, "^More$")
    press(keyboard, "Enter")
    to(keyboard, "^Replace by another")
    press(keyboard, "Enter")
    asked = dialog(keyboard, "What takes the place of this memory?")
    expect(asked.get_by_role("searchbox")).to_be_focused()
    keyboard.keyboard.type("Thursday")
    expect(asked.get_by_role("radio")).to_have_count(1)
    expect(asked).to_contain_text("dawn")
    press(keyboard, "Tab", "Space")
    expect(asked.get_by_role("radio")).to_be_checked()
    to(keyboard, "^Put it in its place$")
    press(keyboard, "Enter")
    told(keyboard, "took the place of")
    assert said(store, Status.SUPERSEDED) == [DEPLOY]
    to(keyboard, "^More$")
    press(keyboard, "Enter")
    to(keyboard, "^Purge for good")
    press(keyboard, "Enter")
    expect(dialog(keyboard, "Purge this memory for good")).to_be_visible()
    to(keyboard, "^Type 1")
    keyboard.keyboard.type("1")
    press(keyboard, "Enter")
    told(keyboard, "Purged")
    with opened(store) as book, pytest.raises(NotFound):
        book.get(1)


def test_many_at_once(store: Path, keyboard: Page) -> None:
    with opened(store) as book:
        for words in ("Ships leave at dawn", "Cranes rest at night", "Lamps burn all day"):
            book.remember(words)
    keyboard.reload()
    listed(keyboard)
    press(keyboard, "j", "x", "j", "x", "j", "x")
    bar = keyboard.get_by_role("toolbar", name="What is selected")
    expect(bar).to_contain_text("3 selected")
    press(keyboard, "#")
    told(keyboard, "Forgot 3 memories")
    assert len(said(store, Status.FORGOTTEN)) == 3
    press(keyboard, "Control+z")
    told(keyboard, "Taken back")
    assert said(store, Status.FORGOTTEN) == []


def test_filters(keyboard: Page) -> None:
    to(keyboard, "^Filter$")
    press(keyboard, "Enter")
    to(keyboard, "^Preference$")
    press(keyboard, "Space")
    expect(keyboard).to_have_url(re.compile("kind=preference"))
    press(keyboard, "Escape")
    expect(rows(keyboard)).to_have_count(0)
    to(keyboard, "^Take off", "Shift+Tab")
    press(keyboard, "Enter")
    expect(rows(keyboard)).to_have_count(1)


def test_every_view_is_two_keys_away_and_the_review_is_answered(store: Path, keyboard: Page) -> None:
    believable.fill(store)
    keyboard.reload()
    listed(keyboard)
    for keys, name in (("gr", "Review"), ("gc", "Sessions"), ("gd", "Decisions"), ("gh", "Health"), ("gs", "Search")):
        press(keyboard, *keys)
        expect(keyboard.get_by_role("region", name=name, exact=True)).to_be_visible()
        expect(keyboard).to_have_title(re.compile(f"^{name}"))
    press(keyboard, "g", "c")
    expect(keyboard.get_by_role("region", name="Sessions").get_by_role("listitem")).to_have_count(1)
    press(keyboard, "j", "Enter")
    expect(pane(keyboard).get_by_role("heading", name="Session")).to_be_visible()
    to(keyboard, "^What was said$")
    press(keyboard, "Enter")
    expect(pane(keyboard).locator(".turns")).to_contain_text("harbour check runs first")
    press(keyboard, "Escape", "g", "r")
    with opened(store) as book:
        waits = book.review(limit=100).total
    assert waits > 1
    expect(keyboard.locator('[data-key="dream"]').first).to_be_attached()
    press(keyboard, "y")

    def left() -> int:
        with opened(store) as book:
            return book.review(limit=100).total

    noticed(keyboard, lambda: left() == waits - 1, "the answer is in the book")
    press(keyboard, "u")
    noticed(keyboard, lambda: left() == waits, "and taken back")


def test_history_and_why(store: Path, keyboard: Page) -> None:
    with opened(store) as book:
        book.update(1, text="Deploys are on Tuesday")
    keyboard.reload()
    listed(keyboard)
    press(keyboard, "j", "Enter")
    to(keyboard, "^History$")
    press(keyboard, "Enter")
    expect(pane(keyboard).locator("del")).to_have_text(["Monday"])
    to(keyboard, "^Why did a query find it")
    press(keyboard, "Enter", "Tab")
    keyboard.keyboard.type("when do we deploy")
    press(keyboard, "Enter")
    expect(pane(keyboard).locator("ol.stages > li").first).to_be_visible()


def test_keys_do_nothing_while_one_types(store: Path, keyboard: Page) -> None:
    press(keyboard, "j", "Enter", "/")
    keyboard.keyboard.type("#yex?njk")
    expect(keyboard.get_by_role("searchbox", name="Search memories")).to_have_value("#yex?njk")
    expect(dialog(keyboard)).to_have_count(0)
    assert said(store, Status.ACTIVE) == [DEPLOY]


def test_signing_in_and_out(process: Process, keyboard: Page) -> None:
    to(keyboard, "^Sign out$", "Shift+Tab")
    press(keyboard, "Enter")
    expect(keyboard.get_by_label("Token or address")).to_be_focused()
    keyboard.keyboard.type(process.link)
    press(keyboard, "Enter")
    expect(dialog(keyboard).get_by_role("alert")).to_contain_text("used already")


def test_on_a_phone_what_is_open_covers_the_list_and_closes(process: Process, store: Path, open_page: OpenPage) -> None:
    with opened(store) as book:
        book.remember(DEPLOY)
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(process.link)
    listed(page)
    rows(page).first.get_by_role("link").tap()
    expect(pane(page).get_by_role("article")).to_be_in_viewport()
    expect(pane(page).get_by_role("heading", level=2)).to_be_focused()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.go_back()
    expect(rows(page).first).to_be_in_viewport()
    expect(pane(page).get_by_role("article")).to_have_count(0)
