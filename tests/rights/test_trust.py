"""Trust through every way in which a memory can change or be put away: whose words may take the place of whose.

The table says what was decided, in words of its own, so that it can disagree with the function that weighs.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest

from commonplace.book.book import Book
from commonplace.domain.memory import Memory, Origin, Status
from commonplace.domain.record import replace
from commonplace.engine.caller import Door
from commonplace.engine.intake import Repeats
from commonplace.engine.lifecycle import Changes
from commonplace.errors import Conflict
from tests.conftest import OpenBook

OLD, NEW = "Deploys are on Monday", "Deploys wait for nobody"
TOPIC, ELSEWHERE = "deploy day", "another day"

PEOPLE = (Origin.TYPED, Origin.CONFIRMED)
DOORS = (Origin.TYPED, Origin.AGENT, Origin.HEARD, Origin.INFERRED, Origin.IMPORTED)


def may(new: Origin, old: Origin) -> bool:
    """People may do anything and agents may too; what was heard yields to people; what waits, to all but its kind."""
    match new:
        case Origin.TYPED | Origin.AGENT:
            return True
        case Origin.HEARD:
            return old not in PEOPLE
        case Origin.INFERRED:
            return old in (Origin.INFERRED, Origin.TOOL, Origin.IMPORTED)
        case _:
            return old is Origin.IMPORTED


def by_update(book: Book, old: Memory) -> object:
    return book.update(old, Changes(text=NEW))


def by_replacing(book: Book, old: Memory) -> object:
    return book.remember(NEW, replaces=old)


def by_superseding(book: Book, old: Memory) -> object:
    return book.supersede(old, book.remember(NEW).memory)


def by_topic(book: Book, old: Memory) -> object:
    return book.remember(NEW, topic=TOPIC)


def by_moving_to_the_topic(book: Book, old: Memory) -> object:
    return book.update(book.remember(NEW, topic=ELSEWHERE).memory, Changes(topic=TOPIC))


def by_restoring(book: Book, old: Memory) -> object:
    forgotten = book.forget(book.remember(NEW).memory)
    with book._caller.store.writing("local") as unit:  # a topic that somebody else has spoken on since
        unit.memories.replace(_on_topic(forgotten), book.now())
    return book.restore(forgotten)


def by_a_batch(book: Book, old: Memory) -> object:
    return book.remember_many([book.draft(NEW, topic=TOPIC)], repeats=Repeats())


def _on_topic(memory: Memory) -> Memory:
    return replace(memory, topic=TOPIC.replace(" ", "-"), revision=memory.revision + 1)


WAYS: dict[str, Callable[[Book, Memory], object]] = {
    "update": by_update,
    "replaces": by_replacing,
    "supersede": by_superseding,
    "topic": by_topic,
    "change of topic": by_moving_to_the_topic,
    "restore": by_restoring,
    "a batch": by_a_batch,
}


@pytest.mark.parametrize("way", WAYS)
def test_whose_words_may_take_the_place_of_whose(open_book: OpenBook, way: str) -> None:
    cases = list(product(Origin, DOORS))
    for place, (old, new) in enumerate(cases):
        known = open_book(f"{place}.db", door=Door(origin=old)).remember(OLD, topic=TOPIC).memory
        book = open_book(f"{place}.db", door=Door(origin=new))
        with suppress(Conflict):
            WAYS[way](book, known)
        after = book.get(known)
        gave_way = after.text != OLD or after.status is not Status.ACTIVE
        assert gave_way is may(new, old), (way, old.value, new.value)
        _check_whose_words(book, {Origin.TYPED: NEW}.get(new), old)
        if gave_way and old in PEOPLE and new is Origin.AGENT:
            standing = [memory for memory in book.list(statuses=(Status.ACTIVE,)).memories if memory.text == NEW]
            assert [memory.waits for memory in standing] == [True]
            if way == "update":
                book.undo.take_back()
                assert (book.get(known).text, book.get(known).origin) == (OLD, old)
    print(f"{way}: {len(cases)} pairs of origins and doors, each as it was decided")


def _check_whose_words(book: Book, typed: str | None, old: Origin) -> None:
    """Nothing is a person's word that no person said."""
    theirs = {typed, OLD if old in PEOPLE else None}
    for memory in book.each():
        assert memory.origin not in PEOPLE or memory.text in theirs, memory
