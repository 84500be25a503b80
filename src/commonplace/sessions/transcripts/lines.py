"""The text of a transcript in pieces that can be held, and the records that JSON lines are."""

import json
from collections import deque
from collections.abc import Iterator
from typing import TextIO

from commonplace import deadline
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts.spoken import Json
from commonplace.sessions.transcripts.turns import CHARACTER_LIMIT, LINE_CHARACTERS

PIECE_CHARACTERS = 1_000_000


def pieces(stream: TextIO) -> Iterator[str]:
    """Lines, or pieces of a long one, without the mark that some programs put before all text."""
    total = 0
    while line := stream.readline(PIECE_CHARACTERS):
        deadline.check()
        line = line if total else line.removeprefix("\ufeff")
        total += len(line) or 1
        if total > CHARACTER_LIMIT:
            raise InvalidInput(
                f"The transcript has more than {CHARACTER_LIMIT:,} characters: split it up and read the parts.",
                "transcript",
            )
        yield line


def clean(found: Iterator[str]) -> Iterator[str]:
    """The same pieces, if they are text from the first to the last."""
    for piece in found:
        if not _is_unicode(piece):
            raise InvalidInput("The transcript is not UTF-8 text: convert it, or name the right file.", "transcript")
        if "\0" in piece:
            raise InvalidInput("The transcript holds NUL characters: it is binary data, not text.", "transcript")
        yield piece


class Ahead:
    """Pieces that can be looked at before they are taken; those that were are held until then."""

    def __init__(self, found: Iterator[str]) -> None:
        self._found = found
        self._seen: deque[str] = deque()

    def look(self) -> Iterator[str]:
        """The pieces from the first that is not taken, read on as far as they are asked for."""
        yield from tuple(self._seen)
        for piece in self._found:
            self._seen.append(piece)
            yield piece

    def __iter__(self) -> Iterator[str]:
        """The same, taken."""
        while self._seen:
            yield self._seen.popleft()
        yield from self._found


class Records:
    """The records of JSON lines, with a count of the lines that hold none: a host may still be writing the last."""

    def __init__(self, found: Iterator[str]) -> None:
        self._pieces = found
        self.skipped = 0

    def __iter__(self) -> Iterator[Json]:
        """One record after another; a file of which most cannot be read is refused at its end."""
        read = 0
        for line in self._lines():
            record = None if line is None else loaded(line)
            if record is not None:
                read += 1
                yield record
            elif line is None or line.strip():
                self.skipped += 1
        if self.skipped > read:
            raise InvalidInput(
                f"{self.skipped:,} of {self.skipped + read:,} lines of the transcript are not JSON that can be read: "
                "get it again, or name the right file.",
                "transcript",
            )

    def _lines(self) -> Iterator[str | None]:
        """Lines put together again, with nothing in the place of one that is too long to be held."""
        held: list[str] = []
        size = 0
        for piece in self._pieces:
            size += len(piece)
            held = [*held, piece] if size <= LINE_CHARACTERS else []
            if piece.endswith("\n"):
                yield "".join(held) if size <= LINE_CHARACTERS else None
                held, size = [], 0
        if size:
            yield "".join(held) if size <= LINE_CHARACTERS else None


def loaded(line: str) -> Json | None:
    """A line as a JSON object, or nothing."""
    if not line.lstrip().startswith("{") or not _is_unicode(line):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _is_unicode(text: str) -> bool:
    """Bytes that were no UTF-8 are half characters here."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
