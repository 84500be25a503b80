"""Whether a text is what somebody describes, who wants exactly that and nothing like it.

Names, numbers, "old" and "new", and words such as "staging" and "production" must be right: what lacks one of them is
something else. Other words may be said otherwise; which of them a text lacks is for the caller to weigh.
"""

import re
from typing import NamedTuple

from commonplace.text import content_terms, questions, statements, terms
from commonplace.text.stopwords import STOPWORDS
from commonplace.text.subjects import described
from commonplace.text.substance_words import CONTRASTS

_OWNER = re.compile(r"\W*([^\W\d_]+)['’]s\b")
_FIRST_PERSON = re.compile(r"\W*(?:that )?(?:i|we)\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\s[^\W\d_a-z]\w")
_REASON = re.compile(
    r"(?:[,;–—]|\s-)\s*+(?:because\s++)?(?:it|they|he|she|we|i|that)\b(?P<said>[^,;]*+)$", re.IGNORECASE
)
_OVER = re.compile(
    r"\b(?:fixed|settled|solved|resolved|sorted|done|over|finished|made up|sad|upsets?|hurts?|wrong|untrue|left|gone|"
    r"moved (?:away|out)|thrown out|cancelled|canceled|sold|died|quit|changed|expired|closed|called off|"
    r"not true|no longer|any more|anymore|outdated|obsolete)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[-.:/@+][^\W_]+)*")
SHORTEST_FAMILY = 5  # letters of a stem
_OLD = frozenset("old previous former earlier outdated formerly oldest past before until till previously prior".split())
_NEW = frozenset("new current latest newest present updated".split())
_BEGUN = frozenset("since now seit ab desde depuis".split())
"""What a text says of something that took the place of something else; nobody describes a thing by them."""
_SAME = {"prod": "production", "testing": "test", "iphone": "ios", "return": "back", "returning": "back"}
_SAME |= {"mum": "mother", "mom": "mother", "dad": "father", "auntie": "aunt", "grandma": "grandmother"}
_SAME |= {"granny": "grandmother", "grandpa": "grandfather", "granddad": "grandfather"}
_KIN = tuple(
    frozenset(row.split())
    for row in """aunt uncle|mother father|sister brother|daughter son|wife husband|girlfriend boyfriend|niece nephew|
    grandmother grandfather|tante onkel|mutter vater|schwester bruder|tochter sohn|oma opa|tía tío|madre padre|
    hermana hermano|hija hijo|abuela abuelo|mère père|soeur frère|fille fils""".split("|")
)
"""People of one kind, of whom nobody means one by the other. Statements about two of them may still be alike."""
_PAST = ("used to", "no longer", "not any more")
_LIGHT = frozenset(
    content_terms(
        "number name day time date version thing fact note memory information detail details entry place value take "
        "takes took taking get gets got happen happens make makes say says said tell told call called set setting "
        "decision decided decide preference prefer prefers rule much often long many old previous former earlier "
        "outdated formerly oldest past new current latest newest present updated way kind sort taste people bit"
    )
)
"""What people say to describe a thing and seldom to state it; and the words that are compared by themselves."""


class Description(NamedTuple):
    """What somebody describes: the terms it is to have, what must be right, and whether it is more than one thing.

    `mine` says that it is told of the speaker: "that I work at Siemens".
    """

    text: str
    terms: frozenset[str]
    names: tuple[str, ...]
    numbers: frozenset[str]
    words: frozenset[str]
    old: bool
    new: bool
    mine: bool
    several: bool

    @property
    def told_apart_by(self) -> frozenset[str]:
        """Its names, and "old" or "new": what two memories may differ by that are else the same."""
        return frozenset(name for name in self.names if name.isalpha()) | {"old", "new"}


