"""Turns in, memories out: the sentences of a conversation that will still matter, by rules and a learned judge."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record
from commonplace.ports import Embedder
from commonplace.sessions.distil import cues, learned
from commonplace.sessions.distil.clauses import clauses
from commonplace.sessions.distil.digests import is_digest, noted, of_digest
from commonplace.sessions.distil.features import Judged, features
from commonplace.sessions.distil.judging import UNWORTHY, judge
from commonplace.sessions.distil.keeping import Choice, Shelf
from commonplace.sessions.distil.learned import DOUBTFUL, WISHED, Opinion, Sentence, Weights
from commonplace.sessions.distil.material import material
from commonplace.sessions.distil.prose import NOTHING_OPEN, Opening, Span, left_open, passages
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.distil.wording import statement
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse

RETRACTION_WORDS = 8
LEFT_OUT_AT_MOST = 200
AT_ONCE = 256  # sentences that the judge is asked about at a time
_NOT_MEANT = frozenset({Sign.QUESTION, Sign.HYPOTHESIS, Sign.MOCKERY, Sign.HEDGE, Sign.FICTION, Sign.ONCE})
_DOUBTFUL = frozenset({Sign.MOCKERY, Sign.FICTION, Sign.ONCE, Sign.HYPOTHESIS, Sign.HEDGE})


class Item(Record):
    """A statement worth remembering, the words it was said in, the turn they are from, and the signs that chose it."""

    text: str
    memory_type: MemoryType
    kind: Kind
    turn: int
    reason: str
    quote: str
    explicit: bool = False
    corrects: bool = False


class LeftOut(Record):
    """A sentence that was looked at and not kept, and why."""

    turn: int
    quote: str
    reason: str


class Distilled(Record):
    """What came of it: the items, why the rules had to choose them instead (if so), and what was not believed."""

    items: tuple[Item, ...]
    fell_back: str | None = None
    dropped: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


Looked = tuple[Judged, dict[str, float]]
"""A sentence that may be worth keeping or take something back, with what the judge is told about it."""


def distil(
    turns: Iterable[Turn], embedder: Embedder | None = None, progress: Callable[[int], None] = lambda turns: None
) -> Distilled:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items.

    `progress` hears now and then how many turns were read.
    """
    return chosen(worthy(turns), embedder, learned.shipped(), progress)


def worthy(turns: Iterable[Turn]) -> Iterator[Looked]:
    """The sentences that may be worth keeping or take something back, with what the judge is told about each."""
    for of_turn in judged_turns(turns):
        for place, judged in enumerate(of_turn):
            if judged.verdict is not UNWORTHY:
                yield judged, features(place, of_turn)


def chosen(
    looked_at: Iterable[Looked],
    embedder: Embedder | None,
    weights: Weights,
    progress: Callable[[int], None] = lambda turns: None,
) -> Distilled:
    """What is kept of the sentences that were looked at, by these weights."""
    judge_of_all = learned.Judge(embedder, weights)
    desk = _Desk()
    stream = iter(looked_at)
    while batch := list(islice(stream, AT_ONCE)):
        for (judged, _), opinion in zip(
            batch, judge_of_all.opinions([_asked(*looked) for looked in batch]), strict=True
        ):
            desk.take(judged, opinion)
        progress(batch[-1][0].number + 1)
    return desk.result()


class _Desk:
    """Where sentences are laid down one after another, in the order of the conversation."""

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._secrecy = Secrecy()
        self._left_out: list[LeftOut] = []
        self._corrected_in = -1

    def take(self, judged: Judged, opinion: Opinion) -> None:
        """Keep a sentence, leave it out, or take back what was kept before it."""
        number, turn, span, verdict, _ = judged
        if turn.role is not Speaker.ASSISTANT and takes_back(judged):
            self._corrected_in = number
        if Sign.RETRACTED in verdict.signs and len(cues.words(judged.sentence)) <= RETRACTION_WORDS:
            self._shelf.retract(number)
            return
        text = collapse(judged.sentence)
        if text in self._shelf:
            return
        secret = (opinion.kept or bool(verdict.reason)) and self._secrecy.covers(turn.text, span)
        if opinion.kept and not secret:
            corrects = self._corrected_in == number
            self._shelf.put(_choice(judged, opinion, text, corrects), corrects=corrects)
        elif verdict.reason and not secret and len(self._left_out) < LEFT_OUT_AT_MOST:
            self._left_out.append(LeftOut(number, text, verdict.against or "too little speaks for it"))

    def result(self) -> Distilled:
        """What is kept at the end, and what was left out."""
        return Distilled(tuple(_item(each) for each in self._shelf.choices()), left_out=tuple(self._left_out))


