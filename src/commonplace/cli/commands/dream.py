"""dream: tidy the book up, look at what a dream would do, and take one back."""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence

from commonplace.book.book import Book
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.parser import add_subcommands
from commonplace.cli.progress import progress
from commonplace.cli.render import age, count, excerpt, one_line
from commonplace.cli.session import CommandSession, UsageError
from commonplace.cli.short import numbered, short_ids, whole_id
from commonplace.cli.tables import print_table
from commonplace.domain.memory import RelationKind
from commonplace.dream import Insight, Limits, Plan, Run, RunStatus
from commonplace.dream.edits import AddInsight, AddRelation, Archive, Edit, Supersede, describe, edit_json
from commonplace.dream.runs import RUNS, count_edits, edits_in, run_json, shown_run
from commonplace.errors import NotFound
from commonplace.text import show_time, visible

EXIT_NOT_DONE = 1
_DEEDS = ("plan", "apply", "if_due")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--plan", "--dry-run", action="store_true", help="print what a dream would do, change nothing")
    parser.add_argument("--apply", action="store_true", help="dream now")
    parser.add_argument("--if-due", action="store_true", help="dream if it is time for it: for cron")
    made = add_subcommands(
        parser,
        {"undo": "take a dream back", "history": "dreams, the newest first", "insights": "what dreams noticed"},
        required=False,
    )
    made["undo"].add_argument("run", metavar="RUN", help="the id of a dream, the beginning of it, or last")
    made["undo"].add_argument(
        "--force", action="store_true", help="leave what was changed since as it is, undo the rest"
    )
    for name in ("history", "insights"):
        made[name].add_argument("--limit", metavar="N", type=int, default=30, help="how many at most (default 30)")


def _run(session: CommandSession) -> int:
    given = session.arguments
    asked = [name for name in _DEEDS if getattr(given, name)]
    if (given.action is None) == (not asked) or len(asked) > 1:
        raise UsageError("Say one of --plan, --apply, --if-due, undo RUN, history and insights.")
    with session.book() as book:
        match given.action or asked[0]:
            case "plan":
                return _plan(session, book)
            case "apply":
                return _apply(session, book)
            case "if_due":
                return _if_due(session, book)
            case "undo":
                return _undo(session, book)
            case "history":
                return _history(session, book)
            case _:
                return _insights(session, book)


def _plan(session: CommandSession, book: Book) -> int:
    output = session.output
    with progress("dreaming", output) as report:
        plan = book.dreams.plan(Limits.of(session.configuration.settings), llm=book.llm, progress=report)
    if output.json:
        output.document(_plan_json(plan))
        return 0
    for line in _lines(plan.edits, book):
        output.line(line)
    waiting = f"; {count(plan.waiting, 'edit waits', 'edits wait')} for another night" if plan.waiting else ""
    output.note(f"{_counted(plan.edits)}{waiting}. Nothing was changed: --apply does it.")
    return 0


def _counted(edits: Sequence[Edit]) -> str:
    """How many edits and notes, as a plan and its run say it alike."""
    touching = count_edits(edits)
    notes = len(edits) - touching
    return count(touching, "edit", "edits") + (f" and {count(notes, 'note', 'notes')}" if notes else "")


def _lines(edits: Sequence[Edit], book: Book) -> Iterator[str]:
    """Each edit as a line with numbers and texts in the place of ids; what a note tells as well is told once."""
    noted = {frozenset(edit.sources) for edit in edits if isinstance(edit, AddInsight) and edit.kind == "conflict"}
    for edit in edits:
        ends = frozenset((edit.source, edit.target)) if isinstance(edit, AddRelation) else None
        if ends in noted and isinstance(edit, AddRelation) and edit.kind is RelationKind.CONFLICTS_WITH:
            continue
        scope = edit.scope if isinstance(edit, AddInsight) else None
        said = describe(edit) if scope is None else describe(edit).replace(str(scope), book.principal.show(scope), 1)
        yield numbered(one_line(said), book) + _text_of(edit, book)


def _text_of(edit: Edit, book: Book) -> str:
    """What a memory says that is to give way or to be put away."""
    if not isinstance(edit, Supersede | Archive):
        return ""
    try:
        return f": {excerpt(book.get(edit.id))}"
    except NotFound:
        return ""


def _apply(session: CommandSession, book: Book) -> int:
    with progress("dreaming", session.output) as report:
        run = book.dreams.run(Limits.of(session.configuration.settings), llm=book.llm, progress=report)
    _tell(session.output, run, book)
    return 0 if run.status is RunStatus.APPLIED else EXIT_NOT_DONE


