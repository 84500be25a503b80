"""A conversation in a few headed lines, for whoever goes on with it: decisions, state, what is open, what comes next.

No model: the lines are what was learnt, in its last word, and sentences that tell how the work stands. What was
proposed and not taken up, corrected later or said in parting is in none of them.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cache
from typing import NamedTuple

from commonplace import deadline
from commonplace.domain.memory import Kind
from commonplace.domain.record import Record
from commonplace.sessions.distil import handover_words as told
from commonplace.sessions.distil.cues import lead_in, words
from commonplace.sessions.distil.judging import is_question
from commonplace.sessions.distil.prose import NOTHING_OPEN, Span, left_open, passages
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.selecting import Item, distil
from commonplace.sessions.distil.sentences import sentences
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms, is_wide
from commonplace.text.languages import ENGLISH, language

SUMMARY_CHARACTERS = 1_200
LABEL_CHARACTERS = 80
FEWEST_WORDS = 4
FEWEST_CHARACTERS = 6  # of a script without blanks
LONGEST_LINE = 300
REPEATED_SHARE = 0.6  # of its telling words that a line may share with one above it
LAST_TURNS = 6  # turns in which a sentence tells how the work stands now
RECENT_TURNS = 400  # turns in which something may be said to be open or done
RECENT_ITEMS = 300  # of what was learnt, more than there is ever room for
FILES_SHOWN = 10
FILES_COUNTED = 2_000
FILES_SHARE = 0.2  # of the whole that names of files may take
LISTED = "- "


class Part(IntEnum):
    """The parts of a hand-over, in the order they are shown in."""

    DECIDED = 0
    STATE = 1
    OPEN = 2
    NEXT = 3
    FILES = 4


_PARTS = {
    Kind.DECISION: Part.DECIDED,
    Kind.INSTRUCTION: Part.DECIDED,
    Kind.PREFERENCE: Part.DECIDED,
    Kind.TASK: Part.NEXT,
}
_FIRST = (Part.DECIDED, Part.NEXT, Part.OPEN, Part.STATE)  # whose lines are taken first, one each in turn
_EXTENSIONS = """py pyi ts tsx js jsx mjs cjs go rs java kt swift c h cc cpp hpp cs rb php ex exs scala clj hs lua pl sh
    bash zsh ps1 sql html css scss vue svelte json yaml yml toml ini cfg conf env md mdx rst txt csv xml proto graphql
    tf dart r jl ipynb lock gradle service tex docx xlsx pdf dbt"""
_FILE = re.compile(
    r"(?<![\w./\\@-])(?:[\w./\\-]{0,160}?[\w-]\.(?:"
    + "|".join(sorted(_EXTENSIONS.split(), key=lambda each: -len(each)))
    + r")|(?:[\w.-]{1,40}/){0,8}(?:Dockerfile|Makefile|Jenkinsfile))(?![\w/\\-]|\.\w)"
)
_ELSEWHERE = ("node_modules", "site-packages", "://", "dist-packages")


class _Said(NamedTuple):
    """A sentence of a turn. A tuple: there are millions of them in a long transcript."""

    number: int
    turn: Turn
    span: Span

    @property
    def text(self) -> str:
        return self.turn.text[self.span[0] : self.span[1]]


class _Line(Record):
    """A line that may be shown, and its place in the conversation."""

    part: Part
    place: tuple[int, int]
    text: str


def summarise(turns: Sequence[Turn], limit: int = SUMMARY_CHARACTERS, items: Sequence[Item] | None = None) -> str:
    """A conversation as it would be handed over, in its language and in at most `limit` characters.

    `items` are what was learnt from it, where that is known already.
    """
    learnt = (distil(turns).items if items is None else items)[-RECENT_ITEMS:]
    lines = _distinct([*_of_items(learnt, turns), *_of_sentences(turns)])
    headings = told.HEADINGS.get(_spoken(turns), told.HEADINGS[ENGLISH])
    files = _files(turns)
    return _written(lines, files, headings, limit) if lines or files else _fitting(label(turns), limit)


def label(turns: Iterable[Turn], limit: int = LABEL_CHARACTERS) -> str:
    """What a conversation was about, in a line: the first thing its user said that is more than a greeting."""
    secrecy = Secrecy()
    for said in _sentences(turns):
        if said.turn.role is not Speaker.ASSISTANT and _says_something(said, secrecy):
            text = collapse(said.text)
            text = text[lead_in(text) :] or text
            return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"
    return ""


# -- what is said -------------------------------------------------------------------------------


def _of_items(items: Sequence[Item], turns: Sequence[Turn]) -> list[_Line]:
    """What was learnt, by its kind; a task that was reported as done is no longer one."""
    done = _reports(turns) if any(item.kind is Kind.TASK for item in items) else []
    lines = []
    for number, item in enumerate(items):
        if len(item.text) > LONGEST_LINE or (item.kind is Kind.TASK and _is_done(item, done)):
            continue
        lines.append(_Line(_PARTS.get(item.kind, Part.STATE), (item.turn, number), collapse(item.text)))
    return lines


def _reports(turns: Sequence[Turn]) -> list[tuple[int, frozenset[str]]]:
    """The sentences that report something as done, by their turn and their telling words."""
    return [
        (said.number, frozenset(content_terms(said.text)))
        for said in _sentences(turns, len(turns) - RECENT_TURNS)
        if not is_question(said.text) and _tells(said.text, "DONE") and not _tells(said.text, "OFFERS")
    ]


def _is_done(item: Item, reports: Sequence[tuple[int, frozenset[str]]]) -> bool:
    wanted = frozenset(content_terms(item.text))
    return any(turn > item.turn and len(wanted & said) > REPEATED_SHARE * len(wanted) for turn, said in reports)


def _of_sentences(turns: Sequence[Turn]) -> Iterator[_Line]:
    """What the last turns say about how the work stands, what is open and what comes next."""
    secrecy = Secrecy()
    last = len(turns) - 1
    for place, said in enumerate(_sentences(turns, last - RECENT_TURNS)):
        part = _part(said, last)
        if part is not None and _says_something(said, secrecy):
            text = collapse(said.text)
            text = text[lead_in(text) :] or text
            if len(text) <= LONGEST_LINE:
                yield _Line(part, (said.number, place), text)


def _part(said: _Said, last: int) -> Part | None:
    """Where a sentence belongs, if it says how the work stands: what is open, wherever it was said; else late ones."""
    sentence, assistant = said.text, said.turn.role is Speaker.ASSISTANT
    early = said.number <= last - LAST_TURNS
    if (early and (assistant or not _tells(sentence, "OPEN"))) or _tells(sentence, "PARTING"):
        return None
    if is_question(sentence):
        return Part.OPEN if said.number == last else None
    if not assistant:
        return Part.OPEN if _tells(sentence, "OPEN") else None
    if _tells(sentence, "NEXT"):
        return Part.NEXT
    return Part.STATE if _tells(sentence, "DONE") and not _tells(sentence, "OFFERS") else None


def _sentences(turns: Iterable[Turn], start: int = 0) -> Iterator[_Said]:
    """Every sentence somebody said in their own words, from a turn on."""
    inside = NOTHING_OPEN
    for number, turn in enumerate(deadline.each(turns)):
        if number < start:
            continue
        inside = inside if turn.goes_on else NOTHING_OPEN
        for passage in passages(turn.text, inside):
            for span in sentences(turn.text, passage):
                yield _Said(number, turn, span)
        inside = left_open(turn.text, inside)


def _tells(sentence: str, table: str) -> bool:
    """Whether a sentence has one of the phrases of a table, as words of their own."""
    if any(each in sentence for each in _unspaced(table)):
        return True
    found = words(sentence)
    phrases = _phrases(table)
    return any(
        tuple(found[place + 1 : place + 1 + len(rest)]) == rest
        for place, word in enumerate(found)
        for rest in phrases.get(word, ())
    )


@cache
def _phrases(table: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """By their first words, what follows in each of the phrases."""
    made: dict[str, list[tuple[str, ...]]] = {}
    for phrase in getattr(told, table).split(","):
        first, *rest = words(phrase)
        made.setdefault(first, []).append(tuple(rest))
    return {first: tuple(rests) for first, rests in made.items()}


@cache
def _unspaced(table: str) -> tuple[str, ...]:
    return tuple(getattr(told, f"{table}_UNSPACED", ()))


def _says_something(said: _Said, secrecy: Secrecy) -> bool:
    sentence = said.text
    wide = len(sentence) >= FEWEST_CHARACTERS and not sentence.isascii() and any(map(is_wide, sentence))
    return (wide or len(words(sentence)) >= FEWEST_WORDS) and not secrecy.covers(said.turn.text, said.span)


def _spoken(turns: Sequence[Turn]) -> str:
    """The language of most of what people said, or of the talk where only an assistant speaks."""
    said = [turn.text for turn in turns if turn.role is not Speaker.ASSISTANT] or [turn.text for turn in turns]
    votes = Counter(language(text) for text in said[:200] if text.strip())
    return votes.most_common(1)[0][0] if votes else ENGLISH


def _files(turns: Sequence[Turn]) -> list[str]:
    """The files that were spoken of, those most often named first, and of equals the latest."""
    counts: Counter[str] = Counter()
    latest: dict[str, int] = {}
    for number, turn in enumerate(deadline.each(turns)):
        for found in _FILE.finditer(turn.text):
            name = found[0]
            if not any(mark in name for mark in _ELSEWHERE) and (name in latest or len(latest) < FILES_COUNTED):
                counts[name] += 1
                latest[name] = number
    return sorted(counts, key=lambda name: (-counts[name], -latest[name], name))[:FILES_SHOWN]


# -- how it is shown ----------------------------------------------------------------------------


def _distinct(lines: Sequence[_Line]) -> list[_Line]:
    """The lines without those that say again what another says; what was learnt comes first and is kept."""
    kept: list[_Line] = []
    known: dict[str, deque[frozenset[str]]] = {}
    for line in lines:
        terms = frozenset(content_terms(line.text))
        near = [other for term in terms for other in known.get(term, ())]
        if terms and any(len(terms & other) > REPEATED_SHARE * len(terms) for other in near):
            continue
        kept.append(line)
        for term in terms:
            known.setdefault(term, deque(maxlen=8)).append(terms)
    return kept


def _written(lines: Sequence[_Line], files: Sequence[str], headings: Sequence[str], limit: int) -> str:
    """As many lines as there is room for, the parts in turn and of each the latest first, shown in their order."""
    waiting = {
        part: sorted((line for line in lines if line.part is part), key=lambda line: line.place) for part in _FIRST
    }
    named = _fitting_names(files, headings[Part.FILES], int(limit * FILES_SHARE))
    left = limit - (len(named) + 1 if named else 0)
    taken: dict[Part, list[_Line]] = {}
    while any(waiting.values()):
        for part in _FIRST:
            if not waiting[part]:
                continue
            line = waiting[part].pop()
            cost = len(LISTED) + len(line.text) + 1 + (0 if part in taken else len(headings[part]) + 2)
            if cost <= left:
                taken.setdefault(part, []).append(line)
                left -= cost
    written = []
    for part in Part:
        if part in taken:
            shown = sorted(taken[part], key=lambda line: line.place)
            written.append("\n".join((f"{headings[part]}:", *(f"{LISTED}{line.text}" for line in shown))))
    return _fitting("\n".join((*written, named) if named else written), limit)


def _fitting_names(names: Sequence[str], heading: str, limit: int) -> str:
    shown: list[str] = []
    left = limit - len(heading) - 2
    for name in names:
        if len(name) + 2 <= left:
            shown.append(name)
            left -= len(name) + 2
    return f"{heading}: {', '.join(shown)}" if shown else ""


def _fitting(text: str, limit: int) -> str:
    return text if len(text) <= limit else ""
