"""One request to one address, and one answer to it, within its time and its size.

Nothing is followed elsewhere: a redirect is an answer like any other, so that what is sent, and what is believed,
is the host's that was named and no other's.
"""

import io
import socket
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from commonplace.domain.record import Record

CHUNK_BYTES = 65_536


class Unreachable(Exception):
    """The connection was refused or lost: it may work a moment later."""


class TooSlow(Exception):
    """The answer was not there in time."""


class AnswerTooLarge(Exception):
    """The answer is longer than any that was asked for."""


class Address(Record):
    """Where a request goes."""

    secure: bool
    host: str
    port: int | None
    path: str

    @classmethod
    def parse(cls, url: str) -> "Address":
        """Read `https://host:port/path?query`; ValueError for anything else, and for a name or a password in it."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
            raise ValueError("this is not an address of the web")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(parts.scheme == "https", parts.hostname, parts.port, path)


class Bounds(Record):
    """How long an answer may take, from the first word to the last, and how many bytes it may have."""

    seconds: float
    bytes: int


class Reply(Record):
    status: int
    body: bytes
    retry_after: str | None


def ask(
    address: Address, bounds: Bounds, *, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str]
) -> Reply:
    """The answer to one request, whatever its status is."""
    connect = HTTPSConnection if address.secure else HTTPConnection
    connection = connect(address.host, address.port, timeout=bounds.seconds)
    deadline = time.monotonic() + bounds.seconds
    try:
        connection.request(method, address.path, body, dict(headers))
        with HTTPResponse(_Hurried(connection.sock, deadline), method=method) as response:  # type: ignore[arg-type]
            response.begin()
            return Reply(response.status, _read(response, bounds.bytes), response.headers.get("Retry-After"))
    except TimeoutError:
        raise TooSlow from None
    except (OSError, HTTPException, UnicodeError) as error:
        raise Unreachable(type(error).__name__) from None
    finally:
        connection.close()


def _read(response: HTTPResponse, most_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while part := response.read1(CHUNK_BYTES):
        parts.append(part)
        size += len(part)
        if size > most_bytes:
            raise AnswerTooLarge
    return b"".join(parts)


class _Hurried(io.RawIOBase):
    """A socket read against one deadline: who answers a byte at a time has no more time than others."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline

    def makefile(self, mode: str) -> io.BufferedReader:
        """What the standard library asks a socket for, to read an answer from."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)
