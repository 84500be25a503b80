"""MCP on stdin and stdout, for a host that starts us as its child.

Three things the SDK's own transport leaves to us: bytes that are no UTF-8 and lone surrogates must
reach the tool as what they are, so that it can name the argument, instead of being replaced or
dropped; a line of any length must not fill the memory; and the process must end when its host
does, however the host ends. For the last there are threads, since a blocked event loop cannot end anything.
"""

import asyncio
import json
import select
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
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
from commonplace.serve.background import Background
from commonplace.serve.protocol import Context, build_server, client_name
from commonplace.serve.wire import Wire, exit_after_grace

LINE_LIMIT = 16 * 1024 * 1024
SKIPPED_AT_ONCE = 65_536
LAST_ANSWERS_SECONDS = 1.2  # a host that has hung up still gets the answers that come this soon
MESSAGES_LIMIT = 1_024  # messages of a host that are under way; further ones are read when an answer has left
HANG_UP_CHECK_SECONDS = 0.25  # how often whoever waits for that looks whether the host is still there

Incoming = SessionMessage | Exception


def run(dialect: Dialect, wire: Wire, configure: Callable[[], Configuration]) -> None:
    """Serve one host until it goes. The process is the host's: it ends soon after this returns."""
    book = HostsBook(dialect, configure)
    try:
        anyio.run(_serve, build_server(dialect, book.for_client), wire)
    finally:
        # A call that nobody waits for any more may still hold a thread, or the book.
        threading.Thread(target=exit_after_grace, name="last", daemon=True).start()
        book.close()


class HostsBook:
    """The book, opened by the first call that needs it: where that fails, the server still says so."""

    def __init__(self, dialect: Dialect, configure: Callable[[], Configuration]) -> None:
        self._dialect = dialect
        self._configure = configure
        self._book: Book | None = None
        self._background: Background | None = None
        self._opening = threading.Lock()

    def for_client(self, context: Context) -> Book:
        """The book as this client uses it. The first call opens it, and only the first."""
        door = self._dialect.door
        with self._opening:
            if self._book is None:
                self._book = Book.open(configuration=self._configure(), door=door)
                self._dialect.begin(self._book)
                self._background = Background.of_a_host(self._book)
                self._background.start()
        return self._book.through(replace(door, client=client_name(context)))

    def close(self) -> None:
        """Lets go of the book if it was ever opened."""
        if self._background is not None:
            self._background.stop()
        if self._book is not None:
            self._book.close()


async def _serve(server: Server[object], wire: Wire) -> None:
    to_server, incoming = anyio.create_memory_object_stream[Incoming](MESSAGES_LIMIT)
    outgoing, to_wire = anyio.create_memory_object_stream[SessionMessage](MESSAGES_LIMIT)
    room = threading.Semaphore(MESSAGES_LIMIT)
    async with anyio.create_task_group() as tasks:
        exchange = PendingReplies(to_server, outgoing.clone(), tasks, room.release)
        ear = StdinReader(wire.reader, asyncio.get_running_loop(), exchange, room)
        threading.Thread(target=ear.listen, name="stdin", daemon=True).start()
        tasks.start_soon(_write, to_wire, wire.writer, exchange.settle, tasks.cancel_scope.cancel)
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            exchange.close()


async def _write(
    messages: MemoryObjectReceiveStream[SessionMessage],
    writer: BinaryIO,
    settle: Callable[[], None],
    hang_up: Callable[[], None],
) -> None:
    """One line for each message. A host that stopped reading has gone."""

    def put(line: bytes) -> None:
        writer.write(line)
        writer.flush()

    async for item in messages:
        try:
            await anyio.to_thread.run_sync(put, _line(item.message), abandon_on_cancel=True)
        except OSError:
            hang_up()
            return
        if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
            settle()


def _line(message: types.JSONRPCMessage) -> bytes:
    """Half a surrogate pair, such as a host's own id may hold, leaves as the escape it came as."""
    data = message.model_dump(by_alias=True, exclude_unset=True)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


class PendingReplies:
    """Passes on what was heard and counts the answers owed. Only ever used on the event loop.

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
        self._hung_up = False
        self._closed = False

    def deliver(self, message: types.JSONRPCMessage) -> None:
        """Pass a message on to the server, and note that a request is owed an answer. After the end, nothing."""
        if self._closed:
            return
        if isinstance(message, types.JSONRPCRequest):
            self._owed += 1
            metadata = ServerMessageMetadata(on_request_unanswered=self._settle_unanswered)
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

    async def _settle_unanswered(self) -> None:
        self.settle()

    def hang_up(self) -> None:
        """Nothing more will be heard: wait for what is owed, but not for long."""
        self._hung_up = True
        if self._owed <= 0:
            self._to_server.close()
        else:
            asyncio.get_running_loop().call_later(LAST_ANSWERS_SECONDS, self._to_server.close)

    def close(self) -> None:
        """From here on nothing is taken and nothing is answered."""
        self._closed = True
        self._replies.close()


async def _passed(stream: MemoryObjectSendStream[Any], message: SessionMessage) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # nobody listens there any more
        await stream.send(message)


class StdinReader:
    """Reads the wire on a thread of its own, which never waits for the event loop and so always hears the end.

    It waits for room where a host asks faster than it is answered, and even then notices that the host has gone.
    """

    def __init__(
        self, reader: BinaryIO, loop: asyncio.AbstractEventLoop, exchange: PendingReplies, room: threading.Semaphore
    ) -> None:
        self._reader = reader
        self._loop = loop
        self._exchange = exchange
        self._room = room

    def listen(self) -> None:
        """Hear line after line until the host hangs up, then have the process leave soon, whatever happened."""
        try:
            self._listen()
        finally:  # a server that cannot hear is of no use to anybody
            self._tell(self._exchange.hang_up)
            exit_after_grace()

    def _listen(self) -> None:
        while line := self._reader.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT:
                ended = line.endswith(b"\n")
                del line  # it is held no longer than it takes to see that it is too long
                self._skip_line(ended)
                self._refuse(types.INVALID_REQUEST, f"A message may have {LINE_LIMIT:,} bytes: send less at once.")
            elif line.strip():
                self._hear(line)

    def _hear(self, line: bytes) -> None:
        try:
            data = json.loads(line.decode("utf-8", "surrogateescape"))
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
        self._hand_over(partial(self._exchange.deliver, message))

    def _refuse(self, code: int, message: str, id: types.RequestId | None = None) -> None:
        error = types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=message))
        self._hand_over(partial(self._exchange.refuse, error))

    def _skip_line(self, ended: bool) -> None:
        while not ended:
            part = self._reader.readline(SKIPPED_AT_ONCE)
            ended = not part or part.endswith(b"\n")

    def _hand_over(self, action: Callable[[], None]) -> None:
        """Once there is room. When the host has gone, what is left of its words is little, and taken as it is."""
        while not self._room.acquire(timeout=HANG_UP_CHECK_SECONDS):
            if _has_hung_up(self._reader):
                break
        self._tell(action)

    def _tell(self, action: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(action)


def _has_hung_up(reader: BinaryIO) -> bool:
    """Whether the other end is closed, whatever is still to be read. Where that cannot be asked, reading tells."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(reader, getattr(select, "POLLRDHUP", 0))
    return bool(poll.poll(0))


def _id_of(data: object) -> types.RequestId | None:
    """Whom to answer, if that much can be read."""
    id = data.get("id") if isinstance(data, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None
