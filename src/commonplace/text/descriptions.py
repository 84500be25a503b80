"""Whether a text is what somebody describes, who wants exactly that and nothing like it.

Names, numbers, "old" and "new", and words such as "staging" and "production" must be right: what lacks one of them is
something else. Other words may be said otherwise; which of them a text lacks is for the caller to weigh.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from commonplace.text import content_terms, questions, statements, terms
from commonplace.text.languages import language
from commonplace.text.stopwords import STOPWORDS
from commonplace.text.subjects import described
from commonplace.text.substance_words import CONTRASTS

_OWNER = re.compile(r"\W*(?:(?:Mr|Mrs|Ms|Dr|Prof)\b\.?\s+)?([^\W\d_]+)['’]s\b")
_GERMAN_OWNER = re.compile(r"\W*([^\W\d_a-zäöü][^\W\d_]+[^\W\d_sß])s\s+[^\W\d_a-zäöü][^\W\d_]*[a-zäöüß]\b")
_GERMAN = re.compile(
    r"\b(?:der|die|das|dem|den|eine?[mnr]?|meine?[mnrs]?|unsere?[mnrs]?|vom|zum|zur) [^\W\d_a-zäöü][a-zäöüß]+\b"
)
"""An article before a noun: of so few words as describe a thing, often all that shows the language."""
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
_OLD = frozenset(
    """old previous former earlier outdated formerly oldest past before until till previously prior
    alt alte alten alter altes ehemalige ehemaligen frühere früheren früherer vorherige vorherigen
    ancien ancienne anciens anciennes vieux vieil vieille précédent précédente
    antiguo antigua antiguos antiguas viejo vieja anterior anteriores""".split()
)
_NEW = frozenset(
    """new current latest newest present updated
    neu neue neuen neuer neues aktuelle aktuellen aktueller jetzige jetzigen
    nouveau nouvel nouvelle nouveaux nouvelles actuel actuelle nuevo nueva nuevos nuevas actual actuales""".split()
)
_UNTIL = re.compile(
    r"\b(?:from\s+|in use\s+)?(?:before|until|till|up to|prior to)\s+(?:(?:the|this|last|we|i|he|she|they|it)\s+)*+"
    r"[^\W_]+(?:-[^\W_]+)*+",
    re.IGNORECASE,
)
"""Until when something was so that is no longer: it is told of what came after, seldom of the thing itself."""
_FROM_ON = re.compile(r"\bfrom\s+(?:\w+\s+){1,3}?on(?:wards?)?\b", re.IGNORECASE)
_CHANGED_FROM = re.compile(
    r"\b(?:moved|changed|raised|lowered|increased|reduced|cut|switched|postponed|renamed|went)\b[^.;]*?"
    r"\bfrom\s+(?P<value>\S+)\s+to\b"
)
"""What a text says of how something was before; who describes that means another text, in which it is so."""
_BEGUN = frozenset("since now seit ab desde depuis".split())
"""What a text says of something that took the place of something else; nobody describes a thing by them."""
_SAME = {"prod": "production", "testing": "test", "iphone": "ios", "return": "back", "returning": "back"}
_SAME |= {"mum": "mother", "mom": "mother", "dad": "father", "auntie": "aunt", "grandma": "grandmother"}
_SAME |= {"granny": "grandmother", "gran": "grandmother", "grandpa": "grandfather", "granddad": "grandfather"}
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
        "outdated formerly oldest past new current latest newest present updated way kind sort taste people bit "
        "mr mrs ms dr"
    )
)
"""What people say to describe a thing and seldom to state it; the words that are compared by themselves; titles."""
_OF = frozenset("of for to de du des del d von vom für zum zur".split())
_ARTICLES = frozenset("the a an my our your la le les l un une el los las der die das dem den mein unser".split())
TELLS_APART = frozenset(
    terms(
        "last next other another first second third one two three four five small smaller smallest little big bigger "
        "biggest large larger largest low lower lowest high higher highest upper main cheap cheaper cheapest expensive "
        "short shorter shortest long longer longest young younger youngest older elder"
    )
)
"""Words that say which of several things, and not what: what lacks one of them does not say it otherwise."""
_BOTH = r"both|beide[nrs]?|ambos|ambas|(?:les|tou(?:s|tes) les|los|las) (?:deux|dos)"
_ALL = r"all|every|everything|each|alles?|allen?|sämtliche[nrs]?|tout|tous|toutes|todos?|todas?"
_TWO = re.compile(rf"\b(?:{_BOTH})\b", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"^\W*(?:{_ALL})\b|(?:[,;–—]|\bof|\bfor)\s+(?:for\s+|of\s+)?(?:{_ALL}|the (?:whole )?lot)\b|全部|所有|すべて|全て",
    re.IGNORECASE,
)


class Description(NamedTuple):
    """What somebody describes: the terms it is to have, what must be right, and whether it is more than one thing.

    `mine` says that it is told of the speaker: "that I work at Siemens". `both` says that it is two things.
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
    both: bool

    @property
    def told_apart_by(self) -> frozenset[str]:
        """Its names, and "old" or "new": what two memories may differ by that are else the same."""
        return frozenset(name for name in self.names if name.isalpha()) | {"old", "new"}

    @property
    def of_names(self) -> frozenset[str]:
        """The terms that are names: many a memory has them in common that has nothing else to do with it."""
        return self.terms & {term for name in self.names for term in terms(name)}


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
    aged = _words(subject.text)
    old, new = bool(aged & _OLD), bool(aged & _NEW)
    telling = _UNTIL.sub(" ", said) if old else said
    words = _words(telling)
    found = frozenset(term for term in content_terms(telling) if "-" not in term) - _LIGHT  # its parts are terms too
    found -= {term for word in words & (_OLD | _NEW) for term in _terms_within(telling, word)}
    numbers = frozenset(word for word in words if word[0].isdigit())
    mine = _FIRST_PERSON.match(said) is not None
    both = _TWO.search(text) is not None
    several = subject.several or both or _SEVERAL.search(said) is not None
    return Description(said, found, _names(telling), numbers, words, old, new, mine, several, both)


