"""Amounts in a sentence, each with its kind, so that those of one kind can be compared: prices, durations, dates."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from commonplace.text.statements import Statement, Word
from commonplace.text.substance_words import CALENDAR, LIGHT, NUMBERS, stem

_SCALES: Mapping[str, Mapping[str, int]] = {
    "duration": {
        "second seconds sec secs": 1,
        "minute minutes min mins": 60,
        "hour hours hr hrs": 3_600,
        "day days": 86_400,
        "week weeks": 604_800,
        "fortnight fortnights": 1_209_600,
        "month months": 2_592_000,
        "year years": 31_104_000,
    },
    "money": dict.fromkeys(("euro euros eur", "dollar dollars usd", "pound pounds gbp", "franc francs chf"), 1),
    "size": {"kb": 1, "mb": 1_000, "gb": 1_000_000, "tb": 1_000_000_000},
    "share": {"percent": 1},
    "warmth": {"degree degrees celsius": 1},
    "weight": {"gram grams g": 1, "kilo kilos kg kilogram kilograms": 1_000, "ton tons tonne tonnes": 1_000_000},
    "length": {"metre metres meter meters m": 1, "kilometre kilometres kilometer kilometers km": 1_000},
}
_UNITS: Mapping[str, tuple[str, int]] = {
    word: (kind, scale) for kind, units in _SCALES.items() for words, scale in units.items() for word in words.split()
}
_TIME = re.compile(r"\d{1,2}[:.]\d\d")
_AGES = frozenset("old under over above below than ago later".split())
BARE = ""
"""The kind of an amount that has no unit."""


_UP_TO = frozenset("largest biggest longest highest maximum limit most within under for keep kept until".split())
_BEYOND = frozenset("over above after beyond exceeding larger bigger longer older more shorter smaller younger".split())


def same_limit(one: Statement, other: Statement) -> bool:
    """One says up to what, the other from where on not: 'keep for 30 days', 'deleted after 30 days'."""
    if not one.amounts or one.amounts != other.amounts:
        return False
    return any(_UP_TO & each.words and _BEYOND & rest.words for each, rest in ((one, other), (other, one)))


class Quantity(NamedTuple):
    """An amount of a kind as it is compared, and as it stands there; `stems` are those of its words."""

    kind: str
    amount: tuple[float | str, ...]
    written: str
    stems: frozenset[str]


_A_YEAR = {"day": 365.0, "week": 52.0, "month": 12.0, "quarter": 4.0, "year": 1.0, "hour": 8_760.0, "night": 365.0}
_OFTEN = {"often:1": 8_760.0, "often:2": 365.0, "often:3": 52.0, "often:4": 26.0, "often:5": 12.0, "often:6": 4.0}
_EACH = frozenset("a an per each every".split())


def _frequency(tokens: Sequence[Word]) -> tuple[int, float] | None:
    """How many of the first words tell how often something is, and how often a year that makes."""
    words = [token.word for token in tokens[:6]] + [""] * 6
    stems = [token.stem for token in tokens[:6]] + [""] * 6
    if stems[0] in _OFTEN:
        return 1, _OFTEN[stems[0]]
    if words[0] in ("every", "each"):
        if words[1].rstrip("s") in _A_YEAR:
            return 2, _A_YEAR[words[1].rstrip("s")]
        if stems[1].startswith("day:"):
            return 2, 52.0
        if (stems[1].isdigit() or words[1] == "second") and words[2].rstrip("s") in _A_YEAR:
            return 3, _A_YEAR[words[2].rstrip("s")] / max(1, int(stems[1]) if stems[1].isdigit() else 2)
    counted = 1 if words[0] in ("once", "twice") else 2 if stems[0].isdigit() and words[1] == "times" else 0
    if (
        counted
        and words[counted] == "every"
        and stems[counted + 1].isdigit()
        and words[counted + 2].rstrip("s") in _A_YEAR
    ):
        return counted + 3, int(stems[0]) * _A_YEAR[words[counted + 2].rstrip("s")] / max(1, int(stems[counted + 1]))
    if counted and stems[counted] in _OFTEN:
        return counted + 1, int(stems[0]) * _OFTEN[stems[counted]]
    if counted and words[counted] in _EACH and words[counted + 1] in _A_YEAR:
        return counted + 2, int(stems[0]) * _A_YEAR[words[counted + 1]]
    return None


def quantities(statement: Statement) -> dict[str, Quantity]:
    """The amounts of a sentence by their kind, without the kinds of which there are several."""
    found: dict[str, Quantity] = {}
    several: set[str] = set()
    for each in _all(statement.tokens):
        if each.kind in found:
            several.add(each.kind)
        found[each.kind] = each
    return {kind: each for kind, each in found.items() if kind not in several}


def _all(tokens: Sequence[Word]) -> Iterator[Quantity]:
    place = 0
    while place < len(tokens):
        token = tokens[place]
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        length = 1
        often = _frequency(tokens[place:])
        if often is not None:
            length = often[0]
            said = tokens[place : place + length]
            stems = frozenset(each.stem for each in said)
            yield Quantity("often", (often[1],), " ".join(each.written for each in said), stems)
        elif token.kind == "calendar" and not token.stem.startswith("often"):
            number = following is not None and following.kind == "number" and len(following.stem) <= 2
            length = 2 if number else 1
            yield _of(token.stem.split(":")[0] if not number else "date", tokens[place : place + length])
            length += number and _begins_with_year(tokens[place + length :])
        elif token.kind == "number":
            month = _month_after(tokens, place)
            length = month or (2 if following is not None and following.word in _UNITS else 1)
            if month:
                yield _of("date", tokens[place : place + month])
                length += _begins_with_year(tokens[place + month :])
            elif (
                not is_ordinal(token) or tokens[place - 1].word != "the"
            ):  # 'the third floor', and not 'her third child'
                yield _measured(tokens, place)
        elif "-" in token.word and token.word.split("-")[0] in {*NUMBERS, *_SMALL}:
            parts = token.word.split("-")
            unit = _UNITS.get(parts[1])
            amount = _value(NUMBERS.get(parts[0], parts[0]))
            if unit is not None:
                yield Quantity(unit[0], (_scaled(amount, unit[1]),), token.written, frozenset({token.stem}))
        place += length


_SMALL = frozenset(map(str, range(1, 100)))


_ORDINALS = frozenset("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())


def is_ordinal(token: Word) -> bool:
    """Whether it is a place in a row and no amount: 'third', '3rd'."""
    return token.word in _ORDINALS or (token.kind == "number" and token.word[-2:] in ("st", "nd", "rd", "th"))


def _month_after(tokens: Sequence[Word], place: int) -> int:
    """How many words a date takes that begins with its day: '5 October', '5th of October'; 0 where it is none."""
    for length in (2, 3):
        last = tokens[place + length - 1 : place + length]
        within = tokens[place + 1 : place + length - 1]
        if last and last[0].stem.startswith("month") and all(token.word == "of" for token in within):
            return length if len(tokens[place].stem) <= 2 else 0
    return 0


def _begins_with_year(tokens: Sequence[Word]) -> bool:
    return bool(tokens) and len(tokens[0].stem) == 4 and tokens[0].stem[:2] in ("19", "20")


def _of(kind: str, tokens: Sequence[Word]) -> Quantity:
    stems = frozenset(token.stem for token in tokens if token.kind in ("number", "calendar"))
    return Quantity(kind, tuple(sorted(stems)), " ".join(token.written for token in tokens), stems)


def _measured(tokens: Sequence[Word], place: int) -> Quantity:
    """A number with the unit after it, or the currency before it."""
    token = tokens[place]
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    before = tokens[place - 1] if place else None
    if _TIME.fullmatch(token.word) and ":" in token.word:
        return Quantity("time", (_value(token.stem.replace(":", ".")),), token.written, frozenset({token.stem}))
    if after is not None and after.word in _UNITS:
        name, scale = _UNITS[after.word]
        stems = frozenset({token.stem, after.stem})
        return Quantity(name, (_scaled(_value(token.stem), scale),), f"{token.written} {after.written}", stems)
    if before is not None and before.word in _UNITS and _UNITS[before.word][0] == "money":
        return Quantity("money", (_value(token.stem),), token.written, frozenset({token.stem, before.stem}))
    kind = BARE
    if len(token.stem) == 4 and token.stem[:2] in ("19", "20"):
        kind = "year"
    elif after is not None and after.kind in ("word", "name") and after.word not in LIGHT | _AGES:
        kind = f"count {after.stem}"
    return Quantity(kind, (_value(token.stem),), token.written, frozenset({token.stem}))


def _value(number: str) -> float | str:
    try:
        return float(number)
    except ValueError:
        return number


def _scaled(amount: float | str, scale: int) -> float | str:
    return amount if isinstance(amount, str) else amount * scale


def same_amounts(one: Statement, other: Statement) -> bool:
    """Whether they have the same amounts, however they are written: 14 days and two weeks, weekly and every week."""
    if one.amounts == other.amounts:
        return True
    first, second = ({(each.kind, each.amount) for each in _all(statement.tokens)} for statement in (one, other))
    return bool(first) and first == second


def unit_stems() -> frozenset[str]:
    """The stems of all units."""
    return frozenset(map(stem, _UNITS)) | frozenset(CALENDAR.values())
