"""The API of a running server, spoken to as a page or a script does."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from jsonschema import Draft202012Validator

from commonplace.api.operations import OPERATIONS, PREFIX, Operation
from commonplace.book.book import Book
from commonplace.config import load
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Right
from commonplace.domain.tables import TABLES
from commonplace.serve.halves import HEADER
from commonplace.serve.listening import bound, listening
from commonplace.serve.visits import Visits
from commonplace.serve.web import PAGE_DOOR, build_page
from tests.conftest import HASTY, ManualClock
from tests.http.conftest import EVERYTHING, Reply, Server, running
from tests.http.operations import request_of
from tests.postgres import Server as Postgres
from tests.rights.world import World, fill
from tests.waiting import wait_until

NAMED: Mapping[str, Operation] = {operation.name: operation for operation in OPERATIONS}


def strict(schema: object) -> object:
    """The same schema for whoever wants nothing in an answer that it does not name, but for what hides text."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(each) for name, each in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        made["additionalProperties"] = False
        made["properties"] = {"flags": {"type": "array"}, **made["properties"]}
    return made


SCHEMAS = {name: Draft202012Validator(strict(each.tool.output_schema())) for name, each in NAMED.items()}


class Client:
    """Somebody who asks; every answer of theirs is held against the schema that the document gives for it."""

    def __init__(self, server: Server, token: str | None = None, **headers: str) -> None:
        self.server = server
        self.token = token
        self.headers = headers

    def send(self, name: str, **given: object) -> Reply:
        method, path, body = request_of(NAMED[name], given)
        return self.server.send(method, path, body, self.token, **self.headers)

    def ask(self, name: str, **given: object) -> Any:
        reply = self.send(name, **given)
        assert reply.status == 200, (name, given, reply)
        problems = [error.message[:300] for error in SCHEMAS[name].iter_errors(reply.json)]
        assert problems == [], (name, problems)
        return reply.json

    def refused(self, name: str, expected: int, **given: object) -> Any:
        reply = self.send(name, **given)
        assert reply.status == expected, (name, given, reply)
        assert set(reply.json) == {"error"}
        assert {"code", "message"} <= set(reply.json["error"])
        return reply.json["error"]


class Peopled(Record):
    """A server on a book with something of everything in it, and somebody whose it is."""

    server: Server
    world: World
    ada: Client


def token(server: Server, user: str, teams: tuple[str, ...] = (), rights: frozenset[Right] = EVERYTHING) -> str:
    return server.book.access.create(Principal("org", user, teams, rights), user).secret


@contextmanager
def peopled(store: str) -> Iterator[Peopled]:
    with running(store=store, rate_per_minute=1_000_000) as server:
        ada = Principal("org", "ada", ())
        book = server.book.seen_by(ada, server.book.door, None)
        world = fill(book, ada.own_scope, "core")
        yield Peopled(server, world, Client(server, token(server, "ada")))


@pytest.fixture(params=["sqlite", "postgres"])
def there(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Peopled]:
    store = str(tmp_path / "book.db")
    if request.param == "postgres":
        database: Postgres = request.getfixturevalue("postgres")
        store = database.address(database.new_database())
    with peopled(store) as made:
        yield made


@pytest.fixture
def unlocked(tmp_path: Path) -> Iterator[Server]:
    """A server that nobody made a token for."""
    with running(store=str(tmp_path / "unlocked.db")) as server:
        yield server


class Page(Record):
    """A page of this machine's own person: the process that serves it, and the key it was opened with."""

    server: Server
    visits: Visits
    clock: ManualClock

    def sign_in(self, key: str | None = None) -> Reply:
        bearer = f"Bearer {self.visits.key if key is None else key}"
        return self.server.send("POST", f"{PREFIX}/sign-in", b"{}", authorization=bearer)

    def person(self) -> Client:
        """Whoever opened the page."""
        return Client(self.server, **halves_of(self.sign_in()))


def halves_of(reply: Reply) -> dict[str, str]:
    """What a page sends with every request, once it has signed in."""
    assert reply.status == 200, reply
    return {"cookie": reply.headers["set-cookie"].split(";")[0], HEADER.replace("-", "_"): reply.json["half"]}


@contextmanager
def page_on(store: str, clock: ManualClock) -> Iterator[Page]:
    configuration = load({"model": "none", "synchronous": HASTY, "store": store})
    with Book.open(configuration=configuration, door=PAGE_DOOR, clock=clock) as book:
        visits = Visits(book)
        app = build_page(book, configuration, visits)
        server = uvicorn.Server(listening(app, configuration.settings))
        with bound("127.0.0.1", 0) as listener:
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            wait_until(lambda: server.started, 20, "the page did not start")
            yield Page(Server(app, book, listener.getsockname()[1]), visits, clock)
            server.should_exit = True
            thread.join(10)


@pytest.fixture
def page(tmp_path: Path, clock: ManualClock) -> Iterator[Page]:
    with page_on(str(tmp_path / "book.db"), clock) as made:
        yield made


@pytest.fixture
def rows() -> Callable[[Server], list[str]]:
    """Everything there is of the organisation, to see whether anything was changed."""

    def of(server: Server) -> list[str]:
        with server.book.caller.store.reading("org") as unit:
            return sorted(repr((table.name, row)) for table in TABLES for row in unit.tables.rows(table.name))

    return of
