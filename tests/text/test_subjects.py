"""What a request is about: words that only ask for it, and the user whom all is about, are left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.subjects import asked_about, described


@pytest.mark.parametrize(
    ("asked", "about", "broad"),
    [
        ("Summarise what we know about the user's project requirements", "project requirements", True),
        ("Please tell me about Marta?", "Marta?", True),
        ("Give me an overview of the checkout service", "the checkout service", True),
        ("Tell me how people sign in", "how people sign in", False),
        ("When did we discuss authentication?", "authentication?", False),
        ("What is the user's blood type?", "What is blood type?", False),
        ("List the open tasks", "the open tasks", False),
        ("User roles are what?", "User roles are what?", False),
        ("summarise", "summarise", True),
        ("Was ist die Hauptstadt?", "Was ist die Hauptstadt?", False),
        ("???", "???", False),
    ],
)
def test_a_question_is_about_what_it_asks_for(asked: str, about: str, broad: bool) -> None:
    assert asked_about(asked)[:2] == (about, broad)


@pytest.mark.parametrize(
    ("asked", "about", "several"),
    [
        ("Please forget the fact that Anna works in Lisbon", "Anna works in Lisbon", False),
        ("something about animals", "animals", False),
        ("everything about the trip to Rome", "the trip to Rome", True),
        ("all old addresses", "all old addresses", True),
        ("the user's old email address", "old email address", False),
    ],
)
def test_a_description_is_about_what_is_to_go(asked: str, about: str, several: bool) -> None:
    subject = described(asked)
    assert (subject.text, subject.several) == (about, several)


@given(st.text(max_size=200))
def test_any_text_is_about_something_of_itself(text: str) -> None:
    for read in (asked_about, described):
        subject = read(text).text
        assert bool(subject) == bool(text) or not text.strip()
        assert len(subject) <= len(text)
