"""correct and corrections: what was wrong, kept until a dream makes a rule of it."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.parser import add_subcommands
from commonplace.cli.render import age, excerpt, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.short import short_ids
from commonplace.cli.tables import print_table
from commonplace.domain.corrections import SHELF, Correction, Severity
from commonplace.domain.scope import Principal, Scope
from commonplace.domain.validation import choice
from commonplace.dream.corrections import Logged
from commonplace.text import show_time, visible

_SEVERITIES = ", ".join(severity.value for severity in Severity)


def _add_correct(parser: ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what is right, or what was wrong")
    parser.add_argument("--memory", metavar="ID", action="append", default=[], help="a memory it corrects; several may")
    parser.add_argument("--severity", metavar="LEVEL", default="med", help=f"{_SEVERITIES} (default med)")
    parser.add_argument("--rule", metavar="TEXT", help="what to go by from now on, if it can be said better")


def _correct(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book(create=True) as book:
        logged = book.corrections.log(
            given.text,
            scope=session.write_scope(book),
            severity=choice(Severity, given.severity, "severity"),
            suggested_rule=given.rule,
            memories=given.memory,
        )
        principal, short = book.principal, short_ids(book, SHELF)
    if output.json:
        proposed = [hit.memory.id for hit in logged.proposed]
        output.document(
            {
                "correction": correction_json(logged.correction, principal),
                "proposed": proposed,
                "put_away": [memory.id for memory in logged.put_away],
                "left": [memory.id for memory in logged.left],
            }
        )
    else:
        output.said(
            f"{output.style('logged', 'green')} {short[logged.correction.id]}: the next dream makes a rule of it"
        )
        _propose(session, logged)
    return 0


def _propose(session: CommandSession, logged: Logged) -> None:
    for memory in logged.put_away:
        session.output.said(f"  not recalled any more: {memory.number}: {excerpt(memory)}")
    for memory in logged.left:
        session.output.note(f"{memory.number} is trusted more and stays until a person decides: {excerpt(memory)}")
    for hit in logged.proposed:
        session.output.note(f"It may be about {hit.memory.number}: {excerpt(hit.memory)} (say so with --memory)")


def _add_corrections(parser: ArgumentParser) -> None:
    made = add_subcommands(parser, {"list": "the newest first"})
    made["list"].add_argument("--limit", metavar="N", type=int, default=50, help="how many at most (default 50)")
    made["list"].add_argument("--pending", action="store_true", help="only what no dream has seen to yet")


def _corrections(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        scopes: list[Scope | None] = [book.scope(selector) for selector in given.scope]
        found = [
            each
            for scope in scopes or [None]
            for each in book.corrections.list(limit=given.limit, scope=scope, include_distilled=not given.pending)
        ]
        principal, now, short = book.principal, book.now(), short_ids(book, SHELF)
    if output.json:
        output.listing("corrections", [correction_json(each, principal) for each in found], limit=given.limit)
    elif found:
        rows = [
            (short[each.id], each.severity.value, each.status.value, age(each.created_at, now), one_line(each.content))
            for each in found
        ]
        print_table(("id", "severity", "status", "logged", "correction"), rows, output)
    else:
        output.note(visible("There are no corrections: 'commonplace correct TEXT' logs one."))
    return 0


def correction_json(correction: Correction, principal: Principal) -> dict[str, object]:
    """Every field but its origin, the scope in the person's own words and the time as text."""
    return {
        "id": correction.id,
        "content": correction.content,
        "scope": principal.show(correction.scope),
        "severity": correction.severity.value,
        "suggested_rule": correction.suggested_rule,
        "status": correction.status.value,
        "corrects": list(correction.corrects),
        "results": list(correction.results),
        "created_at": show_time(correction.created_at),
    }


ACTIONS = {
    "correct": Action(
        description=(
            "Say what was wrong. The next dream makes a rule of it, in your words; a memory you name is not recalled "
            "any more."
        ),
        examples=(
            'correct "No, deploys are on Monday" --memory 12',
            'correct "You pushed to main again" --severity high --rule "Never push to main"',
        ),
        add_arguments=_add_correct,
        run=_correct,
    ),
    "corrections": Action(
        description="What was said to be wrong, and what came of it.",
        examples=("corrections list", "corrections list --pending --json"),
        add_arguments=_add_corrections,
        run=_corrections,
    ),
}
