"""MCP on stdin and stdout, for a host that starts us as its child.

Three things the SDK's own transport leaves to us: bytes that are no UTF-8 and lone surrogates must
reach the tool as what they are, so that it can name the argument, instead of being replaced or
dropped; a line of any length must not fill the memory; and the process must end when its host
does, however the host ends. The last two are the `front`'s, which was there before us and reads the wire for us.
"""

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from pydantic import ValidationError

from commonplace.book.book import Book
from commonplace.config import Configuration
from commonplace.dialect import Dialect
from commonplace.domain.record import replace
from commonplace.errors import CommonplaceError
from commonplace.serve.background import Background
from commonplace.serve.calls import load_model
from commonplace.serve.front import LAST_WORDS_SECONDS, LINE_LIMIT, Front, Heard
from commonplace.serve.protocol import Context, build_server, client_name
from commonplace.serve.wire import exit_after_grace, leave

QUIET_SECONDS = 0.5  # so long a host has nothing to ask before we load what it may ask for later
# What few calls need and none should wait for. A newer version may also take the place of its files at any time.
NEEDED_LATER = (
    "commonplace.sessions.sessions",
    "commonplace.decisions.log",
    "commonplace.engine.explain",
    "commonplace.hooks.capture",
    "commonplace.maintenance.transfer",
)

Incoming = SessionMessage | Exception

log = logging.getLogger("commonplace.serve")


def run(dialect: Dialect, front: Front, configure: Callable[[], Configuration]) -> NoReturn:
    """Serve one host until it goes, and end the process with it: the process is the host's.

    Not by Python's own end: that takes the interpreter down under threads that may be in native code, such as a model
    that is just being loaded, and is then aborted.
    """
    book = HostsBook(dialect, configure)
    try:
        with suppress(KeyboardInterrupt):  # the way to end it by hand
            anyio.run(_serve, build_server(dialect, book.for_client), front, book.warm_up)
    finally:
        # A call that nobody waits for any more may still hold a thread, or the book.
        threading.Thread(target=exit_after_grace, name="last", daemon=True).start()
        book.close()
    leave()


class HostsBook:
    """The book, opened by the first call that needs it: where that fails, the server still says so."""

    def __init__(self, dialect: Dialect, configure: Callable[[], Configuration]) -> None:
        self._dialect = dialect
        self._configure = configure
        self._book: Book | None = None
        self._background: Background | None = None
        self._begun = False
        self._opening = threading.Lock()

    def for_client(self, context: Context) -> Book:
        """The book as this client uses it. The first call opens it, and only the first."""
        with self._opening:
            book = self._opened()
            if not self._begun:
                self._dialect.begin(book)
                self._begun = True
        return book.through(replace(self._dialect.door, client=client_name(context)))

    def warm_up(self) -> None:
        """Load what calls will need before they come. Whatever is wrong with it, they will say."""
        for name in NEEDED_LATER:
            import_module(name)
        with suppress(CommonplaceError):
            with self._opening:
                embedder = self._opened().embedder
            load_model(embedder)
        log.info("warmed up")

    def _opened(self) -> Book:
        """The book; whoever opens it also lets the work begin that is done while nobody asks."""
        if self._book is None:
            configuration = self._configure()
            self._book = Book.open(configuration=configuration, door=self._dialect.door)
            self._background = Background.of_a_host(self._book, configuration.store)
            self._background.start()
        return self._book

    def close(self) -> None:
        """Lets go of the book if it was ever opened."""
        if self._background is not None:
            self._background.stop()
        if self._book is not None:
            self._book.close()


async def _serve(server: Server[object], front: Front, warm_up: Callable[[], None]) -> None:
    to_server, incoming = anyio.create_memory_object_stream[Incoming](front.limit)
    outgoing, to_wire = anyio.create_memory_object_stream[SessionMessage](front.limit)
    loop = asyncio.get_running_loop()
    async with anyio.create_task_group() as tasks:
        exchange = PendingReplies(to_server, outgoing.clone(), tasks, front.room.release)
        ear = Ear(front, loop, exchange)
        front.voice.on_unheard = partial(ear.tell, tasks.cancel_scope.cancel)
        takes_over = partial(front.hand_over, ear.hear, partial(ear.tell, exchange.hang_up))
        threading.Thread(target=takes_over, name="takes over", daemon=True).start()
        tasks.start_soon(_write, to_wire, front, exchange, ear.tell)
        threading.Thread(target=exchange.when_quiet, args=(warm_up,), name="warm up", daemon=True).start()
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            exchange.close()


async def _write(
    messages: MemoryObjectReceiveStream[SessionMessage],
    front: Front,
    exchange: "PendingReplies",
    tell: Callable[[Callable[[], None]], None],
) -> None:
    """One line for each message, but for answers that the host has already."""
    async for item in messages:
        message = item.message
        if not isinstance(message, types.JSONRPCResponse | types.JSONRPCError):
            front.voice.say(_line(message), lambda: None)
        elif exchange.was_answered(message.id):
            exchange.settle()
        else:
            front.voice.say(_line(message), partial(tell, exchange.settle))


