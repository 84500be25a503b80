"""serve: the book over HTTP, for tools on this machine or for a team."""

from argparse import ArgumentParser, ArgumentTypeError

from commonplace.cli.commands import Action
from commonplace.cli.logs import log_to_stderr
from commonplace.cli.session import CommandSession


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--host", metavar="ADDRESS", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", metavar="N", type=int, help="the port to listen on (default 8765)")
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        dest="allowed_hosts",
        help="host names by which it may be reached, separated by commas",
    )
    parser.add_argument(
        "--dialects", metavar="NAMES", type=_narrowed, help="serve only these dialects, separated by commas"
    )


def _narrowed(names: str) -> str:
    """Names of dialects, as they were written. To narrow them down to nothing is a mistake, and not all of them."""
    from commonplace.dialects import dialects_in  # only whoever gives them needs to know them
    from commonplace.errors import InvalidInput

    try:
        dialects_in(names or ",")
    except InvalidInput as error:
        raise ArgumentTypeError(error.message.rstrip(".")) from error
    return names


def _run(session: CommandSession) -> int:
    # The web server takes most of a second to import, which only a server should pay.
    from commonplace.serve.http import run

    log_to_stderr(session.arguments.verbose, "%(asctime)s %(name)s: %(message)s")
    run(session.configuration, session.arguments.verbose, session.output.note)
    return 0


ACTIONS = {
    "serve": Action(
        description="Serve the book over HTTP: MCP for every dialect, or for those named, health, readiness and "
        "metrics.\n"
        "On this machine only, until there are tokens ('commonplace token create').",
        examples=(
            "serve",
            "serve --host 0.0.0.0 --allow-host memory.example.org",
            "serve --dialects native,nuzo --verbose",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
