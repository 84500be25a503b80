"""Which language a text is in, and what its own stems add."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text import content_terms, matched_words, query_terms, stems, terms
from commonplace.text.languages import ENGLISH, can_stem, is_foreign, language
from commonplace.text.stopwords import BY_LANGUAGE, STOPWORDS

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "corpora" / "lingual_dev.jsonl").read_text("utf-8").splitlines()
]
SHARE_RIGHT = 0.95


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das WLAN-Passwort liegt im Safe.", "de"),
        ("Wo wohnt Anna?", "de"),
        ("La réunion est à dix heures.", "fr"),
        ("El servidor está en Madrid.", "es"),
        ("O servidor está em Lisboa e não em Faro.", "pt"),
        ("Il server è a Milano.", "it"),
        ("Wij deployen op maandag.", "nl"),
        ("Jag bor i Malmö och arbetar på banken.", "sv"),
        ("Мы деплоим по понедельникам.", "ru"),
        ("Spotkanie jest w piątek o dziesiątej.", "pl"),
        ("我们用 pnpm 安装依赖。", "zh"),
        ("会議室は三階です。", "ja"),
        ("회의실은 3층에 있습니다.", "ko"),
        ("القهوة بدون سكر", "ar"),
        ("मुझे चाय पसंद है", "hi"),
        ("שלום עולם", "other"),
        ("Deploys are on Monday.", "en"),
        ("staging port", "en"),
        ("git rebase -i HEAD~3", "en"),
        ("La Jolla trip booked", "en"),
        ("I met José at Café Olé", "en"),
        ("naïve résumé parsing in the café", "en"),
        ("The 北京 office opens on Monday morning", "en"),
        ("5433", "en"),
        ("", "en"),
    ],
)
def test_a_text_shows_its_language(text: str, expected: str) -> None:
    assert language(text) == expected
    assert is_foreign(text) is (expected != ENGLISH)


def test_strangers_texts_are_told_apart() -> None:
    texts = [(case["lang"], text) for case in CASES for text in (case["memory"], case["question"])]
    right = sum(language(text) == lang for lang, text in texts) / len(texts)
    assert right >= SHARE_RIGHT
    assert [case["question_en"] for case in CASES if is_foreign(case["question_en"])] == []


def test_english_texts_have_no_other_terms_than_before() -> None:
    for case in CASES:
        assert stems(case["question_en"]) == []
        assert set(query_terms(case["question_en"])) <= set(terms(case["question_en"]))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Die Häuser am See sind verkauft.", "Was ist mit dem Haus am See?"),
        ("Les réunions ont lieu le mardi.", "Quel jour est la réunion ?"),
        ("Los servidores están en Madrid.", "¿Dónde está el servidor?"),
        ("Os servidores ficam em Lisboa e não em Faro.", "Onde é que está o servidor da empresa?"),
        ("I server sono a Milano con le copie.", "Dove è la copia del server?"),
        ("De vergaderingen zijn op maandag.", "Wanneer is de vergadering?"),
        ("Наши серверы стоят в Берлине.", "Где стоит сервер?"),
        ("Bilarna står i garaget och inte på gatan.", "Var är bilen?"),
    ],
)
def test_a_word_is_found_in_another_form_of_its_own_language(said: str, asked: str) -> None:
    shared = set(query_terms(asked)) & {*terms(said), *stems(said)}
    assert shared
    assert matched_words(asked, {*terms(said), *stems(said)})


@pytest.mark.parametrize("word", ["der", "die", "le", "la", "el", "het", "что", "och", "और"])
def test_function_words_of_a_language_are_no_content_in_it(word: str) -> None:
    (spoken, *_) = [each for each, words in BY_LANGUAGE.items() if word in words and each != ENGLISH]
    text = f"{' '.join(sorted(BY_LANGUAGE[spoken])[:6])} {word} 4711"
    assert word not in content_terms(text)


def test_what_counts_as_silent_in_an_english_query_has_not_changed() -> None:
    assert content_terms("the num threads of a plus man") == ["num", "thread", "plus", "man"]
    assert BY_LANGUAGE[ENGLISH] <= STOPWORDS
    assert not {"num", "plus", "man", "muss"} & STOPWORDS


def test_languages_without_a_stemmer_have_their_terms_alone() -> None:
    assert not any(map(can_stem, ("zh", "ja", "ko", "th", "other", ENGLISH)))
    assert stems("我们的测试数据库跑在 5433 端口。") == []


@given(st.text(max_size=200))
def test_any_text_has_one_language_and_bare_stems(text: str) -> None:
    assert language(text) == language(text)
    for stem in stems(text):
        assert stem
        assert not any(character.isspace() or character in "'\"\x00" for character in stem)
