"""The rows: numbers, keys that lead to them, filters, listings and neighbours."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain.canonical_json import encode, row_hash
from commonplace.domain.memory import Kind, Memory, MemoryType, Origin, Provenance, Standing, Status
from commonplace.domain.query import Filter, Order
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.ports import Space, Store
from commonplace.text import terms
from commonplace.text.nearness import sketch
from tests.store.conftest import NewTenant, OpenStore
from tests.store.making import (
    ELSEWHERE,
    EVERYTHING,
    HERE,
    NOW,
    OURS,
    SCOPE,
    THEIRS,
    add,
    memory,
    numbers,
    remove,
    revise,
)
from tests.strategies import LABELS, MOMENTS, PROJECTS, SCOPES, SESSIONS, TAGS, filters, memories

TEXT = "the deploy window opens"
SPACE = Space("model", "1", "test", 2)
VECTOR = b"\x00\x3c\x00\x00"
ANYTHING = Filter(SCOPES, statuses=(), include_expired=True)

many = st.lists(memories(text=st.just(TEXT)), min_size=1, max_size=8)


def fill(store: Store, drafts: list[Memory], tenant: str = OURS) -> list[Memory]:
    with store.writing(tenant) as unit:
        return [add(unit, draft) for draft in drafts]


# -- numbers ----------------------------------------------------------------------------------


def test_numbers_count_from_one_without_a_gap(store: Store) -> None:
    assert numbers(fill(store, [memory("one"), memory("two"), memory("three")])) == [1, 2, 3]


def test_a_number_is_never_given_out_twice(open_store: OpenStore, book_name: str) -> None:
    store = open_store(book_name)
    with store.writing(OURS) as unit:
        last = [add(unit, "one"), add(unit, "two")][-1]
        remove(unit, last)
        assert unit.memories.next_number() == 3
    store.close()
    with open_store(book_name).writing(OURS) as unit:
        assert unit.memories.next_number() == 4


# -- add, replace, remove ---------------------------------------------------------------------


@given(memories())
def test_every_memory_comes_back_as_it_was_written(shared_store: Store, new_tenant: NewTenant, memory: Memory) -> None:
    store, tenant = shared_store, new_tenant()
    with store.writing(tenant) as unit:
        unit.memories.add(memory, NOW)
    with store.reading(tenant) as unit:
        assert unit.memories.by_number(memory.number) == memory
        assert unit.memories.by_id(memory.id) == memory
        [(found, recorded_at, hash)] = unit.memories.each()
    assert (found, recorded_at) == (memory, NOW)
    assert hash == row_hash(encode(found)), "the hash must hold for what comes back"


@pytest.mark.parametrize("changes", [{"importance": 1}, {"confidence": 0}, {"importance": -0.0}])
def test_a_number_is_hashed_as_it_comes_back(store: Store, changes: dict) -> None:
    [added] = fill(store, [memory(**changes)])
    with store.reading(OURS) as unit:
        [(found, _, hash)] = unit.memories.each()
    assert found == added
    assert hash == row_hash(encode(found))


@given(memories(), memories())
def test_a_replaced_memory_is_the_new_one_and_its_hash_holds(
    shared_store: Store, new_tenant: NewTenant, before: Memory, after: Memory
) -> None:
    store, tenant = shared_store, new_tenant()
    after = replace(after, revision=before.revision + 1)
    with store.writing(tenant) as unit:
        unit.memories.add(before, NOW)
        unit.memories.replace(after, NOW + 1)
    with store.reading(tenant) as unit:
        [(found, recorded_at, hash)] = unit.memories.each()
        past, present = unit.log.revisions(before.number)
    assert (found, recorded_at, hash) == (after, NOW + 1, row_hash(encode(after)))
    assert (past.memory, past.recorded_at) == (before, NOW)
    assert (present.memory, present.recorded_at) == (after, NOW + 1)


def test_a_removed_memory_is_in_no_index(store: Store) -> None:
    with store.writing(OURS) as unit:
        gone = add(unit, TEXT, topic="deploy-day", tags=("ops",), provenance=Provenance(session="ses_1"))
        stays = add(unit, "something else", provenance=Provenance(session="ses_1"))
        unit.vectors.put(gone.number, SPACE, VECTOR)
        gone = revise(unit, gone, importance=0.9)
        remove(unit, gone)
    with store.reading(OURS) as unit:
        assert unit.memories.by_id(gone.id) is None
        assert unit.memories.by_number(gone.number) is None
        assert unit.memories.by_numbers([gone.number]) == {}
        assert unit.memories.by_text(EVERYTHING, NOW, TEXT) == ()
        assert unit.memories.by_topic(EVERYTHING, NOW, ["deploy-day"]) == ()
        assert unit.memories.count(replace(EVERYTHING, tags=("ops",)), NOW) == 0
        assert unit.memories.features(EVERYTHING, NOW, [gone.number]) == {}
        assert unit.memories.neighbours(EVERYTHING, NOW, [stays.number]) == {stays.number: (None, None)}
        assert unit.words.matching(terms(TEXT), EVERYTHING, NOW, 5) == ()
        assert unit.words.frequencies(["deploy", "window"])[0] == [0, 0]
        assert unit.sketches.sharing(sketch(terms(TEXT)), EVERYTHING, NOW, 5) == ()
        assert unit.vectors.similarity(VECTOR, SPACE, [gone.number]) == {}
        assert unit.vectors.counts() == {}
        assert unit.log.revisions(gone.number) == ()
        assert list(unit.log.states_at(NOW)) == [stays]


def test_a_changed_text_leaves_no_trace_in_the_indexes(store: Store) -> None:
    with store.writing(OURS) as unit:
        before = add(unit, TEXT, topic="deploy-day", tags=("ops",))
        after = revise(unit, before, text="lunch at noon", topic="lunch", tags=("food",))
    with store.reading(OURS) as unit:
        assert unit.words.matching(["deploy", "op"], EVERYTHING, NOW, 5) == ()
        assert unit.memories.by_text(EVERYTHING, NOW, TEXT) == ()
        assert unit.memories.by_topic(EVERYTHING, NOW, ["deploy-day"]) == ()
        assert unit.memories.count(replace(EVERYTHING, tags=("ops",)), NOW) == 0
        assert unit.sketches.sharing(sketch(terms(TEXT)), EVERYTHING, NOW, 5) == ()
        assert numbers(unit.words.matching(["lunch"], EVERYTHING, NOW, 5)) == [after.number]
        assert numbers(unit.words.matching(["food"], EVERYTHING, NOW, 5)) == [after.number]
        assert unit.memories.by_text(EVERYTHING, NOW, "Lunch  at NOON") == (after,)
        assert unit.memories.count(replace(EVERYTHING, tags=("food",)), NOW) == 1


# -- keys that lead to rows -------------------------------------------------------------------


def test_the_same_folded_text_is_found_newest_first(store: Store) -> None:
    first, second, _ = fill(store, [memory("Straße  EINS"), memory("strasse eins"), memory("strasse zwei")])
    with store.reading(OURS) as unit:
        assert unit.memories.by_text(EVERYTHING, NOW, "STRASSE\neins") == (second, first)


def test_topics_are_found_by_any_of_several_keys(store: Store) -> None:
    one, two, three = fill(store, [memory("a", topic="one"), memory("b", topic="two"), memory("c", topic="one")])
    fill(store, [memory("d"), memory("e", topic="three")])
    with store.reading(OURS) as unit:
        found = unit.memories.by_topic(EVERYTHING, NOW, ["one", "two", "none"])
        assert sorted(numbers(found)) == [one.number, two.number, three.number]
        assert unit.memories.by_topic(EVERYTHING, NOW, []) == ()


LABELLED: dict[Literal["topic", "session", "team"], dict[str, object]] = {
    "topic": {"topic": "one"},
    "session": {"provenance": Provenance(session="ses_1")},
    "team": {"scope": Scope(ScopeKind.TEAM, "core")},
}


@pytest.mark.parametrize("what", LABELLED)
def test_a_book_knows_whether_it_has_topics_sessions_and_teams(
    store: Store, what: Literal["topic", "session", "team"]
) -> None:
    fill(store, [memory("plain"), memory("near", scope=Scope(ScopeKind.AGENT, "team"))])
    with store.writing(OURS) as unit:
        assert not unit.memories.has(what)
        labelled = add(unit, "labelled", **LABELLED[what])
        assert unit.memories.has(what)
        remove(unit, labelled)
        assert not unit.memories.has(what)


def test_several_numbers_are_found_at_once(store: Store) -> None:
    one, two = fill(store, [memory("one"), memory("two")])
    with store.reading(OURS) as unit:
        assert unit.memories.by_numbers([two.number, 99, one.number, one.number]) == {1: one, 2: two}
        assert unit.memories.by_numbers([]) == {}


def test_features_are_those_of_the_row_and_its_use(store: Store) -> None:
    draft = memory(provenance=Provenance(session="ses_1"), confirmed_at=NOW + 5, confidence=0.4, pinned=True)
    [added] = fill(store, [draft])
    with store.reading(OURS) as unit:
        found = unit.memories.features(EVERYTHING, NOW, [added.number])[added.number]
    assert (found.session, found.created_at, found.fresh_at) == ("ses_1", NOW, NOW + 5)
    assert (found.confidence, found.pinned, found.distrust) == (0.4, True, added.origin.distrust)


# -- filters ----------------------------------------------------------------------------------


def one_of_each() -> list[Memory]:
    """Memories that differ from an ordinary one in one thing each, at every boundary of time."""
    plain = memory(TEXT, created_at=MOMENTS[0])
    changes: list[dict[str, object]] = [{}]
    for name in ("created_at", "expires_at", "valid_from", "valid_to"):
        changes += [{name: moment} for moment in MOMENTS]
    for name, values in (("status", Status), ("kind", Kind), ("memory_type", MemoryType), ("origin", Origin)):
        changes += [{name: value} for value in values]
    changes += [{name: label} for name in ("category", "topic") for label in LABELS]
    changes += [{"provenance": Provenance(session=session)} for session in SESSIONS]
    changes += [{"tags": TAGS[:count]} for count in range(1, 4)]
    changes += [{"pinned": True}]
    changes += [{"project": project} for project in PROJECTS]
    changes += [{"scope": scope, "standing": standing} for scope in SCOPES for standing in Standing]
    return [replace(plain, **change) for change in changes]


def one_condition_each() -> list[Filter]:
    everything = Filter(SCOPES)
    changes: list[dict[str, object]] = [
        {},
        {"include_expired": True},
        {"only_expired": True},
        {"automatic": True},
        {"statuses": ()},
    ]
    changes += [{"verified_only": True}, {"pinned": True}]
    changes += [{"projects": projects} for projects in ((PROJECTS[0],), (PROJECTS[1],), PROJECTS, ("none",))]
    for name in ("created_since", "created_until", "valid_at"):
        changes += [{name: moment} for moment in MOMENTS]
    for name, values in (("statuses", Status), ("kinds", Kind), ("memory_types", MemoryType)):
        changes += [{name: (value,)} for value in values]
    changes += [{name: label} for name in ("category", "topic") for label in LABELS]
    changes += [{"session": session} for session in SESSIONS]
    for name in ("tags", "any_tags"):
        changes += [{name: tags} for tags in ((TAGS[0],), (TAGS[1],), TAGS[:2], ("none",), ("none", TAGS[0]))]
    changes += [{"scopes": (scope,)} for scope in SCOPES]
    return [replace(everything, **change) for change in changes]


def test_what_ranking_hears_of_a_team_is_what_the_memory_says(store: Store) -> None:
    stored = fill(store, one_of_each())
    with store.reading(OURS) as unit:
        found = unit.memories.features(ANYTHING, NOW, [each.number for each in stored])
    assert {number: features.doubt for number, features in found.items()} == {
        each.number: each.doubt for each in stored
    }
    assert {features.doubt for features in found.values()} == {0, 1, 2}


def test_every_condition_means_the_same_to_the_store_at_every_boundary(store: Store) -> None:
    stored = fill(store, one_of_each())
    with store.reading(OURS) as unit:
        for filter in one_condition_each():
            for now in (NOW - 1, NOW, NOW + 1):
                admitted = [each.number for each in stored if filter.admits(each, now)]
                found = unit.memories.page(filter, now, Order.OLDEST, 1_000, None)
                assert sorted(numbers(found)) == admitted, (filter, now)


@given(many, st.lists(filters(), min_size=1, max_size=6))
def test_every_question_answers_with_exactly_what_the_filter_admits(
    shared_store: Store, new_tenant: NewTenant, drafts: list[Memory], asked: list[Filter]
) -> None:
    """The filter as the store's own language says the same as the filter as a predicate."""
    store, tenant = shared_store, new_tenant()
    stored = fill(store, drafts, tenant)
    with store.writing(tenant) as unit:
        for each in stored:
            unit.vectors.put(each.number, SPACE, VECTOR)
    every = numbers(stored)
    with store.reading(tenant) as unit:
        for filter in asked:
            admitted = [each.number for each in stored if filter.admits(each, NOW)]
            by_topic = [each.number for each in stored if each.number in admitted and each.topic in LABELS]
            answers = {
                "words.matching": numbers(unit.words.matching(["deploy"], filter, NOW, 100)),
                "memories.page": numbers(unit.memories.page(filter, NOW, Order.OLDEST, 100, None)),
                "memories.features": list(unit.memories.features(filter, NOW, every)),
                "memories.by_text": numbers(unit.memories.by_text(filter, NOW, TEXT)),
                "sketches.sharing": [each[0] for each in unit.sketches.sharing(sketch(terms(TEXT)), filter, NOW, 100)],
                "vectors.nearest": numbers(unit.vectors.nearest(VECTOR, SPACE, filter, NOW, 100)),
            }
            assert {name: sorted(found) for name, found in answers.items()} == dict.fromkeys(answers, admitted)
            assert sorted(numbers(unit.memories.by_topic(filter, NOW, LABELS))) == by_topic
            assert unit.memories.count(filter, NOW) == len(admitted)


