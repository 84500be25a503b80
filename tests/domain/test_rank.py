"""Ranking: numbers in, numbers out."""

import math
from dataclasses import dataclass, replace

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.domain import rank
from commonplace.domain.memory import Origin
from commonplace.domain.rank import Decay, Features, Ranks

NATIVE = rank.PROFILES["native"]
NOW = 1_767_225_600_000
PLAIN = Features(1, None, NOW, NOW, 1.0, 0.5, False, Origin.AGENT.distrust, 0, text_key=0)

words = st.sampled_from(("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"))
documents = st.lists(st.lists(words, min_size=1, max_size=12), min_size=1, max_size=20)
queries = st.lists(words, min_size=1, max_size=4, unique=True)


# -- BM25 -------------------------------------------------------------------------------------


def by_fts5(texts: list[list[str]], terms: list[str]) -> dict[int, float]:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
    connection.executemany(
        "INSERT INTO t (rowid, body) VALUES (?, ?)", [(n, " ".join(text)) for n, text in enumerate(texts)]
    )
    rows = connection.execute("SELECT rowid, -bm25(t) FROM t WHERE t MATCH ?", (" OR ".join(terms),))
    return dict(rows)


@given(documents, queries)
def test_bm25_agrees_with_fts5(texts: list[list[str]], terms: list[str]) -> None:
    ours = rank.bm25(dict(enumerate(texts)), terms)
    theirs = by_fts5(texts, terms)
    assert ours.keys() == theirs.keys()
    assert all(ours[number] == pytest.approx(theirs[number], rel=1e-9) for number in ours)


def test_bm25_of_nothing_is_nothing() -> None:
    assert rank.bm25({}, ["ant"]) == {}
    assert rank.bm25({1: ["ant"]}, []) == {}
    assert rank.bm25({1: ["ant"]}, ["bee"]) == {}


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_rarer_word_says_more(one: int, other: int) -> None:
    rarer, commoner = sorted((one, other))
    assert rank.inverse_frequency(rarer, 1_000) >= rank.inverse_frequency(commoner, 1_000) > 0


# -- in a conversation ------------------------------------------------------------------------


class Counts:
    def __init__(self, *of_terms: int, length: int = 10, asks: bool = False) -> None:
        self.of_terms = of_terms
        self.length = length
        self.asks = asks


def test_alone_a_memory_has_its_own_bm25() -> None:
    documents = {1: ["ant", "bee", "ant"], 2: ["bee"], 3: ["cat", "dog"]}
    rarities = [rank.inverse_frequency(1, 3), rank.inverse_frequency(2, 3)]
    own = rank.in_context(Counts(2, 1, length=3), None, None, rarities, usual=2.0)
    assert own == pytest.approx(rank.bm25(documents, ["ant", "bee"])[1])


def test_a_neighbour_lends_its_words_and_the_one_before_lends_more() -> None:
    silent, speaking = Counts(0), Counts(1)
    alone = rank.in_context(silent, silent, silent, [1.0], usual=10)
    after = rank.in_context(silent, silent, speaking, [1.0], usual=10)
    before = rank.in_context(silent, speaking, silent, [1.0], usual=10)
    own = rank.in_context(speaking, silent, silent, [1.0], usual=10)
    assert alone == 0 < after < before < own


def test_a_question_lends_its_answer_more() -> None:
    silent = Counts(0)
    told = rank.in_context(silent, Counts(1), None, [1.0], usual=10)
    asked = rank.in_context(silent, Counts(1, asks=True), None, [1.0], usual=10)
    after = rank.in_context(silent, None, Counts(1, asks=True), [1.0], usual=10)
    assert after < told < asked


