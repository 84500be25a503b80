"""Whether a sentence is worth remembering, what sort of memory it is, and why: points for signs, summed up."""

import re
from collections.abc import Mapping

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record
from commonplace.sessions.distil import cues
from commonplace.sessions.distil.prose import Span
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.transcripts import Speaker

ENOUGH = 3
"""A sentence with at least so many points is kept."""

POINTS: Mapping[Sign, int] = {
    Sign.WISH: 4,
    Sign.DIGESTED: 4,
    Sign.STANDING: 1,
    Sign.CORRECTION: 2,
    Sign.RULE: 3,
    Sign.EXCLUSION: 3,
    Sign.NEED: 3,
    Sign.TASK: 3,
    Sign.SETTING: 3,
    Sign.DECISION: 3,
    Sign.DATE: 2,
    Sign.PERSONAL: 2,
    Sign.BOUND: 2,
    Sign.LONG: 2,
    Sign.CAUSE: 2,
    Sign.DAY: 1,
    Sign.STATE: 1,
    Sign.NAME: 1,
    Sign.NUMBER: 1,
    Sign.REASON: 1,
    Sign.ADDRESS: 1,
    Sign.PREFERENCE: 2,
    Sign.ACKNOWLEDGED: 1,
    Sign.LEANING: -1,
    Sign.TROUBLE: -1,
    Sign.PROGRESS: -1,
    Sign.TAKEN_BACK: -2,
    Sign.SHORT: -1,
    Sign.TRAILING: -2,
    Sign.MOMENT: -1,
    Sign.OPENING: -2,
    Sign.HYPOTHESIS: -3,
    Sign.MOCKERY: -4,
    Sign.FICTION: -4,
    Sign.ONCE: -3,
    Sign.QUESTION: -4,
    Sign.MATERIAL: -9,
    Sign.REQUEST: -2,
    Sign.HEDGE: -3,
    Sign.REPORTED: -3,
    Sign.CHATTER: -3,
    Sign.SHORTER: -3,
    Sign.SHORTEST: -4,
}

# What each sign says about the type. The first of equals wins, and a fact has a start on the others.
TYPES: Mapping[MemoryType, Mapping[Sign, int]] = {
    MemoryType.FACT: {
        Sign.CAUSE: 6,
        Sign.BOUND: 2,
        Sign.PERSONAL: 2,
        Sign.DECISION: 2,
        Sign.STATE: 1,
        Sign.SETTING: 2,
        Sign.OPENING: 1,
    },
    MemoryType.EVENT: {Sign.DAY: 4, Sign.DATE: 2, Sign.NUMBER: 1, Sign.RULE: -1, Sign.REASON: -1},
    MemoryType.INSTRUCTION: {
        Sign.ORDER: 2,
        Sign.ADDRESS: 3,
        Sign.RULE: 3,
        Sign.EXCLUSION: 1,
        Sign.ACKNOWLEDGED: 1,
        Sign.REASON: 1,
        Sign.PERSONAL: -1,
        Sign.TASK: -1,
    },
    MemoryType.TASK: {Sign.LISTED: 9, Sign.TASK: 6},
}
START = {MemoryType.FACT: 2, MemoryType.EVENT: -1, MemoryType.INSTRUCTION: 0, MemoryType.TASK: 0}

# What an assistant says is kept in two cases only: it names a cause that was found, or lists a task.
ASSISTANT_WORDS = 9
_NOT_FOUND = frozenset({Sign.HEDGE, Sign.HYPOTHESIS, Sign.REQUEST, Sign.TRAILING, Sign.REPORTED})

# So few words are never kept; they are looked at only if they may take something back.
FEWEST_WORDS = 3
_TELLING_IF_SHORT = (
    Sign.RETRACTED,
    Sign.TAKEN_BACK,
    Sign.RULE,
    Sign.WISH,
    Sign.PREFERENCE,
    Sign.EXCLUSION,
    Sign.STANDING,
)

_FIRST_WORD_ONLY = frozenset({Sign.REQUEST, Sign.PROGRESS, Sign.CHATTER, Sign.QUESTION})
_AFTER_THE_MARK = "\"'”“»’)]! "
_MONTH = "jan|feb|fév|mar|mär|apr|abr|avr|may|mai|jun|jui|jul|aug|ago|aoû|sep|oct|okt|out|nov|dec|dez|dic|déc|ene"
_WEEKDAY = "mon|tue|wed|thu|fri|sat|sun|die|mit|don|fre|sam|son|lun|mar|mié|jue|vie|sáb|dom|mer|jeu|ven|dim"
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:de\s|of\s)?(?:{_MONTH})|\b(?:{_MONTH})[a-z]*\s\d{{1,2}}\b|\b\d{{4}}-\d\d-\d\d\b"
    rf"|\bthe\s\d{{1,2}}(?:st|nd|rd|th)\b|\b\d{{1,2}}\.\d{{1,2}}\.|\b(?:on|next|am|nächsten|el|le)\s(?:{_WEEKDAY})[a-zéá]*\b"
    r"|\b(?:tomorrow|mañana|demain)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[\d一二三四五六七八九十]")
_NAME = re.compile(r"(?<=[^\W\d_A-Z] |[,;] )[A-ZÀ-Þ]|\w[A-Z]|[A-Z]{2}")
_BOX = re.compile(r"[-*]\s+\[ ?\]\s+$")


