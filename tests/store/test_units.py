"""A unit of work: all or nothing for whoever writes, one snapshot for whoever reads."""

import threading
from collections.abc import Callable

import pytest

from commonplace.domain.events import EventType
from commonplace.domain.memory import Relation, RelationKind
from commonplace.errors import BookClosed, CommonplaceError, LockTimeout, NotFound
from commonplace.ports import KeptAnswer, Store, Unit, Use
from commonplace.text import terms
from commonplace.text.nearness import sketch
from tests.store.conftest import OpenStore
from tests.store.making import EVERYTHING, HERE, NOW, OURS, SPACE, add, log, memory, numbers, remove, revise

VECTOR = b"\x00\x3c" + b"\x00" * 6  # the unit vector (1, 0, 0, 0)


class Stop(Exception):
    """Thrown by a test in the middle of a block."""


def test_what_was_written_is_there_for_the_next_reader(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "Deploys are on Monday")
    with store.reading(OURS) as unit:
        assert unit.memories.by_number(added.number) == added


def test_what_was_written_is_there_after_the_store_is_opened_again(open_store: OpenStore, book_name: str) -> None:
    first = open_store(book_name)
    with first.writing(OURS) as unit:
        added = add(unit, "Deploys are on Monday", vector=VECTOR)
    first.close()
    with open_store(book_name).reading(OURS) as unit:
        assert unit.memories.by_id(added.id) == added
        assert numbers(unit.words.matching(["deploy"], HERE, NOW, 5)) == [added.number]
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, HERE, NOW, 5)) == [added.number]


def test_a_block_left_by_an_error_leaves_nothing_behind(store: Store) -> None:
    with store.writing(OURS) as unit:
        kept = add(unit, "kept for good", vector=VECTOR)
    with pytest.raises(Stop), store.writing(OURS) as unit:  # noqa: PT012, the whole block is under test
        lost = add(unit, "lost for good", vector=VECTOR)
        revise(unit, kept, text="changed for good")
        unit.keys.keep("local", "key", KeptAnswer(b"digest", (lost.id,)), NOW)
        unit.relations.add(Relation("rel_1", lost.id, kept.id, RelationKind.SUPERSEDES, None, NOW))
        unit.uses.record([Use(kept.number, NOW, "test")])
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, HERE, NOW, 5)) == [lost.number]
        raise Stop
    with store.reading(OURS) as unit:
        assert unit.memories.by_number(kept.number) == kept
        assert unit.memories.by_number(lost.number) is None
        assert numbers(unit.words.matching(["lost", "kept", "chang"], HERE, NOW, 5)) == [kept.number]
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, HERE, NOW, 5)) == [kept.number]
        assert unit.keys.find("local", "key", 0) is None
        assert unit.relations.of(kept.id) == ()
        assert len(unit.log.events(kept.id)) == 1
        assert len(unit.log.revisions(kept.number)) == 1


def test_a_removal_that_was_undone_took_nothing(store: Store) -> None:
    with store.writing(OURS) as unit:
        kept = add(unit, "kept for good", vector=VECTOR)
    with pytest.raises(Stop), store.writing(OURS) as unit:  # noqa: PT012, the whole block is under test
        remove(unit, kept)
        assert unit.vectors.similarity(VECTOR, SPACE, [kept.number]) == {}
        raise Stop
    with store.reading(OURS) as unit:
        assert unit.memories.by_number(kept.number) == kept
        assert unit.vectors.similarity(VECTOR, SPACE, [kept.number]) == pytest.approx({kept.number: 1.0})


def test_a_writer_sees_its_own_changes_at_once(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "Deploys are on Monday", vector=VECTOR)
        assert unit.memories.by_id(added.id) == added
        assert unit.memories.by_text(HERE, NOW, added.text) == (added,)
        assert unit.sketches.sharing(sketch(terms(added.text)), HERE, NOW, 5) == ((added.number, added.text),)
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, HERE, NOW, 5)) == [added.number]
        moved = revise(unit, added, text="Lunch is at noon")
        assert unit.memories.by_id(added.id) == moved
        assert unit.memories.by_text(HERE, NOW, added.text) == ()
        assert unit.sketches.sharing(sketch(terms(added.text)), HERE, NOW, 5) == ()


def test_words_of_one_block_are_those_it_ended_with(store: Store) -> None:
    with store.writing(OURS) as unit:
        changed = revise(unit, add(unit, "Deploys are on Monday"), text="Lunch is at noon")
        remove(unit, add(unit, "Breakfast is at eight"))
        kept = add(unit, "Dinner is at six")
    with store.reading(OURS) as unit:
        found = numbers(unit.words.matching(["deploy", "lunch", "breakfast", "dinner"], HERE, NOW, 5))
        assert sorted(found) == [changed.number, kept.number]
        assert unit.words.frequencies(["deploy", "lunch", "breakfast", "dinner"])[0] == [0, 1, 0, 1]


