"""How a server listens: its socket, how requests are read, and the app that refusals are said by."""

import errno
import socket
import sys
from collections.abc import Callable, Sequence

import anyio.to_thread
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from commonplace.config import Settings
from commonplace.errors import InvalidInput
from commonplace.serve.api import refuse
from commonplace.serve.gate import API, Gate
from commonplace.serve.leaving import WhileHeard
from commonplace.serve.refusals import Refusal

HEAD_BYTES_LIMIT = 32_768  # of a request's line and headers
IDLE_SECONDS = 5  # how long a connection without a request is kept


def listening(app: Gate, settings: Settings, verbose: bool = False) -> uvicorn.Config:
    """How requests are read. What a header says of where its sender is, is never believed."""
    return uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="on",
        log_level="info" if verbose else "warning",
        access_log=verbose,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.connection_limit,
        h11_max_incomplete_event_size=HEAD_BYTES_LIMIT,
        timeout_keep_alive=IDLE_SECONDS,
        timeout_graceful_shutdown=10,
    )


class AnnouncedServer(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Says that it is ready only once it listens; that is told on a thread, for it may take a while."""
        await super().startup(sockets)
        if self.started:
            await anyio.to_thread.run_sync(self._ready)


def bound(host: str, port: int) -> socket.socket:
    """A socket on that address, or one sentence about why not. Nobody gets an answer from it yet."""
    # With the protocol named, asyncio sends what it has at once; else each answer waits 40 ms for an acknowledgement.
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, proto=socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # there it would share the port with another program
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if listener.family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((host, port))
    except (OSError, UnicodeError) as error:  # a name that no network knows, or that is none
        listener.close()
        in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        reason = "it is in use" if in_use else getattr(error, "strerror", None) or str(error)
        raise InvalidInput(
            f"Cannot listen on port {port} of {host} ({reason}): choose another with --port or --host.", "port"
        ) from error
    return listener


def starlette(routes: Sequence[BaseRoute], lifespan: Lifespan[Starlette] | None = None) -> Starlette:
    """The app behind a gate. Whatever is refused in it is said in the shape of whoever asked."""
    return Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(WhileHeard, api=API)],
        exception_handlers={HTTPException: refuse, Refusal: refuse},
    )


async def health(request: Request) -> Response:
    """The process is there: for everybody, so it says nothing else."""
    return Response(status_code=204)
