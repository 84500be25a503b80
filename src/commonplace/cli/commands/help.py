"""help: the pages of commands, and how to use one of them."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.parser import contracts_overview, find_command, help_on, overview, whole_overview
from commonplace.cli.session import CommandSession

CONTRACTS_PAGE = "contracts"


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="COMMAND", nargs="?", help=f"a command, or '{CONTRACTS_PAGE}'")
    parser.add_argument("--all", action="store_true", help="every command, and the options that all of them take")


def _run(session: CommandSession) -> int:
    given, output = session.arguments, session.output
    page = _page(given.name, given.all)
    if output.json:
        output.document({"help": page})
    else:
        output.line(page.rstrip("\n"))
    return 0


def _page(name: str | None, everything: bool) -> str:
    if name == CONTRACTS_PAGE:
        return contracts_overview()
    if name is not None:
        return help_on(find_command(name))
    return whole_overview() if everything else overview()


ACTIONS = {
    "help": Action(
        description="What you do every day, every command with --all, the commands of other tools' contracts,\n"
        "or how to use one command.",
        examples=("help", "help --all", "help contracts", "help recall"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
