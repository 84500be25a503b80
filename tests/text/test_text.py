"""Normal forms of text: what is stored, what counts as the same, what is looked for."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from commonplace.text import (
    QUERY_TERM_LIMIT,
    TERM_LENGTH_LIMIT,
    collapse,
    estimate_tokens,
    fold,
    matched_words,
    normalise,
    query_terms,
    slug,
    slugs_within,
    stems,
    terms,
    without_invisible,
    words_in_common,
)
from commonplace.text.stopwords import STOPWORDS
from tests.strategies import WORDS

anything = st.text(max_size=200)
mixed = st.lists(st.sampled_from(WORDS) | st.text(min_size=1, max_size=12), max_size=12).map(" ".join)


# -- what is stored ---------------------------------------------------------------------------


def test_normalise_composes_characters() -> None:
    assert normalise("cafe\u0301") == "café"


def test_normalise_makes_unix_line_ends_and_trims() -> None:
    assert normalise("  one\r\ntwo\rthree \n") == "one\ntwo\nthree"


def test_normalise_keeps_inner_blanks_and_case() -> None:
    assert normalise("def f():\n    return  A") == "def f():\n    return  A"


@given(anything)
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def test_collapse_leaves_one_blank_for_every_run() -> None:
    assert collapse(" a \t b\n\n c ") == "a b c"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Deploys  are on MONDAY", "deploys are on monday"),
        ("Straße", "STRASSE"),
        ("café", "CAFE\u0301"),
        ("a\nb", "A b"),
    ],
)
def test_fold_makes_the_same_of_texts_that_say_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("café", "cafe"), ("Monday.", "Monday"), ("on 1", "on 2")])
def test_fold_keeps_letters_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@pytest.mark.parametrize("hidden", ["\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\u00ad", "\U000e0041"])
def test_what_hides_text_is_taken_out_before_words_are_compared(hidden: str) -> None:
    assert without_invisible(f"pass{hidden}word é") == "password é"


# -- topics -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spelling", ["Deploy schedule", "deploy_schedule", " DEPLOY-schedule! ", "deploy\u200b schedule"]
)
def test_spellings_of_a_topic_have_one_slug(spelling: str) -> None:
    assert slug(spelling) == "deploy-schedule"


@pytest.mark.parametrize("empty", ["", "!!!", "___", "\u200b"])
def test_a_slug_without_letters_is_empty(empty: str) -> None:
    assert slug(empty) == ""


@given(anything)
def test_a_slug_is_its_own_slug(text: str) -> None:
    assert slug(slug(text)) == slug(text)


def test_slugs_within_are_every_run_of_up_to_four_words() -> None:
    assert slugs_within("When is Deploy Day now?") == [
        "when",
        "is",
        "deploy",
        "day",
        "now",
        "when-is",
        "is-deploy",
        "deploy-day",
        "day-now",
        "when-is-deploy",
        "is-deploy-day",
        "deploy-day-now",
        "when-is-deploy-day",
        "is-deploy-day-now",
    ]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join))
def test_a_short_topic_is_within_its_own_text(topic: str) -> None:
    assume(len(slug(topic).split("-")) <= 4)
    assert slug(topic) in slugs_within(f"tell me about {topic}")


# -- terms ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("deploy", "We deployed it"),
        ("deploying", "the deploys"),
        ("muller", "Herr Müller kommt"),
        ("Müller", "Herr Muller kommt"),
        ("strasse", "die Straße"),
        ("église", "près de l'église"),
        ("eglise", "près de l’église"),
        ("nino", "el niño"),
        ("SMØRREBRØD", "smørrebrød"),
        ("user", "getUserName fails"),
        ("getusername", "getUserName fails"),
        ("getUserName", "getUserName fails"),
        ("busy_timeout", "set busy_timeout to 10"),
        ("timeout", "set busy_timeout to 10"),
        ("1.2.3", "pinned to v1.2.3 and 1.2.3"),
        ("ada@example.org", "write to ada@example.org"),
        ("example", "write to ada@example.org"),
        ("OPS-381", "see OPS-381 for it"),
        ("381", "see OPS-381 for it"),
        ("src/commonplace/text.py", "in src/commonplace/text.py"),
        ("C++", "a C++ compiler"),
        ("c#", "written in C#"),
        ("东京", "我在东京工作"),
        ("京", "我在东京工作"),
        ("東京タワー", "東京タワーに行く"),
        ("서울", "그는 서울에 산다"),
        ("ｆｕｌｌｗｉｄｔｈ", "fullwidth forms"),
        ("ﬁle", "the file"),
        ("pass\u200bword", "the password rules"),
    ],
)
def test_a_query_finds_the_words_of_a_text(asked: str, written: str) -> None:
    assert set(query_terms(asked)) & set(terms(written)), (query_terms(asked), terms(written))


@pytest.mark.parametrize(
    ("asked", "written"),
    [("cat", "category theory"), ("C++", "c sharp"), ("東京", "京東"), ("1.2.3", "1.2.4"), ("busy_timeout", "busybox")],
)
def test_other_words_are_not_the_same_term(asked: str, written: str) -> None:
    whole = query_terms(asked)[0]
    assert whole not in terms(written)


def test_terms_keep_order_and_repeats() -> None:
    assert terms("red fish blue fish") == ["red", "fish", "blue", "fish"]


def test_query_terms_come_once_and_without_stop_words() -> None:
    assert query_terms("what is the deploy day of the deploy") == ["deploy", "day"]


def test_a_query_of_stop_words_alone_still_looks_for_them() -> None:
    assert query_terms("to be or not to be") == ["to", "be", "or", "not"]


def test_a_query_has_a_limited_number_of_terms() -> None:
    assert len(query_terms(" ".join(f"word{i}" for i in range(500)))) == QUERY_TERM_LIMIT


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("Which databases do prototypes prefer?", "a database for the prototype", ["databases", "prototypes"]),
        ("local-first storage", "storage comes first", ["first", "storage"]),
        ("local-first storage", "it is local-first", ["local-first"]),
        ("parseQuery or parse_query", "parse it", ["parse"]),
        ("Deploy the deploy", "deploys", ["Deploy"]),
        ("what is it", "it is what it is", ["what", "is", "it"]),
        ("数据库 设置", "数据库在这里", ["数据", "据库"]),
        ("heron", "stork", []),
    ],
)
def test_matched_words_are_those_of_the_query_as_they_are_written(query: str, text: str, words: list[str]) -> None:
    assert matched_words(query, set(terms(text))) == words


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        ("who is responsible in production", "Maria Lopez is the product owner", ["product"]),
        ("which database do the prototypes use", "Prototypes use one Database", ["Database", "Prototypes", "use"]),
        ("local-first storage", "storage comes first", ["first", "storage"]),
        ("wo sind die Häuser", "das Haus am See", ["Haus"]),
        ("which day", "deploy-day", ["day"]),
        ("数据库 设置", "数据库在这里", ["数据", "据库"]),
        ("heron", "stork", []),
    ],
)
def test_words_in_common_are_those_of_the_text_as_they_are_written(query: str, text: str, words: list[str]) -> None:
    assert words_in_common(query, text) == words


def test_a_term_has_a_limited_length() -> None:
    assert all(len(term) <= TERM_LENGTH_LIMIT for term in terms("x" * 10_000 + "_" + "y" * 10_000))


def test_an_apostrophe_is_an_apostrophe_however_it_is_typed() -> None:
    assert terms("don’t") == terms("don't")


def test_stop_words_are_written_as_a_token_is_compared() -> None:
    assert [word for word in STOPWORDS if word != word.lower() or " " in word] == []


@given(anything)
def test_terms_never_fail_and_are_the_same_every_time(text: str) -> None:
    assert terms(text) == terms(text)
    assert query_terms(text) == query_terms(text)
    assert estimate_tokens(text) >= 1


@given(mixed)
def test_terms_are_bare_words_that_an_index_can_hold(text: str) -> None:
    for term in terms(text):
        assert term
        assert len(term) <= TERM_LENGTH_LIMIT
        assert not any(character.isspace() or character in "'\"\x00" for character in term)
        assert not any(unicodedata.combining(character) for character in term)


@given(mixed)
def test_every_query_term_of_a_texts_own_words_is_among_its_index_terms(text: str) -> None:
    indexed = {*terms(text), *stems(text)}
    assert set(query_terms(text)) <= indexed
    for word in text.split():  # by itself a word may look like one of another language: it is found by its terms
        assert set(query_terms(word)) - set(stems(word)) <= indexed, word


@given(mixed)
def test_case_does_not_change_what_a_plain_query_finds(text: str) -> None:
    plain = [word for word in text.split() if word.isascii() and word.isalpha()]
    for word in plain:
        assert set(query_terms(word.lower())) & set(terms(word)), word


# -- tokens -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 1), ("abcd", 1), ("abcde", 2), ("x" * 400, 100), ("東京", 2), ("東京ab", 3)]
)
def test_tokens_are_four_characters_or_one_wide_one(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(anything, anything)
def test_more_text_is_never_fewer_tokens(one: str, more: str) -> None:
    assert estimate_tokens(one + more) >= estimate_tokens(one)
