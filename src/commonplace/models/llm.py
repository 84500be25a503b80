"""A language model behind any OpenAI-compatible address, asked over plain HTTP.

Nothing is followed elsewhere: a redirect is an error, so that the key and the conversation
reach the host that was named and no other.
"""

import json
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from commonplace.config import Key
from commonplace.errors import InvalidInput, ModelError
from commonplace.record import Record

ENDPOINT = "/chat/completions"
ANSWER_BYTES = 4_000_000
CHUNK_BYTES = 65_536
BACKOFF_SECONDS = 0.5
BACKOFF_LIMIT_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _Reply(Record):
    status: int
    body: bytes
    retry_after: str | None


class _Unreachable(Exception):
    """The connection was refused or lost: it may work a moment later."""


class HttpLLM:
    """Asks for one completion at a time; tries once more where that may help."""

    uses_network = True

    def __init__(
        self,
        url: str,
        model: str,
        key: Key,
        timeout_seconds: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        place = urlsplit(url)
        if place.scheme not in ("http", "https") or not place.hostname:
            raise InvalidInput("llm_url must be an address such as https://api.openai.com/v1.", "llm_url")
        if place.username or place.password:
            raise InvalidInput("llm_url must not hold a key: put it into COMMONPLACE_LLM_KEY.", "llm_url")
        if not model:
            raise InvalidInput("llm_model is not set: name the language model to ask.", "llm_model")
        if key and place.scheme == "http" and place.hostname not in LOOPBACK:
            raise InvalidInput("A key is not sent over plain http: give an https address as llm_url.", "llm_url")
        self._secure = place.scheme == "https"
        self._host, self._port = place.hostname, place.port
        path = place.path.rstrip("/")
        self._path = path if path.endswith(ENDPOINT) else (path or "/v1") + ENDPOINT
        self._model, self._key = model, key
        self._timeout_seconds = timeout_seconds
        self._pause = pause

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        """The model's answer to one prompt."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        request: dict[str, object] = {"model": self._model, "messages": messages}
        reply = self._tried({**request, "max_tokens": max_tokens, "temperature": 0})
        if reply.status == 400 and b"max_completion_tokens" in reply.body:
            # Reasoning models name the budget differently and take no temperature.
            reply = self._tried({**request, "max_completion_tokens": max_tokens})
        if reply.status != 200:
            raise ModelError(self._refusal(reply.status))
        return _content(reply.body)

    def _tried(self, request: dict[str, object]) -> _Reply:
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
                f"The language model at {self._host} cannot be reached ({error}): check llm_url and whether it runs."
            ) from None

    def _sent(self, body: bytes) -> _Reply:
        connect = HTTPSConnection if self._secure else HTTPConnection
        connection = connect(self._host, self._port, timeout=self._timeout_seconds)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.reveal()}"
        deadline = time.monotonic() + self._timeout_seconds
        try:
            connection.request("POST", self._path, body, headers)
            with connection.getresponse() as response:
                return _Reply(response.status, self._read(response, deadline), response.headers.get("Retry-After"))
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
            if size > ANSWER_BYTES:
                raise ModelError(f"The language model at {self._host} answered with more than it was asked for.")
            if time.monotonic() > deadline:
                raise ModelError(self._too_slow())
        return b"".join(parts)

    def _too_slow(self) -> str:
        return (
            f"The language model at {self._host} did not answer within {self._timeout_seconds:g} seconds: "
            "raise llm_timeout_seconds or try again."
        )

    def _refusal(self, status: int) -> str:
        if status in (401, 403):
            return f"The language model at {self._host} refused the key ({status}): check COMMONPLACE_LLM_KEY."
        if status == 404:
            return f"There is no model '{self._model}' at {self._host}{self._path} (404): check llm_url and llm_model."
        if status == 429:
            return f"The language model at {self._host} is asked too often (429): try again later."
        return f"The language model at {self._host} answered with status {status}: check llm_url, or try again later."


def _wait(retry_after: str | None) -> float:
    """How long to wait before trying again: as long as the server says, within reason."""
    try:
        asked = float(retry_after or BACKOFF_SECONDS)
    except ValueError:
        return BACKOFF_SECONDS
    return min(max(asked, 0.0), BACKOFF_LIMIT_SECONDS)


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str):
        raise ModelError("The language model's answer has no message in it: check that llm_url speaks the OpenAI form.")
    return content
