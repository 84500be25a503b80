"""A conversation in a few headed lines, for whoever goes on with it: decisions, state, what is open, what comes next.

No model: the lines are what was learnt, in its last word, and sentences that tell how the work stands. What was
proposed and not taken up, corrected later or said in parting is in none of them.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence

from commonplace import deadline
from commonplace.domain.record import replace
from commonplace.sessions.distil import handover_words as told
from commonplace.sessions.distil.cues import lead_in
from commonplace.sessions.distil.handover import (
    Line,
    Part,
    every_sentence,
    is_specific,
    learnt,
    mentioned,
    names_in,
    options,
    says_something,
    told_of,
)
from commonplace.sessions.distil.items import Item
from commonplace.sessions.distil.secrecy import Secrecy
from commonplace.sessions.distil.whole import distil
from commonplace.sessions.last_word import Stated, replaced
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import collapse, content_terms
from commonplace.text.languages import ENGLISH, language

SUMMARY_CHARACTERS = 1_200
LABEL_CHARACTERS = 80
REPEATED_SHARE = 0.6  # of its telling words that a line may share with one above it
RECENT_ITEMS = 300  # of what was learnt, more than there is ever room for
RECENT_LINES = 400
LENGTH_OF_A_POINT = 300  # characters by which a line must be shorter to weigh a point more
TAKEN_UP = 2  # turns that speak of something which is no subject of the talk yet
FEWEST_BESIDE = 2  # telling words of a line beside what it turns down: with fewer it only does that
WEIGHTY = 2.0  # what weighs so much was chosen, reported or is to be done
PUT_RIGHT_WITHIN = 8  # turns
FILES_SHOWN = 10
FILES_COUNTED = 2_000
FILES_SHARE = 0.15  # of the whole that names of files may take
LISTED = "- "

_EXTENSIONS = """py pyi ts tsx js jsx mjs cjs go rs java kt swift c h cc cpp hpp cs rb php ex exs scala clj hs lua pl sh
    bash zsh ps1 sql html css scss vue svelte json yaml yml toml ini cfg conf env md mdx rst txt csv xml proto graphql
    tf dart r jl ipynb lock gradle service tex docx xlsx pdf dbt"""
_FILE = re.compile(
    r"(?<![\w./\\@-])(?:[\w./\\-]{0,160}?[\w-]\.(?:"
    + "|".join(sorted(_EXTENSIONS.split(), key=lambda each: -len(each)))
    + r")|(?:[\w.-]{1,40}/){0,8}(?:Dockerfile|Makefile|Jenkinsfile))(?![\w/\\-]|\.\w)"
)
_AMOUNT = re.compile(r"(\d[\d.,]{0,12})\s{0,3}([^\W\d_]{1,20})")
_SPECIFIC = 1.0  # that a line with a name or a number counts for more than one without
_ELSEWHERE = ("node_modules", "site-packages", "://", "dist-packages")


def summarise(turns: Sequence[Turn], limit: int = SUMMARY_CHARACTERS, items: Sequence[Item] | None = None) -> str:
    """A conversation as it would be handed over, in its language and in at most `limit` characters.

    `items` are what was learnt from it, where that is known already.
    """
    items = (distil(turns).items if items is None else items)[-RECENT_ITEMS:]
    revised = frozenset(quote for item in items for quote in item.revises)
    stand = [line for line in told_of(turns) if not any(line.text in quote for quote in revised)]
    lines = _distinct(_on_subject(_last_words([*learnt(items, turns), *stand]), turns))
    headings = told.HEADINGS.get(_spoken(turns), told.HEADINGS[ENGLISH])
    files = _files(turns)
    return _written(lines, files, headings, limit) if lines or files else _fitting(label(turns), limit)


def label(turns: Iterable[Turn], limit: int = LABEL_CHARACTERS) -> str:
    """What a conversation was about, in a line: the first thing its user said that is more than a greeting."""
    secrecy = Secrecy()
    for said in every_sentence(turns):
        if said.turn.role is not Speaker.ASSISTANT and says_something(said, secrecy):
            text = collapse(said.text)
            text = text[lead_in(text) :] or text
            return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"
    return ""


# -- what is said -------------------------------------------------------------------------------


def _last_words(lines: Sequence[Line]) -> list[Line]:
    """The lines, without those that a later one replaces and those that repeat the value that was replaced."""
    order = sorted(range(len(lines)), key=lambda place: lines[place].place)[-RECENT_LINES:]
    stated = [Stated(_spelt(lines[each].text), lines[each].place[0], lines[each].changes) for each in order]
    gone = {}
    for older, newer in replaced(stated).items():
        gone[order[older]] = newer
    values = {
        (value, stated[newer].turn)
        for older, newer in ((each, gone[order[each]]) for each in range(len(order)) if order[each] in gone)
        for value in _values(stated[older].text) - _values(stated[newer].text)
    }
    terms = [frozenset(content_terms(line.text)) for line in lines]
    changing = [place for place in order if lines[place].changes]
    kept = []
    for place, line in enumerate(lines):
        if any(_is_put_right(line, terms[place], lines[other], terms[other]) for other in changing):
            continue
        over = any(value in _values(_spelt(line.text)) and line.place[0] < turn for value, turn in values)
        if place not in gone and not over:
            kept.append(line)
    return kept


def _is_put_right(line: Line, own: frozenset[str], later: Line, other: frozenset[str]) -> bool:
    """Whether a line says in mostly the same words what a later one puts right."""
    soon = 0 < later.place[0] - line.place[0] <= PUT_RIGHT_WITHIN
    return soon and len(own & other) > REPEATED_SHARE * min(len(own), len(other)) and own != other


def _on_subject(lines: Sequence[Line], turns: Sequence[Turn]) -> list[Line]:
    """The lines, those weighing more of which others in the talk speak too. What nobody takes up is small talk."""
    spoken = Counter(term for turn in deadline.each(turns) for term in frozenset(content_terms(turn.text)))
    possible = options(turns)
    taken = frozenset(term for line in lines if line.weight >= WEIGHTY for term in content_terms(line.text))
    found = []
    for line in lines:
        terms = frozenset(content_terms(line.text))
        if any(possible.turned_down.get(term, -1) > line.place[0] for term in terms):
            continue
        denied = frozenset(term for term in terms if possible.turned_down.get(term) == line.place[0])
        if denied and len(terms - denied) < FEWEST_BESIDE:
            continue
        if line.weight < WEIGHTY and (names_in(line.text) & possible.offered) - taken:
            continue
        shared = sum(spoken[term] > 1 for term in terms) / (len(terms) or 1)
        aside = any(spoken[term] <= TAKEN_UP for term in frozenset(content_terms(mentioned(line.text, "SMALL_TALK"))))
        if (shared or line.sure or _AMOUNT.search(line.text)) and (line.sure or not aside):
            weight = line.weight + shared + _SPECIFIC * is_specific(line.text) - len(line.text) / LENGTH_OF_A_POINT
            found.append(replace(line, weight=weight))
    return found


def _spelt(text: str) -> str:
    return text.replace("%", " percent ")


def _values(text: str) -> frozenset[str]:
    """The amounts with the words behind them, as in "30 days"."""
    return frozenset(f"{found[1]} {found[2].lower()}" for found in _AMOUNT.finditer(text))


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
    ranked = sorted(counts, key=lambda name: (-counts[name], -latest[name], name))[: 4 * FILES_SHOWN]
    return [name for name in ranked if not any(other.endswith(f"/{name}") for other in ranked)][:FILES_SHOWN]


# -- how it is shown ----------------------------------------------------------------------------


def _distinct(lines: Sequence[Line]) -> list[Line]:
    """The lines without those that say again what a fuller one says; of equals what was learnt is kept."""
    terms = [frozenset(content_terms(line.text)) for line in lines]
    known: dict[str, deque[frozenset[str]]] = {}
    kept: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda place: (-len(terms[place]), place)):
        own = terms[place]
        near = [other for term in own for other in known.get(term, ())]
        exact = names_in(lines[place].text) | frozenset(term for term in own if any(map(str.isdigit, term)))
        if own and any(len(own & other) > REPEATED_SHARE * len(own) and exact <= other for other in near):
            continue
        kept.add(place)
        for term in own:
            known.setdefault(term, deque(maxlen=8)).append(own)
    return [line for place, line in enumerate(lines) if place in kept]


def _written(lines: Sequence[Line], files: Sequence[str], headings: Sequence[str], limit: int) -> str:
    """As many lines as there is room for: the best of each part, then whatever weighs most, shown in their order."""
    ranked = sorted(lines, key=lambda line: (-line.weight, -line.place[0], line.place[1]))
    first = [next((line for line in ranked if line.part is part), None) for part in Part]
    named = _fitting_names(files, headings[Part.FILES], int(limit * FILES_SHARE))
    left = limit - (len(named) + 1 if named else 0)
    taken: dict[Part, list[Line]] = {}
    for line in dict.fromkeys((*(line for line in first if line is not None), *ranked)):
        cost = len(LISTED) + len(line.text) + 1 + (0 if line.part in taken else len(headings[line.part]) + 2)
        if cost <= left:
            taken.setdefault(line.part, []).append(line)
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
