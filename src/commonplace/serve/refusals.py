"""Why a request is not answered, said where clients show it.

The body is a JSON-RPC error, which MCP clients show even when the status is not 200; the challenge of a 401 or
403 says it again, for those that read only that (RFC 6750).
"""

import re
from collections.abc import Mapping

from starlette.responses import JSONResponse, Response

from commonplace.domain.scope import Right

_UNQUOTABLE = re.compile(r'[^\x20-\x7e]|["\\]')


CODES: Mapping[int, str] = {
    400: "invalid_input",
    401: "unauthorised",
    403: "denied",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
    421: "misdirected",
    429: "rate_limited",
    503: "unavailable",
}
"""What a refusal is called in the API."""
API_HEADERS: Mapping[str, str] = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}


def failure(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """An error of the API."""
    body = {"error": {"code": code, "message": message}}
    return JSONResponse(body, status, {**API_HEADERS, **(headers or {})})


class Refusal(Exception):
    """Why a request does not get through."""

    def __init__(
        self, status: int, message: str, *, challenge: str | None = None, retry_seconds: int | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers: dict[str, str] = {}
        if challenge is not None:
            self.headers["www-authenticate"] = challenge
        if retry_seconds is not None:
            self.headers["retry-after"] = str(retry_seconds)

    def response(self, api: bool = False) -> Response:
        """The refusal as JSON-RPC under its HTTP status, without an id, for the request was not read.

        To the `api` in that one's own shape.
        """
        if api:
            return failure(self.status, CODES.get(self.status, "refused"), self.message, self.headers)
        error = {"code": self.status, "message": self.message}
        return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, self.status, self.headers)


def unauthorised(message: str, metadata_url: str | None = None, error: str | None = None) -> Refusal:
    """401: no token, or one that is not taken; `metadata_url` says whom to ask for one (RFC 9728)."""
    return Refusal(401, message, challenge=_challenge(error=error, message=message, metadata_url=metadata_url))


def lacks_right(right: Right, message: str) -> Refusal:
    """403: a good token without a right that it takes."""
    return Refusal(403, message, challenge=_challenge(error="insufficient_scope", message=message, right=right))


def _challenge(*, error: str | None, message: str, metadata_url: str | None = None, right: Right | None = None) -> str:
    given = {"error": error, "error_description": message, "scope": right, "resource_metadata": metadata_url}
    return "Bearer " + ", ".join(f'{name}="{_quotable(value)}"' for name, value in given.items() if value is not None)


def _quotable(text: str) -> str:
    """What may stand between quotation marks in a header; the rest is left out by a question mark."""
    return _UNQUOTABLE.sub("?", text)
