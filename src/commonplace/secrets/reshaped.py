"""Provider tokens that were wrapped over lines or spelled letter by letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

from commonplace.secrets import providers
from commonplace.secrets.border import KeywordSet
from commonplace.secrets.detector import Detector, Finding
from commonplace.secrets.form import Form, unspelled, unwrapped
from commonplace.secrets.values import is_random


def _after(reshape: Callable[[Form], Form | None]) -> Callable[[Form], Iterator[Finding]]:
    """A scan of the reshaped form. Closing up glues words together, so only random bodies count."""

    def scan(form: Form) -> Iterator[Finding]:
        closed = reshape(form)
        if closed is None:
            return
        for index in _keywords().hits(closed.lowered):
            for finding in providers.DETECTORS[index].scan(closed):
                if is_random(closed.data[finding.start : finding.end]):
                    start, last = closed.parent_offset(finding.start), closed.parent_offset(finding.end - 1)
                    yield Finding(finding.kind, start, last + 1)

    return scan


@cache
def _keywords() -> KeywordSet:
    return KeywordSet([detector.keyword for detector in providers.DETECTORS])


DETECTORS: Final[tuple[Detector, ...]] = (
    Detector(r"[\w+/=.~-]\\?\r?\n[ \t>|#*]*[\w+/=.~-]", _after(unwrapped)),
    Detector(r"(?:^|\s)[!-~] [!-~] [!-~] [!-~] ", _after(unspelled)),
)
