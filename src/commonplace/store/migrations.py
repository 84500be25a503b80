"""Numbered migrations as files, the same on every engine."""

import re
from pathlib import Path

from commonplace.domain.record import Record

_FOLDER = Path(__file__).parent / "schema"
_FILE_NAME = re.compile(r"(\d{3})_\w+\.sql")


class Migration(Record):
    number: int
    file: Path


def shipped(engine: str) -> tuple[Migration, ...]:
    """The migrations that came with this version, in order, numbered from 1 without a gap."""
    found = [(match, file) for file in (_FOLDER / engine).iterdir() if (match := _FILE_NAME.fullmatch(file.name))]
    return tuple(sorted((Migration(int(match[1]), file) for match, file in found), key=lambda step: step.number))
