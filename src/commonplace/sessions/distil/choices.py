"""What a user chose in answer to an assistant: too short to be worth keeping by itself, and decided all the same."""

import re
from collections.abc import Iterator, Sequence

from commonplace import deadline
from commonplace.domain.memory import Kind
from commonplace.sessions.distil.cues import LEANING, words
from commonplace.sessions.distil.handover import Around, Said, by_turn, is_given_up, is_specific, opened, tells
from commonplace.sessions.distil.items import Item, type_of
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.wording import statement
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms

LONGEST = 20  # words: who chooses does not explain at length
SHORTEST = 2
ALONE = 4  # words from which a choice is understood without its question
EXPLAINED = 10  # words from which what follows a yes or a no is more than a remark
_NOT_MEANT = ("PARTING", "SMALL_TALK", "IDEAS", "TRIES", "OPEN", "DROPS")
_SELF = frozenset("i i'm i've i'd i'll me my you you're ich du yo je io eu".split())
_BARE = frozenset("first then next now done zuerst".split())
_CHOSEN = re.compile(r"(?:\bthen|\binstead|\bit is|\bdann|\bstattdessen)[.!]{0,3}$", re.IGNORECASE)
_TAKES = re.compile(
    r"(?:let's (?:take|use|go|keep|stick|stay)|we(?:'ll| will)? (?:use|take|go with|keep)|go with|nehmen wir"
    r"|wir nehmen)\b",
    re.I,
)
_WILL = re.compile(
    r"I(?:'ll| will) (?:ask|check|send|write|raise|file|bring|talk|tell|call|email|order|book|prepare|test)\b", re.I
)
_COUNTED = re.compile(r"\b\d{1,9}\b(?![.:/-]\d)")
_LEAD = re.compile(r"\s*(?:then|dann|also|and|und|but)\s+", re.I)
REASON = "chosen in answer to what was offered"


def choices(turns: Sequence[Turn]) -> Iterator[Item]:
    """What users choose in so many words or in answer, with the question where it says nothing without."""
    secrecy = Secrecy()
    talk = list(by_turn(turns))
    for number, of_turn in enumerate(deadline.each(talk)):
        before = talk[number - 1] if number else []
        if of_turn[0].turn.role is not Speaker.USER or (before and before[0].turn.role is not Speaker.ASSISTANT):
            continue
        if is_given_up(talk[number + 1 : number + 3]):
            continue
        for place, said in enumerate(of_turn):
            found = _chosen(said, Around(of_turn[: min(place, 1)], before, len(turns)))
            if found is not None and not secrecy.covers(said.turn.text, said.span):
                yield found


def _chosen(said: Said, around: Around) -> Item | None:
    quote = collapse(said.text)
    text = statement(opened(quote))
    text = text[lead.end() :] if (lead := _LEAD.match(text)) else text
    found = words(text)
    if is_question(quote) or not SHORTEST <= len(found) <= LONGEST or not content_terms(text):
        return None
    if any(tells(quote, table) for table in _NOT_MEANT):
        return None
    kind = Kind.TASK if _WILL.match(text) else Kind.DECISION
    if kind is Kind.DECISION and not _chooses(quote, text, found, around):
        return None
    if len(found) < ALONE and around.question:
        text = f"{around.question} {text}"
    return Item(text, type_of(kind), kind, said.number, REASON, quote)


def _chooses(quote: str, text: str, found: Sequence[str], around: Around) -> bool:
    if _TAKES.match(text):
        return bool(around.before) or is_specific(text)
    starts = found[0] in LEANING or found[0] in _SELF or found[0] in _BARE
    if not around.before or starts or text.endswith(":") or "[" in text:
        return False
    if _CHOSEN.search(quote):
        return True
    opens = len(text) < len(quote) and tells(quote[: len(quote) - len(text)], "AGREES")
    if opens:
        return is_specific(text) and len(found) >= ALONE
    return around.agreed and len(found) >= EXPLAINED and _COUNTED.search(text) is not None
