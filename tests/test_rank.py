"""Ranking: numbers in, numbers out."""

import math

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace import rank
from commonplace.memory import Origin
from commonplace.query import Features
from commonplace.record import replace

NATIVE = rank.PROFILES["native"]
NOW = 1_767_225_600_000
PLAIN = Features(1, None, NOW, NOW, 1.0, 0.5, False, Origin.AGENT.distrust, False)

words = st.sampled_from("ant bee cat dog elk fox gnu hen".split())
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


# -- relevance --------------------------------------------------------------------------------


@given(st.floats(-700, 700))
def test_sigmoid_is_a_share_and_symmetric(logit: float) -> None:
    assert 0.0 <= rank.sigmoid(logit) <= 1.0
    assert rank.sigmoid(logit) + rank.sigmoid(-logit) == pytest.approx(1.0)


@pytest.mark.parametrize("logit", [-1e6, 1e6])
def test_sigmoid_does_not_overflow(logit: float) -> None:
    assert rank.sigmoid(logit) == (1.0 if logit > 0 else 0.0)


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
    return sum(value for _, value in rank.adjustments(replace(PLAIN, **changes), NOW, NATIVE))


def test_an_ordinary_fresh_memory_is_weighed_as_it_is() -> None:
    assert rank.adjustments(PLAIN, NOW, NATIVE) == ()


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


def test_trust_standing_and_a_pin_have_their_say() -> None:
    assert weight(pinned=True) > 0
    assert weight(contested=True) < 0
    by_trust = [weight(distrust=origin.distrust) for origin in Origin]
    assert by_trust == sorted(by_trust, reverse=True)
    assert by_trust[-1] < by_trust[0]


def test_every_adjustment_is_named_once() -> None:
    aged = replace(PLAIN, confidence=0.5, importance=0.9, pinned=True, fresh_at=0, distrust=5, contested=True)
    names = [name for name, _ in rank.adjustments(aged, NOW, NATIVE)]
    assert names == ["confidence", "importance", "pinned", "age", "origin", "contested"]
