"""Secrets told in a sentence: 'the wifi password is …', 'use … as the pin', 'パスワードは…です'.

Each rule starts at the word for the secret and looks a short way ahead, or back, for a value. What is found there is
believed only as far as it looks: most sentences about passwords go on with ordinary words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from commonplace.secrets import labels
from commonplace.secrets.belief import CJK_FAMILIES, FAMILIES, KEY_FAMILY, Family, TokenCandidate, is_strong_password
from commonplace.secrets.detector import Detector, FoundSecret
from commonplace.secrets.form import Form
from commonplace.secrets.regex import Match, pattern
from commonplace.secrets.values import looks_like_password

_AHEAD_BYTES: Final = 200
_BEHIND_BYTES: Final = 160

# Groups of one value: three kinds of quotes, or bare up to a space or a CJK character.
_VALUE: Final = r"(?:\"([^\"\n]{1,80})\"|'([^'\n]{1,80})'|`([^`\n]{1,80})`|([^\s\"'`\x{2e80}-\x{ffff}]{2,160}))"
_AFTER_LABEL: Final = r"(?:'s)?[\"'`*_)\]]{0,3}(?:\s?\([^()\n]{1,40}\)|, [^,.\n]{1,30},)?"
_EQUALS: Final = r"\s*(?:[:=]|->|=>|→|是|为|は|는|은)\s*"
_IS: Final = (
    rf"(?:[,?]?\s+(?:and\s+)?(?:it|which|that)(?:'s|\s+is|\s+was)|,?\s+(?:{labels.COPULAS}))"
    rf"(?:\s+(?:{labels.ADVERBS}))*\s*:?\s+"
)
_GAP: Final = rf"\s+(?:{labels.PREPOSITIONS})(?:[\s'](?:[^.;:=!?\n\"`<>(){{}}\[\]|]|[.:]\w){{0,70}}?)?"

_NEAR: Final = rf"^{_AFTER_LABEL}(?:{_EQUALS}|{_IS}|'s\s+)[*_]{{0,2}}\s?{_VALUE}"
_FAR: Final = rf"^{_AFTER_LABEL}{_GAP}(?:{_EQUALS}|{_IS})[*_]{{0,2}}\s?{_VALUE}"
_CHANGED: Final = rf"^{_AFTER_LABEL}(?:{_GAP})?\s+(?:{labels.CHANGE_TO})\s+{_VALUE}"
_BESIDE: Final = rf"^{_AFTER_LABEL}(?:[ \t]+(?:[-(?][ \t]*)?|[ \t]?[(?][ \t]*){_VALUE}"
_PAIR: Final = (
    rf"^{_AFTER_LABEL}(?:{_GAP})?(?:{_EQUALS}|{_IS}|\s+(?:with|as|using|via|mit|als|avec|con|com|met)\s+)"
    r"[\"'`]?(?:\w+:\s*)?[\w.@+-]{2,64}[\"'`]?(?:\s*[/|:,]\s*|\s+(?:and|with|und|et|y|e|en|-)\s+)"
    rf"(?:(?:with )?(?:password|pw|pass):?\s+)?{_VALUE}"
)
_ACCOUNT_PAIR: Final = (
    rf"(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:admin|root|administrator|guest))(?:\s*:\s*|\s+[/|]\s+){_VALUE}"
)
_USED_AS: Final = (
    r"\b(?:use|using|try|type|enter|typed|with|set|put|pick|chose|choose|verwende|benutze|nimm|utilise[rz]?|usa|usar"
    rf"|utiliza|gebruik)\s+{_VALUE}\s+(?:as|for|als|comme|como|come|para|pour|für)\s+(?:\S+\s+){{0,4}}$"
)
_IS_THE: Final = (
    rf"(?:^|\s){_VALUE}\s+(?:is|was|will be|ist|war|est|es|é|è|era)\s+(?:{labels.DETERMINERS})\s+(?:[\w'-]+\s+){{0,3}}$"
)
# Without one of these nearby no judge would believe anything, and most sentences stop here.
_NOTABLE: Final = r"[0-9]\S{2}|\S{2}[0-9]|[\"`]|(?:^|\s)'|[a-z][A-Z]|\w[@#$%^&!?*+~]+\w|\S{16}"
_CLAUSE_END: Final = rf"^\s*(?:$|[.,;!)\n]|(?:{labels.CLAUSE_OPENERS})\b)"

_CJK_AHEAD: Final = (
    r"^\s*(?:[はがをに是为為은는이가을를]|就是|改成了?|改为了?|改為|设为|設為|设置为|設定為|设成|[:=])?\s*"
    r"(?:现在|目前|現在|今は|지금|현재|改成|改为)?(?:[是为為は])?\s*:?\s*[\"'`]?([!-&(-_a-~]{4,80})"
)
_CJK_BEHIND: Final = (
    r"(?:^|[^!-~])[\"'`]?([!-&(-_a-~]{5,80})[\"'`]?\s*"
    r"(?:作为|作為|当作|當作|做|を|이|가|을|를|是|为|が|は)[^!-~]{0,12}$"
)


def _told_with(families: tuple[Family, ...], notable: str) -> Callable[[Form], Iterator[FoundSecret]]:
    """A scan for values told with the words of some families, where something notable stands near."""
    words = "|".join(f"({family.words})" for family in families)

    def scan(form: Form) -> Iterator[FoundSecret]:
        for match in pattern(words).finditer(form.lowered):
            family = _family(match, families)
            start, end = match.span()
            if pattern(notable).search(form.data[max(0, start - _BEHIND_BYTES) : end + _AHEAD_BYTES]):
                candidate = _ahead(form, family, start, end) or _behind(form, family, start, end)
                if candidate:
                    yield _finding(family.kind, candidate)

    return scan


def _ahead(form: Form, family: Family, start: int, end: int) -> TokenCandidate | None:
    window = form.lowered[end : end + _AHEAD_BYTES]
    changing = pattern(labels.CHANGE_VERBS).search(form.lowered[max(0, start - 50) : start]) is not None
    changed = family.told if changing else family.beside
    for source, judge in ((_NEAR, family.told), (_FAR, family.told), (_CHANGED, changed), (_BESIDE, family.beside)):
        match = pattern(source).match(window)
        candidate = _candidate(form, end, window, match) if match else None
        if candidate and judge(candidate):
            return candidate
    return None


def _behind(form: Form, family: Family, start: int, end: int) -> TokenCandidate | None:
    if not pattern(_CLAUSE_END).search(form.lowered[end : end + 40]):
        return None
    base = max(0, start - _BEHIND_BYTES)
    window = form.lowered[base:start]
    for source, judge in ((_USED_AS, family.told), (_IS_THE, family.beside)):
        match = pattern(source).search(window)
        candidate = replace(_candidate(form, base, window, match), ends_clause=True) if match else None
        if candidate and judge(candidate):
            return candidate
    return None


def _candidate(form: Form, base: int, window: bytes, match: Match) -> TokenCandidate:
    """The value among a match's four groups: three quoted, then bare."""
    group = next(number for number in (1, 2, 3, 4) if match.span(number)[0] >= 0)
    start, end = match.span(group)
    if group == 4:
        end = _with_digit_groups(window, start, end)
    value = form.data[base + start : base + end]
    ends = group != 4 or value[-1:] in b".,;)" or pattern(_CLAUSE_END).search(window[end:]) is not None
    return TokenCandidate(value, base + start, group != 4, ends)


