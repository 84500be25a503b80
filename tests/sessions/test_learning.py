"""What is learnt from a conversation: what it is worth, what gives way to it, why it was learnt, and taking it back."""

import ast
from collections.abc import Callable

import pytest

from commonplace.book.book import Book
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import CaptureMode, Memory, Origin, Status
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.errors import Conflict, NotFound
from commonplace.ports import Store
from commonplace.sessions.entries import LEARNINGS
from commonplace.sessions.learning import About
from commonplace.sessions.sessions import Saved
from commonplace.sessions.transcripts import Speaker, Turn, read_text
from tests.conftest import DAY, START, ManualClock
from tests.hashing import HashingEmbedder
from tests.test_architecture import modules, tree

RULE = "Always run make check before you push to main."
OLD = "Our staging database listens on port 5432, because the old proxy needs it."
NEW = "No, our staging database listens on port 5433, because the old proxy needs it."
HEARD = About(heard=True)

Opened = Callable[..., Book]


@pytest.fixture
def opened(either_store: Store, clock: ManualClock) -> Opened:
    """The book as anybody uses it, through any door."""

    def open_as(principal: Principal = Principal(), origin: Origin = Origin.AGENT) -> Book:
        return Book.over(either_store, principal, HashingEmbedder(), clock).through(Door(origin=origin))

    return open_as


@pytest.fixture
def book(opened: Opened) -> Book:
    return opened()


def said(*texts: str, at: int | None = None, surface: str | None = None) -> list[Turn]:
    """A conversation that begins with a greeting, in which all of this is said by its user."""
    greeting = (Turn(Speaker.USER, "hello", at), Turn(Speaker.ASSISTANT, "Hi!", at))
    return [*greeting, *(Turn(Speaker.USER, text, at, surface) for text in texts)]


def save(book: Book, *texts: str, key: str = "talk", about: About = About()) -> Saved:
    return book.sessions.save(said(*texts), book.scope(), key=key, about=about)


def about(book: Book, words: str) -> list[Memory]:
    return [memory for memory in book.each() if words in memory.text]


# -- what it is worth -------------------------------------------------------------------------


@pytest.mark.parametrize("origin", [Origin.TYPED, Origin.AGENT])
def test_what_is_learnt_is_inferred_and_waits_whoever_saves_it(opened: Opened, origin: Origin) -> None:
    saved = save(opened(origin=origin), RULE, OLD)
    assert {result.memory.origin for result in saved.learnt} == {Origin.INFERRED}
    assert all(result.memory.waits for result in saved.learnt)


def test_an_explicit_wish_that_our_hook_heard_does_not_wait(book: Book) -> None:
    saved = save(book, RULE, about=HEARD)
    (memory,) = [result.memory for result in saved.learnt]
    assert (memory.origin, memory.waits) == (Origin.HEARD, False)
    assert memory.provenance.capture_mode is CaptureMode.EXPLICIT


def test_what_nobody_put_in_so_many_words_is_inferred_though_the_hook_heard_it(book: Book) -> None:
    saved = save(book, "We moved the archive to Lisbon on 3 March because the rent doubled there.", about=HEARD)
    assert [result.memory.origin for result in saved.learnt] == [Origin.INFERRED]


@pytest.mark.parametrize("role", [Speaker.ASSISTANT, Speaker.UNKNOWN])
def test_only_a_users_own_turn_is_heard(book: Book, role: Speaker) -> None:
    saved = book.sessions.save([*said(), Turn(role, f"- [ ] {RULE}")], book.scope(), about=HEARD)
    assert saved.learnt
    assert {result.memory.origin for result in saved.learnt} == {Origin.INFERRED}


def test_a_door_that_is_trusted_less_hears_no_better(opened: Opened) -> None:
    saved = save(opened(origin=Origin.IMPORTED), RULE, about=HEARD)
    assert [result.memory.origin for result in saved.learnt] == [Origin.IMPORTED]


