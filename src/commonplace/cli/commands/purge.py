"""purge: gone for good, with a receipt."""

from argparse import ArgumentParser

from commonplace.book.edits import Receipt
from commonplace.cli.commands import Action
from commonplace.cli.render import count, excerpt
from commonplace.cli.session import CommandSession
from commonplace.text import show_time

EXIT_DECLINED = 1


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", nargs="+", help="numbers or ids (mem_…)")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def _run(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    with session.book() as book:
        memories = list({memory.id: memory for memory in map(book.get, given.id)}.values())
        question = f"Purge {count(len(memories), 'memory', 'memories')} for good? This cannot be undone."
        if not session.confirmed(question, *(f"{memory.number}: {excerpt(memory)}" for memory in memories)):
            output.fail("Nothing was purged.")
            return EXIT_DECLINED
        receipt = book.purge(*memories)
        _tell(session, receipt)
    return 0


def _tell(session: CommandSession, receipt: Receipt) -> None:
    output, erasure = session.output, receipt.erasure
    if output.json:
        output.document(
            {
                "purged": list(receipt.ids),
                "purged_at": show_time(receipt.purged_at),
                "complete": erasure.complete,
                "detail": erasure.detail,
            }
        )
        return
    for id in receipt.ids:
        output.line(f"{output.style('purged', 'green')} {id}")
    state = output.style("complete", "green") if erasure.complete else output.style("pending", "yellow")
    output.line(f"erasure {state}: {erasure.detail} ({show_time(receipt.purged_at)})")
    if not erasure.complete:
        output.note("The rest is cleared by the last program that closes the book, or by the next purge.")
    output.note("Back-ups and exports made before still hold it.")


ACTIONS = {
    "purge": Action(
        description="Remove memories for good: no byte of them stays in the book's files. Prints a receipt.\n"
        "Asks first on a terminal; anywhere else --yes is needed.",
        examples=("purge 12", "purge 12 15 --yes"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
