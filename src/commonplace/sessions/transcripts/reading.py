"""Opening a transcript: which format it has, and its turns one after another, within the limits."""

import io
import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from commonplace import deadline
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts import plain
from commonplace.sessions.transcripts.records import PARSERS, sort_of
from commonplace.sessions.transcripts.turns import (
    CHARACTER_LIMIT,
    LINE_CHARACTERS,
    TURN_COUNT_LIMIT,
    Turn,
    cut,
)
from commonplace.workspace.bounded_files import open_plain

PROBE_LINES = 20


class Format(StrEnum):
    """How a transcript is written. `auto` looks at its first lines."""

    AUTO = "auto"
    TEXT = "text"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    MESSAGES = "messages"


def read_text(text: str, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript that is at hand as a text."""
    return _turns(io.StringIO(text), format, surface)


def read_file(path: Path, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript in a file, read as they are asked for."""
    try:
        with io.TextIOWrapper(open_plain(path), encoding="utf-8-sig") as stream:
            yield from read_stream(stream, str(path), format, surface)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read ({error.strerror or error}): name a readable file.") from error


def read_stream(stream: TextIO, name: str, format: Format = Format.AUTO, surface: str | None = None) -> Iterator[Turn]:
    """The turns of a transcript in a stream that is called so, read as they are asked for."""
    try:
        yield from _turns(stream, format, surface)
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} is not UTF-8 text: convert it, or name the right file.", "path") from None


def detect(lines: Iterable[str]) -> Format:
    """What the first lines of a transcript say about its format: JSON that we know, else plain text."""
    for line in lines:
        if line.strip():
            found = sort_of(_loaded(line))
            if found is None:
                return Format.TEXT
            if found:
                return Format(found)
    return Format.TEXT


def _turns(stream: TextIO, format: Format, surface: str | None) -> Iterator[Turn]:
    lines = _lines(stream)
    if format is Format.AUTO:
        probe = [line for _, line in zip(range(PROBE_LINES), lines, strict=False)]
        format = detect(probe)
        lines = _chained(probe, lines)
    if format is Format.TEXT:
        spoken = plain.turns(lines, surface)
    else:
        spoken = _from_records(lines, format, surface or _SURFACES.get(format))
    for count, turn in enumerate(part for each in spoken for part in cut(each)):
        if count >= TURN_COUNT_LIMIT:
            raise InvalidInput(
                f"The transcript has more than {TURN_COUNT_LIMIT:,} turns: split it up and read the parts.",
                "transcript",
            )
        yield turn


_SURFACES = {Format.CLAUDE_CODE: "claude-code", Format.CODEX: "codex"}


def _chained(first: list[str], rest: Iterator[str]) -> Iterator[str]:
    yield from first
    yield from rest


def _lines(stream: TextIO) -> Iterator[str]:
    """Lines, or pieces of a line that is longer than any should be; binary data is refused."""
    total = 0
    while line := stream.readline(LINE_CHARACTERS):
        deadline.check()
        total += len(line)
        if "\x00" in line:
            raise InvalidInput("The transcript holds NUL characters: it is binary data, not text.", "transcript")
        if total > CHARACTER_LIMIT:
            raise InvalidInput(
                f"The transcript has more than {CHARACTER_LIMIT:,} characters: split it up and read the parts.",
                "transcript",
            )
        yield line


def _from_records(lines: Iterator[str], format: Format, surface: str | None) -> Iterator[Turn]:
    """Turns out of JSON lines. A last line may be cut off, where a host was stopped while it wrote."""
    parse = PARSERS[format.value]
    broken = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if broken:
            raise InvalidInput(
                f"Line {broken} of the transcript is not JSON: mend it, or read it as text.", "transcript"
            )
        if len(line) >= LINE_CHARACTERS:
            raise InvalidInput(
                f"Line {number} of the transcript is longer than {LINE_CHARACTERS:,} characters: take it out.",
                "transcript",
            )
        record = _loaded(line)
        if record is None:
            broken = number
        elif (turn := parse(record, surface)) is not None:
            yield turn


def _loaded(line: str) -> dict[str, object] | None:
    """A line as a JSON object, or nothing."""
    if not line.lstrip().startswith("{"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None