@pytest.mark.parametrize("value", ["'; DROP TABLE memories; --", '"', "%", "_", "\\", "[", "süd", "\u200b"])
def test_a_filter_means_nothing_but_itself(store: Store, value: str) -> None:
    fill(store, [memory("other", category="x", topic="x", tags=("x",), provenance=Provenance(session="x"))])
    [wanted] = fill(store, [memory(category=value, topic=value, tags=(value,), provenance=Provenance(session=value))])
    with store.reading(OURS) as unit:
        for narrowed in ({"category": value}, {"topic": value}, {"tags": (value,)}, {"session": value}):
            found = unit.memories.page(replace(EVERYTHING, **narrowed), NOW, Order.NEWEST, 10, None)
            assert found == (wanted,)
        assert numbers(unit.memories.by_topic(EVERYTHING, NOW, [value])) == [wanted.number]
        assert unit.memories.count(EVERYTHING, NOW) == 2


def test_no_scope_admits_nothing(store: Store) -> None:
    fill(store, [memory()])
    with store.reading(OURS) as unit:
        assert unit.memories.count(Filter(()), NOW) == 0


# -- listings ---------------------------------------------------------------------------------

_KEYS = {
    Order.NEWEST: lambda each: (-each.created_at, -each.number),
    Order.OLDEST: lambda each: (each.created_at, each.number),
    Order.UPDATED: lambda each: (-each.updated_at, -each.number),
}


