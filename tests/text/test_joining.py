"""Sentences of one subject as one sentence; whatever is not plain is left alone."""

import pytest

from commonplace.text.joining import joined


def join(*texts: str, most: int = 800) -> list[tuple[tuple[int, ...], str]]:
    return [(each.places, each.text) for each in joined([(n, "fact", text) for n, text in enumerate(texts)], most)]


def test_one_subject_is_named_once() -> None:
    assert join("The service is written in Go.", "Lunch is at noon.", "The service talks to Stripe.") == [
        ((0, 2), "The service is written in Go and talks to Stripe.")
    ]


def test_what_has_parts_of_its_own_is_kept_apart_by_semicolons() -> None:
    assert join("Marta lives in Porto and paints.", "Marta is vegetarian.") == [
        ((0, 1), "Marta lives in Porto and paints; is vegetarian.")
    ]


def test_a_label_in_common_is_a_subject() -> None:
    assert join("Requirement: it works offline.", "Requirement: it is fast.") == [
        ((0, 1), "Requirement: it works offline; it is fast.")
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The service is fast.", "“The service is [slow].”"),
        ("We deploy on Monday.", "We eat at noon."),
        ("The service is fast. It is small.", "The service is old."),
        ("", "The service is old."),
    ],
)
def test_other_sentences_stay_as_they_are(one: str, other: str) -> None:
    assert join(one, other) == []


def test_nothing_is_joined_beyond_a_length_or_across_groups() -> None:
    assert join("The service is fast.", "The service is old.", most=20) == []
    assert not list(joined([(0, "fact", "The service is fast."), (1, "note", "The service is old.")], 800))
