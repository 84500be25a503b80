"""A model behind an OpenAI-compatible address, asked over plain HTTP: one request, one JSON answer.

A redirect is an error, so that the key and the text reach the host that was named and no other.
"""

import json
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from commonplace.domain.key import Key
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput, ModelError
from commonplace.http_client import Address, AnswerTooLarge, Bounds, Reply, TooSlow, Unreachable, ask

BACKOFF_SECONDS = 0.5
BACKOFF_LIMIT_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class MessageRole(Record):
    """What a model is asked for: how it is called in a sentence, and what its settings begin with."""

    name: str
    settings: str
    path: str
    answer_bytes: int


class Endpoint:
    """One address of one model; a request is tried once more where that may help."""

    def __init__(
        self,
        role: MessageRole,
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
        path = place.path.rstrip("/")
        path = path if path.endswith(role.path) else (path or "/v1") + role.path
        self._address = Address(place.scheme == "https", place.hostname, place.port, path)
        self.host = place.hostname
        self.model, self._key = model, key
        self._timeout_seconds = timeout_seconds
        self._pause = pause

    def post(self, request: Mapping[str, object]) -> Reply:
        """The reply to a request, which is sent again once if the server or the way to it was at fault."""
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        wait = BACKOFF_SECONDS
        try:
            reply = self._sent(body)
        except Unreachable:
            pass
        else:
            if reply.status != 429 and reply.status < 500:
                return reply
            wait = _wait(reply.retry_after)
        self._pause(wait)
        try:
            return self._sent(body)
        except Unreachable as error:
            raise ModelError(
                f"The {self._role.name} at {self.host} cannot be reached ({error}): "
                f"check {self._role.settings}_url and whether it runs."
            ) from None

    def _sent(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        who, bounds = f"The {self._role.name} at {self.host}", Bounds(self._timeout_seconds, self._role.answer_bytes)
        try:
            return ask(self._address, bounds, method="POST", body=body, headers=headers)
        except AnswerTooLarge:
            raise ModelError(f"{who} answered with more than was asked for.") from None
        except TooSlow:
            raise ModelError(
                f"{who} did not answer within {self._timeout_seconds:g} seconds: "
                f"raise {self._role.settings}_timeout_seconds or try again."
            ) from None

    def refusal(self, status: int) -> ModelError:
        """What a status that is no answer means."""
        who, prefix = f"The {self._role.name} at {self.host}", self._role.settings
        if status in (401, 403):
            return ModelError(f"{who} refused the key ({status}): check {self._variable}.")
        if status == 404:
            place = f"{self.host}{self._address.path}"
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
