"""The form in which rules read a text: folded to plain characters, as bytes, with the way back to the original.

Folding undoes what hides or disfigures a token: compatibility characters (NFKC), zero-width characters and soft
hyphens, typographic dashes and quotes, escaped line breaks, and tokens wrapped over lines or spelled with spaces.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from commonplace.secrets.border import pattern

_PLAIN_SIGNS = {"-": "‐‑‒–—―−", '"': "“”„‟«»「」『』〝〞", "'": "‘’‚‛‹›ʼ"}
# Soft hyphen, joiners, bidi controls, byte-order mark, variation selectors, tag characters.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
)

# Hard-wrapped token: a break between two token characters, perhaps with a continuation sign, quote mark or indent.
_WRAP = r"[\w+/=.~-](\\?\r?\n[ \t>|#*]*)[\w+/=.~-]"
# Spelled-out token: at least sixteen single characters with one space between each.
_SPELLED = r"(?:^|[\s\"':])((?:[!-~] ){15,}[!-~])(?:\s|$)"


@dataclass(frozen=True)
class Form:
    """UTF-8 bytes to scan. `cuts` lists, ascending, where bytes of the parent form were left out: (offset here, how
    many bytes are missing before it in total)."""

    data: bytes
    cuts: tuple[tuple[int, int], ...] = ()

    @cached_property
    def lowered(self) -> bytes:
        """The data in lower case with the same offsets, so that patterns need no costly case folding."""
        if self.data.isascii():
            return self.data.lower()
        lowered = self.data.decode("utf-8", "replace").lower().encode("utf-8", "replace")
        return lowered if len(lowered) == len(self.data) else self.data.lower()

    def parent_offset(self, offset: int) -> int:
        at = bisect_right(self.cuts, (offset, len(self.data) << 8)) - 1
        return offset if at < 0 else offset + self.cuts[at][1]


def folded(text: str) -> str:
    """The text with look-alike and invisible characters made plain."""
    if text.isascii():
        return text
    if pattern(f"[{_INVISIBLE}]").search(text.encode("utf-8", "replace")):
        text = re.sub(f"[{_INVISIBLE}]", "", text)
    text = unicodedata.normalize("NFKC", text)
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


def unwrapped(form: Form) -> Form | None:
    """The form without line breaks inside tokens, or None if there are none."""
    if b"\n" not in form.data:
        return None
    return _without(form, [match.span(1) for match in pattern(_WRAP).finditer(form.data)])


def unspelled(form: Form) -> Form | None:
    """The form with tokens spelled letter by letter closed up, or None if there are none."""
    spaces: list[tuple[int, int]] = []
    for match in pattern(_SPELLED).finditer(form.data):
        start, end = match.span(1)
        spaces.extend((at, at + 1) for at in range(start + 1, end, 2))
    return _without(form, spaces)


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


def _without(form: Form, gaps: list[tuple[int, int]]) -> Form | None:
    if not gaps:
        return None
    kept: list[bytes] = []
    cuts: list[tuple[int, int]] = []
    position = missing = length = 0
    for start, end in gaps:
        kept.append(form.data[position:start])
        length += start - position
        missing += end - start
        cuts.append((length, missing))
        position = end
    kept.append(form.data[position:])
    return Form(b"".join(kept), tuple(cuts))
