"""What is kept of the sentences chosen so far: each thing once, and the last word on it."""

from collections import deque

from commonplace.distil.judging import Verdict
from commonplace.near import WORDS_NEAR, overlap, same_substance
from commonplace.record import Record
from commonplace.text import content_terms

SHARED_FOR_CORRECTION = 0.5  # of the telling words of the shorter sentence
RECENT_PER_TERM = 16
RETRACTION_REACH_TURNS = 2


class Choice(Record):
    """A sentence that was chosen: where it stood, and why."""

    text: str
    turn: int
    verdict: Verdict


class Shelf:
    """Choices in order of the conversation, without repeats and without what was corrected later."""

    def __init__(self) -> None:
        self._choices: list[Choice | None] = []
        self._terms: list[frozenset[str]] = []
        self._recent: dict[str, deque[int]] = {}

    def put(self, choice: Choice, *, corrects: bool) -> None:
        """Add a choice unless it repeats one; what it restates in full or corrects gives way."""
        terms = frozenset(content_terms(choice.text))
        for place in self._sharing(terms):
            known = self._choices[place]
            if known is None:
                continue
            other = self._terms[place]
            same = same_substance(known.text, choice.text)
            if same and (terms <= other or overlap(terms, other) >= WORDS_NEAR):
                return
            share = len(terms & other) / min(len(terms), len(other))
            beside = known.turn == choice.turn and corrects
            if other <= terms or (corrects and not same and share >= SHARED_FOR_CORRECTION) or (beside and share > 0.3):
                self._choices[place] = None
        self._choices.append(choice)
        self._terms.append(terms)
        for term in terms:
            self._recent.setdefault(term, deque(maxlen=RECENT_PER_TERM)).append(len(self._choices) - 1)

    def retract(self, turn: int) -> None:
        """Take the last choice away, if it was made just now."""
        for place in range(len(self._choices) - 1, -1, -1):
            choice = self._choices[place]
            if choice is not None:
                if turn - choice.turn <= RETRACTION_REACH_TURNS:
                    self._choices[place] = None
                return

    def choices(self) -> list[Choice]:
        return [choice for choice in self._choices if choice is not None]

    def _sharing(self, terms: frozenset[str]) -> list[int]:
        return sorted({place for term in terms for place in self._recent.get(term, ())})
