"""Vectors of entries: found by cosine within what is wanted, counted as they come and go, gone with their words."""

import pytest

from commonplace.domain.entries import SEARCHED, Entry, EntryFilter
from commonplace.domain.record import replace
from commonplace.ports import Space, Store, Unit
from commonplace.text import query_terms, terms
from tests.store.conftest import OpenStore
from tests.store.making import NOW, OTHER_SPACE, OURS, SPACE, THEIRS
from tests.store.test_vectors import EAST, NORTH, NORTH_EAST

HERE, ELSEWHERE = "user:local", "project:atlas"
BLANK = b"\x00" * 8
DECISIONS = EntryFilter("decision")


def entry(id: str, text: str = "the harbour", shelf: str = "decision", **fields: object) -> Entry:
    return replace(Entry(shelf, id, HERE, NOW, text=text, state="active"), **fields)


def put(store: Store, *entries: tuple[Entry, bytes | None], tenant: str = OURS, space: Space = SPACE) -> None:
    with store.writing(tenant) as unit:
        for each, vector in entries:
            unit.entries.put(each)
            if vector is not None:
                unit.entry_vectors.put(each, space, vector)


def near(unit: Unit, wanted: EntryFilter = DECISIONS, limit: int = 10, space: Space = SPACE) -> list[str]:
    return [found.id for found, _ in unit.entry_vectors.nearest(EAST, space, wanted, limit)]


def test_the_closest_come_first_with_their_cosine(store: Store) -> None:
    put(store, (entry("n"), NORTH), (entry("e"), EAST), (entry("b"), NORTH_EAST), (entry("none"), None))
    with store.reading(OURS) as unit:
        found = unit.entry_vectors.nearest(EAST, SPACE, DECISIONS, 10)
        assert [each.id for each, _ in found] == ["e", "b", "n"]
        assert [score for _, score in found] == pytest.approx([1.0, 0.7071, 0.0], abs=1e-3)
        assert found[0][0] == entry("e")
        assert near(unit, limit=1) == ["e"]
        alike = unit.entry_vectors.similarity(EAST, SPACE, [entry("b"), entry("none"), entry("unknown")])
        assert alike == pytest.approx({("decision", "b"): 0.7071}, abs=1e-3)
        assert unit.entry_vectors.similarity(EAST, SPACE, []) == {}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (DECISIONS, ["a", "b", "c"]),
        (EntryFilter("chunks"), ["d"]),
        (EntryFilter("turn"), []),
        (EntryFilter("decision", scopes=(ELSEWHERE,)), ["b"]),
        (EntryFilter("decision", scopes=("team:x",)), []),
        (EntryFilter("decision", states=("active",)), ["a", "b"]),
        (EntryFilter("decision", since=NOW + 1), ["b"]),
        (EntryFilter("chunks", parent="doc_1"), ["d"]),
        (EntryFilter("chunks", parent="doc_2"), []),
    ],
)
def test_only_what_is_wanted_is_found(store: Store, wanted: EntryFilter, expected: list[str]) -> None:
    put(
        store,
        (entry("a"), EAST),
        (entry("b", scope=ELSEWHERE, at=NOW + 5), EAST),
        (entry("c", state="superseded"), EAST),
        (entry("d", shelf="chunks", parent="doc_1"), EAST),
    )
    with store.reading(OURS) as unit:
        assert sorted(near(unit, wanted)) == expected


def test_many_that_are_not_wanted_do_not_hide_one_that_is(store: Store) -> None:
    gone = [(entry(f"old-{n}", state="superseded"), EAST) for n in range(30)]
    put(store, *gone, (entry("stands"), NORTH_EAST))
    with store.reading(OURS) as unit:
        assert near(unit, EntryFilter("decision", states=("active",)), limit=1) == ["stands"]


