"""Ids that sort by time."""

from commonplace.domain.ids import ulid
from commonplace.engine.caller import system_clock

ALPHABET = set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")


def test_an_id_is_26_characters_without_the_ambiguous_ones() -> None:
    assert len(ulid(1_767_225_600_000)) == 26
    assert set(ulid(1_767_225_600_000)) <= ALPHABET


def test_ids_sort_by_time() -> None:
    moments = [0, 1, 31, 32, 1_000, 1_767_225_600_000, 1_767_225_600_001, 253_402_300_799_999]
    made = [ulid(moment) for moment in moments]
    assert made == sorted(made)


def test_the_time_can_be_read_from_an_id() -> None:
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    value = 0
    for character in ulid(1_767_225_600_123):
        value = value * 32 + digits.index(character)
    assert value >> 80 == 1_767_225_600_123


def test_ids_of_one_moment_differ() -> None:
    assert len({ulid(1_000) for _ in range(1_000)}) == 1_000


def test_the_system_clock_counts_whole_milliseconds() -> None:
    assert isinstance(system_clock(), int)
    assert 1_577_836_800_000 < system_clock() < 253_402_300_799_999
