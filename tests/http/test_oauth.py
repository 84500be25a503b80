"""Tokens of an issuer that really signs them, and of others that pretend to."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.http.conftest import Server, StartServer

RESOURCE = "https://memory.example/mcp"


class Issuer:
    """An OAuth issuer with metadata, keys and a pen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.key = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
        self.asked: list[str] = []

    def sign(self, key: Any = None, algorithm: str = "RS256", header: str = "k1", **changes: object) -> str:
        claims: dict[str, object] = {
            "iss": self.address,
            "aud": RESOURCE,
            "sub": "ada",
            "exp": int(time.time()) + 600,
            "scope": "read write",
            "tenant": "org",
        }
        claims = {name: value for name, value in {**claims, **changes}.items() if value is not None}
        return jwt.encode(claims, key or self.key, algorithm=algorithm, headers={"kid": header})

    def document(self, path: str) -> dict[str, object] | None:
        if path == "/.well-known/oauth-authorization-server":
            return {"issuer": self.address, "jwks_uri": f"{self.address}/keys"}
        if path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
            return {"keys": [{**public, "kid": "k1", "use": "sig", "alg": "RS256"}]}
        return None


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            document = made.document(self.path)
            self.send_response(200 if document else 404)
            self.end_headers()
            self.wfile.write(json.dumps(document or {}).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made = Issuer(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def server(start: StartServer, issuer: Issuer) -> Server:
    return start(oauth_issuer=issuer.address, oauth_resource=RESOURCE)


def test_a_token_of_the_issuer_lets_its_subject_in(server: Server, issuer: Issuer) -> None:
    token = issuer.sign()
    assert (
        server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, token).json["result"]["isError"]
        is False
    )
    assert b"Monday" in server.call("/mcp", "memory_recall", {"query": "deploys"}, token).body
    assert b"Monday" not in server.call("/mcp", "memory_recall", {"query": "deploys"}, issuer.sign(sub="bob")).body
    assert b"Monday" not in server.call("/mcp", "memory_recall", {"query": "deploys"}, issuer.sign(tenant="two")).body


def test_scopes_are_rights(server: Server, issuer: Issuer) -> None:
    reader = issuer.sign(scope="commonplace:read openid")
    reply = server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, reader)
    assert reply.json["result"]["isError"] is True
    assert server.send("GET", "/ready", token=issuer.sign(scope="openid profile")).status == 401


def test_every_flaw_is_refused_alike(server: Server, issuer: Issuer) -> None:
    other = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    public = issuer.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    flawed = {
        "another issuer": issuer.sign(iss="https://evil.example"),
        "another audience": issuer.sign(aud="https://other.example/mcp"),
        "no audience": issuer.sign(aud=None),
        "expired": issuer.sign(exp=int(time.time()) - 60),
        "never expires": issuer.sign(exp=None),
        "no subject": issuer.sign(sub=None),
        "another key": issuer.sign(key=other),
        "an unknown key id": issuer.sign(header="k2"),
        "an empty subject": issuer.sign(sub=""),
        "the person at the server": issuer.sign(sub="local"),
        "everybody's word for oneself": issuer.sign(sub="default"),
        "every team": issuer.sign(teams=["*"]),
        "every team among others": issuer.sign(teams=["core", "*"]),
        "unsigned": jwt.encode({"iss": issuer.address, "aud": RESOURCE, "sub": "ada"}, None, algorithm="none"),
        "garbage": "a.b.c",
    }
    header, payload, _ = issuer.sign().split(".")
    confused = jwt.utils.base64url_encode(json.dumps({"alg": "HS256", "kid": "k1"}).encode()).decode()

    signature = hmac.new(public, f"{confused}.{payload}".encode(), hashlib.sha256).digest()
    flawed["signed with the public key as a secret"] = (
        f"{confused}.{payload}.{jwt.utils.base64url_encode(signature).decode()}"
    )
    flawed["an altered payload"] = ".".join((header, payload[:-2] + "AA", issuer.sign().split(".")[2]))
    for name, token in flawed.items():
        reply = server.send("GET", "/ready", token=token)
        assert reply.status == 401, name
        assert 'error="invalid_token"' in reply.headers["www-authenticate"]
    assert server.send("GET", "/ready", token=issuer.sign()).status == 200


@pytest.mark.parametrize(
    "subject", ["auth0|5f2c", "ada@example.org", "https://issuer.example/users/7", "ädä; DROP TABLE"]
)
def test_a_subject_may_be_called_anything_and_sees_what_is_its_own(
    server: Server, issuer: Issuer, subject: str
) -> None:
    token = issuer.sign(sub=subject)
    server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, token)
    assert b"Monday" in server.call("/mcp", "memory_list", {}, token).body
    assert b"Monday" not in server.call("/mcp", "memory_list", {}, issuer.sign(sub=f"{subject}~7c")).body


def test_our_own_tokens_work_beside_the_issuers(server: Server) -> None:
    assert server.send("GET", "/ready", token=server.token()).status == 200
    assert server.send("GET", "/ready").status == 401


def test_the_metadata_says_whom_to_ask(server: Server, issuer: Issuer) -> None:
    challenge = server.send("GET", "/mcp").headers["www-authenticate"]
    address = "https://memory.example/.well-known/oauth-protected-resource/mcp"
    assert f'resource_metadata="{address}"' in challenge
    reply = server.send("GET", address.removeprefix("https://memory.example"))
    assert reply.json["resource"] == RESOURCE
    assert reply.json["authorization_servers"] == [issuer.address]


def test_keys_are_fetched_once_for_many_tokens(server: Server, issuer: Issuer) -> None:
    for _ in range(5):
        assert server.send("GET", "/ready", token=issuer.sign()).status == 200
    assert issuer.asked.count("/keys") == 1


def test_an_issuer_that_is_away_is_not_the_callers_fault(start: StartServer, issuer: Issuer) -> None:
    away = start(oauth_issuer="http://127.0.0.1:9", oauth_resource=RESOURCE)
    reply = away.send("GET", "/ready", token=issuer.sign(iss="http://127.0.0.1:9"))
    assert reply.status == 503
    assert "retry-after" in reply.headers
