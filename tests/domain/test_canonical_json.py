"""A memory as plain data and back."""

import json

import pytest
from hypothesis import given

from commonplace.domain.canonical_json import HASH_BYTES, decode, dumps, encode, from_json, row_hash, to_json
from commonplace.domain.memory import Memory, Usage
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.errors import InvalidInput
from tests.strategies import memories

MEMORY = Memory("mem_1", 1, "Deploys are on Monday", Scope.parse("user:local"), 1_000, 1_000)


@given(memories())
def test_every_memory_round_trips(memory: Memory) -> None:
    assert from_json(to_json(memory)) == memory
    assert decode(encode(memory)) == memory


@given(memories())
def test_the_form_is_canonical(memory: Memory) -> None:
    assert encode(decode(encode(memory))) == encode(memory)
    assert row_hash(encode(memory)) == row_hash(encode(decode(encode(memory))))


@given(memories(), memories())
def test_different_memories_have_different_forms(one: Memory, other: Memory) -> None:
    assert (encode(one) == encode(other)) == (one == other)


def test_how_often_it_was_used_is_not_part_of_it() -> None:
    used = from_json(to_json(MEMORY), Usage(3, 5, "cli"))
    assert used.usage.count == 3
    assert encode(used) == encode(MEMORY)


def test_what_is_not_set_is_left_out() -> None:
    assert "topic" not in to_json(MEMORY)
    assert None not in to_json(MEMORY).values()


def test_a_memory_about_no_project_is_hashed_as_before_there_were_any() -> None:
    assert row_hash(encode(MEMORY)).hex() == "2f656f1be6039eb570fa00e977ea54ac"
    assert row_hash(encode(replace(MEMORY, project="atlas"))) != row_hash(encode(MEMORY))


def test_equal_numbers_have_one_form() -> None:
    """A share of 1 comes back from a database as 1.0: it must have the same hash as before."""
    whole = from_json({**to_json(MEMORY), "importance": 1, "confidence": 0})
    real = from_json({**to_json(MEMORY), "importance": 1.0, "confidence": 0.0})
    assert whole == real
    assert encode(whole) == encode(real)


def test_the_hash_sees_every_character() -> None:
    assert len(row_hash("a")) == HASH_BYTES
    assert row_hash("a") != row_hash("b")


def test_json_is_compact_sorted_and_readable() -> None:
    assert dumps({"b": "é", "a": [1]}) == '{"a":[1],"b":"é"}'


def test_an_unknown_field_is_refused_and_named() -> None:
    with pytest.raises(InvalidInput, match="colour"):
        from_json({**to_json(MEMORY), "colour": "red"})


@pytest.mark.parametrize(
    "field", sorted(set(to_json(MEMORY)) & {"id", "number", "text", "scope", "created_at", "updated_at"})
)
def test_a_missing_field_is_refused(field: str) -> None:
    data = to_json(MEMORY)
    del data[field]
    with pytest.raises(InvalidInput, match=f"This is not a memory: .* lacks '{field}'"):
        from_json(data)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 1),
        ("number", "1"),
        ("number", True),
        ("number", 1.0),
        ("text", 5),
        ("text", None),
        ("text", ["a"]),
        ("scope", 5),
        ("scope", "nowhere"),
        ("created_at", "yesterday"),
        ("created_at", 1.5),
        ("updated_at", None),
        ("importance", "high"),
        ("importance", True),
        ("importance", 2),
        ("confidence", None),
        ("priority", 5.0),
        ("priority", "5"),
        ("pinned", 1),
        ("pinned", "yes"),
        ("tags", "a"),
        ("tags", [1]),
        ("tags", {"a": 1}),
        ("category", 5),
        ("topic", ["a"]),
        ("kind", "poem"),
        ("kind", 5),
        ("kind", ["fact"]),
        ("memory_type", "x"),
        ("origin", "heaven"),
        ("standing", "tall"),
        ("status", "dead"),
        ("status_reason", 5),
        ("successor", 5),
        ("confirmed_at", "now"),
        ("expires_at", 1.5),
        ("valid_from", "x"),
        ("valid_to", []),
        ("revision", "1"),
        ("source", 5),
        ("surface", 5),
        ("actor", None),
        ("session", 5),
        ("capture_mode", "guess"),
        ("owner", 5),
        ("project", 5),
        ("project", "no id"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        from_json({**to_json(MEMORY), field: value})


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("id", "two\nlines"),
        ("id", "\ud800"),
        ("number", -1),
        ("created_at", -1),
        ("created_at", 2**70),
        ("updated_at", 2**70),
        ("status_at", -5),
        ("revision", 0),
        ("revision", -3),
        ("successor", "\ud800"),
    ],
)
def test_a_value_that_no_book_can_hold_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidInput):
        from_json({**to_json(MEMORY), field: value})


def test_reading_leaves_the_data_as_it_was() -> None:
    data = to_json(MEMORY)
    before = json.dumps(data)
    from_json(data)
    assert json.dumps(data) == before
