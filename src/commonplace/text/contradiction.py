"""Whether a newer statement contradicts an older one, repeats it, or neither.

No store, no clock, no model: words, their order, and if there is one the likeness that a model sees. It looks for the
same subject with another value, for yes and no, for opposites, and for words that say something changed. Two facts that
can live together (other subjects, other environments, past and present, one more of something) are left alone.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from commonplace.text import changes
from commonplace.text import substance_words as table
from commonplace.text.apart import (
    another_of_its_kind,
    belongs_to,
    for_others,
    numbered_apart,
    part_of,
    part_of_a_name,
    relative_of,
    something_else_changed,
)
from commonplace.text.quantities import same_amounts, same_limit, unit_stems
from commonplace.text.stance import other_person, other_stance
from commonplace.text.statements import (
    Statement,
    Word,
    content_of,
    is_telling,
    negative,
    read,
    returns,
    swapped_pair,
    turned_round,
)
from commonplace.text.values import (
    RELATED,
    became,
    difference,
    happened,
    is_role,
    is_value,
    new_value,
    opens,
    other_amount,
    plain,
    same_verb,
    told_as_past,
)

ABOUT_THE_SAME = 0.85  # the likeness from which two texts are about one thing although they share few words
APART = 0.77  # the likeness below which words they share are a coincidence
CHANGED_APART = 0.8  # the same where only a word of change tells: it may be another thing that changed
MOVED_APART = 0.72  # the same where it is said to what a thing was moved
SAID_AGAIN = 0.86  # the likeness from which texts that agree in all that counts say the same
SAID_WITH_ANOTHER_VERB = 0.89
SAID_WITH_OTHER_WORDS = 0.93

_PREFERRED = frozenset("prefer prefers over rather instead than not".split())


class Bearing(StrEnum):
    """What a newer text is to an older one."""

    CONTRADICTION = "contradiction"
    REPEAT = "repeat"
    NEITHER = "neither"


class Judgement(NamedTuple):
    """What two texts are to each other, and why in a few words."""

    bearing: Bearing
    reason: str = ""


NEITHER = Judgement(Bearing.NEITHER)
Rule = Callable[[Statement, Statement, float | None], str | None]


def judge(older: str, newer: str, likeness: float | None = None) -> Judgement:
    """What the newer text is to the older one.

    `likeness` is how alike a model finds them, on the scale of `nearness.likeness`; None where there is no model.
    """
    return compare(read(older), read(newer), likeness)


def compare(older: Sequence[Statement], newer: Sequence[Statement], likeness: float | None = None) -> Judgement:
    """The same for texts that were read before. How alike longer texts are says nothing about one sentence of them."""
    alone = len(older) == 1 and len(newer) == 1
    again = [each.said for each in older] == [each.said for each in newer]
    for first in () if again else older:
        for second in newer:
            reason = contradicted(first, second, likeness if alone else None)
            if reason:
                return Judgement(Bearing.CONTRADICTION, reason)
    if alone and repeated(older[0], newer[0], likeness):
        return Judgement(Bearing.REPEAT, "it says the same in other words")
    return NEITHER


def contradicted(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """Why one sentence contradicts another, or None."""
    if not older.content or not newer.content or _is_over(older) or _elsewhere(older, newer):
        return None
    if same_limit(older, newer):
        return None
    for rule in RULES:
        reason = rule(older, newer, likeness)
        if reason:
            return reason
    return None


def repeated(older: Statement, newer: Statement, likeness: float | None) -> bool:
    """Whether two sentences say the same in other words; only a model can tell, and only where nothing differs."""
    if likeness is None or likeness < SAID_AGAIN or older.wide or newer.wide or not older.content & newer.content:
        return False
    if older.negative != newer.negative or not same_amounts(older, newer) or _tell_apart(older, newer):
        return False
    otherwise_written = older.amounts != newer.amounts
    found = None if otherwise_written else difference(plain(older.tokens), plain(newer.tokens))
    if found is not None and (not _verb_differs(older, found[1]) or likeness < SAID_WITH_ANOTHER_VERB):
        return False
    aside = unit_stems() | older.amounts | newer.amounts if otherwise_written else frozenset[str]()
    left, right = len(older.content - newer.content - aside), len(newer.content - older.content - aside)
    shared = len(older.content & newer.content)
    few = max(left, right) <= RELATED and min(left, right) < RELATED
    if not min(left, right) and shared <= max(left, right) == RELATED:
        return False  # one has as much beyond the other as they have in common
    half = 2 * shared >= min(len(older.content), len(newer.content))
    return half and (few or likeness >= SAID_WITH_OTHER_WORDS)


def _tell_apart(older: Statement, newer: Statement) -> bool:
    """Each has a name or an opposite that the other lacks, the order differs, or only one of them tells of a change."""
    if older.names - newer.content and newer.names - older.content:
        return True
    if any(group & older.words != group & newer.words for group in table.APART):
        return True
    if bool(older.has(table.ONLY)) != bool(newer.has(table.ONLY)):
        return True
    if other_stance(older, newer) or other_person(older, newer):
        return True
    if _elsewhere(older, newer) or turned_round(older, newer) or newer.has(table.TOGETHER) != older.has(table.TOGETHER):
        return True
    if (
        relative_of(older, newer)
        or relative_of(newer, older)
        or bool(_changed(older, newer)) != bool(_changed(newer, older))
    ):
        return True
    stems = [{token.stem for token in each.tokens} for each in (older, newer)]
    opposite = any(table.opposites().get(word, frozenset()) & (stems[1] - stems[0]) for word in stems[0] - stems[1])
    return opposite and _explicit_noes(older) == _explicit_noes(newer)


def _verb_differs(older: Statement, left: Sequence[Word]) -> bool:
    return older.verb < len(older.tokens) and older.tokens[older.verb] in left


# -- the rules -------------------------------------------------------------------------------------


def _reversed_preference(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """The same preference the other way round."""
    if not _PREFERRED & older.words or not _PREFERRED & newer.words:
        return None
    found = swapped_pair(older, newer) or changes.swapped_phrases(older, newer)
    return None if found is None else f"'{found[0]}' and '{found[1]}' changed places"


def _another_value(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """Said the same way but for one value."""
    if newer.has(table.TOGETHER):
        return None
    for clause in (newer.tokens, *([newer.clauses[0]] if len(newer.clauses) > 1 else [])):
        found = difference(plain(older.tokens), plain(clause))
        if found is not None:
            before, left, right = found
            if is_value(older, before, left, right):
                return became(left, right)
            if is_role(older, newer, before, left, right):
                return became(left, right)
    return None


def _another_amount(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """The same subject with another number of the same unit, and nothing else that tells them apart."""
    if not older.subject or not older.subject <= newer.content or newer.has(table.TOGETHER) or happened(older):
        return None
    if told_as_past(older) or for_others(older, newer):
        return None
    if newer.subject and not older.subject & older.numbers <= newer.subject:
        return None  # service 4 and service 39, although both are team 4's
    found = other_amount(older, newer) if not another_of_its_kind(older, newer) else None
    if not same_verb(older, newer) and not _changed(older, newer):
        return None
    rest_old = older.content - newer.content - older.numbers
    rest_new = newer.content - older.content - newer.numbers - table.change_stems()
    if found is None or older.negative != newer.negative or (rest_old and rest_new):
        return None
    return found


def _another_number(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """The same words in another order, but for one number or date."""
    left, right = older.content - newer.content, newer.content - older.content
    if happened(older) or told_as_past(older):
        return None
    if len(left) != 1 or len(right) != 1 or len(older.content) <= RELATED or older.negative != newer.negative:
        return None
    if not left <= older.numbers or not right <= newer.numbers or not older.subject - newer.subject:
        return None
    if (left <= older.subject) == (right <= newer.subject):
        return None
    return f"'{older.written(*left)}' became '{newer.written(*right)}'"


def _denied(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """One says no to what the other says."""
    if _noes(older) == _noes(newer) or (told_as_past(older) and not told_as_past(newer)):
        return None
    if relative_of(older, newer) or relative_of(newer, older) or part_of(older, newer) or part_of(newer, older):
        return None
    for one, other, new in ((older, newer, False), (newer, older, True)):
        for clause in map(_unconditional, (*one.clauses, *_joined_by_and(one))):
            if negative(clause) and not other.negative and _covers(content_of(clause), one, other):
                return "the newer one says no to it" if new else "the older one says no to it"
    return None


def _joined_by_and(statement: Statement) -> list[Sequence[Word]]:
    """What stands after an 'and': 'had her eyes lasered and doesn't wear glasses'."""
    places = [place for place, token in enumerate(statement.tokens) if token.word == "and"]
    return [statement.tokens[place + 1 :] for place in places if place + 2 < len(statement.tokens)]


