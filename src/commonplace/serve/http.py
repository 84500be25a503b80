"""The team server: every dialect over Streamable HTTP behind one gate, with health and metrics.

Stateless: nothing is kept between requests but the store's own connections, so any number of
replicas can stand behind a load balancer.
"""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from ipaddress import ip_address

import anyio.to_thread
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from commonplace import __version__
from commonplace.access import PREFIX
from commonplace.bearer import Token
from commonplace.book import Book
from commonplace.config import Configuration, Settings
from commonplace.dialect import Answer, Dialect
from commonplace.dialects import NATIVE, dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.record import replace
from commonplace.rpc import respond
from commonplace.scope import Principal, Right
from commonplace.serve.background import Background
from commonplace.serve.gate import LOOPBACK_NAMES, VISITOR, Gate, Rules, Visitor
from commonplace.serve.metrics import CONTENT_TYPE, Metrics
from commonplace.serve.oauth import Issuer, Verifier
from commonplace.serve.protocol import Context, build_server, client_name, perform_at_door


def run(configuration: Configuration, verbose: bool = False) -> None:
    """Serve until told to stop."""
    settings = configuration.settings
    with Book.open(configuration=configuration) as book:
        refuse_open_door(settings, book)
        with Background(book, settings):
            _listen(book, configuration, verbose)


def _listen(book: Book, configuration: Configuration, verbose: bool) -> None:
    settings = configuration.settings
    uvicorn.run(
        build_app(book, configuration),
        host=settings.host,
        port=settings.port,
        log_level="info" if verbose else "warning",
        access_log=verbose,
        server_header=False,
        timeout_graceful_shutdown=10,
    )


def refuse_open_door(settings: Settings, book: Book) -> None:
    """Without tokens a book is for this machine only."""
    if _is_loopback(settings.host) or settings.oauth_issuer or book.access.exist():
        return
    raise InvalidInput(
        f"Nobody may serve {settings.host} without tokens: make one with 'commonplace token create', or listen on "
        "127.0.0.1.",
        "host",
    )


def build_app(book: Book, configuration: Configuration) -> Gate:
    """The whole server as one ASGI app, its gate outermost."""
    settings, metrics = configuration.settings, Metrics()
    issuer = _issuer(settings)
    routes, managers = [], []
    for name in dialect_names():
        dialect = load_dialect(name)
        server = build_server(dialect, partial(_book_of, book, dialect), metrics.timing)
        manager = StreamableHTTPSessionManager(
            server, stateless=True, json_response=True, max_request_body_size=settings.body_limit
        )
        managers.append(manager)
        path = "/mcp" if name == NATIVE else f"/{name}/mcp"
        routes.append(Route(path, endpoint=StreamableHTTPASGIApp(manager)))
    routes += [
        Route("/rpc", partial(_rpc, book, metrics), methods=["POST"]),
        Route("/health", _health),
        Route("/ready", partial(_ready, book)),
        Route("/metrics", partial(_metrics, book, metrics)),
    ]
    if issuer is not None:
        routes.append(Route(issuer.metadata_path, partial(_metadata, issuer)))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for manager in managers:
                await stack.enter_async_context(manager.run())
            yield

    app = Counting(Starlette(routes=routes, lifespan=lifespan), metrics)
    return Gate(app, _rules(settings, issuer), book.access, _verify(book, issuer))


def _issuer(settings: Settings) -> Issuer | None:
    if bool(settings.oauth_issuer) != bool(settings.oauth_resource):
        raise InvalidInput("oauth_issuer and oauth_resource belong together: set both or neither.", "oauth_issuer")
    if not settings.oauth_issuer:
        return None
    return Issuer(settings.oauth_issuer, settings.oauth_resource, settings.oauth_jwks)


