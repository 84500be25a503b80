"""Sessions and decisions to read, and the health of the book."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from commonplace.config import state_folder
from commonplace.domain.memory import Status
from commonplace.hooks.state import Brought, BroughtSession, State
from tests.web import believable
from tests.web.conftest import PHONE, OpenPage
from tests.web.running import Process, opened
from tests.web.views import button, dialog, listed, pane, told, undo, view


@pytest.fixture
def believed(store: Path, page: Page) -> Page:
    believable.fill(store)
    page.reload()
    listed(page)
    return page


def test_a_session_tells_what_was_said_what_was_learnt_and_what_was_left_out(store: Path, believed: Page) -> None:
    with opened(store) as book:
        (session,) = book.sessions.list(book.scopes)
        learnt = [each.memory.text for each in book.sessions.learnt(session.id)]
        turns = [turn.text for turn in book.sessions.turns(session.id)]
        left_out = book.sessions.left_out(session.id)
    assert learnt
    assert len(turns) == 4
    view(believed, "Sessions")
    believed.get_by_role("region", name="Sessions").get_by_role("link").click()
    article = pane(believed).get_by_role("article")
    for text in learnt:
        expect(article).to_contain_text(text)
    article.get_by_text("What was said", exact=True).click()
    for text in turns:
        expect(article.locator(".turns")).to_contain_text(text)
    article.get_by_text("What was left out, and why").click()
    for each in left_out:
        expect(article).to_contain_text(each.reason)
    article.locator(".relation").get_by_role("link").first.click()
    expect(pane(believed).get_by_role("heading", level=2)).to_have_text(re.compile(r"^\w+ \d+$"))


def test_what_a_session_taught_can_be_forgotten_and_taken_back(store: Path, believed: Page) -> None:
    with opened(store) as book:
        (session,) = book.sessions.list(book.scopes)
        ids = [each.memory.id for each in book.sessions.learnt(session.id)]

    def statuses() -> set[Status]:
        with opened(store) as book:
            return {book.get(id).status for id in ids}

    assert statuses() == {Status.ACTIVE}
    view(believed, "Sessions")
    believed.get_by_role("region", name="Sessions").get_by_role("link").click()
    button(pane(believed), "Forget what it taught…").click()
    button(dialog(believed, "Forget what this session taught"), "Forget").click()
    told(believed, "Forgot")
    assert statuses() == {Status.FORGOTTEN}
    undo(believed)
    assert statuses() == {Status.ACTIVE}


def test_sessions_are_found_by_what_was_said(believed: Page) -> None:
    view(believed, "Sessions")
    region = believed.get_by_role("region", name="Sessions")
    field = region.get_by_role("searchbox")
    field.fill("zeppelin")
    expect(region).to_contain_text("Nothing found")
    field.fill("harbour check")
    expect(region.get_by_role("listitem")).to_have_count(1)
    expect(believed).to_have_url(re.compile("#/sessions.*query=harbour"))


def test_a_decision_tells_its_reasons_and_how_it_went_on(believed: Page) -> None:
    view(believed, "Decisions")
    region = believed.get_by_role("region", name="Decisions")
    region.get_by_role("link").filter(has_text="Queues between services").click()
    article = pane(believed).get_by_role("article")
    for said in ("We use queues", "They hold", "Load grows", "platform", "roads", "replaced"):
        expect(article).to_contain_text(said)
    article.get_by_role("link").filter(has_text="Streams between services").click()
    expect(pane(believed).get_by_role("article")).to_contain_text("They replay")
    expect(believed).to_have_url(re.compile("open=decision/DEC-002"))


def test_health_says_what_the_book_says_of_itself(store: Path, believed: Page) -> None:
    with opened(store) as book:
        total = sum(1 for _ in book.each())
        waiting = book.review(limit=100).total
    view(believed, "Health")
    main = believed.get_by_role("region", name="Health", exact=True)
    expect(main).to_contain_text(str(store))
    figures = {
        name.inner_text().strip(): value.inner_text().strip()
        for name, value in zip(main.locator(".figures dt").all(), main.locator(".figures dd strong").all(), strict=True)
    }
    assert figures["Wait for you"] == str(waiting)
    assert int(figures["Memories"]) >= total
    expect(main).to_contain_text("No model is chosen")
    button(main, "Examine the book").click()
    expect(main.locator(".checks li").first).to_be_visible()
    expect(main.get_by_role("status")).to_contain_text(re.compile(r"All is well\.|a look\."))


def test_health_tells_what_was_brought_to_a_prompt_and_leads_to_it(store: Path, believed: Page) -> None:
    with opened(store) as book:
        (memory,) = (each for each in book.each() if each.text == believable.OPEN)
    brought = Brought(1, "prompt", memory.id, "asked about", 12)
    state = State(state_folder() / "hooks")
    state.keep_session(BroughtSession("one", "claude-code", "~/harbour", 1, 0, 40, (brought,)))
    view(believed, "Health")
    main = believed.get_by_role("region", name="Health", exact=True)
    main.get_by_text(re.compile("1 text, 40 tokens")).click()
    expect(main.locator(".brought-text")).to_contain_text("asked about, 12 tokens")
    main.get_by_role("link", name=believable.OPEN).click()
    expect(pane(believed).get_by_role("article")).to_contain_text(believable.OPEN)


def test_on_a_phone_too_one_can_sign_out(process: Process, open_page: OpenPage) -> None:
    page = open_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(process.link)
    listed(page)
    view(page, "Health")
    page.reload()
    button(page.get_by_role("region", name="Health", exact=True), "Sign out").click()
    expect(dialog(page, "Sign in")).to_be_visible()


def test_the_openapi_document_is_served_to_who_is_signed_in(believed: Page) -> None:
    document = json.loads(
        believed.evaluate(
            """() => fetch('/api/v1/openapi.json', {headers: {
                'x-commonplace-half': localStorage.getItem('commonplace.half')}}).then((answer) => answer.text())"""
        )
    )
    assert document["openapi"].startswith("3.1")
    assert {"/recall", "/memories", "/review"} <= {path.removeprefix("/api/v1") for path in document["paths"]}