def _unconditional(clause: Sequence[Word]) -> Sequence[Word]:
    """A clause without its condition: 'unless somebody asks'."""
    found = (place for place, token in enumerate(clause) if place > 2 and token.word in table.BECAUSE)
    return clause[: next(found, len(clause))]


def _opposed(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """They differ by a word and its opposite."""
    if part_of(older, newer) or part_of(newer, older):
        return None
    for word in older.content | {token.stem for token in older.tokens if token.word in ("on", "off", "always")}:
        opposites = table.opposites().get(word, frozenset()) | {f"un{word}", word.removeprefix("un")} - {word}
        for other in opposites & {token.stem for token in newer.tokens}:
            if other in {token.stem for token in older.tokens} or word in {token.stem for token in newer.tokens}:
                continue
            if (word in older.names and other in newer.names) or part_of_a_name(older.content, older, newer):
                continue
            if {older.written(word).lower(), newer.written(other).lower()} <= table.TAKE_TURNS:
                continue
            left, right = older.content - {word, other}, newer.content - {word, other}
            shared = left & right
            sure = _changed(older, newer) and (len(shared) > 1 or shared & older.subject & newer.names)
            if not shared or (left - right and right - left and not sure):
                continue
            if _explicit_noes(older) == _explicit_noes(newer):
                return f"'{older.written(word)}' became '{newer.written(other)}'"
    return None


def _said_to_have_changed(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """The newer one says that something changed, about the same thing, with something new."""
    denial = newer.has(table.DENIALS) or opens(newer.tokens) or _not_that(older, newer)
    changed = _changed(older, newer)
    if not denial and not changed:
        return None
    if newer.has(table.TOGETHER) and not older.has(table.ONLY):
        return None
    brought = newer.content - older.content - table.change_stems()
    if not denial and (told_as_past(older) or " still " in newer.said or _one_more(older, newer)):
        return None
    if not denial and something_else_changed(older, newer):
        return None
    if not brought or not _about_one_thing(older, newer, likeness, bool(denial)):
        return None
    value = new_value(older, newer)
    if value is None and not denial and older.has(table.CHANGES):
        return None  # both tell of one change, in other words
    return value or f"the newer one says so: '{changed[0] if changed else newer.tokens[0].written}'"


def _one_more(older: Statement, newer: Statement) -> bool:
    """Nothing but 'now' tells of a change, and one may do both: 'plays chess', 'plays tennis on Fridays now'."""
    changed = _changed(older, newer)
    weak = bool(changed) and {"now", "since", "these days", "nowadays"}.issuperset(changed)
    left, right = older.content - newer.content - older.numbers, newer.content - older.content - newer.numbers
    many = table.SHARED_BY_MANY & older.words & newer.words
    return weak and bool(many and left and right)


def _another_name(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """The newer one tells of a change in the same field of life, with one name where the older one has another."""
    if not _changed(older, newer) or not _fields(older) & _fields(newer) or newer.has(table.TOGETHER):
        return None
    if older.subject - newer.content and newer.subject - older.content:
        return None
    left, right = older.names - newer.content, newer.names - older.content
    if len(left) != 1 or len(right) != 1 or (left | right) & (older.subject | newer.subject):
        return None
    if any(token.written[0].isupper() and token.stem in older.subject for token in older.tokens[1:]):
        return None
    return (
        None
        if likeness is not None and likeness < APART
        else f"'{older.written(*left)}' became '{newer.written(*right)}'"
    )


def _no_longer_the_only(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    if not older.has(table.ONLY) or newer.has(table.ONLY) or newer.negative or older.negative:
        return None
    shared = older.content & newer.content
    only = older.said.split(f" {older.has(table.ONLY)[0]} ", 1)[1].split()[:2]
    if table.NUMBERS.get(only[0] if only else "", "1") != "1":
        return None  # 'only three' are not the only ones
    rest = older.content - {table.base(word) for word in only}
    if newer.has(table.TOGETHER) and rest and rest <= newer.content and newer.content - older.content:
        return "the older one says it is the only one"
    if newer.has(table.EVERYBODY) and shared - older.subject:
        return "the older one says it is the only one"
    if not shared & older.subject or not newer.content - older.content:
        return None
    return "the older one says it is the only one" if shared - older.subject or _close(likeness) else None


def _no_longer_still(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    if not older.has(table.STILL) or newer.has(table.STILL) or not older.subject & newer.content:
        return None
    if not newer.content - older.content or not _about_one_thing(older, newer, likeness, False):
        return None
    return f"the older one was '{older.has(table.STILL)[0]}'"


def _other_in_kind(older: Statement, newer: Statement, likeness: float | None) -> str | None:
    """It ended, somebody else has the role, the state of life or the amount is another."""
    if relative_of(older, newer) or relative_of(newer, older) or (likeness is not None and likeness < MOVED_APART):
        return None
    over = changes.ended(older, newer)
    if over and (likeness is None or likeness >= APART):
        return over
    if part_of(older, newer) or part_of(newer, older) or belongs_to(older, newer) or _one_more(older, newer):
        return None
    kinds = changes.KINDS if likeness is None or likeness >= APART else (changes.moved,)
    for kind in changes.WHO if another_of_its_kind(older, newer) else kinds:
        found = kind(older, newer)
        if found:
            return found
    return None


RULES: tuple[Rule, ...] = (
    _reversed_preference,
    _another_value,
    _another_amount,
    _another_number,
    _denied,
    _opposed,
    _said_to_have_changed,
    _another_name,
    _no_longer_the_only,
    _no_longer_still,
    _other_in_kind,
)


# -- what they are about -----------------------------------------------------------------------------


def _is_over(older: Statement) -> bool:
    """It is said to be past, so that something newer takes nothing from it."""
    was = bool({"was", "were", "used", "had"} & older.words)
    past = was or (not table.PRESENT & older.words and any(token.word.endswith("ed") for token in older.tokens))
    return past and bool(older.has(table.PAST))


def _elsewhere(older: Statement, newer: Statement) -> bool:
    """Each is about a place or a time that the other is not about."""
    for group in table.CONTRASTS:
        first, second = _contrasting(group, older), _contrasting(group, newer)
        if first and second and first.isdisjoint(second):
            return True
    return returns(older, newer) or returns(newer, older) or numbered_apart(older, newer)


def _contrasting(group: frozenset[str], statement: Statement) -> frozenset[str]:
    """The words of a group that stand in a sentence, but for an hour's: 'nine in the evening', and 'from home'."""
    found = group & statement.words
    if not found:
        return found
    before = {word: statement.said.split(f" {word} ", 1)[0].split()[-3:] for word in found}
    hours = {token.word for token in statement.tokens if token.kind == "number"}
    return frozenset(
        word
        for word, words in before.items()
        if not (hours & set(words) and "in" in words) and words[-2:] != ["works", "from"]
    )


def _changed(older: Statement, newer: Statement) -> list[str]:
    """The words of change that only the newer one has; since a year that both name, nothing changed."""
    known = older.has(table.CHANGES)
    found = [phrase for phrase in newer.has(table.CHANGES) if phrase not in known and _is_known(older, newer, phrase)]
    found = [phrase for phrase in found if f" be {phrase} " not in newer.said or not table.POSSIBLE & newer.words]
    if "no more than" in newer.said:  # a limit, and nothing that is over
        found = [phrase for phrase in found if phrase != "no more"]
    return [] if found == ["since"] and older.numbers & newer.numbers else found


def _is_known(older: Statement, newer: Statement, phrase: str) -> bool:
    """'The new checkout' tells of a change only where there was one before."""
    if not phrase.endswith(" new"):
        return True
    following = newer.said.split(f" {phrase} ", 1)[1].split()[:2]
    return any(table.base(word) in older.content for word in following)


def _not_that(older: Statement, newer: Statement) -> bool:
    """The newer one says no to a value of the older: 'not 60'."""
    values = older.content - older.subject
    for place, token in enumerate(newer.tokens):
        if token.word == "not" and place and newer.tokens[place - 1].kind == "mark":
            following = [each.stem for each in newer.tokens[place + 1 : place + 4] if is_telling(each)][:1]
            if following and following[0] in values:
                return True
    return False


def _noes(statement: Statement) -> int:
    return sum(token.kind == "negation" or token.word in table.NEGATIVES for token in statement.tokens)


def _explicit_noes(statement: Statement) -> int:
    return sum(token.kind == "negation" for token in statement.tokens) % 2


def _covers(said: frozenset[str], one: Statement, other: Statement) -> bool:
    """Whether all that one says stands in the other too, and enough of it to be about the same."""
    telling = said - table.negative_stems()
    if not telling <= other.content or part_of_a_name(said, one, other):
        return False
    return bool(telling) and (len(telling) >= RELATED or telling >= other.content)


def _close(likeness: float | None) -> bool:
    return likeness is not None and likeness >= ABOUT_THE_SAME


def _about_one_thing(older: Statement, newer: Statement, likeness: float | None, denial: bool) -> bool:
    extra_old, extra_new = older.subject - newer.content, newer.subject - older.content
    shared = older.content & newer.content
    named = older.subject & newer.subject & (older.names | newer.names)
    if extra_old and extra_new and (_owned(older, named) or not named) and not (_close(likeness) and denial):
        return False
    least = APART if denial else CHANGED_APART
    if relative_of(older, newer) or relative_of(newer, older) or (likeness is not None and likeness < least):
        return False
    if not denial and (part_of(older, newer) or part_of(newer, older) or belongs_to(older, newer)):
        return False
    weight = _things(older, shared) + (1 if _fields(older) & _fields(newer) else 0)
    if weight >= RELATED or (shared and (_close(likeness) or (denial and likeness is None))):
        return True
    things = {token.stem for token in older.tokens[: older.verb] if token.written.islower()} & older.subject
    return bool(things) and older.subject <= newer.content


def _things(statement: Statement, shared: frozenset[str]) -> int:
    """How many things the shared words name: a name of several words is one."""
    count, within = 0, False
    for place, token in enumerate(statement.tokens):
        named = token.kind == "name" or (place == 0 and token.written[0].isupper())
        if token.stem in shared and is_telling(token):
            count += not (within and named)
            within = named
        else:
            within = False
    return count


def _fields(statement: Statement) -> frozenset[int]:
    known = table.fields()
    return frozenset(place for word in statement.content for place in known.get(word, ()))


def _owned(statement: Statement, names: frozenset[str]) -> bool:
    """Whether the names stand there only as owners: 'Rosa's car'."""
    places = [place for place, token in enumerate(statement.tokens[:-1]) if token.stem in names]
    return bool(places) and all(statement.tokens[place + 1].word == "'s" for place in places)
