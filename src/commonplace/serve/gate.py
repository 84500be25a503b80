"""The one gate in front of every route: who asks, from where, how often and how much.

It stands before the routes and not inside them, so a route cannot be without it. What it lets
through carries a `Visitor`, and that is the only place where a route learns who is asking.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

import anyio
import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.api.operations import PREFIX
from commonplace.book.access import Access, is_ours
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal
from commonplace.domain.scope import Scope as MemoryScope
from commonplace.errors import CommonplaceError, Denied
from commonplace.serve import halves
from commonplace.serve.hosts import host_name, is_loopback, origin_name
from commonplace.serve.refusals import Refusal, unauthorised

VISITOR = "commonplace.visitor"
HEALTH = "/health"
WELL_KNOWN = "/.well-known/"
API = "/api/"
SIGN_IN = f"{PREFIX}/sign-in"
OWN_PAGE, BY_HAND = "same-origin", "none"
"""What a browser says of where a request of it began: on a page of ours, or in its address bar."""
KNOWN_VISITORS_LIMIT = 10_000
LENGTH_DIGITS = 12
FOREIGN_AT_ONCE = 8  # tokens of an issuer that are checked at once: to ask for its keys may take a while

# What proxies add to a request. Whoever came through one is somewhere else, whatever the header says of where.
FORWARDED = "x-forwarded"
PROXY_HEADERS = frozenset(
    {
        "forwarded",
        "via",
        "x-real-ip",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-original-forwarded-for",
        "x-original-host",
        "x-envoy-external-address",
        "cf-connecting-ip",
        "cf-ray",
        "cdn-loop",
        "true-client-ip",
        "fastly-client-ip",
        "fly-client-ip",
        "x-azure-clientip",
        "x-appengine-user-ip",
        "tailscale-user-login",
    }
)

log = logging.getLogger("commonplace.serve")


class Visitor(Record):
    """Who is asking: the principal a token stands for and the project it is in. `key` is what is counted by.

    `label` is what the person who made the token called it; `by_page` says that the request is a signed-in page's.
    """

    key: str
    principal: Principal
    project: MemoryScope | None
    label: str | None = None
    by_page: bool = False


Verify = Callable[[str], Visitor]
"""A bearer token as a visitor; raises Denied."""


class Rules(Record):
    """What the gate goes by."""

    allowed_hosts: frozenset[str]
    body_limit: int
    rate_per_minute: int
    local: Visitor | None
    metadata_url: str | None = None
    open_paths: frozenset[str] = frozenset()
    remedy: str = "Send a token: 'Authorization: Bearer TOKEN' ('commonplace token create --user NAME' makes one)."


class Gate:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, rules: Rules, access: Access, verify: Verify, sign_in: Verify) -> None:
        """`sign_in` takes what a page signs in with; what it has from then on is for `verify`."""
        self._app = app
        self._rules = rules
        self._access = access
        self._verify = verify
        self._sign_in = sign_in
        self._rates = Rates(rules.rate_per_minute)
        self._foreign: anyio.CapacityLimiter | None = None

    @property
    def app(self) -> ASGIApp:
        """What stands behind the gate."""
        return self._app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        try:
            headers = Headers(scope=scope)
            self._check_place(headers)
            self._check_body(scope["method"], headers)
            if not self._is_open(scope["path"]):
                visitor = await self._admitted(scope, headers)
                self._rates.take(visitor.key)
                scope[VISITOR] = visitor
            await self._let_in(scope, receive, send)
        except Refusal as refusal:
            await refusal.response(in_api(scope["path"]))(scope, receive, send)

    def _is_open(self, path: str) -> bool:
        """Whether a path is for everybody: the process is there, whom to ask for a token, the page without any data."""
        return path == HEALTH or path.startswith(WELL_KNOWN) or path in self._rules.open_paths

    def _check_place(self, headers: Headers) -> None:
        """Host and Origin: a page in a browser must not reach a book on the same machine."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or host_name(hosts[0]) not in self._rules.allowed_hosts:
            named = "".join(hosts)[:80]
            raise Refusal(421, f"This server is not called '{named}': add the name to allowed_hosts.")
        if any(origin_name(origin) not in self._rules.allowed_hosts for origin in headers.getlist("origin")):
            raise Refusal(403, "Pages of other origins may not call this server.")

    def _check_body(self, method: str, headers: Headers) -> None:
        if method not in ("POST", "PUT", "PATCH"):
            return
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "Send JSON: the content type must be application/json.")
        length = headers.get("content-length", "0")
        countable = length.isascii() and length.isdigit() and len(length) <= LENGTH_DIGITS
        if not countable or int(length) > self._rules.body_limit:
            raise self._too_large()

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Bodies without a length are counted as they come in; one that grows too large ends as if hung up."""
        left, started = self._rules.body_limit, False

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            return message if left >= 0 else {"type": "http.disconnect"}

        async def answered(message: Message) -> None:
            nonlocal started
            if left >= 0 or started:
                started = True
                await send(message)

        await self._app(scope, counted, answered)
        if left < 0 and not started:
            raise self._too_large()

    def _too_large(self) -> Refusal:
        return Refusal(413, f"A request may have {self._rules.body_limit:,} bytes: send less at once.")

    async def _admitted(self, scope: Scope, headers: Headers) -> Visitor:
        """On a worker thread, since tokens are in the store. Whoever has one of ours does not wait for an issuer."""
        presented, by_page = bearer_in(headers), False
        if "authorization" not in headers and in_api(scope["path"]):
            presented = self._of_a_page(scope, headers)
            by_page = bool(presented)
        limiter = None
        if presented and not is_ours(presented):
            limiter = self._foreign = self._foreign or anyio.CapacityLimiter(FOREIGN_AT_ONCE)
        visitor = await anyio.to_thread.run_sync(self._visitor, scope, headers, presented, limiter=limiter)
        return replace(visitor, by_page=True) if by_page else visitor

    def _of_a_page(self, scope: Scope, headers: Headers) -> str:
        """The credential that a page of our own brings in two halves; nothing, if it brings none.

        A page from elsewhere cannot send its half, and what a browser sends for one says so of itself.
        """
        halved = halves.HEADER in headers
        site = headers.get("sec-fetch-site", OWN_PAGE)
        if site != OWN_PAGE and (halved or site != BY_HAND):
            raise Refusal(403, "Pages of other origins may not call this server.")
        if not halved or scope["path"] == SIGN_IN:
            return ""
        credential = halves.joined(headers, scope["server"][1])
        if credential is None:
            raise unauthorised("This page is no longer signed in: sign in again.", self._rules.metadata_url)
        return credential

    def _visitor(self, scope: Scope, headers: Headers, presented: str) -> Visitor:
        try:
            if presented:
                return self._sign_in(presented) if scope["path"] == SIGN_IN else self._verify(presented)
            if self._rules.local is not None and _is_local(scope, headers) and not self._access.exist():
                return self._rules.local
        except Denied as error:
            raise unauthorised(error.message, self._rules.metadata_url, "invalid_token") from error
        except CommonplaceError as error:  # it may name the server's own places, and nobody has shown a token yet
            log.warning("a token could not be checked: %s", error.message)
            raise Refusal(
                503, "Tokens cannot be checked at the moment: try again; the server's log says why.", retry_seconds=1
            ) from error
        remedy = self._rules.remedy
        if _came_through_proxy(headers):
            remedy = remedy.replace("Send a token", "A request through a proxy needs a token", 1)
        raise unauthorised(remedy, self._rules.metadata_url)


class Rates:
    """A bucket for each visitor that fills by the minute. Only the event loop takes from it."""

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._most = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        """Take one request from a visitor's allowance; Refusal with the seconds to wait when it is used up."""
        now = time.monotonic()
        left, since = self._buckets.pop(key, (self._most, now))
        left = min(self._most, left + (now - since) * self._per_second)
        self._buckets[key] = (max(0.0, left - 1), now)
        while len(self._buckets) > KNOWN_VISITORS_LIMIT:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = max(1, round((1 - left) / self._per_second))
            raise Refusal(429, f"Too many requests: wait {wait} s.", retry_seconds=wait)


def in_api(path: str) -> bool:
    """Whether a path is of the API, whose errors have a shape of their own."""
    return path.startswith(API)


def bearer_in(headers: Headers) -> str:
    """The bearer token that a request brings, or nothing."""
    kind, _, rest = headers.get("authorization", "").partition(" ")
    return rest.strip() if kind.lower() == "bearer" else ""


def _is_local(scope: Scope, headers: Headers) -> bool:
    """Whether a request is of this machine, as far as can be seen."""
    client = scope.get("client")
    return client is not None and is_loopback(client[0]) and not _came_through_proxy(headers)


def _came_through_proxy(headers: Headers) -> bool:
    return any(name in PROXY_HEADERS or name.startswith(FORWARDED) for name in headers)