def _names(said: str) -> tuple[str, ...]:
    """The names in what is said. In German, where capitals say nothing: what has digits in it, and who owns a thing."""
    names = [name for name in questions.read(said).names if not _LIGHT.issuperset(terms(name))]
    owner = _GERMAN_OWNER.match(said)
    if owner or _GERMAN.search(said) or language(said) == "de":
        names = [name for name in names if not name.isalpha()] + ([owner[1].lower()] if owner else [])
        return tuple(dict.fromkeys(names))
    owner = _OWNER.match(said)
    if owner and owner[1][0].isupper() and owner[1].lower() not in STOPWORDS:
        names.append(owner[1].lower())
    return tuple(dict.fromkeys(names))


def _terms_within(said: str, word: str) -> set[str]:
    """The terms that a word has in what is said, in whose language it is stemmed."""
    return set(terms(said)) - set(terms(re.sub(rf"\b{re.escape(word)}\b", " ", said, flags=re.IGNORECASE)))


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
    same = frozenset(_SAME.get(word, word) for word in words)
    wrong = [name for name in description.names if name not in lowered and _SAME.get(name) not in same]
    wrong += sorted(number for number in description.numbers - words if number not in lowered)
    if not description.old:
        past = _words(" ".join(match["value"] for match in _CHANGED_FROM.finditer(lowered)))
        wrong += sorted(number for number in description.numbers & past if lowered.count(number) == 1)
    wrong += _contrasted(description.words, words)
    if description.mine and _is_of_another(text):
        wrong.append("I")
    told_old = bool(words & _OLD) or any(phrase in lowered for phrase in _PAST)
    told_new = bool(words & (_NEW | _BEGUN)) or _FROM_ON.search(lowered) is not None
    silent = False
    if description.old != description.new:
        right, other = (told_old, told_new) if description.old else (told_new, told_old)
        wrong += ["old" if description.old else "new"] if other and not right else []
        silent = not right and not other
    has = frozenset(term for term in description.terms if term in stems or _is_derived(term, stems))
    lacks = description.terms - has
    another = _other_of_its_kind(description, text, lacks) if has and lacks else None
    wrong += [] if another is None else [another]
    return Fit(has, lacks, tuple(dict.fromkeys(wrong)), silent)


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


def _other_of_its_kind(description: Description, text: str, lacks: frozenset[str]) -> str | None:
    """The word that says which of several things is meant, where a text says another in its place: "delivery" where the
    text has the "invoice address". None where it says nothing there, or nothing of that kind."""
    for which, thing in _which_of_what(description.text):
        if not lacks & which or thing & lacks:
            continue
        named = which | description.terms
        if any(same & thing and not other & named for other, same in _which_of_what(text)):
            return min(which)
    return None


def _which_of_what(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """The terms of each word that says which thing is meant, with those of the thing: "delivery address" as "address
    of delivery"."""
    words = [word for word in _WORD.findall(text.lower()) if len(word) > 1 or word.isdigit()]
    said = [(word, frozenset(content_terms(f"{word} {_SAME.get(word, '')}")) - _LIGHT) for word in words]
    for place, (_, which) in enumerate(said[:-1]):
        following = said[place + 1][1]
        if which and following:
            yield which, following
    for place, (word, _) in enumerate(said):
        if place and word in _OF:
            after = next((terms for word, terms in said[place + 1 : place + 4] if word not in _ARTICLES), frozenset())
            if after and said[place - 1][1]:
                yield after, said[place - 1][1]


def _is_of_another(text: str) -> bool:
    """Whether a text is told of somebody or something that is not the user."""
    return all(each.subject and "user" not in each.subject for each in statements.read(text))


def split(description: Description, lacking: frozenset[str]) -> tuple[str, str]:
    """What a description says in the words of some of its terms, and what it says without them."""
    words = description.text.split()
    inside = [bool(lacking.intersection(terms(word))) for word in words]
    alone = " ".join(word for word, lacks in zip(words, inside, strict=True) if lacks)
    return alone or description.text, " ".join(word for word, lacks in zip(words, inside, strict=True) if not lacks)


def alike(text: str, other: str) -> bool:
    """Whether two texts state the same thing, each with a value of its own."""
    left, right = ({term for term in content_terms(each) if term.isalpha()} for each in (text, other))
    shared = left & right
    return bool(shared) and len(left - shared) < len(shared) + 1 and len(left - shared) <= 1


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
