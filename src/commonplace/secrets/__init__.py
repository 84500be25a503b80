"""Finds secrets in a text so that a write can be refused: provider tokens, key blocks, credentials, cards, phrases.

`find(text)` tells the kind and place of each finding, never the value. Rules know formats and words; plain entropy is
no reason to refuse, so hashes, UUIDs and encoded images pass. An ordinary text costs one pass of a keyword set.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cache
from typing import Final

from commonplace.secrets import assignments, cards, conversation, phrases, providers, reshaped, structures
from commonplace.secrets.border import KeywordSet
from commonplace.secrets.detector import Detector, Finding
from commonplace.secrets.form import Form, folded, form_of, original_offsets

__all__ = ["Finding", "find"]

# In order of precision: where two findings overlap, the earlier detector names the kind.
_DETECTORS: Final[tuple[Detector, ...]] = (
    *structures.DETECTORS,
    *providers.DETECTORS,
    *cards.DETECTORS,
    *phrases.DETECTORS,
    *assignments.DETECTORS,
    *conversation.DETECTORS,
    *reshaped.DETECTORS,
)


def find(text: str) -> tuple[Finding, ...]:
    """The secrets in a text, in order of place, without overlaps. Offsets count characters of the text as given."""
    plain = folded(text)
    form = form_of(plain)
    findings = [finding for index in _keywords().hits(form.lowered) for finding in _DETECTORS[index].scan(form)]
    if not findings:
        return ()
    apart = _without_overlaps(findings)
    return tuple(apart if text.isascii() else _in_original(apart, form, plain, text))


def _without_overlaps(findings: list[Finding]) -> list[Finding]:
    """The findings in order of place; of two that overlap, the one found first."""
    kept: list[Finding] = []
    for finding in findings:
        at = bisect_left(kept, finding.start, key=lambda other: other.start)
        clear_before = at == 0 or kept[at - 1].end <= finding.start
        clear_after = at == len(kept) or finding.end <= kept[at].start
        if clear_before and clear_after:
            kept.insert(at, finding)
    return kept


def _in_original(findings: list[Finding], form: Form, plain: str, text: str) -> list[Finding]:
    """The findings with offsets in characters of the original instead of bytes of the form."""

    def characters(offset: int) -> int:
        return len(form.data[:offset].decode("utf-8", "ignore"))

    counted = [Finding(found.kind, characters(found.start), characters(found.end)) for found in findings]
    if plain == text:
        return counted
    offsets = original_offsets(text)
    if offsets is None:
        return [Finding(found.kind, 0, len(text)) for found in counted]
    return [
        Finding(found.kind, offsets[found.start], max(offsets[found.start] + 1, offsets[found.end]))
        for found in counted
    ]


@cache
def _keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in _DETECTORS])
