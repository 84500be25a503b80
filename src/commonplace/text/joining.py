"""Sentences about one subject as one sentence: "The service is in Go" and "The service talks to Stripe" say it once."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonplace.text.statements import read

MOST_JOINED = 5
LONGEST_SUBJECT = 6  # words

_LABEL = re.compile(r"[^\W\d_][\w -]{0,30}: (?=\S)")
_INNER = re.compile(r"[,;]|\b(?:and|or)\b")


class Joined(NamedTuple):
    """One sentence, and the places of those that it was made of."""

    places: tuple[int, ...]
    text: str


class _Parts(NamedTuple):
    subject: str
    rest: str
    labelled: bool


def joined(said: Sequence[tuple[int, str, str]], most_characters: int) -> Iterator[Joined]:
    """Those of some sentences, each with its place and its group, that have their subject and group in common."""
    groups: dict[tuple[str, str], list[tuple[int, _Parts]]] = {}
    for place, group, text in said:
        parts = _parts(text)
        if parts is not None:
            groups.setdefault((group, parts.subject.casefold()), []).append((place, parts))
    for found in groups.values():
        for start in range(0, len(found), MOST_JOINED):
            together = found[start : start + MOST_JOINED]
            text = _sentence([parts for _, parts in together])
            if len(together) > 1 and len(text) <= most_characters:
                yield Joined(tuple(place for place, _ in together), text)


def _sentence(parts: Sequence[_Parts]) -> str:
    rests = [each.rest for each in parts]
    if parts[0].labelled or any(_INNER.search(rest) for rest in rests):
        return f"{parts[0].subject} {'; '.join(rests)}."
    return f"{parts[0].subject} {', '.join(rests[:-1])} and {rests[-1]}."


def _parts(text: str) -> _Parts | None:
    """What a plain sentence is about and what it says of that; None for all others."""
    bare = text.rstrip(" .")
    if not bare or bare[0] == "“" or any(mark in bare for mark in ".?!"):
        return None
    label = _LABEL.match(bare)
    if label:
        return _Parts(label[0].strip(), bare[label.end() :], True)
    statements = read(bare)
    if len(statements) != 1 or not statements[0].subject or statements[0].verb >= len(statements[0].tokens):
        return None
    subject, verb, rest = bare.partition(f" {statements[0].tokens[statements[0].verb].written} ")
    if not verb or not rest or len(subject.split()) > LONGEST_SUBJECT or "," in subject:
        return None
    return _Parts(subject, f"{verb.strip()} {rest}", False)
