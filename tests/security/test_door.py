"""Every way to the server, crossed: its own routes, methods, tokens, proxies, hosts and origins. Nobody gets in."""

import base64
import json
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

import pytest
from starlette.routing import Route

from commonplace.dialects import dialect_names
from commonplace.domain.record import replace
from commonplace.domain.scope import EVERY_TEAM, Principal, Right
from commonplace.serve.gate import API, HEALTH, PROXY_HEADERS, WELL_KNOWN
from commonplace.serve.http import path_of
from commonplace.serve.page_files import SHELL, page_files
from tests.http.conftest import Server, running
from tests.security.door import Caller, Heard, Lines

METHODS_TRIED = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
WITH_A_BODY = ("POST", "PUT", "PATCH")
LOCAL = ("Host", "localhost")
FORWARDED = ("x-forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Anything")
PAGE = frozenset(page_files())
"""The page without any data: what else is open, and nothing beside it."""
STRAY = (
    "//",
    "/index.html",
    "/page",
    "/page/",
    "/page/index.html",
    "/page/../api/v1/me",
    "/page/..%2fapi%2fv1%2fme",
    "/page/%2e%2e/api/v1/memories",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/api/v1/me/",
    "/API/v1/me",
    "/api/v1/nothing",
    "//api/v1/me",
    "//mcp",
    "/mcp/",
    "/MCP",
    "/%6dcp",
    "/mcp%00",
    "/rpc/",
    "/mcp?token=1",
    "/nothing",
    "/health/",
    "/health/../mcp",
    "/.well-known/../mcp",
    "/.well-known/..%2fmcp",
    "/.well-known/%2e%2e/rpc",
    "/health%2f..%2fmcp",
    "/health;/mcp",
    "/aleph/mcp/../../metrics",
    "/.well-known",
    "/ready#/health",
    "/metrics?/health",
    "/healthz",
    "/ready/",
)
STREAMS = {(path_of(name), "GET") for name in dialect_names()}  # with a good token these would not end
ISSUER = {"oauth_issuer": "https://issuer.example", "oauth_resource": "https://memory.example/mcp"}

Line = tuple[str, str | bytes]


