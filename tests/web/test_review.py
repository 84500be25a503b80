"""Review: what waits for a person, decided on by keys; the book says what became of each answer."""

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from commonplace.domain.memory import Memory, Origin, Status
from commonplace.engine.intake import ExactPolicy, NearPolicy, Repeats
from commonplace.sessions.transcripts import read_text
from tests.web.conftest import Opened
from tests.web.running import AGENT, opened
from tests.web.views import button, dialog, told, view
from tests.web.watching import noticed

HUNDRED = 100
SYLLABLES = "ba ko fi le mu nar pes tiv zol dra gun hem".split()
INFERRED = AGENT.__replace__(origin=Origin.INFERRED)


def sentence(number: int) -> str:
    """Words of no language, so that no two of these say nearly the same or speak against each other."""
    chance = random.Random(number)
    return " ".join("".join(chance.choices(SYLLABLES, k=3)) for _ in range(8)).capitalize()


def learnt(store: Path, count: int, session: str = "standup") -> list[str]:
    """Memories that nobody's word stands behind, of one session; their ids, the newest first as the review has them."""
    with opened(store) as book:
        through = book.through(INFERRED)
        made = [through.remember(sentence(number), session=session) for number in range(count)]
    return [each.memory.id for each in reversed(made)]


def waiting(store: Path) -> set[str]:
    with opened(store) as book:
        return {each.memory.id for each in book.review(limit=1_000).waiting}


def now(store: Path, id: str) -> Memory:
    with opened(store) as book:
        return book.get(id)


def reviewed(page: Page) -> Locator:
    """The review, read anew; gives what is to be decided on."""
    page.reload()
    view(page, "Review")
    expect(page.locator('[data-key="dream"]').first).to_be_attached()  # the last thing that is asked for
    return page.get_by_role("region", name="What to decide on")


def line(page: Page) -> Locator:
    return page.get_by_role("region", name="Review", exact=True).get_by_role("status").first


def test_a_hundred_items_are_decided_by_keys_alone(store: Path, page: Page) -> None:
    ids = learnt(store, HUNDRED)
    card = reviewed(page)
    expect(line(page)).to_contain_text("101 to decide")  # the last one is the dream
    expect(card).to_contain_text(sentence(99))
    for place in range(HUNDRED):
        expect(card).to_contain_text(sentence(HUNDRED - 1 - place))
        page.keyboard.press("y" if place % 3 else "n")
    expect(line(page)).to_contain_text("100 done")
    noticed(page, lambda: waiting(store) == set(), "every answer arrives in the book")
    with opened(store) as book:
        said = [book.get(id) for id in ids]
    assert [each.status for each in said] == [
        Status.ACTIVE if place % 3 else Status.FORGOTTEN for place in range(HUNDRED)
    ]
    assert all(each.origin is Origin.CONFIRMED for place, each in enumerate(said) if place % 3)


def test_the_count_beside_review_goes_down_with_the_answers(store: Path, page: Page) -> None:
    learnt(store, 3)
    card = reviewed(page)
    link = page.get_by_role("navigation", name="Views").get_by_role("link", name=re.compile("Review"))
    expect(link).to_contain_text("3")
    expect(card).to_contain_text(sentence(2))
    page.keyboard.press("y")
    expect(link).to_contain_text("2")


def test_undo_takes_back_answers_one_after_another(store: Path, page: Page) -> None:
    ids = learnt(store, 3)
    card = reviewed(page)
    for said in (sentence(2), sentence(1)):
        expect(card).to_contain_text(said)
        page.keyboard.press("n")
    expect(card).to_contain_text(sentence(0))
    page.keyboard.press("u")
    expect(card).to_contain_text(sentence(1))
    page.keyboard.press("u")
    expect(card).to_contain_text(sentence(2))
    expect(line(page)).to_contain_text("4 to decide")
    noticed(page, lambda: waiting(store) == set(ids), "both answers are taken back in the book")


