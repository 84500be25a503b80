"""One value for another: where two statements differ in one place, and whether that is a value there is only one of."""

from collections.abc import Sequence

from commonplace.text import substance_words as table
from commonplace.text.statements import Statement, Word, is_telling

VALUE_LENGTH = 3  # telling words a value has at most
RELATED = 2  # what two statements must share to be about one thing

_LOCATIVE = frozenset("in on at".split())
_PREPOSITIONS = _LOCATIVE | frozenset(
    """by with to from for as into via through under until over of auf im am bei von mit zu sur dans à au en em no na
    con por su""".split()
)
_COPULAS = frozenset("is are was were am ist sind war est sont était es son está é são".split())
_ARTICLES = frozenset("a an the der die das ein eine le la les un une el los las".split())
_INDEFINITE = frozenset("a an another ein eine einen un une una".split())
_MANNER = frozenset("in by via as".split())
_WANTED = frozenset("wants want prefers prefer".split())
_LANGUAGES = frozenset(
    """english german french spanish portuguese italian dutch polish czech danish swedish norwegian finnish greek
    turkish russian ukrainian arabic hebrew hindi chinese mandarin japanese korean""".split()
)
ATTRIBUTES = frozenset(
    """favourite favorite default main name colour color size port version address url email number language editor
    theme timezone currency deadline owner contact format provider price rent deposit limit timeout budget topic title
    branch preferred""".split()
)


def plain(tokens: Sequence[Word]) -> list[Word]:
    """Without articles, marks, and words that only say it is so now."""
    skipped = (table.OPENERS - table.NEGATIONS) | {
        "now",
        "currently",
        "about",
        "just",
        "already",
        "today",
        "actually",
        "right",
    }
    kept = [token for token in tokens if token.kind != "mark" and token.word not in _ARTICLES]
    while kept and kept[0].word in table.OPENERS and (kept[0].word not in table.NEGATIONS or opens(tokens)):
        kept = kept[1:]
    for place, token in enumerate(kept):
        if place > 2 and token.word in table.BECAUSE:
            kept = kept[:place]
            break
    return [token for token in kept if token.word not in skipped]


def opens(tokens: Sequence[Word]) -> bool:
    """Whether a sentence begins by turning something down: 'No, …', 'Wrong: …', and not 'No dogs in the hall'."""
    return (
        len(tokens) > 1
        and tokens[0].word in table.OPENERS
        and (tokens[0].word not in table.NEGATIONS or tokens[1].kind == "mark")
    )


def difference(first: list[Word], second: list[Word]) -> tuple[list[Word], list[Word], list[Word]] | None:
    """What stands before the one place where they differ, and what stands there in each; None if there is not one."""
    start = 0
    while start < min(len(first), len(second)) and first[start].stem == second[start].stem:
        start += 1
    end = 0
    while end < min(len(first), len(second)) - start and first[-1 - end].stem == second[-1 - end].stem:
        end += 1
    left, right = first[start : len(first) - end], second[start : len(second) - end]
    shared = {token.stem for token in left} & {token.stem for token in right}
    sizes = [sum(map(is_telling, side)) for side in (left, right)]
    if shared - {"the"} or not all(1 <= size <= VALUE_LENGTH for size in sizes):
        return None
    if not any(map(is_telling, first[:start])) and not any(map(is_telling, first[len(first) - end :])):
        return None
    return first[:start], left, right


def is_value(older: Statement, before: Sequence[Word], left: Sequence[Word], right: Sequence[Word]) -> bool:
    """Whether the difference is in what is said of the subject, and of a kind that there is only one of."""
    if not before:
        return False
    if older.verb >= len(older.tokens):
        return _is_plain_value(before, left, right)
    if older.tokens[older.verb] not in before:
        return False
    after_verb = before[before.index(older.tokens[older.verb]) :]
    kinds = [{token.kind for token in side if is_telling(token)} for side in (left, right)]
    many = any(token.word in table.SHARED_BY_MANY for token in after_verb)
    if any(token.word == "'s" for token in (*left, *right)):
        return False
    if all(kind <= {"number", "calendar"} for kind in kinds):
        once = {"was", "were"} & older.words and any(token.kind == "calendar" for token in left)
        return not happened(older) and not told_as_past(older) and not once
    if before[-1].word == "in" and all(len(side) == 1 and side[0].word in _LANGUAGES for side in (left, right)):
        return not told_as_past(older)
    if before[-1].word in _MANNER and _WANTED & {token.word for token in after_verb}:
        return True
    if "negation" in kinds[0] | kinds[1] or many:
        return False
    if told_as_past(older) and _INDEFINITE & {token.word for token in older.tokens[older.verb + 1 : older.verb + 2]}:
        return False  # 'signed a customer in Canada', and then one in Brazil
    prepositions = [[token.word for token in side if token.word in _PREPOSITIONS] for side in (left, right)]
    if prepositions[0] or prepositions[1]:
        return prepositions[0] == prepositions[1] or all(side and set(side) <= _LOCATIVE for side in prepositions)
    last = before[-1]
    if last.word in _WANTED and not all(len(side) == 1 for side in (left, right)):
        return False  # one prefers many things: only the bare thing takes the place of the bare thing
    if last.word in _PREPOSITIONS or last.word in table.FUNCTIONAL:
        return True
    return bool(ATTRIBUTES & {token.word for token in before}) or all("name" in kind for kind in kinds)


