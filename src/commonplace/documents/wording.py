"""What lines of a document say: pure, so that evidence can tell whether they still say it.

Blank lines and the ends of lines do not count. Lines that have moved are recognised by a sum that
rolls over the document line by line; nothing of the text itself is kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from commonplace.domain.record import Record

MODULUS = 2**127 - 1
BASE = int.from_bytes(blake2b(b"lines of a document", digest_size=15).digest(), "big")


class NumberedLine(NamedTuple):
    number: int
    text: str


class Said(Record):
    """What some lines said: their sum, how many there were, and how often the document said it."""

    sum: str
    lines: int
    times: int


def lines_of(chunks: Iterable[tuple[int, str]]) -> tuple[NumberedLine, ...]:
    """The lines that say something, in order, out of chunks of a document with their first line."""
    found = (
        NumberedLine(number, text.rstrip())
        for start, content in sorted(chunks)
        for number, text in enumerate(content.split("\n"), start)
        if text.strip()
    )
    return tuple(sorted(found, key=lambda line: line.number))


def between(lines: Sequence[NumberedLine], first: int, last: int) -> tuple[NumberedLine, ...]:
    """The lines from the first number to the last, both included, in the order given."""
    return tuple(line for line in lines if first <= line.number <= last)


def said(named: Sequence[NumberedLine], lines: Sequence[NumberedLine]) -> Said:
    """What the named lines of a document say."""
    wanted = next(_sums(named, len(named)))
    return Said(str(wanted), len(named), len(_places(lines, wanted, len(named))))


def where_said(lines: Sequence[NumberedLine], named: Sequence[NumberedLine], before: Said) -> Sequence[NumberedLine]:
    """The lines that say it: those that did, or others if the document says it as often as it did; else none."""
    wanted = int(before.sum)
    if _places(named, wanted, before.lines) == [0]:
        return named
    places = _places(lines, wanted, before.lines)
    return lines[places[0] : places[0] + before.lines] if len(places) >= before.times else ()


def _places(lines: Sequence[NumberedLine], wanted: int, length: int) -> list[int]:
    return [place for place, each in enumerate(_sums(lines, length)) if each == wanted]


def has_words(lines: Iterable[NumberedLine], words: str) -> bool:
    """Whether these words stand there in this order, however they are broken into lines."""
    return _run_together(words) in _run_together("\n".join(line.text for line in lines))


def _run_together(text: str) -> str:
    return "".join(text.split())


def _sums(lines: Sequence[NumberedLine], length: int) -> Iterator[int]:
    """The sum of every stretch of so many lines."""
    digests = [int.from_bytes(blake2b(line.text.encode(), digest_size=15).digest(), "big") for line in lines]
    if not 0 < length <= len(digests):
        return
    leaving, current = pow(BASE, length, MODULUS), 0
    for place, digest in enumerate(digests):
        current = (current * BASE + digest) % MODULUS
        if place >= length:
            current = (current - digests[place - length] * leaving) % MODULUS
        if place >= length - 1:
            yield current
