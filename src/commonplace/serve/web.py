"""The page for the person at this machine: one server on 127.0.0.1 for one person, with the page, the API, no more."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread

from starlette.routing import Route

from commonplace.api.health import Machine
from commonplace.api.operations import PAGE_DOOR, dialect, operations
from commonplace.book.book import Book
from commonplace.config import Configuration, state_folder
from commonplace.dream import Limits
from commonplace.errors import CommonplaceError
from commonplace.serve.api import Api
from commonplace.serve.calls import load_model, untimed
from commonplace.serve.gate import HEALTH, Gate, Rules
from commonplace.serve.hosts import LOOPBACK_NAMES
from commonplace.serve.listening import AnnouncedServer, bound, health, listening, starlette
from commonplace.serve.page_files import page_files, page_routes
from commonplace.serve.visits import AGAIN, Visits
from commonplace.workspace.files import abbreviated

HOST = "127.0.0.1"
RATE_PER_MINUTE = 6_000  # one person, who types


def run(configuration: Configuration, port: int, verbose: bool, ready: Callable[[str], None]) -> None:
    """Serve the page until told to stop; `ready` is told the link, once it leads somewhere."""
    with Book.open(configuration=configuration, door=PAGE_DOOR) as book, bound(HOST, port) as listener:
        visits = Visits(book)
        app = build_page(book, configuration, visits)
        link = f"http://{HOST}:{listener.getsockname()[1]}/#/enter?key={visits.key}"

        def begin() -> None:
            # Python waits for it at its end: nothing may be taken down under native code.
            Thread(target=_load_model, args=(book,), name="load the model").start()
            ready(link)

        server = AnnouncedServer(listening(app, configuration.settings, verbose), begin)
        try:
            server.run(sockets=[listener])
        except KeyboardInterrupt:  # how an interrupted server ends, after it has finished its requests
            return


def _load_model(book: Book) -> None:
    """The first search should not wait for it. Whatever is wrong with the model, a search will say."""
    with suppress(CommonplaceError):
        load_model(book.embedder)


def build_page(book: Book, configuration: Configuration, visits: Visits) -> Gate:
    """The page and the API as one app, its gate outermost. Nobody is let in for being at this machine."""
    settings, pages = configuration.settings, page_files()
    known = operations(Limits.of(settings), _machine(configuration))
    spoken = dialect(PAGE_DOOR, known)
    desk = Api(lambda request: spoken, lambda request: book, untimed, settings.request_seconds or None, visits)
    routes = [Route(HEALTH, health), *page_routes(pages), *desk.routes(known)]
    rules = Rules(
        LOOPBACK_NAMES,
        settings.body_limit,
        RATE_PER_MINUTE,
        None,
        open_paths=frozenset(pages),
        remedy=f"This page is not signed in: {AGAIN}",
    )
    return Gate(starlette(routes), rules, book.access, visits.verify, visits.redeem)


def _machine(configuration: Configuration) -> Machine:
    """What the page tells of this machine to the person who sits at it."""
    settings = configuration.settings
    place = abbreviated(configuration.shown_store)
    return Machine(place, configuration.store, Path.home(), state_folder(), settings.inject, settings.capture)
