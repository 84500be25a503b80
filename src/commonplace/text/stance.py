"""What a sentence says of its matter: that it is so, was so, is wanted or may be so; of whom; and whether it adds to
another.

Two texts can share every word that tells something and yet not say the same: "lives in Berlin" and "used to live in
Berlin", "is allergic" and "might be allergic", "the user" and "the user's brother". Neither contradicts the other, and
neither repeats it.
"""

from collections.abc import Sequence
from itertools import pairwise

from commonplace.text import fold, without_invisible
from commonplace.text import substance_words as table
from commonplace.text.statements import TEXT_LIMIT, Statement, Word, read
from commonplace.text.values import RELATED

_OVER = table.Phrases(
    """formerly|previously|in the past|back then|at the time|once was|once were|former|quit|quits|gave up|
    given up|früher|ehemals|ehemalige|ehemaliger|autrefois|ancien|ancienne|anteriormente|antigamente"""
)
_WANTED = table.Phrases(
    """want to|wants to|wanted to|would like to|would love to|plan to|plans to|planned to|planning to|hope to|hopes to|
    hoping to|intend to|intends to|going to|dreams of|dreaming of|trying to|tries to|thinking of|thinking about|
    considering|considers|considered"""
)
_POSSIBLE = table.Phrases(
    """might|maybe|perhaps|possibly|probably|presumably|supposedly|apparently|may be|may have|could be|could have|
    not sure|unsure|vielleicht|vermutlich|womöglich|peut-être|quizás|quizá|tal vez|talvez|forse"""
)
_AGAINST = table.Phrases("against|gegen|contre|contra")
_ONLY = table.Phrases(
    """only|exclusively|solely|restricted to|limited to|nobody but|no one but|nobody except|nur|ausschließlich|
    seulement|uniquement|solamente|apenas|soltanto"""
)
_AHEAD = table.Phrases("will|shall")
_PARTLY = tuple(
    table.Phrases(row)
    for row in (
        "some|several|few|a little|a few|manche|einige|quelques|algunos|algunas|alguns|algumas",
        "usually|normally|generally|often|mostly|as a rule|meistens|souvent",
        "sometimes|rarely|seldom|occasionally|selten|parfois|a veces",
        "most|almost|nearly|partly|partially|half|fast alle|teilweise",
    )
)
_CONDITIONS = frozenset(
    "if when whenever unless until while only except case during falls wenn solange si lorsque quand cuando se".split()
)
_TO_BE = frozenset("is are was were am be been being get gets got".split())
_WAS = frozenset("was were had".split())
_WHO = frozenset("i we you he she it they who".split())
_PAST_FORMS = dict(
    pair.split("/")
    for pair in """had/has went/goes ran/runs drove/drives wrote/writes took/takes ate/eats drank/drinks spoke/speaks
    taught/teaches led/leads kept/keeps held/holds met/meets left/leaves made/makes paid/pays sold/sells bought/buys
    sent/sends built/builds sat/sits stood/stands grew/grows knew/knows chose/chooses began/begins thought/thinks
    gave/gives came/comes said/says wore/wears rode/rides saw/sees slept/sleeps felt/feels spent/spends ran/runs
    sang/sings swam/swims won/wins lost/loses""".split()
)
_PARTICIPLES = frozenset(
    """born built made sent held kept sold bought taught led written given taken chosen hired put set done found lost
    left cut paid told said seen known grown broken spoken driven begun run come become become shut hit won""".split()
)
_KIN = frozenset(
    table.stem(word)
    for word in """husband wife son daughter sister brother mother father mum mom dad uncle aunt cousin girlfriend
    boyfriend grandfather grandmother grandson granddaughter niece nephew stepmother stepfather stepson stepdaughter
    fiance fiancee friend neighbour neighbor colleague boss""".split()
)
_WED = frozenset(table.stem(word) for word in "married engaged related sibling parent".split())
_FACTS = tuple(
    frozenset(map(table.base, row.split()))
    for row in """born birthplace birth|live reside home based|work employed job|study studies student learn teach
    taught teacher|visit visited
    travel trip holiday|speak fluent|lead led manage head|rent tenant|sell sold|
    bought buy|die died""".split("|")
)
_FILLERS = frozenset(
    """the a an this that these those now currently just really very so then well also please indeed actually der die
    das ein eine le la les un une el los las""".split()
)
_WEIGHTLESS = frozenset(table.base(word) for word in "happen hold run be have occur like need write".split())
"""Words that say little beside what they stand with: 'deploys happen on Thursdays', 'we deploy on Thursdays'."""


def told_apart(a: str, b: str) -> bool:
    """Whether two texts that are alike differ in stance or in the people they are about."""
    first, second = read(a), read(b)
    if _kin(first) != _kin(second) and not _explained(first, second):
        return True
    if _stances(first) != _stances(second):
        return True
    return any(_other_time(one, other) for one in first for other in second if _share(one, other))


def other_stance(a: Statement, b: Statement) -> bool:
    """Whether one tells of what is so and the other of what was, is wanted, may be, is turned down or is so in part."""
    return _stances((a,)) != _stances((b,)) or _other_time(a, b)


def other_person(a: Statement, b: Statement) -> bool:
    """Whether one is about somebody's relative or friend of whom the other does not speak."""
    return _kin((a,)) != _kin((b,)) and not _explained((a,), (b,))


