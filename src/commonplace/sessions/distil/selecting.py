"""Turns in, memories out: the sentences of a conversation that will still matter, by rules and a learned judge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record
from commonplace.ports import Embedder
from commonplace.sessions.distil import cues, learned
from commonplace.sessions.distil.clauses import clauses
from commonplace.sessions.distil.digests import is_digest, noted, of_digest
from commonplace.sessions.distil.features import Judged, features
from commonplace.sessions.distil.judging import UNWORTHY, judge
from commonplace.sessions.distil.keeping import Choice, Shelf
from commonplace.sessions.distil.learned import DOUBTFUL, WISHED, Opinion, Progress, Sentence, Weights
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


def distil(
    turns: Iterable[Turn], embedder: Embedder | None = None, progress: Progress = lambda done, total: None
) -> Distilled:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items."""
    return chosen(list(worthy(turns)), embedder, learned.shipped(), progress)


def worthy(turns: Iterable[Turn]) -> Iterator[tuple[Judged, dict[str, float]]]:
    """The sentences that may be worth keeping or take something back, with what the judge is told about each."""
    for of_turn in judged_turns(turns):
        for place, judged in enumerate(of_turn):
            if judged.verdict is not UNWORTHY:
                yield judged, features(place, of_turn)


def chosen(
    looked_at: Sequence[tuple[Judged, dict[str, float]]],
    embedder: Embedder | None,
    weights: Weights,
    progress: Progress = lambda done, total: None,
) -> Distilled:
    """What is kept of the sentences that were looked at, by these weights."""
    asked = [_asked(judged, told) for judged, told in looked_at]
    found = learned.opinions(asked, embedder, weights, progress)
    shelf = Shelf()
    secrecy = Secrecy()
    left_out: list[LeftOut] = []
    corrected_in = -1
    for (judged, _), opinion in zip(looked_at, found, strict=True):
        number, turn, span, verdict, _ = judged
        if turn.role is not Speaker.ASSISTANT and takes_back(judged):
            corrected_in = number
        if Sign.RETRACTED in verdict.signs and len(cues.words(judged.sentence)) <= RETRACTION_WORDS:
            shelf.retract(number)
            continue
        text = collapse(judged.sentence)
        if not opinion.kept:
            _leave_out(left_out, judged, text)
        elif text not in shelf:
            if secrecy.covers(turn.text, span):
                continue
            shelf.put(_choice(judged, opinion, text, corrected_in == number), corrects=corrected_in == number)
    return Distilled(tuple(_item(each) for each in shelf.choices()), left_out=tuple(left_out))


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


def _leave_out(left_out: list[LeftOut], judged: Judged, text: str) -> None:
    if len(left_out) < LEFT_OUT_AT_MOST and judged.verdict.reason:
        left_out.append(LeftOut(judged.number, text, judged.verdict.against or "too little speaks for it"))


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
        if is_digest(turn):
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
    return "opens wish" in told or ("opens standing" in told and "order" in told) or ("denies" in told and "denied" in told)
