"""Whether a text is what somebody describes: names, numbers, old and new must be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.descriptions import fit, read, without


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Anna's phone number", "Bob's phone number is 555 0172."),
        ("the phone of Anna", "Bob's phone number is 555 0172."),
        ("the old address", "The new address is 4 Elm Road."),
        ("the current phone", "The previous phone was an iPhone."),
        ("the limit of 100 requests", "The limit is 300 requests."),
        ("the staging database", "The production database runs Postgres."),
        ("the former office", "The office is in Bath."),
        ("that I work at Siemens", "My brother works at Siemens."),
        ("Aunt Ferran's birthday", "Uncle Ferran's birthday is 8 October."),
        ("mum's number", "Dad's number is 555 0172."),
    ],
)
def test_what_has_another_name_number_or_age_is_not_it(said: str, text: str) -> None:
    assert not fit(read(said), text).possible


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Anna's phone number", "Anna's phone number is 555 0171."),
        ("the old address", "The previous address was 4 Elm Road."),
        ("the old office", "The office used to be in Bath."),
        ("the return flight from Rome", "Flight back from Rome on 19 June."),
        ("the prod database", "The production database runs Postgres."),
        ("the limit of 100 requests", "The limit is 100 requests per minute."),
        ("that I work at Siemens", "The user works at Siemens."),
        ("that we use Go", "We use Go for services."),
        ("der Name der Katze", "Die Katze heißt Mimi."),
    ],
)
def test_what_says_it_in_its_own_words_may_be_it(said: str, text: str) -> None:
    assert fit(read(said), text).possible


def test_what_tells_neither_old_nor_new_is_silent_and_not_wrong() -> None:
    found = fit(read("the old address"), "The address is 4 Elm Road.")
    assert (found.wrong, found.silent, found.possible) == ((), True, False)


def test_labels_count_as_said() -> None:
    assert not fit(read("the rule on Kubernetes"), "Never deploy on Friday.").possible
    assert fit(read("the rule on Kubernetes"), "Never deploy on Friday.", "Kubernetes").possible


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("the cat, it makes me sad", {"cat"}),
        ("Noor, they made up", {"noor"}),
        ("the leak in the cellar – it was fixed", {"leak", "cellar"}),
    ],
)
def test_why_something_is_to_go_describes_nothing(said: str, wanted: set[str]) -> None:
    assert read(said).terms == wanted


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("the appointment, it was moved to Tuesday and is over", "tuesday"),
        ("the meeting, it is with the dentist", "dentist"),
        ("the bill, they settled 40 of it", "40"),
        ("the rolls, their price changed", "price"),
    ],
)
def test_what_tells_more_than_why_still_describes(said: str, kept: str) -> None:
    assert kept in read(said).terms


def test_words_that_describe_and_do_not_state_are_not_missed() -> None:
    assert fit(read("the name of the cat"), "The cat is called Miso.").lacks == frozenset()


def test_a_word_with_a_hyphen_is_its_parts() -> None:
    assert fit(read("the ban on force-pushing"), "There is a ban: never force-push to main.").lacks == frozenset()


def test_a_description_without_some_of_its_words() -> None:
    description = read("the timeout of the gateway")
    lacks = fit(description, "The gateway gives up after 30 seconds.").lacks
    assert without(description, lacks) == "the of the gateway"


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_can_be_compared(said: str, text: str) -> None:
    found = fit(read(said), text)
    assert found.has.isdisjoint(found.lacks)