def test_two_spaces_never_meet(store: Store) -> None:
    put(store, (entry("a"), EAST))
    put(store, (entry("b"), EAST), space=OTHER_SPACE)
    with store.reading(OURS) as unit:
        assert near(unit) == ["a"]
        assert near(unit, space=OTHER_SPACE) == ["b"]
        assert unit.entry_vectors.counts() == {str(SPACE): 1, str(OTHER_SPACE): 1}
        assert [each.id for each in unit.entry_vectors.missing(SPACE, 10)] == ["b"]
    with store.writing(OURS) as unit:
        assert unit.entry_vectors.drop_space(str(SPACE)) == 1
    with store.reading(OURS) as unit:
        assert near(unit) == []
        assert near(unit, space=OTHER_SPACE) == ["b"]
        assert unit.entry_vectors.counts() == {str(OTHER_SPACE): 1}


def test_a_vector_goes_with_the_words_it_was_made_of(store: Store) -> None:
    put(store, (entry("a"), EAST), (entry("b"), EAST), (entry("c"), EAST), (entry("d"), EAST))
    with store.reading(OURS) as unit:
        assert len(near(unit)) == 4
    with store.writing(OURS) as unit:
        unit.entries.put(entry("a", "the lighthouse"))
        unit.entries.put(entry("b", scope=ELSEWHERE))
        unit.entries.put(entry("c", state="superseded"))
        unit.entries.remove("decision", "d")
    with store.reading(OURS) as unit:
        assert near(unit) == ["c"]
        assert unit.entry_vectors.held(SPACE) == {"decision": (3, 1)}
        assert sorted(each.id for each in unit.entry_vectors.missing(SPACE, 10)) == ["a", "b"]


def test_what_says_something_else_by_now_is_given_no_vector(store: Store) -> None:
    put(store, (entry("a", "the new words"), None))
    with store.writing(OURS) as unit:
        unit.entry_vectors.put(entry("a", "the old words"), SPACE, EAST)
        unit.entry_vectors.put(entry("unknown"), SPACE, EAST)
    with store.reading(OURS) as unit:
        assert near(unit) == []
        assert unit.entry_vectors.held(SPACE) == {"decision": (1, 0)}


def test_what_the_model_cannot_read_has_its_vector_and_is_found_by_none(store: Store) -> None:
    put(store, (entry("a"), BLANK), (entry("b"), EAST))
    with store.reading(OURS) as unit:
        assert near(unit) == ["b"]
        assert unit.entry_vectors.nearest(BLANK, SPACE, DECISIONS, 10) == ()
        assert unit.entry_vectors.missing(SPACE, 10) == ()
        assert unit.entry_vectors.held(SPACE) == {"decision": (2, 2)}


def test_what_is_held_is_counted_as_it_comes_and_goes(store: Store) -> None:
    put(store, (entry("a"), EAST), (entry("t", shelf="turn", parent="ses_1", scope=ELSEWHERE), None))
    put(store, (entry("n", shelf="notes"), None), (entry("empty", text=""), None))
    with store.reading(OURS) as unit:
        assert unit.memories.has("entry")
        assert unit.entry_vectors.held(SPACE) == {"decision": (1, 1), "turn": (1, 0)}
        assert unit.entry_vectors.held(None) == {"decision": (1, 0), "turn": (1, 0)}
        assert unit.entry_vectors.held(SPACE, (HERE,)) == {"decision": (1, 1)}
        assert unit.entry_vectors.held(SPACE, ("team:x",)) == {}
    with store.writing(OURS) as unit:
        unit.entry_vectors.put(entry("t", shelf="turn"), SPACE, EAST)
        unit.entry_vectors.put(entry("t", shelf="turn"), SPACE, NORTH)
        unit.entries.put(entry("a", text=""))
        unit.entries.put(entry("empty", text="now it says something"))
    with store.reading(OURS) as unit:
        assert unit.entry_vectors.held(SPACE) == {"decision": (1, 0), "turn": (1, 1)}
    with store.writing(OURS) as unit:
        assert unit.entries.remove_children("ses_1") == 1
        unit.entries.remove("decision", "empty")
    with store.reading(OURS) as unit:
        assert unit.entry_vectors.held(SPACE) == {}
        assert unit.entry_vectors.counts() == {}
        assert not unit.memories.has("entry")


