"""Texts become token numbers here: BERT's uncased WordPiece, from a plain vocabulary file.

It agrees with the `tokenizers` library (see tests/models/test_wordpiece.py), which is not used
because importing it brings a hub client along. One difference is meant: `[SEP]` and its kin inside
a text are text, so that nobody can steer the model by writing its control tokens into a memory.
"""

import unicodedata
from functools import lru_cache

from commonplace.errors import PackDamaged
from commonplace.text.normal_forms import normal_form

MAX_CHARACTERS = 65_536
"""Further characters are not looked at: long before, any real text has filled the model."""

MAX_WORD_CHARACTERS = 100
"""A longer word is unknown; the models were trained so."""

CACHED_WORDS = 32_768
"""How many words' pieces are remembered: a few megabytes at most."""

UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"

_BLANK = frozenset({"Zs", "Zl", "Zp"})
# Without Cn: what Python's Unicode tables do not know yet is kept, so that new emoji stay visible.
_CONTROL = frozenset({"Cc", "Cf", "Co", "Cs"})
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


class _Cleaning(dict[int, str | None]):
    """The first pass: controls vanish, every blank is a space, ideographs stand alone.

    A table for `str.translate` that works a character out when it is first met.
    """

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        if character in "\t\n\r" or category in _BLANK:
            cleaned: str | None = " "
        elif code == 0xFFFD or category in _CONTROL:
            cleaned = None
        elif any(first <= code <= last for first, last in _IDEOGRAPHS):
            cleaned = f" {character} "
        else:
            cleaned = character
        self[code] = cleaned
        return cleaned


class _Folding(dict[int, str | None]):
    """The second pass, over decomposed text: accents vanish, letters are lowered, punctuation stands alone."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Mn":
            folded: str | None = None
        elif category.startswith("P") or (character.isascii() and not character.isalnum() and character != " "):
            folded = f" {character} "
        else:
            # One character at a time: `lower` of a whole word would know the final sigma, the models do not.
            folded = character.lower()
        self[code] = folded
        return folded


_CLEANING = _Cleaning()
_FOLDING = _Folding()


def words(text: str) -> list[str]:
    """The normalised words and punctuation marks of a text, in order."""
    cleaned = text[:MAX_CHARACTERS].translate(_CLEANING)
    return normal_form("NFD", cleaned).translate(_FOLDING).split()


class WordPiece:
    """A tokenizer over one vocabulary. Threads may share it."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self._longest = max(map(len, vocabulary))
        self._unknown = (vocabulary[UNKNOWN],)
        self._start = vocabulary[START]
        self._end = vocabulary[END]
        self._pieces = lru_cache(maxsize=CACHED_WORDS)(self._split)

    def encode(self, text: str, max_length: int) -> list[int]:
        """The numbers of a text between start and end marks, at most `max_length` of them."""
        numbers = [self._start]
        for word in words(text):
            numbers.extend(self._pieces(word))
            if len(numbers) >= max_length:
                break
        return [*numbers[: max_length - 1], self._end]

    def _split(self, word: str) -> tuple[int, ...]:
        """Greedily, the longest pieces the vocabulary has; unknown if any part has none."""
        if len(word) > MAX_WORD_CHARACTERS:
            return self._unknown
        numbers: list[int] = []
        begin = 0
        while begin < len(word):
            mark = "##" if begin else ""
            for stop in range(min(len(word), begin + self._longest), begin, -1):
                number = self._vocabulary.get(mark + word[begin:stop])
                if number is not None:
                    break
            else:
                return self._unknown
            numbers.append(number)
            begin = stop
        return tuple(numbers)


def read_vocabulary(content: bytes) -> dict[str, int]:
    """One token a line; its line is its number."""
    # Not splitlines(): tokens may be characters that Python takes for line ends.
    lines = content.decode("utf-8", "replace").replace("\r\n", "\n").removesuffix("\n").split("\n")
    vocabulary = {token: number for number, token in enumerate(lines)}
    if not {UNKNOWN, START, END} <= vocabulary.keys():
        raise PackDamaged("The pack's vocabulary is no WordPiece vocabulary: pull its model pack again.")
    return vocabulary
