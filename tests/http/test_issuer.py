"""Where an issuer's keys are looked for, whose word is taken for it, and what asking may cost."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from commonplace.errors import InvalidInput, StoreError
from commonplace.http_client import Bounds
from commonplace.serve import issuer_keys
from commonplace.serve.issuer_keys import KEPT_SECONDS, PAUSE_SECONDS, IssuerKeys
from commonplace.serve.oauth import Issuer
from tests.http.conftest import StartServer
from tests.http.test_oauth import RESOURCE

KEY = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
PUBLIC = {**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key())), "use": "sig", "alg": "RS256"}
RFC_8414 = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"

Answer = Callable[[BaseHTTPRequestHandler], None]


class Web:
    """Pages of a host, each answered as a test says, and which of them were asked for."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.pages: dict[str, Answer] = {}
        self.asked: list[str] = []

    def says(self, path: str, document: object, status: int = 200, **headers: str) -> None:
        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            for name, value in headers.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(json.dumps(document).encode())

        self.pages[path] = answer

    def has_keys(self, *names: str, path: str = "/keys") -> None:
        self.says(path, {"keys": [{**PUBLIC, "kid": name} for name in names]})

    def describes(self, place: str, issuer: str, keys: str = "/keys") -> None:
        self.says(place, {"issuer": issuer, "jwks_uri": f"{self.origin}{keys}"})


@pytest.fixture
def web() -> Iterator[Web]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append(self.path)
            made.pages.get(self.path, lambda request: request.send_error(404))(self)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    made = Web(f"http://127.0.0.1:{server.server_address[1]}")
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    server.shutdown()
    server.server_close()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def keys_of(issuer: str, jwks: str = "", clock: Clock | None = None) -> IssuerKeys:
    made = Issuer(issuer, RESOURCE, jwks)
    return IssuerKeys(made.issuer, made.described_at, made.jwks, clock or Clock())


def refused(keys: IssuerKeys, caplog: pytest.LogCaptureFixture) -> str:
    """That there are no keys, and why, which is for the log."""
    with pytest.raises(StoreError):
        keys.find("k1")
    return caplog.text


# -- where ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "/", "/tenant", "/tenant/", "/a/b"])
@pytest.mark.parametrize("form", ["RFC 8414", "OpenID Connect"])
def test_an_issuer_is_found_wherever_its_path_has_to_stand(web: Web, path: str, form: str) -> None:
    bare = path.rstrip("/")
    web.describes(f"{RFC_8414}{bare}" if form == "RFC 8414" else f"{bare}{OPENID}", f"{web.origin}{path}")
    web.has_keys("k1")
    assert keys_of(f"{web.origin}{path}").find("k1") is not None
    assert web.asked[0] == f"{RFC_8414}{bare}", "the issuer's own document comes first"


@pytest.mark.parametrize("claimed", ["", "/other", "/tenant/", "https://evil.example"])
def test_a_document_that_names_another_issuer_is_not_this_ones(
    web: Web, claimed: str, caplog: pytest.LogCaptureFixture
) -> None:
    named = claimed if claimed.startswith("https") else f"{web.origin}{claimed}"
    for place in (f"{RFC_8414}/tenant", f"/tenant{OPENID}"):
        web.describes(place, named)
    web.has_keys("k1")
    assert "of another issuer" in refused(keys_of(f"{web.origin}/tenant"), caplog)
    assert "/keys" not in web.asked


def test_the_second_document_counts_where_the_first_is_anothers(web: Web) -> None:
    web.describes(f"{RFC_8414}/tenant", web.origin, keys="/others")
    web.describes(f"/tenant{OPENID}", f"{web.origin}/tenant")
    web.has_keys("k1")
    assert keys_of(f"{web.origin}/tenant").find("k1") is not None
    assert "/others" not in web.asked


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("which", ["metadata", "keys"])
def test_nothing_is_followed_elsewhere(web: Web, status: int, which: str, caplog: pytest.LogCaptureFixture) -> None:
    web.has_keys("k1", path="/elsewhere")
    web.describes("/moved", web.origin, keys="/elsewhere")
    web.describes(RFC_8414, web.origin)
    if which == "metadata":
        web.says(RFC_8414, {}, status, Location=f"{web.origin}/moved")
        web.says(OPENID, {}, status, Location=f"{web.origin}/moved")
    else:
        web.says("/keys", {}, status, Location=f"{web.origin}/elsewhere")
    assert f"answered {status}" in refused(keys_of(web.origin), caplog)
    assert not {"/moved", "/elsewhere"} & set(web.asked)


def test_keys_named_in_the_settings_are_asked_for_and_nothing_else(web: Web) -> None:
    web.has_keys("k1", path="/named")
    assert keys_of("https://login.example", f"{web.origin}/named").find("k1") is not None
    assert web.asked == ["/named"]


