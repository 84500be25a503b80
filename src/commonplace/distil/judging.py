"""Whether a sentence is worth remembering, what sort of memory it is, and why: points for signs, summed up."""

import re
from collections.abc import Iterator, Mapping

from commonplace.distil import cues
from commonplace.distil.cues import Sign
from commonplace.distil.prose import Span
from commonplace.memory import Kind, MemoryType
from commonplace.record import Record
from commonplace.transcripts import Role

ENOUGH = 2
"""A sentence with at least so many points is kept."""

POINTS: Mapping[Sign, int] = {
    Sign.RULE: 3,
    Sign.NEED: 3,
    Sign.TASK: 3,
    Sign.SETTING: 3,
    Sign.DECISION: 3,
    Sign.DATE: 2,
    Sign.PERSONAL: 2,
    Sign.BOUND: 2,
    Sign.LONG: 2,
    Sign.NAME: 2,
    Sign.CAUSE: 2,
    Sign.NUMBER: 1,
    Sign.REASON: 1,
    Sign.ADDRESS: 1,
    Sign.PREFERENCE: 1,
    Sign.ACKNOWLEDGED: 1,
    Sign.LEANING: -1,
    Sign.TROUBLE: -1,
    Sign.PROGRESS: -1,
    Sign.TAKEN_BACK: -1,
    Sign.SHORT: -1,
    Sign.TRAILING: -2,
    Sign.MOMENT: -2,
    Sign.OPENING: -2,
    Sign.HYPOTHESIS: -3,
    Sign.REQUEST: -3,
    Sign.HEDGE: -3,
    Sign.REPORTED: -3,
    Sign.CHATTER: -3,
    Sign.SHORTER: -3,
    Sign.SHORTEST: -5,
}

# What an assistant says is kept in two cases only: it names a cause that was found, or lists a task.
ASSISTANT_WORDS = 9
_FOUND = frozenset({Sign.CAUSE})
_NOT_FOUND = frozenset({Sign.HEDGE, Sign.HYPOTHESIS, Sign.REQUEST, Sign.TRAILING, Sign.REPORTED})

_FIRST_WORD_ONLY = frozenset({Sign.REQUEST, Sign.PROGRESS, Sign.CHATTER})
_QUESTION = re.compile(r"[?？]+[\"'”“»’)\]!]*$")
_NUMBER = re.compile(r"\d")
_NAME = re.compile(r"(?<=[^\W\d_A-Z] |[,;] )[A-ZÀ-Þ]|\w[A-Z]|[A-Z]{2}")
_GERMAN = frozenset("der die das und ist nicht ich wir mit ein eine für dem den".split())
_BOX = re.compile(r"[-*]\s+\[ ?\]\s+$")


class Verdict(Record):
    """What was made of a sentence."""

    points: int
    signs: frozenset[Sign]

    @property
    def kept(self) -> bool:
        return self.points >= ENOUGH

    @property
    def reason(self) -> str:
        """The signs that spoke for it, strongest first."""
        told = sorted((sign for sign in self.signs if POINTS.get(sign, 1) > 0), key=lambda sign: -POINTS.get(sign, 9))
        return ", ".join(sign.value for sign in told)

    @property
    def memory_type(self) -> MemoryType:
        signs = self.signs
        if Sign.CAUSE in signs:
            return MemoryType.FACT
        if Sign.LISTED in signs:
            return MemoryType.TASK
        if signs & {Sign.ADDRESS, Sign.RULE} and not signs & {Sign.PERSONAL, Sign.DECISION, Sign.TASK}:
            return MemoryType.INSTRUCTION
        if Sign.TASK in signs and Sign.RULE not in signs:
            return MemoryType.TASK
        if {Sign.DATE, Sign.NUMBER} <= signs:
            return MemoryType.EVENT
        return MemoryType.FACT

    @property
    def kind(self) -> Kind:
        memory_type = self.memory_type
        if memory_type is not MemoryType.FACT:
            return Kind(memory_type.value)
        for sign, kind in _KINDS:
            if sign in self.signs:
                return kind
        return Kind.FACT


_KINDS = (
    (Sign.CAUSE, Kind.LEARNING),
    (Sign.DECISION, Kind.DECISION),
    (Sign.PREFERENCE, Kind.PREFERENCE),
    (Sign.SETTING, Kind.CONTEXT),
)
_UNWORTHY = Verdict(-9, frozenset())


def is_question(text: str) -> bool:
    return _QUESTION.search(text[-12:]) is not None


def judge(text: str, span: Span, role: Role, *, opening: bool = False, acknowledged: bool = False) -> Verdict:
    """The verdict on one sentence of a turn. Questions and empty phrases are not worth a look."""
    sentence = text[span[0] : span[1]]
    if is_question(sentence):
        return _UNWORTHY
    signs = frozenset(_signs(sentence, opening, acknowledged))
    if _BOX.search(text, max(0, span[0] - 12), span[0]):
        return Verdict(ENOUGH, signs | {Sign.LISTED})
    if role is Role.ASSISTANT:
        return _of_assistant(sentence, signs)
    return Verdict(sum(POINTS.get(sign, 0) for sign in signs), signs)


def _of_assistant(sentence: str, signs: frozenset[Sign]) -> Verdict:
    found = signs & _FOUND and not signs & _NOT_FOUND and len(cues.words(sentence)) >= ASSISTANT_WORDS
    return Verdict(ENOUGH, signs) if found else _UNWORTHY


def _signs(sentence: str, opening: bool, acknowledged: bool) -> Iterator[Sign]:
    said = cues.words(sentence)
    start = 0
    while start < len(said) and said[start] in cues.LEADING:
        start += 1
    words = said[start:]
    for sign, place in cues.find(words).items():
        if place == 0 or sign not in _FIRST_WORD_ONLY and (place == 1 or sign is not Sign.SETTING):
            yield sign
    if words:
        yield from _of_length(len(words))
    if words and words[0] in cues.LEANING:
        yield Sign.LEANING
    if _NUMBER.search(sentence):
        yield Sign.NUMBER
    if _NAME.search(sentence, 1) and _GERMAN.isdisjoint(said):
        yield Sign.NAME
    if sentence.endswith(("...", "…")):
        yield Sign.TRAILING
    if opening:
        yield Sign.OPENING
    if acknowledged:
        yield Sign.ACKNOWLEDGED


def _of_length(count: int) -> Iterator[Sign]:
    if count <= 3:
        yield Sign.SHORTEST
    elif count <= 5:
        yield Sign.SHORTER
    elif count <= 8:
        yield Sign.SHORT
    elif count >= 14:
        yield Sign.LONG
