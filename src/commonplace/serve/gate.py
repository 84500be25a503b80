"""The one gate in front of every route: who asks, from where, how often and how much.

It stands before the routes and not inside them, so a route cannot be without it. What it lets
through carries a `Visitor`, and that is the only place where a route learns who is asking.
"""

import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

import anyio.to_thread
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.access import Access
from commonplace.errors import CommonplaceError, Denied
from commonplace.record import Record
from commonplace.scope import Principal
from commonplace.scope import Scope as MemoryScope

VISITOR = "commonplace.visitor"
WELL_KNOWN = "/.well-known/"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
KNOWN_VISITORS_LIMIT = 10_000

log = logging.getLogger("commonplace.serve")


class Visitor(Record):
    """Who is asking: the principal a token stands for and the project it is in. `key` is what is counted by."""

    key: str
    principal: Principal
    project: MemoryScope | None


Verify = Callable[[str], Visitor]
"""A bearer token as a visitor; raises Denied."""


class Rules(Record):
    """What the gate goes by."""

    allowed_hosts: frozenset[str]
    body_limit: int
    rate_per_minute: int
    local: Visitor | None
    metadata_url: str | None = None


class Refusal(Exception):
    """Why a request does not get through."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.headers = dict(headers or {})


class Gate:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, rules: Rules, access: Access, verify: Verify) -> None:
        self._app = app
        self._rules = rules
        self._access = access
        self._verify = verify
        self._rates = Rates(rules.rate_per_minute)

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
            if not scope["path"].startswith(WELL_KNOWN):  # a client reads there whom to ask for a token
                visitor = await anyio.to_thread.run_sync(self._visitor, scope, headers)
                self._rates.take(visitor.key)
                scope[VISITOR] = visitor
            await self._let_in(scope, receive, send)
        except Refusal as refusal:
            await _answer(refusal, send)

    def _check_place(self, headers: Headers) -> None:
        """Host and Origin: a page in a browser must not reach a book on the same machine."""
        host = headers.get("host", "")
        if _name(host) not in self._rules.allowed_hosts:
            raise Refusal(421, f"This server is not called '{host[:80]}': add the name to allowed_hosts.")
        origin = headers.get("origin")
        if origin is not None and _name(urlsplit(origin).netloc) not in self._rules.allowed_hosts:
            raise Refusal(403, "Pages of other origins may not call this server.")

    def _check_body(self, method: str, headers: Headers) -> None:
        if method not in ("POST", "PUT", "PATCH"):
            return
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refusal(415, "Send JSON: the content type must be application/json.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._rules.body_limit:
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

    def _visitor(self, scope: Scope, headers: Headers) -> Visitor:
        """On a worker thread, since tokens are in the store."""
        kind, _, presented = headers.get("authorization", "").partition(" ")
        try:
            if kind.lower() == "bearer" and presented.strip():
                return self._verify(presented.strip())
            if self._rules.local is not None and not self._access.exist():
                return self._local(scope)
        except Denied as error:
            raise self._unauthorised(error.message, "invalid_token") from error
        except CommonplaceError as error:
            raise Refusal(503, error.message, {"retry-after": "1"}) from error
        raise self._unauthorised("Send a token: 'Authorization: Bearer cp_…' ('commonplace token create' makes one).")

    def _local(self, scope: Scope) -> Visitor:
        client = scope.get("client")
        if self._rules.local is None or client is None or not ip_address(client[0]).is_loopback:
            raise Denied("Without tokens only this machine may ask: make one with 'commonplace token create'.")
        return self._rules.local

    def _unauthorised(self, message: str, error: str | None = None) -> Refusal:
        challenge = ["Bearer"]
        if error is not None:
            challenge.append(f'error="{error}"')
        if self._rules.metadata_url is not None:
            challenge.append(f'resource_metadata="{self._rules.metadata_url}"')
        return Refusal(401, message, {"www-authenticate": f"{challenge[0]} {', '.join(challenge[1:])}".strip()})


class Rates:
    """A bucket for each visitor that fills by the minute. Only the event loop takes from it."""

    def __init__(self, per_minute: int) -> None:
        self._per_second = per_minute / 60
        self._most = float(per_minute)
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str) -> None:
        now = time.monotonic()
        left, since = self._buckets.pop(key, (self._most, now))
        left = min(self._most, left + (now - since) * self._per_second)
        self._buckets[key] = (max(0.0, left - 1), now)
        while len(self._buckets) > KNOWN_VISITORS_LIMIT:
            self._buckets.popitem(last=False)
        if left < 1:
            wait = max(1, round((1 - left) / self._per_second))
            raise Refusal(429, f"Too many requests: wait {wait} s.", {"retry-after": str(wait)})


def _name(host: str) -> str:
    """A host without its port, in lower case."""
    name = host.strip().lower()
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    return name.partition(":")[0]


async def _answer(refusal: Refusal, send: Send) -> None:
    body = json.dumps({"error": {"code": refusal.status, "message": refusal.message}}).encode()
    headers = {"content-type": "application/json", "content-length": str(len(body)), **refusal.headers}
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refusal.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