@given(many, st.integers(1, 4))
def test_pages_cover_everything_exactly_once_in_every_order(
    shared_store: Store, new_tenant: NewTenant, drafts: list[Memory], size: int
) -> None:
    store, tenant = shared_store, new_tenant()
    stored = fill(store, drafts, tenant)
    with store.reading(tenant) as unit:
        for order in Order:
            expected = sorted(stored, key=_KEYS[order])
            walked: list[Memory] = []
            cursor = None
            while page := unit.memories.page(ANYTHING, NOW, order, size, cursor):
                assert len(page) <= size
                walked += page
                cursor = page[-1].number
                assert len(walked) <= len(expected)
            assert walked == expected


def test_a_page_goes_on_behind_a_memory_the_filter_no_longer_admits(store: Store) -> None:
    first, second, third = fill(store, [memory("a"), memory("b"), memory("c")])
    with store.writing(OURS) as unit:
        revise(unit, second, status=Status.ARCHIVED)
        found = unit.memories.page(HERE, NOW, Order.OLDEST, 10, second.number)
    assert numbers(found) == [third.number]
    assert first.number not in numbers(found)


# -- neighbours -------------------------------------------------------------------------------


@given(st.lists(st.tuples(memories(text=st.just(TEXT))), min_size=1, max_size=10), filters())
def test_neighbours_are_the_nearest_admitted_ones_of_the_same_conversation(
    shared_store: Store, new_tenant: NewTenant, drafts: list[tuple[Memory]], filter: Filter
) -> None:
    store, tenant = shared_store, new_tenant()
    stored = fill(store, [draft for (draft,) in drafts], tenant)
    expected = {}
    for each in stored:
        session = each.provenance.session
        if session is None:
            continue
        beside = [
            other.number
            for other in stored
            if other.provenance.session == session and other.scope == each.scope and filter.admits(other, NOW)
        ]
        before = max((n for n in beside if n < each.number), default=None)
        after = min((n for n in beside if n > each.number), default=None)
        expected[each.number] = (before, after)
    with store.reading(tenant) as unit:
        assert unit.memories.neighbours(filter, NOW, [*numbers(stored), 99]) == expected


