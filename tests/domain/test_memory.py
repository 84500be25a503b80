"""The memory: frozen, and valid by construction."""

import pytest

from commonplace.domain.memory import Memory, Origin, Provenance, Usage
from commonplace.domain.rank import Profile
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.domain.validation import TIME_LIMIT
from commonplace.errors import InvalidInput

MEMORY = Memory("mem_1", 1, "Deploys are on Monday", Scope.parse("user:local"), 1_000, 1_000)


def test_a_memory_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        MEMORY.text = "Deploys are on Tuesday"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", " "),
        ("text", "a\x00b"),
        ("importance", 1.5),
        ("confidence", -0.1),
        ("priority", 0),
        ("priority", 11),
        ("tags", ("",)),
        ("category", "\n"),
        ("topic", ""),
        ("owner", ""),
        ("status_reason", ""),
        ("expires_at", -1),
        ("confirmed_at", TIME_LIMIT + 1),
        ("valid_from", -1),
        ("valid_to", -1),
        ("project", ""),
        ("project", "two\nlines"),
        ("project", "x" * 249),
    ],
)
def test_no_invalid_memory_can_be_made(field: str, value: object) -> None:
    with pytest.raises(InvalidInput) as caught:
        replace(MEMORY, **{field: value})
    assert caught.value.argument in (field, "reason")


@pytest.mark.parametrize("field", ["source", "surface", "actor", "session"])
def test_no_invalid_provenance_can_be_made(field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Provenance(**{field: "two\nlines"})
    assert caught.value.argument == field


def test_it_cannot_stop_being_valid_before_it_is() -> None:
    with pytest.raises(InvalidInput, match="valid_to"):
        replace(MEMORY, valid_from=2_000, valid_to=1_999)


@pytest.mark.parametrize(("now", "expired"), [(1_999, False), (2_000, True), (2_001, True)])
def test_it_expires_at_its_very_moment(now: int, expired: bool) -> None:
    assert replace(MEMORY, expires_at=2_000).expired(now) is expired


def test_without_a_moment_it_never_expires() -> None:
    assert not MEMORY.expired(TIME_LIMIT)


@pytest.mark.parametrize(("at", "valid"), [(999, False), (1_000, True), (1_999, True), (2_000, False)])
def test_it_is_valid_from_its_first_moment_up_to_its_last(at: int, valid: bool) -> None:
    assert replace(MEMORY, valid_from=1_000, valid_to=2_000).valid(at) is valid


def test_what_says_nothing_about_time_is_always_valid() -> None:
    assert MEMORY.valid(0)
    assert MEMORY.valid(TIME_LIMIT)


def test_base_confidence_is_as_stated_until_use_lifts_it() -> None:
    assert replace(MEMORY, confidence=0.4).base_confidence == 0.4
    assert replace(MEMORY, confidence=0.4, usage=Usage(1, 5, "cli", 0.0)).base_confidence == 0.0


def test_trust_falls_from_what_a_person_typed_to_what_was_imported() -> None:
    assert [origin.distrust for origin in Origin] == list(range(len(Origin)))
    assert sorted(Origin, key=lambda origin: origin.distrust) == list(Origin)


def test_what_was_inferred_fetched_or_imported_waits_for_confirmation() -> None:
    waiting = {Origin.REVISED, Origin.INFERRED, Origin.TOOL, Origin.IMPORTED}
    assert {origin for origin in Origin if origin.waits_for_confirmation} == waiting


def test_ranking_has_a_penalty_for_every_origin_and_none_for_the_trusted() -> None:
    penalties = Profile().distrust_penalties
    assert len(penalties) == len(Origin)
    assert list(penalties) == sorted(penalties)
    assert all((penalties[o.distrust] > 0) is o.waits_for_confirmation for o in Origin)
