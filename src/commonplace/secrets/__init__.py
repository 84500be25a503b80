"""Finds secrets in a text so that a write can be refused: provider tokens, key blocks, credentials, cards, phrases.

`find(text)` tells the kind and place of each finding, never the value. Rules know formats and words; plain entropy is
no reason to refuse, so hashes, UUIDs and encoded images pass. An ordinary text costs one pass of a keyword set.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, TypeVar

from commonplace.secrets import assignments, cards, conversation, phrases, providers, reshaped, structures
from commonplace.secrets.detector import Detector, FoundSecret
from commonplace.secrets.form import Form, folded, form_of, original_offsets
from commonplace.secrets.regex import KeywordSet, pattern

__all__ = ["Asked", "FoundSecret", "find", "masked"]

SHORTEST: Final = 6
"""Fewer characters cannot name a secret and be one."""
SHORTEST_WORD: Final = 20
"""A word of Latin letters alone is no token below the length of an access key."""
LOOKED_AT_LIMIT = 64_000
"""Longer texts are transcripts and documents, which no answer quotes."""
TELLING = 8
"""So many characters of a secret are told apart from anything else; of a shorter one, the text that it came in."""

Body = TypeVar("Body")

# In order of precision: where findings overlap, the earliest detector names the kind.
_DETECTORS: Final[tuple[Detector, ...]] = (
    *structures.DETECTORS,
    *providers.DETECTORS,
    *cards.DETECTORS,
    *phrases.DETECTORS,
    *assignments.DETECTORS,
    *conversation.DETECTORS,
)


def find(text: str) -> tuple[FoundSecret, ...]:
    """The secrets in a text, in order of place, without overlaps. Offsets count characters of the text as given."""
    if len(text) < SHORTEST or (len(text) < SHORTEST_WORD and text.isascii() and text.isalpha()):
        return ()
    if text.isascii() and _is_ordinary(text.encode()):
        return ()
    plain = folded(text)
    form = form_of(plain)
    findings = [finding for index in _keywords().hits(form.lowered) for finding in _DETECTORS[index].scan(form)]
    findings += reshaped.tokens(form)
    if not findings:
        return ()
    apart = _without_overlaps(findings)
    return tuple(apart if text.isascii() else _in_original(apart, form, plain, text))


def _is_ordinary(data: bytes) -> bool:
    """Whether a text has none of the words that go with a secret, and no sign that one is written in another way."""
    return not _keywords().match(data.lower()) and pattern(reshaped.SIGNS).search(data) is None


def masked(text: str) -> str:
    """The text with the kind of each secret in its place: for messages that quote what somebody gave."""
    for found in reversed(find(text)):
        text = f"{text[: found.start]}[{found.kind.replace('_', ' ')}]{text[found.end :]}"
    return text


def _without_overlaps(findings: list[FoundSecret]) -> list[FoundSecret]:
    """The findings in order of place; those that overlap are one, of the kind that was found first."""
    kept: list[tuple[int, int, int]] = []
    for number, finding in sorted(enumerate(findings), key=lambda each: each[1].start):
        first, start, end = kept[-1] if kept else (0, 0, 0)
        if finding.start < end:
            kept[-1] = (min(first, number), start, max(end, finding.end))
        else:
            kept.append((number, finding.start, finding.end))
    return [FoundSecret(findings[number].kind, start, end) for number, start, end in kept]


def _in_original(findings: list[FoundSecret], form: Form, plain: str, text: str) -> list[FoundSecret]:
    """The findings with offsets in characters of the original instead of bytes of the form."""
    places = _characters(form.data, [place for found in findings for place in (found.start, found.end)])
    counted = [FoundSecret(found.kind, places[found.start], places[found.end]) for found in findings]
    if plain == text:
        return counted
    offsets = original_offsets(text)
    if offsets is None:
        return [FoundSecret(found.kind, 0, len(text)) for found in counted]
    return [
        FoundSecret(found.kind, offsets[found.start], max(offsets[found.start] + 1, offsets[found.end]))
        for found in counted
    ]


def _characters(data: bytes, offsets: list[int]) -> dict[int, int]:
    """How many characters stand before each of these offsets, counted in one pass."""
    decoder = getincrementaldecoder("utf-8")("ignore")
    counted: dict[int, int] = {}
    place = characters = 0
    for offset in sorted(offsets):
        characters += len(decoder.decode(data[place:offset]))
        counted[offset], place = characters, offset
    return counted


@cache
def _keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in _DETECTORS])


# -- answers that do not repeat a secret which came with the question ---------------------------


class Asked:
    """The arguments of a call, as far as they hold secrets.

    A call may quote what it was given: a query, an id that does not exist, a word that cannot be used. Whoever looks
    for a leaked key has it found, and reads its kind in its place. What the book itself holds is answered as it stands.
    """

    def __init__(self, arguments: object) -> None:
        self._secrets = [
            (text, text[each.start : each.end], f"[{each.kind.replace('_', ' ')}]")
            for text in _texts(arguments)
            if len(text) <= LOOKED_AT_LIMIT
            for each in find(text)
        ]

    def unsaid(self, answer: Body) -> Body:
        """The answer without them."""
        return self._without(answer) if self._secrets else answer  # type: ignore[return-value]

    def _without(self, value: object) -> object:
        match value:
            case str():
                return self._masked(value)
            case Mapping():
                return {self._masked(str(name)): self._without(item) for name, item in value.items()}
            case list() | tuple():
                return [self._without(item) for item in value]
        return value

    def _masked(self, said: str) -> str:
        for text, secret, kind in self._secrets:
            if len(secret) >= TELLING and secret[:TELLING] in said:
                said = masked(said.replace(secret, kind))
            elif text in said:
                said = masked(said)
        return said


def _texts(arguments: object) -> Iterator[str]:
    """Every text in the arguments. They are not checked yet and may be nested deeper than Python can follow."""
    waiting = [arguments]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case Mapping() as named:
                waiting += (*map(str, named), *named.values())
            case (list() | tuple()) as items:
                waiting += items
