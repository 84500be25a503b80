"""Search and list: the real recall as one types, filters in the address, a list without an end."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from tests.web.running import AGENT, Process, opened
from tests.web.views import button, dialog, listed, open_memory, pane, rows, search, view

MANY, HALF = 1_000, 500
HARBOUR = "The harbour gate opens at nine"
DEPLOY = "Deploys are on Monday"


@pytest.fixture
def filled(store: Path, process: Process, page: Page) -> Page:
    """A small book with something of each sort."""
    with opened(store) as book:
        book.remember(HARBOUR, kind="fact", tags=["harbour", "gate"], topic="gate hours")
        book.remember(DEPLOY, kind="decision", tags=["release"], topic="deploy day", pinned=True)
        book.remember("Tabs are four blanks wide", kind="preference")
        book.archive(book.remember("The old crane stood at pier two", tags=["harbour"]).memory.id)
        book.through(AGENT).remember("The harbour has three piers", tags=["harbour"])
    page.reload()
    listed(page)
    return page


def texts(page: Page) -> list[str]:
    return [said.strip() for said in page.locator(".row-text").all_inner_texts()]


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(page.url.partition("?")[2])


def test_search_finds_as_one_types_what_the_books_own_recall_finds(store: Path, filled: Page) -> None:
    search(filled, "when does the gate open")
    with opened(store) as book:
        found = [hit.memory.text for hit in book.recall("when does the gate open").hits]
    assert found[0] == HARBOUR
    expect(rows(filled)).to_have_count(len(found))
    assert texts(filled) == found
    first = rows(filled).first
    for glance in ("fact", "typed", "relevance", "just now"):
        expect(first).to_contain_text(glance)
    assert {word.lower() for word in first.locator("mark").all_inner_texts()} >= {"gate"}


def test_each_letter_narrows_it_and_an_empty_search_lists_again(filled: Page) -> None:
    field = filled.get_by_role("searchbox", name="Search memories")
    field.press_sequentially("dep")
    expect(filled).to_have_url(re.compile(r"query=dep$"))
    field.press_sequentially("loys")
    expect(filled).to_have_url(re.compile(r"query=deploys$"))
    expect(rows(filled)).to_have_count(1)
    expect(rows(filled)).to_contain_text(DEPLOY)
    field.fill("")
    expect(rows(filled)).to_have_count(4)


def test_what_is_shown_stands_in_the_address_and_comes_back_with_it(filled: Page) -> None:
    search(filled, "harbour")
    button(filled, "Filter").click()
    filled.get_by_role("group", name="Kind").get_by_label("Fact").check()
    filled.get_by_role("textbox", name="Tags").or_(filled.get_by_label("Tags")).first.fill("gate")
    button(filled, "Done").click()
    expect(rows(filled)).to_have_count(1)
    open_memory(filled, HARBOUR)
    address = filled.url
    given = asked(filled)
    assert given["query"] == ["harbour"]
    assert given["kind"] == ["fact"]
    assert given["tag"] == ["gate"]
    assert given["open"][0].startswith("memory/mem_")
    filled.goto("about:blank")
    filled.goto(address)
    expect(rows(filled)).to_have_count(1)
    expect(pane(filled).get_by_role("article")).to_contain_text(HARBOUR)
    expect(filled.get_by_role("searchbox", name="Search memories")).to_have_value("harbour")
    expect(button(filled, "Take off kind: fact")).to_be_visible()


Expected = Callable[[Book], list[str]]


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("kind=decision", [DEPLOY]),
        ("kind=decision&kind=preference", ["Tabs are four blanks wide", DEPLOY]),
        ("tag=harbour", ["The harbour has three piers", HARBOUR]),
        ("tag=harbour&tag=gate", [HARBOUR]),
        ("topic=gate-hours", [HARBOUR]),
        ("status=archived", ["The old crane stood at pier two"]),
        ("origin=agent", ["The harbour has three piers"]),
        ("pinned=true", [DEPLOY]),
        ("since=2999-01-01", []),
        ("until=2001-01-01", []),
        ("scope=user", None),
        ("status=any", None),
    ],
)
def test_every_filter_of_the_address_narrows_the_list(
    filled: Page, process: Process, address: str, found: list[str] | None
) -> None:
    filled.goto(f"{process.origin}/#/search?{address}")
    filled.reload()
    listed(filled)
    if found is None:
        found = texts(filled)
        assert len(found) == (5 if "any" in address else 4)
    expect(rows(filled)).to_have_count(len(found))
    assert texts(filled) == found
    chips = filled.get_by_role("button", name=re.compile("^Take off"))
    expect(chips).to_have_count(len(asked(filled)) if "&" not in address else 2)
    chips.first.click()
    expect(filled).not_to_have_url(re.compile(re.escape(address) + "$"))


def test_back_and_forward_go_through_what_was_looked_at(filled: Page) -> None:
    search(filled, "gate")
    open_memory(filled, HARBOUR)
    button(filled, "Filter").click()
    filled.get_by_role("group", name="Kind").get_by_label("Fact").check()
    button(filled, "Done").click()
    expect(filled).to_have_url(re.compile("kind=fact"))
    filled.go_back()
    expect(filled).not_to_have_url(re.compile("kind=fact|open="))
    expect(filled).to_have_url(re.compile("query=gate"))
    filled.go_forward()
    expect(pane(filled).get_by_role("article")).to_contain_text(HARBOUR)


def test_the_list_has_no_end_and_shows_each_once(store: Path, page: Page) -> None:
    with opened(store) as book:
        for start in range(0, MANY, HALF):
            numbers = range(start, start + HALF)
            book.remember_many([book.draft(f"Parcel {number} is kept in hall {number * 7}") for number in numbers])
    page.reload()
    listed(page)
    expect(page.get_by_role("status").filter(has_text="1,000 memories")).to_be_visible()
    seen: dict[int, str] = {}
    while len(seen) < MANY:
        for place, said in page.locator("li.row").evaluate_all(
            "(all) => all.map((one) => [Number(one.ariaPosInSet), one.querySelector('.row-text').textContent])"
        ):
            assert seen.setdefault(place, said) == said
        last = max(seen)
        assert page.locator("li.row").count() < 200  # only what is in sight is there
        if last < MANY:
            page.locator(f'li.row[aria-posinset="{last}"]').evaluate("(row) => row.scrollIntoView(true)")
            expect(page.locator(f'li.row[aria-posinset="{last + 1}"]')).to_be_attached()
    assert len(set(seen.values())) == MANY


def test_nothing_jumps_while_one_reads_and_something_new_comes_in(filled: Page) -> None:
    before = rows(filled).nth(2).bounding_box()
    open_memory(filled, HARBOUR)
    assert rows(filled).nth(2).bounding_box() == before
    search(filled, "harbour")
    top = rows(filled).first.bounding_box()
    button(pane(filled), "Close").click()
    assert rows(filled).first.bounding_box() == top


def test_what_is_not_found_says_so_and_what_to_do(filled: Page) -> None:
    search(filled, "zeppelin quokka")
    region = filled.get_by_role("region", name="Search")
    expect(region.get_by_role("heading", name="Nothing found")).to_be_visible()
    filled.goto(filled.url.replace("?", "?kind=decision&"))
    button(region, "Without filters").click()
    expect(filled).not_to_have_url(re.compile("kind="))


def test_decisions_and_sessions_are_found_beside_memories_and_open(store: Path, filled: Page) -> None:

    with opened(store) as book:
        book.decisions.create(
            book.scope(), Proposal("Use queues", "us", "Load grows", "We use harbour queues", "They hold", area="roads")
        )
    search(filled, "harbour queues")
    beside = filled.get_by_role("region", name="Beside memories")
    beside.get_by_role("link", name=re.compile("Use queues")).click()
    expect(pane(filled).get_by_role("article")).to_contain_text("They hold")


def test_without_a_model_the_page_says_that_it_looks_by_words(filled: Page) -> None:
    search(filled, "harbour")
    expect(filled.get_by_role("status").filter(has_text="by words")).to_be_visible()
    view(filled, "Health")
    expect(filled.get_by_role("main")).to_contain_text(re.compile("no model|by words", re.IGNORECASE))


def test_the_keys_are_told_by_one_key(filled: Page) -> None:
    filled.locator("body").press("?")
    told = dialog(filled, "Keys")
    expect(told).to_contain_text("take back what was done last")
    filled.keyboard.press("Escape")
    expect(told).to_have_count(0)


@pytest.mark.parametrize("address", ["kind=nonsense", f"query={'word+' * 20_000}"], ids=["unknown", "long"])
def test_what_cannot_be_asked_says_so_and_shows_no_other_answer(filled: Page, address: str) -> None:
    expect(rows(filled)).to_have_count(4)
    filled.evaluate("(hash) => { location.hash = hash; }", f"#/search?{address}")
    alert = filled.get_by_role("region", name="Search").get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"^(kind|That is too much to ask at once).*\.$"))
    expect(rows(filled)).to_have_count(0)


def test_what_matched_beside_the_words_is_marked_too(filled: Page) -> None:
    search(filled, "release")
    expect(rows(filled).filter(has_text=DEPLOY).locator("mark")).to_have_text(["release"])


def test_chips_say_what_the_panel_says_and_all_of_them_can_be_reached(filled: Page) -> None:
    names = ["status=superseded", "origin=typed", "kind=fact", "kind=decision", "tag=harbour", "since=2020-01-01"]
    filled.evaluate("(hash) => { location.hash = hash; }", f"#/search?{'&'.join(names)}")
    expect(button(filled, "Take off status: replaced")).to_be_visible()
    for chip in filled.locator(".chip").all():
        expect(chip).to_be_in_viewport(ratio=1)


def test_a_project_that_nobody_named_goes_by_its_id(store: Path, filled: Page) -> None:
    with opened(store) as book:
        book.remember("The atlas has forty maps", scope="project:atlas")
    filled.reload()
    listed(filled)
    expect(rows(filled).filter(has_text="forty maps").locator(".row-scope")).to_have_text("atlas")


def test_of_a_long_text_the_row_shows_the_place_that_matched(store: Path, filled: Page) -> None:
    with opened(store) as book:
        book.remember(
            "Look at one thing after the other. " * 60 + "The pelican sits on the mast. " + "And so on. " * 60
        )
    search(filled, "pelican")
    (mark,) = rows(filled).locator("mark").all()
    text, seen = (filled.locator(".row-text").first.bounding_box(), mark.bounding_box())
    assert text is not None
    assert seen is not None
    assert text["y"] <= seen["y"] <= seen["y"] + seen["height"] <= text["y"] + text["height"] + 4
