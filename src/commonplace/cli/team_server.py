"""team on a server elsewhere: the same words, sent to its /teams with the token in COMMONPLACE_TOKEN."""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from commonplace.cli.render import EXCERPT_LENGTH, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.domain.record import replace
from commonplace.errors import CommonplaceError, Conflict, Denied, InvalidInput, NotFound, StoreUnavailable
from commonplace.http_client import Address, AnswerTooLarge, Bounds, TooSlow, Unreachable, ask

TOKEN = "COMMONPLACE_TOKEN"
PATH = "/teams"
SENTENCE_LENGTH = 400
BOUNDS = Bounds(seconds=60.0, bytes=16 * 1024 * 1024)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NAMES = ("team", "user", "role", "name", "id", "keep", "drop", "reason")


_REFUSALS: Mapping[str, type[CommonplaceError]] = {error.code: error for error in (InvalidInput, NotFound, Denied)}


def run(session: CommandSession) -> int:
    """Perform the command on the server and show what it answered; `delete` is for who runs the book."""
    given, output = session.arguments, session.output
    if given.action == "delete":
        raise InvalidInput("A team is deleted where the book is: run this on the server, without --server.", "server")
    token = session.configuration.token.reveal()
    answer = _asked(_address(given.server), token, f"team.{given.action}", _params(given))
    if output.json:
        output.document(next(iter(answer.values())) if len(answer) == 1 else answer)
    else:
        _show(session, given.action, answer)
    return 0


def _params(given: Namespace) -> dict[str, object]:
    found = {name: getattr(given, name, None) for name in _NAMES}
    return {name: value for name, value in found.items() if value not in (None, [])}


def _address(url: str) -> Address:
    """Where to send it: a token goes over plain http to this machine only."""
    try:
        address = Address.parse(url)
    except ValueError:
        raise InvalidInput("--server must be an address such as https://memory.example.org.", "server") from None
    if not address.secure and address.host not in LOOPBACK:
        raise InvalidInput("A token is not sent over plain http: give an https address.", "server")
    return replace(address, path=address.path.partition("?")[0].rstrip("/") + PATH)


def _asked(address: Address, token: str, method: str, params: Mapping[str, object]) -> dict[str, Any]:
    if not token.isascii() or any(letter.isspace() for letter in token):
        raise InvalidInput(f"{TOKEN} is not a token: set it to one that 'commonplace token create' made.", "token")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode("utf-8", "replace")
    try:
        reply = ask(address, BOUNDS, method="POST", body=body, headers=headers)
    except (Unreachable, TooSlow, AnswerTooLarge) as error:
        raise StoreUnavailable(f"The server at {address.host} gave no answer ({type(error).__name__}).") from None
    if reply.status in (401, 403):
        raise Denied(f"The server at {address.host} does not accept this token: check {TOKEN}.")
    return _result(reply.status, reply.body, address)


def _result(status: int, body: bytes, address: Address) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        answer = None
    if isinstance(answer, dict) and isinstance(answer.get("result"), dict):
        return dict(answer["result"])
    error = answer.get("error") if isinstance(answer, dict) else None
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        data = error.get("data")
        refusal = _REFUSALS.get(str(data.get("code")) if isinstance(data, dict) else "", Conflict)
        raise refusal(one_line(error["message"], SENTENCE_LENGTH))
    raise StoreUnavailable(f"There is no book with teams at {address.host}{address.path} (status {status}).")


# -- for a person -------------------------------------------------------------------------------


def _show(session: CommandSession, action: str, answer: Mapping[str, Any]) -> None:
    output = session.output
    match action:
        case "list":
            print_table(("id", "role", "name"), [_row(each, "id", "role", "name") for each in answer["teams"]], output)
        case "show":
            rows = [_row(each, "user", "role", "since", "invited_by") for each in answer["members"]]
            print_table(("user", "role", "since", "invited by"), rows, output)
        case "review":
            contests = list(enumerate(answer["contests"], 1))
            rows = [(str(place), *_row(each, "number", "text")) for place, contest in contests for each in contest]
            print_table(("contest", "id", "text"), rows, output)
        case "promote":
            promoted = answer["promoted"]
            output.said(f"{promoted['verdict']} {_line(promoted['memory'])}")
            for each in promoted["conflicts"]:
                output.said(f"  {_line(each)}")
        case "resolve":
            for each in answer["memories"]:
                output.said(f"{each['status']} {_line(each)}")
        case "create":
            output.said(f"created {one_line(str(answer['id']))}")
        case _:
            member = answer["member"]
            output.said(" ".join((action, *_row(member, "user", "team", "role"))))


def _row(each: Mapping[str, Any], *names: str) -> Sequence[str]:
    return tuple(one_line(str(each.get(name) or ""), EXCERPT_LENGTH) for name in names)


def _line(memory: Mapping[str, Any]) -> str:
    return ": ".join(_row(memory, "number", "text"))
