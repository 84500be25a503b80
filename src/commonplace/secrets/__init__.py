"""Finds secrets in a text so that a write can be refused: provider tokens, key blocks, credentials, cards, phrases.

`find(text)` tells the kind and place of each finding, never the value. Rules know formats and words; plain entropy is
no reason to refuse, so hashes, UUIDs and encoded images pass. An ordinary text costs one pass of a keyword set.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from commonplace.secrets import assignments, cards, conversation, phrases, providers, structures
from commonplace.secrets.border import KeywordSet
from commonplace.secrets.detector import Detector, Finding
from commonplace.secrets.form import Form, folded, form_of, original_offsets, unspelled, unwrapped
from commonplace.secrets.values import is_random

__all__ = ["Finding", "find"]

# In order of precision: where two findings overlap, the earlier detector names the kind.
_DETECTORS: Final[tuple[Detector, ...]] = (
    *structures.DETECTORS,
    *providers.DETECTORS,
    *cards.DETECTORS,
    *phrases.DETECTORS,
    *assignments.DETECTORS,
    *conversation.DETECTORS,
)


def find(text: str) -> tuple[Finding, ...]:
    """The secrets in a text, in order of place, without overlaps. Offsets are characters of the text as given."""
    plain = folded(text)
    form = form_of(plain)
    findings = list(_scan(form, _keywords(), _DETECTORS))
    for reshaped in (unwrapped(form), unspelled(form)):
        if reshaped:
            findings.extend(_scan_reshaped(reshaped))
    if not findings:
        return ()
    apart = _without_overlaps(findings)
    return tuple(_in_original(finding, form, plain, text) for finding in apart)


def _scan(form: Form, keywords: KeywordSet, detectors: tuple[Detector, ...]) -> Iterator[Finding]:
    for index in keywords.hits(form.lowered):
        yield from detectors[index].scan(form)


def _scan_reshaped(form: Form) -> Iterator[Finding]:
    """Findings of provider rules in a closed-up text. Closing up glues words together, so only random bodies count."""
    for finding in _scan(form, _provider_keywords(), providers.DETECTORS):
        if is_random(form.data[finding.start : finding.end]):
            start, last = form.parent_offset(finding.start), form.parent_offset(finding.end - 1)
            yield Finding(finding.kind, start, last + 1)


def _without_overlaps(findings: list[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in findings:
        if not any(finding.start < other.end and other.start < finding.end for other in kept):
            kept.append(finding)
    return sorted(kept, key=lambda finding: finding.start)


def _in_original(finding: Finding, form: Form, plain: str, text: str) -> Finding:
    if text.isascii():
        return finding
    start = len(form.data[: finding.start].decode("utf-8", "ignore"))
    end = start + len(form.data[finding.start : finding.end].decode("utf-8", "ignore"))
    if plain == text:
        return Finding(finding.kind, start, end)
    offsets = original_offsets(text)
    if offsets is None:
        return Finding(finding.kind, 0, len(text))
    return Finding(finding.kind, offsets[start], max(offsets[start] + 1, offsets[end]))


@cache
def _keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in _DETECTORS])


@cache
def _provider_keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in providers.DETECTORS])
