"""The transcripts in a folder: every file once, in a lasting order, and nothing that a link leads to."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from commonplace import deadline
from commonplace.errors import InvalidInput
from commonplace.sessions.transcripts.plain import names_speakers
from commonplace.workspace.bounded_files import open_plain

SUFFIXES = (".jsonl", ".json", ".jsonl.zst", ".zip", ".db")
TALK = ".messages.json"
TEXTS = (".txt", ".md")
BEGINNING_BYTES = 65_536
DEPTH_LIMIT = 32
_NOT_SPOKEN = frozenset({"subagents", "tool-results", "memory", "node_modules", ".git"})
"""Folders beside transcripts: errands of agents, what tools answered, what a host remembers itself."""


def transcripts_in(folder: Path) -> Iterator[Path]:
    """The files that may be transcripts, in order of their paths, also in the folders within.

    Links, pipes and devices are passed over, and so is a second name of the same file. Files are found as they are
    asked for; whether one is a transcript is seen when it is read.
    """
    try:
        top = os.stat(folder)
    except OSError as error:
        raise InvalidInput(f"{folder} cannot be read ({error.strerror or error}): name a folder.", "path") from None
    if not stat.S_ISDIR(top.st_mode):
        raise InvalidInput(f"{folder} is not a folder: name one, or a file by itself.", "path")
    yield from _within(folder, set(), DEPTH_LIMIT)


def _within(folder: Path, seen: set[tuple[int, int]], depth: int) -> Iterator[Path]:
    entries = _entries(folder)
    talks = {entry.name.removesuffix(TALK) for entry in entries if entry.name.endswith(TALK)}
    for entry in entries:
        deadline.check()
        if entry.name.endswith(".json") and entry.name.removesuffix(".json") in talks:
            continue  # what is known about the conversation beside it
        if entry.is_dir(follow_symlinks=False):
            if depth and entry.name not in _NOT_SPOKEN:
                yield from _within(Path(entry.path), seen, depth - 1)
        elif entry.is_file(follow_symlinks=False) and _may_be_one(entry):
            status = entry.stat(follow_symlinks=False)
            if (status.st_dev, status.st_ino) not in seen:
                if status.st_nlink > 1:
                    seen.add((status.st_dev, status.st_ino))
                yield Path(entry.path)


def _may_be_one(entry: os.DirEntry[str]) -> bool:
    """By its name; a text that nobody named has to begin as a conversation, since any page of notes is a text."""
    name = entry.name.lower()
    if not name.endswith(TEXTS):
        return name.endswith(SUFFIXES)
    try:
        with open_plain(Path(entry.path)) as file:
            begun = file.read(BEGINNING_BYTES).decode("utf-8-sig", "replace")
    except (OSError, InvalidInput):
        return False
    return names_speakers(begun.split("\n"))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, by name; one that cannot be read holds nothing for us."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []
