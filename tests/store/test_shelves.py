"""Entries beside memories: put, page, match and remove, and sequences that never repeat a number."""

from types import MappingProxyType

import pytest

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import replace
from commonplace.errors import InvalidInput
from commonplace.ports import Store
from commonplace.text import query_terms, terms

TENANT = "local"
OTHER = "another"


def entry(id: str, at: int = 1_000, **fields: object) -> Entry:
    given: dict[str, object] = {"shelf": "notes", "scope": "user:local", **fields}
    return Entry(id=id, at=at, **given)  # type: ignore[arg-type]


def put(store: Store, *entries: Entry, tenant: str = TENANT) -> None:
    with store.writing(tenant) as unit:
        for each in entries:
            unit.entries.put(each)


def ids(store: Store, wanted: EntryFilter, tenant: str = TENANT, limit: int = 100, **how: object) -> list[str]:
    with store.reading(tenant) as unit:
        return [each.id for each in unit.entries.page(wanted, limit, **how)]  # type: ignore[arg-type]


def found(store: Store, words: str, wanted: EntryFilter = EntryFilter("notes"), tenant: str = TENANT) -> set[str]:
    with store.reading(tenant) as unit:
        return {each.id for each in unit.entries.matching(wanted, query_terms(words), 100)}


def test_an_entry_comes_back_as_it_was_put(store: Store) -> None:
    body = {"list": [1, 2.5, None, True], "text": 'Zoë\n"quoted"'}
    whole = entry("a", 5, body=body, text="東京 café", parent="mem_1", state="open")
    put(store, whole)
    with store.reading(TENANT) as unit:
        assert unit.entries.get("notes", "a") == whole
        assert unit.entries.get("notes", "b") is None
        assert unit.entries.get("others", "a") is None


def test_putting_again_replaces_and_is_found_by_the_new_words_only(store: Store) -> None:
    put(store, entry("a", text="the old harbour"))
    put(store, entry("a", 7, text="the new lighthouse", state="done"))
    assert ids(store, EntryFilter("notes")) == ["a"]
    assert found(store, "harbour") == set()
    assert found(store, "lighthouse") == {"a"}


def test_a_page_is_by_time_and_then_by_id(store: Store) -> None:
    put(store, entry("b", 2), entry("a", 2), entry("c", 1), entry("d", 3))
    assert ids(store, EntryFilter("notes")) == ["d", "b", "a", "c"]
    assert ids(store, EntryFilter("notes"), newest_first=False) == ["c", "a", "b", "d"]
    assert ids(store, EntryFilter("notes"), limit=2, offset=1) == ["b", "a"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (EntryFilter("notes"), {"a", "b", "c"}),
        (EntryFilter("others"), {"o"}),
        (EntryFilter("nothing"), set()),
        (EntryFilter("notes", scopes=("team:x",)), {"b"}),
        (EntryFilter("notes", scopes=("team:x", "user:local")), {"a", "b", "c"}),
        (EntryFilter("notes", parent="mem_1"), {"a"}),
        (EntryFilter("notes", states=("open", "odd")), {"a", "b"}),
        (EntryFilter("notes", since=2), {"b", "c"}),
        (EntryFilter("notes", until=2), {"a"}),
        (EntryFilter("notes", since=2, until=3, states=("open",)), {"b"}),
    ],
)
def test_a_page_holds_what_is_wanted(store: Store, wanted: EntryFilter, expected: set[str]) -> None:
    put(
        store,
        entry("a", 1, parent="mem_1", state="open", text="harbour"),
        entry("b", 2, scope="team:x", state="open", text="harbour"),
        entry("c", 3, state="done", text="harbour"),
        entry("o", 1, shelf="others", text="harbour"),
    )
    assert set(ids(store, wanted)) == expected
    assert found(store, "harbour", wanted) == expected
    with store.reading(TENANT) as unit:
        assert unit.entries.count(wanted) == len(expected)


def test_words_are_matched_as_terms_and_mean_nothing_else(store: Store) -> None:
    put(store, entry("a", text="Deploys are on Monday"), entry("b", text='a "quoted" OR NOT thing*'))
    assert found(store, "deploying mondays") == {"a"}
    assert found(store, 'NOT "thing') == {"b"}
    with store.reading(TENANT) as unit:
        assert unit.entries.matching(EntryFilter("notes"), [], 10) == ()
        assert len(unit.entries.matching(EntryFilter("notes"), terms("monday thing"), 1)) == 1


def test_removing_takes_the_words_along(store: Store) -> None:
    put(store, entry("a", text="harbour", parent="mem_1"), entry("b", text="harbour", parent="mem_1", shelf="others"))
    put(store, entry("c", text="harbour"))
    with store.writing(TENANT) as unit:
        assert unit.entries.remove("notes", "c") is True
        assert unit.entries.remove("notes", "c") is False
        assert unit.entries.remove_children("mem_1") == 2
        assert unit.entries.remove_children("mem_1") == 0
    assert found(store, "harbour") == set()
    assert ids(store, EntryFilter("others")) == []


def test_a_sequence_gives_each_number_once_whatever_is_removed(store: Store) -> None:
    with store.writing(TENANT) as unit:
        assert [unit.entries.next_in("decisions") for _ in range(3)] == [1, 2, 3]
        assert unit.entries.next_in("others") == 1
    with store.writing(TENANT) as unit:
        assert unit.entries.next_in("decisions") == 4
    with store.writing(OTHER) as unit:
        assert unit.entries.next_in("decisions") == 1


def test_a_failed_unit_leaves_no_entry_and_no_number(store: Store) -> None:
    def fail() -> None:
        with store.writing(TENANT) as unit:
            unit.entries.put(entry("a", text="harbour"))
            unit.entries.next_in("decisions")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert ids(store, EntryFilter("notes")) == []
    with store.writing(TENANT) as unit:
        assert unit.entries.next_in("decisions") == 1


def test_a_foreign_entry_does_not_exist(store: Store) -> None:
    put(store, entry("a", text="harbour", parent="mem_1"), tenant=OTHER)
    with store.writing(TENANT) as unit:
        assert unit.entries.get("notes", "a") is None
        assert unit.entries.count(EntryFilter("notes")) == 0
        assert unit.entries.remove("notes", "a") is False
        assert unit.entries.remove_children("mem_1") == 0
    assert found(store, "harbour") == set()
    put(store, entry("a", text="lighthouse"))
    assert found(store, "harbour", tenant=OTHER) == {"a"}


def test_an_entry_is_checked_when_it_is_made() -> None:
    with pytest.raises(InvalidInput):
        entry("not an id")
    with pytest.raises(InvalidInput):
        entry("a", -1)
    with pytest.raises(InvalidInput):
        entry("a", text="x" * 1_000_001)
    assert replace(entry("a"), state="x").body == MappingProxyType({})