def test_every_searched_shelf_is_counted_and_no_other(store: Store) -> None:
    put(store, *((entry("x", shelf=shelf), None) for shelf in (*SEARCHED, "notes", "operation")))
    with store.reading(OURS) as unit:
        assert unit.entry_vectors.held(None).keys() == set(SEARCHED)


def test_one_process_sees_the_vectors_another_wrote_and_removed(open_store: OpenStore, book_name: str) -> None:
    one, other = open_store(book_name), open_store(book_name)
    put(one, (entry("a"), EAST), (entry("b"), NORTH))
    with other.reading(OURS) as unit:
        assert near(unit) == ["a", "b"]
    with one.writing(OURS) as unit:
        unit.entries.remove("decision", "b")
    put(one, (entry("c"), NORTH_EAST), tenant=THEIRS)  # its row may be the one that has just become free
    with other.reading(OURS) as unit:
        assert near(unit) == ["a"]


def test_what_was_rolled_back_is_not_found(store: Store) -> None:
    put(store, (entry("a"), EAST))

    def fail() -> None:
        with store.writing(OURS) as unit:
            unit.entries.remove("decision", "a")
            unit.entries.put(entry("b"))
            unit.entry_vectors.put(entry("b"), SPACE, EAST)
            assert near(unit) == ["b"]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.reading(OURS) as unit:
        assert near(unit) == ["a"]
        assert unit.entry_vectors.held(SPACE) == {"decision": (1, 1)}


def test_passages_come_with_how_often_they_use_each_term(store: Store) -> None:
    put(
        store,
        (entry("a", "harbour harbour lights"), None),
        (entry("b", "the harbour of Lisbon", shelf="chunks", parent="doc_1"), None),
        (entry("c", "the harbour of Oslo", state="superseded"), None),
        (entry("d", "nothing of it"), None),
    )
    asked = query_terms("harbour lisbon")
    wanted = [EntryFilter("decision", states=("active",)), EntryFilter("chunks")]
    with store.reading(OURS) as unit:
        found = {each.id: counts for each, counts in unit.entries.passages(wanted, asked, 10)}
        assert {id: counts.of_terms for id, counts in found.items()} == {"a": (2, 0), "b": (1, 1)}
        assert found["a"].length == len(terms("harbour harbour lights"))
        assert len(unit.entries.passages(wanted, asked, 1)) == 1
        assert unit.entries.passages([], asked, 10) == unit.entries.passages(wanted, [], 10) == ()
        again = unit.entries.term_counts([entry("a"), entry("d"), entry("unknown")], asked)
        assert {key: counts.of_terms for key, counts in again.items()} == {
            ("decision", "a"): (2, 0),
            ("decision", "d"): (0, 0),
        }
        frequencies, total = unit.entries.frequencies(["harbour", "lisbon", "nowhere"])
        assert frequencies[0] >= 3
        assert frequencies[1:] == [1, 0]
        assert total >= 4


def test_doctor_finds_what_is_wrong_and_repair_sets_it_right(open_store: OpenStore, book_name: str) -> None:
    store = open_store(book_name)
    put(store, (entry("a"), EAST), (entry("b"), NORTH))
    findings = {finding.check: finding for finding in store.upkeep.examine()}
    assert findings["entry vectors"].ok, findings["entry vectors"].detail
    list(store.upkeep.repair())
    with store.reading(OURS) as unit:
        assert near(unit) == ["a", "b"]
        assert unit.entry_vectors.held(SPACE) == {"decision": (2, 2)}
    store.upkeep.reset()
    with store.reading(OURS) as unit:
        assert near(unit) == []
        assert unit.entry_vectors.held(SPACE) == {}
