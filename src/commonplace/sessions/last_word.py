"""The last word on a thing: which earlier statement of a conversation a later one replaces.

People correct themselves in few words ("it's 36 hours, not 24"), which say nothing outside of their conversation. So
inside of it less is asked for than of two memories in a book: the value that is said to be wrong, or another value of
the same unit where the later one tells of a change. What `text.contradiction` finds counts too.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from commonplace.domain.record import Record
from commonplace.text import substance_words as table
from commonplace.text.contradiction import Bearing, compare
from commonplace.text.statements import Statement, Word, read

REACH = 3  # words behind a "not" that it may be about
RECENT_PER_KEY = 6  # statements that share a value, a unit or a word with a later one and are looked at
COMPARED = 12
SURE, LIKELY = 3.0, 2.0
ABOUT_THE_SAME = 0.5  # of the telling words of the shorter one, for what is no correction in so many words
TURNS_BACK = 8  # turns that a correction reaches back without a word in common
DATE = "date"
_DIGITS = re.compile(r"\d{1,12}")
_ATTACHED = re.compile(r"(\d{1,12})([^\W\d_]{1,8})")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_MOVED = table.Phrases(
    """moved|moves|moving|postponed|brought forward|changed|changes to|switched|raised|lowered|cut to|turned into|
    became|verschoben|verlegt|geändert|inzwischen|neuerdings|jetzt|nun|doch|statt|nicht mehr|déplacé|reporté|changé|
    finalement|maintenant|désormais|plutôt|ahora|cambió|cambiado|cambia|se movió|ya no|mejor|perdona|me equivoqué|
    spostato|cambiato|adesso|ora|invece|non più|scusa|agora|mudou|já não|em vez|desculpa|nu|verplaatst|gewijzigd|
    niet meer"""
)
_THEN = frozenset("then dann entonces alors allora então dan".split())
_GONE = frozenset(
    "gone dead retired decommissioned history weg tot abgeschaltet murió retirado muerto mort parti morto".split()
)
_END = Word("", "", "", "mark")
_MOVED_UNSPACED = "改 不是 最多 太长 太久 变 现在 ではなく じゃなく 変更".split()


class Stated(Record):
    """Something said in a conversation that was worth keeping, in the turn in which it was said."""

    text: str
    turn: int
    corrects: bool = False


def replaced(said: Sequence[Stated]) -> dict[int, int]:
    """By the place of each statement that a later one replaces, the place of the later one."""
    found: dict[int, int] = {}
    recent: dict[str, deque[int]] = {}
    readings = [_Reading(each) for each in said]
    for place, reading in enumerate(readings):
        keys = tuple(reading.keys())
        near = {other for key in keys for other in recent.get(key, ())} - found.keys()
        scored = [(_replaces(reading, readings[other]), other) for other in sorted(near)[-COMPARED:]]
        best = max(scored, default=(0.0, -1))
        if best[0] >= LIKELY:
            found[best[1]] = place
        for key in keys:
            recent.setdefault(key, deque(maxlen=RECENT_PER_KEY)).append(place)
    return found


class _Reading:
    """A statement as it is compared with others, read when that is first asked for."""

    def __init__(self, said: Stated) -> None:
        self.said = said

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return read(self.said.text)

    @cached_property
    def content(self) -> frozenset[str]:
        return frozenset(stem for each in self.statements for stem in each.content)

    @cached_property
    def values(self) -> dict[str, frozenset[str]]:
        """By unit, the amounts it names."""
        found: dict[str, set[str]] = {}
        for unit, amount in (pair for each in self.statements for pair in _measures(each.tokens)):
            found.setdefault(unit, set()).add(amount)
        return {unit: frozenset(amounts) for unit, amounts in found.items()}

    @cached_property
    def numbers(self) -> frozenset[str]:
        written = (number for each in self.statements for number in each.numbers)
        return frozenset(_DIGITS.findall(self.said.text)).union(*map(_DIGITS.findall, written))

    @cached_property
    def denied(self) -> frozenset[str]:
        """Numbers and names that it says no to, as numbers or stems."""
        return frozenset(value for each in self.statements for value in _denied(each.tokens))

    @cached_property
    def tells_of_change(self) -> bool:
        if self.said.corrects or any(word in self.said.text for word in _MOVED_UNSPACED):
            return True
        if any(_concludes(each.tokens) for each in self.statements):
            return True
        return any(
            each.has(table.CHANGES) or each.has(table.DENIALS) or each.has(_MOVED) or each.words & table.OPENERS
            for each in self.statements
        )

    def keys(self) -> Iterator[str]:
        """What statements that may be about the same have in common: a number, a unit or a telling word."""
        yield from self.numbers
        yield from (f"in {unit}" for unit in self.values)
        yield from (f"on {stem}" for stem in self.content)


def _replaces(newer: _Reading, older: _Reading) -> float:
    """How sure it is that one replaces the other, from 0; those with more words in common lead among equals."""
    shared = len(newer.content & older.content) / (1 + min(len(newer.content), len(older.content)))
    denied = newer.denied & (older.numbers | older.content)
    brings = newer.numbers - older.numbers or newer.content - older.content
    if denied and brings and not newer.denied & older.denied:
        return SURE + shared
    near = newer.said.corrects and newer.said.turn - older.said.turn <= TURNS_BACK
    if newer.tells_of_change and (shared or near) and _other_values(newer, older):
        return LIKELY + shared
    if near and _one_name_else(newer, older):
        return LIKELY + shared
    if shared >= ABOUT_THE_SAME and compare(older.statements, newer.statements).bearing is Bearing.CONTRADICTION:
        return SURE + shared
    return 0.0


def _one_name_else(newer: _Reading, older: _Reading) -> bool:
    """Whether a correction says in the words of the older one, but for one name: "actually Pavel will own it"."""
    brings = newer.content - older.content - table.change_stems()
    denied = {stem for each in newer.statements for stem in each.content if any(_ended(each.tokens, stem))}
    shared = newer.content & older.content - denied
    named = brings.intersection(name for each in newer.statements for name in each.names)
    return (len(brings) == len(named) == 1 and bool(shared)) or bool(denied & older.content and brings)


def _ended(tokens: Sequence[Word], stem: str) -> Iterator[bool]:
    """Whether it says "not Lena" or "heron is gone" of a word."""
    for place, token in enumerate(tokens):
        if token.stem == stem:
            yield any(each.kind == "negation" for each in tokens[max(0, place - 1) : place])
            yield any(each.word in _GONE for each in tokens[place + 1 : place + 1 + REACH])


def _other_values(newer: _Reading, older: _Reading) -> bool:
    """Whether they name another amount of the same unit."""
    units = newer.values.keys() & older.values.keys()
    return any(newer.values[unit] - older.values[unit] for unit in units)


def _measures(tokens: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Amounts with their units: what is written onto the number, else the words beside it; days of a month are one."""
    for place, token in enumerate(tokens):
        if token.kind != "number":
            continue
        attached = _ATTACHED.fullmatch(token.word)
        if attached and not _ORDINAL.fullmatch(token.word):
            yield attached[2], attached[1]
            continue
        beside = [tokens[near] for near in (place - 1, place + 1) if 0 <= near < len(tokens)]
        months = [each.stem for each in beside if table.CALENDAR.get(each.word, "").startswith("month:")]
        if months or _ORDINAL.fullmatch(token.word):
            yield DATE, " ".join((token.stem, *months[:1]))
            continue
        yield from ((each.stem, token.stem) for each in beside if each.kind in ("word", "name"))


def _concludes(tokens: Sequence[Word]) -> bool:
    """Whether a clause ends with a "then": somebody has thought again."""
    ends = [token for token, following in pairwise((*tokens, _END)) if following.kind == "mark"]
    return any(token.word in _THEN for token in ends)


def _denied(tokens: Sequence[Word]) -> Iterator[str]:
    for place, token in enumerate(tokens):
        if token.kind != "negation":
            continue
        for near in tokens[place + 1 : place + 1 + REACH]:
            if near.kind == "mark":
                break
            if near.kind == "number" or any(map(str.isdigit, near.word)):
                yield from _DIGITS.findall(near.word) if near.kind == "number" else (near.stem,)
                break