def _line(message: types.JSONRPCMessage) -> bytes:
    """Half a surrogate pair, such as a host's own id may hold, leaves as the escape it came as."""
    data = message.model_dump(by_alias=True, exclude_unset=True)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


class PendingReplies:
    """Passes on what was heard and counts the answers owed. All but `when_quiet` is used on the event loop only.

    `make_room` is told whenever a message is no longer under way: a request when it is settled, anything else when it
    was handed on. A full queue is waited for, in the order of the messages, so that nothing is lost to it.
    """

    def __init__(
        self,
        to_server: MemoryObjectSendStream[Incoming],
        replies: MemoryObjectSendStream[SessionMessage],
        tasks: TaskGroup,
        make_room: Callable[[], None],
    ) -> None:
        self._to_server = to_server
        self._replies = replies
        self._tasks = tasks
        self._make_room = make_room
        self._owed = 0
        self._heard = 0
        self._ended = threading.Event()
        self._answered: list[types.RequestId] = []
        self._hung_up = False
        self._closed = False

    def deliver(self, message: types.JSONRPCMessage, answered: bool) -> None:
        """Pass a message on to the server, and note that a request is owed an answer. After the end, nothing.

        What the front has answered, the server has to hear too; its own answer is not said again.
        """
        if self._closed:
            return
        if isinstance(message, types.JSONRPCRequest):
            self._owed += 1
            self._heard += 1
            if answered:
                self._answered.append(message.id)
            metadata = ServerMessageMetadata(on_request_unanswered=partial(self._settle_unanswered, message.id))
            self._tasks.start_soon(_passed, self._to_server, SessionMessage(message, metadata))
        else:
            self._tasks.start_soon(self._hand_on, SessionMessage(message))

    def refuse(self, error: types.JSONRPCError) -> None:
        """Answer in the server's place, for a line that is no message. After the end, nothing."""
        if self._closed:
            return
        self._owed += 1
        self._tasks.start_soon(_passed, self._replies, SessionMessage(error))

    async def _hand_on(self, message: SessionMessage) -> None:
        await _passed(self._to_server, message)
        self._make_room()

    def settle(self) -> None:
        """One answer went out; when none is owed and nobody speaks any more, the server may leave."""
        self._owed -= 1
        self._make_room()
        if self._hung_up and self._owed <= 0:
            self._to_server.close()

    async def _settle_unanswered(self, id: types.RequestId) -> None:
        self.was_answered(id)
        self.settle()

    def was_answered(self, id: types.RequestId | None) -> bool:
        """Whether the front said this answer already; once, since an id may be used again."""
        if id not in self._answered:
            return False
        self._answered.remove(id)
        return True

    def when_quiet(self, action: Callable[[], None]) -> None:
        """Do something once a host is there and has had nothing to ask for a while; never, if it goes before."""
        heard = 0
        while not self._ended.wait(QUIET_SECONDS):
            if 0 < heard == self._heard and not self._owed and not self._hung_up:
                action()
                return
            heard = self._heard

    def hang_up(self) -> None:
        """Nothing more will be heard: wait for what is owed, but not for long."""
        self._hung_up = True
        if self._owed <= 0:
            self._to_server.close()
        else:
            asyncio.get_running_loop().call_later(LAST_WORDS_SECONDS, self._to_server.close)

    def close(self) -> None:
        """From here on nothing is taken and nothing is answered."""
        self._closed = True
        self._ended.set()
        self._replies.close()


async def _passed(stream: MemoryObjectSendStream[Any], message: SessionMessage) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody listens there any more
        await stream.send(message)


class Ear:
    """Makes messages of the lines that the front hears, on its threads, and brings them to the event loop."""

    def __init__(self, front: Front, loop: asyncio.AbstractEventLoop, exchange: PendingReplies) -> None:
        self._front = front
        self._loop = loop
        self._exchange = exchange

    def hear(self, heard: Heard) -> None:
        """Deliver what a line says, or refuse it with one sentence. Waits for room."""
        if heard.too_long:
            self._refuse(types.INVALID_REQUEST, f"A message may have {LINE_LIMIT:,} bytes: send less at once.")
            return
        try:
            data = json.loads(heard.line.decode("utf-8", "surrogateescape"))
        except RecursionError:
            self._refuse(types.PARSE_ERROR, "The line is nested too deep: send flatter JSON.")
            return
        except ValueError:
            self._refuse(types.PARSE_ERROR, "The line is not JSON: send one JSON-RPC message a line.")
            return
        try:
            message = types.jsonrpc_message_adapter.validate_python(data, by_name=False)
        except ValidationError:
            self._refuse(types.INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.", _id_of(data))
            return
        self._bring(partial(self._exchange.deliver, message, heard.answered))

    def tell(self, action: Callable[[], None]) -> None:
        """Have something done on the event loop, while there is one."""
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(action)

    def _refuse(self, code: int, message: str, id: types.RequestId | None = None) -> None:
        error = types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=message))
        self._bring(partial(self._exchange.refuse, error))

    def _bring(self, action: Callable[[], None]) -> None:
        self._front.take_room()
        self.tell(action)


def _id_of(data: object) -> types.RequestId | None:
    """Whom to answer, if that much can be read."""
    id = data.get("id") if isinstance(data, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None
