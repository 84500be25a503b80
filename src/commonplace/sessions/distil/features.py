"""What is told to the judge about a sentence besides its vector: its signs, its place in the turn, its neighbours."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from commonplace import deadline
from commonplace.sessions.distil import cues, pieces
from commonplace.sessions.distil.hashed import Codes, places
from commonplace.sessions.distil.judging import POINTS, UNWORTHY, Judgement, is_question
from commonplace.sessions.distil.prose import Span, injected_spans
from commonplace.sessions.distil.signs import Sign
from commonplace.sessions.transcripts import Speaker, Turn

MOST_POINTS = 8
USUAL_WORDS = 10
OPENING_WORDS = 5
OPENING_LETTERS = 12
BESIDE = 400  # letters before and behind a sentence that are looked at for quotation marks

_OF_PLACE_ONLY = frozenset({Sign.OPENING, Sign.ACKNOWLEDGED})
_STANDING = frozenset({Sign.STANDING, Sign.RULE, Sign.EXCLUSION})
_ADDRESSED = frozenset({Sign.ADDRESS, Sign.ORDER, Sign.REQUEST})

_ASKS = frozenset({Sign.REQUEST, Sign.QUESTION})
_NEIGHBOURLY = (
    Sign.CHATTER,
    Sign.HEDGE,
    Sign.HYPOTHESIS,
    Sign.REQUEST,
    Sign.QUESTION,
    Sign.TROUBLE,
    Sign.WISH,
    Sign.CAUSE,
    Sign.RULE,
    Sign.PERSONAL,
    Sign.MOCKERY,
)
_FIRST_PERSON = frozenset(
    """i i'm i've i'd i'll me my we we're we've our us ich wir mein meine mir mich uns unser unsere yo mi mis nos tengo
    je j'ai mon ma mes nous on eu meu minha a-gente io mio mia noi ho""".split()
)
_SECOND_PERSON = frozenset("you your you're du dir dein deine ihr tú tu te tus vous ton ta tes você seu ti".split())
_DENIED = re.compile(r"[,;，、]\s?(?:not|nicht|no|pas|não|non|不是|ではなく)\b|不是|じゃな|ではな", re.IGNORECASE)
_VERSION = re.compile(r"\d\.\d|v\d")
_TIME = re.compile(r"\d[:h]\d\d|\d\s?(?:am|pm|uhr|h)\b|[点時]", re.IGNORECASE)
_LAUGHS = re.compile(r"\b(?:lol|haha|jaja|kkk+|mdr|ahah|omg)\w{0,8}\b|[🙃😂🤣🙄😅]|笑|哈哈", re.IGNORECASE)
_QUOTES = re.compile(r"[\"“”„«»「」`]")
_LIKE_CODE = re.compile(r"\w[_/\\]\w|[a-z][A-Z]|\w\.\w|[<>{}=#|]|--")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")


class Judged(NamedTuple):
    """A sentence of a turn with the verdict on it. A tuple: there are millions of them in a long transcript."""

    number: int
    turn: Turn
    span: Span
    verdict: Judgement
    answers: bool = False

    @property
    def sentence(self) -> str:
        return self.turn.text[self.span[0] : self.span[1]]


class Told(NamedTuple):
    """What the judge is told of a sentence: the features that apply, by name, and the places of its words."""

    features: dict[str, float]
    words: Sequence[int]


def told_of(of_turn: Sequence[Judged]) -> Iterator[tuple[Judged, Told]]:
    """The sentences of a turn that may be worth keeping, each with what the judge is told about it."""
    if all(judged.verdict is UNWORTHY for judged in of_turn):
        return
    around = _Around(of_turn)
    for place, judged in enumerate(deadline.each(of_turn)):
        if judged.verdict is not UNWORTHY:
            found = _features(place, around)
            yield judged, Told(found, places(place, judged.sentence, around.codes, found))


class _Around:
    """A turn as its sentences see it: counted once for all of them."""

    def __init__(self, of_turn: Sequence[Judged]) -> None:
        self.of_turn = of_turn
        self.codes = Codes([judged.sentence for judged in of_turn])
        self.signs = Counter(sign.name for judged in of_turn for sign in judged.verdict.signs)
        self.asking = sum(is_question(judged.sentence) for judged in of_turn)
        turn = of_turn[0].turn
        injected, _ = injected_spans(turn.text)
        self.text = _blanked(turn.text, injected)
        self.lines = 0 if turn.goes_on else self.text.strip().count("\n")
        spoken = sum(judged.span[1] - judged.span[0] for judged in of_turn)
        whole = len(turn.text) - sum(end - start for start, end in injected)
        self.pieces = pieces.of_turn(self.text)
        self.unspoken = 0.0 if turn.goes_on else 1 - spoken / max(1, whole)


def _blanked(text: str, spans: Sequence[Span]) -> str:
    """The text with blanks where a machine spoke."""
    borders = [0, *(border for span in spans for border in span), len(text)]
    pieces = [text[start:end] for start, end in pairwise(borders)]
    return "".join(" " * len(piece) if place % 2 else piece for place, piece in enumerate(pieces))


def _features(place: int, around: _Around) -> dict[str, float]:
    """What is known of one of the sentences of a turn, by name; what does not apply is left out.

    Where in the conversation it was said, and whether anybody took note of it, says nothing about what it is worth.
    """
    judged = around.of_turn[place]
    sentence = judged.sentence
    said = cues.words(sentence)
    signs = judged.verdict.signs - _OF_PLACE_ONLY
    points = judged.verdict.points - sum(POINTS[sign] for sign in judged.verdict.signs & _OF_PLACE_ONLY)
    found = {sign.name: 1.0 for sign in signs}
    found["points"] = max(-MOST_POINTS, min(MOST_POINTS, points)) / MOST_POINTS
    found["words"] = log((1 + cues.length(sentence, said)) / USUAL_WORDS)
    found |= dict.fromkeys(_traits(judged, sentence, said), 1.0)
    found |= dict.fromkeys(_of_place(place, around.of_turn), 1.0)
    found |= dict.fromkeys(_of_shape(judged, sentence, around.text), 1.0)
    found |= dict.fromkeys(_of_turn(judged, around), 1.0)
    return found


