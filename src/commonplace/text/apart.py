"""What tells two sentences about one thing from two that only sound alike: another of its kind, a part of it, something
else of it that changed.
"""

from collections.abc import Iterable
from itertools import pairwise, takewhile

from commonplace.text import change_words as table
from commonplace.text.quantities import is_ordinal, unit_stems
from commonplace.text.statements import Statement, Word, content_of, is_telling
from commonplace.text.substance_words import CHANGES, LIGHT, PRESENT, RELATIVES, fields
from commonplace.text.values import ATTRIBUTES

_MARKS = frozenset(", ; : but".split())


def something_else_changed(older: Statement, newer: Statement) -> bool:
    """What the newer one says has changed, or is so no longer, is nothing of which the older one speaks."""
    return (
        _ends_another(older, newer)
        or _changes_another(older, newer)
        or _in_place_of_another(older, newer)
        or _others_are_named(older, newer)
        or _of_another_matter(older, newer)
        or _only_now(older, newer)
        or another_of_its_kind(older, newer)
    )


def another_of_its_kind(older: Statement, newer: Statement) -> bool:
    """They are about two things of one kind, told apart by the word before it: the kitchen tap and the bathroom tap."""
    first, second = _qualified(older), _qualified(newer)
    for thing in first.keys() & second.keys():
        one, other = first[thing], second[thing]
        said = thing in older.subject or thing in newer.subject or (one | other) & _counted(older, newer)
        if said and one.isdisjoint(newer.content) and other.isdisjoint(older.content):
            return True
    return _head_differs(older, newer, table.OF) or _head_differs(newer, older, table.BESIDE)


def _qualified(statement: Statement) -> dict[str, frozenset[str]]:
    """What a sentence speaks of, by the words before it: the kitchen tap, eight worker nodes."""
    found: dict[str, frozenset[str]] = {}
    for before, token in pairwise(statement.tokens):
        both = is_telling(token) and is_telling(before) and token.written.islower() and before.kind == "word"
        if both and before is not _verb(statement) and before.stem not in table.aside():
            found[token.stem] = found.get(token.stem, frozenset()) | {before.stem}
    return found


def _counted(*statements: Statement) -> frozenset[str]:
    """The words that stand after a number."""
    return frozenset(
        token.stem for each in statements for before, token in pairwise(each.tokens) if before.kind == "number"
    )


def _verb(statement: Statement) -> Word | None:
    return statement.tokens[statement.verb] if statement.verb < len(statement.tokens) else None


def _head_differs(one: Statement, other: Statement, joints: frozenset[str]) -> bool:
    """One is about a part of what the other is about: 'the board of the society' and 'the society'."""
    heads = [token for token in one.tokens[: one.verb] if is_telling(token)][:1]
    if not heads or heads[0].stem in other.content or heads[0].word in ATTRIBUTES or one.tokens[0].word in table.BESIDE:
        return False  # 'after the call with the broadcaster' tells of what it is said, not about what
    follows = one.tokens[one.tokens.index(heads[0]) + 1 :][:1]
    return bool(follows) and follows[0].word in joints and bool((one.subject - {heads[0].stem}) & other.subject)


def _ends_another(older: Statement, newer: Statement) -> bool:
    """What the newer one says is over is something of which the older one does not speak."""
    if _no_longer_another(older, newer):
        return True
    found = newer.has(table.ENDINGS)
    if not found or set(newer.has(CHANGES)) - set(found):
        return False
    after = newer.said.split(f" {max(found, key=len)} ", 1)[1]
    clause = frozenset(takewhile(lambda word: word not in table.CLAUSE_ENDS, after.split()))
    over = [token.stem for token in newer.tokens if is_telling(token) and token.word in clause]
    return bool(over) and over[-1] not in older.content | table.aside()


