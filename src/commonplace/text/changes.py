"""Kinds of change that no single word tells: something ended, somebody else has the role, a state of life is another,
an amount of the same thing is another.

Each of them says in a few words what changed, or None. They are asked only of sentences that may be about one thing.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise, takewhile

from commonplace.text import change_words as table
from commonplace.text.apart import another_of_its_kind, for_others, same_subject
from commonplace.text.identities import exception, other_identity, other_name
from commonplace.text.quantities import BARE, Quantity, quantities, unit_stems
from commonplace.text.statements import Statement, Word, content_of, is_telling
from commonplace.text.substance_words import CHANGES, NEGATIONS, TOGETHER, base, change_stems, stem
from commonplace.text.values import RELATED, became, happened, told_as_past

DENIED_WITHIN = 3  # words before a state among which a negation says no to it
MANY_EXTRA = 2  # telling words beyond the other's from which on a sentence is about something else


def ended(older: Statement, newer: Statement) -> str | None:
    """The newer one says that what the older one tells is over: 'gave up the cello', 'left the council'."""
    found = newer.has(table.ENDINGS)
    if not found or older.has(table.ENDINGS) or older.negative or newer.has(TOGETHER) or told_as_past(older):
        return None
    for clause in newer.clauses:
        said = f" {' '.join(token.word for token in clause)} "
        here = [phrase for phrase in found if f" {phrase} " in said]
        again = any(stem(word) in older.content for phrase in here for word in phrase.split())
        handed = bool(older.has(CHANGES)) and any(phrase in table.HANDED for phrase in here)
        if here and not again and not handed and _is_over(older, newer, clause, max(here, key=len)):
            return f"the newer one says it is over: '{max(here, key=len)}'"
    return None


def _is_over(older: Statement, newer: Statement, clause: Sequence[Word], phrase: str) -> bool:
    """A clause speaks of nothing but what the older one tells, and says by the phrase that it is over."""
    before, after = f" {' '.join(token.word for token in clause)} ".split(f" {phrase} ", 1)
    ends = list(takewhile(lambda word: word not in table.CLAUSE_ENDS, after.split()))
    over = frozenset(token.stem for token in clause if is_telling(token) and token.word in ends)
    known = frozenset(token.stem for token in clause if is_telling(token) and token.word in before.split())
    if over - older.content - table.aside() or known - older.content - table.aside() - table.agents():
        return False
    shared = older.content & (known | over)
    names = any(token.kind == "name" or token.written.islower() for token in clause if token.stem in known)
    alone = bool(shared) and (over <= older.subject if over else names and len(known) >= 1)
    if phrase in table.GONE and over and over == older.subject:
        return True
    rest = len(older.content - newer.content)
    somebody = bool(known) and known <= older.subject and over <= older.content
    return rest <= MANY_EXTRA + somebody and (len(shared) >= RELATED or alone)


def other_holder(older: Statement, newer: Statement) -> str | None:
    """Somebody or something else is named for what one alone is: the treasurer, the lead, whom it belongs to."""
    roles = table.roles() & older.content
    if not (roles or newer.has(CHANGES)) or older.negative or newer.negative or _one_of_many(older, roles):
        return None
    for clause in (newer.tokens, *newer.clauses[:1]):
        said, known = content_of(clause) - change_stems(), older.content - table.holding()
        left = [token for token in older.tokens if is_telling(token) and token.stem in known - said]
        right = [
            token
            for token in clause
            if is_telling(token) and token.stem in said - known - table.holding() - table.agents()
        ]
        shared = roles & said if roles else known & said
        together = TOGETHER.within({token.word for token in clause}, f" {' '.join(token.word for token in clause)} ")
        if _names(left, older.tokens) and _names(right, clause) and shared and not together:
            return became(left, right)
    return None


def other_agent(older: Statement, newer: Statement) -> str | None:
    """Another does it, told the other way round: 'Ines leads the choir', 'the choir is led by Tom'."""
    active, passive = (newer, older) if " by " in older.said else (older, newer)
    if " by " not in passive.said or " by " in active.said or newer.has(TOGETHER) or older.negative or newer.negative:
        return None
    who, whom = _beyond(active, passive), _beyond(passive, active)
    if not who or not whom or len(active.content & passive.content) < RELATED or told_as_past(older):
        return None
    after = active.tokens[active.verb + 1 : active.verb + 2]
    begins = active.tokens[0] is who[0] and passive.tokens[passive.tokens.index(whom[0]) - 1].word == "by"
    if not begins or not after or after[0].word not in table.DETERMINERS - {"a", "an"}:
        return None
    return became(who, whom) if active is older else became(whom, who)


def _beyond(statement: Statement, other: Statement) -> list[Word]:
    """The one name that a sentence has and the other has not, if it has nothing else beyond."""
    found = [token for token in statement.tokens if is_telling(token) and token.stem not in other.content]
    return found if _names(found, statement.tokens) else []


def _names(tokens: Sequence[Word], among: Sequence[Word]) -> bool:
    """Whether they are one name, of a word or two that stand side by side."""
    if not 1 <= len(tokens) <= RELATED or among.index(tokens[-1]) - among.index(tokens[0]) >= RELATED:
        return False
    return all(token.written[0].isupper() and token.kind in ("name", "word") for token in tokens)


def _one_of_many(statement: Statement, roles: Iterable[str]) -> bool:
    """'A captain', 'one of the leads': there may be others."""
    for place, token in enumerate(statement.tokens):
        before = {each.word for each in statement.tokens[max(0, place - 3) : place]}
        if token.stem in roles and before & {"a", "an", "one", "another", "co"}:
            return True
    return False


def other_state(older: Statement, newer: Statement) -> str | None:
    """A state of life that leaves no room for another: single and married, free and for money."""
    if newer.has(TOGETHER) or told_as_past(older) or _other_numbers(older, newer) or for_others(older, newer):
        return None
    first, second = _states(older), _states(newer)
    for states in first.keys() & second.keys():
        one, other = first[states], second[states]
        if len(one) == 1 and one.keys().isdisjoint(other):
            same = (
                _said_of_one(older, newer, states) if table.are_rivals(states) else _one_subject(older, newer, states)
            )
            if same:
                return f"'{_written(older, one)}' became '{_written(newer, other)}'"
    return None


def _written(statement: Statement, states: Mapping[int, str]) -> str:
    """The first of some states as it stands in a sentence."""
    words = next(iter(states.values())).split()
    said = [token.word for token in statement.tokens]
    start = next(place for place in range(len(said)) if said[place : place + len(words)] == words)
    return " ".join(token.written for token in statement.tokens[start : start + len(words)])


def _other_numbers(older: Statement, newer: Statement) -> bool:
    first, second = _counted(older), _counted(newer)
    return bool(first) and bool(second - first)


def _counted(statement: Statement) -> set[str]:
    """Its numbers and days, which tell two things of one kind apart."""
    return {
        token.stem
        for token in statement.tokens
        if token.kind == "number" or token.word == "second" or token.stem.startswith(("day:", "month:"))
    }


def _said_of_one(older: Statement, newer: Statement, states: int) -> bool:
    """But for the state, one of the first clauses says no more than the other."""
    said = _stems_of(states) | table.measuring() | table.aside() | change_stems()
    left = (content_of(older.clauses[0]) | older.names) - said
    right = (content_of(newer.clauses[0]) | newer.names) - said
    return bool(left & right) and not (left - right and right - left)


def _states(statement: Statement) -> dict[int, dict[int, str]]:
    """The states that a sentence tells of, by their row and place in it, each by its phrase; not what it says no to."""
    found: dict[int, dict[int, str]] = {}
    for phrase in statement.has(table.every_state()):
        before = statement.said.split(f" {phrase} ", 1)[0].split()[-DENIED_WITHIN:]
        if NEGATIONS.isdisjoint(before):
            for row, place in table.places_of_states()[phrase]:
                found.setdefault(row, {}).setdefault(place, phrase)
    return found


@cache
def _stems_of(row: int) -> frozenset[str]:
    words = [word for states in table.row_of_states(row) for phrase in states.all for word in phrase.split()]
    return frozenset(made for word in words for made in (stem(word), base(word)))


def _one_subject(older: Statement, newer: Statement, states: int) -> bool:
    """What is said to be in the one state and in the other is the same, as far as it is named."""
    said = _stems_of(states)
    left = older.content - said - older.numbers
    right = newer.content - said - newer.numbers - change_stems()
    shared = left & right
    few = len(left - right) <= 1 or len(right - left) <= 1
    return bool(shared) and few and same_subject(older, newer)


def other_quantity(older: Statement, newer: Statement) -> str | None:
    """The same thing measured again: one amount of a kind in each, and on one side little beside what they share."""
    if newer.has(TOGETHER) or happened(older) or told_as_past(older) or older.negative != newer.negative:
        return None
    one, other = _of_one_kind(older, newer)
    if one is None or other is None or one.amount == other.amount:
        return None
    if one.kind in ("day", "date", "month") and {"was", "were"} & older.words & newer.words:
        return None  # it may have been twice
    aside = table.aside() | change_stems() | table.measuring() | unit_stems() | one.stems | other.stems
    left, right = older.content - newer.content - aside, newer.content - older.content - aside - table.agents()
    shared = (older.content & newer.content) - (aside - (older.subject & table.aside())) - one.stems
    anew = bool(newer.has(CHANGES)) or _said_to_be_new(newer, older.content)
    if not shared or for_others(older, newer) or ((left or right) and another_of_its_kind(older, newer)):
        return None
    if left and (right or not same_subject(older, newer)) and not (anew and len(left) == 1):
        return None
    extra = len(left) + len(right)
    if extra > MANY_EXTRA * (1 + anew) or (len(shared) < RELATED and (left or extra > 1) and not anew):
        return None
    if anew and left and right and newer.subject - older.content - table.agents():
        return None
    return f"'{one.written}' became '{other.written}'"


def later(older: Statement, newer: Statement) -> str | None:
    """Not before, or only until, another time than the older one has: 'opens in May', 'doesn't open before June'."""
    if not newer.negative or older.negative or not {"before", "until", "till"} & newer.words:
        return None
    one, other = _of_one_kind(older, newer)
    if (
        one is None
        or other is None
        or one.amount == other.amount
        or newer.content - older.content - other.stems - table.aside()
    ):
        return None
    return f"'{one.written}' became 'not before {other.written}'"


