"""The API over HTTP: a route for each operation, the way in and out of a page, and the document that describes them."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.api.openapi import document
from commonplace.api.operations import PREFIX, Operation, status_of
from commonplace.book.book import Book
from commonplace.dialect import Answer, Dialect, Tool, refused
from commonplace.engine.caller import system_clock
from commonplace.errors import InvalidInput
from commonplace.serve import halves
from commonplace.serve.calls import Timing, apart, perform_at_door
from commonplace.serve.gate import SIGN_IN, in_api
from commonplace.serve.refusals import API_HEADERS, CODES, Refusal, failure
from commonplace.text import show_time

OPENAPI = f"{PREFIX}/openapi.json"
SIGN_OUT = f"{PREFIX}/sign-out"
NUMBERS = {"integer": int, "number": float}
BOOLEANS = {"true": True, "false": False}
HTTPS = "https"


class Sessions(Protocol):
    """How pages are let in: what they go on with, and how that ends."""

    def begin(self, request: Request) -> str:
        """The credential for a page that has just shown what it signs in with."""

    def end(self, request: Request) -> None:
        """The page does not need it any more."""


class Api:
    """Answers the requests of pages and scripts; whose book it is, `open_book` says."""

    def __init__(
        self,
        dialect: Callable[[Request], Dialect],
        open_book: Callable[[Request], Book],
        timing: Timing,
        seconds: float | None,
        sessions: Sessions,
    ) -> None:
        self._dialect = dialect
        self._open_book = open_book
        self._timing = timing
        self._seconds = seconds
        self._sessions = sessions

    def routes(self, operations: Sequence[Operation]) -> list[Route]:
        """Every operation under its method and path, in the order of the table."""
        described = document(operations)
        return [
            Route(OPENAPI, partial(_described, described), methods=["GET"]),
            Route(SIGN_IN, self._sign_in, methods=["POST"]),
            Route(SIGN_OUT, self._sign_out, methods=["POST"]),
            *(
                Route(f"{PREFIX}{each.path}", partial(self._perform, each), methods=[each.method])
                for each in operations
            ),
        ]

    async def _perform(self, operation: Operation, request: Request) -> Response:
        dialect = self._dialect(request)
        try:
            arguments = await _arguments(operation.tool, request)
        except ClientDisconnect:  # gone, or cut off by the gate, which then answers itself
            return Response(status_code=400)
        except InvalidInput as error:
            return _response(refused(dialect, error))

        def call() -> Answer:
            with self._timing(dialect.name, operation.name) as answers:
                book = self._open_book(request)
                answers.append(perform_at_door(dialect, lambda: book, operation.name, arguments))
                return answers[0]

        return _response(await apart(call, self._seconds))

    async def _sign_in(self, request: Request) -> Response:
        """Whoever comes here has been let in by the gate."""
        if "authorization" not in request.headers:
            raise Refusal(400, "Nobody has to sign in here: go on without a token.")
        credential = self._sessions.begin(request)
        if len(credential) > halves.CREDENTIAL_BYTES:
            raise Refusal(
                400, "This token is too long for a page: sign in with one that 'commonplace token create' made."
            )
        pad, half = halves.split(credential)
        expires_at = show_time(system_clock() + halves.LASTS_SECONDS * 1000)
        cookie = halves.set_cookie(_port(request), pad, halves.LASTS_SECONDS, _is_secure(request))
        return JSONResponse({"half": half, "expires_at": expires_at}, headers={**API_HEADERS, "set-cookie": cookie})

    async def _sign_out(self, request: Request) -> Response:
        self._sessions.end(request)
        cookie = halves.set_cookie(_port(request), "", 0, _is_secure(request))
        return JSONResponse({}, headers={**API_HEADERS, "set-cookie": cookie})


async def _described(described: Mapping[str, object], request: Request) -> Response:
    return JSONResponse(described, headers=API_HEADERS)


async def refuse(request: Request, error: Exception) -> Response:
    """What has no route here, or not with that method, in the shape of the API where it was asked for."""
    if isinstance(error, Refusal):
        return error.response(api=True)
    status = getattr(error, "status_code", 500)
    if in_api(request.url.path):
        said = (
            "There is no such operation: see openapi.json."
            if status == 404
            else "This operation does not take this method."
        )
        return failure(status, CODES.get(status, "refused"), said, getattr(error, "headers", None))
    return Response(getattr(error, "detail", ""), status, headers=getattr(error, "headers", None))


def _response(answer: Answer) -> Response:
    status = 200
    if answer.failed:
        error = answer.body["error"]
        status = status_of(str(error["code"]) if isinstance(error, Mapping) else "")
    return Response(answer.text, status, headers=API_HEADERS, media_type="application/json")


# -- arguments --------------------------------------------------------------------------------


async def _arguments(tool: Tool, request: Request) -> dict[str, object]:
    """The path, the query and the body as the arguments of the tool; its own parameters say what they must be."""
    given = _query(tool, request.query_params) | _body(await request.body())
    both = sorted(given.keys() & request.path_params.keys())
    if both:
        raise InvalidInput(f"{both[0]} is in the path already: leave it out.", both[0])
    return {**given, **request.path_params}


def _query(tool: Tool, query: QueryParams) -> dict[str, object]:
    fields = _schemas(tool.input_schema().get("properties"))
    return {
        name: _value(name, _schemas(fields[name]), query.getlist(name)) if name in fields else query.getlist(name)
        for name in query
    }


def _value(name: str, schema: Mapping[str, object], texts: list[str]) -> object:
    """Texts of a query as what the schema asks for; one that it does not fit stays a text, which is refused later."""
    if schema.get("type") == "array":
        return [_value(name, _schemas(schema.get("items")), [text]) for text in texts]
    if len(texts) > 1:
        raise InvalidInput(f"{name} is given {len(texts)} times: give it once.", name[:60])
    kind = schema.get("type")
    if kind == "boolean":
        return BOOLEANS.get(texts[0], texts[0])
    try:
        return NUMBERS[str(kind)](texts[0]) if kind in NUMBERS and texts[0].isascii() else texts[0]
    except ValueError:
        return texts[0]


def _schemas(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _body(body: bytes) -> dict[str, object]:
    if not body:
        return {}
    try:
        data = json.loads(body)
    except RecursionError:
        raise InvalidInput("The body is nested too deep: send flatter JSON.") from None
    except ValueError:
        raise InvalidInput("The body is not JSON: send an object.") from None
    if not isinstance(data, dict):
        raise InvalidInput("The body must be an object: name each argument.")
    return data


def _port(request: Request) -> int:
    port: int = request.scope["server"][1]
    return port


def _is_secure(request: Request) -> bool:
    """Whether the browser came by https; what it says of its own page's origin is true."""
    return request.url.scheme == HTTPS or request.headers.get("origin", "").startswith(f"{HTTPS}://")
