"""The team server: every dialect over Streamable HTTP behind one gate, with health and metrics.

Stateless: nothing is kept between requests but the store's own connections, so any number of
replicas can stand behind a load balancer.
"""

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import anyio.to_thread
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from commonplace.api.looking import LOCAL
from commonplace.api.operations import API_DOOR, PAGE_DOOR, Operation, dialect, operations
from commonplace.book.access import is_ours
from commonplace.book.book import Book
from commonplace.config import Configuration, Settings
from commonplace.dialect import Answer, Dialect
from commonplace.dialects import NATIVE, dialects_in, load_dialect
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal, Right
from commonplace.domain.token import Token
from commonplace.dream import Limits
from commonplace.engine.caller import Door
from commonplace.errors import CommonplaceError, InvalidInput, NotABook
from commonplace.serve.api import Api
from commonplace.serve.background import Background
from commonplace.serve.calls import apart, fit_name, perform_at_door
from commonplace.serve.gate import HEALTH, VISITOR, Gate, Rules, Visitor, bearer_in
from commonplace.serve.hosts import EVERYWHERE, LOOPBACK_NAMES, host_name, in_address, names_in, public
from commonplace.serve.listening import AnnouncedServer, bound, health, listening, starlette
from commonplace.serve.metrics import CONTENT_TYPE, Metrics
from commonplace.serve.oauth import Issuer, Verifier
from commonplace.serve.page_files import page_files, page_routes
from commonplace.serve.protocol import Context, build_server, client_name
from commonplace.serve.refusals import Refusal, lacks_right
from commonplace.serve.rpc import respond

log = logging.getLogger("commonplace.serve")


def run(configuration: Configuration, verbose: bool, say: Callable[[str], None]) -> None:
    """Serve until told to stop; `say` is told once it is true, and who may come in."""
    settings = configuration.settings
    with Book.open(configuration=configuration) as book:
        refuse_what_is_no_book(book)
        refuse_open_door(settings, book)
        app = build_app(book, configuration)
        with bound(settings.host, settings.port) as listener, Background(book, settings):
            address = f"http://{in_address(settings.host)}:{listener.getsockname()[1]}"
            server = AnnouncedServer(
                listening(app, settings, verbose), lambda: _announce(book, configuration, address, say)
            )
            try:
                server.run(sockets=[listener])
            except KeyboardInterrupt:  # how an interrupted server ends, after it has finished its requests
                return


def refuse_what_is_no_book(book: Book) -> None:
    """A server waits for a database that may come later, or be upgraded; another program's file stays what it is."""
    try:
        book.access.exist()
    except NotABook:
        raise
    except CommonplaceError:
        return


def refuse_open_door(settings: Settings, book: Book) -> None:
    """Without tokens a book is for this machine only."""
    reachable = public((settings.host, *names_in(settings.allowed_hosts)))
    if not reachable or settings.oauth_issuer or book.access.exist():
        return
    raise InvalidInput(
        f"Refusing to serve {', '.join(reachable)} without a token: make one with 'commonplace token create --user "
        "NAME', or listen on 127.0.0.1 under no other name.",
        "host",
    )


def _announce(book: Book, configuration: Configuration, address: str, say: Callable[[str], None]) -> None:
    *most, last = surfaces(dialects_in(configuration.settings.dialects))
    listed = f"{', '.join(most)} and {last}" if most else last
    say(f"Serving {configuration.shown_store} at {address}: {listed}.")
    try:
        guarded = bool(configuration.settings.oauth_issuer) or book.access.exist()
    except CommonplaceError as error:
        say(f"Nobody can come in yet: {error.message}")
        return
    if not guarded:
        say(
            "Without tokens every user of this machine, and any proxy on it, can come in: close it with "
            f"'commonplace token create --user {configuration.settings.user}'."
        )


def surfaces(dialects: Sequence[str]) -> list[str]:
    """The paths at which the tools of these dialects, and the methods of those that have some, are called."""
    return [*map(path_of, dialects), *map(methods_path, methods_of(dialects))]


