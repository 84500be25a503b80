"""What a question asks for, and what in a text speaks for its being the answer, beside words and meaning.

Words and meaning tell the topic. An answer to "when" has a time in it; a question about Xbox is not answered by what
names no Xbox; what Caroline did is told by Caroline; and a question is seldom the answer to another. Each sign is
small, none decides alone. They are for English, and say nothing about other languages.
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from commonplace.text import content_terms, terms
from commonplace.text.stopwords import ENGLISH

SHORT_QUESTION_WORDS = 12
"""Over so many words a question that is no answer turns into a text that may well be one."""

SLIP_LENGTH = 5
"""Letters that a name has at least for another one like it to be the same with a slip."""

DAYS_LATER = 7
"""How long after a day people still speak of it."""

_DAY = 86_400_000
_HEAD = 2_000  # where a long text is looked at
_WORD = re.compile(r"[^\W_]+(?:['’._@+#/:-]+[^\W_]+)*")
_LABEL = re.compile(r"([^\W\d_][\w .'-]{0,30}): ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_IDENTIFIER = re.compile(r"(?=.*\d)(?=.*[^\W\d_.,:]).+|\d+(?:\.\d+)+|\d{3,}|[^\W_]+(?:[./_@:]+[^\W_]+)+", re.DOTALL)
_ABBREVIATIONS = frozenset(
    "ai api app asap aws cd ceo cfo ci cli cpu csv cto db dns eod eta eu faq gcp gpu hr html http https id ide it json "
    "kpi mfa ok os otp pdf pr pto qa ram readme roi sla sql ssh ssl sso tbd tls todo tv ui uk url us usa ux vm vpn wip "
    "xml yaml".split()
)
"""What people write for the thing itself: an answer may well call it something else."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_CALENDAR = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday".split()
)
_TIME = re.compile(
    r"\d|\b(?:jan(?:uary)?|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|yesterday|today|tomorrow|tonight|"
    r"mornings?|evenings?|noon|midnight|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|spring|summer|autumn|"
    r"winter|weekends?|every|ago|since|until|before|after|once|twice|hours?|minutes?|days?|weeks?|months?|years?|"
    r"at (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|half|both|"
    r"once|twice|no|none)\b",
    re.IGNORECASE,
)
PERSON = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")
"""A name, as an answer to "who" has it."""
_CAUSE = re.compile(
    r"\b(?:because|since|due to|so that|reasons?|caus\w+|otherwise|avoid\w*|prevent\w*|therefore|hence|after|nobody|"
    r"thanks to|in order|for the|to keep)\b",
    re.IGNORECASE,
)
_ASKS = (
    (
        re.compile(
            r"^\W*(?:\w+\W+){0,3}?when\b|\bwhat (?:time|day|date|year|month)\b|\bwhich (?:day|date|year|month|week)\b|"
            r"\b(?:until|till|since|by) when\b|\bhow (?:long|often|old|soon|late|early)\b|\b(?:deadline|schedule)\b",
            re.IGNORECASE,
        ),
        _TIME,
    ),
    (
        re.compile(
            r"\bhow (?:much|many|big|large|high|far|fast|tall|hot)\b|\b(?:version|port|number|price|cost|size)\b",
            re.IGNORECASE,
        ),
        _NUMBER,
    ),
    (re.compile(r"^\W*(?:\w+\W+){0,3}?who(?:m|se)?\b", re.IGNORECASE), PERSON),
    (re.compile(r"^\W*(?:\w+\W+){0,2}?why\b|\breason\b|\bwhat caused\b", re.IGNORECASE), _CAUSE),
)


