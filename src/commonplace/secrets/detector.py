"""What a detector is: a cheap sign that it may apply, and a scan that yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from commonplace.secrets.form import Form
from commonplace.secrets.regex import pattern


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A place in a text that looks like a secret: what kind, and where. It never holds the value."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Detector:
    """`keyword` is a pattern over the lower-cased text: the scan runs only where it occurs."""

    keyword: str
    scan: Callable[[Form], Iterator[FoundSecret]]


def anything(value: bytes) -> bool:
    """Accepts every match: the pattern alone decides."""
    return True


def by_pattern(kind: str, keyword: str, source: str, accept: Callable[[bytes], bool] = anything) -> Detector:
    """A detector that reports each match of one pattern, in the text as written, that is accepted."""

    def scan(form: Form) -> Iterator[FoundSecret]:
        for match in pattern(source).finditer(form.data):
            start, end = match.span()
            if accept(form.data[start:end]):
                yield FoundSecret(kind, start, end)

    return Detector(keyword, scan)
