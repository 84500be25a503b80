"""Near repeats: found by most of their words, never across a difference in substance."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given

from commonplace.text import terms
from commonplace.text.nearness import SKETCH_SIZE, WORDS_NEAR, overlap, same_substance, sketch
from tests.corpora import substance
from tests.strategies import sentences, texts

NEAR_PAIRS = Path(__file__).parents[1] / "corpora" / "near_pairs.jsonl"


def labelled_pairs(half: str) -> list[dict]:
    lines = [json.loads(line) for line in NEAR_PAIRS.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if line["half"] == half]


# -- sketches ---------------------------------------------------------------------------------


def test_a_sketch_is_a_few_numbers_in_order() -> None:
    found = sketch(terms("the quick brown fox jumps over the lazy dog"))
    assert len(found) == SKETCH_SIZE
    assert list(found) == sorted(set(found))


def test_a_sketch_does_not_depend_on_stop_words() -> None:
    assert sketch(["the", "deploy", "window"]) == sketch(["deploy", "the", "window"])


def test_a_text_of_stop_words_has_a_sketch_too() -> None:
    assert sketch(["to", "be"]) != ()


def alike_by_words(a: str, b: str) -> float:
    """How alike two texts are by their words, as intake judges it; 0 when they differ in substance."""
    return overlap(terms(a), terms(b)) if same_substance(a, b) else 0.0


def test_texts_with_nothing_in_common_share_no_key() -> None:
    one, other = terms("quick brown foxes jump"), terms("database migrations run nightly")
    assert not set(sketch(one)) & set(sketch(other))


@pytest.mark.parametrize("half", ["dev", "heldout"])
def test_texts_that_count_as_near_by_words_share_a_key(half: str) -> None:
    """Otherwise intake would never get to compare them."""
    near = [(p["a"], p["b"]) for p in labelled_pairs(half) if alike_by_words(p["a"], p["b"]) >= WORDS_NEAR]
    apart = [(a, b) for a, b in near if not set(sketch(terms(a))) & set(sketch(terms(b)))]
    assert near
    assert apart == []


@given(sentences)
def test_a_sketch_is_the_same_every_time(text: str) -> None:
    assert sketch(terms(text)) == sketch(terms(text))
    assert all(0 <= key < 2**32 for key in sketch(terms(text)))


# -- overlap ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "share"),
    [("ab", "ab", 1.0), ("ab", "cd", 0.0), ("ab", "bc", 1 / 3), ("aab", "ab", 1.0), ("", "", 0.0), ("a", "", 0.0)],
)
def test_overlap_is_the_share_of_terms_in_common(a: str, b: str, share: float) -> None:
    assert overlap(a, b) == pytest.approx(share)


@given(sentences, sentences)
def test_overlap_is_symmetric_and_a_share(a: str, b: str) -> None:
    assert overlap(terms(a), terms(b)) == overlap(terms(b), terms(a))
    assert 0.0 <= overlap(terms(a), terms(b)) <= 1.0


# -- substance --------------------------------------------------------------------------------


def test_a_thousand_pairs_that_differ_in_substance_are_never_the_same() -> None:
    confused = [(kind, a, b) for a, b, kind in substance.pairs() if same_substance(a, b)]
    assert confused == []


def test_another_thousand_pairs_that_differ_in_substance_are_never_near_by_words() -> None:
    confused = [(kind, a, b) for a, b, kind in substance.pairs(seed=7) if alike_by_words(a, b) > 0]
    assert confused == []


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The port is 8080", "The port is 8081"),
        ("Version 1.2", "Version 1.2.1"),
        ("Meet at 9:30", "Meet at 9:45"),
        ("It is enabled", "It is disabled"),
        ("It is enabled", "It isn’t enabled"),
        ("Deploys happen before lunch", "Deploys happen after lunch"),
        ("Due on 3 May", "Due on 3 June"),
        ("Use tabs, not spaces", "Use tabs, spaces"),
        ("price 1,000", "price 1.000"),
    ],
)
def test_a_number_a_date_a_negation_or_an_opposite_makes_a_difference(a: str, b: str) -> None:
    assert not same_substance(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The user prefers tabs.", "the user prefers TABS"),
        ("The port is 8080, for now", "For now the port is 8080"),
        ("It doesn't work", "It does not work"),
        ("zero\u200bwidth 5", "zerowidth 5"),
    ],
)
def test_case_order_and_spelling_make_none(a: str, b: str) -> None:
    assert same_substance(a, b)


@given(texts, texts)
def test_substance_is_symmetric_and_a_text_has_its_own(a: str, b: str) -> None:
    assert same_substance(a, a)
    assert same_substance(a, b) == same_substance(b, a)


# -- how good the words are alone -------------------------------------------------------------


@pytest.mark.parametrize("half", ["dev", "heldout"])
def test_what_is_near_by_words_alone_mostly_says_the_same(half: str, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts: Counter[tuple[bool, bool]] = Counter()
    wrong = []
    for pair in labelled_pairs(half):
        found = alike_by_words(pair["a"], pair["b"]) >= WORDS_NEAR
        verdicts[found, pair["near"]] += 1
        if found and not pair["near"]:
            wrong.append((pair["why"], pair["a"], pair["b"]))
    right, all_found = verdicts[True, True], verdicts[True, True] + verdicts[True, False]
    all_near = right + verdicts[False, True]
    with capsys.disabled():
        print(
            f"\nnear by words alone, {half}: precision {right}/{all_found} = {right / all_found:.3f}, "
            f"recall {right}/{all_near} = {right / all_near:.3f}"
        )
    assert [each for each in wrong if each[0] in ("number", "date", "negation")] == []
    assert right / all_found >= 0.9, wrong
    assert right / all_near >= 0.4
