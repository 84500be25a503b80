"""A sentence as it is compared with another: its tokens, what it is about, what it says yes or no to, and when.

No grammar of a language is known here: the subject is what stands before the first verb of a table.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonplace.text import is_wide, without_invisible
from commonplace.text import substance_words as table
from commonplace.text.stopwords import STOPWORDS

TEXT_LIMIT = 4_000  # characters of a text that are looked at
SENTENCE_LIMIT = 8  # sentences of a text that are looked at
TOKEN_LIMIT = 60  # tokens of a sentence that are looked at

_TOKEN = re.compile(r"\w+(?:[-@/:.,](?=\w)\w+)*|['’]s\b|[,;:]")
_WIDE_PART = re.compile(r"\d+|[A-Za-z]+|.")
_BREAK = re.compile(r"[.!?]\s|\n")
_CONTRACTION = re.compile(r"(?<=\w)n['’]t\b", re.IGNORECASE)
_IS = re.compile(r"\b(i|you|we|they|he|she|it|that|there|here|who|what)['’](s|m|re)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_HALF_DAY = re.compile(r"\b(1[0-2]|0?[1-9])(?:[:.]([0-5]\d))? ?([ap])\.?m\b", re.IGNORECASE)
_OUT_OF = re.compile(r"\b(?:ran|run|runs|running) out of\b", re.IGNORECASE)
_NOT_IN = re.compile(r"\bout of (?=(?:the )?(?:service|order|stock|print|use|office|town|action)\b)", re.IGNORECASE)
_NOBODY_BUT = re.compile(r"\b(?:nobody|no one|none) (?:but|except|other than)\b", re.IGNORECASE)
_OPEN_UNTIL = re.compile(r"\b(?:is|are|stays?|remains?) open (?:until|till)\b", re.IGNORECASE)
_AT_MOST = re.compile(
    r"\b(?:(?:can|must|may|should) not be|no|not) (?:larger|bigger|longer|higher|more|greater|older) than\b",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"\b(?:(?:can|must|may|should) not be|no|not) (?:smaller|shorter|lower|less|fewer|younger) than\b", re.IGNORECASE
)
_HOURS = {
    name: hour for hour, name in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
} | {str(hour): hour for hour in range(1, 13)}
_MINUTES = {"a quarter": 15, "quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_SPOKEN = re.compile(
    rf"\b({'|'.join(_MINUTES)}) (past|to) ({'|'.join(_HOURS)})\b(?: in the (morning|afternoon|evening)\b)?",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\b0(\d:[0-5]\d)\b")
_MORNING = 12  # the hour from which on a clock of twelve hours begins again
_SHORTENED = frozenset("dr mr mrs ms prof st no vs etc ca approx".split())
_FRONTED = frozenset("since with in at on as after from during by for without before because if when".split())
_ARTICLES = frozenset(
    "the a an this that these those our my your his her its their der die das ein eine le la les".split()
)
_PRONOUNS = frozenset("i we you he she it they there".split())


class Word(NamedTuple):
    """A word as written, as it is compared, and what it counts as."""

    written: str
    word: str
    stem: str
    kind: str  # name, word, number, calendar, negation, function or mark


class Statement(NamedTuple):
    """One sentence. `subject` and `content` are stems; `said` has every word between blanks, for looking up phrases.

    `numbers` are its numbers, dates and times in figures, `names` the words that are written as names.
    """

    tokens: tuple[Word, ...]
    verb: int
    subject: frozenset[str]
    content: frozenset[str]
    said: str
    words: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]

    def has(self, phrases: table.Phrases) -> list[str]:
        """Those of some phrases that stand in it."""
        return phrases.within(self.words, self.said)

    @property
    def amounts(self) -> frozenset[str]:
        """Its numbers but for one, which is also an article and a pronoun."""
        return self.numbers - {"1"}

    def written(self, base: str) -> str:
        """A word as it stands there, by its stem."""
        return next((token.written for token in self.tokens if token.stem == base), base)

    @property
    def negative(self) -> bool:
        """Whether all its noes together say no."""
        return negative(self.tokens)

    @property
    def wide(self) -> bool:
        """Whether it is, in part, of a script that is read by characters here: too little to tell a repeat by."""
        return not self.said.isascii() and any(is_wide(token.word) for token in self.tokens)

    @property
    def clauses(self) -> list[tuple[Word, ...]]:
        """What stands between its commas and semicolons."""
        found: list[tuple[Word, ...]] = []
        start = 0
        for place, token in enumerate(self.tokens):
            if token.kind == "mark" or token.word == "but":
                found.append(self.tokens[start:place])
                start = place + 1
        return [clause for clause in (*found, self.tokens[start:]) if clause]


def negative(tokens: Sequence[Word]) -> bool:
    """Whether an odd number of the words say no."""
    return sum(token.kind == "negation" or token.word in table.NEGATIVES for token in tokens) % 2 == 1


def content_of(tokens: Sequence[Word]) -> frozenset[str]:
    """The stems of the words that say something."""
    return frozenset(token.stem for token in tokens if is_telling(token))


def is_telling(token: Word) -> bool:
    """Whether a token says something by itself."""
    return token.kind in ("number", "calendar") or (token.kind in ("name", "word") and token.word not in table.LIGHT)


def read(text: str) -> tuple[Statement, ...]:
    """The sentences of a text, the first few of a long one."""
    plain = without_invisible(text[:TEXT_LIMIT])
    plain = _CONTRACTION.sub(" not", plain.replace("can't", "can not").replace("won't", "will not"))
    plain = _NOT_IN.sub("not in ", _spoken_times(_HALF_DAY.sub(_hour, _NOBODY_BUT.sub("only", plain))))
    plain = _OPEN_UNTIL.sub("closes at", _AT_LEAST.sub("at least", _AT_MOST.sub("at most", plain)))
    plain = _IS.sub(r"\1 is", _OUT_OF.sub("lack", plain.replace("cannot", "can not")))
    return tuple(_statement(sentence) for sentence in _sentences(plain))


def _spoken_times(text: str) -> str:
    """A text with its times as they stand on a clock, without a zero before the hour."""
    return _ZERO.sub(r"\1", _SPOKEN.sub(_on_the_clock, text))


def _on_the_clock(found: re.Match[str]) -> str:
    minutes, hour = _MINUTES[found[1].lower()], _HOURS[found[3].lower()]
    if found[2].lower() == "to":
        minutes, hour = 60 - minutes, (hour - 2) % 12 + 1
    late = (found[4] or "").lower() in ("afternoon", "evening") and hour < _MORNING
    return f"{hour + 12 * late}:{minutes:02}"


def _hour(found: re.Match[str]) -> str:
    """A time as it stands on a clock of 24 hours."""
    hour = int(found[1]) % 12 + (12 if found[3] in "pP" else 0)
    return f"{hour}:{found[2] or '00'}"


def _sentences(text: str) -> Iterator[str]:
    start = count = 0
    for found in _BREAK.finditer(text):
        last = text[start : found.start()].rsplit(None, 1)[-1:]
        if found[0] != "\n" and last and last[0].casefold() in _SHORTENED:
            continue
        if text[start : found.start()].strip():
            yield text[start : found.start()]
            count += 1
            if count == SENTENCE_LIMIT:
                return
        start = found.end()
    if text[start:].strip():
        yield text[start:]


def _statement(sentence: str) -> Statement:
    tokens = tuple(_tokens(sentence))[:TOKEN_LIMIT]
    begin = _start(tokens)
    verb = _verb(tokens, begin)
    subject = _subject(tokens[begin:verb]) if verb is not None else frozenset()
    said = f" {' '.join(token.word for token in tokens)} "
    return Statement(
        tokens,
        len(tokens) if verb is None else verb,
        subject,
        content_of(tokens),
        said,
        frozenset(token.word for token in tokens),
        frozenset(token.stem for token in tokens if token.kind in ("number", "calendar")),
        frozenset(token.stem for token in tokens if token.kind == "name"),
    )


def _subject(tokens: Sequence[Word]) -> frozenset[str]:
    """What is said to be or do something; nobody in particular where it is 'we' or 'there'."""
    if not tokens or tokens[0].word in _PRONOUNS:
        return frozenset()
    end = next((place for place, token in enumerate(tokens) if token.kind == "mark"), len(tokens))
    return content_of(tokens[:end])


def _tokens(sentence: str) -> Iterator[Word]:
    for place, written in enumerate(_written(sentence)):
        word = written.casefold().replace("’", "'")
        yield Word(written, word, *_counted(written, word, place == 0))


def _written(sentence: str) -> Iterator[str]:
    """The tokens as they stand there; of scripts without blanks between words, each character."""
    for found in _TOKEN.finditer(sentence):
        if found[0].isascii() or not any(map(is_wide, found[0])):
            yield found[0]
        else:
            yield from (part[0] for part in _WIDE_PART.finditer(found[0]))


def _counted(written: str, word: str, opens: bool) -> tuple[str, str]:
    if word in table.NUMBERS:
        return table.NUMBERS[word], "number" if word != "second" else "word"
    if word[0].isdigit():
        ordinal = _ORDINAL.fullmatch(word)
        if ordinal:
            return ordinal[1], "number"
        return word.replace(",", ""), "number"
    if word in table.CALENDAR and not (word in ("may", "mar", "sun", "sat") and not written[0].isupper()):
        return table.CALENDAR[word], "calendar"
    if word in table.NEGATIONS:
        return word, "negation"
    if not word[0].isalnum():
        return word, "mark" if word != "'s" else "function"
    base = table.base(word)
    if written[0].isupper() and (not opens or word not in STOPWORDS):
        return base, "name" if not opens else "word" if word in STOPWORDS else "name" if _odd(written) else "word"
    return base, "function" if word in STOPWORDS or word in _ARTICLES or word in table.AUXILIARIES else "word"


def _odd(written: str) -> bool:
    """Written as a name even where a sentence begins."""
    return any(character.isupper() or character.isdigit() for character in written[1:])


def _start(tokens: Sequence[Word]) -> int:
    """Past what is said before the subject: 'No,', 'Actually', 'Since the baby came,'."""
    if not tokens:
        return 0
    if tokens[0].word in table.OPENERS and len(tokens) > 1:
        return 2 if tokens[1].kind == "mark" else int(tokens[0].kind != "negation")
    if tokens[0].word in _FRONTED:
        comma = next((place for place, token in enumerate(tokens) if token.word == ","), None)
        if comma is not None and comma < len(tokens) - 2:
            return comma + 1
    return 0


def _verb(tokens: Sequence[Word], begin: int) -> int | None:
    """Where the first verb stands: an auxiliary, or a word of the table that is not a noun after an article."""
    for place in range(begin + 1, len(tokens)):
        word, before = tokens[place].word, tokens[place - 1]
        if word in table.AUXILIARIES:
            return place
        who = before.kind == "name" or before.word in _PRONOUNS or (place == 1 and before.written[0].isupper())
        if word.endswith("ed") and len(word) > 4 and who and before.kind in ("name", "word", "function"):
            return place
        if word not in table.VERBS or before.word in _ARTICLES:
            continue
        bare = f"{word}s" in table.VERBS or f"{word}es" in table.VERBS
        if not bare or before.word in _PRONOUNS or before.word.endswith("s") or _many(tokens[begin:place]):
            return place
    return _likely_verb(tokens, begin)


def _many(tokens: Sequence[Word]) -> bool:
    """Whether what stands before a verb is about several: 'Alerts for the shop'."""
    head = next((token for token in tokens if token.kind in ("word", "name")), None)
    return head is not None and head.word.endswith("s") and not head.word.endswith("ss")


def _likely_verb(tokens: Sequence[Word], begin: int) -> int | None:
    """A word with the ending of a verb between two others: 'The hall seats 40'."""
    for place in range(begin + 1, len(tokens) - 1):
        word, before = tokens[place].word, tokens[place - 1]
        ends = word.endswith("s") and not word.endswith("ss") and tokens[place].kind == "word"
        if ends and tokens[place].written.islower() and before.kind in ("word", "name"):
            return place
    return None


# -- the order of words ------------------------------------------------------------------------------


def turned_round(older: Statement, newer: Statement) -> bool:
    """Whether two statements have the same words with their parts exchanged, so that they do not say the same."""
    if swapped_pair(older, newer) is not None:
        return True
    first, second = _ends(older), _ends(newer)
    if first["from"] & second["to"] or first["to"] & second["from"]:
        return True
    return _out_of_order(older, newer) or _out_of_order(newer, older) or _names_exchanged(older, newer)


def swapped_pair(older: Statement, newer: Statement) -> tuple[str, str] | None:
    """Two words that stand in each other's place: 'tabs over spaces' and 'spaces over tabs'."""
    names = older.names | newer.names
    between = _between(older, names)
    for (first, second), words in _between(newer, names).items():
        if between.get((second, first)) == words:
            return older.written(second), older.written(first)
    return None


