"""A server on a port of its own, in a thread, on a book that the test can look into."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from email.message import Message
from pathlib import Path
from typing import Any, Protocol
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn

from commonplace.book.book import Book
from commonplace.config import Configuration, load
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Right
from commonplace.serve.gate import Gate
from commonplace.serve.http import build_app
from commonplace.serve.listening import bound, listening
from tests.conftest import HASTY
from tests.waiting import wait_until

EVERYTHING = frozenset(Right)


def _lower(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


class Reply(Record):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A running server, spoken to with plain HTTP."""

    def __init__(self, app: Gate, book: Book, port: int) -> None:
        self.app = app
        self.book = book
        self.port = port

    def send(
        self, method: str, path: str, body: bytes | None = None, token: str | None = None, **headers: str
    ) -> Reply:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            given.setdefault("content-type", "application/json")
        if token is not None:
            given["authorization"] = f"Bearer {token}"
        request = Request(f"http://127.0.0.1:{self.port}{path}", body, given, method=method)
        try:
            with urlopen(request, timeout=30) as answer:
                return Reply(answer.status, _lower(answer.headers), answer.read())
        except HTTPError as error:
            return Reply(error.code, _lower(error.headers), error.read())

    def rpc(self, path: str, method: str, params: Mapping[str, Any], token: str | None = None) -> Reply:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.send(
            "POST",
            path,
            json.dumps(message).encode(),
            token,
            accept="application/json, text/event-stream",
            mcp_protocol_version="2025-06-18",
        )

    def call(self, path: str, tool: str, arguments: Mapping[str, Any], token: str | None = None) -> Reply:
        return self.rpc(path, "tools/call", {"name": tool, "arguments": arguments}, token)

    def token(self, user: str = "ada", tenant: str = "local", rights: frozenset[Right] = EVERYTHING) -> str:
        return self.book.access.create(Principal(tenant, user, (), rights), user).secret


class StartServer(Protocol):
    def __call__(self, **settings: object) -> Server: ...


@contextmanager
def running(**settings: object) -> Iterator[Server]:
    """A server in a thread, listening as `serve` has it listen; `store` says on which book."""
    configuration = load({"model": "none", "synchronous": HASTY, **settings})
    with Book.open(configuration=configuration) as book:
        app = build_app(book, configuration)
        server = uvicorn.Server(listening(app, configuration.settings))
        with bound("127.0.0.1", 0) as listener:
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            wait_until(lambda: server.started, 20, "the server did not start")
            yield Server(app, book, listener.getsockname()[1])
            server.should_exit = True
            thread.join(10)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartServer]:
    with ExitStack() as stack:

        def start_one(**settings: object) -> Server:
            return stack.enter_context(running(**{"store": str(tmp_path / "book.db"), **settings}))

        yield start_one


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    return load({"store": str(tmp_path / "book.db"), "model": "none"})
