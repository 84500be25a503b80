"""Whether a newer statement contradicts an older one, repeats it, or neither.

No store, no clock, no model: words, their order, and if there is one the cosine of two vectors. It looks for the same
subject with another value, for yes and no, for opposites, and for words that say something changed. Two facts that
can live together (other subjects, other environments, past and present, one more of something) are left alone.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from commonplace.text import substance_words as table
from commonplace.text.statements import Statement, Token, content_of, is_telling, negative, read

VALUE_LENGTH = 3  # telling words a value has at most
ABOUT_THE_SAME = 0.88  # the cosine from which two texts are about one thing although they share few words
RELATED = 2  # what two statements must share to be about one thing

_LOCATIVE = frozenset("in on at".split())
_PREPOSITIONS = _LOCATIVE | frozenset("by with to from for as into via through under until over of".split())
_COPULAS = frozenset("is are was were am".split())
_ARTICLES = frozenset("a an the der die das ein eine le la les un une el los las".split())
_ATTRIBUTES = frozenset(
    """favourite favorite default main name colour color size port version address url email number language editor
    theme timezone currency deadline owner contact format provider price rent deposit limit timeout budget topic title
    branch preferred""".split()
)
_OVER = frozenset("over than instead rather to before after into from not above below beats".split())


class Verdict(StrEnum):
    CONTRADICTION = "contradiction"
    REPEAT = "repeat"
    NEITHER = "neither"


class Judgement(NamedTuple):
    """What two texts are to each other, and why in a few words."""

    verdict: Verdict
    reason: str = ""


NEITHER = Judgement(Verdict.NEITHER)
Rule = Callable[[Statement, Statement, float | None], str | None]


def judge(older: str, newer: str, cosine: float | None = None) -> Judgement:
    """Whether the newer text contradicts the older one; `cosine` is that of their vectors, where there are any."""
    return compare(read(older), read(newer), cosine)


def compare(older: Sequence[Statement], newer: Sequence[Statement], cosine: float | None = None) -> Judgement:
    """The same for texts that were read before. The cosine of longer texts says nothing about one sentence."""
    alone = len(older) == 1 and len(newer) == 1
    for first in older:
        for second in newer:
            reason = contradicted(first, second, cosine if alone else None)
            if reason:
                return Judgement(Verdict.CONTRADICTION, reason)
    return NEITHER


def contradicted(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """Why one sentence contradicts another, or None."""
    if not older.content or not newer.content or _is_over(older) or _elsewhere(older, newer):
        return None
    for rule in RULES:
        reason = rule(older, newer, cosine)
        if reason:
            return reason
    return None


# -- the rules -------------------------------------------------------------------------------------


def _reversed_preference(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    found = swapped_pair(older, newer)
    if found is None or not {"prefer", "prefers", "over", "rather", "instead", "than", "not"} & set(older.said.split()):
        return None
    return f"'{found[0]}' and '{found[1]}' changed places"


def _another_value(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """Said the same way but for one value."""
    if newer.has(table.TOGETHER):
        return None
    for clause in (newer.tokens, *([newer.clauses[0]] if len(newer.clauses) > 1 else [])):
        found = _difference(_plain(older.tokens), _plain(clause))
        if found is not None:
            before, left, right = found
            if _is_value(older, before, left, right):
                return _became(left, right)
            if _is_role(older, newer, before, left, right):
                return _became(left, right)
    return None


def _another_amount(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """The same subject with another number of the same unit, and nothing else that tells them apart."""
    if not older.subject or not older.subject <= newer.content or newer.has(table.TOGETHER):
        return None
    found = _other_amount(older, newer)
    rest_old = older.content - newer.content - older.numbers
    rest_new = newer.content - older.content - newer.numbers - table.change_stems()
    if found is None or older.negative != newer.negative or (rest_old and rest_new):
        return None
    return found


def _another_number(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """The same words in another order, but for one number or date."""
    left, right = older.content - newer.content, newer.content - older.content
    if len(left) != 1 or len(right) != 1 or len(older.content) <= RELATED or older.negative != newer.negative:
        return None
    if not left <= older.numbers or not right <= newer.numbers or not older.subject - newer.subject:
        return None
    if (left <= older.subject) == (right <= newer.subject):
        return None
    return f"'{_written(older, *left)}' became '{_written(newer, *right)}'"


def _denied(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """One says no to what the other says."""
    for one, other, new in ((older, newer, False), (newer, older, True)):
        for clause in one.clauses:
            if negative(clause) and not other.negative and _covers(content_of(clause), one, other):
                return "the newer one says no to it" if new else "the older one says no to it"
    return None


def _opposed(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """They differ by a word and its opposite."""
    for word in older.content | {token.stem for token in older.tokens if token.word in ("on", "off", "always")}:
        for other in table.opposites().get(word, frozenset()) & {token.stem for token in newer.tokens}:
            if other in {token.stem for token in older.tokens} or word in {token.stem for token in newer.tokens}:
                continue
            left, right = older.content - {word, other}, newer.content - {word, other}
            shared = left & right
            sure = _changed(older, newer) and (len(shared) > 1 or shared & older.subject & newer.names)
            if not shared or (left - right and right - left and not sure):
                continue
            if _explicit_noes(older) == _explicit_noes(newer):
                return f"'{_written(older, word)}' became '{_written(newer, other)}'"
    return None


def _said_to_have_changed(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    """The newer one says that something changed, about the same thing, with something new."""
    denial = newer.has(table.DENIALS) or newer.tokens[0].word in table.OPENERS or _not_that(older, newer)
    changed = _changed(older, newer)
    if changed == ["since"] and older.numbers & newer.numbers:
        changed = []
    if not denial and not changed:
        return None
    if newer.has(table.TOGETHER) and not older.has(table.ONLY):
        return None
    brought = newer.content - older.content - table.change_stems()
    if not brought or not _about_one_thing(older, newer, cosine, bool(denial)):
        return None
    return _new_value(older, newer) or f"the newer one says so: '{changed[0] if changed else newer.tokens[0].written}'"


def _no_longer_the_only(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    if not older.has(table.ONLY) or newer.has(table.ONLY) or newer.negative or older.negative:
        return None
    shared = older.content & newer.content
    if not shared & older.subject or not newer.content - older.content:
        return None
    return "the older one says it is the only one" if len(shared) > 1 or _close(cosine) else None


def _no_longer_still(older: Statement, newer: Statement, cosine: float | None) -> str | None:
    if not older.has(table.STILL) or newer.has(table.STILL) or not older.subject & newer.content:
        return None
    if not newer.content - older.content or not _about_one_thing(older, newer, cosine, False):
        return None
    return f"the older one was '{older.has(table.STILL)[0]}'"


RULES: tuple[Rule, ...] = (
    _reversed_preference,
    _another_value,
    _another_amount,
    _another_number,
    _denied,
    _opposed,
    _said_to_have_changed,
    _no_longer_the_only,
    _no_longer_still,
)


# -- one value for another ---------------------------------------------------------------------------


def _plain(tokens: Sequence[Token]) -> list[Token]:
    """Without articles, marks, and words that only say it is so now."""
    skipped = table.OPENERS | {"now", "currently", "about", "just", "already", "today", "actually", "right"}
    kept = [token for token in tokens if token.kind != "mark" and token.word not in _ARTICLES]
    while kept and kept[0].word in table.OPENERS:
        kept = kept[1:]
    for place, token in enumerate(kept):
        if place > 2 and token.word in table.BECAUSE:
            kept = kept[:place]
            break
    return [token for token in kept if token.word not in skipped]


def _difference(first: list[Token], second: list[Token]) -> tuple[list[Token], list[Token], list[Token]] | None:
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


def _is_value(older: Statement, before: Sequence[Token], left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Whether the difference is in what is said of the subject, and of a kind that there is only one of."""
    if not before or older.verb >= len(older.tokens) or older.tokens[older.verb] not in before:
        return False
    after_verb = before[before.index(older.tokens[older.verb]) :]
    kinds = [{token.kind for token in side if is_telling(token)} for side in (left, right)]
    many = any(token.word in table.SHARED_BY_MANY for token in after_verb)
    if any(token.word == "'s" for token in (*left, *right)):
        return False
    if all(kind <= {"number", "calendar"} for kind in kinds):
        return older.tokens[older.verb].word != "had"
    if "negation" in kinds[0] | kinds[1] or many:
        return False
    prepositions = [[token.word for token in side if token.word in _PREPOSITIONS] for side in (left, right)]
    if prepositions[0] or prepositions[1]:
        return prepositions[0] == prepositions[1] or all(side and set(side) <= _LOCATIVE for side in prepositions)
    last = before[-1]
    if last.word in _PREPOSITIONS or (last.word not in _COPULAS and last.word != "uses"):
        return True
    return bool(_ATTRIBUTES & {token.word for token in before}) or all("name" in kind for kind in kinds)


