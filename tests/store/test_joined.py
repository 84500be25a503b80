"""Several models in one book, on every engine: a vector for each, and one answer."""

from collections.abc import Sequence

import numpy as np
import pytest

from commonplace.domain.rank import Scale
from commonplace.engine.joined import ACROSS, JoinedEmbedder, JoiningStore, parts_of
from commonplace.ports import Calibration, Space, Store, Unit, Vector
from tests.store.making import HERE, NOW, OURS, add, numbers, remove, revise

BLANK = bytes(8)


def vector(*components: float) -> Vector:
    array = np.array(components, np.float32)
    return (array / np.linalg.norm(array)).astype("<f2").tobytes()


EAST, NORTH, BETWEEN = vector(1, 0, 0, 0), vector(0, 1, 0, 0), vector(1, 1, 0, 0)


class Fixed:
    """A model that knows nothing: tests put vectors themselves."""

    uses_network = False

    def __init__(self, name: str, calibration: Calibration) -> None:
        self.space, self.calibration = Space(name, "1", "test", 4), calibration

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [EAST for _ in texts]

    def embed_query(self, text: str) -> Vector:
        return NORTH


FIRST = Fixed("first", Calibration(Scale(0.6, 0.04), 0.9))
SECOND = Fixed("second", Calibration(Scale(0.3, 0.1), 0.9))
JOINED = JoinedEmbedder([FIRST, SECOND])


@pytest.fixture
def joining(store: Store) -> JoiningStore:
    return JoiningStore(store, JOINED)


def put(unit: Unit, text: str, first: Vector, second: Vector) -> int:
    number = add(unit, text).number
    unit.vectors.put(number, JOINED.space, first + second)
    return number


def test_to_the_engine_they_are_one_model() -> None:
    assert JOINED.space == Space("first+second", "1+1", "test+test", 8)
    assert JOINED.calibration == FIRST.calibration
    assert JOINED.embed(["a", "b"]) == [EAST + EAST] * 2
    assert JOINED.embed_query("a") == NORTH + NORTH
    assert (parts_of(JOINED), parts_of(FIRST), parts_of(None)) == ((FIRST, SECOND), (FIRST,), ())


def test_each_model_keeps_its_vectors_in_its_own_space(joining: JoiningStore, store: Store) -> None:
    with joining.writing(OURS) as unit:
        number = put(unit, "text", EAST, NORTH)
        assert unit.vectors.of([number], JOINED.space) == {number: EAST + NORTH}
    with store.reading(OURS) as unit:
        assert unit.vectors.of([number], FIRST.space) == {number: EAST}
        assert unit.vectors.of([number], SECOND.space) == {number: NORTH}
        assert unit.vectors.counts() == {str(FIRST.space): 1, str(SECOND.space): 1}


def test_what_both_read_is_the_mean_on_the_scale_of_the_first(joining: JoiningStore) -> None:
    with joining.writing(OURS) as unit:
        both, first, second, neither = (
            put(unit, "both", EAST, BETWEEN),
            put(unit, "first", BETWEEN, BLANK),
            put(unit, "second", BLANK, BETWEEN),
            put(unit, "neither", BLANK, BLANK),
        )
    with joining.reading(OURS) as unit:
        close = unit.vectors.similarity(EAST + EAST, JOINED.space, [both, first, second, neither])
    of_first, of_second = (1.0 - 0.6) / 0.04, (0.7071 - 0.3) / 0.1
    assert close[both] == pytest.approx(0.6 + 0.04 * (of_first + of_second) / 2, abs=1e-3)
    assert close[first] == pytest.approx(0.7071, abs=1e-3)
    assert close[second] == pytest.approx(0.6 + 0.04 * of_second, abs=1e-3)
    assert neither not in close


def test_a_question_that_one_cannot_read_is_answered_by_the_other(joining: JoiningStore) -> None:
    with joining.writing(OURS) as unit:
        both, first = put(unit, "both", NORTH, EAST), put(unit, "first", EAST, BLANK)
    with joining.reading(OURS) as unit:
        assert numbers(unit.vectors.nearest(BLANK + EAST, JOINED.space, HERE, NOW, 10)) == [both]
        assert numbers(unit.vectors.nearest(EAST + BLANK, JOINED.space, HERE, NOW, 10)) == [first, both]
        assert unit.vectors.nearest(BLANK + BLANK, JOINED.space, HERE, NOW, 10) == ()