def _with_digit_groups(window: bytes, start: int, end: int) -> int:
    """Where '48 21' or '1234 5678' really ends: digits in groups are one value."""
    grouped = pattern(r"^\d{2,4}(?: \d{2,4}){1,3}\b").match(window[start:])
    return max(end, start + grouped.span()[1]) if grouped else end


def _logins(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(rf"{labels.LOGIN}|{labels.PASSWORD}").finditer(form.lowered):
        end = match.span()[1]
        window = form.lowered[end : end + _AHEAD_BYTES]
        pair = pattern(_PAIR).match(window)
        if pair:
            candidate = _candidate(form, end, window, pair)
            if is_strong_password(candidate) or (
                b"/" in window[: pair.span()[1]] and looks_like_password(candidate.value)
            ):
                yield _finding("password", candidate)


def _account_pairs(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_ACCOUNT_PAIR).finditer(form.lowered):
        candidate = _candidate(form, 0, form.lowered, match)
        if b"/" not in candidate.value and is_strong_password(candidate):  # git@host:path is an address
            yield _finding("password", candidate)


def _told_cjk(form: Form) -> Iterator[FoundSecret]:
    words = "|".join(f"({family.words})" for family in CJK_FAMILIES)
    for match in pattern(words).finditer(form.lowered):
        family = _family(match, CJK_FAMILIES)
        start, end = match.span()
        base = max(0, start - _BEHIND_BYTES)
        ahead = pattern(_CJK_AHEAD).match(form.lowered[end : end + _AHEAD_BYTES])
        behind = pattern(_CJK_BEHIND).search(form.lowered[base:start])
        candidates = [_cjk_candidate(form, end, ahead), _cjk_candidate(form, base, behind)]
        believed = [candidate for candidate in candidates if candidate and family.told(candidate)]
        if believed:
            yield _finding(family.kind, believed[0])


def _cjk_candidate(form: Form, base: int, match: Match | None) -> TokenCandidate | None:
    if match is None:
        return None
    start, end = match.span(1)
    return TokenCandidate(form.data[base + start : base + end], base + start, quoted=False, ends_clause=True)


def _family(match: Match, families: tuple[Family, ...]) -> Family:
    """The family whose group of the words took part in the match."""
    return next(family for number, family in enumerate(families, 1) if match.span(number)[0] >= 0)


def _finding(kind: str, candidate: TokenCandidate) -> FoundSecret:
    return FoundSecret(kind, candidate.start, candidate.start + len(candidate.value))


DETECTORS: Final[tuple[Detector, ...]] = (
    Detector("|".join(family.words for family in FAMILIES), _told_with(FAMILIES, _NOTABLE)),
    Detector(labels.KEY_TOLD, _told_with((KEY_FAMILY,), r"[\w+=-]{20}")),
    Detector(labels.LOGIN, _logins),
    Detector(r"\w@[\w.-]+\s*[/:|]|\b(?:admin|root|administrator|guest)\s*[/:|]", _account_pairs),
    Detector("|".join(family.words for family in CJK_FAMILIES), _told_cjk),
)