def _between(statement: Statement, names: frozenset[str]) -> dict[tuple[str, str], tuple[str, ...]]:
    """For each two telling words that are near each other, what stands between them."""
    plain = [token for token in statement.tokens if token.word not in _ARTICLES]
    telling = [token.kind in _ARGUMENTS or token.stem in names for token in plain]
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for start, first in enumerate(plain):
        for end in range(start + 2, min(len(plain), start + 7) if telling[start] else 0):
            if telling[end] and first.stem != plain[end].stem:
                words = tuple(token.stem for token in plain[start + 1 : end])
                owned = end + 1 < len(plain) and plain[end + 1].word == "'s"
                if words not in _SYMMETRIC or owned:
                    found.setdefault((first.stem, plain[end].stem), words)
    return found


_ARGUMENTS = ("name", "word", "number", "calendar")
_SYMMETRIC = frozenset((word,) for word in "is are was were and or & , with like equals = beside".split())


def _ends(statement: Statement) -> dict[str, set[str]]:
    """What stands right after 'from' and after 'to'."""
    found: dict[str, set[str]] = {"from": set(), "to": set()}
    plain = [token for token in statement.tokens if token.word not in _ARTICLES]
    for place, token in enumerate(plain[:-1]):
        if token.word in found:
            found[token.word].add(plain[place + 1].stem)
    return found


