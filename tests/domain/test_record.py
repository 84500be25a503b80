"""Records: frozen values with named fields."""

import copy
import pickle

import pytest

from commonplace.domain.record import Record, replace
from commonplace.engine.intake import Repeats
from commonplace.errors import InvalidInput


class Point(Record):
    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise InvalidInput("x is below zero.", "x")


class Place(Point):
    name: str = "nowhere"


def test_fields_are_given_by_place_by_name_or_by_default() -> None:
    assert (Point(1).x, Point(1).y) == (1, 0)
    assert Point(1, 2) == Point(x=1, y=2) == Point(1, y=2)


def test_a_subclass_adds_its_fields_behind_its_parents() -> None:
    assert Place.fields == ("x", "y", "name")
    assert Place(1, 2, "here").name == "here"
    assert Point.fields == ("x", "y")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((), {}),
        ((1, 2, 3), {}),
        ((1,), {"z": 3}),
        ((1,), {"x": 2}),
        ((), {"y": 1}),
        ((), {"z": 1}),
        ((), {"y": 1, "z": 1}),
    ],
)
def test_missing_unknown_repeated_and_surplus_values_are_refused(given: tuple, named: dict) -> None:
    with pytest.raises(TypeError):
        Point(*given, **named)


def test_a_record_is_checked_when_it_is_made_and_when_it_is_replaced() -> None:
    with pytest.raises(InvalidInput):
        Point(-1)
    with pytest.raises(InvalidInput):
        replace(Point(1), x=-1)


def test_a_record_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert point.x == 1


def test_replace_leaves_the_old_one_alone() -> None:
    old = Point(1, 2)
    assert replace(old, y=3) == Point(1, 3)
    assert old == Point(1, 2)


def test_replace_refuses_a_field_there_is_not() -> None:
    with pytest.raises(TypeError):
        replace(Point(1), z=1)


def test_equal_records_hash_alike_and_other_types_are_not_equal() -> None:
    assert hash(Point(1, 2)) == hash(Point(1, 2))
    assert Point(1, 2) != Place(1, 2)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_a_record_shows_what_it_holds() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"


def test_a_record_can_be_copied_and_sent_to_another_process() -> None:
    assert copy.deepcopy(Point(1, 2)) == Point(1, 2)
    assert pickle.loads(pickle.dumps(Repeats())) == Repeats()
