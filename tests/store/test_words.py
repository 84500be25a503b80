"""The word index: every term is found, best BM25 first, and a term means nothing but itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain import rank
from commonplace.domain.memory import index_terms
from commonplace.ports import Store
from commonplace.text import query_terms, terms
from tests.store.conftest import NewTenant
from tests.store.making import EVERYTHING, HERE, NOW, OURS, SCOPE, add, memory, numbers, scores
from tests.strategies import WORDS, texts

MAY_2026 = 1_777_593_600_000  # 2026-05-01


@given(texts | st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join))
def test_every_term_of_a_text_finds_it(shared_store: Store, new_tenant: NewTenant, text: str) -> None:
    store, tenant = shared_store, new_tenant()
    with store.writing(tenant) as unit:
        added = add(unit, text)
    with store.reading(tenant) as unit:
        for term in set(terms(text)):
            assert numbers(unit.words.matching([term], HERE, NOW, 5)) == [added.number], term
            assert unit.words.counts([term], [added.number])[added.number].of_terms[0] >= 1, term


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("deploying on monday", "We deploy every Monday"),
        ("Straßenname", "Der Straßenname ist falsch"),
        ("où est l'église", "L'église est fermée"),
        ("contraseña niño", "El niño perdió la contraseña"),
        ("数据库备份", "我们每天备份数据库"),
        ("会議の予定", "次の会議は東京です"),
        ("서울 회의", "회의는 서울에서 한다"),
        ("getUserName", "the function getUserName fails"),
        ("v1.2.3", "pinned to v1.2.3"),
    ],
)
def test_words_of_many_languages_are_found(store: Store, asked: str, written: str) -> None:
    with store.writing(OURS) as unit:
        add(unit, "completely unrelated")
        added = add(unit, written)
    with store.reading(OURS) as unit:
        assert numbers(unit.words.matching(query_terms(asked), HERE, NOW, 5)) == [added.number]


def test_labels_and_the_day_it_speaks_of_are_words_too(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "It moved", topic="release-train", category="Süd", tags=("ops",), valid_from=MAY_2026)
    with store.reading(OURS) as unit:
        for term in ("train", "sud", "op", "may", "2026"):
            assert numbers(unit.words.matching([term], HERE, NOW, 5)) == [added.number], term


def test_the_better_match_comes_first(store: Store) -> None:
    with store.writing(OURS) as unit:
        weak = add(unit, "deploy " + "padding words around it " * 5)
        strong = add(unit, "deploy window")
        add(unit, "nothing of the sort")
    with store.reading(OURS) as unit:
        found = unit.words.matching(["deploy", "window"], HERE, NOW, 5)
    assert numbers(found) == [strong.number, weak.number]
    assert scores(found)[0] > scores(found)[1] > 0


def test_only_as_many_as_asked_for_come_back_and_they_are_the_best(store: Store) -> None:
    with store.writing(OURS) as unit:
        for place in range(20):
            add(unit, "deploy " + "pad " * (20 - place))
    with store.reading(OURS) as unit:
        everything = unit.words.matching(["deploy"], HERE, NOW, 100)
        assert unit.words.matching(["deploy"], HERE, NOW, 3) == everything[:3]
    assert scores(everything) == sorted(scores(everything), reverse=True)
    assert len(everything) == 20


@given(
    st.lists(st.lists(st.sampled_from(("ant", "bee", "cat", "dog")), min_size=1, max_size=6), min_size=1, max_size=8)
)
def test_the_order_is_that_of_bm25(shared_store: Store, new_tenant: NewTenant, documents: list[list[str]]) -> None:
    store, tenant = shared_store, new_tenant()
    with store.writing(tenant) as unit:
        added = [add(unit, " ".join(words)) for words in documents]
    with store.reading(tenant) as unit:
        found = unit.words.matching(["ant", "bee"], HERE, NOW, 100)
        counts = unit.words.counts(["ant", "bee"], numbers(added))
    assert {each.number for each in added if {"ant", "bee"} & set(each.text.split())} == set(numbers(found))
    assert scores(found) == sorted(scores(found), reverse=True)
    for each, words in zip(added, documents, strict=True):
        assert counts[each.number].of_terms == (words.count("ant"), words.count("bee"))
        assert counts[each.number].length == len(words)


def test_what_ends_as_a_question_is_known_to_ask(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = [add(unit, text) for text in ("who has the ant?", "the bee has it", "what? nobody", "?")]
    with store.reading(OURS) as unit:
        counts = unit.words.counts(["ant"], numbers(added))
    assert [counts[each.number].asks for each in added] == [True, False, False, True]


def test_a_word_most_memories_share_still_counts(store: Store) -> None:
    """A book of five memories would otherwise have nothing to learn from how rare a word is."""
    with store.writing(OURS) as unit:
        for text in ("the deploy window", "deploy day", "deploy rules", "deploy team", "lunch"):
            add(unit, text)
    with store.reading(OURS) as unit:
        assert min(scores(unit.words.matching(["deploy"], HERE, NOW, 5))) > 0.5


@pytest.mark.parametrize(
    "term",
    [
        '"',
        "'",
        "*",
        "NEAR",
        "AND",
        "OR",
        "NOT",
        "lun*",
        "terms:lunch",
        "^lunc",
        "(",
        ")",
        "-",
        "{a b}:c",
        "",
        "\x00",
        'x" OR "lunch',
        "x OR lunch",
        "NEAR(lunch noon)",
        "- lunch deploy",
        "+ lunch noon x",
    ],
)
def test_a_term_smuggles_no_meaning_in(store: Store, term: str) -> None:
    with store.writing(OURS) as unit:
        add(unit, "lunch at noon")
        wanted = add(unit, "deploy window")
    with store.reading(OURS) as unit:
        assert unit.words.matching([term], HERE, NOW, 5) == ()
        assert numbers(unit.words.matching([term, "deploy"], HERE, NOW, 5)) == [wanted.number]


def test_no_terms_find_nothing(store: Store) -> None:
    with store.writing(OURS) as unit:
        add(unit, "deploy window")
    with store.reading(OURS) as unit:
        assert unit.words.matching([], EVERYTHING, NOW, 5) == ()
        assert unit.words.frequencies([])[0] == []


def test_frequencies_count_memories_not_occurrences(store: Store) -> None:
    with store.writing(OURS) as unit:
        add(unit, "deploy deploy deploy")
        add(unit, "deploy day")
    with store.reading(OURS) as unit:
        counted, total = unit.words.frequencies(["deploy", "day", "night"])
    assert counted == [2, 1, 0]
    assert total >= 2


def test_counts_of_memories_that_are_not_there_are_left_out(store: Store) -> None:
    with store.writing(OURS) as unit:
        added = add(unit, "deploy the deploy", tags=("deploy",))
    with store.reading(OURS) as unit:
        counts = unit.words.counts(["deploy", "night"], [added.number, 99])
    assert counts.keys() == {added.number}
    assert counts[added.number].of_terms == (3, 0)


def test_scores_are_those_that_ranking_expects(store: Store) -> None:
    """`rank.rarities` are the weights behind the store's own scores."""
    with store.writing(OURS) as unit:
        for text in ("deploy window opens today", "lunch at noon"):
            add(unit, text)
    with store.reading(OURS) as unit:
        [score] = scores(unit.words.matching(["window"], HERE, NOW, 5))
        [rarity] = rank.rarities(*unit.words.frequencies(["window"]))
    assert rarity < score < rarity * (rank.BM25_K1 + 1)


def test_index_terms_are_text_then_labels_then_day() -> None:
    made = memory("It moved", scope=SCOPE, topic="release-train", tags=("ops",), valid_from=MAY_2026)
    assert index_terms(made, terms(made.text)).split() == [
        *terms("It moved"),
        *terms("release-train ops"),
        "1",
        "may",
        "2026",
    ]
