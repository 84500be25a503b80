"""Whether a text is what somebody describes: names, numbers, old and new must be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.descriptions import alike, fit, read, split


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
        ("the door code we had until May", "From June on the door code is 4410."),
        ("die alte Adresse", "Die neue Adresse ist Lindenallee 4."),
        ("l'ancien tarif", "Le nouveau tarif est de 12 euros."),
        ("Heiners Geburtstag", "Renate hat am 3. November Geburtstag."),
        ("that lunch is at 12:30", "Lunch was moved from 12:30 to 13:00."),
        ("the delivery address of Holm", "The invoice address of Holm is Kai 4."),
        ("the code of the shed", "The code of the gate is 2290."),
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
        ("the floor where Granny lives", "Grandma's flat is on the third floor."),
    ],
)
def test_what_says_it_in_its_own_words_may_be_it(said: str, text: str) -> None:
    assert fit(read(said), text).possible


def test_what_tells_neither_old_nor_new_is_silent_and_not_wrong() -> None:
    found = fit(read("the old address"), "The address is 4 Elm Road.")
    assert (found.wrong, found.silent, found.possible) == ((), True, False)


def test_a_title_is_neither_a_word_of_it_nor_a_name() -> None:
    said = read("Mr. Holm's blood group")
    assert said.terms == {"holm", "blood", "group"}
    assert fit(said, "Mr. Holm is scared of needles.").has == said.of_names == {"holm"}


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


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("the address for deliveries to Holm", "Holm's address is Kai 4."),
        ("the trouble with the office printer", "The office printer jams."),
        ("who looks after the office plants", "The office plants are watered by Ines."),
    ],
)
def test_what_says_nothing_in_the_place_of_a_word_may_be_it(said: str, text: str) -> None:
    assert fit(read(said), text).possible


@pytest.mark.parametrize(
    "said",
    [
        "both codes",
        "the codes, both of them",
        "everything about Theo",
        "alle Codes",
        "toutes les clés",
        "Theo, all of it",
    ],
)
def test_what_is_more_than_one_thing_says_so(said: str) -> None:
    assert read(said).several


@pytest.mark.parametrize("said", ["cada cuánto se revisa la caldera", "the code", "that I was not there at all"])
def test_what_is_one_thing_does_not(said: str) -> None:
    assert not read(said).several


def test_until_when_a_thing_was_so_is_no_word_of_it() -> None:
    description = read("the door code we had until May")
    assert description.old
    assert fit(description, "The door code is 2290.").lacks == frozenset()


def test_nouns_are_no_names_in_german() -> None:
    assert read("die Zahlen vom Schloss").names == ()
    assert read("Papas Allergie").names == ("papa",)


def test_a_description_in_two_parts() -> None:
    description = read("the timeout of the gateway")
    lacks = fit(description, "The gateway gives up after 30 seconds.").lacks
    assert split(description, lacks) == ("timeout", "the of the gateway")


def test_two_values_of_one_thing_are_alike() -> None:
    assert alike("My mobile number is 555-0142.", "Since March my mobile number is 555-0148.")
    assert not alike("My mobile number is 555-0142.", "The dentist is in Pike Street.")


@given(st.text(max_size=120), st.text(max_size=120))
def test_any_two_texts_can_be_compared(said: str, text: str) -> None:
    found = fit(read(said), text)
    assert found.has.isdisjoint(found.lacks)
