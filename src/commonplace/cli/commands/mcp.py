"""mcp: serve the book to an agent's host over stdio."""

import gc
import sys
from argparse import ArgumentParser
from contextlib import suppress

from commonplace.cli.commands import Action
from commonplace.cli.logs import log_to_stderr
from commonplace.cli.session import CommandSession


def _add_arguments(parser: ArgumentParser) -> None:
    # Only this command needs to know them, and asking means importing the dialects' package.
    from commonplace.dialects import NATIVE, dialect_names

    parser.add_argument(
        "--dialect",
        metavar="NAME",
        default=NATIVE,
        choices=dialect_names(),
        help=f"the contract to speak: {', '.join(dialect_names())} (default {NATIVE})",
    )


def _run(session: CommandSession) -> int:
    from commonplace.serve.front import begin

    if sys.stdin.isatty():
        session.output.note("This speaks MCP on stdin and stdout and is started by a host; Ctrl-C ends it.")
    log_to_stderr(session.arguments.verbose, "%(name)s: %(message)s")
    front = begin(session.arguments.dialect)
    with suppress(KeyboardInterrupt):  # by hand, before the server is there
        gc.disable()  # what is imported stays: to look for garbage in it would take a tenth of the time
        # The SDK takes most of a second to import, which only a server should pay.
        from commonplace.dialects import load_dialect
        from commonplace.serve.stdio import run

        dialect = load_dialect(session.arguments.dialect)
        gc.freeze()
        gc.enable()
        run(dialect, front, lambda: session.configuration)
    return 0


ACTIONS = {
    "mcp": Action(
        description="Serve the book to an AI tool over stdio, as an MCP server.\n"
        "Put it into the tool's MCP settings as a command; it ends when the tool does.",
        examples=("mcp", "mcp --dialect nuzo --project ~/projects/shop", "mcp --store team.db"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
