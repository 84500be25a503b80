"""A digest of a conversation without a model: sentences that were said, chosen and put in their order."""

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import nlargest
from math import log

from commonplace.domain.record import Record
from commonplace.sessions.distil.cues import lead_in, words
from commonplace.sessions.distil.features import Judged
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.selecting import judged_sentences
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms

SENTENCES_WEIGHED = 1_000
"""Of a longer conversation only the best so many sentences are weighed against each other."""

SUMMARY_CHARACTERS = 1_200
LABEL_CHARACTERS = 80
FEWEST_WORDS = 4
REPEATED_SHARE = 0.6  # of its telling words that a sentence may share with those already taken
POINTS_AT_LEAST = -1  # where the verdict did not care, as for most of what an assistant says
POINTS_AT_MOST = 6


class _Weighed(Record):
    """A sentence that may enter the summary."""

    place: int
    text: str
    points: int
    terms: frozenset[str]


def summarise(turns: Iterable[Turn], limit: int = SUMMARY_CHARACTERS) -> str:
    """The sentences that say most about a conversation, in its order, in at most `limit` characters."""
    weighed = nlargest(SENTENCES_WEIGHED, _sentences(turns), key=lambda each: (each.points, -each.place))
    common = Counter(term for each in weighed for term in each.terms)

    def worth(each: _Weighed) -> float:
        centre = sum(log(common[term]) for term in each.terms) / max(1, len(each.terms))
        return each.points + 2 * centre

    taken: list[_Weighed] = []
    covered: set[str] = set()
    left = limit + 1  # the last sentence has no blank behind it
    for each in sorted(weighed, key=lambda each: (-worth(each), each.place)):
        repeats = len(each.terms & covered) > REPEATED_SHARE * len(each.terms)
        if not repeats and len(each.text) < left:
            taken.append(each)
            covered |= each.terms
            left -= len(each.text) + 1
    return " ".join(each.text for each in sorted(taken, key=lambda each: each.place))


def label(turns: Iterable[Turn], limit: int = LABEL_CHARACTERS) -> str:
    """What a conversation was about, in a line: the first thing its user said that is more than a greeting."""
    secrecy = Secrecy()
    for judged in judged_sentences(turns):
        if judged.turn.role is not Speaker.ASSISTANT and _says_something(judged, secrecy):
            text = collapse(judged.sentence)
            text = text[lead_in(text) :] or text
            return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"
    return ""


def _sentences(turns: Iterable[Turn]) -> Iterator[_Weighed]:
    secrecy = Secrecy()
    for place, judged in enumerate(judged_sentences(turns)):
        if not is_question(judged.sentence) and _says_something(judged, secrecy):
            points = max(POINTS_AT_LEAST, min(POINTS_AT_MOST, judged.verdict.points))
            yield _Weighed(place, collapse(judged.sentence), points, frozenset(content_terms(judged.sentence)))


def _says_something(judged: Judged, secrecy: Secrecy) -> bool:
    return len(words(judged.sentence)) >= FEWEST_WORDS and not secrecy.covers(judged.turn.text, judged.span)