def test_a_group_is_answered_at_once_with_one_undo(store: Path, page: Page) -> None:
    ids, others = learnt(store, 20, "standup"), learnt_of_a_source(store)
    reviewed(page)
    button(page, re.compile("^All of .*standup")).click()
    asked = dialog(page, re.compile("^All 20"))
    expect(asked).to_contain_text("and 15 more")
    button(asked, "Yes to all").click()
    told(page, "Yes to 20 memories")
    assert waiting(store) == {others}
    button(page.locator("#toast"), "Undo").click()
    told(page, "Taken back")
    assert waiting(store) == {*ids, others}


def learnt_of_a_source(store: Path) -> str:
    with opened(store) as book:
        return book.through(INFERRED).remember("The tide tables are in the wiki", source="notes/tides.md").memory.id


def test_things_are_grouped_by_session_and_source(store: Path, page: Page) -> None:
    learnt(store, 2, "standup")
    learnt_of_a_source(store)
    with opened(store) as book:
        saved = book.sessions.save(
            read_text("User: Remember this rule: always run the harbour check before a release, for good."),
            book.scope(),
        )
    assert saved.learnt
    reviewed(page)
    names = page.get_by_role("navigation", name="What waits").get_by_role("heading")
    expect(names.filter(has_text="standup")).to_have_count(1)
    expect(names.filter(has_text="notes/tides.md")).to_have_count(1)
    expect(names.filter(has_text=re.compile("Remember this rule|harbour check"))).to_have_count(1)


def test_an_agents_revision_stands_beside_the_persons_words_and_no_brings_them_back(store: Path, page: Page) -> None:
    with opened(store) as book:
        memory = book.remember("The gate opens at nine").memory
        book.through(AGENT).update(memory.id, text="The gate opens at ten")
    card = reviewed(page)
    expect(card).to_contain_text("An agent put these words in place of yours.")
    expect(card.locator("del")).to_have_text(["nine"])
    expect(card.locator("ins")).to_have_text(["ten"])
    page.keyboard.press("n")
    expect(line(page)).to_contain_text("1 done")
    expect(page.get_by_role("region", name="What to decide on")).not_to_contain_text("An agent put")
    noticed(page, lambda: now(store, memory.id).text == "The gate opens at nine", "the person's words stand again")
    assert not now(store, memory.id).waits


def test_an_edit_in_the_review_is_the_persons_word(store: Path, page: Page) -> None:
    (id,) = learnt(store, 1)
    card = reviewed(page)
    expect(card).to_contain_text(sentence(0))
    page.keyboard.press("e")
    words = card.get_by_role("textbox", name="The words")
    words.fill("Crates are kept in the cellar")
    words.press("Control+Enter")
    told(page, "Changed")
    after = now(store, id)
    assert (after.text, after.waits) == ("Crates are kept in the cellar", False)
    assert waiting(store) == set()


def test_later_leaves_it_waiting_and_comes_back_to_it(store: Path, page: Page) -> None:
    ids = learnt(store, 2)
    card = reviewed(page)
    expect(card).to_contain_text(sentence(1))
    page.keyboard.press("l")
    expect(card).to_contain_text(sentence(0))
    page.keyboard.press("l")
    page.keyboard.press("l")  # the dream
    expect(card).to_contain_text("3 items are left for later")
    button(card, "Those left for later").click()
    expect(card).to_contain_text(sentence(1))
    assert waiting(store) == set(ids)


CONTRADICTION = ("The release manager deploys on Monday", "The release manager does not deploy on Monday")


