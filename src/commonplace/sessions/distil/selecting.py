"""Turns in, memories out: the sentences of a conversation that will still matter, by rules that can be read."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record
from commonplace.ports import Embedder
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
LEFT_OUT_LIMIT = 200


class Item(Record):
    """A statement worth remembering, with its turn, the signs that chose it, and the words as they were said.

    `explicit` is a wish, a standing rule or a correction that a user put in so many words; `corrects` takes back or
    replaces something said or known before.
    """

    text: str
    memory_type: MemoryType
    kind: Kind
    turn: int
    reason: str
    quote: str
    explicit: bool = False
    corrects: bool = False


class LeftOut(Record):
    """A sentence that was looked at and not kept."""

    turn: int
    quote: str
    reason: str


class Distilled(Record):
    """What came of it: the items, why the rules had to choose them instead (if so), what was not believed, and what was
    looked at and left out."""

    items: tuple[Item, ...]
    fell_back: str | None = None
    dropped: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class Judged(NamedTuple):
    """A sentence of a turn with the verdict on it. A tuple: there are millions of them in a long transcript."""

    number: int
    turn: Turn
    span: Span
    verdict: Judgement

    @property
    def sentence(self) -> str:
        return self.turn.text[self.span[0] : self.span[1]]


def distil(turns: Iterable[Turn], embedder: Embedder | None = None) -> Distilled:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items."""
    shelf = Shelf()
    secrecy = Secrecy()
    corrected_in = -1
    corrections: set[int] = set()
    left_out: list[LeftOut] = []
    for judged in judged_sentences(turns):
        number, turn, span, verdict = judged
        if verdict is UNWORTHY:
            continue
        if turn.role is not Speaker.ASSISTANT and _corrects(judged):
            corrected_in = number
            corrections.add(number)
        if Sign.RETRACTED in verdict.signs and len(cues.words(judged.sentence)) <= RETRACTION_WORDS:
            shelf.retract(number)
            continue
        if not verdict.kept:
            if verdict.reason and len(left_out) < LEFT_OUT_LIMIT and not secrecy.covers(turn.text, span):
                left_out.append(LeftOut(number, collapse(judged.sentence), f"too little: {verdict.reason}"))
            continue
        text = collapse(judged.sentence)
        if text not in shelf and not secrecy.covers(turn.text, span):
            shelf.put(Choice(text, number, verdict), corrects=corrected_in == number)
    items = tuple(_item(chosen, chosen.turn in corrections) for chosen in shelf.choices())
    return Distilled(items, left_out=tuple(left_out))


def _item(chosen: Choice, corrects: bool) -> Item:
    verdict = chosen.verdict
    explicit = corrects or Sign.RULE in verdict.signs
    return Item(
        chosen.text, verdict.memory_type, verdict.kind, chosen.turn, verdict.reason, chosen.text, explicit, corrects
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
