"""Transcripts that are named on the command line, files and folders of them, saved one conversation after another.

Each is a unit of its own under its own key: whoever is stopped begins again, and what is saved is not saved again.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import chain
from pathlib import Path

from commonplace.book.book import Book
from commonplace.cli.session import CommandSession, UsageError
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.domain.validation import choice
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.sessions.distil import Distilled
from commonplace.sessions.learning import About
from commonplace.sessions.sessions import Progress, Saved
from commonplace.sessions.transcripts import (
    Conversation,
    Format,
    Turn,
    read_conversations,
    read_stream,
    transcripts_in,
)
from commonplace.workspace.project import locate, scope_of

STDIN = "-"
OPENING_CHARACTERS = 2_000
OWN_SCOPE = "user:default"


class Gathered(Record):
    """The files that were named or found, and whether they are to be told as one conversation or as several."""

    paths: tuple[str, ...]
    several: bool


class Outcome(Record):
    """What became of one conversation of a file: saved, or looked at; or why the rest of the file was refused.

    `skipped` counts the lines or messages of it that could not be read.
    """

    path: str
    scope: Scope | None = None
    saved: Saved | None = None
    distilled: Distilled | None = None
    error: CommonplaceError | None = None
    skipped: int = 0


Told = Callable[[Outcome], None]


def gathered(given: Namespace) -> Gathered:
    """Every transcript that is named, those of a folder in order of their paths, each once."""
    found: dict[str, None] = {}
    folders = 0
    for path in given.paths:
        if path != STDIN and os.path.isdir(path):
            folders += 1
            found |= dict.fromkeys(map(str, transcripts_in(Path(path))))
        else:
            found[path] = None
    several = folders > 0 or len(found) > 1
    if several and given.key is not None:
        raise UsageError("--key names one conversation: leave it out, each of several has a key of its own.")
    return Gathered(tuple(found), several)


def each_outcome(session: CommandSession, book: Book, given: Gathered, report: Progress) -> Iterator[Outcome]:
    """Save or look at one conversation after another. Of several files, one that is refused spoils no other."""
    for number, path in enumerate(given.paths, 1):
        progress: Progress = (lambda done, total: None) if given.several else report
        try:
            for conversation in _conversations(session.arguments, path):
                yield _outcome(session, book, path, conversation, progress)
        except CommonplaceError as error:
            if not given.several or not isinstance(error, InvalidInput):
                raise
            yield Outcome(path, error=error)
        if given.several:
            report(number, len(given.paths))


def _conversations(given: Namespace, path: str) -> Iterator[Conversation]:
    format = choice(Format, given.format, "format")
    if path != STDIN:
        return read_conversations(Path(path), format, given.surface)
    return iter((Conversation(read_stream(sys.stdin, "stdin", format, given.surface)),))


def _outcome(session: CommandSession, book: Book, path: str, conversation: Conversation, progress: Progress) -> Outcome:
    given = session.arguments
    turns = iter(conversation.turns)
    first = next(turns, None)
    said = turns if first is None else chain((first,), turns)
    if given.dry_run:
        return Outcome(path, distilled=book.sessions.preview(said, llm=book.llm), skipped=conversation.skipped)
    key = given.key or conversation.key or _key(path, first)
    scope, project = _place(session, book, conversation, key)
    saved = book.sessions.save(
        said,
        scope,
        surface=given.surface or conversation.host,
        key=key,
        about=About(conversation.project, project_id=project),
        llm=book.llm,
        progress=progress,
    )
    return Outcome(path, scope, saved, skipped=conversation.skipped)


def _key(path: str, first: Turn | None) -> str | None:
    """A key for a file that has none: its place and how it begins. What grows keeps it; another talk has another."""
    if path == STDIN or first is None:
        return None
    name = "\x00".join((os.path.realpath(path), first.role.value, first.text[:OPENING_CHARACTERS]))
    return f"file:{blake2b(name.encode('utf-8', 'replace'), digest_size=16).hexdigest()}"


def _place(
    session: CommandSession, book: Book, conversation: Conversation, key: str | None
) -> tuple[Scope, str | None]:
    """Where it goes and what it is about: the scope that is named or set, else one's own, and where it was held.

    One that was saved before, when it went to the project's scope, goes on there.
    """
    scope = session.write_scope(book)
    named = session.arguments.scope or session.configuration.settings.scope != OWN_SCOPE
    root = None if named or conversation.project is None else _root(Path(conversation.project))
    if root is None:
        return scope, None
    if key is not None and book.sessions.is_saved(scope_of(root), key):
        return scope_of(root), None
    return scope, book.projects.noted(root)


def _root(folder: Path) -> Path | None:
    """The project that a folder is in, if it is on this machine."""
    try:
        place = locate(folder) if folder.is_absolute() and folder.is_dir() else None
    except OSError:
        return None
    return place.root if place is not None and place.is_project else None
