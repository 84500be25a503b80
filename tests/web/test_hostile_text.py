"""Stored text is shown and never executed: two hundred payloads by every way in, in every view.

Each view is looked at twice: as it is served, where the policy must have had nothing to stop, and with the policy
taken away by the browser, where our own code alone stands between a text and what it wants.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.security.hostile_texts import ORDINARY, UNSEEN
from tests.web.conftest import DESKTOP, PATIENCE_MS, PHONE
from tests.web.hostile_book import SAYING, Stored, fill
from tests.web.payloads import COUNT, marker, payloads
from tests.web.running import Process, opened, web
from tests.web.views import button, dialog, listed, pane, view
from tests.web.watching import Watch

TALL = 4_000  # points, so that a list of thousands is read in few steps


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Stored]:
    folder = tmp_path_factory.mktemp("hostile")
    return folder / "book.db", fill(folder / "book.db")


class Looked:
    """A page on the hostile book, with what it did."""

    def __init__(self, page: Page, watch: Watch, process: Process, store: Path) -> None:
        self.page, self.watch, self.process, self.store = page, watch, process, store

    def go(self, address: str) -> None:
        self.page.goto("about:blank")
        self.page.goto(f"{self.process.origin}/#/{address}")

    def untouched(self) -> None:
        """Nothing ran, nobody else was asked, and the page has no element that a text brought along."""
        self.watch.check(self.process.origin)
        assert self.page.evaluate(FOREIGN_ELEMENTS) == []
        assert self.page.url.startswith(self.process.origin)


FOREIGN_ELEMENTS = """() => {
  const ours = new Set("A ARTICLE ASIDE BLOCKQUOTE BODY BUTTON CODE DATALIST DD DEL DETAILS DIALOG DIV DL DT FIELDSET \
FIGCAPTION FIGURE FORM H1 H2 H3 H4 HEAD HEADER FOOTER HR HTML INPUT INS KBD LABEL LEGEND LI LINK MAIN MARK META NAV \
NOSCRIPT OL OPTION P SCRIPT SECTION SELECT SMALL SPAN STRONG EM BDI SUMMARY TABLE TBODY TD TEXTAREA TH THEAD TIME \
TITLE TR UL PATH SVG CIRCLE RECT LINE POLYLINE".split(" "));
  const found = [];
  for (const one of document.querySelectorAll("*")) {
    if (!ours.has(one.tagName.toUpperCase())) found.push(one.tagName);
    for (const {name, value} of one.attributes) {
      if (name.startsWith("on")) found.push(`${one.tagName} ${name}`);
      if (["src", "srcdoc", "action", "formaction", "ping", "background", "poster", "srcset", "data"].includes(name)
          && !(one.tagName === "SCRIPT" && value.startsWith("/page/"))) found.push(`${one.tagName} ${name}=${value}`);
      if (["href", "xlink:href"].includes(name) && !value.startsWith("#/") && !value.startsWith(`${location.origin}/#/`)
          && !(one.tagName === "LINK" && value.startsWith("/page/")))
        found.push(`${one.tagName} href=${value}`);
      if (name === "style" && !/^(--[a-z-]+: ?[0-9.]+(px|%)?; ?)*$/.test(value))
        found.push(`${one.tagName} style=${value}`);
    }
  }
  return found;
}"""


@pytest.fixture(params=["as served", "without the policy", "phone"])
def looked(
    browser: Browser, filled: tuple[Path, Stored], tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Looked]:
    """Each test has a copy of the book, for some views change it."""
    store = tmp_path / "book.db"
    shutil.copy(filled[0], store)
    with web(store, tmp_path) as process:
        context = browser.new_context(
            viewport=PHONE if request.param == "phone" else DESKTOP,
            bypass_csp=request.param == "without the policy",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        watch = Watch(context)
        page = context.new_page()
        page.goto(process.link)
        listed(page)
        yield Looked(page, watch, process, store)
        context.close()


def test_there_are_two_hundred_and_each_way_takes_them(filled: tuple[Path, Stored]) -> None:
    stored = filled[1]
    assert len(set(payloads())) == COUNT
    assert {name: stored[name] for name in SAYING} == dict.fromkeys(SAYING, COUNT)
    assert stored["imports"] == COUNT
    assert stored["turns"] == COUNT
    assert min(stored["labels"], stored["changes"], stored["decisions"]) > 30
    print(json.dumps(stored))


def test_the_list_shows_every_payload_as_text(looked: Looked) -> None:
    page = looked.page
    page.set_viewport_size({**(page.viewport_size or DESKTOP), "height": TALL})
    looked.go("search?status=any")
    listed(page)
    wanted = {f"{name} {marker(number)}" for name in (*SAYING, "imported") for number in range(COUNT)}
    last, total = 0, int(page.locator("li.row").first.get_attribute("aria-setsize") or 0)
    assert total > len(wanted)
    while last < total:
        for place, said in page.locator("li.row").evaluate_all(
            "(all) => all.map((one) => [Number(one.ariaPosInSet), one.querySelector('.row-text').textContent])"
        ):
            last = max(last, place)
            wanted.discard(" ".join(said.split()[:2]))
        if last < total:
            page.locator(f'li.row[aria-posinset="{last}"]').evaluate("(row) => row.scrollIntoView(true)")
            expect(page.locator(f'li.row[aria-posinset="{last + 1}"]')).to_be_attached()
    assert wanted == set()
    looked.untouched()


def test_searching_for_it_shows_it(looked: Looked) -> None:
    for words in ("script", "svg", "javascript", "style", "canary", "onerror", "iframe"):
        looked.go(f"search?status=any&query={words}")
        listed(looked.page)
        expect(looked.page.locator("li.row").first).to_be_visible()
    looked.untouched()


def test_one_memory_shows_all_of_it_its_history_and_why(looked: Looked) -> None:
    page = looked.page
    with opened(looked.store) as book:
        texts = payloads()
        chosen = [texts[number] for number in range(0, COUNT, 12)]
        found = {}
        for memory in book.each():
            for text in chosen:
                if memory.text == f"native {text}" or (
                    memory.text.startswith(("revised ", "labelled ")) and text in memory.text
                ):
                    found[memory.id] = memory.text
    assert len(found) >= 17
    for id, text in found.items():
        page.evaluate("(hash) => { location.hash = hash; }", f"#/search?status=any&open=memory/{id}")
        article = page.locator(f'article[data-id="{id}"]')
        expect(article).to_be_visible()
        shown = article.locator(".memory-text").first.inner_text()
        assert not UNSEEN.search(shown.replace("\n", "").replace(ORDINARY["England"].split()[0], ""))
        assert without_blanks(as_stored(shown)) == without_blanks(text)
        article.get_by_text("History", exact=True).click()
    looked.untouched()
    article.get_by_text("Why did a query find it, or not?").click()
    article.get_by_role("searchbox").or_(article.get_by_role("textbox")).last.fill(payloads()[3])
    button(article, "Tell").click()
    expect(article.locator(".verdict")).not_to_be_empty()
    button(pane(page), "Edit").click()
    looked.untouched()
    page.keyboard.press("Escape")


def as_stored(shown: str) -> str:
    """What a person sees, with what is invisible put back for how it is written out: ⟨U+202E⟩."""
    return re.sub("⟨U\\+([0-9A-F]+)⟩", lambda found: chr(int(found[1], 16)), shown)


def without_blanks(text: str) -> str:
    return re.sub(r"\s+", "", text)


def walk_review(page: Page) -> None:
    view(page, re.compile("Review"))
    card = page.get_by_role("region", name="What to decide on")
    expect(card).to_contain_text("payload")
    for _ in range(120):
        page.keyboard.press("j")
    for answer in "ynynlyn":
        page.keyboard.press(answer)
    page.keyboard.press("a")
    expect(dialog(page)).to_be_visible()


def read_sessions(page: Page) -> None:
    view(page, "Sessions")
    page.get_by_role("region", name="Sessions").get_by_role("link").first.click()
    article = pane(page).get_by_role("article")
    article.get_by_text("What was left out, and why").click()
    article.get_by_text("What was said", exact=True).click()
    more = button(article, "Read on")
    expect(article.locator(".turns li")).not_to_have_count(0)
    while more.is_visible():
        before = article.locator(".turns li").count()
        more.click()
        expect(article.locator(".turns li").nth(before)).to_be_attached()
    assert article.locator(".turns li").count() >= COUNT


def read_decisions(page: Page) -> None:
    view(page, "Decisions")
    rows = page.get_by_role("region", name="Decisions").get_by_role("link")
    expect(rows.first).to_be_visible()
    for place in range(8):
        rows.nth(place).click()
        expect(pane(page).get_by_role("article")).to_contain_text("payload")
        if page.viewport_size == PHONE:
            page.keyboard.press("Escape")


def examine(page: Page) -> None:
    view(page, "Health")
    button(page, "Examine the book").click()
    expect(page.get_by_role("status").filter(has_text=re.compile("All is well|look"))).to_be_visible()


def open_filters(page: Page) -> None:
    button(page, "Filter").click()
    expect(page.get_by_role("group", name="Kind")).to_be_visible()
    expect(page.locator("datalist option").first).to_be_attached()


def preview_purge(page: Page) -> None:
    boxes = page.locator("li.row").get_by_role("checkbox")
    boxes.nth(0).check()
    boxes.nth(6).click(modifiers=["Shift"])
    button(page.get_by_role("toolbar", name="What is selected"), "Purge…").click()
    expect(dialog(page, re.compile("^Purge"))).to_contain_text("payload")


def remember_hostile(page: Page) -> None:
    button(page.get_by_role("search"), "Remember something").click()
    asked = dialog(page, "Remember something")
    asked.get_by_role("textbox", name="What to remember").fill(payloads()[25] + " and not payload so")
    button(asked, "Remember").click()
    expect(page.locator("#toast")).to_contain_text("Remembered")


VIEWS: Mapping[str, Callable[[Page], None]] = {
    "review": walk_review,
    "sessions": read_sessions,
    "decisions": read_decisions,
    "health": examine,
    "filters": open_filters,
    "purge": preview_purge,
    "remember": remember_hostile,
}


@pytest.mark.parametrize("name", VIEWS)
def test_no_view_runs_anything(looked: Looked, name: str) -> None:
    VIEWS[name](looked.page)
    assert marker(0)[:7] in looked.page.content()
    looked.untouched()
