"""Sentences of a stretch of prose, as places in the text they come from."""

import re
from collections.abc import Iterator

from commonplace import deadline
from commonplace.sessions.distil.prose import Span

SENTENCE_CHARACTERS = 600  # beyond it, it is a dump and nobody's sentence
LONGEST_ABBREVIATION = 8

# Tried at the first mark of a run only: from any later one the rest of the run looks the same.
_END = re.compile(
    r"[.!?…。！？｡](?:(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+[\"'”“»’)\]]*+(?=\s|$)|(?<=[。！？｡])[。！？｡]*+[」』”]?)"
)
_ORDINAL = re.compile(r"\d{1,2}\.$")
_LIST_BEGINS = frozenset(":;,(-–")
_DAY_AND_MONTH = re.compile(r"\d{1,2}\.\d{1,2}\.$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]?\.?$")
_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof st vs etc e.g i.e eg ie approx fig inc ltd dept jan feb apr aug sept oct nov
    bzw ca z.b d.h u.a usw evtl ggf nr inkl exkl zzgl vgl bspw sog
    sr sra srta dra uds pág núm aprox p.ej ej mme mlle cf p.ex tél""".split()
)
_MONTHS = frozenset(
    """januar februar märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul aug
    sep okt nov dez und bis oder quartal stock etage klasse semester jahrhundert""".split()
)


def sentences(text: str, span: Span) -> Iterator[Span]:
    """The sentences of a span, without the blanks around them."""
    start, stop = span
    for end in deadline.each(_END.finditer(text, start, stop)):
        if end[0][0] == "." and len(end[0]) == 1 and _goes_on(text, start, end.end(), stop):
            continue
        yield from _trimmed(text, start, end.end())
        start = end.end()
    yield from _trimmed(text, start, stop)


def _goes_on(text: str, start: int, end: int, stop: int) -> bool:
    """Whether a full stop ends an abbreviation or an ordinal rather than a sentence."""
    if end == stop:
        return False
    following = text[end : min(stop, end + 24)].split(None, 1)
    word = text[max(start, end - 24) : end].rsplit(maxsplit=1)[-1].lstrip("(\"'„“«")
    if not following or len(word) > LONGEST_ABBREVIATION:
        return False
    bare = word.rstrip(".").casefold()
    if bare in _ABBREVIATIONS or (len(word) > 2 and _DOTTED.match(word) is not None):
        return True
    if len(bare) == 1 and bare.isalpha():
        # An initial, or the first half of an abbreviation in two parts.
        return following[0][:1].isupper() if word[0].isupper() else following[0][1:] == "."
    lowered = following[0].strip(".,;:").casefold()
    if _DAY_AND_MONTH.match(word):
        return following[0][:1].islower()
    if _ORDINAL.match(word) is None:
        return False
    before = text[max(start, end - len(word) - 2) : end - len(word)].strip()
    counts = not before or before in _LIST_BEGINS  # a number that counts what follows: "Failover: 1. stop writes"
    goes_on = f"{int(bare) - 1}. " in text[start:end]  # and the next one: "1. stop writes 2. promote the replica"
    return counts or goes_on or lowered in _MONTHS


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end <= start + SENTENCE_CHARACTERS:
        yield start, end
