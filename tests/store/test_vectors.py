"""Vectors: found by cosine under any filter, never across spaces, never after their text is gone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.ports import Space, Store, Vector
from tests.store.conftest import NewTenant, OpenStore
from tests.store.making import (
    ELSEWHERE,
    EVERYTHING,
    HERE,
    NOW,
    OTHER_SPACE,
    OURS,
    SPACE,
    add,
    memory,
    numbers,
    remove,
    revise,
    scores,
)
from tests.strategies import filters, memories

WIDE = Space("model", "1", "test", 16)


def unit_vector(*components: float) -> Vector:
    array = np.array(components, np.float32)
    return (array / np.linalg.norm(array)).astype("<f2").tobytes()


EAST, NORTH, NORTH_EAST = unit_vector(1, 0, 0, 0), unit_vector(0, 1, 0, 0), unit_vector(1, 1, 0, 0)


def seeded(count: int, dimensions: int, seed: int = 1) -> list[Vector]:
    made = np.random.default_rng(seed).standard_normal((count, dimensions)).astype(np.float32)
    return [(each / np.linalg.norm(each)).astype("<f2").tobytes() for each in made]


def cosine(one: Vector, other: Vector) -> float:
    return float(np.frombuffer(one, "<f2").astype(np.float32) @ np.frombuffer(other, "<f2").astype(np.float32))


# -- finding ----------------------------------------------------------------------------------


def test_the_closest_come_first_with_their_cosine(store: Store) -> None:
    with store.writing(OURS) as unit:
        north, east, between = [add(unit, text, vector=v) for text, v in (("n", NORTH), ("e", EAST), ("b", NORTH_EAST))]
    with store.reading(OURS) as unit:
        found = unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10)
        assert numbers(found) == [east.number, between.number, north.number]
        assert scores(found) == pytest.approx([1.0, 0.7071, 0.0], abs=1e-3)
        assert numbers(unit.vectors.nearest(EAST, SPACE, HERE, NOW, 1)) == [east.number]
        similarity = unit.vectors.similarity(EAST, SPACE, [between.number, north.number, 99])
        assert similarity == pytest.approx({between.number: 0.7071, north.number: 0.0}, abs=1e-3)


@given(
    st.lists(st.tuples(memories(text=st.just("x")), st.integers(0, 63), st.booleans()), min_size=1, max_size=10),
    filters(),
    st.integers(1, 4),
)
def test_the_nearest_under_a_filter_are_those_of_a_full_scan(
    shared_store: Store, new_tenant: NewTenant, drafts: list[tuple[Memory, int, bool]], filter: Filter, limit: int
) -> None:
    tenant, vectors = new_tenant(), seeded(64, WIDE.dimensions)
    by_number: dict[int, float] = {}
    with shared_store.writing(tenant) as unit:
        for draft, place, with_vector in drafts:
            added = add(unit, draft)
            if with_vector:
                unit.vectors.put(added.number, WIDE, vectors[place])
                if filter.admits(added, NOW):
                    by_number[added.number] = cosine(vectors[0], vectors[place])
    with shared_store.reading(tenant) as unit:
        found = unit.vectors.nearest(vectors[0], WIDE, filter, NOW, limit)
    assert scores(found) == pytest.approx(sorted(by_number.values(), reverse=True)[:limit], abs=1e-3)
    assert {number: by_number.get(number) for number in numbers(found)} == pytest.approx(
        dict(zip(numbers(found), scores(found), strict=True)), abs=1e-3
    )


def test_among_thousands_the_very_same_is_found_first(store: Store) -> None:
    vectors = seeded(3_000, 64)
    space = replace(WIDE, dimensions=64)
    with store.writing(OURS) as unit:
        for vector in vectors:
            unit.vectors.put(add(unit, "x").number, space, vector)
    with store.reading(OURS) as unit:
        for place in (0, 1_234, 2_999):
            found = unit.vectors.nearest(vectors[place], space, HERE, NOW, 5)
            assert numbers(found)[0] == place + 1
            assert scores(found)[0] == pytest.approx(1.0, abs=2e-3)


def test_among_thousands_the_few_that_a_filter_admits_are_all_found(store: Store) -> None:
    vectors = seeded(2_500, 64)
    space = replace(WIDE, dimensions=64)
    rare = Filter((ELSEWHERE,))
    tagged = Filter(EVERYTHING.scopes, tags=("rare",))
    with store.writing(OURS) as unit:
        for place, vector in enumerate(vectors):
            elsewhere = {"scope": ELSEWHERE, "tags": ("rare",)} if place % 500 == 7 else {}
            unit.vectors.put(add(unit, "x", **elsewhere).number, space, vector)
    expected = sorted(range(7, 2_500, 500), key=lambda place: -cosine(vectors[0], vectors[place]))
    with store.reading(OURS) as unit:
        for filter in (rare, tagged):
            found = unit.vectors.nearest(vectors[0], space, filter, NOW, 10)
            assert numbers(found) == [place + 1 for place in expected]


# -- spaces -----------------------------------------------------------------------------------


def test_two_spaces_never_meet(store: Store) -> None:
    with store.writing(OURS) as unit:
        old = add(unit, "old")
        new = add(unit, "new")
        unit.vectors.put(old.number, OTHER_SPACE, EAST)
        unit.vectors.put(new.number, SPACE, EAST)
    with store.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10)) == [new.number]
        assert numbers(unit.vectors.nearest(EAST, OTHER_SPACE, HERE, NOW, 10)) == [old.number]
        assert unit.vectors.similarity(EAST, SPACE, [old.number]) == {}
        assert unit.vectors.counts() == {str(OTHER_SPACE): 1, str(SPACE): 1}


@pytest.mark.parametrize("part", ["model", "revision", "runtime", "dimensions"])
def test_a_space_is_a_model_a_revision_a_runtime_and_its_dimensions(store: Store, part: str) -> None:
    other = replace(SPACE, **{part: 8 if part == "dimensions" else "other"})
    with store.writing(OURS) as unit:
        added = add(unit, "x", vector=EAST)
    with store.reading(OURS) as unit:
        assert unit.vectors.nearest(EAST, other, HERE, NOW, 10) == ()
        assert unit.vectors.similarity(EAST, other, [added.number]) == {}
        assert unit.vectors.count_missing(other) == 1


def test_a_memory_may_have_a_vector_in_each_space(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "x", vector=EAST)
        unit.vectors.put(added.number, OTHER_SPACE, NORTH)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == pytest.approx({added.number: 1.0})
        assert unit.vectors.similarity(EAST, OTHER_SPACE, [added.number]) == pytest.approx({added.number: 0.0})


def test_a_dropped_space_is_empty_and_the_others_stay(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "x", vector=EAST)
        unit.vectors.put(added.number, OTHER_SPACE, EAST)
    with store.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10)) == [added.number]
    with store.writing(OURS) as unit:
        assert unit.vectors.drop_space(str(SPACE)) == 1
        assert unit.vectors.drop_space("no such space") == 0
    with store.reading(OURS) as unit:
        assert unit.vectors.count_missing(SPACE) == 1
        assert unit.vectors.counts().get(str(SPACE), 0) == 0
        assert unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10) == ()
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == {}
        assert numbers(unit.vectors.nearest(EAST, OTHER_SPACE, HERE, NOW, 10)) == [added.number]


# -- missing ----------------------------------------------------------------------------------


def test_what_lacks_a_vector_is_counted_and_listed_oldest_first(store: Store) -> None:
    with store.writing(OURS) as unit:
        first = add(unit, "one")
        add(unit, "two", vector=EAST)
        third = add(unit, "three", status=Status.FORGOTTEN)
    with store.reading(OURS) as unit:
        assert unit.vectors.count_missing(SPACE) == 2
        assert unit.vectors.missing(SPACE, 10) == (first, third)
        assert unit.vectors.missing(SPACE, 1) == (first,)
        assert unit.vectors.count_missing(OTHER_SPACE) == 3


# -- change -----------------------------------------------------------------------------------


def test_a_vector_put_again_replaces_the_first(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "x", vector=EAST)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == pytest.approx({added.number: 1.0})
    with store.writing(OURS) as unit:
        unit.vectors.put(added.number, SPACE, NORTH)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == pytest.approx({added.number: 0.0})
        assert unit.vectors.counts() == {str(SPACE): 1}


def warm(store: Store) -> Memory:
    """A memory with a vector that this process has already looked at."""
    with store.writing(OURS) as unit:
        added = add(unit, "x", vector=EAST)
    with store.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(EAST, SPACE, EVERYTHING, NOW, 10)) == [added.number]
    return added


@pytest.mark.parametrize("who", ["the same process", "another process"])
def test_a_changed_text_has_no_vector_until_it_gets_one(open_store: OpenStore, book_name: str, who: str) -> None:
    store = open_store(book_name)
    added = warm(store)
    writer = store if who == "the same process" else open_store(book_name)
    with writer.writing(OURS) as unit:
        changed = revise(unit, added, text="another text")
    with store.reading(OURS) as unit:
        assert unit.vectors.missing(SPACE, 10) == (changed,)
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == {}
        assert unit.vectors.nearest(EAST, SPACE, EVERYTHING, NOW, 10) == ()
    with writer.writing(OURS) as unit:
        unit.vectors.put(added.number, SPACE, NORTH)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(NORTH, SPACE, [added.number]) == pytest.approx({added.number: 1.0})


def test_a_change_of_status_or_scope_keeps_the_vector_and_is_seen(store: Store) -> None:
    added = warm(store)
    with store.writing(OURS) as unit:
        archived = revise(unit, added, status=Status.ARCHIVED)
    with store.reading(OURS) as unit:
        assert unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10) == ()
        only = replace(HERE, statuses=(Status.ARCHIVED,))
        assert numbers(unit.vectors.nearest(EAST, SPACE, only, NOW, 10)) == [added.number]
    with store.writing(OURS) as unit:
        revise(unit, archived, status=Status.ACTIVE, scope=ELSEWHERE)
    with store.reading(OURS) as unit:
        assert unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10) == ()
        assert numbers(unit.vectors.nearest(EAST, SPACE, Filter((ELSEWHERE,)), NOW, 10)) == [added.number]


def test_a_removed_memory_has_no_vector(store: Store) -> None:
    added = warm(store)
    with store.writing(OURS) as unit:
        remove(unit, added)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == {}
        assert unit.vectors.nearest(EAST, SPACE, EVERYTHING, NOW, 10) == ()
        assert unit.vectors.count_missing(SPACE) == 0


def test_rows_changed_without_an_event_are_seen_too(store: Store) -> None:
    """Repair and restoring a back-up write no events: vectors must follow the rows, not the log."""
    added = warm(store)
    with store.writing(OURS) as unit:
        unit.memories.replace(replace(added, scope=ELSEWHERE, revision=2), NOW)
    with store.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(EAST, SPACE, Filter((ELSEWHERE,)), NOW, 10)) == [added.number]
    with store.writing(OURS) as unit:
        unit.memories.remove(added.number)
    with store.reading(OURS) as unit:
        assert unit.vectors.similarity(EAST, SPACE, [added.number]) == {}


def test_a_vector_for_a_memory_that_is_not_there_is_not_kept(store: Store) -> None:
    with store.writing(OURS) as unit:
        unit.vectors.put(99, SPACE, EAST)
    with store.reading(OURS) as unit:
        assert unit.vectors.counts().get(str(SPACE), 0) == 0
        assert unit.vectors.nearest(EAST, SPACE, EVERYTHING, NOW, 10) == ()


def test_a_text_the_model_could_not_read_is_not_missing_and_near_nothing(store: Store) -> None:
    """All zeros say so; without it the text would be embedded again for ever."""
    with store.writing(OURS) as unit:
        blank = add(unit, "…", vector=bytes(8))
    with store.reading(OURS) as unit:
        assert unit.vectors.count_missing(SPACE) == 0
        assert unit.vectors.missing(SPACE, 10) == ()
        assert unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10) == ()
        assert unit.vectors.similarity(EAST, SPACE, [blank.number]) == {}
    with store.writing(OURS) as unit:
        unit.vectors.put(blank.number, SPACE, EAST)
    with store.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10)) == [blank.number]


def test_features_come_with_the_match(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, memory(importance=0.9), vector=EAST)
    with store.reading(OURS) as unit:
        [(features, _)] = unit.vectors.nearest(EAST, SPACE, HERE, NOW, 10)
        assert features == unit.memories.features(HERE, NOW, [added.number])[added.number]
