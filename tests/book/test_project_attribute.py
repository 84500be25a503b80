"""What a memory is about: kept, narrowed by, shown, and part of its history on either engine."""

import pytest

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.domain.query import Filter
from commonplace.engine.lifecycle import Changes
from commonplace.ports import Store
from tests.conftest import ManualClock

SHOP, TILL = "3987f33621c2506d", "0123456789abcdef"


@pytest.fixture
def book(either_store: Store, clock: ManualClock) -> Book:
    return Book.over(either_store, clock=clock)


def test_a_list_and_a_recall_are_narrowed_to_what_is_about_a_project(book: Book) -> None:
    shop = book.remember("The queue is Redis", project=SHOP).memory
    till = book.remember("The queue is a table", project=TILL).memory
    old = book.remember("The queue is a file", scope=f"project:{SHOP}").memory
    book.remember("The queue is long")
    scopes = (*book.scopes, old.scope)
    asked = Filter(scopes, projects=(SHOP,))
    assert {each.id for each in book.list(asked).memories} == {shop.id, old.id}
    assert {hit.memory.id for hit in book.recall("queue", filter=asked).hits} == {shop.id, old.id}
    assert {each.id for each in book.list(Filter(scopes, projects=(SHOP, TILL))).memories} == {shop.id, old.id, till.id}
    assert book.list(Filter(scopes)).total == 4


def test_what_a_memory_was_about_is_in_its_history_and_comes_back_with_an_undo(book: Book) -> None:
    memory = book.remember("The queue is Redis", project=SHOP).memory
    assert memory_json(memory, book.principal)["project"] == SHOP
    book.update(memory, Changes(project=TILL))
    assert [each.memory.project for each in book.revisions(memory)] == [SHOP, TILL]
    book.undo.take_back()
    assert book.get(memory).project == SHOP
