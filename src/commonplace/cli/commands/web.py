"""web: the page of this book in the browser, for the person at this machine."""

import sys
import webbrowser
from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.logs import log_to_stderr
from commonplace.cli.session import CommandSession


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", metavar="N", type=int, default=0, help="the port to listen on (default: a free one)")
    parser.add_argument("--no-open", action="store_true", help="print the link, without opening the browser")


def _run(session: CommandSession) -> int:
    # The web server takes most of a second to import, which only a server should pay.
    from commonplace.serve.web import run

    given = session.arguments
    log_to_stderr(given.verbose, "%(asctime)s %(name)s: %(message)s")
    run(session.configuration, given.port, given.verbose, lambda link: _tell(session, link))
    return 0


def _tell(session: CommandSession, link: str) -> None:
    """The link, on a line of its own, and then in the browser: whoever has none, or another, can follow it."""
    output = session.output
    if output.json:
        output.document({"address": link.partition("/#")[0], "link": link})
    else:
        output.line(link)
        output.note("The link works once, within five minutes. Ctrl-C ends the page.")
    sys.stdout.flush()
    if not session.arguments.no_open:
        webbrowser.open(link)


ACTIONS = {
    "web": Action(
        description="Open the page in your browser: search, review, correct and forget what is remembered.\n"
        "It is for this machine and for you alone: the link works once, and the page ends with this command.",
        examples=("web", "web --no-open", "web --port 8766"),
        add_arguments=_add_arguments,
        run=_run,
    )
}