def path_of(dialect: str) -> str:
    """Where a dialect is served; the native one needs no name."""
    return "/mcp" if dialect == NATIVE else f"/{dialect}/mcp"


def methods_of(dialects: Sequence[str]) -> list[Dialect]:
    """What these dialects have to be called as JSON-RPC."""
    return [spoken.methods() for spoken in map(load_dialect, dialects) if spoken.methods is not None]


def methods_path(methods: Dialect) -> str:
    """Where a dialect's methods are called: below no other path."""
    return f"/{methods.name}"


def build_app(book: Book, configuration: Configuration) -> Gate:
    """The whole server as one ASGI app, its gate outermost."""
    settings, metrics = configuration.settings, Metrics()
    issuer, seconds = _issuer(settings), settings.request_seconds or None
    routes, managers = [], []
    for name in (spoken := dialects_in(settings.dialects)):
        dialect = load_dialect(name)
        server = build_server(dialect, partial(_book_of, book, dialect), metrics.timing, seconds)
        manager = StreamableHTTPSessionManager(
            server, stateless=True, json_response=True, max_request_body_size=settings.body_limit
        )
        managers.append(manager)
        routes.append(Route(path_of(name), endpoint=StreamableHTTPASGIApp(manager)))
    for methods in methods_of(spoken):
        endpoint = partial(_rpc, methods, book, metrics, seconds)
        routes.append(Route(methods_path(methods), endpoint, methods=["POST"]))
    routes += [
        Route(HEALTH, health),
        Route("/ready", partial(_ready, book)),
        Route("/metrics", partial(_metrics, book, metrics)),
    ]
    pages = page_files()
    known = operations(Limits.of(settings))
    desk = Api(partial(_api_dialect, known), partial(_book_of_api, book), metrics.timing, seconds, Bearers())
    routes += [*page_routes(pages), *desk.routes(known)]
    if issuer is not None:
        routes.append(Route(issuer.metadata_path, partial(_metadata, issuer)))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for manager in managers:
                await stack.enter_async_context(manager.run())
            yield

    inner = starlette(routes, lifespan)
    verify = _verify(book, issuer)
    return Gate(Counting(inner, metrics), _rules(settings, issuer, pages), book.access, verify, verify)


def _issuer(settings: Settings) -> Issuer | None:
    if bool(settings.oauth_issuer) != bool(settings.oauth_resource):
        raise InvalidInput("oauth_issuer and oauth_resource belong together: set both or neither.", "oauth_issuer")
    if not settings.oauth_issuer:
        return None
    return Issuer(settings.oauth_issuer, settings.oauth_resource, settings.oauth_jwks)


def _rules(settings: Settings, issuer: Issuer | None, pages: Iterable[str]) -> Rules:
    named, own = names_in(settings.allowed_hosts), host_name(in_address(settings.host))
    local = Visitor(LOCAL, Principal(user=settings.user), None)
    return Rules(
        LOOPBACK_NAMES | named | ({own} if own is not None and settings.host not in EVERYWHERE else set()),
        settings.body_limit,
        settings.rate_per_minute,
        None if issuer is not None or public((settings.host, *named)) else local,
        None if issuer is None else issuer.metadata_url,
        frozenset(pages),
    )


def _verify(book: Book, issuer: Issuer | None) -> Callable[[str], Visitor]:
    """Our own tokens by their prefix; whatever else is presented is the issuer's to have made."""
    verifier = None if issuer is None else Verifier(issuer)

    def verify(presented: str) -> Visitor:
        if verifier is not None and not is_ours(presented):
            return verifier.verify(presented)
        return _bearer(book.access.verify(presented))

    return verify


def _bearer(token: Token) -> Visitor:
    return Visitor(f"token:{token.id}", token.principal, token.project, token.label)


