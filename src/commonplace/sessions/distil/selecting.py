"""Turns in, memories out: the sentences of a conversation that will still matter, by rules and a learned judge."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from commonplace.domain.memory import Kind
from commonplace.domain.record import replace
from commonplace.ports import Embedder
from commonplace.sessions.distil import cues, learned
from commonplace.sessions.distil.choices import choices
from commonplace.sessions.distil.clauses import clauses
from commonplace.sessions.distil.digests import is_digest, kinds_by_heading, noted, of_digest
from commonplace.sessions.distil.features import Judged, Told, told_of
from commonplace.sessions.distil.items import Distilled, Item, LeftOut, type_of
from commonplace.sessions.distil.judging import UNWORTHY, judge
from commonplace.sessions.distil.keeping import Choice, Shelf
from commonplace.sessions.distil.kinds import kind_of
from commonplace.sessions.distil.learned import OF_ASSISTANT, RULED, UNDER_WAY, Opinion, Sentence, Weights
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
_OF_THE_MOMENT = frozenset({"turn piece", "turn counted", "turn notice", "turn arrow", "within quotes", "people say"})
_NOTED = frozenset({Sign.DIGESTED, Sign.LISTED})
_SAYS_SO = frozenset({Sign.WISH, Sign.STANDING, Sign.RULE, Sign.EXCLUSION, Sign.CORRECTION})


Looked = tuple[Judged, Told]
"""A sentence that may be worth keeping or take something back, with what the judge is told about it."""


def distil(
    turns: Iterable[Turn], embedder: Embedder | None = None, progress: Callable[[int], None] = lambda turns: None
) -> Distilled:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items.

    `progress` hears now and then how many turns were read.
    """
    said = list(turns)
    found = chosen(worthy(said), embedder, learned.shipped(), progress)
    quotes = {(item.turn, item.quote) for item in found.items}
    more = [each for each in choices(said) if not any(_within(each, *quote) for quote in quotes)]
    items = tuple(sorted((*_headed(found.items, said), *more), key=lambda item: item.turn))
    taken = {(item.turn, item.quote) for item in more}
    left_out = tuple(each for each in found.left_out if (each.turn, each.quote) not in taken)
    return replace(found, items=items, left_out=left_out)


def _headed(items: Sequence[Item], turns: Sequence[Turn]) -> Iterator[Item]:
    """The items, those of a digest as what their headings say they are, unless their form says it."""
    headings = {item.turn: kinds_by_heading(turns[item.turn].text) for item in items if is_digest(turns[item.turn])}
    for item in items:
        lines = headings.get(item.turn, {})
        kind = next((kind for line, kind in lines.items() if item.quote in line), None)
        kind = item.kind if kind is None else kind_of(item.text, kind)
        yield item if kind is item.kind else replace(item, kind=kind, memory_type=type_of(kind))


def _within(item: Item, turn: int, quote: str) -> bool:
    """Whether of two sentences of a turn one is a part of the other."""
    return item.turn == turn and (item.quote in quote or quote in item.quote)


def worthy(turns: Iterable[Turn]) -> Iterator[Looked]:
    """The sentences that may be worth keeping or take something back, with what the judge is told about each."""
    for of_turn in judged_turns(turns):
        yield from told_of(of_turn)


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


def _asked(judged: Judged, told: Told) -> Sentence:
    """A sentence as the judge is asked about it."""
    says_so = not judged.verdict.signs.isdisjoint(_SAYS_SO)
    wish = is_wish(judged, told.features)
    least = None
    if not judged.verdict.signs.isdisjoint(_NOTED):
        least = 0.0
    elif judged.turn.role is Speaker.ASSISTANT:
        least = OF_ASSISTANT
    elif "asks to note" in told.features:
        least = 0.0
    elif is_rule(judged, told.features):
        least = RULED
    in_passing = judged.number >= UNDER_WAY and "alone" not in told.features and not (says_so or wish)
    return Sentence(collapse(judged.sentence), told.features, least, in_passing, wish, says_so, told.words)


def _choice(judged: Judged, opinion: Opinion, text: str, corrects: bool) -> Choice:
    puts_right = corrects or (judged.turn.role is not Speaker.ASSISTANT and Sign.CORRECTION in judged.verdict.signs)
    return Choice(statement(text), text, judged.number, judged.verdict, opinion, puts_right)


def _item(choice: Choice) -> Item:
    listed = Sign.LISTED in choice.verdict.signs
    kind = Kind.TASK if listed else kind_of(choice.text, choice.opinion.kind)
    return Item(
        choice.text,
        type_of(kind),
        kind,
        choice.turn,
        choice.verdict.reason or "like what others wanted kept",
        choice.quote,
        choice.opinion.explicit,
        choice.corrects,
    )


def judged_turns(turns: Iterable[Turn]) -> Iterator[list[Judged]]:
    """Every sentence somebody said in their own words, with the verdict on it, turn by turn."""
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


def is_rule(judged: Judged, told: Mapping[str, float]) -> bool:
    """Whether it opens as a standing rule does, and is about no piece of work at hand and nothing made up."""
    if "opens standing" not in told or Sign.RULE not in judged.verdict.signs:
        return False
    return _OF_THE_MOMENT.isdisjoint(told) and judged.verdict.signs.isdisjoint(_NOT_MEANT | {Sign.REQUEST})


def is_wish(judged: Judged, told: Mapping[str, float]) -> bool:
    """Whether a user says in so many words that it is to be remembered, holds for good or puts something right."""
    if judged.turn.role is Speaker.ASSISTANT:
        return False
    if "asks to note" in told:
        return True
    if not judged.verdict.signs.isdisjoint(_NOT_MEANT):
        return False
    if "laughs" in told:
        return False
    return (
        "opens wish" in told
        or ("opens standing" in told and "order" in told)
        or ("denies" in told and "denied" in told)
    )
