"""Kinds of change that no single word tells: something ended, somebody else has the role, a state of life is another,
an amount of the same thing is another.

Each of them says in a few words what changed, or None. They are asked only of sentences that may be about one thing.
"""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from commonplace.text import change_words as table
from commonplace.text.quantities import BARE, Quantity, quantities, unit_stems
from commonplace.text.statements import Statement, Word, content_of, is_telling
from commonplace.text.substance_words import CHANGES, LIGHT, TOGETHER, change_stems, stem
from commonplace.text.values import RELATED, became, happened, told_as_past

MANY_EXTRA = 2  # telling words beyond the other's from which on a sentence is about something else


def ended(older: Statement, newer: Statement) -> str | None:
    """The newer one says that what the older one tells is over: 'gave up the cello', 'left the council'."""
    found = newer.has(table.ENDINGS)
    if not found or older.has(table.ENDINGS) or older.negative or newer.has(TOGETHER) or told_as_past(older):
        return None
    phrase = max(found, key=len)
    before, after = newer.said.split(f" {phrase} ", 1)
    clause = frozenset(takewhile(lambda word: word not in table.CLAUSE_ENDS, after.split()))
    over = frozenset(token.stem for token in newer.tokens if is_telling(token) and token.word in clause)
    known = {token.stem for token in newer.tokens if is_telling(token) and token.word in before.split()} | over
    if over - older.content - table.aside() or known - older.content - table.aside():
        return None
    shared = older.content & newer.content
    if len(shared) < RELATED or len(older.content - newer.content) > MANY_EXTRA:
        return None
    return f"the newer one says it is over: '{phrase}'"


def other_holder(older: Statement, newer: Statement) -> str | None:
    """Somebody or something else is named for what one alone is: the treasurer, the lead, whom it belongs to."""
    roles = table.roles() & older.content
    if not roles or newer.has(TOGETHER) or older.negative or newer.negative or _one_of_many(older, roles):
        return None
    for clause in (newer.tokens, *newer.clauses[:1]):
        left = [token for token in older.tokens if is_telling(token) and token.stem not in content_of(clause)]
        right = [token for token in clause if is_telling(token) and token.stem not in older.content]
        left = [token for token in left if token.stem not in table.holding()]
        right = [token for token in right if token.stem not in table.holding() | change_stems()]
        if _names(left) and _names(right) and roles & content_of(clause):
            return became(left, right)
    return None


def _names(tokens: Sequence[Word]) -> bool:
    return 1 <= len(tokens) <= RELATED and all(token.written[0].isupper() for token in tokens)


def _one_of_many(statement: Statement, roles: Iterable[str]) -> bool:
    """'A captain', 'one of the leads': there may be others."""
    for place, token in enumerate(statement.tokens):
        before = {each.word for each in statement.tokens[max(0, place - 3) : place]}
        if token.stem in roles and before & {"a", "an", "one", "another", "co"}:
            return True
    return False


def other_state(older: Statement, newer: Statement) -> str | None:
    """A state of life that leaves no room for another: single and married, free and for money."""
    if newer.has(TOGETHER) or older.negative or newer.negative or told_as_past(older):
        return None
    for states in table.STATES:
        first = [place for place, phrases in enumerate(states) if older.has(phrases)]
        second = [place for place, phrases in enumerate(states) if newer.has(phrases)]
        if len(first) == 1 and second and first[0] not in second and _one_subject(older, newer, states):
            return f"'{older.has(states[first[0]])[0]}' became '{newer.has(states[second[0]])[0]}'"
    return None


def _one_subject(older: Statement, newer: Statement, states: Sequence[table.Phrases]) -> bool:
    """What is said to be in the one state and in the other is the same, as far as it is named."""
    said = {stem(word) for phrases in states for phrase in phrases.all for word in phrase.split()}
    left = older.content - said - older.numbers
    right = newer.content - said - newer.numbers - change_stems()
    shared = left & right
    few = len(left - right) <= 1 or len(right - left) <= 1
    return bool(shared) and few and _same_subject(older, newer)


def other_quantity(older: Statement, newer: Statement) -> str | None:
    """The same thing measured again: one amount of a kind in each, and on one side little beside what they share."""
    if newer.has(TOGETHER) or happened(older) or told_as_past(older) or older.negative != newer.negative:
        return None
    one, other = _of_one_kind(older, newer)
    if one is None or other is None or one.amount == other.amount:
        return None
    aside = table.aside() | change_stems() | table.measuring() | unit_stems() | one.stems | other.stems
    left, right = older.content - newer.content - aside, newer.content - older.content - aside
    shared = (older.content & newer.content) - aside
    if not shared or (left and right) or len(left) + len(right) > MANY_EXTRA or not _same_subject(older, newer):
        return None
    if len(shared) < RELATED and (left or right):
        return None
    return f"'{one.written}' became '{other.written}'"


def _of_one_kind(older: Statement, newer: Statement) -> tuple[Quantity | None, Quantity | None]:
    """The only amount of the older one, and that of the newer one which is of its kind."""
    first, second = quantities(older), quantities(newer)
    if len(first) != 1 or not 1 <= len(second) <= RELATED:
        return None, None
    (kind,) = first
    if kind not in second and BARE in second and len(second) == 1 and newer.has(CHANGES):
        return first[kind], second[BARE]
    return first[kind], second.get(kind)


def _same_subject(older: Statement, newer: Statement) -> bool:
    """Neither subject has a telling word that is missing in the other sentence while the other has one too."""
    return not (older.subject - newer.content - LIGHT and newer.subject - older.content - LIGHT)
