"""An embedding model behind any OpenAI-compatible address."""

import json
import math
import struct
import time
from collections.abc import Callable, Sequence

from commonplace import deadline
from commonplace.domain.key import Key
from commonplace.errors import InvalidInput, ModelError
from commonplace.models.endpoint import Endpoint, MessageRole
from commonplace.ports import Calibration, Space, Vector

EMBEDDING_MODEL = MessageRole("embedding model", "embed", "/embeddings", answer_bytes=64_000_000)
BATCH = 64
DIMENSIONS_LIMIT = 4_000


class HttpEmbedder:
    """Turns texts into vectors, a few at a time. The space is known by the settings, before anything is asked."""

    uses_network = True

    def __init__(
        self,
        endpoint: Endpoint,
        dimensions: int,
        calibration: Calibration,
    ) -> None:
        if not 1 <= dimensions <= DIMENSIONS_LIMIT:
            raise InvalidInput(f"embed_dimensions must be from 1 to {DIMENSIONS_LIMIT:,}.", "embed_dimensions")
        self._endpoint = endpoint
        self.space = Space(endpoint.model, endpoint.host, "http", dimensions)
        self.calibration = calibration

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        found: list[Vector] = []
        for start in deadline.each(range(0, len(texts), BATCH)):
            found += self._asked(texts[start : start + BATCH])
        return found

    def embed_query(self, text: str) -> Vector:
        return self._asked([text])[0]

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        request = {"model": self._endpoint.model, "input": list(texts), "encoding_format": "float"}
        reply = self._endpoint.post(request)
        if reply.status != 200:
            raise self._endpoint.refusal(reply.status)
        return _vectors(reply.body, len(texts), self.space.dimensions)


def endpoint(
    url: str, model: str, key: Key, timeout_seconds: float, pause: Callable[[float], None] = time.sleep
) -> Endpoint:
    """An endpoint that speaks of itself as the embedding model; nothing is sent yet."""
    return Endpoint(EMBEDDING_MODEL, url, model, key, timeout_seconds, pause)


def _vectors(body: bytes, count: int, dimensions: int) -> list[Vector]:
    """One unit vector for each text, in the order of the texts whatever the order of the answer."""
    try:
        items = sorted(json.loads(body)["data"], key=lambda item: int(item["index"]))
        rows = [[float(value) for value in item["embedding"]] for item in items]
    except (ValueError, KeyError, TypeError, RecursionError):
        rows = []
    if len(rows) != count:
        raise ModelError("The embedding model's answer is not one vector a text: check that embed_url speaks its form.")
    if any(len(row) != dimensions for row in rows):
        raise ModelError(
            f"The embedding model answers with {len(rows[0])} dimensions, not {dimensions}: set embed_dimensions."
        )
    return [_packed(row) for row in rows]


def _packed(row: list[float]) -> Vector:
    length = math.sqrt(sum(value * value for value in row))
    if not math.isfinite(length) or length == 0.0:
        return bytes(2 * len(row))
    return struct.pack(f"<{len(row)}e", *(value / length for value in row))
