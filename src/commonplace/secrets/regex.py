"""The one place that touches google-re2, which has no type stubs: compiled patterns and the keyword set.

RE2 matches in linear time, so no text can stall a write. Everything here works on UTF-8 bytes: one encoding
per text instead of one per rule.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Protocol, cast

from commonplace import deadline

KEYWORD_SET_MEMORY_BYTES = 64 << 20


class Match(Protocol):
    def span(self, group: int = 0) -> tuple[int, int]:
        """Start and end in bytes, the end not included; (-1, -1) for a group that took no part."""

    def group(self, group: int = 0) -> bytes | None:
        """The bytes of a group, None if it took no part; 0 is the whole match."""


class Pattern(Protocol):
    def finditer(self, text: bytes) -> Iterator[Match]:
        """Every match from left to right, none overlapping another."""

    def search(self, text: bytes) -> Match | None:
        """The first match anywhere, None if there is none."""

    def match(self, text: bytes) -> Match | None:
        """A match at the very beginning, else None."""


class _Options(Protocol):
    max_mem: int
    log_errors: bool
    never_capture: bool


class _Set(Protocol):
    def Add(self, pattern: str) -> int:
        """The pattern's index, counted from 0 in the order they are added."""

    def Compile(self) -> None:
        """To be called once, after the last `Add` and before the first `Match`."""

    def Match(self, text: bytes) -> list[int] | None:
        """The indices of the patterns that occur, in no order; nothing or None if none does."""


@cache
def pattern(source: str) -> Pattern:
    """The compiled pattern, compiled on first use and kept."""
    return _Watched(cast(Pattern, _re2().compile(source, _options())))


class _Watched:
    """A pattern that asks at each match whether there is still time: a text can be made to have very many."""

    def __init__(self, inner: Pattern) -> None:
        self._inner = inner
        self.search = inner.search
        self.match = inner.match

    def finditer(self, text: bytes) -> Iterator[Match]:
        return deadline.each(self._inner.finditer(text))


class KeywordSet:
    """Answers in one pass over a text which of many small patterns occur in it."""

    def __init__(self, sources: Sequence[str]) -> None:
        options = _options()
        options.never_capture = True
        # The default budget fails with this many patterns, and RE2 then reports "no match": fail-open.
        options.max_mem = KEYWORD_SET_MEMORY_BYTES
        self._set = cast(_Set, _re2().Set.SearchSet(options))
        for source in sources:
            self._set.Add(source)
        self._set.Compile()
        self.match = self._set.Match

    def hits(self, text: bytes) -> list[int]:
        """Indices of the patterns that occur, ascending."""
        return sorted(self.match(text) or ())


def _options() -> _Options:
    options = cast(_Options, _re2().Options())
    options.log_errors = False  # RE2 would print to stderr, where nobody expects the words of a memory
    return options


@cache
def _re2() -> ModuleType:
    # A late import: loading re2 takes 3-15 ms, and most command-line calls scan no text.
    return importlib.import_module("re2")
