"""`commonplace serve` as a process: what it refuses to open, when it says that it serves, and what breaks it."""

import json
import socket
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from commonplace.book.book import Book
from commonplace.cli import main
from commonplace.config import Configuration, load
from commonplace.dialects import NATIVE, dialect_names
from commonplace.serve.gate import HEALTH, PROXY_HEADERS, Gate
from commonplace.serve.http import build_app, surfaces
from commonplace.serve.listening import bound, listening
from tests.security.door import GONE, LIMIT_SECONDS, Process, ask, ask_raw, request, serving

NAME = "memory.example.org"
LOCAL = ("Host", "localhost")
PLAIN_HEADER = urlsafe_b64encode(b'{"alg": "RS256", "kid": "k1"}').rstrip(b"=").decode()
JSON = (("Content-Type", "application/json"), ("Content-Length", "2"))


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    return load({"store": str(tmp_path / "book.db"), "model": "none"})


def make_token(store: Path, *words: str) -> None:
    assert main(["token", "create", "--user", "ada", "--store", str(store), "--quiet", *words]) == 0


# -- starting ---------------------------------------------------------------------------------

PUBLIC = (
    ("--allow-host", NAME),
    ("--allow-host", f"localhost,{NAME}"),
    ("--allow-host", "192.0.2.7"),
    ("--allow-host", "[2001:db8::7]"),
    ("--allow-host", "2001:db8::7"),
    ("--host", "0.0.0.0"),
    ("--host", "::"),
    ("--host", "192.0.2.7"),
    ("--host", NAME),
)
NO_NAMES = ("*", "*.example.org", "a b", "evil@localhost", "http://x", "localhost:70000", "[::1", "localhost,*", "ä")


def test_a_public_name_is_not_served_without_a_token(tmp_path: Path) -> None:
    with serving(tmp_path, "--allow-host", NAME) as server:
        assert server.ended() == 1
        assert "commonplace token create" in server.said
        assert len(server.said.splitlines()) == 1


