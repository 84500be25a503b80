"""Events and revisions: what happened, and what each memory was at any moment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.events import Activity, Event, EventType
from commonplace.domain.memory import Memory, Status
from commonplace.domain.record import replace
from commonplace.errors import NotFound, StoreError
from commonplace.ports import Store, Use
from tests.store.conftest import NewTenant
from tests.store.making import HERE, NOW, OURS, add, log, memory, numbers, remove, revise

# -- events -----------------------------------------------------------------------------------


def event(number: int, memory_id: str | None = "mem_1", **fields: object) -> Event:
    made = Event(f"evt_{number}", EventType.UPDATED, memory_id, "local", NOW, {})
    return replace(made, **fields)


def test_events_come_back_in_the_order_they_happened(store: Store) -> None:
    with store.writing(OURS) as unit:
        for number, at in ((3, 30), (1, 10), (2, 20)):
            unit.log.append(event(number, at=at))
        unit.log.append(event(4, "mem_2"))
        unit.log.append(event(5, None))
    with store.reading(OURS) as unit:
        found = unit.log.events("mem_1")
    assert [each.id for each in found] == ["evt_3", "evt_1", "evt_2"]
    assert [each.sequence for each in found] == sorted({each.sequence for each in found})


def test_an_event_comes_back_as_it_was_written(store: Store) -> None:
    payload = {"kind": "fact", "scope": "user:local", "tags": ("a", "ü"), "changed": {"text": True}, "at": 5, "x": None}
    with store.writing(OURS) as unit:
        unit.log.append(event(1, type=EventType.FORGOTTEN, actor="ada", at=7, payload=payload))
    with store.reading(OURS) as unit:
        [found] = unit.log.events("mem_1")
    assert (found.type, found.actor, found.at) == (EventType.FORGOTTEN, "ada", 7)
    assert dict(found.payload) == {**payload, "tags": ["a", "ü"]}


def test_an_unknown_memory_has_no_events(store: Store) -> None:
    with store.reading(OURS) as unit:
        assert unit.log.events("mem_none") == ()


def test_scrubbing_leaves_kind_and_scope_of_one_memorys_events(store: Store) -> None:
    payload = {
        "kind": "fact",
        "scope": "user:local",
        "tags": ("canary",),
        "successor": "mem_9",
        "changed": {"text": True},
    }
    with store.writing(OURS) as unit:
        unit.log.append(event(1, payload=payload))
        unit.log.append(event(2, payload={"at": 5}))
        unit.log.append(event(3, "mem_2", payload=payload))
        unit.log.scrub("mem_1")
    with store.reading(OURS) as unit:
        assert [dict(each.payload) for each in unit.log.events("mem_1")] == [
            {"kind": "fact", "scope": "user:local"},
            {},
        ]
        assert [each.type for each in unit.log.events("mem_1")] == [EventType.UPDATED] * 2
        assert dict(unit.log.events("mem_2")[0].payload)["tags"] == ["canary"]


def test_purged_ids_are_those_whose_purge_was_logged(store: Store) -> None:
    with store.writing(OURS) as unit:
        first, second = add(unit, "one"), add(unit, "two")
        remove(unit, first)
        log(unit, EventType.FORGOTTEN, second)
    with store.reading(OURS) as unit:
        assert unit.log.purged_ids() == {first.id}


# -- revisions --------------------------------------------------------------------------------


def test_revisions_are_every_state_oldest_first_with_the_present_last(store: Store) -> None:
    with store.writing(OURS) as unit:
        first = add(unit, "one", at=100)
        second = revise(unit, first, at=200, text="two")
        third = revise(unit, second, at=300, status=Status.ARCHIVED)
    with store.reading(OURS) as unit:
        found = unit.log.revisions(first.number)
    assert [(each.memory, each.recorded_at) for each in found] == [(first, 100), (second, 200), (third, 300)]


def test_an_unknown_number_has_no_revisions(store: Store) -> None:
    with store.reading(OURS) as unit:
        assert unit.log.revisions(99) == ()


def test_the_same_revision_cannot_be_written_twice(store: Store) -> None:
    with store.writing(OURS) as unit:
        first = add(unit, "one")
        second = revise(unit, first, text="two")
    with pytest.raises(StoreError), store.writing(OURS) as unit:  # noqa: PT012, both lines are needed
        unit.memories.replace(replace(second, text="three"), NOW)
        unit.memories.replace(replace(second, text="four"), NOW)
    with store.reading(OURS) as unit:
        assert [each.memory.text for each in unit.log.revisions(first.number)] == ["one", "two"]


# -- as of a moment ---------------------------------------------------------------------------

steps = st.lists(
    st.tuples(st.sampled_from(("add", "text", "status", "remove")), st.integers(0, 5), st.integers(0, 3)), max_size=20
)


@given(steps)
def test_the_state_at_a_moment_is_that_of_replaying_the_revisions(
    shared_store: Store, new_tenant: NewTenant, steps: list[tuple[str, int, int]]
) -> None:
    tenant, now = new_tenant(), NOW
    histories: dict[int, list[tuple[int, Memory]]] = {}
    with shared_store.writing(tenant) as unit:
        for deed, which, pause in steps:
            now += pause
            if deed == "add" or not histories:
                added = add(unit, f"text {now}", at=now)
                histories[added.number] = [(now, added)]
                continue
            number = sorted(histories)[which % len(histories)]
            current = histories[number][-1][1]
            if deed == "remove":
                remove(unit, current, at=now)
                del histories[number]
                continue
            changes = {"text": f"changed {now}"} if deed == "text" else {"status": Status.ARCHIVED}
            histories[number].append((now, revise(unit, current, at=now, **changes)))
    with shared_store.reading(tenant) as unit:
        for moment in range(NOW - 1, now + 2):
            expected = {}
            for number, history in histories.items():
                for recorded_at, state in history:
                    if recorded_at <= moment:
                        expected[number] = state
            assert {state.number: state for state in unit.log.states_at(moment)} == expected
            assert len(list(unit.log.states_at(moment))) == len(expected)


def test_record_time_decides_not_the_time_a_memory_names(store: Store) -> None:
    with store.writing(OURS) as unit:
        late = add(unit, memory("imported", created_at=5, updated_at=5), at=100)
    with store.reading(OURS) as unit:
        assert list(unit.log.states_at(99)) == []
        assert list(unit.log.states_at(100)) == [late]


# -- taking back ------------------------------------------------------------------------------


def test_a_past_revision_is_taken_back_as_it_was_recorded(store: Store) -> None:
    with store.writing(OURS) as unit:
        first = add(unit, "one", at=10)
        second = revise(unit, first, at=20, text="two", tags=("t",))
        states = unit.log.revisions(first.number)
        third = revise(unit, second, at=30, text="three", status=Status.ARCHIVED)
        revise(unit, third, at=40, importance=0.9)
        assert unit.memories.take_back(first.number, 2) == second
    with store.reading(OURS) as unit:
        assert unit.memories.by_number(first.number) == second
        assert unit.log.revisions(first.number) == states
        assert [memory.text for memory in unit.log.states_at(35)] == ["two"]
        assert numbers(unit.words.matching(["two"], HERE, NOW, 5)) == [first.number]
        assert unit.words.matching(["three"], HERE, NOW, 5) == ()
    with store.writing(OURS) as unit:
        assert revise(unit, second, at=50, text="four").revision == 3
    assert not [each for each in store.upkeep.examine() if not each.ok]


def test_a_revision_that_there_is_not_cannot_be_taken_back(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "one")
    for number, revision in ((added.number, 1), (added.number, 7), (added.number + 1, 1)):
        with pytest.raises(NotFound), store.writing(OURS) as unit:
            unit.memories.take_back(number, revision)


def test_activity_is_another_after_every_write_and_every_use(store: Store) -> None:
    with store.reading(OURS) as unit:
        assert unit.log.activity() == Activity(0, 0, None)
    seen = set()
    with store.writing(OURS) as unit:
        added = add(unit, "one", at=10)
        seen.add(unit.log.activity())
        revise(unit, added, at=30)
        seen.add(unit.log.activity())
        unit.uses.record([Use(added.number, 20, "cli")])
        seen.add(unit.log.activity())
        assert unit.log.activity().at == 30
        unit.uses.record([Use(added.number, 40, "cli")])
        seen.add(unit.log.activity())
        assert unit.log.activity().at == 40
    assert len(seen) == 4
    with store.reading("somebody-else") as unit:
        assert unit.log.activity() == Activity(0, 0, None)
