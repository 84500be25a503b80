"""rpc: one of Aleph's methods, as JSON in and JSON out."""

import json
from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.session import CommandSession, UsageError


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("method", metavar="METHOD", help="such as memory.search or dreaming.run_now")
    parser.add_argument("params", metavar="JSON", nargs="?", default="{}", help="its parameters, as an object")


def _run(session: CommandSession) -> int:
    # Pydantic takes 100 ms to import, which only this command should pay.
    from commonplace.dialect import perform
    from commonplace.dialects.aleph.methods import METHODS

    given, output = session.arguments, session.output
    known = [method.name for method in METHODS.tools]
    if given.method not in known:
        raise UsageError(f"There is no method '{given.method[:60]}': there are {', '.join(known)}.")
    params = _object(given.params)
    with session.book(METHODS.door, create=True) as book:
        answer = perform(METHODS, book, given.method, params)
    if answer.failed and not output.json:
        output.fail(str(answer.body["message"]))
    else:
        output.document({"error": answer.body} if answer.failed else answer.body)
    return int(answer.failed)


def _object(text: str) -> dict[str, object]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise UsageError('The parameters must be one JSON object, as in \'{"query": "deploys"}\'.')
    return data


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