class Judgement(Record):
    """What was made of a sentence."""

    points: int
    signs: frozenset[Sign]

    @property
    def kept(self) -> bool:
        """Whether its points are enough for it to be worth remembering."""
        return self.points >= ENOUGH

    @property
    def reason(self) -> str:
        """The signs that spoke for it, strongest first."""
        told = sorted(
            (sign for sign in self.signs if sign is Sign.LISTED or POINTS.get(sign, 0) > 0),
            key=lambda sign: (-POINTS.get(sign, 9), sign.value),
        )
        return ", ".join(sign.value for sign in told)

    @property
    def against(self) -> str:
        """The signs that spoke against it, strongest first."""
        told = sorted(
            (sign for sign in self.signs if POINTS.get(sign, 0) < 0), key=lambda sign: (POINTS[sign], sign.value)
        )
        return ", ".join(sign.value for sign in told)

    @property
    def memory_type(self) -> MemoryType:
        """The type that most of the signs speak for; a fact if none does."""
        return max(TYPES, key=lambda each: START[each] + sum(TYPES[each].get(sign, 0) for sign in self.signs))

    @property
    def kind(self) -> Kind:
        """The kind its type stands for; of facts, the first one that a sign speaks for."""
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
UNWORTHY = Judgement(-9, frozenset())


def judge(text: str, span: Span, role: Speaker, *, opening: bool = False, acknowledged: bool = False) -> Judgement:
    """The verdict on one sentence of a turn. A question is never worth keeping, unless it asks for that itself."""
    sentence = text[span[0] : span[1]]
    if is_question(sentence) and not cues.asking_to_note(sentence):
        return UNWORTHY
    said = cues.words(sentence)
    boxed = text[span[0] - 2 : span[0]] == "] " and _BOX.search(text, max(0, span[0] - 12), span[0]) is not None
    if role is Speaker.ASSISTANT and not boxed:
        return _of_assistant(sentence, said)
    short = cues.length(sentence, said) < FEWEST_WORDS and not boxed
    if short and not any(cues.may_tell(sign, said, sentence) for sign in _TELLING_IF_SHORT):
        return UNWORTHY
    signs = signs_of(sentence, said)
    if boxed:
        return Judgement(ENOUGH, frozenset({*signs, Sign.LISTED}))
    if opening:
        signs.append(Sign.OPENING)
    if acknowledged:
        signs.append(Sign.ACKNOWLEDGED)
    return Judgement(sum(POINTS.get(sign, 0) for sign in signs), frozenset(signs))


def is_question(sentence: str) -> bool:
    """By its last mark, behind which only quotes and brackets may stand, or by the last word where that tells it."""
    bare = sentence.rstrip(_AFTER_THE_MARK)
    return bare.endswith(("?", "？")) or bare.rstrip("。").endswith(("か", "かな", "吗", "嗎", "呢"))


def _of_assistant(sentence: str, said: list[str]) -> Judgement:
    """Kept only if it names a cause that was found; most sentences are out after one look at their words."""
    if cues.length(sentence, said) < ASSISTANT_WORDS or not cues.may_tell(Sign.CAUSE, said, sentence):
        return UNWORTHY
    signs = frozenset(signs_of(sentence, said))
    return Judgement(ENOUGH, signs) if Sign.CAUSE in signs and signs.isdisjoint(_NOT_FOUND) else UNWORTHY


def signs_of(sentence: str, said: list[str]) -> list[Sign]:
    """What speaks for and against a sentence, by the words behind its lead-in.

    Some cues count as the first word only, and a setting as one of the first two: further on they are mentioned in
    passing, not what the sentence is.
    """
    start = cues.lead_in(sentence)
    words = cues.words(sentence[start:]) if start else said
    told = cues.find(words, sentence)
    if start and Sign.MOCKERY in cues.find(said):  # "oh great", "na toll": the lead-in is what tells it
        told[Sign.MOCKERY] = 0
    signs = [
        sign
        for sign, place in told.items()
        if place == 0 or (sign not in _FIRST_WORD_ONLY and (place == 1 or sign is not Sign.SETTING))
    ]
    if told.get(Sign.ADDRESS, 9) <= 1:
        signs.append(Sign.ORDER)
    if _NUMBER.search(sentence):
        signs.append(Sign.NUMBER)
    if (Sign.DATE in told or "may" in words or "-" in sentence) and _DAY.search(sentence):
        signs += [Sign.DAY] if Sign.DATE in told else [Sign.DAY, Sign.DATE]
    if words:
        signs += _of_length(cues.length(sentence[start:], words))
        if words[0] in cues.LEANING and told.get(Sign.TASK) != 0:  # "il faut", "es fehlt" lean on nothing
            signs.append(Sign.LEANING)
    if _NAME.search(sentence, 1):
        signs.append(Sign.NAME)
    if sentence.endswith(("...", "…")):
        signs.append(Sign.TRAILING)
    return signs


def _of_length(count: int) -> tuple[Sign, ...]:
    if count <= FEWEST_WORDS:
        return (Sign.SHORTEST,)
    if count <= 5:
        return (Sign.SHORTER,)
    if count <= 8:
        return (Sign.SHORT,)
    return (Sign.LONG,) if count >= 14 else ()
