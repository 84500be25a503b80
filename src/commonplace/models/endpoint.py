"""A model behind an OpenAI-compatible address, asked over plain HTTP: one request, one JSON answer.

Nothing is followed elsewhere: a redirect is an error, so that the key and the text reach the host
that was named and no other.
"""

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from commonplace.errors import InvalidInput, ModelError
from commonplace.key import Key
from commonplace.record import Record

CHUNK_BYTES = 65_536
BACKOFF_SECONDS = 0.5
BACKOFF_LIMIT_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Role(Record):
    """What a model is asked for: how it is called in a sentence, and what its settings begin with."""

    name: str
    settings: str
    path: str
    answer_bytes: int


class Reply(Record):
    status: int
    body: bytes
    retry_after: str | None


class _Unreachable(Exception):
    """The connection was refused or lost: it may work a moment later."""


class Endpoint:
    """One address of one model; a request is tried once more where that may help."""

    def __init__(
        self,
        role: Role,
        url: str,
        model: str,
        key: Key,
        timeout_seconds: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        place, prefix = urlsplit(url), role.settings
        if place.scheme not in ("http", "https") or not place.hostname:
            raise InvalidInput(f"{prefix}_url must be an address such as https://api.openai.com/v1.", f"{prefix}_url")
        variable = f"COMMONPLACE_{prefix.upper()}_KEY"
        if place.username or place.password:
            raise InvalidInput(f"{prefix}_url must not hold a key: put it into {variable}.", f"{prefix}_url")
        if not model:
            raise InvalidInput(f"{prefix}_model is not set: name the {role.name} to ask.", f"{prefix}_model")
        if key and place.scheme == "http" and place.hostname not in LOOPBACK:
            raise InvalidInput(f"A key is not sent over plain http: give an https {prefix}_url.", f"{prefix}_url")
        self._role, self._variable = role, variable
        self._secure = place.scheme == "https"
        self.host, self._port = place.hostname, place.port
        path = place.path.rstrip("/")
        self._path = path if path.endswith(role.path) else (path or "/v1") + role.path
        self.model, self._key = model, key
        self._timeout_seconds = timeout_seconds
        self._pause = pause

    def post(self, request: Mapping[str, object]) -> Reply:
        """The reply to a request, which is sent again once if the server or the way to it was at fault."""
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        wait = BACKOFF_SECONDS
        try:
            reply = self._sent(body)
        except _Unreachable:
            pass
        else:
            if reply.status != 429 and reply.status < 500:
                return reply
            wait = _wait(reply.retry_after)
        self._pause(wait)
        try:
            return self._sent(body)
        except _Unreachable as error:
            raise ModelError(
                f"The {self._role.name} at {self.host} cannot be reached ({error}): "
                f"check {self._role.settings}_url and whether it runs."
            ) from None

    def _sent(self, body: bytes) -> Reply:
        connect = HTTPSConnection if self._secure else HTTPConnection
        connection = connect(self.host, self._port, timeout=self._timeout_seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        deadline = time.monotonic() + self._timeout_seconds
        try:
            connection.request("POST", self._path, body, headers)
            with connection.getresponse() as response:
                return Reply(response.status, self._read(response, deadline), response.headers.get("Retry-After"))
        except TimeoutError:
            raise ModelError(self._too_slow()) from None
        except (OSError, HTTPException) as error:
            raise _Unreachable(type(error).__name__) from None
        finally:
            connection.close()

    def _read(self, response: HTTPResponse, deadline: float) -> bytes:
        """The body, within the time and the size that an answer may have."""
        parts: list[bytes] = []
        size = 0
        while part := response.read1(CHUNK_BYTES):
            parts.append(part)
            size += len(part)
            if size > self._role.answer_bytes:
                raise ModelError(f"The {self._role.name} at {self.host} answered with more than it was asked for.")
            if time.monotonic() > deadline:
                raise ModelError(self._too_slow())
        return b"".join(parts)

    def _too_slow(self) -> str:
        return (
            f"The {self._role.name} at {self.host} did not answer within {self._timeout_seconds:g} seconds: "
            f"raise {self._role.settings}_timeout_seconds or try again."
        )

    def refusal(self, status: int) -> ModelError:
        """What a status that is no answer means."""
        who, prefix = f"The {self._role.name} at {self.host}", self._role.settings
        if status in (401, 403):
            return ModelError(f"{who} refused the key ({status}): check {self._variable}.")
        if status == 404:
            place = f"{self.host}{self._path}"
            return ModelError(
                f"There is no model '{self.model}' at {place} (404): check {prefix}_url and {prefix}_model."
            )
        if status == 429:
            return ModelError(f"{who} is asked too often (429): try again later.")
        return ModelError(f"{who} answered with status {status}: check {prefix}_url, or try again later.")


def _wait(retry_after: str | None) -> float:
    """How long to wait before trying again: as long as the server says, within reason."""
    try:
        asked = float(retry_after or BACKOFF_SECONDS)
    except ValueError:
        return BACKOFF_SECONDS
    return min(max(asked, 0.0), BACKOFF_LIMIT_SECONDS)