class Fit(NamedTuple):
    """How a text fits a description: the terms it has and lacks, and what must be right and is not.

    `wrong` are names, numbers and contrasts; `silent` says that it tells neither old nor new where one was asked for.
    """

    has: frozenset[str]
    lacks: frozenset[str]
    wrong: tuple[str, ...]
    silent: bool

    @property
    def possible(self) -> bool:
        """Whether nothing that must be right is wrong or unsaid."""
        return not self.wrong and not self.silent


def read(text: str) -> Description:
    """What a description says."""
    subject = described(text)
    said = _without_reason(subject.text)
    words = _words(said)
    names = [name for name in questions.read(said).names if not _LIGHT.issuperset(terms(name))]
    owner = _OWNER.match(said)
    if owner and owner[1][0].isupper() and owner[1].lower() not in STOPWORDS:
        names.append(owner[1].lower())
    numbers = frozenset(word for word in words if word[0].isdigit())
    telling = frozenset(term for term in content_terms(said) if "-" not in term) - _LIGHT  # its parts are terms too
    aged = _words(subject.text)
    old, new = bool(aged & _OLD), bool(aged & _NEW)
    mine = _FIRST_PERSON.match(said) is not None
    return Description(said, telling, tuple(dict.fromkeys(names)), numbers, words, old, new, mine, subject.several)


def _without_reason(said: str) -> str:
    """What is said, without why it is to go: "the cat, it makes me sad". A name or number there describes after all."""
    found = _REASON.search(said)
    if found is None or not _OVER.search(found["said"]) or not content_terms(said[: found.start()]):
        return said
    tells = any(character.isdigit() for character in found["said"]) or _CAPITAL.search(found["said"])
    return said if tells else said[: found.start()].rstrip()


def fit(description: Description, text: str, labels: str = "") -> Fit:
    """How a text, with the labels it has, fits."""
    whole = f"{text}\n{labels}"
    words, stems = _words(whole), frozenset(terms(whole))
    lowered = whole.lower()
    wrong = [name for name in description.names if name not in lowered]
    wrong += sorted(number for number in description.numbers - words if number not in lowered)
    wrong += _contrasted(description.words, words)
    if description.mine and _is_of_another(text):
        wrong.append("I")
    told_old = bool(words & _OLD) or any(phrase in lowered for phrase in _PAST)
    told_new = bool(words & (_NEW | _BEGUN))
    silent = False
    if description.old != description.new:
        right, other = (told_old, told_new) if description.old else (told_new, told_old)
        wrong += ["old" if description.old else "new"] if other and not right else []
        silent = not right and not other
    has = frozenset(term for term in description.terms if term in stems or _is_derived(term, stems))
    return Fit(has, description.terms - has, tuple(dict.fromkeys(wrong)), silent)


def _is_derived(term: str, stems: frozenset[str]) -> bool:
    """Whether a text has a word of the same family, such as allergic for allergy."""
    return len(term) > SHORTEST_FAMILY and any(
        len(stem) >= SHORTEST_FAMILY
        and abs(len(stem) - len(term)) == 1
        and (stem.startswith(term) or term.startswith(stem))
        for stem in stems
    )


def _contrasted(said: frozenset[str], found: frozenset[str]) -> list[str]:
    """What was said of a group such as staging and production, where the text has only another of that group."""
    said, found = (frozenset(_SAME.get(word, word) for word in each) for each in (said, found))
    groups = (*(group for group in CONTRASTS if not group & (_OLD | _NEW)), *_KIN)
    pairs = ((group & said, group & found) for group in groups)
    return [min(ours) for ours, theirs in pairs if ours and theirs and not ours & theirs]


def _is_of_another(text: str) -> bool:
    """Whether a text is told of somebody or something that is not the user."""
    return all(each.subject and "user" not in each.subject for each in statements.read(text))


def without(description: Description, lacking: frozenset[str]) -> str:
    """What a description says without the words of some of its terms."""
    kept = [word for word in description.text.split() if not lacking.intersection(terms(word))]
    return " ".join(kept)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
