"""One memory: everything it says of itself, and everything that may be done with it. The truth is in the book."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from commonplace.documents.evidence import EvidenceType, Source
from commonplace.domain.memory import Memory, Origin, RelationKind, Status
from commonplace.domain.query import Filter
from commonplace.errors import NotFound
from commonplace.sessions.transcripts import read_text
from tests.web.running import AGENT, opened
from tests.web.views import button, dialog, listed, more, open_memory, pane, row, rows, search, told, undo

DEPLOY = "Deploys are on Monday"
GIVE_UP = "Give up what was typed"
TALK = "User: Remember this rule: always run the harbour check before a release, for good.\nAssistant: Noted."


def the(store: Path, id: str) -> Memory:
    with opened(store) as book:
        return book.get(id)


def said(store: Path, *statuses: Status) -> list[str]:
    with opened(store) as book:
        return sorted(each.text for each in book.list(Filter(book.every_scope(), statuses=statuses)).memories)


@pytest.fixture
def one(store: Path, page: Page) -> Memory:
    """A memory of the person, open beside the list."""
    with opened(store) as book:
        memory = book.remember(
            DEPLOY, kind="decision", tags=["release"], topic="deploy day", source="notes.md:7"
        ).memory
    page.reload()
    open_memory(page, DEPLOY)
    return memory


def edit(page: Page) -> Locator:
    button(pane(page), "Edit").click()
    return page.get_by_role("form", name=re.compile("^Change"))


def test_everything_a_memory_is_can_be_read(page: Page, one: Memory) -> None:
    shown = pane(page).get_by_role("article")
    for said in ("Decision 1", DEPLOY, "typed", "notes.md:7", "deploy-day", "release", one.id, "user:default"):
        expect(shown).to_contain_text(said)


def test_an_edit_is_in_the_book_and_undo_takes_it_back(store: Path, page: Page, one: Memory) -> None:
    form = edit(page)
    form.get_by_role("textbox", name="The words").fill("Deploys are on Tuesday")
    form.get_by_label("Kind").select_option("fact")
    form.get_by_label(re.compile("^Tags")).fill("release, weekday")
    form.get_by_label("Pinned").check()
    button(form, "Save").click()
    told(page, "Changed")
    now = the(store, one.id)
    assert (now.text, now.kind.value, sorted(now.tags), now.pinned) == (
        "Deploys are on Tuesday",
        "fact",
        ["release", "weekday"],
        True,
    )
    assert now.origin is Origin.TYPED
    expect(row(page, "Deploys are on Tuesday")).to_be_visible()
    undo(page)
    assert the(store, one.id).text == DEPLOY
    expect(pane(page).get_by_role("article")).to_contain_text(DEPLOY)


def test_what_cannot_be_saved_says_why_and_keeps_what_was_typed(store: Path, page: Page, one: Memory) -> None:
    form = edit(page)
    words = form.get_by_role("textbox", name="The words")
    words.fill("x" * 64_001)
    button(form, "Save").click()
    expect(form.get_by_role("alert")).to_contain_text("64,000 is the limit")
    assert words.input_value() == "x" * 64_001
    assert the(store, one.id).text == DEPLOY


def test_an_edit_is_given_up_only_with_a_second_word(store: Path, page: Page, one: Memory) -> None:
    form = edit(page)
    form.get_by_role("textbox", name="The words").fill("Half a thought")
    for give_up in (lambda: page.keyboard.press("Escape"), button(form, "Cancel").click):
        give_up()
        expect(button(form, GIVE_UP)).to_be_focused()
        form.get_by_role("textbox", name="The words").press("End")
        form.get_by_role("textbox", name="The words").press_sequentially(", and more")
        expect(button(form, GIVE_UP)).to_have_count(0)
    button(form, "Cancel").dblclick()
    expect(form).to_have_count(0)
    assert the(store, one.id) == one.__replace__(usage=the(store, one.id).usage)


@pytest.mark.usefixtures("one")
def test_a_draft_is_there_when_one_comes_back_to_it(store: Path, page: Page) -> None:
    with opened(store) as book:
        book.remember("Something else")
    edit(page).get_by_role("textbox", name="The words").fill("Half a thought")
    button(pane(page), "Close").click()
    page.get_by_role("searchbox", name="Search memories").fill("deploys")
    row(page, DEPLOY).get_by_role("link").click()
    expect(page.get_by_role("textbox", name="The words")).to_have_value("Half a thought")
    page.get_by_role("textbox", name="The words").press("Escape")
    button(pane(page), GIVE_UP).click()


ACTS = {
    "Archive": (Status.ARCHIVED, True),
    "Forget": (Status.FORGOTTEN, False),
}


@pytest.mark.parametrize("act", ACTS)
def test_what_is_put_away_is_put_away_in_the_book_comes_back_by_undo_and_by_restore(
    store: Path, page: Page, one: Memory, act: str
) -> None:
    status, is_in_menu = ACTS[act]

    def do() -> None:
        if is_in_menu:
            more(page, act)
        else:
            button(pane(page), act).click()

    do()
    told(page, DEPLOY)
    assert the(store, one.id).status is status
    undo(page)
    assert the(store, one.id).status is Status.ACTIVE
    do()
    button(pane(page), "Restore").click()
    told(page, "Restored")
    assert the(store, one.id).status is Status.ACTIVE


def test_confirm_is_the_persons_word(store: Path, page: Page) -> None:
    with opened(store) as book:
        inferred = book.through(AGENT.__replace__(origin=Origin.INFERRED)).remember("Releases wait for the tide").memory
    assert inferred.waits
    page.reload()
    shown = open_memory(page, "Releases wait")
    expect(shown).to_contain_text("Nobody has confirmed it yet.")
    button(shown, "Confirm").click()
    told(page, "Confirmed")
    assert not the(store, inferred.id).waits
    expect(shown).not_to_contain_text("Nobody has confirmed it")
    undo(page)
    assert the(store, inferred.id).waits


def test_superseding_finds_the_successor_by_search(store: Path, page: Page, one: Memory) -> None:
    with opened(store) as book:
        newer = book.remember("From now on deploys are on Thursday morning").memory
    page.reload()
    open_memory(page, DEPLOY)
    more(page, "Replace by another…")
    asked = dialog(page, "What takes the place of this memory?")
    asked.get_by_role("searchbox").fill("Thursday")
    asked.get_by_role("radio", name=re.compile("Thursday")).check()
    button(asked, "Put it in its place").click()
    told(page, "took the place of")
    old = the(store, one.id)
    assert (old.status, old.successor) == (Status.SUPERSEDED, newer.id)
    expect(pane(page).get_by_role("article")).to_contain_text("What took its place")
    undo(page)
    assert the(store, one.id).status is Status.ACTIVE


def test_a_purge_shows_what_it_will_reach_asks_for_a_word_and_is_for_good(store: Path, page: Page, one: Memory) -> None:
    with opened(store) as book:
        book.update(one.id, text="Deploys are on Wednesday")
        book.relate(one.id, [book.remember("The pipeline deploys").memory.id], RelationKind.RELATED_TO)
    page.reload()
    open_memory(page, "Wednesday")
    more(page, "Purge for good…")
    asked = dialog(page, "Purge this memory for good")
    expect(asked).to_contain_text("Deploys are on Wednesday")
    expect(asked).to_contain_text(re.compile("1 memory, 1 former text, 1 relation, [1-9] lines"))
    button(asked, re.compile("^Purge")).click()
    expect(asked.get_by_role("alert")).to_contain_text("Type 1 to purge")
    assert the(store, one.id).text == "Deploys are on Wednesday"
    asked.get_by_label("Type 1 to go on").fill("1")
    button(asked, re.compile("^Purge")).click()
    told(page, re.compile("Purged"))
    with opened(store) as book, pytest.raises(NotFound):
        book.get(one.id)
    assert b"Wednesday" not in store.read_bytes()
    expect(row(page, "Wednesday")).to_have_count(0)
    expect(button(page.locator("#toast"), "Undo")).to_have_count(0)


def test_the_history_marks_word_by_word_what_changed(store: Path, page: Page, one: Memory) -> None:
    with opened(store) as book:
        book.update(one.id, text="Deploys are on Tuesday and Thursday")
    page.reload()
    shown = open_memory(page, "Thursday")
    shown.get_by_text("History", exact=True).click()
    expect(shown.locator("del")).to_have_text(["Monday"])
    assert re.sub(r"\s+", " ", " ".join(shown.locator("ins").all_inner_texts())).strip() == "Tuesday and Thursday"


def test_why_a_query_found_it_or_did_not_is_told_stage_by_stage(store: Path, page: Page, one: Memory) -> None:
    shown = pane(page).get_by_role("article")
    shown.get_by_text("Why did a query find it, or not?").click()
    field = shown.get_by_role("searchbox").or_(shown.get_by_role("textbox")).last
    field.fill("when do we deploy")
    button(shown, "Tell").click()
    with opened(store) as book:
        told = book.why("when do we deploy", one.id)
    stages = shown.locator("ol.stages > li")
    expect(stages.first).to_be_visible()
    assert stages.count() >= 4
    expect(shown.locator(".verdict")).to_have_text(told.verdict.replace(one.id, "Decision 1"))
    field.fill("zeppelin quokka")
    button(shown, "Tell").click()
    expect(shown.locator(".verdict")).to_contain_text(re.compile("not|no ", re.IGNORECASE))


def test_where_it_came_from_leads_to_the_session_and_the_words_that_were_said(store: Path, page: Page) -> None:
    with opened(store) as book:
        saved = book.sessions.save(read_text(TALK), book.scope())
    assert saved.learnt
    page.reload()
    shown = open_memory(page, "harbour check")
    expect(shown.locator("blockquote").first).to_contain_text("always run the harbour check before a release")
    shown.get_by_role("link", name=re.compile("Remember this rule")).click()
    session = pane(page).get_by_role("article")
    expect(session.get_by_role("heading", name="Session")).to_be_visible()
    session.get_by_text("What was said", exact=True).click()
    expect(session).to_contain_text("Noted.")


def test_evidence_is_shown_with_where_it_is_and_whether_it_holds(store: Path, page: Page, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    guide = tmp_path / "guide.md"
    guide.write_text("# Guide\n\n## Gate\n\nThe gate opens at nine.\n", encoding="utf-8")
    with opened(store) as book:
        book.documents.add(guide)
        chunk = book.documents.search("gate opens")[0].chunk
        memory = book.remember("The gate opens at nine").memory
        book.evidence.attach(memory.id, Source(EvidenceType.CHUNK, chunk_id=chunk.id))
        book.evidence.attach(memory.id, Source(EvidenceType.PR, "acme/gate#12", snippet="nine it is"))
        book.evidence.verify(memory.id)
        assert len(book.evidence.of(memory)) == 2
    page.reload()
    rest = open_memory(page, "gate opens").locator("li.evidence")
    expect(rest).to_have_count(2)
    expect(rest.filter(has_text="holds")).to_have_count(1)
    expect(rest.filter(has_text="acme/gate#12")).to_contain_text("nine it is")


# -- many at once -----------------------------------------------------------------------------


@pytest.fixture
def many(store: Path, page: Page) -> Page:
    with opened(store) as book:
        for number in range(30):
            book.remember(f"Crate {number} is kept in hall {number * 7}")
    page.reload()
    listed(page)
    return page


def test_many_are_chosen_by_range_and_done_with_at_once_with_one_undo(store: Path, many: Page) -> None:
    boxes = rows(many).get_by_role("checkbox")
    boxes.nth(1).check()
    boxes.nth(5).click(modifiers=["Shift"])
    bar = many.get_by_role("toolbar", name="What is selected")
    expect(bar).to_contain_text("5 selected")
    button(bar, "Archive").click()
    told(many, "Archived 5 memories")
    assert said(store, Status.ARCHIVED) == sorted(
        f"Crate {number} is kept in hall {number * 7}" for number in range(24, 29)
    )
    undo(many)
    assert said(store, Status.ARCHIVED) == []


def test_all_that_is_shown_can_be_purged_with_a_word(store: Path, many: Page) -> None:
    search(many, "crate 7")
    rows(many).first.get_by_role("checkbox").check()
    bar = many.get_by_role("toolbar", name="What is selected")
    button(bar, "All shown").click()
    chosen = int(bar.get_by_role("status").inner_text().split()[0])
    assert 1 < chosen <= 30
    button(bar, "Purge…").click()
    asked = dialog(many, re.compile("^Purge"))
    asked.get_by_label("Type purge to go on").fill("purge")
    button(asked, re.compile("^Purge")).click()
    told(many, re.compile("Purged"))
    assert len(said(store)) == 30 - chosen


# -- remember ---------------------------------------------------------------------------------


def remember(page: Page, words: str) -> Locator:
    button(page.get_by_role("search"), "Remember something").click()
    asked = dialog(page, "Remember something")
    asked.get_by_role("textbox", name="What to remember").fill(words)
    return asked


def test_remembering_is_the_persons_word_with_its_labels(store: Path, page: Page) -> None:
    asked = remember(page, "We always deploy on Monday")
    asked.get_by_text("Labels and dates").click()
    asked.get_by_label(re.compile("^Tags")).fill("release, weekday")
    asked.get_by_label("Kind").select_option("decision")
    button(asked, "Remember").click()
    expect(row(page, "We always deploy on Monday")).to_be_visible()
    with opened(store) as book:
        (memory,) = book.list(Filter(book.every_scope())).memories
    assert (memory.text, memory.kind.value, sorted(memory.tags)) == (
        "We always deploy on Monday",
        "decision",
        ["release", "weekday"],
    )
    assert memory.origin is Origin.TYPED
    undo(page)
    assert said(store, Status.ACTIVE) == []


def test_what_it_speaks_against_is_shown_and_can_give_way(store: Path, page: Page) -> None:
    with opened(store) as book:
        old = book.remember("The release manager deploys on Monday").memory
        found = book.remember("The release manager does not deploy on Monday")
        assert found.contradicts, "the book sees it"
        book.undo.take_back()
    page.reload()
    asked = remember(page, "The release manager does not deploy on Monday")
    button(asked, "Remember").click()
    expect(asked).to_contain_text("It contradicts")
    expect(asked.locator("del")).to_have_text(["deploys"])
    expect(asked.locator("ins")).to_have_text(["does not deploy"])
    button(asked, f"Put the new one in the place of {old.number}").click()
    told(page, "took the place of")
    assert the(store, old.id).status is Status.SUPERSEDED
    assert said(store, Status.ACTIVE) == ["The release manager does not deploy on Monday"]


def test_an_empty_text_is_refused_in_a_sentence(store: Path, page: Page) -> None:
    asked = remember(page, "   ")
    button(asked, "Remember").click()
    expect(asked.get_by_role("alert")).to_have_text("text is empty: give it some text.")
    assert said(store) == []


def test_a_secret_is_refused_and_stays_in_the_field_only(store: Path, page: Page) -> None:
    secret = "ghp" + "_" + "q3Vx9Lm2Zt7Rb4Wn8Kc5Hd1Ys6Pf0Jg3Ua2E"
    asked = remember(page, f"The token is {secret}")
    button(asked, "Remember").click()
    expect(asked.get_by_role("alert")).to_be_visible()
    assert secret not in asked.get_by_role("alert").inner_text()
    assert secret in asked.get_by_role("textbox", name="What to remember").input_value()
    assert not store.exists() or secret.encode() not in store.read_bytes()


def test_what_was_to_be_remembered_is_given_up_only_with_a_second_word(page: Page) -> None:
    asked = remember(page, "Half a thought")
    button(asked, "Cancel").click()
    expect(button(asked, GIVE_UP)).to_be_focused()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    button(page.get_by_role("search"), "Remember something").click()
    words = asked.get_by_role("textbox", name="What to remember")
    expect(words).to_have_value("Half a thought")
    button(asked, "Cancel").dblclick()
    expect(asked).to_have_count(0)
    button(page.get_by_role("search"), "Remember something").click()
    expect(words).to_have_value("")


# -- how it looks -----------------------------------------------------------------------------


LONG = " ".join(f"Step {number} is done before step {number + 1}." for number in range(1_500))


def test_a_long_text_leaves_what_may_be_done_in_sight_and_its_change_is_marked(store: Path, page: Page) -> None:
    with opened(store) as book:
        memory = book.remember(LONG).memory
        book.update(memory.id, text=LONG.replace("step 700", "pace 700"))
    page.reload()
    shown = open_memory(page, "Step 1 is")
    expect(button(shown, "Edit")).to_be_in_viewport()
    button(shown, re.compile("^Show all")).click()
    expect(button(shown, "Edit")).not_to_be_in_viewport()
    shown.get_by_text("History", exact=True).click()
    expect(shown.locator(".history del")).to_have_text(["step"])
    expect(shown.locator(".history ins")).to_have_text(["pace"])


@pytest.mark.parametrize("width", [390, 900, 1024, 1280])
def test_all_that_may_be_done_with_many_is_in_sight(many: Page, width: int) -> None:
    many.set_viewport_size({"width": width, "height": 800})
    top = rows(many).first.bounding_box()
    rows(many).first.get_by_role("checkbox").check()
    for each in many.get_by_role("toolbar", name="What is selected").get_by_role("button").all():
        expect(each).to_be_in_viewport(ratio=1)
    assert rows(many).first.bounding_box() == top, "nothing moved"


def test_a_text_from_right_to_left_begins_at_the_right(store: Path, page: Page) -> None:
    with opened(store) as book:
        book.remember("הגיבויים נשמרים שלושים יום", tags=["hebrew"])
        book.remember("Backups are kept for thirty days")
    page.reload()
    listed(page)
    aligned = "(text) => [getComputedStyle(text).display, getComputedStyle(text).direction]"
    assert [text.evaluate(aligned) for text in page.locator(".row-text > .stored").all()] == [
        ["block", "ltr"],
        ["block", "rtl"],
    ]
    assert open_memory(page, "הגיבויים").locator(".memory-text > .stored").evaluate(aligned) == ["block", "rtl"]