def test_no_door_that_is_open_to_others_can_say_that_something_was_heard() -> None:
    """Only the hook may: nothing on the command line, in a dialect or in a server names it."""
    named = [
        module
        for module in modules()
        if module.startswith(("commonplace.cli", "commonplace.dialect", "commonplace.serve"))
        for node in ast.walk(tree(module))
        if isinstance(node, ast.keyword) and node.arg == "heard"
    ]
    assert named == []


def test_the_same_words_from_a_better_source_take_the_place_of_what_was_inferred(book: Book) -> None:
    (inferred,) = save(book, RULE, key="first").learnt
    heard = save(book, RULE, key="second", about=HEARD)
    assert heard.superseded == (inferred.memory.id,)
    assert [memory.origin for memory in about(book, "make check")] == [Origin.HEARD]


# -- what gives way ---------------------------------------------------------------------------


def test_in_one_conversation_the_later_word_wins(book: Book) -> None:
    saved = save(book, OLD, "ok", NEW)
    assert ["5433" in result.memory.text for result in saved.learnt] == [True]
    assert saved.session is not None
    assert "5432" not in saved.session.summary


def test_in_one_that_grows_the_later_word_supersedes_what_was_learnt_before(book: Book) -> None:
    (old,) = save(book, OLD).learnt
    grown = save(book, OLD, "ok", NEW)
    assert grown.superseded == (old.memory.id,)
    assert book.get(old.memory).status is Status.SUPERSEDED
    assert book.get(old.memory).successor == grown.learnt[0].memory.id
    assert "5432" not in (grown.session.summary if grown.session else "5432")
    again = save(book, OLD, "ok", NEW, "thanks!")
    assert (again.learnt, book.get(old.memory).status) == ((), Status.SUPERSEDED), "it is not learnt again"


def test_a_correction_in_few_words_replaces_what_it_corrects(book: Book) -> None:
    rule = "Our reminders must always go out 24h before the slot, in local time."
    (old,) = save(book, rule).learnt
    grown = save(book, rule, "just asked Leonie, we decided it is 36h since last month, not 24, because of the trains")
    assert grown.superseded == (old.memory.id,)


def test_a_contradiction_in_another_conversation_supersedes_what_is_trusted_no_more(book: Book) -> None:
    (old,) = save(book, OLD, key="first").learnt
    later = save(book, NEW, key="second")
    assert later.superseded == (old.memory.id,)
    assert len(about(book, "staging database")) == 1


@pytest.mark.parametrize("origin", [Origin.TYPED, Origin.AGENT])
def test_what_is_trusted_more_stays_and_the_new_word_is_proposed(opened: Opened, origin: Origin) -> None:
    person, agent = opened(origin=Origin.TYPED), opened()
    known = (person if origin is Origin.TYPED else agent).remember(OLD).memory
    saved = save(person, NEW)  # a person's hand, but words that were only inferred
    assert (saved.superseded, saved.proposed) == ((), (known.id,))
    assert agent.get(known).status is Status.ACTIVE
    (waiting,) = [each for each in agent.review().waiting if each.stands]
    assert waiting.stands[0].id == known.id
    person.confirm(waiting.memory)
    assert agent.get(known).status is Status.SUPERSEDED


def test_what_was_heard_gives_way_to_persons_only(opened: Opened) -> None:
    person, agent = opened(origin=Origin.TYPED), opened()
    passed_on = agent.remember(OLD).memory
    assert save(agent, NEW, about=HEARD).superseded == (passed_on.id,)
    typed = person.remember("Our mail server listens on port 25, because the old proxy needs it.").memory
    saved = save(
        agent, "No, our mail server listens on port 587, because the old proxy needs it.", key="mail", about=HEARD
    )
    assert (saved.superseded, saved.proposed) == ((), (typed.id,))


def test_what_was_said_earlier_does_not_replace_what_was_said_later(book: Book, clock: ManualClock) -> None:
    clock.advance(days=100)
    new = book.sessions.save(said(NEW, at=START + 90 * DAY), book.scope(), key="new").learnt[0].memory
    old = book.sessions.save(said(OLD, at=START + 10 * DAY), book.scope(), key="old")
    assert old.superseded == ()
    assert book.get(new).status is Status.ACTIVE
    assert book.get(old.learnt[0].memory).status is Status.SUPERSEDED