def _said_to_be_new(statement: Statement, known: frozenset[str]) -> bool:
    """'The new wedding date', of a wedding that is known."""
    tokens = statement.tokens
    return any(
        token.word == "new" and tokens[place + 1].stem in known and tokens[place - 1].word not in ("a", "an")
        for place, token in enumerate(tokens[:-1])
        if place
    )


def _of_one_kind(older: Statement, newer: Statement) -> tuple[Quantity | None, Quantity | None]:
    """The only amount of the older one, and that of the newer one which is of its kind."""
    first, second = quantities(older), quantities(newer)
    if len(first) != 1 or not 1 <= len(second) <= RELATED:
        return None, None
    (kind,) = first
    if kind not in second and BARE in second and len(second) == 1 and newer.has(CHANGES):
        return first[kind], second[BARE]
    return first[kind], second.get(kind)


def first_time(older: Statement, newer: Statement) -> str | None:
    """What was said never to be, or not to be there, is told of: 'has never run a marathon', 'her third marathon'."""
    if not older.negative or newer.negative or not older.subject or newer.has(table.NOT_YET):
        return None
    found = next((place for place, token in enumerate(older.tokens) if token.kind == "negation"), None)
    if found is None or older.tokens[found].word == "nobody":
        return None
    following = [token for token in older.tokens[found + 1 :] if is_telling(token)]
    there = older.tokens[found].word == "no" or len(following) == 1
    absent = frozenset(token.stem for token in (following if there else following[1:]))
    told = newer.content | {whole for part, whole in table.wholes().items() if part in newer.content}
    if not absent or not absent <= told or not older.subject <= newer.content:
        return None
    return f"the older one says '{older.tokens[found].written}'"