def happened(statement: Statement) -> bool:
    """It tells of something that can happen again, as an outage or a marathon."""
    return statement.verb < len(statement.tokens) and statement.tokens[statement.verb].word in table.HAPPENED


def told_as_past(statement: Statement) -> bool:
    """It tells of what was done then, as 'asked' or 'had': whatever is so now, that stays true."""
    if statement.verb >= len(statement.tokens):
        return False
    verb = statement.tokens[statement.verb].word
    return verb in table.HAPPENED or (verb.endswith("ed") and len(verb) > 4)


def same_verb(older: Statement, newer: Statement) -> bool:
    """Whether the verb of the older one stands in the newer one; 'is' only where it is its verb too."""
    if older.verb >= len(older.tokens):
        return False
    verb = older.tokens[older.verb]
    return any(token.stem == verb.stem for token in newer.tokens) and (
        verb.word not in _COPULAS or newer.tokens[min(newer.verb, len(newer.tokens) - 1)].word in _COPULAS
    )


def _is_plain_value(before: Sequence[Word], left: Sequence[Word], right: Sequence[Word]) -> bool:
    """The same where no verb is known: an order, or another language. Only numbers, dates and names are sure."""
    kinds = {token.kind for side in (left, right) for token in side}
    if sum(map(is_telling, before)) < RELATED:
        return False
    return kinds <= {"number", "calendar"} or (kinds == {"name"} and before[-1].word in _PREPOSITIONS)


def is_role(
    older: Statement, newer: Statement, before: Sequence[Word], left: Sequence[Word], right: Sequence[Word]
) -> bool:
    """Whether somebody else is named for what only one can be: the lead of a team, whoever is in charge of it."""
    named = all(len(side) == 1 and side[0].written[0].isupper() for side in (left, right))
    if before or not named or older.verb + 1 >= len(older.tokens):
        return False
    follows = older.tokens[older.verb + 1].word
    return follows in ("the", "in", "responsible") and older.tokens[older.verb].word in _COPULAS | {
        "leads",
        "manages",
        "owns",
    }


def other_amount(older: Statement, newer: Statement) -> str | None:
    """The amount that differs, if the older one has a single amount."""
    first, second = _amounts(older, older.verb), _amounts(newer, 0)
    units = first.keys() & second.keys()
    if len(first) != 1 or not units:
        return None
    unit = units.pop()
    left, right = first[unit], second[unit]
    return None if left.stem == right.stem else became([left], [right])


def _amounts(statement: Statement, start: int) -> dict[str, Word]:
    """Each number from a place on by its unit: the word after it, else whether it is a time or a date."""
    found: dict[str, Word] = {}
    for place, token in enumerate(statement.tokens):
        if place < start or token.kind not in ("number", "calendar") or token.word == "both":
            continue
        after = statement.tokens[place + 1] if place + 1 < len(statement.tokens) else None
        if token.kind == "calendar":
            unit = token.stem.split(":")[0]
        elif ":" in token.stem:
            unit = "time"
        elif after is not None and after.kind in ("word", "name"):
            unit = after.stem
        else:
            unit = after.stem if after is not None and after.kind == "calendar" else ""
        found.setdefault(unit, token)
    return found


def became(left: Sequence[Word], right: Sequence[Word]) -> str:
    """What changed, in words for a person."""
    return f"'{_quoted(left)}' became '{_quoted(right)}'"


def _quoted(tokens: Sequence[Word]) -> str:
    return " ".join(token.written for token in tokens)


def new_value(older: Statement, newer: Statement) -> str | None:
    """The value that seems to have changed, if there is one of a kind in each."""
    for kind in ("number", "calendar", "name"):
        left = [token for token in older.tokens if token.kind == kind and token.stem not in newer.content]
        right = [token for token in newer.tokens if token.kind == kind and token.stem not in older.content]
        if len(left) == 1 and len(right) == 1:
            return became(left, right)
    return None
