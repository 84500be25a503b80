"""Turns in, memories out: the sentences of a conversation that will still matter, by rules that can be read."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from commonplace.distil import cues
from commonplace.distil.cues import Sign
from commonplace.distil.judging import Verdict, judge
from commonplace.distil.keeping import Choice, Shelf
from commonplace.distil.prose import NOTHING_OPEN, Span, left_open, passages
from commonplace.distil.secrecy import Secrecy
from commonplace.distil.sentences import sentences
from commonplace.memory import Kind, MemoryType
from commonplace.record import Record
from commonplace.text import collapse
from commonplace.transcripts import Role, Turn

RETRACTION_WORDS = 8
_DENIALS = frozenset("no nope nein nee ne non".split())


class Item(Record):
    """A sentence worth remembering, as it was written, with the turn it is from and the signs that chose it."""

    text: str
    memory_type: MemoryType
    kind: Kind
    turn: int
    reason: str


class Judged(Record):
    """A sentence of a turn with the verdict on it."""

    turn: int
    role: Role
    text: str
    span: Span
    verdict: Verdict


def distil(turns: Iterable[Turn]) -> tuple[Item, ...]:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items."""
    shelf = Shelf()
    secrecy = Secrecy()
    corrected_in = -1
    for judged in judged_sentences(turns):
        signs = judged.verdict.signs
        if judged.role is not Role.ASSISTANT and _corrects(judged):
            corrected_in = judged.turn
        if Sign.RETRACTED in signs and len(cues.words(_text(judged))) <= RETRACTION_WORDS:
            shelf.retract(judged.turn)
        elif judged.verdict.kept and not secrecy.covers(judged.text, judged.span):
            choice = Choice(collapse(_text(judged)), judged.turn, judged.verdict)
            shelf.put(choice, corrects=corrected_in == judged.turn)
    return tuple(
        Item(chosen.text, chosen.verdict.memory_type, chosen.verdict.kind, chosen.turn, chosen.verdict.reason)
        for chosen in shelf.choices()
    )


def judged_sentences(turns: Iterable[Turn]) -> Iterator[Judged]:
    """Every sentence somebody said in their own words, with the verdict on it."""
    inside = NOTHING_OPEN
    number = 0
    for turn, following in _with_following(turns):
        inside = inside if turn.goes_on else NOTHING_OPEN
        acknowledged = (
            following is not None and following.role is Role.ASSISTANT and turn.role is not Role.ASSISTANT
        ) and cues.acknowledges(following.text)
        for passage in passages(turn.text, inside):
            for span in sentences(turn.text, passage):
                verdict = judge(turn.text, span, turn.role, opening=number == 0, acknowledged=acknowledged)
                yield Judged(number, turn.role, turn.text, span, verdict)
        inside = left_open(turn.text, inside)
        number += 1


def _with_following(turns: Iterable[Turn]) -> Iterator[tuple[Turn, Turn | None]]:
    def ended() -> Iterator[Turn | None]:
        yield from turns
        yield None

    for turn, following in pairwise(ended()):
        if turn is not None:
            yield turn, following


def _text(judged: Judged) -> str:
    return judged.text[judged.span[0] : judged.span[1]]


def _corrects(judged: Judged) -> bool:
    first = cues.words(_text(judged)[:12])[:1]
    return Sign.TAKEN_BACK in judged.verdict.signs or (bool(first) and first[0] in _DENIALS)