def _rules(settings: Settings, issuer: Issuer | None) -> Rules:
    named = {name.strip().lower() for name in settings.allowed_hosts.split(",") if name.strip()}
    hosts = LOOPBACK_NAMES | named | ({settings.host.lower()} if settings.host not in ("0.0.0.0", "::") else set())
    local = Visitor("local", Principal(user=settings.user), None)
    return Rules(
        frozenset(hosts),
        settings.body_limit,
        settings.rate_per_minute,
        local if issuer is None and _is_loopback(settings.host) else None,
        None if issuer is None else issuer.metadata_url,
    )


def _verify(book: Book, issuer: Issuer | None) -> Callable[[str], Visitor]:
    """Our own tokens by their prefix; whatever else is presented is the issuer's to have made."""
    verifier = None if issuer is None else Verifier(issuer)

    def verify(presented: str) -> Visitor:
        if verifier is not None and not presented.startswith(f"{PREFIX}_"):
            return verifier.verify(presented)
        return _bearer(book.access.verify(presented))

    return verify


def _bearer(token: Token) -> Visitor:
    return Visitor(f"token:{token.id}", token.principal, token.project)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _book_of(book: Book, dialect: Dialect, context: Context) -> Book:
    """The book as the bearer of this request's token may use it."""
    request: Request | None = context.request
    if request is None:
        raise InvalidInput("This server is spoken to over HTTP only.")
    visitor: Visitor = request.scope[VISITOR]
    door = replace(dialect.door, client=client_name(context))
    return book.seen_by(visitor.principal, door, visitor.project)


# -- routes of our own ------------------------------------------------------------------------


async def _rpc(book: Book, metrics: Metrics, request: Request) -> Response:
    """Aleph's methods as JSON-RPC. What nobody waits for is answered with no content."""
    try:
        body = await request.body()
    except ClientDisconnect:  # gone, or cut off by the gate, which then answers itself
        return Response(status_code=400)
    visitor: Visitor = request.scope[VISITOR]
    seen = book.seen_by(visitor.principal, METHODS.door, visitor.project)

    def call(method: str, params: Mapping[str, object]) -> Answer:
        with metrics.timing(METHODS.name, method) as answers:
            answers.append(perform_at_door(METHODS, lambda: seen, method, params))
            return answers[0]

    answer = await anyio.to_thread.run_sync(respond, METHODS, call, body)
    if answer is None:
        return Response(status_code=204)
    return Response(json.dumps(answer), media_type="application/json")


async def _health(request: Request) -> Response:
    """The process is there."""
    return JSONResponse({"status": "ok", "version": __version__})


async def _ready(book: Book, request: Request) -> Response:
    """The store answers, so requests may be sent here."""
    try:
        await anyio.to_thread.run_sync(book.care.facts)
    except CommonplaceError as error:
        return JSONResponse({"status": "not ready", "message": error.message}, 503)
    return JSONResponse({"status": "ready"})


async def _metrics(book: Book, metrics: Metrics, request: Request) -> Response:
    visitor: Visitor = request.scope[VISITOR]
    if not visitor.principal.may(Right.ADMIN):
        return JSONResponse({"error": {"code": 403, "message": "Metrics need a token with the admin scope."}}, 403)
    facts = await anyio.to_thread.run_sync(book.care.facts)
    return Response(metrics.render(int(facts.get("bytes", "0"))), media_type=CONTENT_TYPE)


async def _metadata(issuer: Issuer, request: Request) -> Response:
    """RFC 9728: whom to ask for a token."""
    return JSONResponse(
        {
            "resource": issuer.resource,
            "authorization_servers": [issuer.issuer],
            "scopes_supported": [right.value for right in Right],
            "bearer_methods_supported": ["header"],
        }
    )


class Counting:
    """Counts what was answered, by route: a path that is no route counts as `other`, whatever it says."""

    def __init__(self, app: Starlette, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._paths = {route.path for route in app.routes if isinstance(route, Route)}

    @property
    def routes(self) -> list[BaseRoute]:
        return self._app.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = scope["path"] if scope["path"] in self._paths else "other"
                self._metrics.count_request(route, message["status"])
            await send(message)

        await self._app(scope, receive, counted)
