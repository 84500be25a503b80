"""Which memories somebody means who describes what to forget: those that the words describe, and nothing else.

A memory that has every word of a description is meant, unless another fits about as well. One that has none is asked
about, however near it is. One that lacks some has to say them otherwise. How near it is to the whole description tells
little: a name in common brings two texts as near. It tells more what the words that it lacks do by themselves: whether
they alone lead to this memory before any other in the book, and whether the description is nearer with them than
without.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from commonplace.book.book import Book
from commonplace.book.closeness import Closeness, closeness
from commonplace.dialects.aleph.shapes import fact_id, question
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Hit
from commonplace.domain.rank import logit
from commonplace.errors import NotFound
from commonplace.text import descriptions, questions
from commonplace.text.descriptions import Description, Fit
from commonplace.text.languages import is_foreign
from commonplace.text.stopwords import STOPWORDS

CANDIDATES = 10
RELEVANT = 0.5  # below it, a memory that has a word of what was described is not that
WORTH_ASKING = 0.2  # below it, a memory is not worth a question
ALMOST_EQUAL = 1.8  # in log-odds: nearer to the best, another that has as many of the words may be meant as well
BARELY_WORSE = 0.7  # the same for another that has fewer of the words
TWIN = 0.8
FAR = 6.0  # in log-odds: farther ahead than that tells no more
SAID_OTHERWISE = 7.0
"""From which score on a memory says otherwise what it lacks of the words: chosen on 157 descriptions, each also with
what it describes not in the book."""
NAMED_AND_CLOSE, REST_LEADS, REST_ADDS = 1.5, 0.2, 0.3
"""What is wanted of a memory that has nothing but a name in common, in log-odds: how close it is, how far the other
words alone lead to it before any other, and how much closer it is with them than without."""
_ROLE = re.compile(
    r"\b(?:teams?|groups?|crew|staff|departments?|office|owners?|managers?|leads?|leaders?|directors?|heads?|boss|chair\w*|"
    r"secretary|treasurer|assistants?|engineers?|developers?|designers?|editors?|authors?|agency|suppliers?|customers?|"
    r"neighbou?rs?|friends?|colleagues?|mother|father|mum|mom|dad|parents?|sister|brother|aunt|uncle|wife|husband|"
    r"son|daughter|grand\w+|doctor|dentist|teachers?|landlord|caretaker)\b",
    re.IGNORECASE,
)
"""Whom one may mean by "who" and call by no name."""


class Meant(NamedTuple):
    """What a description means: what would go, what is only like it, and whether it may go unseen."""

    goes: list[Hit]
    beside: list[Hit]
    clear: bool


Fits = Sequence[tuple[Hit, Fit]]


def meant_by(book: Book, query: str, agent_id: str | None) -> Meant:
    """The memory of that id, or what the words describe; NotFound where nothing is like it."""
    memory = _named(book, query.strip())
    if memory is not None:
        if memory.status is Status.FORGOTTEN:
            raise NotFound(f"{fact_id(memory)} is forgotten already.")
        return Meant([Hit(memory, 1.0)], [], True)
    return _Described(book, descriptions.read(query), agent_id).meant()


def _named(book: Book, query: str) -> Memory | None:
    """The memory that a query names instead of describing it. A bare number describes: `#12` names."""
    if query.startswith(("mem_", "cur_", "ctx_")):
        return book.get(query)
    return None if query.isdigit() else book.get_many([query])[0]


class _Described:
    """A description, and the book in which something is meant by it."""

    def __init__(self, book: Book, description: Description, agent_id: str | None) -> None:
        self.book = book
        self.description = description
        self.query = question(book, description.text, agent_id, CANDIDATES)

    def meant(self) -> Meant:
        hits = self._found()
        if not hits:
            raise NotFound("Nothing that is stored matches this: describe it in its own words, or give its id.")
        fits = _told_by_contrast(self.description, [(hit, _fit(self.description, hit.memory)) for hit in hits])
        _refuse_unheard(self.description, fits)
        return self._several(fits) if self.description.several else self._single(fits)

    def _found(self) -> list[Hit]:
        """What is worth a question, the most relevant first; where words are all there is, whatever has one."""
        hits = self.book.recall(self.query).hits
        worth = [hit for hit in hits if hit.vector_score is None or hit.relevance >= WORTH_ASKING]
        return sorted(worth, key=lambda hit: -hit.relevance)

    def _several(self, fits: Fits) -> Meant:
        """All that have all of the words, or of what is two things the two that fit best; never unseen."""
        fitting = [(hit, fit) for hit, fit in fits if fit.possible and fit.has and _is_relevant(hit)]
        most = max((len(fit.has) for _, fit in fitting), default=0)
        best = [(hit, fit) for hit, fit in fitting if len(fit.has) == most]
        whole = all(not fit.lacks for _, fit in best) or (self.description.both and len(best) == len(fitting) == 2)
        goes = [hit for hit, _ in best] if whole else []
        return Meant(goes, [] if goes else [hit for hit, _ in fits], False)

    def _single(self, fits: Fits) -> Meant:
        """The one that is described, if there is one; without, whatever may be meant, and none of it goes."""
        possible = [(hit, fit) for hit, fit in fits if fit.possible and (_is_relevant(hit) or fit.lacks)]
        possible = [each for each in possible if self._answers(each[0])] or possible
        if not possible:
            return Meant([], _nearly_as_good([hit for hit, _ in fits]), False)
        best, best_fit = max(possible, key=lambda each: (each[0].relevance, len(each[1].has)))
        relevant = [(hit, fit) for hit, fit in possible if hit is not best and _is_relevant(hit)]
        rivals = [hit for hit, fit in relevant if _rivals(best, best_fit, hit, fit)]
        if rivals and best_fit.has:
            return Meant([], [best, *rivals], False)
        plain = best_fit.has and not best_fit.lacks
        if not self._answers(best) or not (plain or self._says_otherwise(best, best_fit, fits)):
            return Meant([], _nearly_as_good([best, *(hit for hit, _ in fits if hit is not best)]), False)
        twins = [hit for hit, fit in fits if hit is not best and _is_twin(self.description, best_fit, hit, fit)]
        return Meant([best], twins, not twins)

    def _answers(self, hit: Hit) -> bool:
        """Whether a memory has in it what was asked for: a time for "when our contract ends"."""
        text = hit.memory.text
        first, _, rest = text.partition(" ")
        text = rest if first.lower() in STOPWORDS else text  # a capital there makes no name
        wants = questions.read(self.description.text).wants
        return is_foreign(text) or all(
            want.search(text) or (want is questions.PERSON and _ROLE.search(text)) for want in wants
        )

    def _says_otherwise(self, best: Hit, best_fit: Fit, fits: Fits) -> bool:
        """Whether a memory that has some of the words means the others, too, which it does not say."""
        if best.vector_score is None or not best_fit.has or not best_fit.lacks:
            return False
        if best_fit.lacks & descriptions.TELLS_APART:
            return False
        alone, shorter = descriptions.split(self.description, best_fit.lacks)
        texts = (self.description.text, alone, *((shorter,) if shorter else ()))
        if best_fit.has <= self.description.of_names:
            return self._is_meant_by_the_rest(best, texts)
        apart = {*self.description.told_apart_by}
        beside = [hit.memory.number for hit, fit in fits if fit.wrong and apart.issuperset(fit.wrong)]
        found = closeness(self.book, texts, best.memory, self.query.filter, beside)
        return found is not None and len(found) > 2 and _score(*found) >= SAID_OTHERWISE

    def _is_meant_by_the_rest(self, best: Hit, texts: Sequence[str]) -> bool:
        """Whether the other words of a description lead to a memory that has only a name of it, before any in the book,
        those that lack the name too."""
        found = closeness(self.book, texts, best.memory, self.query.filter)
        if found is None or len(found) < 3:
            return False
        whole, alone, shorter = found
        leads = alone.ahead >= REST_LEADS and whole.own - shorter.own >= REST_ADDS
        return leads and whole.own >= NAMED_AND_CLOSE


def _score(whole: Closeness, alone: Closeness, shorter: Closeness) -> float:
    """How surely a memory says otherwise what it lacks: how close it is, how far ahead, and what the words it lacks add
    to that."""
    return 2 * whole.own + min(FAR, whole.ahead) + min(FAR, alone.ahead) + 3 * (whole.own - shorter.own)


def _fit(description: Description, memory: Memory) -> Fit:
    labels = " ".join(filter(None, (memory.topic, memory.category, *memory.tags)))
    return descriptions.fit(description, memory.text, labels)


def _told_by_contrast(description: Description, fits: Fits) -> Fits:
    """The fits; where "old" was said and a memory is new, the one that is like it and tells neither is the old one."""
    if description.old == description.new or any(fit.possible for _, fit in fits):
        return fits
    other = [hit for hit, fit in fits if fit.wrong and {"old", "new"}.issuperset(fit.wrong)]
    silent = [
        place
        for place, (hit, fit) in enumerate(fits)
        if fit.silent and not fit.wrong and any(descriptions.alike(hit.memory.text, each.memory.text) for each in other)
    ]
    if len(silent) != 1:
        return fits
    return [(hit, fit._replace(silent=False) if place in silent else fit) for place, (hit, fit) in enumerate(fits)]


def _refuse_unheard(description: Description, fits: Fits) -> None:
    """A name or number that nothing has is not in the book."""
    for said in (*description.names, *sorted(description.numbers)):
        if all(said in fit.wrong for _, fit in fits):
            raise NotFound(f"Nothing that is stored about this mentions '{said}': give other words, or an id.")


def _is_relevant(hit: Hit) -> bool:
    return hit.vector_score is None or hit.relevance >= RELEVANT


def _nearly_as_good(hits: Sequence[Hit]) -> list[Hit]:
    return [hit for hit in hits if hit.relevance >= TWIN * hits[0].relevance]


def _rivals(best: Hit, best_fit: Fit, other: Hit, fit: Fit) -> bool:
    """Whether another may be meant as well as the best."""
    if best.vector_score is None or other.vector_score is None:
        return len(fit.has) >= len(best_fit.has)
    apart = logit(best.relevance) - logit(other.relevance)
    return apart < (ALMOST_EQUAL if len(fit.has) >= len(best_fit.has) else BARELY_WORSE)


def _is_twin(description: Description, best_fit: Fit, other: Hit, fit: Fit) -> bool:
    """Whether another has all the words that the best has, but for the name or the "old" that was said."""
    told_apart = not fit.possible and all(said in description.told_apart_by for said in fit.wrong)
    return told_apart and _is_relevant(other) and len(best_fit.has - fit.has) <= len(fit.wrong)
