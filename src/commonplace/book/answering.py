"""Which of the relevant memories can answer a pointed question, and whether any can.

What shares only a name with the question tells of another thing. This drops what is about another of the same kind
("22 Quarry Lane" where 14 was asked about) and what lacks the name that the best has; and it says that nothing answers
where the thing that is asked for is mentioned nowhere and no memory stands out from the others of that name.
"""

import re
from collections.abc import Sequence

from commonplace.domain.query import Hit
from commonplace.domain.rank import logit
from commonplace.ports import wording_of
from commonplace.text import content_terms, questions, statements, terms
from commonplace.text.substance_words import CHANGES

ALIKE = 3  # memories that are about as near as each other, of which none answers unless it stands out
STANDS_OUT = 0.5  # in log-odds: so much nearer than the next
NEAR = 3.0  # in log-odds: what is so much less relevant than the best is no answer to a pointed question

_THINGS_ASKED_FOR = (
    re.compile(r"^(?:what|which)\s+(?P<thing>\w+)\s+(?:is|are|was|were|does|do|did|has|have)\b", re.IGNORECASE),
    re.compile(r"\b(?:have|has|had|got)\s+any\s+(?P<thing>\w+(?:\s+\w+)?)\s*\?", re.IGNORECASE),
    re.compile(r"の(?P<thing>[^\s\Wのはがを]+)は(?:いつ|どこ|誰|だれ|何|なに|なん|いくら)"),
)
_PRESENT = re.compile(
    r"\b(?:current(?:ly)?|now|nowadays|these days|today|at present|at the moment|this (?:week|month|year)|so far|"
    r"jetzt|derzeit|momentan|zurzeit|aktuell(?:e[nrs]?)?|"
    r"maintenant|actuel(?:le)?|actuellement|en ce moment|ahora|actual|actualmente)\b|现在|目前|今は|現在",
    re.IGNORECASE,
)
_COURSE = re.compile(r"\b(?:chang\w+|before|previous\w*|history|used to|former\w*)\b", re.IGNORECASE)
_DECIDED = re.compile(
    r"\b(?:decid\w+|decision|settled|agreed?|chosen?|choose|choice|final(?:ly|ised|ized)?|in the end)\b",
    re.IGNORECASE,
)
_TENTATIVE = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|could be|thinking (?:of|about)|considering|leaning towards|"
    r"undecided|not sure)\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\b(?P<before>[^\W\d_]+)?\s*\b(?P<number>\d+)\b\s*(?P<after>[^\W\d_]+)?")


def fitting(hits: Sequence[Hit], question: str) -> list[Hit]:
    """The hits without those that are about something else of the same kind; none if nothing answers."""
    if not hits or _nothing_answers(hits, question):
        return []
    named = [hit for hit in hits if not _is_of_another_number(hit.memory.text, question)]
    if _DECIDED.search(question):
        named = [hit for hit in named if not _was_settled(hit, named, question)]
    names = questions.read(question).names
    best = max(named, key=lambda hit: hit.relevance, default=None)
    if best is None or not names or _lacks_all(best, names):
        return named
    return [hit for hit in named if not _lacks_all(hit, names) or _tells_of_change(hit)]


def _nothing_answers(hits: Sequence[Hit], question: str) -> bool:
    """Whether the thing that is asked for is said nowhere, and memories about its owner are all there is."""
    found = next((match for shape in _THINGS_ASKED_FOR if (match := shape.search(question))), None)
    if found is None:
        return False
    thing = found["thing"].lower()
    if any(thing in hit.memory.text.lower() or set(terms(thing)) & set(terms(_said(hit))) for hit in hits):
        return False
    near = sorted((logit(hit.relevance) for hit in hits), reverse=True)
    near = [each for each in near if each >= near[0] - NEAR]
    return len(near) >= ALIKE and near[0] - near[1] < STANDS_OUT


def asks_for_the_present(question: str) -> bool:
    """Whether a question is about how things stand, and not about how they came to."""
    return _PRESENT.search(question) is not None and not _COURSE.search(question)


def _was_settled(hit: Hit, others: Sequence[Hit], question: str) -> bool:
    """Whether a memory only considers what a newer one says for good."""
    if not _TENTATIVE.search(hit.memory.text):
        return False
    about = set(content_terms(question)) & set(terms(hit.memory.text))
    newer = (other.memory.text for other in others if said_at(other) > said_at(hit))
    firm = (set(terms(text)) for text in newer if not _TENTATIVE.search(text))
    return any(len(about & found) >= max(1, len(about) / 2) for found in firm)


def said_at(hit: Hit) -> tuple[int, int]:
    """When something was said; of two at the same time, the one that was stored later is the newer."""
    return wording_of(hit.memory).said_at, hit.memory.number


def _is_of_another_number(text: str, question: str) -> bool:
    """Whether a text numbers a thing of the question otherwise, and never as the question does."""
    asked, told = _numbered(question), _numbered(text)
    shared = {thing for thing, _ in asked} & {thing for thing, _ in told}
    return bool(shared) and not asked & told and not _changes(text)


def _numbered(text: str) -> set[tuple[str, str]]:
    """The names beside each number, with it: "Year 9" and "14 Quarry"."""
    found = set()
    for match in _NUMBERED.finditer(text):
        for word in (match["before"], match["after"]):
            if word and word[0].isupper():
                found.add((word.lower(), match["number"]))
    return found


def _lacks_all(hit: Hit, names: Sequence[str]) -> bool:
    said = _said(hit).lower()
    return not any(name in said or name.removesuffix("s") in said for name in names)


def _said(hit: Hit) -> str:
    memory = hit.memory
    return " ".join(filter(None, (memory.text, memory.topic, memory.category, *memory.tags)))


def _tells_of_change(hit: Hit) -> bool:
    return _changes(hit.memory.text)


def _changes(text: str) -> bool:
    return any(each.has(CHANGES) for each in statements.read(text))