@given(st.integers(0, 4), st.integers(0, 4))
def test_pages_neither_lend_nor_borrow(own: int, other: int) -> None:
    alone = rank.in_context(Counts(own), None, None, [1.0], usual=10)
    beside_a_page = rank.in_context(Counts(own), Counts(other, length=5_000), None, [1.0], usual=10)
    page = rank.in_context(Counts(own, length=5_000), Counts(other), None, [1.0], usual=10)
    page_alone = rank.in_context(Counts(own, length=5_000), None, None, [1.0], usual=10)
    assert beside_a_page == pytest.approx(alone)
    assert page == pytest.approx(page_alone)


@given(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_more_of_a_word_never_counts_less(one: int, other: int, own: int) -> None:
    fewer, more = sorted((one, other))
    assert rank.in_context(Counts(own), Counts(fewer), None, [1.0], 10) <= rank.in_context(
        Counts(own), Counts(more), None, [1.0], 10
    )


# -- relevance --------------------------------------------------------------------------------


@given(st.floats(-700, 700))
def test_sigmoid_is_a_share_and_symmetric(logit: float) -> None:
    assert 0.0 <= rank.sigmoid(logit) <= 1.0
    assert rank.sigmoid(logit) + rank.sigmoid(-logit) == pytest.approx(1.0)


@pytest.mark.parametrize("logit", [-1e6, 1e6])
def test_sigmoid_does_not_overflow(logit: float) -> None:
    assert rank.sigmoid(logit) == (1.0 if logit > 0 else 0.0)


@given(st.floats(0.001, 0.999))
def test_logit_undoes_sigmoid(share: float) -> None:
    assert rank.sigmoid(rank.logit(share)) == pytest.approx(share)


def test_nothing_and_everything_have_a_logit_too() -> None:
    assert (rank.logit(0.0), rank.logit(1.0)) == (-math.inf, math.inf)


def test_half_is_where_irrelevant_turns_into_relevant() -> None:
    scale = rank.Scale(0.4, 0.1)
    assert rank.sigmoid(scale.logit(0.4)) == 0.5
    assert rank.sigmoid(scale.logit(0.5)) == pytest.approx(1 / (1 + math.exp(-1)))


shares = st.floats(0, 1)


@given(shares, shares, shares)
def test_more_words_and_closer_meaning_never_count_less(low: float, high: float, cosine: float) -> None:
    low, high = sorted((low, high))
    scale = rank.Scale(0.4, 0.1)
    assert rank.fused(low, cosine, scale, NATIVE) <= rank.fused(high, cosine, scale, NATIVE)
    assert rank.fused(cosine, low, scale, NATIVE) <= rank.fused(cosine, high, scale, NATIVE)
    assert rank.fused(low, None, scale, NATIVE) <= rank.fused(high, None, scale, NATIVE)


def test_without_a_vector_or_a_scale_words_decide_alone() -> None:
    alone = NATIVE.words_alone.logit(0.7)
    assert rank.fused(0.7, None, rank.Scale(0.4, 0.1), NATIVE) == alone
    assert rank.fused(0.7, 0.9, None, NATIVE) == alone


# -- lifecycle --------------------------------------------------------------------------------


def weight(**changes: object) -> float:
    return sum(rank.adjustments(PLAIN._replace(**changes), NOW, NATIVE, Decay()))


def test_an_ordinary_fresh_memory_is_weighed_as_it_is() -> None:
    assert set(rank.adjustments(PLAIN, NOW, NATIVE, Decay())) == {0.0}


@given(shares, shares)
def test_confidence_and_importance_never_count_against_a_memory(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert weight(confidence=low) <= weight(confidence=high)
    assert weight(importance=low) <= weight(importance=high)


@given(st.integers(0, 10**11), st.integers(0, 10**11))
def test_the_older_never_counts_more(one: int, other: int) -> None:
    young, old = sorted((one, other))
    assert weight(fresh_at=NOW - old) <= weight(fresh_at=NOW - young) <= 0


def test_after_one_half_life_half_of_the_penalty_for_age_is_due() -> None:
    half_life = int(NATIVE.age_half_life_days * rank.DAY)
    assert weight(fresh_at=NOW - half_life) == pytest.approx(-NATIVE.age_penalty / 2)


def test_what_lies_in_the_future_is_just_fresh() -> None:
    assert weight(fresh_at=NOW + rank.DAY) == 0


def test_trust_and_a_pin_have_their_say() -> None:
    assert weight(pinned=True) > 0
    by_trust = [weight(distrust=origin.distrust) for origin in Origin]
    assert by_trust == sorted(by_trust, reverse=True)
    assert by_trust[-1] < by_trust[0]


def test_every_adjustment_has_its_name() -> None:
    by_name = {
        "confidence": {"confidence": 0.5},
        "importance": {"importance": 0.9},
        "pinned": {"pinned": True},
        "age": {"fresh_at": 0},
        "origin": {"distrust": 5},
    }
    for place, name in enumerate(rank.ADJUSTMENTS):
        parts = rank.adjustments(PLAIN._replace(**by_name[name]), NOW, NATIVE, Decay())
        assert [each for each, part in enumerate(parts) if part] == [place], name


# -- decay and places in lists ----------------------------------------------------------------


def test_confidence_fades_as_the_published_formula_says() -> None:
    assert round(Decay().faded(0.9, NOW - 7 * rank.DAY, NOW), 4) == 0.7813


def test_confidence_never_falls_below_the_floor_nor_rises_by_fading() -> None:
    assert Decay().faded(0.9, NOW - 10_000 * rank.DAY, NOW) == 0.1
    assert Decay().faded(0.05, NOW - 10_000 * rank.DAY, NOW) == 0.05
    assert Decay().faded(0.9, NOW + rank.DAY, NOW) == 0.9


def test_use_lifts_what_is_left_and_never_above_one() -> None:
    assert round(Decay().lifted(0.9, NOW - 7 * rank.DAY, NOW), 4) == 0.8313
    assert Decay().lifted(0.99, NOW, NOW) == 1.0


def test_only_a_profile_that_decays_lets_age_count_against_confidence() -> None:
    old = PLAIN._replace(created_at=NOW - 100 * rank.DAY)
    assert rank.kept(old, NOW, rank.PLAIN, Decay()) == 1.0
    unused = rank.kept(old, NOW, rank.FADING, Decay())
    used = rank.kept(old._replace(used_at=NOW - rank.DAY), NOW, rank.FADING, Decay())
    assert 0.7 < unused < used < 1.0
    assert rank.adjustments(old, NOW, rank.FADING, Decay())[0] == 0.0, "it counts once"


def test_first_in_every_list_has_all_the_points() -> None:
    assert Ranks().points(1, 1, 1) == pytest.approx(1.0)
    assert Ranks().points(None, None, None) == 0.0


def test_points_are_those_of_reciprocal_rank_fusion() -> None:
    most = (1 + 1 + 2) / 61
    assert Ranks().points(3, None, None) == pytest.approx((1 / 63) / most)
    assert Ranks().points(2, 5, 1) == pytest.approx((1 / 62 + 1 / 65 + 2 / 61) / most)


@given(st.floats(-700, 700), st.floats(0.01, 1.0))
def test_a_weight_multiplies_the_relevance(logit: float, weight: float) -> None:
    assert rank.sigmoid(rank.weighted(logit, weight)) == pytest.approx(weight * rank.sigmoid(logit), rel=1e-9)


def test_a_team_is_believed_as_far_as_it_agrees() -> None:
    assert NATIVE.doubt_weights == (1.0, 0.8, 0.5)
    assert set(rank.PROFILES["plain"].doubt_weights) == {1.0}


# -- answers ----------------------------------------------------------------------------------


class Seen:
    def __init__(self, **signs: float) -> None:
        self.told_by = bool(signs.get("told_by", False))
        self.unfit = signs.get("unfit", 0.0)
        self.asking = signs.get("asking", 0.0)
        self.dated = signs.get("dated", 0.0)
        self.words = int(signs.get("words", 20))


def judged(missing: int = 0, unheard: int = 0, in_talk: bool = False, **signs: float) -> float:
    return sum(rank.judgements(Seen(**signs), missing, unheard, in_talk, rank.NATIVE))


def test_an_ordinary_text_is_judged_as_it_is() -> None:
    assert judged() == 0.0
    assert len(rank.judgements(Seen(), 0, 0, False, rank.NATIVE)) == len(rank.JUDGEMENTS)


def test_each_sign_has_its_say() -> None:
    assert judged(told_by=1) > 0 < judged(dated=1.0)
    assert judged(unheard=1) < judged(missing=1) < 0
    assert max(judged(unfit=1.0), judged(asking=1.0), judged(words=1_000)) < 0


def test_no_more_than_two_missing_names_count() -> None:
    assert judged(missing=9) == judged(missing=2) < judged(missing=1)


def test_an_occasion_with_less_to_say_falls_back_and_never_far() -> None:
    taken = rank.behind({"talk": [2.0, 1.9, -3.0], "chat": [2.0], "aside": [-9.0]}, rank.NATIVE)
    assert taken["talk"] == 0.0 > taken["chat"] > taken["aside"]
    assert taken["aside"] == -rank.OCCASION_REACH * rank.NATIVE.occasion_share
    assert rank.behind({"talk": [2.0, -1.0]}, rank.NATIVE) == {}, "of one occasion there is nothing to compare with"


def test_only_in_a_conversation_is_a_remark_too_short() -> None:
    assert judged(words=2) == 0.0 > judged(words=2, in_talk=True)


@dataclass
class Stands:
    number: int
    logit: float
    cosine: float | None = 0.5
    exact: bool = False
    unheard: bool = False
    of_another: bool = False


def test_what_lies_far_below_the_best_is_not_shown_where_a_profile_has_a_margin() -> None:
    ranked = [Stands(1, 3.0), Stands(2, 1.5), Stands(3, 0.5), Stands(4, -9.0, cosine=None)]
    assert rank.far_below(ranked, rank.NATIVE) == {3}, "what has no vector is not compared"
    assert rank.far_below(ranked, rank.PLAIN) == set()
    named = [replace(ranked[0], exact=True), *ranked[1:]]
    assert rank.far_below(named, rank.NATIVE) == set(), "the bonus of a topic makes nobody else less relevant"
    assert rank.far_below([], rank.NATIVE) == set()


STANDING = st.lists(
    st.builds(
        Stands,
        st.integers(1, 9),
        st.floats(-9, 9),
        st.none() | st.just(0.5),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    ),
    max_size=9,
    unique_by=lambda each: each.number,
).map(lambda found: sorted(found, key=lambda each: -each.logit))


@given(STANDING)
def test_of_what_lacks_a_name_that_nobody_has_at_most_the_best_stays_and_topics_do(ranked: list[Stands]) -> None:
    stay = [each for each in ranked if each.number not in rank.unheard(ranked, rank.NATIVE)]
    lacking = [each for each in stay if each.unheard and not each.exact]
    assert len(lacking) <= 1
    assert all(rank.sigmoid(each.logit) >= 0.25 and not each.of_another for each in lacking)
    assert [each for each in ranked if each.exact or not each.unheard] == [each for each in stay if each not in lacking]
    assert rank.unheard(ranked, rank.PLAIN) == set()


@given(STANDING)
def test_the_less_sure_the_best_is_the_fewer_are_shown_and_every_topic_that_was_named(ranked: list[Stands]) -> None:
    surer = [replace(each, logit=each.logit + 1) for each in ranked]
    assert rank.most(ranked, rank.NATIVE) <= rank.most(surer, rank.NATIVE) <= len(ranked)
    assert rank.most(ranked, rank.NATIVE) >= sum(each.exact for each in ranked)
    assert rank.most(ranked, rank.PLAIN) == len(ranked)
