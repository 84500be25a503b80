"""export: the book as a document, one line of JSON for each memory."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import TextIO

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_filters
from commonplace.cli.render import count
from commonplace.cli.session import NARROWING, CommandSession
from commonplace.domain.query import Filter
from commonplace.workspace.files import new_file

MARKDOWN = "markdown"
FORMATS = ("jsonl", MARKDOWN)


def _add_export(parser: ArgumentParser) -> None:
    parser.add_argument("--path", metavar="FILE", help="write to a file that only you can read, instead of stdout")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], help="jsonl to import again, markdown to read")
    add_filters(parser, past=False)


def _export(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        lines = _lines(session, book)
        if given.path is None:
            for line in lines:
                if given.format == MARKDOWN:
                    output.line(line)
                else:
                    output.written(f"{line}\n")
            return 0
        path = session.target(given.path)
        with new_file(path, given.force) as target:
            exported = _write(lines, target)
    if output.json:
        output.document({"path": str(path), "exported": exported})
    elif given.format == MARKDOWN:
        output.said(f"Wrote a page for people to {path}.")
    else:
        output.said(f"Exported {count(exported, 'memory', 'memories')} to {path}.")
    return 0


def _lines(session: CommandSession, book: Book) -> Iterable[str]:
    """Everything you may see; with a filter, the memories that it finds."""
    filter = _export_filter(session, book)
    if session.arguments.format == MARKDOWN:
        return book.transfer.page(filter)
    return book.transfer.export_all() if filter is None else book.transfer.export(filter)


def _export_filter(session: CommandSession, book: Book) -> Filter | None:
    """Everything you may see, in any state, unless an option narrows it down."""
    given = session.arguments
    if not given.scope and not any(getattr(given, name) for name in NARROWING):
        return None
    if given.format == MARKDOWN:  # what stands, unless somebody asks for more
        return session.filter(book, session.read_scopes(book))
    given.include_expired = True
    return session.filter(book, session.read_scopes(book), statuses=())


def _write(lines: Iterable[str], target: TextIO) -> int:
    """Write the lines; how many of them are memories."""
    memories = 0
    for line in lines:
        memories += line.startswith('{"memory":')
        target.write(line + "\n")
    return memories


ACTIONS = {
    "export": Action(
        description="Write the book as JSON Lines: a header, a line for each memory, for each relation, and for each\n"
        "thing beside them: decisions, conversations, documents, evidence, corrections, teams. Without filters that\n"
        "is everything you may see, in any state. With one, it is the memories that the filter finds in your own\n"
        "scope and the current project's, or in the scopes named. --format markdown writes a page for people.",
        examples=(
            "export --path memories.jsonl",
            "export --tag work --status active > work.jsonl",
            "export --format markdown --path memories.md",
        ),
        add_arguments=_add_export,
        run=_export,
    ),
}