def test_the_nearest_are_looked_for_by_every_model_and_compared_by_all(joining: JoiningStore) -> None:
    with joining.writing(OURS) as unit:
        middling, best, far = (
            put(unit, "middling", EAST, NORTH),
            put(unit, "best", BETWEEN, EAST),
            put(unit, "far", NORTH, NORTH),
        )
    with joining.reading(OURS) as unit:
        found = unit.vectors.nearest(EAST + EAST, JOINED.space, HERE, NOW, 3)
        assert numbers(found) == [best, middling, far]
        close = unit.vectors.similarity(EAST + EAST, JOINED.space, [middling, best, far])
        assert [score for _, score in found] == sorted(close.values(), reverse=True)
        assert numbers(unit.vectors.nearest(EAST + EAST, JOINED.space, HERE, NOW, 1)) == numbers(found)[:1]


def test_whoever_lacks_one_of_the_vectors_is_missing(joining: JoiningStore, store: Store) -> None:
    with joining.writing(OURS) as unit:
        whole = put(unit, "whole", EAST, BLANK)
        old, new = add(unit, "old"), add(unit, "new")
        unit.vectors.put(old.number, FIRST.space, EAST)
        assert unit.vectors.count_missing(JOINED.space) == 2
        assert [each.number for each in unit.vectors.missing(JOINED.space, 10)] == [old.number, new.number]
        assert [each.number for each in unit.vectors.missing(JOINED.space, 1)] == [old.number]
        assert set(unit.vectors.of([whole, old.number, new.number], JOINED.space)) == {whole}
        assert unit.vectors.count_missing(FIRST.space) == 1
    with store.reading(OURS) as unit:
        assert unit.vectors.count_missing(SECOND.space) == 2


def test_another_text_or_none_leaves_no_vector_in_any_space(joining: JoiningStore, store: Store) -> None:
    with joining.writing(OURS) as unit:
        changed, gone = add(unit, "changed"), add(unit, "gone")
        for each in (changed, gone):
            unit.vectors.put(each.number, JOINED.space, EAST + NORTH)
        revise(unit, changed, text="other words")
        remove(unit, gone)
    with store.reading(OURS) as unit:
        assert unit.vectors.counts() == {}


def test_another_models_space_is_as_it_was(joining: JoiningStore) -> None:
    other = Space("other", "1", "test", 4)
    with joining.writing(OURS) as unit:
        number = add(unit, "text").number
        unit.vectors.put(number, other, BETWEEN)
        assert unit.vectors.similarity(EAST, other, [number]) == {number: pytest.approx(0.7071, abs=1e-3)}
        assert numbers(unit.vectors.nearest(EAST, other, HERE, NOW, 5)) == [number]
        assert unit.vectors.drop_space(str(other)) == 1


def test_between_an_english_question_and_other_languages_their_share_counts_more(store: Store) -> None:
    english = Fixed("english", SECOND.calibration)
    joined = JoinedEmbedder([FIRST, SECOND, english], shares=(SECOND, english))
    joining = JoiningStore(store, joined)
    with joining.writing(OURS) as unit:
        foreign, own = add(unit, "foreign").number, add(unit, "own").number
        unit.vectors.put(foreign, joined.space, NORTH + EAST + BLANK)
        unit.vectors.put(own, joined.space, EAST + BLANK + EAST)
    with joining.reading(OURS) as unit:
        asked_in_english = unit.vectors.similarity(EAST + EAST + BLANK, joined.space, [foreign, own])
        asked_in_another = unit.vectors.similarity(EAST + EAST + EAST, joined.space, [foreign, own])
    of_share = 0.6 + 0.04 * (1.0 - 0.3) / 0.1
    assert asked_in_english[own] == pytest.approx(1.0, abs=1e-3)
    assert asked_in_english[foreign] == pytest.approx((0.0 + ACROSS * of_share) / (1 + ACROSS), abs=1e-3)
    assert asked_in_another[foreign] == pytest.approx((0.0 + of_share) / 2, abs=1e-3)
    assert asked_in_another[own] == pytest.approx((1.0 + of_share) / 2, abs=1e-3)
