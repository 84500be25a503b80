"""The text of a transcript in pieces that can be held, and the records that JSON lines are."""

import json
from collections.abc import Iterator
from typing import TextIO

from commonplace import deadline
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts.spoken import Json
from commonplace.sessions.transcripts.turns import CHARACTER_LIMIT, LINE_CHARACTERS


def pieces(stream: TextIO) -> Iterator[str]:
    """Lines, or pieces of a line that is longer than any should be."""
    total = 0
    while line := stream.readline(LINE_CHARACTERS):
        deadline.check()
        total += len(line)
        if total > CHARACTER_LIMIT:
            raise InvalidInput(
                f"The transcript has more than {CHARACTER_LIMIT:,} characters: split it up and read the parts.",
                "transcript",
            )
        yield line


def clean(found: Iterator[str]) -> Iterator[str]:
    """The same pieces, if they are text from the first to the last."""
    for piece in found:
        if "\0" in piece:
            raise InvalidInput("The transcript holds NUL characters: it is binary data, not text.", "transcript")
        if not _is_unicode(piece):
            raise InvalidInput("The transcript is not UTF-8 text: convert it, or name the right file.", "transcript")
        yield piece


class Records:
    """The records of JSON lines, with a count of the lines that hold none: a host may still be writing the last."""

    def __init__(self, found: Iterator[str]) -> None:
        self._pieces = found
        self.skipped = 0

    def __iter__(self) -> Iterator[Json]:
        """One record after another; a file of which most cannot be read is refused at its end."""
        read = 0
        goes_on = False
        for piece in self._pieces:
            begins, goes_on = not goes_on, not piece.endswith("\n")
            if not begins or not piece.strip():
                continue
            record = loaded(piece) if len(piece) < LINE_CHARACTERS else None
            if record is None:
                self.skipped += 1
            else:
                read += 1
                yield record
        if self.skipped > read:
            raise InvalidInput(
                f"{self.skipped:,} of {self.skipped + read:,} lines of the transcript are not JSON that can be read: "
                "get it again, or name the right file.",
                "transcript",
            )


def loaded(line: str) -> Json | None:
    """A line as a JSON object, or nothing."""
    if not line.lstrip("\ufeff \t").startswith("{") or not _is_unicode(line):
        return None
    try:
        record = json.loads(line.lstrip("\ufeff"))
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
