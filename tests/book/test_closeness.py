"""How close in meaning a text is to a memory, and how far ahead of the others."""

import pytest

from commonplace.book.closeness import FARTHEST, closeness
from commonplace.domain.query import Filter
from commonplace.errors import ModelError
from tests.conftest import OpenBook
from tests.hashing import HashingEmbedder

FILTER = Filter(())


class Broken(HashingEmbedder):
    def embed_query(self, text: str) -> bytes:
        raise ModelError("It is away.")


def test_what_a_text_says_is_ahead_and_the_next_is_as_far_behind(open_book: OpenBook) -> None:
    book = open_book(embedder=HashingEmbedder())
    harbour = book.remember("The harbour has a crane.").memory
    garden = book.remember("The garden has a pond.").memory
    found = closeness(book, ["harbour crane", "garden pond"], harbour, FILTER)
    assert found is not None
    near, far = found
    assert near.ahead > 0 > far.ahead
    assert near.own > far.own
    other = closeness(book, ["harbour crane"], garden, FILTER)
    assert other is not None
    assert other[0].ahead == pytest.approx(-near.ahead)


def test_what_stands_beside_it_is_no_rival(open_book: OpenBook) -> None:
    book = open_book(embedder=HashingEmbedder())
    old = book.remember("The harbour has a crane.").memory
    new = book.remember("The harbour has a new crane.").memory
    found = closeness(book, ["harbour crane"], old, FILTER, [new.number])
    assert found is not None
    assert found[0].ahead == FARTHEST


def test_without_a_model_that_answers_nothing_is_told(open_book: OpenBook) -> None:
    for embedder in (Broken(), None):
        book = open_book(f"{embedder is None}.db", embedder=embedder)
        memory = book.remember("The harbour has a crane.").memory
        assert closeness(book, ["harbour"], memory, FILTER) is None