@pytest.mark.parametrize("words", PUBLIC, ids=" ".join)
def test_nothing_public_is_served_without_a_token_or_an_issuer(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--store", str(tmp_path / "book.db"), "--port", "0", *words]) == 1
    said = capsys.readouterr().err
    assert "commonplace token create" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("names", NO_NAMES)
def test_what_is_no_name_cannot_be_allowed(tmp_path: Path, names: str, capsys: pytest.CaptureFixture[str]) -> None:
    make_token(tmp_path / "book.db")
    capsys.readouterr()
    assert main(["serve", "--store", str(tmp_path / "book.db"), "--port", "0", "--allow-host", names]) == 1
    said = capsys.readouterr().err
    assert "allowed_hosts" in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("host", ["192.0.2.7", "no-such-name.invalid", "a" * 300])
def test_an_address_that_is_not_ours_is_one_sentence(
    tmp_path: Path, host: str, capsys: pytest.CaptureFixture[str]
) -> None:
    make_token(tmp_path / "book.db")
    capsys.readouterr()
    assert main(["serve", "--store", str(tmp_path / "book.db"), "--port", "0", "--host", host]) == 1
    said = capsys.readouterr().err
    assert host in said
    assert "Serving" not in said
    assert len(said.splitlines()) == 1


def test_a_public_name_is_served_once_there_is_a_token(tmp_path: Path) -> None:
    make_token(tmp_path / "book.db")
    with serving(tmp_path, "--allow-host", NAME, "--dialects", "nuzo,native") as server:
        line = server.announced()
        assert line["surfaces"] == "/mcp and /nuzo/mcp", "no more than it was told to have"
        port = int(line["port"])
        assert ask(port, "GET", "/ready", [("Host", NAME)]).status == 401
        assert ask(port, "GET", HEALTH, [("Host", NAME)]).status == 204
        server.stop()
        assert "every user" not in server.said


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with serving(tmp_path, "--port", str(port)) as server:
            assert server.ended() == 1
            assert "Serving" not in server.said
            assert str(port) in server.said
            assert "--port" in server.said
            assert len(server.said.splitlines()) == 1


def test_answers_are_sent_at_once() -> None:
    """asyncio turns off Nagle's algorithm only where the socket says that it is TCP."""
    with bound("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_the_web_server_believes_no_header_of_where_a_request_is_from(configuration: Configuration) -> None:
    with Book.open(configuration=configuration) as book:
        config = listening(build_app(book, configuration), configuration.settings)
        config.load()
        assert config.proxy_headers is False
        assert isinstance(config.loaded_app, Gate), "nothing stands before the gate"


# -- what it says -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server nobody made a token for."""
    with serving(tmp_path_factory.mktemp("local")) as server:
        server.announced()
        yield server


def test_serving_is_said_once_it_is_true_with_its_surfaces_and_who_may_come_in(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        line = server.announced()
        assert int(line["port"]) > 0, "the port that was found, not the one that was asked for"
        assert ask(int(line["port"]), "GET", HEALTH, [LOCAL]).status == 204
        told = line["surfaces"].replace(" and ", ", ").split(", ")
        methods = {"/rpc", "/teams"}  # aleph's, and those of onelamp's contract that are no tools
        assert set(told) == {*methods, "/mcp", *(f"/{name}/mcp" for name in dialect_names() if name != NATIVE)}
        for path in told:
            assert ask(server.port, "POST", path, [LOCAL, *JSON], b"{}").status not in (401, 404), path
        server.stop()
        assert "every user of this machine" in server.said
        assert "commonplace token create --user local" in server.said


def test_no_password_is_in_what_it_says(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    address = f"postgresql://librarian:hunter2secret@127.0.0.1:{port}/memory?connect_timeout=1"
    with serving(tmp_path, COMMONPLACE_STORE=address, COMMONPLACE_BUSY_SECONDS="1") as server:
        line = server.announced()
        assert "librarian" in line["store"]
        assert ask(int(line["port"]), "GET", "/ready", [LOCAL]).status == 503
        server.stop()
        assert "hunter2secret" not in server.said


def test_health_looks_at_no_store(tmp_path: Path) -> None:
    """The book has become one of a later version, so whoever looked at it would have to say so."""
    with serving(tmp_path) as server:
        port = int(server.announced()["port"])
        with closing(sqlite3.connect(tmp_path / "book.db")) as database:
            database.execute("PRAGMA user_version = 99")
        heard = ask(port, "GET", HEALTH, [LOCAL])
        assert (heard.status, heard.body) == (204, b"")
        refused = ask(port, "GET", "/ready", [LOCAL])
        assert refused.status == 503
        assert str(tmp_path).encode() not in refused.body
        server.stop()
        assert str(tmp_path) in server.said, "whoever runs it reads there what is wrong"


# -- a proxy before it ------------------------------------------------------------------------


def test_a_request_through_a_proxy_needs_a_token(local: Process) -> None:
    assert ask(local.port, "GET", "/ready", [LOCAL]).status == 200
    for name in (*sorted(PROXY_HEADERS), "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Anything"):
        heard = ask(local.port, "GET", "/ready", [LOCAL, (name, "127.0.0.1")])
        assert heard.status == 401, name
        sentence = json.loads(heard.body)["error"]["message"]
        assert "commonplace token create" in sentence
        assert f'error_description="{sentence}"' in heard.headers["www-authenticate"]
    assert ask(local.port, "GET", HEALTH, [LOCAL, ("X-Forwarded-For", "203.0.113.9")]).status == 204


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_mcp_client_shows_our_sentence(local: Process, mode: str) -> None:
    """The official SDK's, with the header a proxy adds: it raises what the body says, and not "an error"."""

    async def connect() -> None:
        http = httpx2.AsyncClient(headers={"X-Forwarded-For": "203.0.113.9"})
        address = f"http://127.0.0.1:{local.port}/mcp"
        async with http, Client(streamable_http_client(address, http_client=http), mode=mode):
            raise AssertionError("it was let in")

    with pytest.raises(BaseExceptionGroup) as caught:
        anyio.run(connect)
    error: BaseException = caught.value
    while isinstance(error, BaseExceptionGroup):
        (error,) = error.exceptions
    assert isinstance(error, MCPError)
    assert "commonplace token create" in str(error)


# -- malformed --------------------------------------------------------------------------------

HEADERS = (
    "Host",
    "Origin",
    "Authorization",
    "Content-Length",
    "Content-Type",
    "Transfer-Encoding",
    "Forwarded",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "Accept",
    "Mcp-Session-Id",
    "Mcp-Protocol-Version",
    "Expect",
    "Upgrade",
    "Cookie",
    "Last-Event-ID",
)
VALUES = (
    b"",
    b"http://[",
    b"http://]",
    b"[",
    b"[::1",
    b"[::1]x",
    b"[::1].evil.com",
    b"localhost:1@evil.com",
    b"://",
    b"//",
    b"http://localhost:port",
    b"http://localhost:99999999",
    b"abc",
    b"-1",
    b"+2",
    b"0x2",
    b"2, 2",
    b"2.0",
    b"1e3",
    b"9" * 19,
    b"9" * 5_000,
    b"\xb2",
    b"\xff\xfe",
    b"\xd8\x00",
    b"\x80" * 100,
    b"\t",
    b"a" * 9_000,
    b"a" * 200_000,
    b"Bearer",
    b"Bearer ",
    b"Bearer \xff",
    b"Bearer cp_",
    b"Bearer cp__",
    b"Bearer cp_\xff_\xff",
    b"bearer a.b.c",
    b"Bearer " + b"W" * 12_000,
    b"%",
    b"%00",
    b"\x00",
    b"\x0b",
    b"a\rb",
    b'for="[',
    b"100-continue",
    b"websocket",
    b"chunked",
    b"gzip",
    b"application/json; charset=\xff",
    b"application/json;;;",
    b"2147483648",
    b"18446744073709551616",
)
WHOLE = (
    b"\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /mcp\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET  /  HTTP/1.1\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://localhost/ready HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /%ff%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"G\xc3T / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /ready HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET /ready HTTP/1.1\r\n\r\n",
    b"GET /ready HTTP/1.0\r\n\r\n",
    b"GET /ready HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n",
    b"GET /ready HTTP/1.1\r\nHost : localhost\r\n\r\n",
    b"GET /ready HTTP/1.1\r\nno colon\r\n\r\n",
    b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
)


def malformed() -> Iterator[bytes]:
    for name, value in product(HEADERS, VALUES):
        for method, path in (("GET", "/ready"), ("POST", "/rpc")):
            lines: list[tuple[str, str | bytes]] = [(name, value)]
            if name != "Host":
                lines.append(LOCAL)
            if method == "POST":
                lines += [line for line in JSON if line[0] != name]
            yield request(method, path, lines, b"{}" if method == "POST" else b"")
    yield from WHOLE


@pytest.fixture(scope="module")
def with_issuer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server that takes tokens of an issuer, under a public name; the issuer is away."""
    settings = {
        "COMMONPLACE_OAUTH_ISSUER": "https://issuer.example",
        "COMMONPLACE_OAUTH_RESOURCE": f"https://{NAME}/mcp",
        "COMMONPLACE_OAUTH_JWKS": "http://127.0.0.1:9/",
    }
    with serving(tmp_path_factory.mktemp("issuer"), "--allow-host", NAME, **settings) as server:
        server.announced()
        yield server


@pytest.mark.parametrize("which", ["local", "with_issuer"])
def test_no_malformed_request_is_an_error_of_ours(which: str, request: pytest.FixtureRequest) -> None:
    server: Process = request.getfixturevalue(which)
    tried = unanswered = 0
    for data in malformed():
        heard = ask_raw(server.port, data, patience_seconds=1.0)
        unanswered += heard.status == GONE
        assert heard.status < 500, (data[:200], heard)
        tried += 1
    assert ask(server.port, "GET", HEALTH, [LOCAL]).status == 204
    assert "Traceback" not in server.said, server.said[-4_000:]
    print(f"{tried:,} malformed requests to a server that is {which}, 0 errors of ours, {unanswered} cut off")
    assert tried > 1_500
    assert unanswered < tried / 10


def test_with_an_issuer_this_machine_needs_a_token_too(with_issuer: Process) -> None:
    for path, host in product(("/ready", "/metrics", *surfaces(dialect_names())), ("localhost", "127.0.0.1", NAME)):
        assert ask(with_issuer.port, "GET", path, [("Host", host)]).status == 401, (path, host)
    assert "every user" not in with_issuer.said


def test_a_token_nested_without_end_is_refused_like_any_other(with_issuer: Process) -> None:
    for depth in (10, 500, 2_000, 5_000):
        deep = urlsafe_b64encode(b'{"alg": "RS256", "kid": ' + b"[" * depth + b"]" * depth + b"}").rstrip(b"=").decode()
        for token in (f"{deep}.{deep}.AAAA", f"{PLAIN_HEADER}.{deep}.AAAA"):
            heard = ask(with_issuer.port, "GET", "/ready", [("Host", NAME), ("Authorization", f"Bearer {token}")])
            assert heard.status in (400, 401, 503), (depth, heard)
    assert "Traceback" not in with_issuer.said


# -- how many at once -------------------------------------------------------------------------


def test_more_connections_than_allowed_are_told_to_come_back(tmp_path: Path) -> None:
    limit = 10
    with serving(tmp_path, COMMONPLACE_CONNECTION_LIMIT=str(limit)) as server:
        port = int(server.announced()["port"])
        idle = [socket.create_connection(("127.0.0.1", port), timeout=LIMIT_SECONDS) for _ in range(limit)]
        for each in idle:
            each.sendall(b"GET /health HTTP/1.1\r\n")
        assert ask(port, "GET", HEALTH, [LOCAL]).status == 503
        for each in idle:
            each.close()
        statuses = (ask(port, "GET", HEALTH, [LOCAL]).status for _ in range(10_000))
        assert next(status for status in statuses if status != 503) == 204


def test_a_head_that_never_ends_is_cut_off(local: Process) -> None:
    heard = ask_raw(local.port, b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 1_000_000)
    assert heard.status in (400, GONE)
    assert ask(local.port, "GET", HEALTH, [LOCAL]).status == 204
