"""The form in which rules read a text: folded to plain characters, as bytes, with the way back to the original.

Folding undoes what disfigures a token wherever it is: compatibility characters (NFKC), zero-width characters and soft
hyphens, typographic dashes and quotes, escaped line breaks. Anything else that is undone makes another form of a form.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from commonplace.secrets.regex import pattern
from commonplace.text.normal_forms import normal_form

_PLAIN_SIGNS = {"-": "‐‑‒–—―−", '"': "“”„‟«»「」『』〝〞", "'": "‘’‚‛‹›ʼ"}
# Soft hyphen, joiners, bidi controls, byte-order mark, variation selectors, tag characters.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
)

# Longer than the shortest form of any token: what an edit completes lies within it.
REACH_BYTES = 512


Edit = tuple[int, int, bytes]
"""A stretch of a form, and what stands in its place in the form made of it."""


@dataclass(frozen=True)
class Form:
    """UTF-8 bytes to scan. `edits` lists, ascending, what was changed of the parent form, and `places` where the new
    bytes of each edit begin here."""

    data: bytes
    parent: Form | None = None
    edits: tuple[Edit, ...] = ()
    places: tuple[int, ...] = ()

    @cached_property
    def lowered(self) -> bytes:
        """The data in lower case with the same offsets, so that patterns need no costly case folding."""
        if self.data.isascii():
            return self.data.lower()
        lowered = self.data.decode("utf-8", "replace").lower().encode("utf-8", "replace")
        return lowered if len(lowered) == len(self.data) else self.data.lower()

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the first form that became this one of here. What was made by an edit is all of it."""
        if self.parent is None:
            return start, end
        return self.parent.origin(self._before(start)[0], self._before(end - 1)[1])

    def _before(self, offset: int) -> tuple[int, int]:
        """The byte of the parent that became the one here; of bytes an edit made, all that they were made of."""
        at = bisect_right(self.places, offset) - 1
        if at < 0:
            return offset, offset + 1
        start, end, made = self.edits[at]
        beyond = offset - self.places[at] - len(made)
        return (start, end) if beyond < 0 else (end + beyond, end + beyond + 1)

    def near_edits(self) -> Form:
        """This form without what is far from every edit: nothing there has changed."""
        ends = [
            0,
            *(place + len(made) + REACH_BYTES for place, (_, _, made) in zip(self.places, self.edits, strict=True)),
        ]
        starts = [*(place - REACH_BYTES for place in self.places), len(self.data)]
        return (
            edited(self, [(end, start, b"\n") for end, start in zip(ends, starts, strict=True) if end < start]) or self
        )


def folded(text: str) -> str:
    """The text with look-alike and invisible characters made plain."""
    if text.isascii():
        return text
    if pattern(f"[{_INVISIBLE}]").search(text.encode("utf-8", "replace")):
        text = re.sub(f"[{_INVISIBLE}]", "", text)
    text = normal_form("NFKC", text)
    for plain, group in _PLAIN_SIGNS.items():
        for sign in group:  # faster than str.translate, which looks up every character
            text = text.replace(sign, plain)
    return text


def form_of(text: str) -> Form:
    """The form of an already folded text. A lone surrogate becomes '?'."""
    data = text.encode("utf-8", "replace")
    if b"\\" in data:
        # Escaped line breaks as in JSON would glue an 'n' to the token; two spaces keep the offsets.
        data = data.replace(b"\\n", b"  ").replace(b"\\r", b"  ").replace(b"\\t", b"  ")
    return Form(data)


def edited(form: Form, edits: Sequence[Edit]) -> Form | None:
    """The form with other bytes in some places, or None if there are none to change."""
    if not edits:
        return None
    pieces: list[bytes] = []
    places: list[int] = []
    position = length = 0
    for start, end, made in edits:
        pieces += (form.data[position:start], made)
        places.append(length + start - position)
        length = places[-1] + len(made)
        position = end
    pieces.append(form.data[position:])
    return Form(b"".join(pieces), form, tuple(edits), tuple(places))


def original_offsets(text: str) -> list[int] | None:
    """For each character of folded(text), and its end, the offset in text; None where folding joined characters
    in a way that cannot be followed."""
    offsets: list[int] = []
    pieces: list[str] = []
    for start, cluster in _clusters(text):
        piece = folded(cluster)
        pieces.append(piece)
        offsets.extend([start] * len(piece))
    offsets.append(len(text))
    return offsets if "".join(pieces) == folded(text) else None


def _clusters(text: str) -> list[tuple[int, str]]:
    starts = [at for at, character in enumerate(text) if not unicodedata.combining(character) or at == 0]
    return [(start, text[start:end]) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
