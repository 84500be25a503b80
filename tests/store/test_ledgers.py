"""The small ledgers beside the rows: uses, idempotency keys, sketches and relations."""

import pytest

from commonplace.domain.memory import Relation, RelationKind, Usage
from commonplace.domain.record import replace
from commonplace.ports import KeptAnswer, Store, Use
from commonplace.text import terms
from commonplace.text.nearness import sketch
from tests.store.making import ELSEWHERE, EVERYTHING, HERE, NOW, OURS, add, revise

# -- uses -------------------------------------------------------------------------------------


def test_uses_are_counted_with_the_latest_moment_and_surface(store: Store) -> None:
    with store.writing(OURS) as unit:
        added, other = add(unit, "one"), add(unit, "two")
        unit.uses.record([Use(added.number, 10, "cli"), Use(added.number, 30, "mcp")])
        unit.uses.record([Use(added.number, 20, "hook")])
    with store.reading(OURS) as unit:
        found = unit.memories.by_numbers([added.number, other.number])
    assert (found[added.number].usage.count, found[added.number].usage.used_at) == (3, 30)
    assert found[other.number].usage == Usage()


def test_a_lifted_confidence_is_kept_until_the_next_one(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "one", confidence=0.5)
        unit.uses.record([Use(added.number, 10, "cli", 0.8)])
        unit.uses.record([Use(added.number, 20, "cli")])
        found = unit.memories.by_number(added.number)
        features = unit.memories.features(HERE, NOW, [added.number])[added.number]
    assert found is not None
    assert found.base_confidence == 0.8
    assert features.confidence == 0.8


def test_use_is_no_revision_and_a_revision_keeps_the_count(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "one")
        unit.uses.record([Use(added.number, 10, "cli")])
        revise(unit, added, text="two")
        found = unit.memories.by_number(added.number)
        assert found is not None
        assert (found.revision, found.usage.count) == (2, 1)


def test_a_use_of_what_is_not_there_is_ignored(store: Store) -> None:
    with store.writing(OURS) as unit:
        unit.uses.record([Use(99, 10, "cli")])
        unit.uses.record([])
        assert add(unit, "one").usage == Usage()


# -- keys -------------------------------------------------------------------------------------


def test_a_key_is_kept_for_its_user(store: Store) -> None:
    answer = KeptAnswer(b"\x00digest", ("mem_1", "mem_2"))
    with store.writing(OURS) as unit:
        unit.keys.keep("ada", "key", answer, NOW)
    with store.reading(OURS) as unit:
        assert unit.keys.find("ada", "key", 0) == answer
        assert unit.keys.find("bob", "key", 0) is None
        assert unit.keys.find("ada", "other", 0) is None


def test_a_key_kept_too_long_ago_is_not_found(store: Store) -> None:
    answer = KeptAnswer(b"digest", ("mem_1", ""))
    with store.writing(OURS) as unit:
        unit.keys.keep("ada", "key", answer, NOW)
        assert unit.keys.find("ada", "key", NOW) == answer
        assert unit.keys.find("ada", "key", NOW + 1) is None


def test_sweeping_takes_what_is_older_and_nothing_else(store: Store) -> None:
    with store.writing(OURS) as unit:
        for at in (10, 20, 30):
            unit.keys.keep("ada", f"key {at}", KeptAnswer(b"d", ()), at)
        unit.keys.sweep(20)
        assert [at for at in (10, 20, 30) if unit.keys.find("ada", f"key {at}", 0)] == [20, 30]


def test_a_key_kept_again_holds_the_newer_answer(store: Store) -> None:
    with store.writing(OURS) as unit:
        unit.keys.keep("ada", "key", KeptAnswer(b"one", ("mem_1",)), 10)
        unit.keys.keep("ada", "key", KeptAnswer(b"two", ()), 20)
        unit.keys.sweep(15)
        assert unit.keys.find("ada", "key", 0) == KeptAnswer(b"two", ())


# -- sketches ---------------------------------------------------------------------------------


def test_texts_with_many_words_in_common_find_each_other(store: Store) -> None:
    with store.writing(OURS) as unit:
        one = add(unit, "The deploy window opens on Monday at nine")
        two = add(unit, "the deploy window opens on monday, at nine!")
        add(unit, "Lunch is served in the kitchen downstairs")
    with store.reading(OURS) as unit:
        keys = sketch(terms("The deploy window opens on Monday at nine sharp"))
        assert unit.sketches.sharing(keys, HERE, NOW, 10) == ((two.number, two.text), (one.number, one.text))
        assert unit.sketches.sharing(keys, HERE, NOW, 1) == ((two.number, two.text),)
        assert unit.sketches.sharing((), HERE, NOW, 10) == ()
        assert unit.sketches.sharing((1, 2, 3), HERE, NOW, 10) == ()