def returns(one: Statement, other: Statement) -> bool:
    """The one goes to where the other only comes from: the bus to school and the bus back from school."""
    first, second = _ends(one), _ends(other)
    return bool(first["to"] & second["from"]) and not second["to"] and not first["from"]


def _out_of_order(one: Statement, other: Statement) -> bool:
    """What is compared in the one, 'tabs over spaces', stands the other way round in the other."""
    places = {token.stem: place for place, token in reversed(list(enumerate(other.tokens)))}
    for place, token in enumerate(one.tokens):
        if token.word in _DIRECTED:
            before = [each.stem for each in one.tokens[:place] if each.kind in _ARGUMENTS][-1:]
            after = [
                each.stem for each in one.tokens[place:] if each.kind in _ARGUMENTS and each.word not in _DIRECTED
            ][:1]
            if before and after and places.get(before[0], -1) > places.get(after[0], len(places) + TOKEN_LIMIT):
                return True
    return False


def _names_exchanged(older: Statement, newer: Statement) -> bool:
    """Two names stand in both: unless they stand in one order and with one verb, who does what is not known."""
    shared = [token.stem for token in older.tokens if token.written[0].isupper() and token.stem in newer.content]
    names = list(dict.fromkeys(stem for stem in shared if newer.written(stem)[0].isupper()))[:2]
    if any([one.stem, other.stem] == names for one, other in pairwise(older.tokens)):
        return False  # 'Ms. Ito' is one name
    if len(names) < 2 or not older.subject or not newer.subject:
        return False
    orders = [[token.stem for token in each.tokens].index(names[0]) < _last(each, names[1]) for each in (older, newer)]
    passive = [" by " in each.said for each in (older, newer)]
    return (orders[0] == orders[1]) != (passive[0] == passive[1]) or not (older.content & newer.content) - set(names)


def _last(statement: Statement, base: str) -> int:
    return max(place for place, token in enumerate(statement.tokens) if token.stem == base)


_DIRECTED = frozenset("over than instead rather before after into above below versus".split())
