"""rpc: one of Aleph's methods, as JSON in and JSON out."""

import json
from argparse import ArgumentParser

from commonplace import secrets
from commonplace.cli.commands import Action
from commonplace.cli.output import Output
from commonplace.cli.session import CommandSession
from commonplace.errors import CommonplaceError

NO_SUCH_CALL = 2


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("method", metavar="METHOD", help="such as memory.search or dreaming.run_now")
    parser.add_argument("params", metavar="JSON", nargs="?", default="{}", help="its parameters, as an object")


def _run(session: CommandSession) -> int:
    """Whatever it comes to is one JSON document; a method or parameters that make no sense end like a wrong command."""
    # Pydantic takes 100 ms to import, which only this command should pay.
    from commonplace.dialect import INVALID_PARAMS, METHOD_NOT_FOUND, perform
    from commonplace.dialects.aleph.methods import METHODS

    given, output = session.arguments, session.output
    known = [method.name for method in METHODS.tools]
    if given.method not in known:
        sentence = f"There is no method '{given.method[:60]}': there are {', '.join(known)}."
        return _refused(output, METHOD_NOT_FOUND, "InvalidRequest", sentence)
    params = _object(given.params)
    if params is None:
        sentence = 'The parameters must be one JSON object, as in \'{"query": "deploys"}\'.'
        return _refused(output, INVALID_PARAMS, "InvalidParams", sentence)
    try:
        with session.book(METHODS.door, create=True) as book:
            answer = perform(METHODS, book, given.method, params)
    except CommonplaceError as error:  # the book cannot be opened
        output.document({"error": METHODS.render_error(error)})
        return 1
    output.document({"error": answer.body} if answer.failed else answer.body)
    return int(answer.failed)


def _refused(output: Output, number: int, code: str, sentence: str) -> int:
    error = {"code": number, "message": secrets.masked(sentence), "data": {"code": code, "retryable": False}}
    output.document({"error": error})
    return NO_SUCH_CALL


def _object(text: str) -> dict[str, object] | None:
    """The parameters, or None for what is no JSON object."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


ACTIONS = {
    "rpc": Action(
        description="Call one of Aleph's methods on the book. The answer is JSON; 'serve' has the same at /rpc.",
        examples=(
            "rpc memory.stats",
            """rpc memory.retrieve_with_trace '{"query": "deploys"}'""",
            "rpc dreaming.run_now",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
