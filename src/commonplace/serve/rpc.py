"""JSON-RPC 2.0: a body in, an answer out. Which methods there are is told by a dialect; who asks, by its door."""

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping

from commonplace import secrets
from commonplace.dialect import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NAME_SHOWN,
    PARSE_ERROR,
    Answer,
    Dialect,
    Json,
)

BATCH_LIMIT = 100

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\n\r]*+")

Call = Callable[[str, Mapping[str, object]], Answer]
"""Performs one method."""


class RequestTooLarge(Exception):
    """A batch of more messages than one body may bring."""


def respond(methods: Dialect, call: Call, body: bytes) -> object | None:
    """The answer to a body, one message or a batch; None where nobody waits for one."""
    try:
        data = _read(body.decode(json.detect_encoding(body), "surrogatepass"))
    except RecursionError:
        return _failure(None, PARSE_ERROR, "The body is nested too deep: send flatter JSON.")
    except ValueError:
        return _failure(None, PARSE_ERROR, "The body is not JSON: send a JSON-RPC 2.0 message.")
    except RequestTooLarge:
        data = []
    if not isinstance(data, list):
        return _one(methods, call, data)
    if not data:
        return _failure(None, INVALID_REQUEST, f"A batch has from 1 to {BATCH_LIMIT} messages.")
    answers = [answer for answer in (_one(methods, call, each) for each in data) if answer is not None]
    return answers or None


def _read(text: str) -> object:
    """The document; a batch message by message, so that one of too many is not read to its end."""
    start = _behind_blanks(text, 0)
    return list(_messages(text, start + 1)) if text.startswith("[", start) else json.loads(text)


def _messages(text: str, place: int) -> Iterator[object]:
    place = _behind_blanks(text, place)
    if text.startswith("]", place):
        return
    for count in itertools.count(1):
        if count > BATCH_LIMIT:
            raise RequestTooLarge
        message, place = _DECODER.raw_decode(text, place)
        yield message
        place = _behind_blanks(text, place)
        mark, place = text[place : place + 1], _behind_blanks(text, place + 1)
        if mark == "]" and place == len(text):
            return
        if mark != ",":
            raise ValueError("neither another message nor the end of the batch")


def _behind_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return place if found is None else found.end()


def _one(methods: Dialect, call: Call, message: object) -> Json | None:
    """A message without an id is a notification: it is performed, and never answered."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        return _failure(_id_of(message), INVALID_REQUEST, "This is not a JSON-RPC 2.0 request.")
    id, method, params = message.get("id"), message["method"], message.get("params")
    if not _is_id(id):
        return _failure(None, INVALID_REQUEST, "id must be a text, a number or null.")
    answer = _performed(methods, call, id, method, {} if params is None else params)
    return answer if "id" in message else None


def _performed(methods: Dialect, call: Call, id: object, method: str, params: object) -> Json:
    known = [each.name for each in methods.tools]
    if method not in known:
        return _failure(
            id, METHOD_NOT_FOUND, f"There is no method '{method[:NAME_SHOWN]}': there are {', '.join(known)}."
        )
    if not isinstance(params, dict):
        return _failure(id, INVALID_PARAMS, "params must be an object: name each parameter.", "InvalidParams")
    answer = call(method, params)
    return {"jsonrpc": "2.0", "id": id, "error" if answer.failed else "result": answer.body}


def _failure(id: object, number: int, message: str, code: str = "InvalidRequest") -> Json:
    error = {"code": number, "message": secrets.masked(message), "data": {"code": code, "retryable": False}}
    return {"jsonrpc": "2.0", "id": id, "error": error}


def _is_id(value: object) -> bool:
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def _id_of(message: object) -> object:
    """Whom to answer, if that much can be read."""
    id = message.get("id") if isinstance(message, dict) else None
    return id if _is_id(id) else None
