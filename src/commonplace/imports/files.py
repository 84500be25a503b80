"""The files that are named, or lie in a folder that is: read within bounds, as text, and never through a link."""

import os
from collections.abc import Iterator
from pathlib import Path

from commonplace import deadline
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.imports import instructions
from commonplace.imports.items import LeftOut
from commonplace.workspace.bounded_files import open_plain
from commonplace.workspace.files import read_regular

FILE_BYTES = 32_000_000
TEXT_CHARACTERS = 2_000_000
"""Of a text that people write; more is data."""
TOTAL_BYTES = 256_000_000
FILES_LIMIT = 20_000
DEPTH_LIMIT = 32
BEGINNING_BYTES = 4_096
SUFFIXES = (".md", ".markdown", ".mdc", ".json", ".jsonl")
_PASSED_OVER = frozenset({"node_modules", "__pycache__", "subagents", "tool-results"})
_HIDDEN_READ = frozenset({".cursor"})
_REPOSITORY = (".git", ".hg", ".jj")
_RECORDS = frozenset({"adr", "adrs", "decisions", "decision-records"})


class Listed(Record):
    """A file to look at, and the name it is shown by: its own, or its path within the folder that was named."""

    path: Path
    name: str


def listed(path: Path) -> Iterator[Listed | LeftOut]:
    """A file by itself, or those of a folder in order of their paths, with what of it is not looked at.

    A link is followed where it was named itself, and nowhere else. Of a repository only that is read which is written
    for agents, and its decision records: the rest is about the program.
    """
    try:
        place = path.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        said = getattr(error, "strerror", None) or "its links lead back to themselves"
        raise InvalidInput(f"{path} cannot be read ({said}): name a file or a folder.", "path") from None
    if not place.is_dir():
        yield Listed(place, path.name)
        return
    repository = any((place / mark).exists() for mark in _REPOSITORY)
    count = 0
    for each in _within(place, "", DEPTH_LIMIT, repository):
        deadline.check()
        count += isinstance(each, Listed)
        if count > FILES_LIMIT:
            raise InvalidInput(f"{path} has more than {FILES_LIMIT:,} files to look at: name a folder inside it.")
        yield each


def read(file: Listed) -> str:
    """The text of a file; InvalidInput with the reason, to stand behind its name, where it has none to be read."""
    try:
        content = read_regular(file.path, FILE_BYTES)
    except OSError as error:
        raise InvalidInput(f"it cannot be read: {(error.strerror or str(error)).lower()}") from None
    if b"\x00" in content:
        raise InvalidInput("it is not text: it holds a NUL character")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("it is not UTF-8 text: convert it first") from None
    if len(text) > TEXT_CHARACTERS and not is_json(file.path.name, text):
        raise InvalidInput(f"it has {len(text):,} characters and {TEXT_CHARACTERS:,} is the limit: split it up")
    return text


def is_json(name: str, text: str) -> bool:
    """Whether a file is meant to be JSON, by its name or by how it begins."""
    begun = text[:BEGINNING_BYTES].lstrip()
    return begun.startswith(("{", "[{", "[\n", "[ ")) or name.lower().endswith((".json", ".jsonl"))


def beginning(file: Listed) -> bytes:
    """How a plain file begins, whatever is in it and however long it is; nothing where it cannot be read."""
    try:
        with open_plain(file.path) as source:
            return source.read(BEGINNING_BYTES)
    except (OSError, InvalidInput):
        return b""


def size_of(file: Listed) -> int:
    """How many bytes a file has; none where it is gone."""
    try:
        return file.path.lstat().st_size
    except OSError:
        return 0


def _within(folder: Path, above: str, depth: int, repository: bool) -> Iterator[Listed | LeftOut]:
    for entry in _entries(folder):
        name = f"{above}{entry.name}"
        if entry.is_symlink():
            if _looked_at(entry.name, above, repository):
                yield LeftOut("it is a link, and links in a folder are not followed", file=name)
        elif entry.is_dir(follow_symlinks=False):
            if entry.name in _PASSED_OVER or (entry.name.startswith(".") and entry.name not in _HIDDEN_READ):
                continue
            if depth:
                yield from _within(Path(entry.path), f"{name}/", depth - 1, repository)
        elif _looked_at(entry.name, above, repository):
            if entry.is_file(follow_symlinks=False):
                yield Listed(Path(entry.path), name)
            else:
                yield LeftOut("it is not a plain file", file=name)


def _looked_at(name: str, above: str, repository: bool) -> bool:
    small = name.lower()
    told = small in instructions.NAMES or small.endswith(instructions.RULE)
    if repository:
        return told or (small.endswith(".md") and not _RECORDS.isdisjoint(above.lower().split("/")))
    return told or (small.endswith(SUFFIXES) and not small.startswith("."))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, by name; one that cannot be read holds nothing for us."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