def _is_role(
    older: Statement, newer: Statement, before: Sequence[Token], left: Sequence[Token], right: Sequence[Token]
) -> bool:
    """Whether somebody else is named for what only one can be: the lead of a team, whoever is in charge of it."""
    named = all(len(side) == 1 and side[0].written[0].isupper() for side in (left, right))
    if before or not named or older.verb + 1 >= len(older.tokens):
        return False
    follows = older.tokens[older.verb + 1].word
    return follows in ("the", "in", "responsible") and older.tokens[older.verb].word in _COPULAS | {"leads", "manages", "owns"}


def _other_amount(older: Statement, newer: Statement) -> str | None:
    """The amount that differs, if the older one has a single amount."""
    first, second = _amounts(older), _amounts(newer)
    units = first.keys() & second.keys()
    if len(first) != 1 or not units:
        return None
    unit = units.pop()
    left, right = first[unit], second[unit]
    return None if left.stem == right.stem else _became([left], [right])


def _amounts(statement: Statement) -> dict[str, Token]:
    """Each number by its unit: the word after it, else whether it is a time or a date."""
    found: dict[str, Token] = {}
    for place, token in enumerate(statement.tokens):
        if place < statement.verb or token.kind not in ("number", "calendar"):
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


def _became(left: Sequence[Token], right: Sequence[Token]) -> str:
    return f"'{_quoted(left)}' became '{_quoted(right)}'"