def test_a_document_that_came_over_tls_does_not_lead_into_the_clear() -> None:
    place = "https://login.example/.well-known/openid-configuration"
    with pytest.raises(issuer_keys._Unusable, match="not https"):
        issuer_keys._no_plainer("http://login.example/keys", place)
    assert issuer_keys._no_plainer("https://keys.example/", place) == "https://keys.example/"


@pytest.mark.parametrize(
    "wrong",
    [
        "login.example",
        "ftp://login.example",
        "https://",
        "https://a:b@login.example",
        "https://login.example/#x",
        "https://login.example?x=1",
        "https://[",
        "https://a:b",
    ],
)
def test_what_is_no_address_of_an_issuer_is_refused_before_anything_is_served(wrong: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Issuer(wrong, RESOURCE)
    assert caught.value.argument == "oauth_issuer"


# -- what it costs ----------------------------------------------------------------------------


def endless(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.end_headers()
    try:
        while True:
            request.wfile.write(b" " * 65_536)
    except OSError:
        return


def dripping(request: BaseHTTPRequestHandler) -> None:
    """One byte at a time, each in time, and never a whole header."""
    pause = threading.Event()
    try:
        request.wfile.write(b"HTTP/1.0 200 OK\r\nX: ")
        while not pause.wait(0.01):
            request.wfile.write(b"x")
    except OSError:
        return


@pytest.mark.parametrize(("page", "why"), [(endless, "more than"), (dripping, "did not answer within")])
def test_an_answer_has_a_size_and_a_time(
    web: Web, page: Answer, why: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(issuer_keys, "BOUNDS", Bounds(0.3 if page is dripping else 60.0, 262_144))
    web.pages["/keys"] = page
    assert why in refused(keys_of(web.origin, f"{web.origin}/keys"), caplog)


@pytest.mark.parametrize("document", [[], "keys", {"keys": []}, {"keys": [{"kty": "x"}]}, {}, None])
def test_what_are_no_keys_is_no_error_of_ours(web: Web, document: object, caplog: pytest.LogCaptureFixture) -> None:
    web.says("/keys", document)
    assert "no keys of" in refused(keys_of(web.origin, f"{web.origin}/keys"), caplog)


def test_a_failure_is_remembered_for_a_while_and_then_tried_again(web: Web) -> None:
    clock = Clock()
    keys = keys_of(web.origin, f"{web.origin}/keys", clock)
    for _ in range(5):
        with pytest.raises(StoreError):
            keys.find("k1")
    assert web.asked == ["/keys"]
    web.has_keys("k1")
    clock.now += PAUSE_SECONDS - 1
    with pytest.raises(StoreError):
        keys.find("k1")
    clock.now += 1
    assert keys.find("k1") is not None
    assert web.asked == ["/keys"] * 2


def test_an_unknown_name_is_looked_for_once_in_a_while_and_known_ones_not_at_all(web: Web) -> None:
    clock = Clock()
    keys = keys_of(web.origin, f"{web.origin}/keys", clock)
    web.has_keys("k1")
    assert all(keys.find("k1") for _ in range(5))
    assert keys.find("k2") is None, "the issuer has just been asked"
    clock.now += PAUSE_SECONDS
    web.has_keys("k2")
    assert keys.find("k2") is not None
    assert keys.find("k1") is None, "what the issuer took back is taken back"
    assert web.asked == ["/keys"] * 2
    clock.now += KEPT_SECONDS
    web.pages.clear()
    with pytest.raises(StoreError):
        keys.find("k2")


def test_while_an_issuer_is_silent_our_own_tokens_are_answered_and_it_is_asked_once(
    start: StartServer, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(issuer_keys, "BOUNDS", Bounds(60.0, 262_144))  # it is silent until we say so
    asked, speak = threading.Event(), threading.Event()

    def silent(request: BaseHTTPRequestHandler) -> None:
        asked.set()
        speak.wait(60)
        request.send_error(503)

    web.pages["/keys"] = silent
    server = start(oauth_issuer=web.origin, oauth_resource=RESOURCE, oauth_jwks=f"{web.origin}/keys")
    good, heard = server.token(), []
    foreign = jwt.encode({"sub": "ada"}, KEY, algorithm="RS256", headers={"kid": "k1"})
    strangers = [
        threading.Thread(target=lambda: heard.append(server.send("GET", "/ready", token=foreign).status), daemon=True)
        for _ in range(60)
    ]
    for each in strangers:
        each.start()
    assert asked.wait(60)
    assert server.send("GET", "/ready", token=good).status == 200
    assert heard == [], "and that was while all of them waited"
    speak.set()
    for each in strangers:
        each.join(60)
    assert heard == [503] * len(strangers)
    assert web.asked == ["/keys"]