def _no_longer_another(older: Statement, newer: Statement) -> bool:
    """What no longer is so was not said: of another, or with another name or number, or of another matter."""
    found = newer.has(table.NO_LONGER)
    if not found:
        return False
    words = set(takewhile(lambda word: word not in _MARKS, newer.said.split(f" {found[0]} ", 1)[1].split()))
    said = [token for token in newer.tokens if is_telling(token) and token.word in words]
    if newer.subject - older.content - LIGHT:
        return True
    if said and said[-1].kind in ("number", "name") and said[-1].stem not in older.content:
        return True
    return bool(said) and bool(older.subject) and content_of(said).isdisjoint(older.content - older.subject)


def _changes_another(older: Statement, newer: Statement) -> bool:
    """It changes a thing of its own, of which the older one does not speak: 'moved its vaccinations'."""
    for place, token in enumerate(newer.tokens[:-2]):
        if token.word in table.CHANGING and newer.tokens[place + 1].word in table.DETERMINERS:
            words = takewhile(lambda each: each.word not in table.CLAUSE_ENDS | table.OF, newer.tokens[place + 2 :])
            thing = content_of(list(words)) - table.aside()
            return bool(thing) and thing.isdisjoint(older.content)
    return False


def _in_place_of_another(older: Statement, newer: Statement) -> bool:
    """What it takes the place of is not in the older one: 'instead of the old desktop'."""
    for phrase in newer.has(table.IN_PLACE_OF):
        words = newer.said.split(f" {phrase} ", 1)[1].split()
        clause = set(takewhile(lambda word: word not in table.CLAUSE_ENDS, words))
        thing = frozenset(token.stem for token in newer.tokens if is_telling(token) and token.word in clause)
        if thing and thing.isdisjoint(older.content):
            return True
    return False


def for_others(older: Statement, newer: Statement) -> bool:
    """The one is so for some, the other for others: 'free for schools', 'costs 3 euros for private users'."""
    first, second = _after(older, "for"), _after(newer, "for")
    return bool(first - newer.content and second - older.content)


def _after(statement: Statement, preposition: str) -> frozenset[str]:
    """The words that follow a preposition up to the next one; no amounts."""
    places = [place for place, token in enumerate(statement.tokens) if token.word == preposition]
    if not places:
        return frozenset()
    words = takewhile(lambda token: token.word not in table.BESIDE | _MARKS, statement.tokens[places[-1] + 1 :])
    return frozenset(token.stem for token in words if is_telling(token) and token.kind in ("word", "name"))


def numbered_apart(older: Statement, newer: Statement) -> bool:
    """What they are about is told apart by a number after it: room 5 and room 6; or several things are."""
    first, second = _numbered(older), _numbered(newer)
    others = [thing for thing in first.keys() & second.keys() if first[thing] != second[thing]]
    about = {thing for thing in others if first[thing] in older.subject and second[thing] in newer.subject}
    return bool(about) or len(others) > 1 or _ranked_apart(older, newer)


def _ranked_apart(older: Statement, newer: Statement) -> bool:
    """The subject of each is one of several in a row: the second floor and the third floor."""
    first, second = _ranked(older), _ranked(newer)
    return any(first[thing] != second[thing] for thing in first.keys() & second.keys())


def _ranked(statement: Statement) -> dict[str, str]:
    """The ordinal that stands before each thing of the subject."""
    return {
        token.stem: before.word
        for before, token in pairwise(statement.tokens[: statement.verb])
        if is_ordinal(before) and token.kind == "word"
    }


def _numbered(statement: Statement) -> dict[str, str]:
    """The number that stands after each thing."""
    return {
        before.stem: token.stem
        for before, token in pairwise(statement.tokens)
        if token.kind == "number" and is_telling(before) and before.kind in ("word", "name")
    }


def _of_another_matter(older: Statement, newer: Statement) -> bool:
    """The older one tells an amount or a day, and the newer one none."""
    if newer.has(table.ENDINGS) or newer.negative != older.negative or table.ALONE & newer.words:
        return False
    return bool(older.numbers - older.subject) and not newer.numbers


