"""A value that was put right in a few words ("make it 80"): the statement it belongs to, with that value.

The few words say nothing outside of their conversation, and the statement is no longer true. Together they are the last
word on the thing.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence

from commonplace.domain.memory import Kind
from commonplace.domain.record import Record, replace
from commonplace.sessions.distil.cues import words
from commonplace.sessions.distil.handover import Said, every_sentence, tells
from commonplace.sessions.distil.items import Item, type_of
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.wording import statement
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms

REACH_TURNS = 8  # that few words reach back, to what has the same unit or the value they deny
NEAR_TURNS = 4  # the same for those that name no unit
RECENT = 40  # statements that are looked at for each
LONGEST = 9  # words
FEWEST_TOLD = 4  # words of a statement
OTHER_TERMS = 1  # telling words beside the value: with more, the words speak of something themselves
REASON = "the last word on a value"

_VALUE = re.compile(r"(?<![\w.,:/-])(\d{1,9}(?:[.,]\d{1,4})?)(?![.,:/-]?\d)(\s?)(%|[^\W\d_]{1,14}\b)?")
_DENIES = re.compile(
    r"\b(?:not|instead of|rather than|nicht|statt|pas|au lieu de|no|en vez de|non|invece di|não|em vez de|niet)"
    r"\s(\d{1,9})",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:make (?:it|that|this)|set (?:it|that) to|change (?:it|that|this) to|then|actually|rather|instead|better|mach"
    r"|dann|lieber|doch|stattdessen|plutôt|alors|mets|mejor|entonces|ponlo|meglio|allora|melhor|então|dan|liever)\b"
    r"|\d[^,;]{0,16}, (?:not|nicht|pas|no|non|não|niet)\s\d|改成|にして",
    re.IGNORECASE,
)
_JOINING = frozenset("a an and at for in of on or per the to und am im pro de en et per di da no nope".split())


class _Value(Record):
    """A number in a text with the word behind it, and where the number and the whole stand."""

    number: str
    unit: str
    start: int
    number_end: int
    end: int


class _Revision(Record):
    """The words that put a value right, the value, and the one they deny."""

    said: Said
    value: _Value
    denied: str


def revised(items: Sequence[Item], turns: Sequence[Turn]) -> tuple[Item, ...]:
    """The items, each with the last value that somebody gave it; what gave it only is none of them any more."""
    shelf = _Shelf(items)
    told: deque[Said] = deque(maxlen=RECENT)
    secrecy = Secrecy()
    for said in every_sentence(turns):
        if said.turn.role is Speaker.ASSISTANT or not _VALUE.search(said.text):
            continue
        revision = _revision(said)
        if revision is not None and not secrecy.covers(said.turn.text, said.span):
            shelf.revise(revision, _unlearnt(revision, told, secrecy))
        told.append(said)
    return shelf.items()


class _Shelf:
    """Items in the order of their turns, of which the last few can be given another value."""

    def __init__(self, items: Sequence[Item]) -> None:
        ordered = sorted(items, key=lambda item: item.turn)
        self._items: list[Item | None] = [*ordered]
        self._said_in = {(item.turn, item.quote): place for place, item in enumerate(ordered)}
        self._recent: deque[int] = deque(maxlen=RECENT)
        self._ahead = deque((item.turn, place) for place, item in enumerate(ordered))

    def revise(self, revision: _Revision, unlearnt: Item | None) -> None:
        """Give what the value belongs to that value: the last such item, else what was no item until now."""
        number, quote = revision.said.number, collapse(revision.said.text)
        while self._ahead and self._ahead[0][0] < number:
            self._recent.append(self._ahead.popleft()[1])
        place = next((each for each in reversed(self._recent) if self._takes(each, revision)), None)
        target = unlearnt if place is None else self._items[place]
        if target is None:
            return
        for gone in (place, self._said_in.get((number, quote))):
            if gone is not None:
                self._items[gone] = None
        self._recent.append(len(self._items))
        self._items.append(_put_right(target, revision, quote))

    def _takes(self, place: int, revision: _Revision) -> bool:
        item = self._items[place]
        value = None if item is None else _only_value(item.text)
        if item is None or value is None:
            return False
        back = revision.said.number - item.turn
        bare = not revision.value.unit and not revision.denied
        return 0 < back <= REACH_TURNS and (_fits(revision, value) or (bare and back <= NEAR_TURNS))

    def items(self) -> tuple[Item, ...]:
        """What is left, in the order of the conversation."""
        return tuple(sorted((item for item in self._items if item is not None), key=lambda item: item.turn))


def _revision(said: Said) -> _Revision | None:
    """What a few words put right, if they name one new value and little else."""
    text = collapse(said.text)
    if is_question(text) or len(words(text)) > LONGEST or not _TURNS.search(text) or tells(text, "IDEAS"):
        return None
    denied = found[1] if (found := _DENIES.search(text)) else ""
    values = [each for each in _values(text) if each.number != denied]
    if len(values) != 1:
        return None
    beside = _TURNS.sub(" ", f"{text[: values[0].start]} {text[values[0].end :]}")
    others = OTHER_TERMS if values[0].unit or denied else 0
    return _Revision(said, values[0], denied) if len({*content_terms(beside)} - {denied}) <= others else None


def _unlearnt(revision: _Revision, told: deque[Said], secrecy: Secrecy) -> Item | None:
    """A statement that was not worth keeping until somebody put it right."""
    for said in reversed(told):
        if revision.said.number - said.number > REACH_TURNS:
            return None
        quote = collapse(said.text)
        value = _only_value(quote)
        if value is None or said.number == revision.said.number or not _fits(revision, value):
            continue
        if is_question(quote) or tells(quote, "IDEAS") or len(words(quote)) < FEWEST_TOLD:
            continue
        if not secrecy.covers(said.turn.text, said.span):
            return Item(statement(quote), type_of(Kind.FACT), Kind.FACT, said.number, REASON, quote)
    return None


def _fits(revision: _Revision, value: _Value) -> bool:
    if revision.denied:
        return revision.denied == value.number
    return bool(revision.value.unit) and revision.value.unit == value.unit and revision.value.number != value.number


def _put_right(item: Item, revision: _Revision, quote: str) -> Item:
    value, new = _only_value(item.text), revision.value
    if value is None:
        return item
    spoken = collapse(revision.said.text)
    same = not new.unit or new.unit == value.unit
    put = new.number if same else spoken[new.start : new.end]
    text = item.text[: value.start] + put + item.text[value.number_end if same else value.end :]
    revises = (*item.revises, item.quote)
    return replace(item, text=text, turn=revision.said.number, quote=quote, reason=REASON, revises=revises)


def _only_value(text: str) -> _Value | None:
    values = list(_values(text))
    return values[0] if len(values) == 1 else None


def _values(text: str) -> Iterator[_Value]:
    for found in _VALUE.finditer(text):
        unit = (found[3] or "").casefold()
        if unit in _JOINING or _TURNS.fullmatch(unit):
            yield _Value(found[1], "", found.start(), found.end(1), found.end(1))
        else:
            yield _Value(found[1], unit.removesuffix("s") or unit, found.start(), found.end(1), found.end())