def _of_shape(judged: Judged, sentence: str, text: str) -> list[str]:
    """What it looks like, and what stands around it: a program's words and a quotation look unlike speech."""
    start, end = judged.span
    before, behind = text[max(0, start - BESIDE) : start], text[end : end + BESIDE]
    marks = sum(not letter.isalnum() and not letter.isspace() for letter in sentence) / len(sentence)
    told = {
        "marks": marks > 0.08,
        "many marks": marks > 0.15,
        "figures": sum(letter.isdigit() for letter in sentence) / len(sentence) > 0.08,
        "not ended": sentence[-1] not in ".!?。！？…",
        "small start": sentence[0].islower(),
        "within quotes": len(_QUOTES.findall(before)) % 2 == 1,
        "quotes beside": _QUOTES.search(before) is not None or _QUOTES.search(behind) is not None,
        "behind colon": before.rstrip()[-1:] in (":", "："),
        "line start": "\n" in before[-4:],
        "like code": _LIKE_CODE.search(sentence) is not None,
        "capitals": _CAPITALS.search(sentence) is not None,
    }
    return [name for name, applies in told.items() if applies]


def _of_turn(judged: Judged, around: _Around) -> list[str]:
    """What the whole turn is like, and what is said elsewhere in it."""
    count = len(around.of_turn)
    told = {
        "other text": around.unspoken > 0.1,
        "mostly other text": around.unspoken > 0.4,
        "lines": around.lines > 0,
        "many lines": around.lines > 3,
        "many sentences": count > 2,
        "very many sentences": count > 5,
        "turn asks": around.asking > is_question(judged.sentence),
    }
    own = {sign.name for sign in judged.verdict.signs}
    elsewhere = [f"turn {name}" for name, times in around.signs.items() if times > (name in own)]
    return [name for name, applies in told.items() if applies] + elsewhere + around.pieces


def _traits(judged: Judged, sentence: str, said: list[str]) -> list[str]:
    told = {
        "assistant": judged.turn.role is Speaker.ASSISTANT,
        "answers": judged.answers,
        "foreign": not sentence.isascii(),
        "unspaced": cues.is_unspaced(sentence),
        "first person": not _FIRST_PERSON.isdisjoint(said),
        "second person": not _SECOND_PERSON.isdisjoint(said),
        "denied": _DENIED.search(sentence) is not None,
        "denies": cues.denies(sentence),
        "version": _VERSION.search(sentence) is not None,
        "time": _TIME.search(sentence) is not None,
        "laughs": _LAUGHS.search(sentence) is not None,
        "quotes": _QUOTES.search(sentence) is not None,
        "exclaims": "!" in sentence,
        "opens guess": _opens(Sign.HEDGE, sentence) or _opens(Sign.HYPOTHESIS, sentence),
        "standing": Sign.STANDING in judged.verdict.signs and cues.length(sentence, said) <= USUAL_WORDS,
        "asks to note": cues.asking_to_note(sentence) > 0,
        "opens standing": _opens(Sign.STANDING, sentence),
        "opens wish": _opens(Sign.WISH, sentence),
        "order": _is_order(judged.verdict.signs),
        "colon": ":" in sentence or "：" in sentence,
    }
    return [name for name, applies in told.items() if applies] + pieces.of_sentence(sentence)


def _opens(sign: Sign, sentence: str) -> bool:
    """Whether it is told within the first words behind the lead-in."""
    start = cues.words(sentence[cues.lead_in(sentence) :])[:OPENING_WORDS]
    return sign in cues.find(start, sentence[:OPENING_LETTERS])


def _is_order(signs: frozenset[Sign]) -> bool:
    """Whether something is asked of the assistant for good, not for now."""
    return not signs.isdisjoint(_STANDING) and not signs.isdisjoint(_ADDRESSED)


def _of_place(place: int, of_turn: Sequence[Judged]) -> list[str]:
    """How it stands to the other sentences of its turn."""
    told = (
        ["alone"] if len(of_turn) == 1 else ["first"] if place == 0 else ["last"] if place + 1 == len(of_turn) else []
    )
    if _is_apart(of_turn[place], of_turn[-1]):
        told.append("apart")
    before = of_turn[place - 1] if place else None
    after = of_turn[place + 1] if place + 1 < len(of_turn) else None
    for name, neighbour in (("before", before), ("after", after)):
        if neighbour is None:
            continue
        told += [f"{name} {sign.name}" for sign in _NEIGHBOURLY if sign in neighbour.verdict.signs]
        if neighbour.verdict.kept:
            told.append(f"{name} kept")
        if neighbour.verdict is UNWORTHY:
            told.append(f"{name} unworthy")
        if cues.denies(f"{neighbour.sentence},"):
            told.append(f"{name} denies")
        if asks(neighbour):
            told.append(f"{name} asks")
    return told


def _is_apart(judged: Judged, last: Judged) -> bool:
    """Whether a paragraph of its own behind it asks something: it may be what that is about, and somebody else's."""
    return asks(last) and "\n\n" in judged.turn.text[judged.span[1] : last.span[0]]


def asks(judged: Judged) -> bool:
    """Whether it is a question or a request of the moment, by its mark or by its first words."""
    return is_question(judged.sentence) or not _ASKS.isdisjoint(judged.verdict.signs)