def says_all(older: str, newer: str) -> bool:
    """Whether the older text has every word of the newer one in its order, and no condition that the newer is free of.

    Articles and words that add nothing do not count. Where it does not, the newer text may have something new.
    """
    if len(older) > TEXT_LIMIT or len(newer) > TEXT_LIMIT:
        return fold(older) == fold(newer)
    first, second = _said(older), _said(newer)
    if not second or _CONDITIONS & {*first} - {*second}:
        return False
    width = len(second)
    return any(first[start : start + width] == second for start in range(len(first) - width + 1))


def adds(older: Statement, newer: Statement) -> bool:
    """Whether a sentence that says the same in other words has more of them than those it puts in others' place."""
    brought = newer.content - older.content - _WEIGHTLESS
    return len(brought) > len(older.content - newer.content)


# -- what is wanted, possible, or so in part ---------------------------------------------------------


def _stances(statements: Sequence[Statement]) -> list[bool]:
    """Which stances a text takes. What will be on a day that is named is taken as what is."""
    kinds = (_WANTED, _POSSIBLE, _AGAINST, _ONLY, *_PARTLY)
    found = [any(each.has(phrases) for each in statements) for phrases in kinds]
    return [*found, any(each.has(_AHEAD) and not each.numbers for each in statements)]


# -- what was so ---------------------------------------------------------------------------------------


def _other_time(a: Statement, b: Statement) -> bool:
    """One tells of what is, the other of what was or of another fact."""
    if _is_over(a) != _is_over(b) and _done(a if _is_over(b) else b) is None:
        return True
    return _other_tense(a, b) or _other_tense(b, a) or _other_fact(a, b)


def _is_over(statement: Statement) -> bool:
    """It is said to be past: 'used to', 'formerly', or 'was' and 'had' with what was so and not with what was done."""
    if statement.has(_OVER) or _used_to(statement.tokens) or any(word.startswith("ex-") for word in statement.words):
        return True
    if statement.verb >= len(statement.tokens) or statement.tokens[statement.verb].word not in _WAS:
        return False
    follows = statement.tokens[statement.verb + 1 : statement.verb + 3]
    return not any(_is_participle(token.word) for token in follows)


def _used_to(tokens: Sequence[Word]) -> bool:
    """'Used to', and not 'is used to'."""
    words = [token.word for token in tokens]
    return any(
        words[place : place + 2] == ["used", "to"] and (place == 0 or words[place - 1] not in _TO_BE)
        for place in range(len(words) - 1)
    )


def _is_participle(word: str) -> bool:
    return word in _PARTICIPLES or (word.endswith(("ed", "ing")) and len(word) > 4)


def _done(statement: Statement) -> Word | None:
    """The word that tells of what was done: 'owned' and 'drove', and not 'is owned' or 'an owned one'."""
    for before, token in pairwise(statement.tokens):
        past = token.word in _PAST_FORMS or (token.word.endswith("ed") and len(token.word) > 4)
        if past and not before.word.endswith("ed") and (before.kind in ("word", "name") or before.word in _WHO):
            return token
    return None


def _other_tense(past: Statement, present: Statement) -> bool:
    """One says 'owned' or 'drove' where the other says 'owns' or 'drives'."""
    verb = _done(past)
    if verb is None or verb.word in present.words:
        return False
    if verb.word in _PAST_FORMS:
        form = _PAST_FORMS[verb.word]
        return not present.words.isdisjoint((form, form.removesuffix("s")))
    return any(
        token.stem == verb.stem and token.kind == "word" and not token.word.endswith(("ed", "ing"))
        for token in present.tokens
    )


def _other_fact(a: Statement, b: Statement) -> bool:
    """Each tells another fact of a life: where one was born, where one lives."""
    first, second = ([facts & each.content for facts in _FACTS] for each in (a, b))
    return any(first) and any(second) and not any(x and y for x, y in zip(first, second, strict=True))


# -- of whom -------------------------------------------------------------------------------------------


def _kin(statements: Sequence[Statement]) -> frozenset[str]:
    """The relatives and friends that are spoken of, as written but for their number; 'mum' is 'mother'."""
    found = set()
    for statement in statements:
        for token in statement.tokens:
            parts = token.word.split("-")
            if any(table.stem(part) in _KIN for part in parts):
                found.add(token.stem if len(parts) == 1 else token.word)
    return frozenset(found)


def _explained(first: Sequence[Statement], second: Sequence[Statement]) -> bool:
    """A relative is called by a name that both have, or the other one says the same by 'married'."""
    kin = (_kin(first), _kin(second))
    if kin[0] and kin[1]:
        return False
    with_kin, without = (first, second) if kin[0] else (second, first)
    content = frozenset(stem for each in without for stem in each.content)
    if content & _WED:
        return True
    for statement in with_kin:
        for token, after in pairwise(statement.tokens):
            if token.stem in kin[0] | kin[1] and after.kind == "name" and after.stem in content:
                return True
    return False


# -- what they share -----------------------------------------------------------------------------------


def _share(a: Statement, b: Statement) -> bool:
    """Whether two sentences are about the same, as far as their words tell."""
    shared = a.content & b.content
    return len(shared) >= RELATED or 2 * len(shared) >= min(len(a.content), len(b.content)) > 0


def _said(text: str) -> list[str]:
    words = fold(without_invisible(text)).replace("’", "'").split()
    plain = (word.strip(".,;:!?\"'()") for word in words)
    return [table.base(word) for word in plain if word and word not in _FILLERS]
