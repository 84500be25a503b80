"""Turns in, memories out: the sentences of a conversation that will still matter, by rules that can be read."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record
from commonplace.sessions.distil import cues
from commonplace.sessions.distil.judging import UNWORTHY, Judgement, judge
from commonplace.sessions.distil.keeping import Choice, Shelf
from commonplace.sessions.distil.prose import NOTHING_OPEN, Span, left_open, passages
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse

RETRACTION_WORDS = 8


class Item(Record):
    """A sentence worth remembering, as it was written, with the turn it is from and the signs that chose it."""

    text: str
    memory_type: MemoryType
    kind: Kind
    turn: int
    reason: str


class Judged(NamedTuple):
    """A sentence of a turn with the verdict on it. A tuple: there are millions of them in a long transcript."""

    number: int
    turn: Turn
    span: Span
    verdict: Judgement

    @property
    def sentence(self) -> str:
        return self.turn.text[self.span[0] : self.span[1]]


def distil(turns: Iterable[Turn]) -> tuple[Item, ...]:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items."""
    shelf = Shelf()
    secrecy = Secrecy()
    corrected_in = -1
    for judged in judged_sentences(turns):
        number, turn, span, verdict = judged
        if verdict is UNWORTHY:
            continue
        if turn.role is not Speaker.ASSISTANT and _corrects(judged):
            corrected_in = number
        if Sign.RETRACTED in verdict.signs and len(cues.words(judged.sentence)) <= RETRACTION_WORDS:
            shelf.retract(number)
            continue
        if not verdict.kept:
            continue
        text = collapse(judged.sentence)
        if text not in shelf and not secrecy.covers(turn.text, span):
            shelf.put(Choice(text, number, verdict), corrects=corrected_in == number)
    return tuple(
        Item(chosen.text, chosen.verdict.memory_type, chosen.verdict.kind, chosen.turn, chosen.verdict.reason)
        for chosen in shelf.choices()
    )


def judged_sentences(turns: Iterable[Turn]) -> Iterator[Judged]:
    """Every sentence somebody said in their own words, with the verdict on it."""
    inside = NOTHING_OPEN
    for number, (turn, following) in enumerate(_with_following(turns)):
        inside = inside if turn.goes_on else NOTHING_OPEN
        acknowledged = _acknowledged(turn, following)
        for passage in passages(turn.text, inside):
            for span in sentences(turn.text, passage):
                verdict = judge(turn.text, span, turn.role, opening=number == 0, acknowledged=acknowledged)
                yield Judged(number, turn, span, verdict)
        if following is not None and following.goes_on:
            inside = left_open(turn.text, inside)


def _with_following(turns: Iterable[Turn]) -> Iterator[tuple[Turn, Turn | None]]:
    before: Turn | None = None
    for turn in turns:
        if before is not None:
            yield before, turn
        before = turn
    if before is not None:
        yield before, None


def _acknowledged(turn: Turn, following: Turn | None) -> bool:
    """Whether the assistant answered by taking note."""
    if following is None or following.role is not Speaker.ASSISTANT or turn.role is Speaker.ASSISTANT:
        return False
    return cues.acknowledges(following.text)


def _corrects(judged: Judged) -> bool:
    return Sign.TAKEN_BACK in judged.verdict.signs or cues.denies(judged.sentence)