def test_nothing_of_another_person_gives_way(opened: Opened) -> None:
    team = Scope.parse("project:pier")
    ada, bob = opened(Principal(user="ada")), opened(Principal(user="bob"))
    known = ada.sessions.save(said(OLD), team).learnt[0].memory
    saved = bob.sessions.save(said(NEW), team)
    assert (saved.superseded, saved.proposed) == ((), (known.id,))
    assert ada.get(known).status is Status.ACTIVE


def test_the_same_in_other_sessions_is_learnt_once(book: Book) -> None:
    save(book, RULE, key="first")
    again = save(book, RULE, "Never deploy the billing service on a Friday.", key="second")
    assert [result.memory.text for result in again.learnt] == ["Never deploy the billing service on a Friday."]
    assert len(about(book, "make check")) == 1


# -- when, with what, where -------------------------------------------------------------------


def test_the_day_and_the_tool_come_from_the_transcript(book: Book) -> None:
    turns = said(RULE, at=START - 30 * DAY, surface="codex")
    saved = book.sessions.save(turns, book.scope(), about=About("/srv/pier"))
    (memory,) = [result.memory for result in saved.learnt]
    assert (memory.valid_from, memory.provenance.source) == (START - 30 * DAY, "codex")
    assert saved.session is not None
    session, _ = book.sessions.get(saved.session.id)
    assert (session.held_at, session.surface, session.project) == (START - 30 * DAY, "codex", "/srv/pier")


def test_a_clock_that_ran_ahead_hides_nothing(book: Book) -> None:
    saved = book.sessions.save(said(RULE, at=START + 9 * DAY), book.scope())
    assert saved.learnt[0].memory.valid_from == START
    assert book.recall("make check before push").hits


# -- why --------------------------------------------------------------------------------------


def test_what_was_learnt_is_shown_with_its_words_and_the_reason(book: Book) -> None:
    session = save(book, RULE).session
    assert session is not None
    (learnt,) = book.sessions.learnt(session.id)
    assert (learnt.turn, learnt.memory.text) == (2, RULE)
    assert RULE in learnt.quote
    assert learnt.reason


def test_what_was_looked_at_and_left_out_can_be_asked_for(book: Book) -> None:
    session = save(book, RULE, "Maybe we could use Postgres in Lisbon at some point, I guess.").session
    assert session is not None
    left = book.sessions.left_out(session.id)
    assert all(each.reason for each in left)
    assert RULE not in [each.quote for each in left]


def test_a_removed_session_takes_its_quotations_along(book: Book) -> None:
    session = save(book, RULE).session
    assert session is not None
    book.sessions.remove(session.id)
    with book._caller.store.reading("local") as unit:
        assert unit.entries.count(EntryFilter(LEARNINGS)) == 0
    assert len(about(book, "make check")) == 1


def test_a_purge_takes_the_words_it_was_said_in_out_of_the_conversation(book: Book, clock: ManualClock) -> None:
    """Also where the memory says them otherwise: it was made of them."""
    session = save(book, f"hello. {RULE} And bye.").session
    assert session is not None
    (learnt,) = book.sessions.learnt(session.id)
    clock.advance(seconds=1)
    book.update(learnt.memory, text="The checks come before every push.")
    book.purge(learnt.memory)
    turns = " ".join(turn.text for turn in book.sessions.turns(session.id))
    assert "make check" not in turns
    with book._caller.store.reading("local") as unit:
        assert unit.entries.count(EntryFilter(LEARNINGS)) == 0