def test_a_conversation_has_a_before_and_an_after(store: Store) -> None:
    talk = [memory(text, provenance=Provenance(session=SESSIONS[0])) for text in ("one", "two", "three")]
    elsewhere = memory("aside", provenance=Provenance(session=SESSIONS[0]), scope=ELSEWHERE)
    fill(store, [talk[0], elsewhere, talk[1], memory("no session"), talk[2]])
    with store.reading(OURS) as unit:
        found = unit.memories.neighbours(Filter((SCOPE, ELSEWHERE)), NOW, [1, 2, 3, 4, 5])
    assert found == {1: (None, 3), 2: (None, None), 3: (1, 5), 5: (3, None)}


# -- each -------------------------------------------------------------------------------------


def test_each_goes_through_every_row_oldest_first(store: Store) -> None:
    stored = fill(store, [memory("a", status=Status.FORGOTTEN), memory("b", expires_at=MOMENTS[0]), memory("c")])
    with store.reading(OURS) as unit:
        assert [found for found, _, _ in unit.memories.each()] == stored


def test_a_row_keeps_the_order_of_its_tags(store: Store) -> None:
    [added] = fill(store, [memory(tags=("b", "a", "ü"))])
    with store.reading(OURS) as unit:
        found = unit.memories.by_number(added.number)
    assert found is not None
    assert json.dumps(found.tags) == json.dumps(("b", "a", "ü"))


def test_scopes_are_those_that_have_a_memory_of_any_status(store: Store) -> None:
    with store.reading(OURS) as unit:
        assert unit.memories.scopes() == ()
    team = Scope.parse("team:core")
    with store.writing(OURS) as unit:
        add(unit, "one", scope=team, status=Status.FORGOTTEN)
        add(unit, "two")
        add(unit, "three", scope=ELSEWHERE, expires_at=NOW - 1)
        gone = add(unit, "four", scope=Scope.parse("agent:gone"))
        add(unit, "five", scope=team)
        remove(unit, gone)
    with store.writing(THEIRS) as unit:
        add(unit, "six", scope=Scope.parse("project:theirs"))
    with store.reading(OURS) as unit:
        assert unit.memories.scopes() == (ELSEWHERE, team, SCOPE)
