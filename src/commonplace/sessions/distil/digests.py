"""A digest: a text that nobody speaks, in which somebody has distilled already. It is taken line by line."""

import re
from collections.abc import Iterator

from commonplace.sessions.distil import cues
from commonplace.sessions.distil.judging import ENOUGH, UNWORTHY, Judgement, is_question, signs_of
from commonplace.sessions.distil.prose import Span, injected_spans, passages
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.transcripts import Speaker, Turn

DIGEST_CHARACTERS = 20_000
"""A longer text is no digest: nobody distils so much."""

HEADING_WORDS = 6
FEWEST_WORDS = 3

_LISTED = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s")
_ENDED = re.compile(r"[.!?…。！？][\"'”“»’)\]*_]*$")
_NOT_STATED = frozenset({Sign.CHATTER, Sign.MOCKERY, Sign.RETRACTED})


def is_digest(turn: Turn) -> bool:
    """Whether nobody speaks here, and it is short enough for somebody to have written it down as a digest."""
    return (
        turn.role is Speaker.UNKNOWN
        and len(turn.text) <= DIGEST_CHARACTERS
        and not turn.goes_on
        and not injected_spans(turn.text)[0]
    )


def noted(text: str) -> Iterator[Span]:
    """What a digest notes: each point of a list as a whole, else sentence by sentence; headings are left out."""
    for passage in passages(text):
        if _is_listed(text, passage):
            yield passage
        elif not _is_heading(text, passage):
            yield from sentences(text, passage)


def of_digest(text: str, span: Span) -> Judgement:
    """The verdict on one note: it is kept unless it states nothing."""
    sentence = text[span[0] : span[1]]
    said = cues.words(sentence)
    signs = frozenset(signs_of(sentence, said))
    if is_question(sentence) or cues.length(sentence, said) < FEWEST_WORDS or not signs.isdisjoint(_NOT_STATED):
        return UNWORTHY
    return Judgement(ENOUGH, frozenset({*signs, Sign.DIGESTED}))


def _is_listed(text: str, passage: Span) -> bool:
    start = text.rfind("\n", 0, passage[0]) + 1
    return bool(text[start : passage[0]].strip())


def _is_heading(text: str, passage: Span) -> bool:
    """Whether a line of its own only says what the lines below it are about."""
    line = text[passage[0] : passage[1]].strip()
    if line.endswith((":", "：")):
        return True
    if cues.length(line, cues.words(line)) > HEADING_WORDS or _ENDED.search(line):
        return False
    below = text[passage[1] :].lstrip("\r\n")
    return bool(below) and (_LISTED.match(below) is not None or text[passage[1] :].startswith(("\n\n", "\r\n\r\n")))