def _asked(judged: Judged, told: Mapping[str, float]) -> Sentence:
    """A sentence as the judge is asked about it."""
    wish = is_wish(judged, told)
    least = WISHED if wish else DOUBTFUL if is_doubtful(judged, told) else None
    if Sign.DIGESTED in judged.verdict.signs:
        least = 0.0
    return Sentence(collapse(judged.sentence), told, least, wish)


def _choice(judged: Judged, opinion: Opinion, text: str, corrects: bool) -> Choice:
    puts_right = corrects or (judged.turn.role is not Speaker.ASSISTANT and Sign.CORRECTION in judged.verdict.signs)
    return Choice(statement(text), text, judged.number, judged.verdict, opinion, puts_right)


def _item(choice: Choice) -> Item:
    kind = choice.opinion.kind
    return Item(
        choice.text,
        _TYPES.get(kind, MemoryType.FACT),
        kind,
        choice.turn,
        choice.verdict.reason or "like what others wanted kept",
        choice.quote,
        choice.opinion.explicit,
        choice.corrects,
    )


_TYPES = {kind: MemoryType(kind.value) for kind in (Kind.EVENT, Kind.INSTRUCTION, Kind.TASK)}


def judged_sentences(turns: Iterable[Turn]) -> Iterator[Judged]:
    """Every sentence somebody said in their own words, with the verdict on it."""
    return (judged for of_turn in judged_turns(turns) for judged in of_turn)


def judged_turns(turns: Iterable[Turn]) -> Iterator[list[Judged]]:
    """The same, turn by turn."""
    inside = NOTHING_OPEN
    asked = False
    for number, (turn, following) in enumerate(_with_following(turns)):
        inside = inside if turn.goes_on else NOTHING_OPEN
        acknowledged = _acknowledged(turn, following)
        if is_digest(turn) and not (following is not None and following.goes_on):
            yield [Judged(number, turn, span, of_digest(turn.text, span)) for span in noted(turn.text)]
        else:
            yield list(_judged(number, turn, inside, acknowledged, asked))
        asked = turn.role is Speaker.ASSISTANT and turn.text.rstrip()[-1:] in ("?", "？")
        if following is not None and following.goes_on:
            inside = left_open(turn.text, inside)


def _judged(number: int, turn: Turn, inside: Opening, acknowledged: bool, answers: bool) -> Iterator[Judged]:
    handed_over = material(turn.text) if turn.role is not Speaker.ASSISTANT else []
    for passage in passages(turn.text, inside):
        for span in parts(turn.text, passage):
            if any(span[0] < last and first < span[1] for first, last in handed_over):
                verdict = UNWORTHY
            else:
                verdict = judge(turn.text, span, turn.role, opening=number == 0, acknowledged=acknowledged)
            yield Judged(number, turn, span, verdict, answers)


def parts(text: str, passage: Span) -> Iterator[Span]:
    """What is judged on its own of a passage: sentences, or clauses of them."""
    return (clause for sentence in sentences(text, passage) for clause in clauses(text, sentence))


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


def takes_back(judged: Judged) -> bool:
    """Whether somebody takes back here what was said just before."""
    return Sign.TAKEN_BACK in judged.verdict.signs or cues.denies(judged.sentence)


def is_doubtful(judged: Judged, told: Mapping[str, float]) -> bool:
    """Whether it is likely not meant to last: a guess, a supposition, mockery, something made up."""
    if "apart" in told and "first person" not in told:
        return True
    return not judged.verdict.signs.isdisjoint(_DOUBTFUL)


def is_wish(judged: Judged, told: Mapping[str, float]) -> bool:
    """Whether a user says in so many words that it is to be remembered, holds for good or puts something right."""
    if judged.turn.role is Speaker.ASSISTANT or not judged.verdict.signs.isdisjoint(_NOT_MEANT):
        return False
    if "laughs" in told:
        return False
    return (
        "opens wish" in told
        or ("opens standing" in told and "order" in told)
        or ("denies" in told and "denied" in told)
    )
