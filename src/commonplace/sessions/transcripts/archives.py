"""Exports as they are downloaded: an archive with the conversations among pictures and pages."""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts.turns import Conversation

MAGIC = b"PK\x03\x04"
DIRECTORY_BYTES = 16_000_000
"""The table of contents is held whole: a hundred thousand files have room in it."""

PARTS_LIMIT = 1_000
_CONVERSATIONS = re.compile(r"(?:.{0,400}/)?conversations(?:[-_]\d{1,6})?\.json")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
_COMMENT_BYTES = 65_535


def read_archive(
    archive: BinaryIO, path: Path, read: Callable[[TextIO], Iterator[Conversation]]
) -> Iterator[Conversation]:
    """The conversations in the lists of an archive, one list after another, each read as its text is."""
    try:
        _check_directory(archive, path)
        with zipfile.ZipFile(archive) as opened:
            for info in _lists(opened, path):
                with opened.open(info) as part, io.TextIOWrapper(part, "utf-8-sig", "surrogateescape") as text:
                    yield from read(text)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, struct.error) as error:
        raise InvalidInput(f"{path} cannot be unpacked ({error}): get the archive again.") from None


def _lists(opened: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    found = [info for info in opened.infolist() if _CONVERSATIONS.fullmatch(info.filename)]
    if not 0 < len(found) <= PARTS_LIMIT:
        raise InvalidInput(
            f"{path} is an archive without a conversations.json, as ChatGPT and Claude.ai give it: "
            "unpack it and name the folder."
        )
    if any(info.flag_bits & 1 or info.compress_type not in _METHODS for info in found):
        raise InvalidInput(f"{path} is locked or packed in an unusual way: unpack it and name the folder.")
    return sorted(found, key=lambda info: info.filename)


def _check_directory(archive: BinaryIO, path: Path) -> None:
    """Refuse an archive whose table of contents would fill the memory, before it is read."""
    size = archive.seek(0, io.SEEK_END)
    archive.seek(max(0, size - _COMMENT_BYTES - _END_OF_DIRECTORY.size))
    end = archive.read()
    place = end.rfind(b"PK\x05\x06")
    if place < 0:
        raise zipfile.BadZipFile("its end is missing")
    *_, directory, _, _ = _END_OF_DIRECTORY.unpack_from(end, place)
    if directory > DIRECTORY_BYTES:
        raise InvalidInput(f"{path} holds too many files to be looked through: unpack it and name the folder.")
    archive.seek(0)