_VALUE = re.compile(
    r"\bhow (?:many|much)(?: [\w-]+){1,5}|"
    r"\bwhat (?:is|are|was)(?: (?:the|my|our|your|current|total|latest))*(?: [\w-]+){1,4}|\bwhich(?: [\w-]+){1,3}",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\d[\d,.:/]*%?|\w+")
_CHANGE = re.compile(
    r"updat\w+|new|now|recent\w*|increas\w+|extend\w+|rais\w+|reach\w+|chang\w+|moved?|switch\w+|already|add(?:ed|ing)|"
    r"grow\w*|grew|reduc\w+|dropp\w+|instead|longer|revis\w+|postpon\w+|resched\w+|upgrad\w+|adjust\w+|expand\w+|"
    r"latest|current\w*",
    re.IGNORECASE,
)
_BESIDE = 8  # words between a value and what it is a value of
_AFTER_CHANGE = 8  # words between a word of change and the value that changed


class Question(NamedTuple):
    """What a question wants: kinds of things an answer has in it, what it names, the days it is about (and their terms,
    as they are indexed), and the terms of what it asks a value of."""

    wants: tuple[re.Pattern[str], ...]
    names: tuple[str, ...]
    terms: frozenset[str]
    spans: tuple[tuple[int, int], ...]
    days: tuple[str, ...]
    values: frozenset[str]


class Signs(NamedTuple):
    """What in a text speaks for or against its being the answer. Shares are from 0 to 1.

    It is `labelled` where it begins as what people say is written down ("Caroline: …"), and so do many a note
    ("Release: …"): what a label is, only the texts beside it tell.
    """

    labelled: bool
    told_by: bool
    missing: tuple[str, ...]
    unfit: float
    asking: float
    dated: float
    words: int


def read(text: str) -> Question:
    """What a question asks for."""
    wants = tuple(answer for asked, answer in _ASKS if asked.search(text))
    spans: tuple[tuple[int, int], ...] = ()
    days: tuple[str, ...] = ()
    if any(character.isdigit() for character in text):
        # Late for the command line: few questions name a day.
        from commonplace.text.dates import named_spans, span_words

        spans = named_spans(text)
        days = tuple(term for span in spans for term in terms(span_words(span)))
    asked = _VALUE.search(text)
    values = frozenset(content_terms(asked[0])) if asked else frozenset()
    return Question(wants, tuple(dict.fromkeys(_names(text))), frozenset(terms(text)), spans, days, values)


def signs(question: Question, text: str, labels: str, said_at: int) -> Signs:
    """What in a memory, said at that moment, speaks for its being the answer."""
    head = text[:_HEAD]
    label = _LABEL.match(head)
    body = head[label.end() :] if label else head
    words = len(text.split()) if len(text) < _HEAD else len(text) // 6
    return Signs(
        label is not None,
        label is not None and _is_told_by(question, label[1]),
        _missing(question.names, f"{text}\n{labels}".lower()) if question.names else (),
        sum(want.search(body) is None for want in question.wants) / (len(question.wants) or 1),
        _asking(body) if "?" in body else 0.0,
        _dated(question.spans, text, said_at) if question.spans else 0.0,
        words,
    )


def _names(text: str) -> Iterator[str]:
    """Names and identifiers that an answer would repeat. A capital says nothing at the start of a sentence."""
    found = list(_WORD.finditer(text))
    english = len(found) < 5 or any(word[0].lower() in ENGLISH for word in found)
    for place, match in enumerate(found):
        word = match[0].removesuffix("'s").removesuffix("’s")
        inside = place > 0 and text[: match.start()].rstrip()[-1:] not in ".!?:"
        named = _IDENTIFIER.fullmatch(word) or (english and inside and _is_a_name(word))
        if named and not is_year(word) and word.lower() not in _CALENDAR:
            yield word.lower()


def _is_a_name(word: str) -> bool:
    """Whether it is written like a name."""
    return len(word) > 1 and word[0].isupper() and word.lower() not in ENGLISH and word.lower() not in _ABBREVIATIONS


def _missing(names: Sequence[str], text: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in text)


def has_with_a_slip(names: Collection[str], text: str) -> bool:
    """Whether a text has one of some names, in lower case, but for one letter: one too many, too few or another."""
    wanted = [name for name in names if len(name) >= SLIP_LENGTH and name.isalpha()]
    words = {word.lower() for word in _WORD.findall(text[:_HEAD])} if wanted else set()
    return any(_is_a_slip(name, word) for name in wanted for word in words)


def _is_a_slip(one: str, other: str) -> bool:
    if one[0] != other[0] or abs(len(one) - len(other)) > 1:
        return False
    pairs = enumerate(zip(one, other, strict=False))
    same = next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))
    rest, others = one[same:], other[same:]
    if len(rest) == len(others):
        return rest[1:] == others[1:] or (rest[:2] == others[1::-1] and rest[2:] == others[2:])
    return rest[1:] == others if len(rest) > len(others) else others[1:] == rest


def _is_told_by(question: Question, label: str) -> bool:
    speaker = terms(label)
    return bool(speaker) and speaker[-1] in question.terms


def _asking(body: str) -> float:
    """How much of a text is questions, less the longer it is."""
    sentences = _SENTENCE_END.split(body)
    counts = [(len(sentence.split()), sentence.rstrip("\"')").endswith("?")) for sentence in sentences]
    words = sum(count for count, _ in counts) or 1
    share = sum(count for count, asks in counts if asks) / words
    return share * math.exp(-words / SHORT_QUESTION_WORDS)


def _dated(spans: Sequence[tuple[int, int]], text: str, said_at: int) -> float:
    """1 for what was said in the time asked for or speaks of it; less for what was said in the days after."""
    # Late for the command line: few questions name a day.
    from commonplace.text.dates import counted_spans, named_spans

    found = (*counted_spans(text[:_HEAD], said_at), *named_spans(text[:_HEAD]))
    spoken_of = [(start, stop) for start, stop in found if stop - start <= 31 * _DAY]
    best = 0.0
    for first, end in spans:
        if first <= said_at < end or any(start < end and first < stop for start, stop in spoken_of):
            return 1.0
        late = (said_at - end) / _DAY
        best = max(best, 0.6 * (1 - late / DAYS_LATER)) if 0 <= late < DAYS_LATER else best
    return best


def is_year(number: str) -> bool:
    """Whether a number may be a year that people write of."""
    return _YEAR.fullmatch(number) is not None


def values_near(text: str, asked: frozenset[str]) -> dict[str, set[str]]:
    """The numbers that stand close to each of the terms, for those that have any."""
    tokens = _TOKEN.findall(text[:_HEAD])
    numbers = [(place, token.strip(".,:/")) for place, token in enumerate(tokens) if token[0].isdigit()]
    found: dict[str, set[str]] = {}
    if not numbers:
        return found
    for place, token in enumerate(tokens):
        if not token[0].isdigit():
            for term in set(terms(token)) & asked:
                close = {number for at, number in numbers if abs(at - place) <= _BESIDE}
                if close:
                    found.setdefault(term, set()).update(close)
    return found


def tells_of_change(text: str, numbers: set[str]) -> bool:
    """Whether one of the numbers stands behind a word like "now", "increased" or "updated"."""
    tokens = _TOKEN.findall(text[:_HEAD])
    changes = [place for place, token in enumerate(tokens) if _CHANGE.fullmatch(token)]
    places = [place for place, token in enumerate(tokens) if token.strip(".,:/") in numbers]
    return any(0 <= place - change <= _AFTER_CHANGE for place in places for change in changes)