def test_a_reader_sees_one_snapshot_while_others_write(store: Store) -> None:
    with store.writing(OURS) as unit:
        first = add(unit, "one")
    with store.reading(OURS) as before:
        assert before.memories.count(EVERYTHING, NOW) == 1
        with store.writing(OURS) as unit:
            second = add(unit, "two", vector=VECTOR)
            revise(unit, first, text="uno")
        assert before.memories.count(EVERYTHING, NOW) == 1
        assert before.memories.by_number(first.number) == first
        assert before.memories.by_number(second.number) is None
        assert before.words.matching(["two", "uno"], EVERYTHING, NOW, 5) == ()
        assert before.vectors.nearest(VECTOR, SPACE, EVERYTHING, NOW, 5) == ()
    with store.reading(OURS) as after:
        assert after.memories.count(EVERYTHING, NOW) == 2


def test_a_reader_does_not_wait_for_a_writer(open_store: OpenStore, book_name: str) -> None:
    store = open_store(book_name)
    with store.writing(OURS) as unit:
        add(unit, "one")
    with store.writing(OURS) as unit:
        add(unit, "two")
        with open_store(book_name).reading(OURS) as other:
            assert other.memories.count(EVERYTHING, NOW) == 1


def test_one_process_sees_the_vectors_another_wrote(open_store: OpenStore, book_name: str) -> None:
    one, other = open_store(book_name), open_store(book_name)
    with one.writing(OURS) as unit:
        first = add(unit, "one", vector=VECTOR)
    with other.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, EVERYTHING, NOW, 5)) == [first.number]
    with one.writing(OURS) as unit:
        second = add(unit, "two", vector=VECTOR)
        remove(unit, first)
    with other.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(VECTOR, SPACE, EVERYTHING, NOW, 5)) == [second.number]
        assert unit.vectors.similarity(VECTOR, SPACE, [first.number]) == {}


def test_a_second_writer_gives_up_with_an_error_that_says_to_try_again(open_store: OpenStore, book_name: str) -> None:
    with open_store(book_name).writing(OURS) as unit:
        add(unit, "one")
        with pytest.raises(LockTimeout) as caught, open_store(book_name).writing(OURS):
            pass
    assert caught.value.retryable


def test_best_effort_waits_no_longer_than_its_patience(store: Store) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    with store.reading(OURS), store.reading(OURS):
        pass  # two connections stand open, so that the patience is spent on the lock and not on connecting
    with store.writing(OURS) as unit:
        add(unit, "two")
        refused: list[CommonplaceError] = []

        def note() -> None:
            try:
                with store.best_effort(OURS, 0.001):
                    pass
            except CommonplaceError as error:
                refused.append(error)

        thread = threading.Thread(target=note)
        thread.start()
        thread.join()
    assert [type(error) for error in refused] == [LockTimeout]


def test_what_was_noted_is_there(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "one")
    with store.best_effort(OURS, 0.05) as unit:
        unit.uses.record([Use(added.number, NOW, "test")])
    with store.reading(OURS) as unit:
        assert unit.memories.by_numbers([added.number])[added.number].usage.count == 1


def test_a_book_nobody_wrote_in_is_empty(store: Store) -> None:
    with store.reading(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 0
        assert list(unit.memories.each()) == []
        assert unit.words.matching(["deploy"], EVERYTHING, NOW, 5) == ()
        assert unit.vectors.nearest(VECTOR, SPACE, EVERYTHING, NOW, 5) == ()
        assert list(unit.log.states_at(NOW)) == []
        assert unit.log.purged_ids() == frozenset()


_WRITES: dict[str, Callable[[Unit], None]] = {
    "number": lambda unit: numbers([memory(number=unit.memories.next_number())]).clear(),
    "row": lambda unit: unit.memories.add(memory(number=9), NOW),
    "event": lambda unit: log(unit, EventType.CREATED, memory(number=9)),
    "use": lambda unit: unit.uses.record([Use(1, NOW, "test")]),
    "key": lambda unit: unit.keys.keep("local", "key", KeptAnswer(b"digest", ()), NOW),
    "vector": lambda unit: unit.vectors.put(1, SPACE, VECTOR),
}


@pytest.mark.parametrize("deed", sorted(_WRITES))
def test_a_reader_cannot_write(store: Store, deed: str) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    with pytest.raises(CommonplaceError), store.reading(OURS) as unit:
        _WRITES[deed](unit)
    with store.writing(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 1
        assert unit.memories.next_number() == 2
        assert unit.keys.find("local", "key", 0) is None


def test_what_is_not_there_cannot_be_changed(store: Store) -> None:
    with pytest.raises(NotFound), store.writing(OURS) as unit:
        unit.memories.replace(memory(number=7), NOW)
    with pytest.raises(NotFound), store.writing(OURS) as unit:
        unit.memories.remove(7)


def test_a_closed_store_is_closed_for_good(store: Store) -> None:
    with store.writing(OURS) as unit:
        add(unit, "one")
    with store.reading(OURS) as unit:
        store.close()  # whoever is reading still finishes
        assert unit.memories.count(EVERYTHING, NOW) == 1
    ways = (store.reading(OURS), store.writing(OURS), store.best_effort(OURS, 0.1))
    for way in ways:
        with pytest.raises(BookClosed), way:
            pass
    for asked in (store.upkeep.facts, store.upkeep.upgrade, store.tokens.all):
        with pytest.raises(BookClosed):
            asked()
    store.close()
