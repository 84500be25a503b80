"""Two people with tokens at one server on PostgreSQL, each in a browser of their own."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from commonplace.domain.memory import Memory, Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.scope import Principal, Right
from tests.postgres import Server
from tests.web.conftest import Opened, OpenPage
from tests.web.running import AGENT, PERSON, Process, opened, served
from tests.web.views import button, dialog, listed, more, open_memory, pane, row, rows, search, told, undo, view
from tests.web.watching import noticed

TEAM = "harbour"
RIGHTS = frozenset({Right.READ, Right.WRITE, Right.PURGE})
ONE, OTHER = "ada", "ben"
Enter = Callable[..., Page]


def principal(user: str) -> Principal:
    return Principal("local", user, (TEAM,), RIGHTS)


@pytest.fixture
def place(postgres: Server) -> str:
    return postgres.address(postgres.new_database())


@pytest.fixture
def tokens(place: str) -> dict[str, str]:
    with opened(place) as book:
        book.access.create(Principal("local", "local", (), frozenset(Right)), "admin")
        book.teams.create(TEAM)
        for user in (ONE, OTHER):
            book.teams.invite(TEAM, user)
            book.seen_by(principal(user), PERSON, None).teams.accept(TEAM)
        return {user: book.access.create(principal(user), user).secret for user in (ONE, OTHER)}


@pytest.fixture
def server(place: str, tokens: dict[str, str], tmp_path: Path) -> Iterator[Process]:
    with served(place, tmp_path) as process:
        yield process


@pytest.fixture
def enter(server: Process, tokens: dict[str, str], open_page: OpenPage, pages: Opened) -> Iterator[Enter]:
    """A browser in which that person is signed in."""
    made: list[Page] = []

    def one(user: str) -> Page:
        page = open_page()
        made.append(page)
        page.goto(server.origin)
        page.get_by_label("Token or address").fill(tokens[user])
        button(page, "Sign in").click()
        listed(page)
        expect(button(page, "Sign out")).to_be_visible()
        return page

    yield one
    for page in made:
        pages[page].check(server.origin)


def said(place: str, user: str, text: str, **fields: object) -> Memory:
    with opened(place, PERSON, principal(user)) as book:
        return book.remember(text, **fields).memory  # type: ignore[arg-type]


def the(place: str, user: str, id: str) -> Memory:
    with opened(place, PERSON, principal(user)) as book:
        return book.get(id)


def texts(place: str, user: str) -> list[str]:
    with opened(place, PERSON, principal(user)) as book:
        return sorted(memory.text for memory in book.list(Filter(book.every_scope())).memories)


def test_each_sees_their_own_and_the_teams(place: str, enter: Enter) -> None:
    said(place, ONE, "The key of the crane is under the mat")
    said(place, OTHER, "The tide tables are in the wiki")
    said(place, ONE, "The harbour opens at nine", scope=f"team:{TEAM}")
    first, second = enter(ONE), enter(OTHER)
    expect(rows(first)).to_have_count(2)
    expect(rows(second)).to_have_count(2)
    for page in (first, second):
        expect(row(page, "harbour opens")).to_be_visible()
    expect(row(second, "crane")).to_have_count(0)
    search(second, "key of the crane")
    expect(row(second, "crane")).to_have_count(0)


def test_what_one_has_in_the_address_shows_the_other_nothing(place: str, enter: Enter, server: Process) -> None:
    memory = said(place, ONE, "The key of the crane is under the mat")
    page = enter(OTHER)
    page.goto("about:blank")
    page.goto(f"{server.origin}/#/search?open=memory/{memory.id}")
    expect(pane(page).get_by_role("heading", name="This cannot be shown")).to_be_visible()
    assert "crane" not in page.content()


def test_two_people_change_one_memory_of_their_team_and_nothing_is_lost(place: str, enter: Enter) -> None:
    memory = said(place, ONE, "The harbour opens at nine", scope=f"team:{TEAM}")
    first, second = enter(ONE), enter(OTHER)
    forms = []
    for page, words in ((first, "The harbour opens at eight"), (second, "The harbour opens at ten")):
        open_memory(page, "harbour opens")
        button(pane(page), "Edit").click()
        form = page.get_by_role("form", name=re.compile("^Change"))
        form.get_by_role("textbox", name="The words").fill(words)
        forms.append(form)
    button(forms[0], "Save").click()
    told(first, "Changed")
    button(forms[1], "Save").click()
    conflict = forms[1].get_by_role("region", name="Changed meanwhile")
    expect(conflict.locator("del")).to_have_text(["eight"])
    expect(conflict.locator("ins")).to_have_text(["ten"])
    assert the(place, ONE, memory.id).text == "The harbour opens at eight"
    button(conflict, "Save mine over it").click()
    told(second, "Changed")
    assert the(place, ONE, memory.id).text == "The harbour opens at ten"
    first.reload()
    expect(row(first, "opens at ten")).to_be_visible()


def test_one_cannot_undo_what_the_other_did(place: str, enter: Enter) -> None:
    said(place, ONE, "The harbour opens at nine", scope=f"team:{TEAM}")
    first, second = enter(ONE), enter(OTHER)
    open_memory(first, "harbour opens")
    button(pane(first), "Forget").click()
    told(first, "Forgot")
    second.keyboard.press("Control+z")
    told(second, "Nothing from this visit")
    undo(first)
    assert texts(place, OTHER) == ["The harbour opens at nine"]


def test_every_flow_once(place: str, enter: Enter) -> None:
    """Remember, edit, archive, restore, supersede, purge, many, undo, history, why: each seen in the book."""
    page = enter(ONE)
    for words in ("Deploys are on Monday", "Releases are cut at noon", "Parcels leave the yard at dawn"):
        button(page.get_by_role("search"), "Remember something").click()
        asked = dialog(page, "Remember something")
        asked.get_by_role("textbox", name="What to remember").fill(words)
        button(asked, "Remember").click()
        told(page, "Remembered as")
        expect(asked).to_have_count(0)
        expect(row(page, words)).to_be_visible()
    assert len(texts(place, ONE)) == 3
    assert texts(place, OTHER) == []
    shown = open_memory(page, "Deploys")
    button(shown, "Edit").click()
    form = page.get_by_role("form", name=re.compile("^Change"))
    form.get_by_role("textbox", name="The words").fill("Deploys are on Tuesday")
    button(form, "Save").click()
    told(page, "Changed")
    assert "Deploys are on Tuesday" in texts(place, ONE)
    shown.get_by_text("History", exact=True).click()
    expect(shown.locator("del").first).to_have_text("Monday")
    more(page, "Archive")
    told(page, "Archived")
    assert "Deploys are on Tuesday" not in texts(place, ONE)
    button(shown, "Restore").click()
    told(page, "Restored")
    open_memory(page, "cut at noon")
    more(page, "Replace by another…")
    pick = dialog(page, "What takes the place of this memory?")
    pick.get_by_role("searchbox").fill("dawn")
    pick.get_by_role("radio", name=re.compile("dawn")).check()
    button(pick, "Put it in its place").click()
    told(page, "took the place of")
    assert texts(place, ONE) == ["Deploys are on Tuesday", "Parcels leave the yard at dawn"]
    undo(page)
    assert len(texts(place, ONE)) == 3
    page.reload()
    listed(page)
    rows(page).nth(0).get_by_role("checkbox").check()
    rows(page).nth(2).get_by_role("checkbox").click(modifiers=["Shift"])
    bar = page.get_by_role("toolbar", name="What is selected")
    button(bar, "Forget").click()
    told(page, "Forgot 3 memories")
    assert texts(place, ONE) == []
    undo(page)
    assert len(texts(place, ONE)) == 3
    open_memory(page, "Deploys")
    more(page, "Purge for good…")
    asked = dialog(page, "Purge this memory for good")
    word = re.search(r"Type (\d+) to go on", asked.inner_text())
    assert word is not None
    asked.get_by_label(word[0]).fill(word[1])
    button(asked, re.compile("^Purge")).click()
    told(page, "Purged")
    assert len(texts(place, ONE)) == 2


def test_what_waits_is_reviewed_by_whoever_may_see_it(place: str, enter: Enter) -> None:
    inferred = AGENT.__replace__(origin=Origin.INFERRED)
    with opened(place, inferred, principal(ONE)) as book:
        own = book.remember("The pilot prefers mornings").memory
        common = book.remember("Lamp seven needs a new bulb", scope=f"team:{TEAM}").memory
    page = enter(OTHER)
    view(page, "Review")
    card = page.get_by_role("region", name="What to decide on")
    expect(card).to_contain_text("Lamp seven")
    expect(page.get_by_role("navigation", name="What waits")).not_to_contain_text("pilot")
    page.keyboard.press("n")
    noticed(page, lambda: the(place, ONE, common.id).status is Status.FORGOTTEN, "the answer is in the book")
    assert the(place, ONE, own.id).waits


def test_a_person_with_a_token_learns_nothing_of_the_servers_machine(place: str, enter: Enter, tmp_path: Path) -> None:
    page = enter(ONE)
    view(page, "Health")
    health = page.get_by_role("main")
    expect(health).to_contain_text("on the server")
    expect(health).to_contain_text("Whoever may administer this book can examine it.")
    for secret in (place, place.partition("@")[2], str(tmp_path), "Tools and hooks"):
        assert secret not in page.content()
