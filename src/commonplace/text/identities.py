"""Who or what something is: where two sentences say of one thing, which there is only one of, that it is two others."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonplace.text import change_words as table
from commonplace.text.statements import Statement, Word, content_of, is_telling
from commonplace.text.substance_words import CHANGES, EVERYBODY, SHARED_BY_MANY, TOGETHER, change_stems
from commonplace.text.values import RELATED, became, told_as_past

_COPULAS = frozenset("is ist est es è".split())
_OURS = frozenset("our my your his her their 's unser unsere mein meine notre mon ma nuestro nuestra mi".split())
_ARTICLES = frozenset("a an ein eine un une una".split())
_CALLED = frozenset("called named name names now currently".split())


class Side(NamedTuple):
    """What stands on one side of an 'is': its telling words, whether it is the only one of its kind, and what it is."""

    tokens: tuple[Word, ...]
    content: frozenset[str]
    ours: bool
    value: bool


def other_identity(older: Statement, newer: Statement) -> str | None:
    """'Our tax adviser' is somebody else, the mascot another animal, the dog called otherwise."""
    if newer.has(TOGETHER) or older.negative or newer.negative:
        return None
    for one in _equations(older.clauses[0]):
        for other in (pair for clause in newer.clauses for pair in _equations(clause)):
            for (known, left), (again, right) in ((first, second) for first in one for second in other):
                same = known.content == again.content and (known.ours or again.ours)
                if same and left.value and right.value and left.content.isdisjoint(right.content):
                    return became(left.tokens, right.tokens)
    return None


def _equations(clause: Sequence[Word]) -> Iterator[tuple[tuple[Side, Side], tuple[Side, Side]]]:
    """Both sides of a sentence with one 'is' in it, each way round."""
    places = [place for place, token in enumerate(clause) if token.word in _COPULAS]
    if len(places) != 1 or clause[0].word in table.NOBODY_IN_PARTICULAR:
        return
    first, second = _side(clause[: places[0]]), _side(clause[places[0] + 1 :])
    if first.content and second.content:
        yield (first, second), (second, first)


def _side(tokens: Sequence[Word]) -> Side:
    said = [token for token in tokens if token.word not in _CALLED]
    while said and said[-1].word == "'s":
        said = said[:-1]
    telling = tuple(token for token in said if is_telling(token) and token.stem not in change_stems())
    named = bool(telling) and all(token.kind == "name" or token.written[0].isupper() for token in telling)
    plain = all(token.kind in ("name", "word") for token in telling) and len(telling) <= RELATED + 1
    ours = bool(_OURS & {token.word for token in said}) or any(token.word in _CALLED for token in tokens)
    one = len(said) <= RELATED + 1 and bool(said) and said[0].word in _ARTICLES
    return Side(telling, frozenset(token.stem for token in telling), ours and not one, plain and (named or one))


def other_name(older: Statement, newer: Statement) -> str | None:
    """The same words but for one name, in whatever order, of what is not one of several."""
    if newer.has(TOGETHER) or told_as_past(older) or older.negative != newer.negative:
        return None
    if SHARED_BY_MANY & (older.words | newer.words):
        return None
    aside = table.measuring() | table.holding() | table.aside() | change_stems()
    shared = (older.content & newer.content) - aside
    sides = [_named(each, other.content | aside) for each, other in ((older, newer), (newer, older))]
    if len(shared) < RELATED or not all(len(side) == 1 for side in sides):
        return None
    return became(*sides)


def _named(statement: Statement, known: frozenset[str]) -> list[Word]:
    """What a sentence has beyond another, if that is one name that is not an owner's and not the subject's."""
    found = [token for token in statement.tokens if is_telling(token) and token.stem not in known]
    if len(found) != 1 or found[0].kind != "name":
        return []
    after = statement.tokens[statement.tokens.index(found[0]) + 1 :][:1]
    return [] if (after and after[0].word == "'s") or found[0].stem in statement.subject else found


def exception(older: Statement, newer: Statement) -> str | None:
    """What is so of every one is not so of some: 'tests for every function', 'no tests for trivial functions'."""
    if not older.has(EVERYBODY) or older.negative or not newer.negative or newer.has(CHANGES):
        return None
    for clause in newer.clauses:
        said = content_of(clause)
        if len(said & older.content) >= RELATED and len(said - older.content) <= 1:
            return "the newer one says no to some of it"
    return None
