"""What the words of a sentence say by themselves: each word, its place and its company, as places in a row of weights.

Words are not kept: each, and each pair of neighbours, falls into one of a fixed number of places, and the judge has
learnt what such a place is worth. Pairs of what is told otherwise fall into places too, for a rule within quotation
marks is another thing than a rule. Texts without blanks are read letter by letter.
"""

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from zlib import crc32

from commonplace.sessions.distil import cues

BITS = 14
PLACES = 1 << BITS
NEAR = 4
"""So many sentences on either side are the company of one."""

MOST_WORDS = 120
_WORDS_KNOWN = 2_000
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_DIGITS = re.compile(r"\d+")
_MARKS = re.compile(r"[?!:;…\"“”„«»「」()`]")
_ALL, _SPREAD, _NEXT = 0xFFFFFFFF, 2_654_435_761, 40_503
_EDGE = 0x5BD1E995

# What tells apart a word as such from the same word at the beginning, at the end, or in the neighbourhood.
_WORD, _BEGIN, _END, _HEAD, _TAIL, _BEFORE, _AFTER, _COMPANY, _MARK, _PAIR = (
    crc32(name.encode()) for name in "word begin end head tail before after company mark pair".split()
)


class Codes:
    """The words of the sentences of one turn, each as a number, made once and when they are asked for."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences
        self._known: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self._sentences)

    def of(self, place: int) -> tuple[int, ...]:
        """Those of one sentence, in order."""
        if place not in self._known:
            self._known[place] = codes(self._sentences[place])
        return self._known[place]


def codes(sentence: str) -> tuple[int, ...]:
    """Its words as numbers, in order; letters, where words are not told apart. All figures are the same."""
    if cues.is_unspaced(sentence):
        said: Iterable[str] = (letter for run in _UNSPACED.findall(sentence) for letter in run)
    else:
        said = cues.words(sentence)
    return tuple(_code(word) for word in list(said)[:MOST_WORDS])


@lru_cache(maxsize=_WORDS_KNOWN)
def _code(word: str) -> int:
    return crc32(_DIGITS.sub("0", word).encode())


@lru_cache(maxsize=_WORDS_KNOWN)
def _parts(word: str) -> tuple[int, int]:
    return crc32(b"<" + word[:4].encode()), crc32(word[-3:].encode() + b">")


def places(place: int, sentence: str, turn: Codes, told: Mapping[str, float]) -> Sequence[int]:
    """Where what one sentence of a turn says falls, with the company of its neighbours and what else is told of it."""
    own = turn.of(place)
    found = {*_of_words(own), *_of_company(place, turn)}
    if not cues.is_unspaced(sentence):
        longer = (word for word in cues.words(sentence)[:MOST_WORDS] if len(word) > 4)
        found.update(_at(_WORD, part) for word in longer for part in _parts(word))
    found.update(_at(_MARK, ord(mark)) for mark in _MARKS.findall(sentence))
    names = sorted(_code(name) for name, value in told.items() if value == 1.0)
    for number, one in enumerate(names):
        spread = one * _NEXT
        found.update(((spread + other ^ _PAIR) * _SPREAD & _ALL) >> (32 - BITS) for other in names[number + 1 :])
    return array("H", sorted(found))  # there are millions of them in a long transcript


def _at(tag: int, code: int) -> int:
    return ((code ^ tag) * _SPREAD & _ALL) >> (32 - BITS)


def _joined(*parts: int) -> int:
    whole = 0
    for part in parts:
        whole = (whole * _NEXT + part) & _ALL
    return whole


def _of_words(own: Sequence[int]) -> Iterable[int]:
    """Words alone, two and three in a row, and those at the beginning and the end."""
    edged = (_EDGE, *own, _EDGE)
    yield from (_at(_WORD, code) for code in own)
    yield from (_at(_WORD, _joined(*pair)) for pair in pairwise(edged))
    yield from (_at(_WORD, _joined(*three)) for three in zip(own, own[1:], own[2:], strict=False))
    yield from (_at(_BEGIN, code) for code in own[:4])
    for count in (1, 2, 3, 4):
        yield _at(_HEAD, _joined(*own[:count]))
        yield _at(_TAIL, _joined(*own[-count:]))


def _of_company(place: int, turn: Codes) -> Iterable[int]:
    """How the sentences before and behind it begin and end, and the words of those near it."""
    for tag, next_to in ((_BEFORE, place - 1), (_AFTER, place + 1)):
        others = turn.of(next_to) if 0 <= next_to < len(turn) else ()
        yield from (_at(tag, code) for code in others[:3])
        yield _at(tag, _joined(*others[:2]))
        yield _at(tag, _joined(_END, *others[-1:]))
    beside = (other for other in range(max(0, place - NEAR), min(len(turn), place + NEAR + 1)) if other != place)
    near = {code for other in beside for code in turn.of(other)}
    yield from (_at(_COMPANY, code) for code in near)
