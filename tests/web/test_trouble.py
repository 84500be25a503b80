"""What goes wrong while one is at it: each says what happened and what to do, and nothing typed is lost."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from commonplace.domain.memory import Memory
from commonplace.domain.scope import Principal, Right
from tests.conftest import DAY
from tests.warm import FileClock
from tests.web.conftest import Opened, OpenPage
from tests.web.running import AGENT, Process, opened, served, web
from tests.web.views import button, dialog, listed, open_memory, pane, row, search, told, view
from tests.web.watching import noticed

DEPLOY, HALF = "Deploys are on Monday", "Deploys are on Monday and half a thought"
EVERYTHING = frozenset(Right)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def one(store: Path, page: Page) -> Memory:
    with opened(store) as book:
        memory = book.remember(DEPLOY).memory
    page.reload()
    open_memory(page, DEPLOY)
    return memory


def editing(page: Page, words: str):
    button(pane(page), "Edit").click()
    form = page.get_by_role("form", name=re.compile("^Change"))
    form.get_by_role("textbox", name="The words").fill(words)
    return form


def text(store: Path, memory: Memory) -> str:
    with opened(store) as book:
        return book.get(memory.id).text


# -- two people at one memory -----------------------------------------------------------------


@pytest.fixture
def contested(store: Path, page: Page, one: Memory):
    form = editing(page, "Deploys are on Tuesday")
    with opened(store) as book:
        book.through(AGENT).update(one.id, text="Deploys are on Wednesday")
    button(form, "Save").click()
    conflict = form.get_by_role("region", name="Changed meanwhile")
    expect(conflict).to_contain_text("Somebody changed this meanwhile")
    expect(conflict.locator("del")).to_have_text(["Wednesday"])
    expect(conflict.locator("ins")).to_have_text(["Tuesday"])
    assert text(store, one) == "Deploys are on Wednesday"
    return form


def test_who_was_slower_sees_both_texts_and_can_save_over_it(store: Path, page: Page, one: Memory, contested) -> None:
    button(contested, "Save mine over it").click()
    told(page, "Changed")
    assert text(store, one) == "Deploys are on Tuesday"


def test_who_was_slower_can_keep_what_stands(store: Path, page: Page, one: Memory, contested) -> None:
    button(contested, "Keep what stands now").click()
    expect(pane(page).get_by_role("article").locator(".memory-text").first).to_have_text("Deploys are on Wednesday")
    assert text(store, one) == "Deploys are on Wednesday"


def test_who_was_slower_can_go_on_editing_with_nothing_lost(store: Path, page: Page, one: Memory, contested) -> None:
    button(contested, "Go on editing").click()
    words = contested.get_by_role("textbox", name="The words")
    assert words.input_value() == "Deploys are on Tuesday"
    words.fill("Deploys are on Tuesday or Wednesday")
    button(contested, "Save").click()
    told(page, "Changed")
    assert text(store, one) == "Deploys are on Tuesday or Wednesday"


def test_a_memory_that_is_purged_meanwhile_says_so(store: Path, page: Page, one: Memory) -> None:
    form = editing(page, HALF)
    with opened(store) as book:
        book.purge(one.id)
    button(form, "Save").click()
    expect(form.get_by_role("alert")).to_have_text(re.compile(r"\w.*\.$"))
    assert form.get_by_role("textbox", name="The words").input_value() == HALF


# -- the server goes and comes ----------------------------------------------------------------


@pytest.fixture
def serving(store: Path, tmp_path: Path) -> Iterator[Process]:
    with served(store, tmp_path) as process:
        yield process


@pytest.fixture
def served_page(serving: Process, open_page: OpenPage, pages: Opened) -> Iterator[Page]:
    """At a server on this machine without tokens, which needs no signing in."""
    page = open_page()
    page.goto(serving.origin)
    listed(page)
    yield page
    pages[page].check(serving.origin)


def forgiven(pages: Opened, page: Page) -> None:
    """The browser itself says that nobody answered: that is the point of these tests."""
    said = pages[page].errors
    assert [each for each in said if "ERR_CONNECTION" not in each and "Failed to fetch" not in each] == []
    said.clear()


def test_a_server_that_is_killed_is_told_and_what_is_typed_is_saved_when_it_is_back(
    store: Path, serving: Process, served_page: Page, pages: Opened
) -> None:
    page = served_page
    button(page.get_by_role("search"), "Remember something").click()
    asked = dialog(page, "Remember something")
    words = asked.get_by_role("textbox", name="What to remember")
    words.fill(HALF)
    serving.kill()
    button(asked, "Remember").click()
    expect(asked.get_by_role("alert")).to_contain_text("The server does not answer.")
    expect(page.locator("#server")).to_contain_text("What you typed is kept")
    assert words.input_value() == HALF
    serving.back()
    expect(page.locator("#server")).to_be_hidden()
    button(asked, "Remember").click()
    expect(row(page, HALF)).to_be_visible()
    with opened(store) as book:
        assert [memory.text for memory in book.list().memories] == [HALF]
    forgiven(pages, page)


def test_a_search_waits_for_the_server_and_is_answered_when_it_is_back(
    store: Path, serving: Process, served_page: Page, pages: Opened
) -> None:
    page = served_page
    with opened(store) as book:
        book.remember(DEPLOY)
    serving.kill()
    page.get_by_role("searchbox", name="Search memories").fill("deploys")
    expect(page.locator("#server")).to_contain_text("The server does not answer")
    serving.back()
    expect(row(page, DEPLOY)).to_be_visible()
    expect(page.locator("#server")).to_be_hidden()
    forgiven(pages, page)


def test_an_act_while_the_server_is_away_is_not_said_to_be_done(
    store: Path, serving: Process, served_page: Page, pages: Opened
) -> None:
    page = served_page
    with opened(store) as book:
        memory = book.remember(DEPLOY).memory
    page.reload()
    open_memory(page, DEPLOY)
    serving.kill()
    button(pane(page), "Forget").click()
    told(page, "The server does not answer. Whether this was done is not known")
    serving.back()
    expect(page.locator("#server")).to_be_hidden()
    assert text(store, memory) == DEPLOY
    button(pane(page), "Forget").click()
    told(page, "Forgot")
    forgiven(pages, page)


def test_the_page_of_a_process_that_has_ended_asks_for_a_new_link(
    store: Path, process: Process, page: Page, one: Memory, pages: Opened
) -> None:
    form = editing(page, HALF)
    process.kill()
    process.back()
    button(form, "Save").click()
    again = dialog(page, "Sign in again")
    expect(again).to_contain_text("What you typed is kept")
    again.get_by_label("Token or address").fill(process.link)
    button(again, "Sign in").click()
    told(page, "Changed")
    assert text(store, one) == HALF
    forgiven(pages, page)


# -- tokens -----------------------------------------------------------------------------------


@pytest.fixture
def clock(tmp_path: Path) -> FileClock:
    return FileClock(tmp_path / "clock")


@pytest.fixture
def guarded(store: Path, tmp_path: Path, clock: FileClock) -> Iterator[Process]:
    """A server that asks for a token."""
    with opened(store) as book:
        book.access.create(Principal("local", "local", (), EVERYTHING), "first")
        book.remember(DEPLOY)
    with served(store, tmp_path, **clock.environment) as process:
        yield process


def token(store: Path, rights: frozenset[Right] = EVERYTHING, expires_at: int | None = None):
    with opened(store) as book:
        return book.access.create(Principal("local", "local", (), rights), "page", expires_at=expires_at)


def sign_in(page: Page, secret: str) -> None:
    page.get_by_label("Token or address").fill(secret)
    button(page, "Sign in").click()


def test_a_wrong_token_says_so_and_the_right_one_lets_in(
    store: Path, guarded: Process, open_page: OpenPage, pages: Opened
) -> None:
    page = open_page()
    page.goto(guarded.origin)
    sign_in(page, "cpl_wrong")
    expect(dialog(page, "Sign in").get_by_role("alert")).to_have_text(re.compile(r"token.*\.$", re.IGNORECASE))
    assert page.locator("li.row").count() == 0
    secret = token(store).secret
    sign_in(page, secret)
    expect(row(page, DEPLOY)).to_be_visible()
    kept = page.evaluate("() => JSON.stringify(localStorage) + document.cookie")
    assert secret not in kept
    assert secret.split("_")[-1] not in kept
    pages[page].check(guarded.origin)


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_a_token_that_ends_meanwhile_is_asked_for_again_in_place(
    store: Path, guarded: Process, clock: FileClock, open_page: OpenPage, pages: Opened, how: str
) -> None:
    made = token(store, expires_at=clock.now + DAY)
    page = open_page()
    page.goto(guarded.origin)
    sign_in(page, made.secret)
    open_memory(page, DEPLOY)
    form = editing(page, HALF)
    if how == "revoked":
        with opened(store) as book:
            book.access.revoke(made.token.id)
    else:
        clock.advance(2 * DAY)
    button(form, "Save").click()
    again = dialog(page, "Sign in again")
    expect(again).to_contain_text("What you typed is kept")
    sign_in(page, token(store).secret)
    told(page, "Changed")
    with opened(store) as book:
        assert [memory.text for memory in book.list().memories] == [HALF]
    pages[page].check(guarded.origin)


def test_a_token_that_may_only_read_is_offered_nothing_it_may_not_do(
    store: Path, guarded: Process, open_page: OpenPage, pages: Opened
) -> None:
    page = open_page()
    page.goto(guarded.origin)
    sign_in(page, token(store, frozenset({Right.READ})).secret)
    shown = open_memory(page, DEPLOY)
    for act in ("Edit", "Forget", "Archive", "More"):
        expect(button(shown, act)).to_have_count(0)
    status = page.evaluate(
        """() => fetch('/api/v1/memories', {method: 'POST', body: '{"text": "x"}', headers: {
            'content-type': 'application/json', 'x-commonplace-half': localStorage.getItem('commonplace.half')}})
            .then((answer) => answer.status)"""
    )
    assert status == 403
    pages[page].check(guarded.origin)


# -- the rest ---------------------------------------------------------------------------------


def test_an_action_that_fails_says_why_and_changes_nothing(store: Path, page: Page, one: Memory) -> None:
    with opened(store) as book:
        book.purge(one.id)
    button(pane(page), "Forget").click()
    said = dialog(page, re.compile("^Forget: 1 memory"))
    expect(said.get_by_role("listitem")).to_have_text(re.compile(r"\w.*\.$"))
    expect(page.locator("#toast")).not_to_contain_text("Forgot")


def test_an_address_of_something_that_is_gone_says_so(store: Path, process: Process, page: Page) -> None:
    with opened(store) as book:
        book.remember(DEPLOY)
    for address in ("open=memory/mem_01KDVDNA00H98YQT6QR33ZC24E", "open=session/ses_none", "open=decision/DEC-999"):
        page.goto("about:blank")
        page.goto(f"{process.origin}/#/search?{address}")
        expect(pane(page).get_by_role("heading", name="This cannot be shown")).to_be_visible()
        expect(pane(page).get_by_role("alert")).to_have_text(re.compile(r"\w.*\.$"))


def test_a_filter_that_nobody_knows_says_so(process: Process, page: Page) -> None:
    listed(page)
    page.goto("about:blank")
    page.goto(f"{process.origin}/#/search?kind=nonsense&since=whenever")
    alert = page.get_by_role("region", name="Search").get_by_role("alert")
    expect(alert).to_have_text(re.compile(r"(kind|since).*\.$"))
    button(page, "Clear all").click()
    expect(alert).to_be_hidden()


@pytest.mark.usefixtures("one")
def test_leaving_with_something_typed_asks_first(page: Page, pages: Opened) -> None:
    editing(page, HALF)
    page.close(run_before_unload=True)
    noticed_dialogs = pages[page].dialogs
    other = page.context.pages[0] if page.context.pages else page
    noticed(other, lambda: noticed_dialogs == ["beforeunload: "], "the browser asks")
    noticed_dialogs.clear()


def test_search_goes_on_after_an_error(store: Path, page: Page) -> None:
    with opened(store) as book:
        book.remember(DEPLOY)
    page.route("**/api/v1/recall*", lambda route: route.fulfill(status=500, body="no json at all"))
    page.get_by_role("searchbox", name="Search memories").fill("deploys")
    expect(page.get_by_role("region", name="Search").get_by_role("alert")).to_contain_text("look at its log")
    page.unroute("**/api/v1/recall*")
    search(page, "deploy")
    expect(row(page, DEPLOY)).to_be_visible()
    view(page, "Decisions")
    expect(page.get_by_role("region", name="Decisions")).to_contain_text("No decision is in the log yet")


def test_a_book_that_cannot_be_read_says_why_and_what_to_do(
    store: Path, tmp_path: Path, open_page: OpenPage, pages: Opened
) -> None:
    """One that an older version wrote, and one that is no book."""
    for content in ((ROOT / "tests" / "fixtures" / "schema-8.db").read_bytes(), b"this is no book" * 100):
        store.write_bytes(content)
        with web(store, tmp_path) as process:
            page = open_page()
            page.goto(process.link)
            alert = page.get_by_role("region", name="Search").get_by_role("alert")
            expect(alert).to_have_text(re.compile(r"(commonplace|book).*\.$"))
            pages[page].check(process.origin)
