"""What is stored over HTTP has its source too, though most clients do not say in each request who they are."""

import json

import pytest

from commonplace.domain.scope import Principal
from tests.http.conftest import Server, StartServer

REMEMBER = {"name": "memory_remember", "arguments": {"text": "The harbour opens at dawn"}}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "says-so-itself", "version": "1"},
}


def remember(server: Server, token: str | None, agent: str, **params: object) -> str | None:
    """Store something as this program with this token; the source that it then has."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**REMEMBER, **params}}
    headers = {"accept": "application/json, text/event-stream", "user_agent": agent}
    version = "2026-07-28" if params else "2025-06-18"
    if params:
        headers |= {"mcp_method": "tools/call", "mcp_name": "memory_remember"}
    body = json.dumps(message).encode()
    reply = server.send("POST", "/mcp", body, token, mcp_protocol_version=version, **headers)
    assert reply.status == 200, reply.body
    (memory,) = server.book.list().memories
    return memory.provenance.source


@pytest.mark.parametrize(
    ("agent", "source"),
    [
        ("codex-mcp-client/0.166.0 (Linux) x", "codex-mcp-client"),
        ("node", "node"),
        ("", None),
        ("\x01\x02", None),
        ("x" * 5_000, "x" * 60),
        ("ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", None),
    ],
)
def test_without_a_token_it_is_the_program_that_sent_it(start: StartServer, agent: str, source: str | None) -> None:
    assert remember(start(), None, agent) == source


def test_with_a_token_it_is_what_its_maker_called_it(start: StartServer) -> None:
    server = start()
    token = server.book.access.create(Principal("local", "local", ()), "codex on the laptop").secret
    assert remember(server, token, "python-httpx/1.0") == "codex on the laptop"


def test_what_a_client_says_of_itself_comes_first(start: StartServer) -> None:
    assert remember(start(), None, "python-httpx/1.0", _meta=MODERN) == "says-so-itself"
