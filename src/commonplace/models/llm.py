"""A language model behind any OpenAI-compatible address."""

import json
import time
from collections.abc import Callable

from commonplace.domain.key import Key
from commonplace.errors import ModelError
from commonplace.models.endpoint import Endpoint, MessageRole

LANGUAGE_MODEL = MessageRole("language model", "llm", "/chat/completions", answer_bytes=4_000_000)


class HttpLLM:
    """Asks for one completion at a time."""

    uses_network = True

    def __init__(
        self,
        url: str,
        model: str,
        key: Key,
        timeout_seconds: float,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = Endpoint(LANGUAGE_MODEL, url, model, key, timeout_seconds, pause)

    def complete(self, system: str, prompt: str, max_tokens: int) -> str:
        """The model's answer to one prompt."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
        request: dict[str, object] = {"model": self._endpoint.model, "messages": messages}
        reply = self._endpoint.post({**request, "max_tokens": max_tokens, "temperature": 0})
        if reply.status == 400 and b"max_completion_tokens" in reply.body:
            # Reasoning models name the budget differently and take no temperature.
            reply = self._endpoint.post({**request, "max_completion_tokens": max_tokens})
        if reply.status != 200:
            raise self._endpoint.refusal(reply.status)
        return _content(reply.body)


def _content(body: bytes) -> str:
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        content = None
    if not isinstance(content, str):
        raise ModelError("The language model's answer has no message in it: check that llm_url speaks the OpenAI form.")
    return content
