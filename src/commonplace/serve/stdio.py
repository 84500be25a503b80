"""MCP on stdin and stdout, for a host that starts us as its child.

Three things the SDK's own transport leaves to us: bytes that are no UTF-8 and lone surrogates must
reach the tool as what they are, so that it can name the argument, instead of being replaced or
dropped; a line of any length must not fill the memory; and the process must end when its host
does, however the host ends. For the last there is a thread, since a blocked event loop cannot end anything.
"""

import asyncio
import json
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import BinaryIO

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from commonplace.book import Book
from commonplace.config import Configuration
from commonplace.dialect import Dialect
from commonplace.record import replace
from commonplace.serve.protocol import Context, build_server, client_name

LINE_LIMIT = 16 * 1024 * 1024
GRACE_SECONDS = 1.0  # for what is running when the host goes; we are gone within two
PARENT_CHECK_SECONDS = 0.5

Incoming = SessionMessage | Exception


def run(dialect: Dialect, configuration: Configuration) -> None:
    """Serve one host until it goes."""
    parent = os.getppid()
    reader, writer = _claim_streams()
    threading.Thread(target=_outlive_nobody, args=(parent,), name="watchdog", daemon=True).start()
    with Book.open(configuration=configuration, door=dialect.door) as book:

        def as_client(context: Context) -> Book:
            return book.through(replace(dialect.door, client=client_name(context)))

        anyio.run(_serve, build_server(dialect, as_client), reader, writer)


def _claim_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the wire for ourselves: whoever else reads stdin finds it empty, whoever prints prints to stderr."""
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(wire_in, "rb"), os.fdopen(wire_out, "wb")


def _outlive_nobody(parent: int) -> None:
    """End with the host even if somebody it started still holds our stdin open."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    _leave_soon()


def _leave_soon() -> None:
    """Whatever still runs has this long; an open transaction is rolled back by the next reader."""
    time.sleep(GRACE_SECONDS)
    os._exit(0)


async def _serve(server: Server[object], reader: BinaryIO, writer: BinaryIO) -> None:
    to_server, incoming = anyio.create_memory_object_stream[Incoming](math.inf)
    outgoing, to_wire = anyio.create_memory_object_stream[SessionMessage](math.inf)
    ear = Ear(reader, asyncio.get_running_loop(), to_server, outgoing.clone())
    threading.Thread(target=ear.listen, name="stdin", daemon=True).start()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_write, to_wire, writer, tasks.cancel_scope.cancel)
        await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _write(
    messages: MemoryObjectReceiveStream[SessionMessage], writer: BinaryIO, hang_up: Callable[[], None]
) -> None:
    """One line for each message. A host that stopped reading has gone."""

    def put(line: bytes) -> None:
        writer.write(line)
        writer.flush()

    async for item in messages:
        line = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        try:
            await anyio.to_thread.run_sync(put, line, abandon_on_cancel=True)
        except OSError:
            hang_up()
            return


class Ear:
    """Reads the wire on a thread of its own, which never waits for the event loop and so always hears the end."""

    def __init__(
        self,
        reader: BinaryIO,
        loop: asyncio.AbstractEventLoop,
        to_server: MemoryObjectSendStream[Incoming],
        replies: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        self._reader = reader
        self._loop = loop
        self._to_server = to_server
        self._replies = replies

    def listen(self) -> None:
        while line := self._reader.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT:
                self._skip_line(line)
                self._refuse(types.INVALID_REQUEST, f"A message may have {LINE_LIMIT:,} bytes: send less at once.")
            elif line.strip():
                self._hear(line)
        self._tell(self._to_server.close)
        _leave_soon()

    def _hear(self, line: bytes) -> None:
        try:
            data = json.loads(line.decode("utf-8", "surrogateescape"), parse_constant=_no_number)
        except (ValueError, RecursionError):
            self._refuse(types.PARSE_ERROR, "The line is not JSON: send one JSON-RPC message a line.")
            return
        try:
            message = types.jsonrpc_message_adapter.validate_python(data, by_name=False)
        except ValidationError:
            self._refuse(types.INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.", _id_of(data))
            return
        self._tell(partial(self._to_server.send_nowait, SessionMessage(message)))

    def _refuse(self, code: int, message: str, id: types.RequestId | None = None) -> None:
        error = types.JSONRPCError(jsonrpc="2.0", id=id, error=types.ErrorData(code=code, message=message))
        self._tell(partial(self._replies.send_nowait, SessionMessage(error)))

    def _skip_line(self, start: bytes) -> None:
        while start and not start.endswith(b"\n"):
            start = self._reader.readline(LINE_LIMIT)

    def _tell(self, deed: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(deed)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _id_of(data: object) -> types.RequestId | None:
    """Whom to answer, if that much can be read."""
    id = data.get("id") if isinstance(data, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None
