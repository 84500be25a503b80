"""import: what other tools remembered, and documents that export wrote."""

import io
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.progress import progress
from commonplace.cli.render import count, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.transcripts import STDIN, Gathered, Outcome, each_outcome
from commonplace.decisions.decision import Decision
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.domain.validation import choice
from commonplace.errors import InvalidInput, ModelError
from commonplace.imports import Format, LeftOut, Plan, look_through
from commonplace.imports.taking import Outlook, Taken
from commonplace.maintenance.transfer import LINE_LIMIT, Imported
from commonplace.workspace.bounded_files import bounded_lines, open_plain

PROBLEMS_SHOWN = 20
FIRST_SHOWN = 5
TEXT_SHOWN = 100
_FORMATS = ", ".join(format.value for format in Format)


def _add_import(parser: ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a file or a folder; - reads what export wrote")
    parser.add_argument("--format", metavar="FORMAT", help=f"the format, where it is not recognised: {_FORMATS}")
    parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--trust", action="store_true", help="believe it, as you vouch for it: nothing waits for you")


def _import(session: CommandSession) -> int:
    given = session.arguments
    if STDIN in given.paths:
        return _import_own(session, given.paths)
    format = None if given.format is None else choice(Format, given.format, "format")
    with progress("reading", session.output) as report:
        named = [Path(path).expanduser() for path in given.paths]
        plan = look_through(named, format, lambda done: report(done, None))
    own = plan.paths(Format.COMMONPLACE)
    if own and len(own) < len(plan.sources):
        raise UsageError("Import what export wrote and what other tools wrote one after the other.")
    return _import_own(session, list(map(str, own))) if own else _bring(session, plan)


# -- what other tools wrote -------------------------------------------------------------------


class Done(Record):
    """What an import came to, or would come to."""

    plan: Plan
    seen: Outlook | Taken
    outcomes: tuple[Outcome, ...] = ()
    embedded: int = 0

    @property
    def learnt(self) -> int:
        """How many memories the conversations came to."""
        return sum(len(each.saved.learnt) for each in self.outcomes if each.saved is not None)

    @property
    def conversations(self) -> int:
        """How many conversations are in the files."""
        return sum(source.talks.conversations for source in self.plan.sources)


def _bring(session: CommandSession, plan: Plan) -> int:
    given, output = session.arguments, session.output
    with session.book(create=True) as book:
        scope = session.write_scope(book)
        outlook = book.imports.look(plan, scope, trust=given.trust)
        seen = Done(plan, outlook)
        if not output.json and not output.quiet:
            _preview(seen, output)
        if given.dry_run or not (outlook.memories or outlook.decisions or seen.conversations):
            return _tell_json(session, seen, dry_run=given.dry_run) if output.json else 0
        if not session.confirmed(f"Take {_counted(seen)} into {book.principal.show(scope)}?"):
            output.note("Nothing was imported.")
            return 0
        done = _taken(session, book, plan, scope)
    if output.json:
        return _tell_json(session, done, dry_run=False)
    _tell_taken(session, done)
    return 0


def _taken(session: CommandSession, book: Book, plan: Plan, scope: Scope) -> Done:
    """Everything under one undo: memories and decisions in one transaction, then conversation after conversation."""
    given, output = session.arguments, session.output
    talks = tuple(map(str, plan.paths(Format.CONVERSATIONS)))
    with book.undo.together():
        with progress("importing", output) as report:
            taken = book.imports.take(plan, scope, trust=given.trust, progress=report)
        given.format, given.key, given.surface = "auto", None, None
        with progress("conversations", output, long=bool(talks)) as report:
            outcomes = tuple(each_outcome(session, book, Gathered(talks, len(talks) > 1), report))
    return Done(plan, taken, outcomes, _embed(book, session))


def _counted(done: Done) -> str:
    seen = done.seen
    parts = [
        count(len(seen.memories), "memory", "memories") if seen.memories else "",
        count(len(seen.decisions), "decision", "decisions") if seen.decisions else "",
        count(done.conversations, "conversation", "conversations") if done.conversations else "",
    ]
    named = [part for part in parts if part]
    return " and ".join((", ".join(named[:-1]), named[-1]) if len(named) > 1 else named) or "nothing"


def _preview(done: Done, output: Output) -> None:
    """What is in the files: their formats, the first of what is new, and what is left out and why."""
    plan, seen = done.plan, done.seen
    formats = Counter(source.format.value for source in plan.sources)
    told = ", ".join(f"{format} ({count(number, 'file', 'files')})" for format, number in formats.items())
    output.line(f"Found: {told or 'nothing that can be read'}.")
    output.line(f"New: {_counted(done)}; {seen.known:,} known already, {len(seen.left_out):,} left out.")
    for memory in seen.memories[:FIRST_SHOWN]:
        output.line(f"  {_first_line(memory, output)}")
    for decision in seen.decisions[:FIRST_SHOWN]:
        title = decision.title if isinstance(decision, Decision) else decision.proposal.title
        output.line(f"  decision: {one_line(title, TEXT_SHOWN)}")
    more = max(0, len(seen.memories) - FIRST_SHOWN) + max(0, len(seen.decisions) - FIRST_SHOWN)
    if more:
        output.line(output.style(f"  and {more:,} more", "dim"))
    _tell_left_out(seen.left_out, output)


def _first_line(memory: Memory, output: Output) -> str:
    place = output.style(f"  {one_line(memory.provenance.source or '', 60)}", "dim")
    return f"{memory.kind.value}: {one_line(memory.text, TEXT_SHOWN)}{place}"


def _tell_left_out(left_out: tuple[LeftOut, ...], output: Output) -> None:
    for each in left_out[:PROBLEMS_SHOWN]:
        output.warn(f"left out {each.place}: {each.reason}.")
    if len(left_out) > PROBLEMS_SHOWN:
        output.warn(f"{len(left_out) - PROBLEMS_SHOWN:,} more are left out: --json lists them all.")


def _tell_taken(session: CommandSession, done: Done) -> None:
    output = session.output
    learnt = f", {count(done.learnt, 'thing', 'things')} learnt from them" if done.conversations else ""
    output.said(f"{output.style('imported', 'green')} {_counted(done)}{learnt}")
    for outcome in done.outcomes:
        if outcome.error is not None:
            output.warn(f"{outcome.path}: {outcome.error.message}")
    output.note("'commonplace undo' takes all of it back.")
    if done.seen.memories and not session.arguments.trust:
        output.note("What came in waits for your confirmation before hosts inject it: 'commonplace review' shows it.")


def _tell_json(session: CommandSession, done: Done, dry_run: bool) -> int:
    seen = done.seen
    session.output.document(
        {
            "formats": dict(Counter(source.format.value for source in done.plan.sources)),
            "imported": len(seen.memories),
            "decisions": len(seen.decisions),
            "conversations": done.conversations,
            "learnt": done.learnt,
            "known": seen.known,
            "left_out": [{"file": each.file, "line": each.line, "reason": each.reason} for each in seen.left_out],
            "memories": [
                {"text": each.text, "kind": each.kind.value, "source": each.provenance.source} for each in seen.memories
            ],
            "embedded": done.embedded,
            "dry_run": dry_run,
        }
    )
    return 0


# -- what export wrote ------------------------------------------------------------------------


def _import_own(session: CommandSession, paths: list[str]) -> int:
    """One document after another, each as it stands: what it says of itself is believed with --trust only."""
    if len(paths) > 1:
        raise UsageError("Import a document that export wrote on its own: name one.")
    given, output = session.arguments, session.output
    with session.book(create=True) as book:
        with _lines(paths[0]) as lines, progress("importing", output) as report:
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
                "beside": dict(done.beside),
                "left_beside": dict(done.left_beside),
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
    if done.beside:
        output.said(f"Beside them: {_shelves(done.beside)}.")
    if done.left_beside:
        known = "" if session.arguments.trust else " (--trust takes in what a person can vouch for)"
        output.note(f"Left out, or known already: {_shelves(done.left_beside)}{known}.")
    if done.claims:
        fields = ", ".join(f"{name} {number:,}" for name, number in done.claims.items())
        output.note(
            f"{sum(done.claims.values()):,} claims of the file were not believed; --trust believes them: {fields}."
        )
    if done.imported and not done.dry_run and not session.arguments.trust:
        output.note("What came in waits for your confirmation before hosts inject it; --trust skips that.")


def _shelves(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{shelf.replace('_', ' ')} {number:,}" for shelf, number in counts.items())


def _dropped(done: Imported) -> str:
    number = count(done.dropped_relations, "relation", "relations")
    return f"{number} {'would be' if done.dry_run else 'was' if done.dropped_relations == 1 else 'were'} dropped"


ACTIONS = {
    "import": Action(
        description="Bring in what other tools remembered: CLAUDE.md, AGENTS.md, GEMINI.md and Cursor's rules, the\n"
        "memory folders of hosts, exports of ChatGPT and Claude.ai, MCP's server-memory, mem0, basic-memory,\n"
        "Markdown notes, decision records, and documents that export wrote. The format is told by the file.\n"
        "You see first what would come in, then you are asked; without a terminal, --yes has to be there. Our own\n"
        "documents are taken without asking. Importing again brings only what is new; secrets are left out.",
        examples=(
            "import CLAUDE.md --dry-run",
            "import ~/.claude/projects/-home-ada-api/memory",
            "import chatgpt-export.zip --yes",
            "import docs/adr --scope project:auto",
            "import memories.jsonl --trust",
            "import - < memories.jsonl",
        ),
        add_arguments=_add_import,
        run=_import,
    ),
}