def routes(server: Server) -> list[str]:
    """Every route of the app itself, so that a new one is here at once."""
    found = [route.path for route in server.app.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    assert len(found) >= len(dialect_names()) + 4
    return found


def is_open(path: str) -> bool:
    return path == HEALTH or path.startswith(WELL_KNOWN) or path in PAGE


class Door:
    """A server, and a hand to knock at it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._caller = Caller(server.port)

    def __enter__(self) -> "Door":
        return self

    def __exit__(self, *error: object) -> None:
        self._caller.close()

    def knock(self, method: str, path: str, *lines: Line) -> Heard:
        """A request that has nothing wrong with it but what the lines say."""
        given: Lines = lines if any(name == "Host" for name, _ in lines) else (LOCAL, *lines)
        if method not in WITH_A_BODY:
            return self._caller.ask(method, path, given)
        body = (("Content-Type", "application/json"), ("Content-Length", "2"))
        return self._caller.ask(method, path, (*given, *body), b"{}")


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A server with tokens of its own and of an issuer."""
    store = str(tmp_path_factory.mktemp("door") / "book.db")
    with running(store=store, allowed_hosts="memory.example", rate_per_minute=10_000_000, **ISSUER) as started:
        started.token("ada")
        with Door(started) as door:
            yield door


@pytest.fixture(scope="module")
def unlocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A server that nobody made a token for: this machine may ask."""
    with running(store=str(tmp_path_factory.mktemp("open") / "book.db"), rate_per_minute=10_000_000) as started:
        started.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"})
        with Door(started) as door:
            yield door


def credentials(server: Server) -> dict[str, tuple[Line, ...]]:
    """What does not let anybody in, as header lines."""
    access = server.book.access
    good, other = server.token("good"), server.token("other", tenant="elsewhere")
    gone, old = server.token("gone"), access.create(Principal(user="old", teams=()), "old", expires_at=1).secret
    access.revoke(gone.split("_")[1])
    swapped = "_".join((*good.split("_")[:2], other.split("_", 2)[2]))
    unsigned = ".".join(
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": "none"}, {"iss": ISSUER["oauth_issuer"], "aud": ISSUER["oauth_resource"], "sub": "ada"})
    )
    bearers: dict[str, str | bytes] = {
        "forged": good[:-1] + ("a" if good[-1] != "a" else "b"),
        "another's secret": swapped,
        "revoked": gone,
        "expired": old,
        "no secret": "_".join(good.split("_")[:2]),
        "bare secret": good.split("_", 2)[2],
        "garbage": "cp_x",
        "SQL": "cp_' OR 1=1 --_x",
        "long": "cp_" + "a" * 12_000,
        "upper case": good.upper(),
        "doubled": f"{good} {good}",
        "a list": f"{good}, Bearer {good}",
        "unsigned": f"{unsigned}.",
        "no ASCII": b"cp_\xff_\xe9",
        "a star": "*",
        "quoted": f'"{good}"',
        "the word null": "null",
        "a blank": " ",
        "our prefix": "cp_",
    }
    presented = {
        name: b"Bearer " + (token.encode() if isinstance(token, str) else token) for name, token in bearers.items()
    }
    basic = base64.b64encode(f"ada:{good}".encode()).decode()
    return {
        **{name: (("Authorization", value),) for name, value in presented.items()},
        "none": (),
        "empty": (("Authorization", ""),),
        "no scheme": (("Authorization", good),),
        "another scheme": (("Authorization", f"Basic {basic}"),),
        "a scheme alone": (("Authorization", "Bearer"),),
        "a cookie": (("Cookie", f"token={good}; access_token={good}"),),
        "a key": (("X-Api-Key", good), ("Proxy-Authorization", f"Bearer {good}")),
    }


# -- tokens -----------------------------------------------------------------------------------


def test_no_route_and_no_method_takes_anything_but_a_good_token(guarded: Door) -> None:
    refused, paths = credentials(guarded.server), routes(guarded.server)
    proxied: list[tuple[str, tuple[Line, ...]]] = [
        ("GET", (("X-Forwarded-For", "127.0.0.1"),)),
        ("POST", (("Forwarded", "for=127.0.0.1;host=localhost"),)),
    ]
    ways = [*((method, ()) for method in METHODS_TRIED), *proxied]
    tried = 0
    for path, (method, proxy), (name, lines) in product(paths, ways, refused.items()):
        heard = guarded.knock(method, path, *lines, *proxy)
        tried += 1
        if is_open(path):
            assert heard.status in (200, 204, 405), (path, method, name)
        else:
            assert heard.status == 401, (path, method, name, proxy, heard)
            assert "resource_metadata=" in heard.headers["www-authenticate"]
        assert "access-control-allow-origin" not in heard.headers
    good = guarded.server.token("good")
    for path, method in product(paths, METHODS_TRIED):
        if (path, method) not in STREAMS:
            assert guarded.knock(method, path, ("Authorization", f"Bearer {good}")).status != 401, (path, method)
    print(f"{tried:,} requests with {len(refused)} bad credentials, 0 ways in")
    assert tried > 2_500


def test_no_spelling_of_a_path_goes_round_the_gate(guarded: Door) -> None:
    tried, refused = 0, credentials(guarded.server)
    for path, method, name in product(STRAY, METHODS_TRIED, ("none", "forged", "expired", "a cookie")):
        heard = guarded.knock(method, path, *refused[name])
        allowed = (404, 405) if path.startswith(WELL_KNOWN) else (400, 401)
        assert heard.status in allowed, (path, method, name, heard)
        tried += 1
    print(f"{tried:,} requests to {len(STRAY)} paths that are no routes, 0 ways in")
    assert tried > 700


@pytest.mark.parametrize("right", list(Right))
def test_only_admins_read_the_metrics_and_any_token_asks_whether_it_is_ready(guarded: Door, right: Right) -> None:
    server = guarded.server
    token = server.token("one", rights=frozenset({right}))
    assert server.send("GET", "/ready", token=token).status == 200
    reply = server.send("GET", "/metrics", token=token)
    assert reply.status == (200 if right is Right.ADMIN else 403)
    if right is not Right.ADMIN:
        challenge = reply.headers["www-authenticate"]
        assert 'error="insufficient_scope"' in challenge
        assert 'scope="admin"' in challenge
        assert f'error_description="{reply.json["error"]["message"]}"' in challenge


def test_health_is_open_empty_and_for_reading_only(guarded: Door) -> None:
    for method in METHODS_TRIED:
        heard = guarded.knock(method, HEALTH)
        assert heard.status == (204 if method in ("GET", "HEAD") else 405), method
        assert heard.body == b"" or heard.status == 405


def test_a_token_stored_with_every_team_is_in_those_it_names(guarded: Door) -> None:
    access = guarded.server.book.access
    issued = access.create(Principal(user="eve", teams=()), "eve")
    stored = replace(issued.token, principal=replace(issued.token.principal, teams=(EVERY_TEAM, "core")))
    guarded.server.book._caller.store.tokens.replace(stored)
    assert access.verify(issued.secret).principal.teams == ("core",)
    assert {token.id: token.principal.teams for token in access.list()}[stored.id] == ("core",)
    for scope, refused in (("team:other", True), ("team:core", False)):
        reply = guarded.server.call("/mcp", "memory_list", {"scope": scope}, issued.secret)
        assert reply.json["result"]["isError"] is refused, scope


# -- proxies ----------------------------------------------------------------------------------


def test_whoever_comes_through_a_proxy_is_not_the_local_person(unlocked: Door) -> None:
    names, paths, tried = (*sorted(PROXY_HEADERS), *FORWARDED), routes(unlocked.server), 0
    values = ("127.0.0.1", "::1", "for=127.0.0.1", "localhost", "abc", "", "203.0.113.9, 127.0.0.1")
    everywhere = product(names, ("127.0.0.1",), paths, ("GET", "POST"))
    anything = product((name.upper() for name in names), values, ("/ready",), ("GET",))
    for name, value, path, method in chain(everywhere, anything):
        heard = unlocked.knock(method, path, (name, value))
        tried += 1
        if is_open(path):
            assert heard.status in (200, 204, 405)
        else:
            assert heard.status == 401, (path, method, name, value, heard)
            assert "token create" in json.loads(heard.body)["error"]["message"]
    assert unlocked.knock("GET", "/ready").status == 200
    print(f"{tried:,} requests with {len(names)} headers of proxies, 0 taken for local")
    assert tried > 500


def test_under_a_public_name_nobody_is_local_even_if_the_tokens_are_gone(tmp_path: Path) -> None:
    """As when a copy from before the first token is put in the place of the book of a running server."""
    with running(store=str(tmp_path / "book.db"), allowed_hosts="memory.example") as started, Door(started) as door:
        for path in routes(started):
            there = 200 if path in PAGE else 204
            assert door.knock("GET", path).status == (there if is_open(path) else 401), path


# -- the page ---------------------------------------------------------------------------------


def test_what_is_open_of_the_page_are_the_files_of_the_package_and_they_are_the_same_for_everybody(
    guarded: Door, unlocked: Door
) -> None:
    opened = {path for path in routes(guarded.server) if is_open(path) and not path.startswith(WELL_KNOWN)}
    assert opened == {HEALTH, *PAGE}
    assert SHELL in PAGE
    for path in sorted(PAGE):
        here, there = guarded.knock("GET", path), unlocked.knock("GET", path)
        assert here.status == there.status == 200
        assert here.body == there.body == page_files()[path].content
        assert "default-src 'none'" in here.headers["content-security-policy"]
        assert "unsafe" not in here.headers["content-security-policy"]
        assert here.headers["x-content-type-options"] == "nosniff"
        assert "set-cookie" not in here.headers
        again = guarded.knock("GET", path, ("If-None-Match", here.headers["etag"]))
        assert (again.status, again.body) == (304, b"")


def test_an_answer_of_the_api_is_kept_by_nobody(guarded: Door) -> None:
    for path in (path for path in routes(guarded.server) if path.startswith(API)):
        for lines in ((), (("Authorization", f"Bearer {guarded.server.token('good')}"),)):
            heard = guarded.knock("GET", path, *lines)
            assert heard.headers["cache-control"] == "no-store", (path, heard)
            assert heard.headers["x-content-type-options"] == "nosniff"
            assert heard.headers["cross-origin-resource-policy"] == "same-origin"


# -- hosts and origins ------------------------------------------------------------------------

FOREIGN_HOSTS: tuple[str | bytes, ...] = (
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "[::1].evil.com",
    "[::1]evil.com",
    "[::1",
    "localhost:1@evil.com",
    "evil.com@localhost",
    "localhost:80:80",
    "localhost:",
    "localhost:port",
    "localhost:99999",
    "localhost.",
    ".localhost",
    "localhost/",
    "localhost\\",
    "localhost#",
    "localhost?",
    "localhost,evil.example",
    "localhost evil.example",
    "*",
    "0.0.0.0",
    "127.1",
    "2130706433",
    "0x7f.1",
    "[::ffff:127.0.0.1]",
    "[::]",
    "::1",
    "memory.example.evil.example",
    "xmemory.example",
    "memory.example:443@evil",
    "http://localhost",
    "[localhost]",
    b"localhost\xff",
    b"\xe9.example",
)
OWN_HOSTS = ("localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:80", "[0:0:0:0:0:0:0:1]", "memory.example:443")
FOREIGN_ORIGINS: tuple[str | bytes, ...] = (
    "null",
    "",
    "http://[",
    "http://]",
    "http://",
    "://",
    "localhost",
    "//localhost",
    "http://evil.example",
    "https://localhost.evil.example",
    "http://localhost@evil.example",
    "http://evil.example@localhost",
    "http://[::1].evil.com",
    "http://localhost:1@evil.com",
    "http://localhost\\@evil.com",
    "http://localhost#evil.com",
    "http://localhost/",
    "http://localhost evil",
    "file://",
    "http://127.0.0.1:port",
    b"http://localhost\xff",
    "http://evil.example http://localhost",
)
OWN_ORIGINS = ("http://localhost", "http://localhost:3000", "https://memory.example", "http://[::1]:8765")


def test_no_foreign_host_or_origin_is_ours_whoever_asks(guarded: Door, unlocked: Door) -> None:
    tried, bearer = 0, ("Authorization", f"Bearer {guarded.server.token('good')}")
    for there, lines in ((guarded, (bearer,)), (unlocked, ())):
        paths = routes(there.server)
        for path, host in product(paths, FOREIGN_HOSTS):
            heard = there.knock("GET", path, ("Host", host), *lines)
            assert heard.status in (421, 400), (path, host, heard)
            tried += 1
        for path, origin, method in product(paths, FOREIGN_ORIGINS, ("GET", "POST", "OPTIONS")):
            heard = there.knock(method, path, ("Origin", origin), *lines)
            assert heard.status == 403, (path, origin, heard)
            assert "access-control-allow-origin" not in heard.headers
            tried += 1
        twice = there.knock("GET", HEALTH, ("Origin", "http://localhost"), ("Origin", "http://evil.example"), *lines)
        assert twice.status == 403
    for host, origin in product(OWN_HOSTS, OWN_ORIGINS):
        assert guarded.knock("GET", HEALTH, ("Host", host), ("Origin", origin)).status == 204, (host, origin)
    print(f"{tried:,} requests with {len(FOREIGN_HOSTS)} hosts and {len(FOREIGN_ORIGINS)} origins, 0 taken for ours")
    assert tried > 1_500