def test_sharing_is_not_crowded_out_by_what_the_filter_refuses(store: Store) -> None:
    """A sentence said in many projects must still find its repeat, or its tombstone, in this one."""
    text = "The deploy window opens on Monday at nine"
    with store.writing(OURS) as unit:
        ours = add(unit, text)
        for _ in range(100):
            add(unit, text, scope=ELSEWHERE)
    with store.reading(OURS) as unit:
        assert unit.sketches.sharing(sketch(terms(text)), HERE, NOW, 64) == ((ours.number, ours.text),)


# -- relations --------------------------------------------------------------------------------


def edge(number: int, source: str, target: str, kind: RelationKind = RelationKind.SUPERSEDES) -> Relation:
    return Relation(f"rel_{number}", source, target, kind, "because", number)


def test_relations_are_found_from_both_ends_in_order(store: Store) -> None:
    edges = [edge(2, "mem_a", "mem_b"), edge(1, "mem_c", "mem_a", RelationKind.SUPPORTS), edge(3, "mem_b", "mem_c")]
    with store.writing(OURS) as unit:
        for each in edges:
            unit.relations.add(each)
    with store.reading(OURS) as unit:
        assert unit.relations.of("mem_a") == (edges[1], edges[0])
        assert unit.relations.of("mem_b") == (edges[0], edges[2])
        assert unit.relations.of("mem_x") == ()


def test_dropping_takes_every_relation_of_one_memory(store: Store) -> None:
    with store.writing(OURS) as unit:
        for each in (edge(1, "mem_a", "mem_b"), edge(2, "mem_b", "mem_c"), edge(3, "mem_c", "mem_a")):
            unit.relations.add(each)
        unit.relations.drop("mem_a")
        assert [each.id for each in unit.relations.of("mem_c")] == ["rel_2"]
        assert unit.relations.of("mem_a") == ()


def test_a_relation_without_a_reason_comes_back_without_one(store: Store) -> None:
    plain = replace(edge(1, "mem_a", "mem_b"), reason=None)
    with store.writing(OURS) as unit:
        unit.relations.add(plain)
        assert unit.relations.of("mem_a") == (plain,)


# -- upkeep -----------------------------------------------------------------------------------


def test_a_book_in_use_is_found_healthy_and_repair_changes_no_answer(store: Store) -> None:
    with store.writing(OURS) as unit:
        one = add(unit, "Deploys are on Monday", topic="deploy-day", tags=("ops",))
        revise(unit, one, text="Deploys are on Tuesday")
        add(unit, "部署在星期一", scope=ELSEWHERE)
    before = _answers(store)
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []
    assert list(store.upkeep.repair())
    assert _answers(store) == before
    assert [finding for finding in store.upkeep.examine() if not finding.ok] == []


def _answers(store: Store) -> list[object]:
    with store.reading(OURS) as unit:
        return [
            list(unit.memories.each()),
            unit.words.matching(["deploy", "op", "部署"], EVERYTHING, NOW, 10),
            unit.words.frequencies(["deploy", "monday", "tuesday"]),
            unit.memories.count(replace(EVERYTHING, tags=("ops",)), NOW),
            unit.sketches.sharing(sketch(terms("Deploys are on Tuesday")), EVERYTHING, NOW, 10),
        ]


def test_a_reset_book_is_empty_and_gives_out_no_old_number(store: Store) -> None:
    with store.writing(OURS) as unit:
        last = add(unit, "one")
    store.upkeep.reset()
    with store.writing(OURS) as unit:
        assert unit.memories.count(EVERYTHING, NOW) == 0
        assert unit.log.events(last.id) == ()
        assert unit.memories.next_number() > last.number


def test_a_reset_book_remembers_and_finds_as_before(store: Store) -> None:
    texts = ("deploy window", "deploy day", "lunch at noon")
    found = []
    for _ in range(2):
        with store.writing(OURS) as unit:
            for text in texts:
                add(unit, text)
        with store.reading(OURS) as unit:
            found.append([score for _, score in unit.words.matching(["deploy"], EVERYTHING, NOW, 10)])
        store.upkeep.reset()
    assert found[1] == pytest.approx(found[0])


@pytest.mark.parametrize("fact", ["engine", "place", "schema", "latest_schema"])
def test_the_engine_says_what_it_is(store: Store, fact: str) -> None:
    assert store.upkeep.facts()[fact]


def test_one_relation_is_removed_and_the_others_stay(store: Store) -> None:
    with store.writing(OURS) as unit:
        for id in ("rel_1", "rel_2"):
            unit.relations.add(Relation(id, "mem_1", "mem_2", RelationKind.SUPPORTS, None, NOW))
        assert unit.relations.remove("rel_1")
        assert not unit.relations.remove("rel_1")
    with store.writing("somebody-else") as unit:
        assert not unit.relations.remove("rel_2")
    with store.reading(OURS) as unit:
        assert [relation.id for relation in unit.relations.of("mem_2")] == ["rel_2"]
