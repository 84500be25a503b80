"""Reading what somebody named: plain files only, and lines whose length is measured before they are read whole.

A pipe or a device in a file's place would keep us waiting, or never end.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from commonplace.errors import InvalidInput


def open_plain(path: Path) -> BinaryIO:
    """A plain file for reading, by whatever link; anything else is refused instead of waited for."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InvalidInput(f"{path} is not a plain file: name one, or give - and pipe it in.", "file")
    return os.fdopen(descriptor, "rb")


def bounded_lines(stream: TextIO, limit: int) -> Iterator[str]:
    """The lines of a stream. Of a longer one comes only its beginning, one character more than the limit."""
    while line := stream.readline(limit + 1):
        yield line
        longer = len(line) > limit
        while longer and line and not line.endswith("\n"):
            line = stream.readline(limit)