def _if_due(session: CommandSession, book: Book) -> int:
    due = book.dreams.due(session.configuration.settings)
    if due.now:
        return _apply(session, book)
    if session.output.json:
        session.output.document({"due": False, "because": due.because})
    else:
        session.output.note(f"Not now: {due.because}.")
    return 0


def _undo(session: CommandSession, book: Book) -> int:
    undone = book.dreams.undo(whole_id(book, RUNS, session.arguments.run), force=session.arguments.force)
    output = session.output
    if output.json:
        output.document({"run": run_json(undone.run), "left": list(undone.left)})
        return 0
    short = short_ids(book, RUNS)[undone.run.id]
    output.said(f"{output.style('undone', 'green')} {short}: {count(edits_in(undone.run), 'edit', 'edits')}")
    for id in undone.left:
        output.note(f"{numbered(id, book)} was changed since and is left as it is.")
    return 0


def _history(session: CommandSession, book: Book) -> int:
    runs, now, output = book.dreams.list_runs(session.arguments.limit), book.now(), session.output
    if output.json:
        output.listing("runs", [shown_run(run) for run in runs], limit=session.arguments.limit)
    elif runs:
        short = short_ids(book, RUNS)
        rows = [
            (
                short[run.id],
                run.status.value,
                age(run.started_at, now),
                f"{edits_in(run):,}",
                f"{len(run.skipped):,}",
                "; ".join(map(visible, (*run.errors, *run.notes))),
            )
            for run in runs
        ]
        print_table(("id", "status", "begun", "edits", "skipped", "notes"), rows, output)
    else:
        output.note("The book has not dreamt yet: 'commonplace dream --plan' shows what it would do.")
    return 0


def _insights(session: CommandSession, book: Book) -> int:
    found, output = book.dreams.list_insights(session.arguments.limit), session.output
    if output.json:
        output.listing("insights", [_insight_json(each, book) for each in found], limit=session.arguments.limit)
        return 0
    for each in found:
        output.line(output.style(f"{each.date} {each.kind}, {book.principal.show(each.scope)}", "bold"))
        for sentence in each.sentences:
            sources = numbered(", ".join(sentence.sources), book)
            output.line(f"  {one_line(sentence.text)} {output.style(f'[{sources}]', 'dim')}")
    if not found:
        output.note("No dream has noticed anything yet.")
    return 0


def _tell(output: Output, run: Run, book: Book) -> None:
    if output.json:
        output.document(shown_run(run))
        return
    if run.status is not RunStatus.APPLIED:
        output.warn(f"The dream was {run.status.value}: {'; '.join(run.errors) or 'the book was in use'}.")
        return
    short = short_ids(book, RUNS).get(run.id, run.id)
    output.said(f"{output.style('dreamt', 'green')} {short}: {_counted([each.edit for each in run.done])}")
    for line in _lines([each.edit for each in run.done], book):
        output.said(f"  {line}")
    for skipped in run.skipped:
        output.note(f"Skipped, {skipped.because}: {numbered(one_line(describe(skipped.edit)), book)}")
    for note in run.notes:
        output.note(note)
    if run.done:
        output.note(f"'commonplace dream undo {short}' takes it back.")


def _plan_json(plan: Plan) -> dict[str, object]:
    stages = [{"stage": each.stage, "proposed": each.proposed, "elapsed_ms": each.elapsed_ms} for each in plan.stages]
    return {
        "started_at": show_time(plan.started_at),
        "edits": [edit_json(edit) for edit in plan.edits],
        "waiting": plan.waiting,
        "stages": stages,
        "notes": list(plan.notes),
    }


def _insight_json(insight: Insight, book: Book) -> dict[str, object]:
    return {
        "id": insight.id,
        "kind": insight.kind,
        "scope": book.principal.show(insight.scope),
        "date": insight.date,
        "content": insight.text,
        "created_at": show_time(insight.created_at),
        "run": insight.run,
        "sentences": [{"text": each.text, "sources": list(each.sources)} for each in insight.sentences],
    }


ACTIONS = {
    "dream": Action(
        description="Tidy the book up: repeats give way to the best, corrections become rules, what nobody uses is\n"
        "archived, contradictions are pointed out. Nothing is deleted, and 'dream undo' takes a dream back.",
        examples=("dream --plan", "dream --apply", "dream history", "dream undo last"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
