"""Corrections: kept as they were said, linked to what they are about, and nothing changed by guess."""

import pytest

from commonplace.book.book import Book
from commonplace.domain.corrections import CorrectionStatus, Severity
from commonplace.domain.memory import Origin, Status
from commonplace.domain.query import Filter
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.caller import Door
from commonplace.errors import Conflict, InvalidInput, NotFound, SecretRefused
from tests.conftest import ManualClock, OpenBook

SAID = "No, deploys are on Monday"


def test_a_correction_is_kept_as_it_was_said(book: Book) -> None:
    book.remember("Deploys are on Tuesday")
    logged = book.corrections.log(
        f"  {SAID} ", severity=Severity.HIGH, suggested_rule="Deploy on Mondays", memories=[1]
    ).correction
    assert book.corrections.list() == (logged,)
    assert (logged.content, logged.severity, logged.suggested_rule) == (SAID, Severity.HIGH, "Deploy on Mondays")
    assert logged.id.startswith("cor_")
    assert (logged.status, logged.results) == (CorrectionStatus.PENDING, ())
    assert logged.corrects == (book.get(1).id,)
    assert logged.scope == Scope.parse("user:local")


def test_it_is_of_medium_severity_and_trusted_like_its_door(open_book: OpenBook) -> None:
    logged = open_book(door=Door(origin=Origin.TYPED)).corrections.log(SAID).correction
    assert (logged.severity, logged.origin) == (Severity.MED, Origin.TYPED)


def test_what_it_may_be_about_is_proposed_and_not_linked(book: Book) -> None:
    known = book.remember("Deploys are on Tuesday").memory
    book.remember("Lunch is at noon")
    logged = book.corrections.log(SAID)
    assert [hit.memory.id for hit in logged.proposed] == [known.id]
    assert logged.correction.corrects == ()
    assert book.get(known) == known, "neither changed nor counted as used"


def test_a_memory_that_is_not_there_is_refused_and_nothing_is_logged(book: Book) -> None:
    with pytest.raises(NotFound):
        book.corrections.log(SAID, memories=["mem_NOSUCH"])
    assert book.corrections.list() == ()


@pytest.mark.parametrize("field", ["content", "suggested_rule"])
def test_secrets_are_refused_wherever_they_stand(book: Book, field: str) -> None:
    secret = "The password is hunter2-Xy9!kQz and the key is AKIAIOSFODNN7EXAMPLQ"
    with pytest.raises(SecretRefused):
        book.corrections.log(**{"content": SAID, field: secret})
    assert book.corrections.list() == ()


def test_the_same_words_at_the_same_severity_within_a_day_name_the_first(book: Book, clock: ManualClock) -> None:
    first = book.corrections.log(SAID).correction
    clock.advance(days=1)
    clock.advance(-1)
    with pytest.raises(Conflict, match=first.id):
        book.corrections.log(SAID.upper())
    assert book.corrections.log(SAID, severity=Severity.CRITICAL).correction.id != first.id
    assert book.corrections.log(SAID, scope=Scope.parse("project:atlas")).correction.id != first.id
    clock.advance(2)
    assert book.corrections.log(SAID).correction.id != first.id


def test_the_list_is_newest_first_within_a_limit_and_a_scope(book: Book, clock: ManualClock) -> None:
    for place in range(4):
        scope = Scope.parse("project:atlas" if place % 2 else "user:local")
        book.corrections.log(f"correction number {place}", scope=scope)
        clock.advance(1)
    said = [each.content[-1] for each in book.corrections.list(limit=3)]
    assert said == ["3", "2", "1"]
    atlas = book.corrections.list(scope=Scope.parse("project:atlas"))
    assert [each.content[-1] for each in atlas] == ["3", "1"]
    with pytest.raises(InvalidInput):
        book.corrections.list(limit=0)


def test_other_peoples_corrections_are_out_of_reach(open_book: OpenBook) -> None:
    open_book(principal=Principal(user="ada", teams=())).corrections.log(SAID)
    other = open_book(principal=Principal(user="bob", teams=()))
    assert other.corrections.list() == ()
    with pytest.raises(InvalidInput):
        other.corrections.log(SAID, scope=Scope.parse("user:ada"))


def test_a_purge_of_the_rule_takes_the_correction_along(book: Book) -> None:
    book.corrections.log(SAID)
    book.corrections.log("Lunch is at one")
    book.dreams.run()
    [rule] = [each for each in book.list(Filter(())).memories if each.text == SAID]
    book.purge(rule)
    assert [each.content for each in book.corrections.list()] == ["Lunch is at one"]


def test_what_takes_the_place_of_a_memory_corrects_it_and_needs_no_dream(book: Book) -> None:
    old = book.remember("Deploys are on Thursday").memory
    new = book.remember("Deploys are on Monday", replaces=old).memory
    (logged,) = book.corrections.list()
    assert (logged.content, logged.status) == ("Deploys are on Monday", CorrectionStatus.DISTILLED)
    assert (logged.corrects, logged.results, logged.origin) == ((old.id,), (new.id,), new.origin)
    book.dreams.run()
    assert [memory.id for memory in book.list(Filter(()), limit=10).memories] == [new.id]
    book.purge(new)
    assert book.corrections.list() == ()


def test_a_correction_of_what_is_trusted_more_is_kept_and_takes_no_place(open_book: OpenBook) -> None:
    old = open_book(door=Door(origin=Origin.TYPED)).remember("Deploys are on Thursday").memory
    book = open_book(door=Door(origin=Origin.AGENT))
    book.remember("Deploys are on Monday", replaces=old, capture_mode="inferred")
    assert [each.corrects for each in book.corrections.list()] == [(old.id,)]
    assert book.get(old).status is Status.ACTIVE
    book.remember("Deploys are on Thursday", replaces=old)
    assert len(book.corrections.list()) == 1, "what replaces itself corrects nothing"
