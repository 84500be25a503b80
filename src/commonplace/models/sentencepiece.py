"""Texts become piece numbers here: SentencePiece's unigram model, from its own model file.

It agrees with the reference on the texts of tests/models/use_reference.json. One difference is meant: the names
of control pieces inside a text (`<s>`, `</s>`) are text, so that nobody can steer the model by writing them into
a memory.
"""

import struct
from collections.abc import Iterator
from functools import lru_cache

from commonplace.errors import PackDamaged

MAX_CHARACTERS = 16_384
"""Further characters are not looked at: long before, any real text has filled the model."""

MAX_WORD_CHARACTERS = 4_096
"""A longer run without a blank is cut here: looking for its best pieces takes memory for each character."""

CACHED_WORDS = 16_384
"""How many words' pieces are remembered: a few megabytes at most."""

UNKNOWN, START, END = 0, 1, 2
ORDINARY = 1  # the kind of a piece that texts are made of
BLANK = "\u2581"  # how the model writes the blank before a word
UNKNOWN_PENALTY = 10.0

_PIECE, _LONG = 0x0A, 0x80  # how a piece begins, and the length from which on it takes two bytes
_NORMALIZER = 3  # a field of the file; 2 says how it was trained
_CHARACTER_MAP = 2  # a field of the normalizer
_BYTES, _FIXED = 2, 5  # wire types: a length and so many bytes; four bytes
_LEAF, _LABEL = 0x100, 0x800000FF
_VALUE = 0x7FFFFFFF


class SentencePiece:
    """A tokenizer over one model file. Threads may share it."""

    def __init__(self, content: bytes) -> None:
        try:
            self._numbers, self._scores, character_map = _read(content)
        except (IndexError, KeyError, ValueError, struct.error) as error:
            raise PackDamaged("The pack's vocabulary is no SentencePiece model: pull its model pack again.") from error
        self._normal = _CharacterMap(character_map)
        self._longest = max(map(len, self._numbers))
        self._unknown_score = min(self._scores) - UNKNOWN_PENALTY
        self._word = lru_cache(maxsize=CACHED_WORDS)(self._split)

    def encode(self, text: str, max_length: int) -> list[int]:
        """The numbers of a text between start and end marks, at most `max_length` of them."""
        numbers = [START]
        for stretch in text[:MAX_CHARACTERS].split(" "):
            numbers.extend(self._word(stretch))
            if len(numbers) >= max_length:
                break
        if len(numbers) == 1:
            numbers.append(UNKNOWN)
        return [*numbers[: max_length - 1], END]

    def _split(self, stretch: str) -> tuple[int, ...]:
        # What was no blank may become one: a line end, an ideographic space.
        words = self._normal.form(stretch[:MAX_WORD_CHARACTERS]).split(" ")
        return tuple(number for word in words if word for number in self._best_pieces(BLANK + word))

    def _best_pieces(self, word: str) -> list[int]:
        """The likeliest way to cut a word into pieces; a character that is in no piece is unknown.

        No piece has a blank inside, so that the best pieces of a text are those of its words.
        """
        end = len(word)
        best, begin_of, piece_of = [0.0] + [float("-inf")] * end, [0] * (end + 1), [UNKNOWN] * (end + 1)
        numbers, scores = self._numbers, self._scores
        for begin in range(end):
            base = best[begin]
            known = False
            for stop in range(begin + 1, min(begin + self._longest, end) + 1):
                number = numbers.get(word[begin:stop])
                if number is None:
                    continue
                known = known or stop == begin + 1
                score = base + scores[number]
                if score > best[stop]:
                    best[stop], begin_of[stop], piece_of[stop] = score, begin, number
            if not known and base + self._unknown_score > best[begin + 1]:
                best[begin + 1], begin_of[begin + 1] = base + self._unknown_score, begin
                piece_of[begin + 1] = UNKNOWN
        found = []
        while end:
            found.append(piece_of[end])
            end = begin_of[end]
        return found[::-1]


class _CharacterMap:
    """What characters become before they are looked up: NFKC and a little more, as a double-array trie over bytes.

    Each cell has a label, an offset to its children and whether a replacement ends at it, which is then the value
    of its first child: where the replacement begins among all of them, one after another with a zero byte between.
    """

    def __init__(self, packed: bytes) -> None:
        (size,) = struct.unpack_from("<I", packed)
        self._cells = struct.unpack_from(f"<{size // 4}I", packed, 4)
        self._replacements = packed[4 + size :]

    def form(self, text: str) -> str:
        """A text with the longest sequences that have a replacement replaced; any blank is a space then."""
        raw = text.encode("utf-8", "replace")
        formed = bytearray()
        place = 0
        while place < len(raw):
            length, replacement = self._longest(raw, place)
            if length == 0:
                length = _character_length(raw[place])
                replacement = raw[place : place + length]
            formed += replacement
            place += length
        return formed.decode("utf-8", "replace")

    def _longest(self, raw: bytes, place: int) -> tuple[int, bytes]:
        cells = self._cells
        cell = cells[0]
        at = _offset(cell)
        length, value = 0, 0
        for index in range(place, len(raw)):  # broken off after a few: no key is long
            byte = raw[index]
            at ^= byte
            cell = cells[at]
            if cell & _LABEL != byte:
                break
            at ^= _offset(cell)
            if cell & _LEAF:
                length, value = index + 1 - place, cells[at] & _VALUE
        return length, self._replacements[value : self._replacements.index(0, value)] if length else b""


def _offset(cell: int) -> int:
    return (cell >> 10) << ((cell & 0x200) >> 6)


def _character_length(first: int) -> int:
    """How many bytes a character has in UTF-8, by its first one."""
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


def _read(content: bytes) -> tuple[dict[str, int], list[float], bytes]:
    """The number of each piece, the scores by number, and the character map."""
    numbers: dict[str, int] = {}
    scores: list[float] = []
    score_at = struct.Struct("<f").unpack_from
    place, end = 0, len(content)
    # A hundred thousand of them, one after another: the text with its length, the score, and its kind if it has one.
    while place < end and content[place] == _PIECE and content[place + 1] < _LONG:
        begin, place = place + 4, place + 2 + content[place + 1]
        stop = begin + content[begin - 1]
        if stop + 5 == place or content[stop + 6] == ORDINARY:
            numbers[content[begin:stop].decode()] = len(scores)
        scores += score_at(content, stop + 1)
    normalizer = {field: (first, last) for field, first, last in _fields(content, place, end)}[_NORMALIZER]
    parts = {field: content[first:last] for field, first, last in _fields(content, *normalizer)}
    if not numbers:
        raise ValueError
    return numbers, scores, parts[_CHARACTER_MAP]


def _fields(content: bytes, place: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Each field of a message that has bytes, with where they begin and end: protobuf's wire format."""
    while place < end:
        field, wire = content[place] >> 3, content[place] & 7
        place += 1
        if wire == _FIXED:
            place += 4
            continue
        number, place = _varint(content, place)
        if wire == _BYTES:
            yield field, place, place + number
            place += number
        elif wire != 0:
            raise ValueError


def _varint(content: bytes, place: int) -> tuple[int, int]:
    number = content[place]
    place += 1
    if number < 0x80:
        return number, place
    number, shift = number & 0x7F, 7
    while True:
        byte = content[place]
        place += 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, place
        shift += 7
