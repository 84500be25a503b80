"""What `forget` has shown and waits to be told to remove: for ten minutes, for the same words and person."""

import pytest

from commonplace.book.book import Book
from commonplace.dialects.aleph.confirmations import SHELF, Confirmations
from commonplace.domain.scope import Principal, Right
from commonplace.errors import Denied
from tests.conftest import ManualClock, OpenBook
from tests.contracts.requirements import requires


@requires("aleph.forget.preview", "aleph.forget.confirm")
def test_what_was_shown_is_kept_ten_minutes_for_the_same_words_and_person(
    open_book: OpenBook, clock: ManualClock
) -> None:
    book = open_book(principal=Principal(user="ada"))
    ada, bob = Confirmations(book.caller), Confirmations(open_book(principal=Principal(user="bob")).caller)
    ada.keep("The OLD  address", ["mem_1", "mem_2"])
    assert ada.shown("the old address") == ("mem_1", "mem_2")
    assert ada.shown("another address") == ()
    assert bob.shown("the old address") == ()
    clock.advance(seconds=599)
    assert ada.shown("the old address") != ()
    clock.advance(seconds=1)
    assert ada.shown("the old address") == ()
    ada.keep("other", [])
    with book.caller.store.reading("local") as unit:
        assert unit.entries.get(SHELF, ada._key("the old address")) is None


@requires("aleph.forget.confirm")
def test_what_was_dealt_with_is_gone(open_book: OpenBook) -> None:
    shown = Confirmations(open_book().caller)
    shown.keep("x", ["mem_1"])
    shown.drop("x")
    assert shown.shown("x") == ()


@requires("aleph.forget.preview")
@pytest.mark.parametrize("right", [Right.READ, Right.WRITE])
def test_nobody_keeps_or_sees_them_without_the_right(open_book: OpenBook, right: Right) -> None:
    book: Book = open_book(principal=Principal(rights=frozenset({right})))
    shown = Confirmations(book.caller)
    refused = {
        Right.READ: (lambda: shown.keep("x", []), lambda: shown.drop("x")),
        Right.WRITE: (lambda: shown.shown("x"),),
    }
    for verb in refused[right]:
        with pytest.raises(Denied):
            verb()
