"""What a request is about, without the words that only ask for it: "Please summarise what we know about X" is about X.

They are for English; a request in another language is about all of it.
"""

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_HOLDER = frozenset(("user", "user's", "users'"))
_BROAD = (
    "summarise|summarize|sum up|recap|outline|describe|reflect on|an overview of|overview of|a summary of|summary of|"
    "the gist of|what do we know about|what do you know about|what do i know about|what we know about|"
    "what you know about|what is known about|what did we say about|what is stored about|what happened with|"
    "what happened to|everything we know about|everything you know about|all we know about|all you know about|"
    "everything about|all about|tell me about|what about"
)
_ASKING = (
    "please|kindly|can you|could you|would you|will you|i want you to|i would like you to|i want to know|tell me|"
    "show me|give me|let me know|remind me|explain|list|report|find out|look up|recall|"
    "when did we discuss|when did we talk about|did we discuss|did we talk about|did we ever discuss|"
    "where did we discuss"
)
_REMOVING = (
    "forget|delete|remove|erase|drop|get rid of|the fact that|the fact about|the note that|the note about|"
    "the memory that|the memory about|the entry about|something about|anything about|what i said about"
)
_SEVERAL = frozenset(("all", "everything", "every", "both", "each", "anything"))
MOST_OPENERS = 6
LONGEST_OPENER = 5  # words


class Subject(NamedTuple):
    """What a request is about, whether it asks for an overview of that, and whether it means more than one thing."""

    text: str
    broad: bool
    several: bool


def _phrases(rows: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(row.split()) for row in rows.split("|"))


_BROAD_PHRASES, _PHRASES = _phrases(_BROAD), _phrases(f"{_BROAD}|{_ASKING}")
_ALL_PHRASES = _PHRASES | _phrases(_REMOVING)


def asked_about(text: str) -> Subject:
    """What a question is about. Of one that consists of asking words alone, all of it."""
    return _read(text, _PHRASES)


def described(text: str) -> Subject:
    """What a description of something to remove is about."""
    return _read(text, _ALL_PHRASES)


def _read(text: str, phrases: frozenset[tuple[str, ...]]) -> Subject:
    found = [(match.start(), match.end(), match[0].lower().replace("’", "'")) for match in _WORD.finditer(text)]
    words = [word for _, _, word in found]
    start, broad = 0, False
    for _ in range(MOST_OPENERS):
        size = _opener(words[start : start + LONGEST_OPENER], phrases)
        if not size:
            break
        broad = broad or tuple(words[start : start + size]) in _BROAD_PHRASES
        start += size
    several = bool(_SEVERAL & set(words[: start + 1]))
    kept = [span for place, span in enumerate(found[start:], start) if not _is_holder(words, place)]
    if not kept:
        return Subject(text, broad, several)
    return Subject(_without_gaps(text, kept), broad, several)


def _opener(words: list[str], phrases: frozenset[tuple[str, ...]]) -> int:
    """How many words the longest of the phrases takes that stands at the beginning."""
    return next((size for size in range(len(words), 0, -1) if tuple(words[:size]) in phrases), 0)


def _is_holder(words: list[str], place: int) -> bool:
    """Whether it is the user, whom nearly all of a book is about, or the article before."""
    if words[place] == "the":
        return words[place + 1 : place + 2] != [] and words[place + 1] in _HOLDER
    return words[place] in _HOLDER and place > 0 and words[place - 1] == "the"


def _without_gaps(text: str, kept: list[tuple[int, int, str]]) -> str:
    """The text from the first word that is kept, each gap where words were left out as one blank."""
    parts: list[str] = []
    end = kept[0][0]
    for start, stop, _ in kept:
        between = text[end:start]
        parts += [" " if _WORD.search(between) else between, text[start:stop]]
        end = stop
    tail = text[end:]
    return "".join((*parts, "" if _WORD.search(tail) else tail)).strip()
