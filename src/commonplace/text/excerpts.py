"""A long text shown in part, around what was looked for."""

from collections.abc import Sequence

from commonplace.text import collapse, terms

BEFORE = 8  # words that are shown before the first one that was looked for


def around(text: str, wanted: Sequence[str], length: int) -> str:
    """A text on one line, at most so long, around the first word that has one of the terms wanted."""
    text = collapse(text)
    if len(text) <= length:
        return text
    words = text.split(" ")
    first = next((place for place, word in enumerate(words) if set(terms(word)) & set(wanted)), 0)
    start = len(" ".join(words[: max(0, first - BEFORE)]))
    piece = text[start : start + length - 2].strip()
    return f"{'…' if start else ''}{piece}…"
