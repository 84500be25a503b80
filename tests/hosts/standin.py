"""A model on this machine that says one thing: four published APIs on one port, and every request kept to be looked at.

It stands in for the models of Claude Code (messages), Codex (responses), Gemini CLI (generateContent) and opencode
(chat completions), so that a host runs for real and nothing leaves the machine.
"""

import json
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, ClassVar, Self

ANSWER = "Understood."
Data = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request to the model: the part of the address that names the API, and what was sent."""

    api: str
    body: Data

    @property
    def text(self) -> str:
        """All of it as one text, in which a memory is looked for."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def tools(self) -> str:
        """What it offers the model to call, apart from all that only speaks of tools."""
        return json.dumps(self.body.get("tools"), ensure_ascii=False)


class StandIn:
    """The server, for as long as it is open."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._asked: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        Thread(target=self._server.serve_forever, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens, without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def taken(self) -> tuple[Asked, ...]:
        """What was asked since the last time."""
        with self._lock:
            asked, self._asked = tuple(self._asked), []
        return asked

    def keep(self, asked: Asked) -> None:
        """One more request."""
        with self._lock:
            self._asked.append(asked)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        return type("Handler", (_Handler,), {"standin": self})


class _Handler(BaseHTTPRequestHandler):
    standin: ClassVar[StandIn]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the output is the test's."""

    def do_GET(self) -> None:
        """Lists of models and the like: none."""
        self._send("application/json", b'{"data": [], "models": []}')

    def do_HEAD(self) -> None:
        """Whether anybody is there."""
        self._send("application/json", b"")

    def do_POST(self) -> None:
        """An answer in the API's own form."""
        body = _json(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        path = self.path.split("?")[0]
        api = next((name for name in _APIS if name in path), "")
        if api:
            self.standin.keep(Asked(api, body))
            streams = bool(body.get("stream")) or "stream" in path
            kind, content = _APIS[api](body, streams)
        else:
            kind, content = "application/json", b'{"input_tokens": 10, "totalTokens": 10}'
        self._send(kind, content)

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _json(raw: bytes) -> Data:
    try:
        found = json.loads(raw or b"{}")
    except ValueError:
        return {"unread": repr(raw[:200])}
    return found if isinstance(found, dict) else {"list": found}


def _events(*events: Data) -> tuple[str, bytes]:
    """Server-sent events; those that have a type bear it as their name."""
    names = (f"event: {each['type']}\n" if "type" in each else "" for each in events)
    lines = (f"{name}data: {json.dumps(each)}\n\n" for name, each in zip(names, events, strict=True))
    return "text/event-stream", "".join(lines).encode()


def _document(data: Data) -> tuple[str, bytes]:
    return "application/json", json.dumps(data).encode()


def _messages(body: Data, streams: bool) -> tuple[str, bytes]:
    """Anthropic's."""
    usage = {"input_tokens": 10, "output_tokens": 2}
    message: Data = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "m"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    if not streams:
        return _document({**message, "content": [{"type": "text", "text": ANSWER}], "stop_reason": "end_turn"})
    return _events(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ANSWER}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    )


def _responses(body: Data, streams: bool) -> tuple[str, bytes]:
    """OpenAI's newer one."""
    item = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": ANSWER, "annotations": []}],
    }
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 2,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 12,
    }
    response: Data = {"id": "resp_1", "object": "response", "model": body.get("model", "m"), "output": [item]}
    if not streams:
        return _document({**response, "status": "completed", "usage": usage})
    return _events(
        {"type": "response.created", "response": {**response, "output": [], "status": "in_progress"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**response, "status": "completed", "usage": usage}},
    )


def _chat(body: Data, streams: bool) -> tuple[str, bytes]:
    """OpenAI's older one, which many speak."""
    whole: Data = {"id": "chat_1", "created": 1, "model": body.get("model", "m")}
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
    said = {"role": "assistant", "content": ANSWER}
    if not streams:
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        return _document({**whole, "object": "chat.completion", "choices": [choice], "usage": usage})
    chunk = {**whole, "object": "chat.completion.chunk"}
    kind, content = _events(
        {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage},
    )
    return kind, content + b"data: [DONE]\n\n"


def _gemini(body: Data, streams: bool) -> tuple[str, bytes]:
    """Google's."""
    answer: Data = {
        "candidates": [{"content": {"role": "model", "parts": [{"text": ANSWER}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 2, "totalTokenCount": 12},
    }
    return _events(answer) if streams else _document(answer)


_APIS = {
    "count_tokens": lambda body, streams: _document({"input_tokens": 10}),
    "/messages": _messages,
    "/responses": _responses,
    "/chat/completions": _chat,
    "enerateContent": _gemini,
}
