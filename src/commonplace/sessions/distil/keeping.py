"""What is kept of the sentences chosen so far: each thing once, and the last word on it."""

import re
from collections import Counter, deque

from commonplace.domain.record import Record
from commonplace.sessions.distil.judging import Judgement
from commonplace.sessions.distil.learned import Opinion
from commonplace.text import content_terms
from commonplace.text.nearness import WORDS_NEAR, overlap, same_substance

SHARED_FOR_CORRECTION = 0.5  # of the telling words of the shorter sentence
SHARED_IN_ONE_TURN = 0.3
RECENT_PER_TERM = 4
RETRACTION_REACH_TURNS = 2

_NUMBER = re.compile(r"\d+")


class Choice(Record):
    """A sentence that was chosen: where it stood, and why."""

    text: str
    quote: str
    turn: int
    verdict: Judgement
    opinion: Opinion
    corrects: bool


class Shelf:
    """Choices in order of the conversation, without repeats and without what was corrected later."""

    def __init__(self) -> None:
        self._choices: list[Choice | None] = []
        self._terms: list[frozenset[str]] = []
        self._recent: dict[str, deque[int]] = {}
        self._texts: set[str] = set()
        self._last = -1  # behind it nothing stands any more

    def __contains__(self, text: str) -> bool:
        """Whether these very words were put here before, kept since or not."""
        return text in self._texts

    def put(self, choice: Choice, *, corrects: bool) -> None:
        """Add a choice unless it repeats one; what it restates in full or corrects gives way."""
        terms = frozenset(content_terms(choice.text))
        for place, known in self._sharing(terms):
            other = self._terms[place]
            if (terms <= other or overlap(terms, other) >= WORDS_NEAR) and _same(known.text, choice.text):
                return
            if other <= terms or (corrects and self._corrected(known, other, choice, terms)):
                self._choices[place] = None
        self._texts.add(choice.quote)
        self._choices.append(choice)
        self._last = len(self._choices) - 1
        self._terms.append(terms)
        for term in terms:
            self._recent.setdefault(term, deque(maxlen=RECENT_PER_TERM)).append(len(self._choices) - 1)

    def _corrected(self, known: Choice, other: frozenset[str], choice: Choice, terms: frozenset[str]) -> bool:
        """Whether a correction is about this: said in the same breath, or mostly in the same words."""
        share = len(terms & other) / min(len(terms), len(other))
        least = SHARED_IN_ONE_TURN if known.turn == choice.turn else SHARED_FOR_CORRECTION
        return share >= least and not _same(known.text, choice.text)

    def retract(self, turn: int) -> None:
        """Take the last choice away, if it was made just now."""
        while self._last >= 0 and self._choices[self._last] is None:
            self._last -= 1
        choice = self._choices[self._last] if self._last >= 0 else None
        if choice is not None and turn - choice.turn <= RETRACTION_REACH_TURNS:
            self._choices[self._last] = None

    def choices(self) -> list[Choice]:
        """What is still kept, in the order of the conversation."""
        return [choice for choice in self._choices if choice is not None]

    def _sharing(self, terms: frozenset[str]) -> list[tuple[int, Choice]]:
        """Choices that have enough words in common to be about the same, oldest first."""
        counts = Counter(place for term in terms for place in self._recent.get(term, ()))
        found = []
        for place, count in counts.items():
            choice = self._choices[place]
            if choice is not None and count >= SHARED_IN_ONE_TURN * min(len(terms), len(self._terms[place])):
                found.append((place, choice))
        return sorted(found, key=lambda each: each[0])


def _same(known: str, text: str) -> bool:
    """Whether two sentences agree in substance; other numbers settle it without a closer look."""
    return _NUMBER.findall(known) == _NUMBER.findall(text) and same_substance(known, text)