def test_what_was_purged_does_not_come_back_when_the_conversation_grows(book: Book) -> None:
    (learnt,) = save(book, OLD).learnt
    book.purge(learnt.memory)
    save(book, OLD, "Thanks.", RULE)
    assert not about(book, "staging database port")
    sessions = book.sessions.list([book.scope("user")])
    told = [turn.text for session in sessions for turn in book.sessions.turns(session.id)]
    assert not any("5432" in text for text in told)
    assert any(RULE in text for text in told)


# -- taking back ------------------------------------------------------------------------------


def test_what_was_learnt_is_forgotten_as_a_whole_and_what_gave_way_stands_again(book: Book) -> None:
    (old,) = save(book, OLD, key="first").learnt
    session = save(book, NEW, RULE, key="second").session
    assert session is not None
    done = book.sessions.forget(session.id)
    assert (len(done.forgotten), [memory.id for memory in done.restored]) == (2, [old.memory.id])
    assert [memory.id for memory in book.each()] == [old.memory.id]
    assert book.sessions.get(session.id)[1] == ()
    assert len(book.sessions.turns(session.id)) == 4, "the conversation stays"


def test_what_was_taken_back_is_not_learnt_again_when_the_conversation_grows(book: Book) -> None:
    session = save(book, RULE).session
    assert session is not None
    book.sessions.forget(session.id)
    assert save(book, RULE).learnt == ()
    assert save(book, RULE, "thanks!").learnt == ()


def test_what_a_person_confirmed_is_kept_unless_everything_is_to_go(opened: Opened) -> None:
    person = opened(origin=Origin.TYPED)
    saved = save(person, RULE, OLD)
    assert saved.session is not None
    person.confirm(saved.learnt[0].memory)
    done = person.sessions.forget(saved.session.id)
    assert [memory.id for memory in done.kept] == [saved.learnt[0].memory.id]
    assert len(done.forgotten) == 1
    assert len(person.sessions.forget(saved.session.id, everything=True).forgotten) == 1
    assert list(person.each()) == []


def test_taking_back_is_one_operation_and_can_be_undone(book: Book) -> None:
    (old,) = save(book, OLD, key="first").learnt
    session = save(book, NEW, RULE, key="second").session
    assert session is not None
    before = {memory.id: memory.text for memory in book.each()}
    book.sessions.forget(session.id)
    taken = book.undo.take_back()
    assert len(taken.restored) == 3
    assert {memory.id: memory.text for memory in book.each()} == before
    assert book.get(old.memory).status is Status.SUPERSEDED


def test_a_save_can_be_undone_with_what_gave_way_to_it(book: Book) -> None:
    (old,) = save(book, OLD, key="first").learnt
    save(book, NEW, key="second")
    book.undo.take_back()
    assert [memory.id for memory in book.each()] == [old.memory.id]
    with book._caller.store.reading("local") as unit:
        assert unit.entries.count(EntryFilter(LEARNINGS)) == 1


def test_nobody_sees_or_takes_back_what_another_learnt(opened: Opened) -> None:
    ada = opened(Principal(user="ada"))
    session = save(ada, RULE).session
    assert session is not None
    for stranger in (Principal(user="bob"), Principal(tenant="other", user="ada")):
        other = opened(stranger)
        for deed in (other.sessions.learnt, other.sessions.left_out, other.sessions.forget):
            with pytest.raises(NotFound, match="There is no session"):
                deed(session.id)
        assert save(other, RULE).learnt, "what another knows says nothing here"
    assert len(ada.sessions.learnt(session.id)) == 1


def test_a_preview_keeps_nothing(book: Book) -> None:
    found = book.sessions.preview(read_text(f"User: hello\nAssistant: Hi!\nUser: {RULE}\n"))
    assert [item.text for item in found.items] == [RULE]
    assert list(book.each()) == []
    assert book.sessions.list(book.scopes) == ()


def test_an_undo_of_a_save_whose_learning_was_confirmed_says_so(opened: Opened) -> None:
    person = opened(origin=Origin.TYPED)
    saved = save(person, RULE)
    operation = person.undo.list(1)[0].id
    person.confirm(saved.learnt[0].memory)
    with pytest.raises(Conflict):
        person.undo.take_back(operation)
