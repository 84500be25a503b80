"""Which language a text is in, as far as that shows, and the stems of its words in that language.

A guess, cheap and always the same: first the script, then, among languages in Latin letters, their function words and
the letters that only they have. What shows no language is taken for English. The guess only ever adds: a text keeps the
terms that every text has, so that one taken for the wrong language is found as before.
"""

import re
from functools import cache, cached_property, lru_cache
from types import MappingProxyType

import Stemmer

from commonplace.text.stopwords import BY_LANGUAGE

ENGLISH = "en"
OTHER = "other"
"""In a script or with letters that are not English, and in none of the languages we tell apart."""

LOOKED_AT = 2_000  # characters: a text shows its language early
FOREIGN_SHARE = 0.3  # of the letters: so many of another script, and the text is in that
ACCENTED_SHARE = 0.2  # of the words: so many with accents, and a text without English words is not English
FEW_WORDS = 6  # of so few, one word that only one language has, and none of English, is enough
CACHED_STEMS = 16_384
_CHATTED = ("ya", "em")  # English too, as people write it

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_STEMMERS = MappingProxyType(
    {
        "ar": "arabic",
        "da": "danish",
        "de": "german",
        "el": "greek",
        "es": "spanish",
        "fi": "finnish",
        "fr": "french",
        "hi": "hindi",
        "it": "italian",
        "nl": "dutch",
        "no": "norwegian",
        "pl": "polish",
        "pt": "portuguese",
        "ru": "russian",
        "sv": "swedish",
        "tr": "turkish",
    }
)
_ELSEWHERE = MappingProxyType(  # by the first and last letter of a script's block
    {
        ("\u0370", "\u03ff"): "el",
        ("\u0400", "\u052f"): "ru",
        ("\u0590", "\u05ff"): OTHER,
        ("\u0600", "\u077f"): "ar",
        ("\u0900", "\u097f"): "hi",
        ("\u0e00", "\u0e7f"): "th",
        ("\u3040", "\u30ff"): "ja",
        ("\u3400", "\u9fff"): "zh",
        ("\uac00", "\ud7af"): "ko",
    }
)
_LAST_LATIN, _LATIN_ADDITIONAL = "\u024f", ("\u1e00", "\u1eff")
_OWN_LETTERS = MappingProxyType(
    {
        "da": "æøå",
        "de": "äöüß",
        "es": "ñáéíóú¿¡",
        "fi": "äö",
        "fr": "çèêëîïôùûœàé",
        "it": "àèéìòù",
        "no": "æøå",
        "pl": "ąćęłńóśźż",
        "pt": "ãõçáâéêíóôú",
        "sv": "åäö",
        "tr": "ğışçöü",
    }
)


class _Votes:
    """Which languages a word or a letter speaks for. Made when first asked: most commands never ask."""

    @cached_property
    def of_words(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for language, words in BY_LANGUAGE.items():
            for word in words:
                found[word] = (*found.get(word, ()), language)
        return found | {word: (*found.get(word, ()), ENGLISH) for word in _CHATTED}

    @cached_property
    def of_letters(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for language, letters in _OWN_LETTERS.items():
            for letter in letters:
                found[letter] = (*found.get(letter, ()), language)
        return found


_VOTES = _Votes()


def is_foreign(text: str) -> bool:
    """Whether a text shows that it is not in English."""
    return language(text) != ENGLISH


def language(text: str) -> str:
    """The language of a text: a code of ISO 639, `en` also for what shows none, or `other`."""
    return _guessed(text[:LOOKED_AT].lower())


@lru_cache(maxsize=64)  # a text is asked about by the index and by each model
def _guessed(text: str) -> str:
    if not text.isascii():
        elsewhere = _by_script(text)
        if elsewhere is not None:
            return elsewhere
    words = _WORD.findall(text.replace("\u2019", "'"))
    votes: dict[str, int] = {}
    alone = False
    for word in words:
        speaks_for = _VOTES.of_words.get(word, ())
        alone = alone or len(speaks_for) == 1
        for each in speaks_for:
            votes[each] = votes.get(each, 0) + 1
    english = votes.pop(ENGLISH, 0)
    accented = 0 if text.isascii() else _count_letters(words, votes)
    best = max(BY_LANGUAGE, key=lambda each: votes.get(each, 0))  # of equals the first: the larger languages lead
    if votes.get(best, 0) > max(english, 0 if alone and len(words) <= FEW_WORDS else 1):
        return best
    return OTHER if not english and accented > max(1.0, ACCENTED_SHARE * len(words)) else ENGLISH


def _count_letters(words: list[str], votes: dict[str, int]) -> int:
    """Letters speak for a language, each only once: a borrowed word keeps its accents. How many words have accents."""
    accented = [word for word in words if not word.isascii()]
    found = [_VOTES.of_letters.get(letter, ()) for letter in set("".join(accented))]
    own = {languages[0] for languages in found if len(languages) == 1}  # no other language has them: twice
    for each in [*own, *{each for languages in found for each in languages}]:
        votes[each] = votes.get(each, 0) + 1
    return len(accented)


def _by_script(text: str) -> str | None:
    """The language of the script that most foreign letters are of; None where most are Latin."""
    letters = [letter for letter in text if letter.isalpha()]
    foreign = [
        letter
        for letter in letters
        if letter > _LAST_LATIN and not _LATIN_ADDITIONAL[0] <= letter <= _LATIN_ADDITIONAL[1]
    ]
    if len(foreign) <= FOREIGN_SHARE * len(letters):
        return None
    counts: dict[str, int] = {}
    for letter in foreign:
        for (first, last), each in _ELSEWHERE.items():
            if first <= letter <= last:
                counts[each] = counts.get(each, 0) + 1
                break
    if "ja" in counts:  # the Chinese write no kana
        return "ja"
    return max(counts, key=lambda each: (counts[each], each)) if counts else OTHER


def can_stem(language: str) -> bool:
    """Whether we have a stemmer for a language; English has its own place."""
    return language in _STEMMERS


@lru_cache(maxsize=CACHED_STEMS)
def stem_in(language: str, word: str) -> str:
    """The stem of a word in lower case, with whatever accents it has."""
    stem: str = _stemmer(language).stemWord(word)
    return stem


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(_STEMMERS[language])