def _only_now(older: Statement, newer: Statement) -> bool:
    """Only 'now' tells of a change, and of something else: what the older one says of its subject is not in the newer
    one, nor another name or number for it, and not both say what or where it is."""
    if not older.subject or not table.WEAK.issuperset(newer.has(CHANGES)):
        return False
    said = older.content - older.subject
    values = [bool((each.names | each.numbers) - other.content) for each, other in ((older, newer), (newer, older))]
    alike = _fields(older.content - newer.content) & _fields(newer.content - older.content)
    verbs = [each.tokens[each.verb : each.verb + 3] for each in (older, newer)]
    both_are = all(part and part[0].word in PRESENT | table.PLACED for part in verbs)
    acts = all(any(_is_act(token.word) for token in part[1:]) for part in verbs)
    return not (said & newer.content or all(values) or alike or (both_are and not acts))


def _is_act(word: str) -> bool:
    return word.endswith(("ed", "en")) and word not in table.PLACED


def _fields(words: Iterable[str]) -> frozenset[int]:
    return frozenset(place for word in words for place in fields().get(word, ()))


def _others_are_named(older: Statement, newer: Statement) -> bool:
    """Their subjects are told apart by a name or a number: room 5 and room 6, two bookshops in two streets."""
    left, right = older.subject - newer.content, newer.subject - older.content
    marks = older.names | newer.names | older.numbers | newer.numbers
    return bool(left & marks and right & marks and older.subject & newer.subject)


def same_subject(older: Statement, newer: Statement) -> bool:
    """Neither subject has a telling word that is missing in the other sentence while the other has one too."""
    aside = LIGHT | table.aside() | unit_stems()
    left, right = older.subject - older.numbers - aside, newer.subject - newer.numbers - aside
    return not (left - newer.content and right - older.content)


def part_of_a_name(said: frozenset[str], one: Statement, other: Statement) -> bool:
    """What the one speaks of last is in the other the beginning of something else: 'olives' there, 'olive oil' here."""
    last = [token.stem for token in one.tokens if token.stem in said][-1:]
    for token, after in pairwise(other.tokens):
        if token.stem in last and after.kind == "word" and is_telling(after) and after.stem not in one.content:
            of_time = after.word[-2:] == "ly" or after.stem in table.aside() or after.word in table.WHEN
            return not of_time and "where" not in after.word and token.kind != "calendar"
    return False


def part_of(one: Statement, other: Statement) -> bool:
    """The other is about a thing of what this one is about: 'the blog' here, 'the blog's comments' there."""
    for place, token in enumerate(other.tokens[: other.verb]):
        if place and token.word == "'s" and other.tokens[place - 1].stem in one.content:
            until = takewhile(lambda each: each.kind != "function", other.tokens[place + 1 : other.verb])
            owned = content_of(list(until))
            return bool(owned) and owned.isdisjoint(one.content)
    return False


def belongs_to(older: Statement, newer: Statement) -> bool:
    """The newer is about a thing named after what the older is about: 'birthday' there, 'birthday party' here."""
    tokens = newer.tokens[: newer.verb]
    opening = list(takewhile(lambda token: token.word not in table.BESIDE | _MARKS, tokens))
    named = [token for token in opening if token.stem in newer.subject]
    if not older.subject or not older.subject < newer.subject or not named:
        return False
    return named[-1].stem not in older.content and named[-1].word not in table.ITSELF


def relative_of(one: Statement, other: Statement) -> bool:
    """The other is about somebody else: 'Rosa' here and 'Rosa's husband' there."""
    for place, token in enumerate(other.tokens[:-2]):
        follows = other.tokens[place + 2].word
        if other.tokens[place + 1].word == "'s" and follows in RELATIVES and token.stem in one.content:
            return follows not in one.said
    return False