def _book_of(book: Book, dialect: Dialect, context: Context) -> Book:
    """The book as the bearer of this request's token may use it."""
    request: Request | None = context.request
    if request is None:
        raise InvalidInput("This server is spoken to over HTTP only.")
    visitor: Visitor = request.scope[VISITOR]
    door = replace(dialect.door, client=client_name(context) or _sender(request))
    return book.seen_by(visitor.principal, door, visitor.project)


class Bearers:
    """Whoever comes with a token goes on with it: nothing is kept, and a token that is revoked ends every page."""

    def begin(self, request: Request) -> str:
        """The token itself."""
        return bearer_in(request.headers)

    def end(self, request: Request) -> None:
        """The cookie goes, and with it the page's half is worth nothing."""


def _api_door(request: Request) -> Door:
    """Whoever comes over the network may be a program, and what they write is not taken for typed.

    The exception is a page that was signed in with a token which was made for a person's own hands.
    """
    visitor: Visitor = request.scope[VISITOR]
    if visitor.by_page and visitor.principal.may(Right.PERSON):
        return replace(PAGE_DOOR, client=_sender(request))
    actor = LOCAL if visitor.key == LOCAL else API_DOOR.actor
    return replace(API_DOOR, actor=actor, client=_sender(request))


def _api_dialect(known: tuple[Operation, ...], request: Request) -> Dialect:
    return dialect(_api_door(request), known)


def _book_of_api(book: Book, request: Request) -> Book:
    visitor: Visitor = request.scope[VISITOR]
    return book.seen_by(visitor.principal, _api_door(request), visitor.project)


def _sender(request: Request) -> str | None:
    """Whom a request comes from that does not say so itself: what its token is called, or the program that sent it."""
    visitor: Visitor = request.scope[VISITOR]
    agent = request.headers.get("user-agent", "").partition(" ")[0].partition("/")[0]
    return fit_name(visitor.label or "") or fit_name(agent)


# -- routes of our own ------------------------------------------------------------------------


async def _rpc(methods: Dialect, book: Book, metrics: Metrics, seconds: float | None, request: Request) -> Response:
    """The methods of a dialect as JSON-RPC. What nobody waits for is answered with no content."""
    try:
        body = await request.body()
    except ClientDisconnect:  # gone, or cut off by the gate, which then answers itself
        return Response(status_code=400)
    visitor: Visitor = request.scope[VISITOR]
    seen = book.seen_by(visitor.principal, replace(methods.door, client=_sender(request)), visitor.project)

    def call(method: str, params: Mapping[str, object]) -> Answer:
        with metrics.timing(methods.name, method) as answers:
            answers.append(perform_at_door(methods, lambda: seen, method, params))
            return answers[0]

    answer = await apart(partial(respond, methods, call, body), seconds)
    if answer is None:
        return Response(status_code=204)
    return Response(json.dumps(answer), media_type="application/json")


async def _ready(book: Book, request: Request) -> Response:
    """The store answers, so requests may be sent here."""
    try:
        await anyio.to_thread.run_sync(book.care.facts)
    except CommonplaceError as error:
        log.warning("not ready: %s", error.message)
        return Refusal(503, "The store does not answer: the server's log says why.", retry_seconds=1).response()
    return JSONResponse({"status": "ready"})


async def _metrics(book: Book, metrics: Metrics, request: Request) -> Response:
    visitor: Visitor = request.scope[VISITOR]
    if not visitor.principal.may(Right.ADMIN):
        return lacks_right(Right.ADMIN, "Metrics need a token with the admin scope.").response()
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
        self._paths = {route.endpoint: route.path for route in app.routes if isinstance(route, Route)}

    @property
    def routes(self) -> list[BaseRoute]:
        """Those of the app it counts for."""
        return self._app.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = self._paths.get(scope["endpoint"], "other") if "endpoint" in scope else "other"
                self._metrics.count_request(route, message["status"])
            await send(message)

        await self._app(scope, receive, counted)
