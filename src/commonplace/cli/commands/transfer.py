"""export and import: the book as a document, one line of JSON for each memory."""

import io
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.parser import add_filters
from commonplace.cli.progress import progress
from commonplace.cli.render import count
from commonplace.cli.session import NARROWING, CommandSession
from commonplace.domain.query import Filter
from commonplace.errors import InvalidInput, ModelError
from commonplace.maintenance.transfer import LINE_LIMIT, Imported
from commonplace.workspace.bounded_files import bounded_lines, open_plain
from commonplace.workspace.files import new_file

PROBLEMS_SHOWN = 20


def _add_export(parser: ArgumentParser) -> None:
    parser.add_argument("--path", metavar="FILE", help="write to a file instead of stdout, for your eyes only")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    add_filters(parser, past=False)


def _export(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        lines = book.transfer.export(_export_filter(session, book))
        if given.path is None:
            for line in lines:
                output.written(f"{line}\n")
            return 0
        path = session.target(given.path)
        with new_file(path, given.force) as target:
            exported = _write(lines, target)
    if output.json:
        output.document({"path": str(path), "exported": exported})
    else:
        output.said(f"Exported {count(exported, 'memory', 'memories')} to {path}.")
    return 0


def _export_filter(session: CommandSession, book: Book) -> Filter | None:
    """Everything you may see, in any state, unless an option narrows it down."""
    given = session.arguments
    if not given.scope and not any(getattr(given, name) for name in NARROWING):
        return None
    given.include_expired = True
    return session.filter(session.read_scopes(book), statuses=())


def _write(lines: Iterable[str], target: TextIO) -> int:
    """Write the lines; how many of them are memories."""
    memories = 0
    for line in lines:
        memories += line.startswith('{"memory":')
        target.write(line + "\n")
    return memories


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document that export wrote; - reads stdin")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")
    parser.add_argument("--trust", action="store_true", help="you vouch for it: believe what it says of itself")


def _import(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book(create=True) as book:
        with _lines(given.file) as lines, progress("importing", output) as report:
            done = book.transfer.import_(
                lines, trust=given.trust, dry_run=given.dry_run, progress=lambda number: report(number, None)
            )
        embedded = 0 if given.dry_run or not done.imported else _embed(book, session)
    _tell(session, done, embedded)
    return 1 if done.problems else 0


@contextmanager
def _lines(file: str) -> Iterator[Iterable[str]]:
    name = "stdin" if file == "-" else file
    try:
        if file == "-":
            yield bounded_lines(sys.stdin, LINE_LIMIT)
        else:
            with io.TextIOWrapper(open_plain(Path(file).expanduser()), encoding="utf-8") as source:
                yield bounded_lines(source, LINE_LIMIT)
    except UnicodeDecodeError:
        raise InvalidInput(f"{name} is not valid UTF-8: it is not what export wrote; nothing was imported.") from None


def _embed(book: Book, session: CommandSession) -> int:
    """Vectors for what came in; a model that fails costs the vectors only."""
    if book.embedder is None:
        return 0
    try:
        with progress("embedding", session.output) as report:
            return book.care.reembed(report)
    except ModelError as error:
        session.output.warn(f"Imported, but without vectors; run 'commonplace reembed' later: {error.message}")
        return 0


def _tell(session: CommandSession, done: Imported, embedded: int) -> None:
    output = session.output
    if output.json:
        problems = [{"line": problem.line, "message": problem.message} for problem in done.problems]
        output.document(
            {
                "imported": done.imported,
                "skipped": done.skipped,
                "problems": problems,
                "dry_run": done.dry_run,
                "embedded": embedded,
                "claims": dict(done.claims),
                "relations": done.relations,
                "dropped_relations": done.dropped_relations,
            }
        )
    else:
        would = "Would import" if done.dry_run else "Imported"
        output.said(f"{would} {count(done.imported, 'memory', 'memories')}, {done.skipped:,} known or purged already.")
    for problem in done.problems[:PROBLEMS_SHOWN]:
        output.warn(f"line {problem.line}: {problem.message}")
    if len(done.problems) > PROBLEMS_SHOWN:
        output.warn(f"{len(done.problems) - PROBLEMS_SHOWN:,} more lines have problems: --json lists them all.")
    if done.dropped_relations:
        output.warn(f"{_dropped(done)}: they are to memories that did not come in with this file.")
    if done.claims:
        fields = ", ".join(f"{name} {number:,}" for name, number in done.claims.items())
        output.note(f"{sum(done.claims.values()):,} claims of the file were not believed; --trust does: {fields}.")
    if done.imported and not done.dry_run and not session.arguments.trust:
        output.note("What came in waits for your confirmation before hosts inject it; --trust skips that.")


def _dropped(done: Imported) -> str:
    number = count(done.dropped_relations, "relation", "relations")
    return f"{number} {'would be' if done.dry_run else 'was' if done.dropped_relations == 1 else 'were'} dropped"


ACTIONS = {
    "export": Action(
        description="Write memories as JSON Lines: a header, a line for each memory, a line for each relation.\n"
        "Without filters that is everything you may see, in any state. With one, it is what the filter finds\n"
        "in your own scope and the current project's, or in the scopes named.",
        examples=("export --path memories.jsonl", "export --tag work --status active > work.jsonl"),
        add_arguments=_add_export,
        run=_export,
    ),
    "import": Action(
        description="Read a document that export wrote. What the book knows already, or has purged, is skipped.\n"
        "Secrets are refused, line by line.",
        examples=("import memories.jsonl --dry-run", "import memories.jsonl --trust", "import - < memories.jsonl"),
        add_arguments=_add_import,
        run=_import,
    ),
}
