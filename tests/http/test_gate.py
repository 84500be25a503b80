"""Nobody gets past the gate who should not, on any route there is."""

import json
import socket

import pytest
from starlette.routing import Route

from commonplace.cli import main
from commonplace.config import Configuration
from commonplace.dialects import NATIVE, dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.scope import Principal, Right
from tests.http.conftest import EVERYTHING, Server, StartServer

READ = frozenset({Right.READ})
WRITE = frozenset({Right.READ, Right.WRITE})
ONLY_LOGGED = {"memory.export"}  # reads memories, and writes down in the log that it did


def paths(server: Server) -> list[str]:
    """Every route of the app itself, so that a new one is here at once."""
    found = [route.path for route in server.app.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    assert len(found) >= len(dialect_names()) + 3
    return found


def mcp_path(dialect: str) -> str:
    return "/mcp" if dialect == NATIVE else f"/{dialect}/mcp"


def test_without_tokens_this_machine_may_ask(start: StartServer) -> None:
    server = start()
    assert server.send("GET", "/ready").json == {"status": "ready"}
    server.token()
    assert server.send("GET", "/ready").status == 401


def test_revoking_the_last_token_does_not_open_the_door_again(start: StartServer) -> None:
    server = start()
    token = server.token()
    server.book.access.revoke(token.split("_")[1])
    assert server.send("GET", "/ready").status == 401


@pytest.mark.parametrize("dialect", dialect_names())
def test_a_read_token_writes_through_no_tool(start: StartServer, dialect: str) -> None:
    server = start()
    writer, reader = server.token("ada", rights=WRITE), server.token("ada", rights=READ)
    server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, writer)
    before = list(server.book.seen_by(Principal(user="ada"), server.book.door, None).transfer.export())[1:]
    for tool in load_dialect(dialect).tools:
        arguments = {**_plausible(tool.input_schema()), "confirm": True, "dry_run": False}
        reply = server.call(mcp_path(dialect), tool.name, arguments, reader)
        assert reply.status == 200
        if not tool.effect.read_only and tool.name not in ONLY_LOGGED:
            assert reply.json["result"]["isError"] is True, (tool.name, reply.body)
    after = list(server.book.seen_by(Principal(user="ada"), server.book.door, None).transfer.export())[1:]
    assert [_without_use(line) for line in after] == [_without_use(line) for line in before]


def test_a_read_token_writes_through_no_method(start: StartServer) -> None:
    server = start()
    writer, reader = server.token("ada", rights=WRITE), server.token("ada", rights=READ)
    server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, writer)
    before = list(server.book.seen_by(Principal(user="ada"), server.book.door, None).transfer.export())[1:]
    for method in METHODS.tools:
        reply = server.rpc("/rpc", method.name, {**_plausible(method.input_schema()), "confirm": True}, reader)
        if method.effect.read_only:
            assert "result" in reply.json, (method.name, reply.body)
        else:
            assert reply.json["error"]["data"]["code"] == "PermissionDenied", (method.name, reply.body)
    after = list(server.book.seen_by(Principal(user="ada"), server.book.door, None).transfer.export())[1:]
    assert after == before


def test_a_body_that_grows_too_large_is_cut_off_at_rpc_too(start: StartServer) -> None:
    server = start(body_limit=10_000)
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(
            b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(3):
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        assert b" 413 " in connection.recv(4096).split(b"\r\n")[0]


def _plausible(schema: dict[str, object]) -> dict[str, object]:
    """Arguments that a tool would take: the first memory wherever one is asked for."""
    values: dict[str, object] = {
        "string": "mem",
        "integer": 1,
        "number": 0.5,
        "boolean": True,
        "array": [],
        "object": {},
    }
    given: dict[str, object] = {}
    for name, each in schema["properties"].items():  # type: ignore[attr-defined]
        if "id" in name.split("_") or name == "id":
            given[name] = 1 if each.get("type") == "integer" else "1"
        elif name in schema.get("required", ()):  # type: ignore[operator]
            given[name] = each["enum"][0] if "enum" in each else values[each.get("type", "string")]
    return given


def _without_use(line: str) -> object:
    data = json.loads(line)
    data.get("memory", {}).pop("usage", None)
    return data


def test_metrics_are_for_admins(start: StartServer) -> None:
    server = start()
    assert server.send("GET", "/metrics", token=server.token(rights=WRITE)).status == 403
    assert server.send("GET", "/metrics", token=server.token(rights=EVERYTHING)).status == 200


# -- where from -------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80"])
def test_a_host_that_is_not_ours_is_refused(start: StartServer, host: str) -> None:
    assert start().send("GET", "/health", host=host).status == 421


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:80", "LOCALHOST:1", "memory.example:443"])
def test_our_own_names_are_let_in_whatever_the_port(start: StartServer, host: str) -> None:
    assert start(allowed_hosts="memory.example, other.example").send("GET", "/health", host=host).status == 204


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost.evil.example"])
def test_pages_of_other_origins_are_refused(start: StartServer, origin: str) -> None:
    server = start()
    reply = server.send("GET", "/health", origin=origin)
    assert reply.status == 403
    assert "access-control-allow-origin" not in reply.headers
    assert server.send("GET", "/health", origin="http://localhost:3000").status == 204


def test_no_route_answers_with_cors_headers(start: StartServer) -> None:
    server = start(oauth_issuer="https://issuer.example", oauth_resource="https://memory.example/mcp")
    token = server.token()
    for path in paths(server):
        for method in ("GET", "OPTIONS"):
            reply = server.send(method, path, token=token, origin="http://localhost:3000")
            assert "access-control-allow-origin" not in reply.headers, (path, method)


def test_a_body_must_be_json_and_not_too_large(start: StartServer) -> None:
    server = start(body_limit=10_000)
    assert server.send("POST", "/mcp", b"{}", content_type="text/plain").status == 415
    assert server.send("POST", "/mcp", b"x" * 10_001).status == 413
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(
            b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(3):
            connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        assert b" 413 " in connection.recv(4096).split(b"\r\n")[0]


def test_too_many_requests_are_told_when_to_come_back(start: StartServer) -> None:
    server = start(rate_per_minute=5)
    eager, patient = server.token("eager"), server.token("patient")
    statuses = [server.send("GET", "/ready", token=eager).status for _ in range(7)]
    assert statuses == [200] * 5 + [429] * 2
    assert int(server.send("GET", "/ready", token=eager).headers["retry-after"]) >= 1
    assert server.send("GET", "/ready", token=patient).status == 200


def test_another_address_is_refused_without_tokens(
    configuration: Configuration, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["serve", "--host", "0.0.0.0", "--port", "0", "--store", configuration.store])
    assert code == 1
    assert "token create" in capsys.readouterr().err
