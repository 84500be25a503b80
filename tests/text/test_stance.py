"""Texts with the same telling words that do not say the same: what was, is wanted or may be, and of somebody else."""

import pytest
from hypothesis import given

from commonplace.text.nearness import same_substance, says_the_same
from commonplace.text.stance import says_all
from tests.strategies import texts


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("I work at Acme.", "I used to work at Acme."),
        ("The user lives in Berlin.", "The user wants to live in Berlin."),
        ("The user is allergic to peanuts.", "The user might be allergic to peanuts."),
        ("The user owns a dog.", "The user owned a dog."),
        ("Sara drives to work.", "Sara drove to work."),
        ("My sister is a doctor.", "My sister was a doctor."),
        ("The user lives in Berlin.", "The user's brother lives in Berlin."),
        ("My wife's name is Laura.", "My ex-wife's name is Laura."),
        ("My mother lives in Portland.", "My mother was born in Portland."),
        ("The team decided to use Kafka.", "The team decided against Kafka."),
        ("All tests pass.", "Most tests pass."),
        ("Only admins can delete projects.", "Admins can delete projects."),
        ("The API supports XML.", "The API will support XML."),
    ],
)
def test_what_is_and_what_was_wanted_or_of_another_person_are_not_the_same(a: str, b: str) -> None:
    assert not says_the_same(a, b)
    assert not says_the_same(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The cache is used to keep sessions.", "The cache is used to keep sessions!"),
        ("The demo was on Friday.", "The demo took place on Friday."),
        ("The kitchen was renovated in 2019.", "The kitchen got renovated in 2019."),
        ("The release will be on Friday.", "The release is on Friday."),
        ("My son Colby lives in Los Angeles.", "Colby lives in Los Angeles."),
        ("The jobs are scheduled by cron.", "Cron schedules the jobs."),
    ],
)
def test_the_same_in_another_form_stays_the_same(a: str, b: str) -> None:
    assert says_the_same(a, b)
    assert says_the_same(b, a)


@given(texts, texts)
def test_what_says_the_same_has_the_same_substance_whichever_comes_first(a: str, b: str) -> None:
    assert says_the_same(a, a)
    assert says_the_same(a, b) == says_the_same(b, a)
    assert not says_the_same(a, b) or same_substance(a, b)


@pytest.mark.parametrize(
    ("older", "newer", "all_of_it"),
    [
        ("I have two dogs and a cat.", "I have two dogs", True),
        ("I have two dogs.", "I have two dogs and a cat.", False),
        ("My son Colby lives in Los Angeles.", "my son colby lives in Los Angeles now!", True),
        ("We deploy if the tests pass.", "We deploy.", False),
        ("Ada lives in Berlin and works in Hamburg.", "Ada lives in Hamburg.", False),
        ("Start remote, then the office.", "Start in the office, then remote.", False),
        ("A fact.", "", False),
        ("word " * 2_000, "word " * 2_000 + "!", False),
    ],
)
def test_only_a_text_with_every_word_in_order_says_all_of_another(older: str, newer: str, all_of_it: bool) -> None:
    assert says_all(older, newer) is all_of_it


@given(texts)
def test_every_text_with_a_word_says_all_of_itself_or_is_not_looked_at(text: str) -> None:
    assert says_all(text, text) or not says_all(text, f"{text} and then something else")