def first_of_its_kind(older: Statement, newer: Statement) -> str | None:
    """Of what there was none, the newer one tells of the first: 'has no patents', 'filed the first patent'."""
    none = [
        after.stem for before, after in pairwise(older.tokens) if before.word in ("no", "any") and is_telling(after)
    ]
    first = [after.stem for before, after in pairwise(newer.tokens) if before.word == "first" and is_telling(after)]
    found = set(none) & set(first)
    if not found or not older.negative or newer.negative or newer.has(table.NOT_YET):
        return None
    if older.subject - found - newer.content:
        return None
    return "the newer one tells of the first"


def moved(older: Statement, newer: Statement) -> str | None:
    """The newer one says to what a thing was moved, switched or rewritten, where the older one has another name."""
    place = next((place for place, token in enumerate(newer.tokens) if token.word in table.MOVES), None)
    if place is None or newer.has(TOGETHER):
        return None
    after = newer.tokens[place + 1 : place + 5]
    into = next((each for each, token in enumerate(after) if token.word in table.INTO), None)
    new = [token for token in after[into + 1 :] if is_telling(token)][:1] if into is not None else []
    old = [token for token in older.tokens[1:] if token.written[0].isupper() and token.stem not in newer.content]
    if not new or not new[0].written[0].isupper() or new[0].stem in older.content or not 1 <= len(old) <= RELATED:
        return None
    about = content_of(newer.tokens[:place]) | content_of(after[:into])
    about -= change_stems()
    if not about or not about <= older.content or old[0].stem in older.subject:
        return None
    return became(old, new)


def swapped_phrases(older: Statement, newer: Statement) -> tuple[str, str] | None:
    """What is preferred and to what, exchanged: 'email over phone calls' and 'phone calls over email'."""
    first, second = _sides(older), _sides(newer)
    if first is None or second is None or first[0] != second[1] or first[1] != second[0] or first[0] == first[1]:
        return None
    return " ".join(map(older.written, sorted(first[0]))), " ".join(map(older.written, sorted(first[1])))


def _sides(statement: Statement) -> tuple[frozenset[str], frozenset[str]] | None:
    for place, token in enumerate(statement.tokens):
        if token.word in table.RATHER and place > statement.verb:
            sides = content_of(statement.tokens[statement.verb + 1 : place]), content_of(statement.tokens[place + 1 :])
            return sides if all(sides) else None
    return None


WHO = (other_holder, other_agent, other_identity)
KINDS = (
    *WHO,
    other_state,
    other_quantity,
    later,
    first_time,
    first_of_its_kind,
    other_name,
    exception,
    moved,
)