def _quoted(tokens: Sequence[Token]) -> str:
    return " ".join(token.written for token in tokens)


def _new_value(older: Statement, newer: Statement) -> str | None:
    """The value that seems to have changed, if there is one of a kind in each."""
    for kind in ("number", "calendar", "name"):
        left = [token for token in older.tokens if token.kind == kind and token.stem not in newer.content]
        right = [token for token in newer.tokens if token.kind == kind and token.stem not in older.content]
        if len(left) == 1 and len(right) == 1:
            return _became(left, right)
    return None


def _written(statement: Statement, base: str) -> str:
    return next((token.written for token in statement.tokens if token.stem == base), base)


# -- what they are about -----------------------------------------------------------------------------


def _is_over(older: Statement) -> bool:
    """It is said to be past, so that something newer takes nothing from it."""
    past = any(token.word in ("was", "were", "used", "had") or token.word.endswith("ed") for token in older.tokens)
    return past and bool(older.has(table.PAST))


def _elsewhere(older: Statement, newer: Statement) -> bool:
    """Each is about a place or a time that the other is not about."""
    for group in table.CONTRASTS:
        first, second = group & set(older.said.split()), group & set(newer.said.split())
        if first and second and first.isdisjoint(second):
            return True
    return False


def _changed(older: Statement, newer: Statement) -> list[str]:
    known = older.has(table.CHANGES)
    return [phrase for phrase in newer.has(table.CHANGES) if phrase not in known]


def _not_that(older: Statement, newer: Statement) -> bool:
    """The newer one says no to a value of the older: 'not 60'."""
    values = older.numbers | older.names
    pairs = zip(newer.tokens, newer.tokens[1:], strict=False)
    return any(first.word == "not" and second.stem in values for first, second in pairs)


def _explicit_noes(statement: Statement) -> int:
    return sum(token.kind == "negation" for token in statement.tokens) % 2


def _covers(said: frozenset[str], one: Statement, other: Statement) -> bool:
    """Whether all that one says stands in the other too, and enough of it to be about the same."""
    telling = said - {word for word in said if word in table.negative_stems()}
    return bool(telling) and telling <= other.content and (len(telling) >= RELATED or telling >= other.content)


def _close(cosine: float | None) -> bool:
    return cosine is not None and cosine >= ABOUT_THE_SAME


def _about_one_thing(older: Statement, newer: Statement, cosine: float | None, denial: bool) -> bool:
    extra_old, extra_new = older.subject - newer.content, newer.subject - older.content
    shared = older.content & newer.content
    named = older.subject & newer.subject & (older.names | newer.names)
    same_unit = shared and _other_amount(older, newer) is not None
    if extra_old and extra_new and not named and not (_close(cosine) and (denial or same_unit)):
        return False
    if _relative_of(older, newer) or _relative_of(newer, older):
        return False
    weight = len(shared) + (1 if _fields(older) & _fields(newer) else 0)
    if weight >= RELATED or (shared and (_close(cosine) or (denial and cosine is None))):
        return True
    things = {token.stem for token in older.tokens[: older.verb] if token.written.islower()} & older.subject
    return bool(things) and older.subject <= newer.content


def _fields(statement: Statement) -> frozenset[int]:
    known = table.fields()
    return frozenset(place for word in statement.content for place in known.get(word, ()))


def _relative_of(one: Statement, other: Statement) -> bool:
    """The other is about somebody else: 'Rosa' here and 'Rosa's husband' there."""
    for place, token in enumerate(other.tokens[:-2]):
        follows = other.tokens[place + 2].word
        if other.tokens[place + 1].word == "'s" and follows in table.RELATIVES and token.stem in one.content:
            return follows not in one.said
    return False


def swapped_pair(older: Statement, newer: Statement) -> tuple[str, str] | None:
    """Two words that stand in each other's place: 'tabs over spaces' and 'spaces over tabs'."""
    between = _between(older.tokens)
    for (first, second), words in _between(newer.tokens).items():
        if between.get((second, first), None) == words:
            return _written(older, second), _written(older, first)
    return None


def _between(tokens: Sequence[Token]) -> dict[tuple[str, str], tuple[str, ...]]:
    """For each two telling words that are near each other, what stands between them."""
    plain = [token for token in tokens if token.word not in _ARTICLES]
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for start, first in enumerate(plain):
        for end in range(start + 2, min(len(plain), start + 7)):
            second = plain[end]
            if is_telling(first) and is_telling(second) and first.stem != second.stem:
                words = tuple(token.stem for token in plain[start + 1 : end])
                owned = end + 1 < len(plain) and plain[end + 1].word == "'s"
                if words not in _SYMMETRIC or owned:
                    found.setdefault((first.stem, second.stem), words)
    return found


_SYMMETRIC = frozenset((word,) for word in "is are was were and or & , with like equals = beside".split())
