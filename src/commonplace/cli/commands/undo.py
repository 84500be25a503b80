"""undo: take back what was changed."""

from argparse import ArgumentParser

from commonplace.book.book import Book
from commonplace.book.display_json import memory_json
from commonplace.book.undo import TakenBack, operation_json
from commonplace.cli.commands import Action
from commonplace.cli.render import count, excerpt
from commonplace.cli.session import CommandSession
from commonplace.cli.short import MARKS, numbered, short_ids, whole_id
from commonplace.cli.tables import print_table
from commonplace.dream import RunStatus
from commonplace.dream.runs import RUNS, run_json
from commonplace.engine.operations import UNDONE, Operation
from commonplace.text import show_time

LAST = "last"


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="?", help="what to undo, as the list shows it (default: last)")
    parser.add_argument("--list", action="store_true", help="show what can be undone, and change nothing")
    parser.add_argument("--limit", metavar="N", type=int, default=20, help="how many to list (default 20)")
    parser.add_argument("--force", action="store_true", help="leave alone what was changed since, and undo the rest")


def _run(session: CommandSession) -> int:
    given = session.arguments
    if given.list:
        return _list(session)
    if given.id is not None and given.id.startswith(MARKS[RUNS]):
        return _undo_dream(session, given.id)
    with session.book() as book:
        taken = book.undo.take_back(None if given.id == LAST else given.id, force=given.force)
        if session.output.json:
            session.output.document(
                {
                    **operation_json(taken.operation),
                    "restored": [memory_json(memory, book.principal) for memory in taken.restored],
                    "removed": [memory_json(memory, book.principal) for memory in taken.removed],
                    "left": list(taken.left),
                }
            )
            return 0
        _tell(session, book, taken)
    return 0


def _undo_dream(session: CommandSession, named: str) -> int:
    with session.book() as book:
        undone = book.dreams.undo(whole_id(book, RUNS, named), force=session.arguments.force)
        if session.output.json:
            session.output.document({"run": run_json(undone.run), "left": list(undone.left)})
        else:
            session.output.said(f"Undone: {short_ids(book, RUNS)[undone.run.id]}.")
    return 0


def _list(session: CommandSession) -> int:
    with session.book() as book:
        operations = book.undo.list(session.arguments.limit)
        short = short_ids(book, RUNS)
        dreams = [run for run in book.dreams.list_runs() if run.status in (RunStatus.APPLIED, RunStatus.UNDONE)]
    if session.output.json:
        dreamt = [{"id": run.id, "at": show_time(run.started_at), "state": run.status.value} for run in dreams]
        listed = [operation_json(each) for each in operations]
        session.output.listing("operations", listed, limit=session.arguments.limit, dreams=dreamt)
        return 0
    rows = [(each.at, _number(each), _said(each), each.actor, _state(each.state == UNDONE)) for each in operations]
    rows += [
        (run.started_at, short[run.id], "dream", "dream", _state(run.status is RunStatus.UNDONE)) for run in dreams
    ]
    if not rows:
        session.output.note("There is nothing to undo.")
        return 0
    newest = sorted(rows, reverse=True)
    shown = [(id, show_time(at)[:16].replace("T", " "), what, by, state) for at, id, what, by, state in newest]
    print_table(("id", "when", "what", "by", ""), shown, session.output)
    return 0


def _tell(session: CommandSession, book: Book, taken: TakenBack) -> None:
    output = session.output
    output.said(f"Undone: {_said(taken.operation)}.")
    for memory in taken.restored:
        output.line(f"  {memory.number} is back: {excerpt(memory)}")
    for memory in taken.removed:
        output.line(f"  {memory.number} is gone: {excerpt(memory)}")
    for id in taken.left:
        output.warn(f"{numbered(id, book)} was changed since and is left as it is.")


def _said(operation: Operation) -> str:
    """What an operation did, in words: the events of it, counted."""
    names = {name.replace("_", " ").replace(".", " "): number for name, number in operation.did.items()}
    if not names:
        return count(len(operation.memories) + len(operation.entries), "change", "changes")
    return ", ".join(name if number == 1 else f"{number} x {name}" for name, number in names.items())


def _number(operation: Operation) -> str:
    return str(int(operation.id.removeprefix("opn_")))


def _state(undone: bool) -> str:
    return "undone" if undone else ""


ACTIONS = {
    "undo": Action(
        description="Take back the last change, or one from the list: what was remembered, updated, superseded,\n"
        "forgotten, imported, learnt from a session or dreamt. A purge cannot be undone.",
        examples=("undo", "undo --list", "undo 12", "undo 12 --force"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