@pytest.mark.parametrize(("key", "standing"), [("y", {1}), ("o", {0}), ("n", {0, 1})])
def test_contradictions_stand_side_by_side_and_are_settled(
    store: Path, page: Page, key: str, standing: set[int]
) -> None:
    with opened(store) as book:
        both = [book.remember(text).memory.id for text in CONTRADICTION]
        done = len(book.undo.list(100))
    card = reviewed(page)
    expect(card).to_contain_text("may contradict each other")
    expect(card.locator("del")).to_have_text(["deploys"])
    expect(card.locator("ins")).to_have_text(["does not deploy"])
    page.keyboard.press(key)
    expect(line(page)).to_contain_text("1 done")

    def active() -> set[int]:
        return {place for place, id in enumerate(both) if now(store, id).status is Status.ACTIVE}

    def settled() -> int:
        with opened(store) as book:
            return len(book.undo.list(100))

    noticed(page, lambda: settled() > done, "the book has what was said")
    assert active() == standing
    again = reviewed(page)
    expect(line(page)).to_contain_text("1 to decide")  # the dream: the pair is settled
    expect(again).not_to_contain_text("contradict each other")
    assert active() == standing


def test_repeats_are_shown_and_the_newer_can_take_the_place(store: Path, page: Page) -> None:
    with opened(store) as book:
        old = book.remember("The harbour office closes at five on Fridays").memory
        new = book.remember("On Fridays the harbour office closes at five")
    assert [near.memory.id for near in new.near] == [old.id]
    card = reviewed(page)
    expect(card).to_contain_text("These say nearly the same.")
    page.keyboard.press("y")
    noticed(page, lambda: now(store, old.id).status is Status.SUPERSEDED, "the newer one stands in its place")


def test_a_dream_is_a_readable_difference_and_is_applied_and_taken_back(store: Path, page: Page) -> None:
    as_it_comes = Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE)
    with opened(store) as book:
        agent = book.through(AGENT)
        ids = [agent.remember("Deploys are on Monday", repeats=as_it_comes).memory.id for _ in range(3)]

    def standing() -> int:
        with opened(store) as book:
            return sum(book.get(id).status is Status.ACTIVE for id in ids)

    card = reviewed(page)
    while "A dream tidies" not in card.inner_text():
        page.keyboard.press("l")
        expect(card).not_to_contain_text("Looking at what")
    assert card.get_by_role("listitem").count() >= 1
    expect(card).to_contain_text("Deploys are on Monday")
    page.keyboard.press("y")
    noticed(page, lambda: standing() == 1, "the dream is applied")
    page.keyboard.press("u")
    noticed(page, lambda: standing() == 3, "and taken back")


def test_an_answer_that_fails_comes_back_with_its_sentence(store: Path, page: Page) -> None:
    first, second = learnt(store, 2)
    card = reviewed(page)
    expect(card).to_contain_text(sentence(1))
    with opened(store) as book:
        book.purge(first)
    page.keyboard.press("y")
    told(page, "One answer came back.")
    expect(card).to_contain_text(sentence(0))
    page.keyboard.press("y")
    expect(line(page)).to_contain_text("1 done")
    failed = page.get_by_role("button", name=re.compile(f"{sentence(1)}.*failed"))
    expect(failed).to_be_visible()
    noticed(page, lambda: not now(store, second).waits, "the other answer arrived")


def test_nothing_that_waits_says_so(page: Page) -> None:
    card = reviewed(page)
    expect(card).to_contain_text("Nothing waits for you")
    expect(page.get_by_role("navigation", name="What waits")).to_contain_text("A dream would change nothing now.")
    expect(line(page)).to_have_text("")


def test_whoever_leaves_while_answers_are_on_their_way_is_asked_first(store: Path, page: Page, pages: Opened) -> None:
    (id,) = learnt(store, 1)
    reviewed(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/memories/confirm", hold)
    page.keyboard.press("y")
    noticed(page, lambda: len(held) == 1, "the answer is on its way")
    page.evaluate("() => { setTimeout(() => location.reload(), 0) }")
    asked = pages[page].dialogs
    noticed(page, lambda: asked == ["beforeunload: "], "leaving asks")
    asked.clear()
    held[0].continue_()
    noticed(page, lambda: not now(store, id).waits, "the answer arrived")
