"""The page as a person finds their way in it: by roles and by what things are called."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.web.running import Process

Said = str | re.Pattern[str]


def entered(page: Page, process: Process) -> None:
    """Come in by the link, until the list is there."""
    page.goto(process.link)
    listed(page)


def view(page: Page, name: str) -> None:
    """Go to a view by its name in the list of views."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name=name).click()


def listed(page: Page) -> Locator:
    """The list of memories, when it shows what was asked for last."""
    found = page.locator('section[data-view="search"] [aria-busy]')
    expect(found).to_have_attribute("aria-busy", "false")
    return found


def rows(page: Page) -> Locator:
    """The memories that are in sight."""
    return page.get_by_role("region", name="Search").get_by_role("listitem").filter(has=page.get_by_role("checkbox"))


def row(page: Page, said: Said) -> Locator:
    """The memory in the list that says so."""
    return rows(page).filter(has_text=said)


def search(page: Page, words: str) -> None:
    """Type it as one types, and wait for what it finds."""
    field = page.get_by_role("searchbox", name="Search memories")
    field.click()
    field.fill("")
    field.press_sequentially(words)
    expect(page).to_have_url(re.compile(r"query=" if words else r"#/search"))
    listed(page)


def pane(page: Page) -> Locator:
    """What is open beside the list."""
    return page.get_by_role("complementary", name="What is open")


def open_memory(page: Page, said: Said) -> Locator:
    """Open one from the list; gives what is open then."""
    row(page, said).get_by_role("link").click()
    opened = pane(page).get_by_role("article")
    expect(opened).to_contain_text(said)
    return opened


def button(place: Page | Locator, name: Said) -> Locator:
    return place.get_by_role("button", name=name, exact=isinstance(name, str))


def more(page: Page, name: Said) -> None:
    """Something from what is done less often."""
    button(pane(page), "More").click()
    button(page.get_by_role("group", name="More to do with it"), name).click()


def dialog(page: Page, name: Said | None = None) -> Locator:
    return page.get_by_role("dialog") if name is None else page.get_by_role("dialog", name=name)


def told(page: Page, said: Said) -> Locator:
    """What was done, in the corner."""
    found = page.locator("#toast")
    expect(found).to_contain_text(said)
    return found


def undo(page: Page) -> None:
    """Take back what the corner says, until it says that it was."""
    button(page.locator("#toast"), "Undo").click()
    told(page, "Taken back")
