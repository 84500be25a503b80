"""What keeps a page from being used without eyes or without a mouse: axe finds nothing serious in any view."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web import believable
from tests.web.conftest import DESKTOP, PATIENCE_MS, PHONE
from tests.web.running import Process, web
from tests.web.views import button, dialog, listed, pane, search, view

AXE = "COMMONPLACE_TEST_AXE"
GRAVE = ("serious", "critical")
RUN = """(rules) => axe.run(document, {resultTypes: ['violations'], ...(rules && {runOnly: rules})})
  .then((found) => found.violations.map((each) => ({
    id: each.id, impact: each.impact, help: each.help, where: each.nodes.map((node) => node.html.slice(0, 160))})))"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, str, dict[str, object]]]:
    folder = tmp_path_factory.mktemp("axe")
    id = believable.fill(folder / "book.db")
    with web(folder / "book.db", folder) as process:
        yield process, id, {}


@pytest.fixture(scope="module")
def axe() -> str:
    place = os.environ.get(AXE)
    assert place, f"axe-core is missing: run 'make test-web', or name its axe.min.js in {AXE}"
    return Path(place).read_text(encoding="utf-8")


@pytest.fixture(
    params=[(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")],
    ids=lambda p: f"{p[0]['width']} {p[1]}",
)
def looked(
    browser: Browser, shown: tuple[Process, str, dict[str, object]], request: pytest.FixtureRequest
) -> Iterator[Page]:
    """Signed in once for the file; the policy is put aside only so that axe can be put in."""
    process, _, kept = shown
    size, scheme = request.param
    options = {"viewport": size, "color_scheme": scheme, "bypass_csp": True, "reduced_motion": "reduce"}
    context = browser.new_context(**options, **({"storage_state": kept["state"]} if kept else {}))  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(process.origin if kept else process.link)
    listed(page)
    kept.setdefault("state", context.storage_state())
    yield page
    context.close()


def opened(page: Page) -> None:
    page.get_by_role("region", name="Search").get_by_role("link").filter(has_text=believable.OPEN).click()
    expect(pane(page).get_by_role("article")).to_contain_text(believable.OPEN)


def with_history(page: Page) -> None:
    opened(page)
    article = pane(page).get_by_role("article")
    article.get_by_text("History", exact=True).click()
    expect(article.locator("del").first).to_be_visible()
    article.get_by_text("Why did a query find it, or not?").click()
    article.get_by_role("searchbox").or_(article.get_by_role("textbox")).last.fill("when do we deploy")
    button(article, "Tell").click()
    expect(article.locator("ol.stages > li").first).to_be_visible()


def editing(page: Page) -> None:
    opened(page)
    button(pane(page), "Edit").click()
    expect(page.get_by_role("textbox", name="The words")).to_be_visible()


def menu(page: Page) -> None:
    opened(page)
    button(pane(page), "More").click()


def purging(page: Page) -> None:
    menu(page)
    button(page, "Purge for good…").click()
    expect(dialog(page, "Purge this memory for good")).to_be_visible()


def superseding(page: Page) -> None:
    menu(page)
    button(page, "Replace by another…").click()
    expect(dialog(page).get_by_role("radio").first).to_be_visible()


def chosen(page: Page) -> None:
    page.get_by_role("region", name="Search").get_by_role("checkbox").first.check()
    expect(page.get_by_role("toolbar", name="What is selected")).to_be_visible()


def filters(page: Page) -> None:
    button(page, "Filter").click()
    expect(page.get_by_role("group", name="Kind")).to_be_visible()


def remembering(page: Page) -> None:
    button(page.get_by_role("search"), "Remember something").click()
    dialog(page, "Remember something").get_by_text("Labels and dates").click()


def nothing(page: Page) -> None:
    search(page, "zeppelin quokka")


def reviewing(page: Page) -> None:
    view(page, re.compile("Review"))
    expect(page.locator('[data-key="dream"]').first).to_be_attached()


def leave_for_later(page: Page, until: str) -> None:
    """Go on in the queue: on a phone there is no list of it to press on."""
    card = page.get_by_role("region", name="What to decide on")
    for _ in range(30):
        if until in card.inner_text():
            return
        page.keyboard.press("j")
        expect(card).not_to_contain_text("Looking at what")
    raise AssertionError(f"nothing in the queue says {until}")


def pairing(page: Page) -> None:
    reviewing(page)
    leave_for_later(page, "contradict")


def dreaming(page: Page) -> None:
    reviewing(page)
    leave_for_later(page, "A dream tidies")


def all_of_it(page: Page) -> None:
    reviewing(page)
    page.keyboard.press("a")
    expect(dialog(page)).to_be_visible()


def session(page: Page) -> None:
    view(page, "Sessions")
    page.get_by_role("region", name="Sessions").get_by_role("link").first.click()
    article = pane(page).get_by_role("article")
    article.get_by_text("What was said", exact=True).click()
    expect(article.locator(".turns li").first).to_be_visible()


def decision(page: Page) -> None:
    view(page, "Decisions")
    page.get_by_role("region", name="Decisions").get_by_role("link").first.click()
    expect(pane(page).get_by_role("article")).to_contain_text("How it went on")


def health(page: Page) -> None:
    view(page, "Health")
    button(page, "Examine the book").click()
    expect(page.locator(".checks li").first).to_be_visible()


def keys(page: Page) -> None:
    page.keyboard.press("?")
    expect(dialog(page, "Keys")).to_be_visible()


def undone(page: Page) -> None:
    opened(page)
    page.keyboard.press("Control+z")
    expect(page.locator("#toast")).not_to_be_empty()


def signed_out(page: Page) -> None:
    page.evaluate("() => localStorage.removeItem('commonplace.half')")
    page.reload()
    expect(dialog(page, "Sign in")).to_be_visible()


VIEWS: Mapping[str, Callable[[Page], object]] = {
    each.__name__: each
    for each in (
        listed, opened, with_history, editing, menu, purging, superseding, chosen, filters, remembering, nothing,
        reviewing, pairing, dreaming, all_of_it, session, decision, health, keys, undone, signed_out,
    )
}  # fmt: skip


def test_axe_finds_nothing_serious_in_any_view(looked: Page, axe: str) -> None:
    found: dict[str, list[object]] = {}
    start = looked.url
    is_dark = looked.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    rules = ["color-contrast"] if is_dark else None  # the rest is the same by day and by night
    for name, go in VIEWS.items():
        looked.goto("about:blank")
        looked.goto(start)
        listed(looked)
        go(looked)
        looked.evaluate(axe)
        grave = [each for each in looked.evaluate(RUN, rules) if each["impact"] in GRAVE]
        if grave:
            found[name] = grave
    assert found == {}


def test_axe_would_find_something(looked: Page, axe: str) -> None:
    looked.evaluate("() => document.body.append(document.createElement('button'))")
    looked.evaluate(axe)
    assert [each["id"] for each in looked.evaluate(RUN) if each["impact"] in GRAVE] == ["button-name"]
