"""Provider tokens that are not written as they are used: escaped, cut in pieces, spelled, in look-alike letters.

Each way of writing is undone in turn, on what the one before it made, and only where its signs are met. What comes out
holds glued words and chance, so only tokens with a known prefix and a random body count.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Final

from commonplace.secrets import encoded, providers
from commonplace.secrets.detector import FoundSecret
from commonplace.secrets.form import Edit, Form, edited, folded
from commonplace.secrets.regex import KeywordSet, Match, pattern
from commonplace.secrets.values import is_random

EDITS_LIMIT: Final = 8_192
"""So many places of one text are undone at each stage: no honest text has more, and the others cost time."""

_TOKEN: Final = r"[\w+/=.~-]"

# Markdown, HTML, addresses, string literals, mail, a sign set in brackets: only where a character of a token comes out.
_ESCAPED: Final = (
    r"\\[_.~+=/-]|&(?:#\d{1,6}|#[xX][0-9A-Fa-f]{1,5}|lowbar|UnderBar|hyphen|dash|period|sol|plus|equals|amp);"
    r"|%(?:25)?[2-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]|\\u(?:00[2-7][0-9A-Fa-f]|\{0{0,4}[2-7][0-9A-Fa-f]\})"
    r"|\\[01][0-7]{2}|=(?:5F|2D|2E|3D)|\[[_.-]\]"
)
# Letters of other alphabets beside the Latin ones they look like.
_ALIKE: Final = {
    pair[0]: pair[1]
    for pair in (
        "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԚQ ԜW аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl кk"
        " ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi κk νv οo ρp υu χx ϲc ϳj ɑa ɡg ıi"
    ).split()
}
_MARKED: Final = r"[\x{c0}-\x{24f}\x{1e00}-\x{1eff}]"
# Where one of them stands in what may be a token: beside a Latin letter, or with a mark on it and much behind it.
_FOREIGN: Final = rf"[\x{{300}}-\x{{36f}}]|\w[{''.join(_ALIKE)}]|[{''.join(_ALIKE)}]\w|\w{_MARKED}[\w-]{{8}}"
# Between two characters of a token: markup, a sign set apart, the end of one string and the beginning of the next.
_CUT: Final = (
    rf"{_TOKEN}(\*{{1,3}}|`{{1,3}}|(?:<[!/]?[A-Za-z -]{{1,24}}>){{1,4}}| _ ?|_ "
    r"|[\"'`][ \t]{0,8}(?:\+\+?|\.\.?|&|\|\||<>|\\)\s{0,40}[\"'`]|[\"']\s{1,40}[\"'])"
    rf"{_TOKEN}"
)
# A break inside a token, perhaps with a continuation sign, quote mark or indent.
_WRAP: Final = rf"{_TOKEN}(\\?\r?\n[ \t>|#*]*){_TOKEN}"
# Single characters, at least sixteen of them, with the same sign between each.
_BETWEEN_LETTERS: Final = (" ", ",", ", ", "-", ".", "/", "|", ":", "_", "  ", "\n")


def _letters(sign: str, least: int) -> str:
    between = sign.replace(".", r"\.").replace("|", r"\|")
    return rf"(?:^|[\s\"'`(=:])((?:[!-~]{between}){{{least},}})"


_SPELLED: Final = tuple((sign, rf"{_letters(sign, 15)}[!-~](?:[\s\"'`)]|$)") for sign in _BETWEEN_LETTERS)
_SOME_LETTERS: Final = "|".join(_letters(sign, 8) for sign in _BETWEEN_LETTERS)
# One look that tells most texts from those in which something may be undone.
SIGNS: Final = "|".join((_ESCAPED, _CUT, _WRAP, _SOME_LETTERS, encoded.SIGNS))
"""Where none of these is met in plain letters, nothing is written in another way."""


def _unescaped(form: Form) -> Form | None:
    found = _matches(_ESCAPED, form)
    return edited(form, [(*match.span(), _plain_sign(match.group() or b"")) for match in found])


def _plain_sign(escape: bytes) -> bytes:
    """The character an escape stands for."""
    if escape[:1] == b"&":
        return folded(html.unescape(escape.decode())).encode("utf-8", "replace")
    if escape[:1] in (b"%", b"="):
        return bytes([int(escape[-2:], 16)]) if len(escape) < 5 else b"%" + escape[-2:]
    if escape[:2] in (b"\\x", b"\\u"):
        return bytes([int(escape[2:].strip(b"{}"), 16)])
    return bytes([int(escape[1:], 8)]) if escape[1:].isdigit() else escape[1:2]


def _in_latin(form: Form) -> Form | None:
    """Letters of other alphabets as the Latin ones they look like, and letters without marks on them."""
    if form.data.isascii() or pattern(_FOREIGN).search(form.data) is None:
        return None
    edits: list[Edit] = []
    for match in _matches(r"[^\x00-\x7f]", form):
        letter = (match.group() or b"").decode("utf-8", "replace")
        plain = _latin(letter)
        if plain != letter:
            edits.append((*match.span(), plain.encode()))
    return edited(form, edits)


@cache
def _latin(letter: str) -> str:
    if letter in _ALIKE:
        return _ALIKE[letter]
    bare = "".join(each for each in unicodedata.normalize("NFD", letter) if not unicodedata.combining(each))
    return bare if bare.isascii() else letter


def _unspelled(form: Form) -> Form | None:
    if pattern(_SOME_LETTERS).search(form.data) is None:
        return None
    found = [(*match.span(1), sign) for sign, spelled in _SPELLED for match in pattern(spelled).finditer(form.data)]
    edits: list[Edit] = []
    reached = 0
    for start, end, sign in sorted(found):
        if start >= reached:
            edits += ((at, at + len(sign), b"") for at in range(start + 1, end, 1 + len(sign)))
            reached = end
    return edited(form, edits[:EDITS_LIMIT])


def _joined(form: Form) -> Form | None:
    found = _matches(_CUT, form)
    return edited(form, [(*match.span(1), _sign_in(match.group(1) or b"")) for match in found])


def _sign_in(cut: bytes) -> bytes:
    """The sign that was set apart, if one was."""
    return b"" if cut[:1] in b"*`<\"'" else cut.strip()


def _unwrapped(form: Form) -> Form | None:
    if b"\n" not in form.data:
        return None
    return edited(form, [(*match.span(1), b"") for match in _matches(_WRAP, form)])


def _matches(source: str, form: Form) -> Iterator[Match]:
    return islice(pattern(source).finditer(form.data), EDITS_LIMIT)


# One length, one alphabet: nothing else has that shape.
_EXACT: Final = frozenset({"aws_access_key", "commonplace_token"})
# How often each is undone: escapes of escapes, and Base64 of Base64 as the settings of clusters have it.
_STAGES: Final[tuple[tuple[Callable[[Form], Form | None], int], ...]] = (
    (_in_latin, 1),
    (_unescaped, 2),
    (_unspelled, 1),
    (_joined, 1),
    (_unwrapped, 1),
    (encoded.decoded, 2),
)


def tokens(form: Form) -> Iterator[FoundSecret]:
    """The tokens that come to light, stage by stage, at their places in the form as it was given."""
    if form.data.isascii() and pattern(SIGNS).search(form.data) is None:
        return
    for undone, times in _STAGES:
        for _ in range(times):
            made = undone(form)
            if made is None:
                break
            form = made
            yield from _known(made.near_edits())


def _known(form: Form) -> Iterator[FoundSecret]:
    for index in _keywords().hits(form.lowered):
        for finding in providers.DETECTORS[index].scan(form):
            if finding.kind in _EXACT or is_random(form.data[finding.start : finding.end]):
                yield FoundSecret(finding.kind, *form.origin(finding.start, finding.end))


@cache
def _keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in providers.DETECTORS])
