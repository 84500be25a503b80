"""What waits for a person: all of it is listed with the text it is compared with, and yes and no do what they say."""

from collections.abc import Callable

import pytest

from commonplace.book.book import Book
from commonplace.book.review import Waiting, Why
from commonplace.domain.memory import CaptureMode, Kind, Memory, Origin, Status
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.engine.intake import Draft, Refused
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict, InvalidInput, NotFound
from tests.conftest import ManualClock, OpenBook
from tests.hashing import HashingEmbedder

PERSON, AGENT = Door("cli", Origin.TYPED, "cli"), Door("mcp", Origin.AGENT, "claude")
OWN = "Deploys are on Monday"
THEIRS = "Deploys are on Friday"


@pytest.fixture
def person(open_book: OpenBook) -> Book:
    return open_book(embedder=HashingEmbedder(), door=PERSON)


def by_update(person: Book) -> Memory:
    known = person.remember(OWN, topic="deploy day").memory
    return person.through(AGENT).update(known, Changes(text=THEIRS))


def by_topic(person: Book) -> Memory:
    person.remember(OWN, topic="deploy day")
    return person.through(AGENT).remember(THEIRS, topic="deploy day").memory


def by_replacing(person: Book) -> Memory:
    known = person.remember(OWN).memory
    return person.through(AGENT).remember(THEIRS, replaces=known).memory


def proposed(person: Book) -> Memory:
    person.remember(OWN, topic="deploy day")
    return person.through(AGENT).remember(THEIRS, topic="deploy day", capture_mode=CaptureMode.INFERRED).memory


def pinned(person: Book) -> Memory:
    return person.through(AGENT).update(person.remember(OWN).memory, Changes(pinned=True))


def instructed(person: Book) -> Memory:
    return person.through(AGENT).remember(THEIRS, kind=Kind.INSTRUCTION).memory


def pinned_by_itself(person: Book) -> Memory:
    return person.through(AGENT).remember(THEIRS, pinned=True).memory


def inferred(person: Book) -> Memory:
    return person.through(AGENT).remember(THEIRS, capture_mode=CaptureMode.INFERRED).memory


Way = Callable[[Book], Memory]
REVISIONS: tuple[Way, ...] = (by_update, by_topic, by_replacing)
OTHERS: dict[Way, Why] = {
    proposed: Why.PROPOSAL,
    pinned: Why.PIN,
    instructed: Why.INSTRUCTION,
    pinned_by_itself: Why.PIN,
    inferred: Why.UNCONFIRMED,
}
EVERY = {**dict.fromkeys(REVISIONS, Why.REVISION), **OTHERS}
named = pytest.mark.parametrize


def only(book: Book) -> Waiting:
    (waiting,) = book.review().waiting
    return waiting


def standing(book: Book) -> list[str]:
    return sorted(memory.text for memory in book.list().memories)


@named("way", EVERY, ids=lambda way: way.__name__)
def test_whatever_waits_is_listed_with_why(person: Book, way: Way) -> None:
    made = way(person)
    assert (only(person).memory, only(person).why) == (made, EVERY[way])
    assert person.review().total == 1


@named("way", EVERY, ids=lambda way: way.__name__)
def test_what_is_confirmed_waits_no_longer(person: Book, way: Way) -> None:
    made = way(person)
    person.confirm(made)
    assert person.review().waiting == ()
    assert person.get(made).origin.of_a_person


@named("way", REVISIONS, ids=lambda way: way.__name__)
def test_a_revision_is_shown_with_the_persons_words_and_gives_way_to_them(person: Book, way: Way) -> None:
    made = way(person)
    assert [old.text for old in only(person).before] == [OWN]
    first, *_ = person.reject(made, reason="it is Monday")
    assert (first.text, first.origin, first.status) == (OWN, Origin.TYPED, Status.ACTIVE)
    assert standing(person) == [OWN]
    assert person.review().total == 0
    assert [hit.memory.text for hit in person.recall("when are deploys?", mode="vectors").hits] == [OWN]
    person.undo.take_back()
    assert standing(person) == [THEIRS]
    assert person.review().total == 1


def test_what_would_change_something_is_shown_beside_it(person: Book) -> None:
    made = proposed(person)
    assert [old.text for old in only(person).stands] == [OWN]
    person.reject(made)
    assert standing(person) == [OWN]
    assert person.get(made).status is Status.FORGOTTEN


def test_a_pin_that_is_rejected_is_taken_off_and_the_memory_stays(person: Book) -> None:
    made = pinned(person)
    (kept,) = person.reject(made)
    assert (kept.pinned, kept.origin, kept.text) == (False, Origin.TYPED, OWN)
    assert person.review().total == 0


@named("way", [instructed, pinned_by_itself, inferred], ids=lambda way: way.__name__)
def test_whatever_else_is_rejected_is_forgotten(person: Book, way: Way) -> None:
    person.reject(way(person))
    assert standing(person) == []
    assert person.review().total == 0


def test_what_waits_for_nobody_cannot_be_rejected(person: Book) -> None:
    known = person.remember(OWN).memory
    with pytest.raises(Conflict, match="does not wait"):
        person.reject(known)
    with pytest.raises(NotFound):
        person.reject(99)
    assert standing(person) == [OWN]


def test_the_list_goes_on_page_by_page_and_misses_nothing(person: Book, clock: ManualClock) -> None:
    agent = person.through(AGENT)
    made = []
    for number in range(7):
        clock.advance(seconds=1)
        if number % 2:
            made.append(agent.remember(f"Rule {number}", kind=Kind.INSTRUCTION).memory.number)
        else:
            made.append(agent.update(person.remember(f"Fact {number}").memory, Changes(pinned=True)).number)
    seen, cursor = list[int](), None
    while True:
        page = person.review(limit=2, cursor=cursor)
        assert page.total == 7
        seen += [each.memory.number for each in page.waiting]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == made[::-1]
    with pytest.raises(InvalidInput, match="list again"):
        person.review(cursor=99)
    with pytest.raises(InvalidInput):
        person.review(limit=0)


def test_the_list_is_narrowed_by_scope_and_origin(person: Book) -> None:
    agent, project = person.through(AGENT), Scope.parse("project:harbour")
    agent.remember_many(
        [
            Draft("Mine", person.scope(), capture_mode=CaptureMode.INFERRED),
            Draft("The project's", project, kind=Kind.INSTRUCTION),
        ]
    )
    assert person.review().total == 2  # wherever it is
    assert [each.memory.text for each in person.review(scopes=(project,)).waiting] == ["The project's"]
    assert [each.memory.text for each in person.review(origins=(Origin.INFERRED,)).waiting] == ["Mine"]


def test_a_teams_are_listed_for_its_members_only(open_book: OpenBook) -> None:
    ada = open_book(principal=Principal("org", "ada", ()), door=PERSON)
    ada.teams.create("core")
    ada.through(AGENT).remember("Always sign off", scope="team:core", kind=Kind.INSTRUCTION)
    assert ada.review().total == 1
    assert open_book(principal=Principal("org", "eve", ("core",)), door=PERSON).review().total == 0


def test_several_are_confirmed_at_once_and_one_that_cannot_be_spoils_no_other(person: Book) -> None:
    first, second = (person.through(AGENT).remember(f"Rule {n}", kind=Kind.INSTRUCTION).memory for n in range(2))
    answers = person.confirm_many([first, 99, second])
    assert [isinstance(each, Refused) for each in answers] == [False, True, False]
    assert person.review().total == 0
