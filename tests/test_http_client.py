"""One request, one answer, within its bounds: tried on a socket that says exactly what a test has it say."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from commonplace.http_client import Address, AnswerTooLarge, Bounds, Reply, TooSlow, Unreachable, ask

BOUNDS = Bounds(60.0, 1_000)

Say = Callable[[bytes], Address]


@pytest.fixture
def say() -> Iterator[Say]:
    """A host that answers each request with these bytes, then says nothing more and does not hang up."""
    kept: list[socket.socket] = []

    def saying(answer: bytes) -> Address:
        listener = socket.create_server(("127.0.0.1", 0))
        kept.append(listener)

        def serve() -> None:
            with suppress(OSError):  # nobody came, or whoever came is gone
                connection, _ = listener.accept()
                kept.append(connection)
                connection.recv(65_536)
                connection.sendall(answer)

        threading.Thread(target=serve, daemon=True).start()
        return Address.parse(f"http://127.0.0.1:{listener.getsockname()[1]}/x?y=1")

    yield saying
    for each in kept:
        each.close()


def answer(length: int, body: bytes, status: str = "200 OK", more: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{more}\r\n".encode() + body


def test_an_answer_is_taken_as_it_is_whatever_its_status(say: Say) -> None:
    told = say(answer(2, b"no", "429 Slow Down", "Retry-After: 3\r\n"))
    assert ask(told, BOUNDS, headers={}) == Reply(429, b"no", "3")


def test_a_redirect_is_an_answer_and_no_invitation(say: Say) -> None:
    elsewhere = say(answer(0, b""))
    told = say(answer(0, b"", "302 Found", f"Location: http://127.0.0.1:{elsewhere.port}/\r\n"))
    assert ask(told, BOUNDS, headers={}).status == 302


@pytest.mark.parametrize("claims", [True, False])
def test_an_answer_that_is_too_long_is_refused_whether_it_says_so_or_not(say: Say, claims: bool) -> None:
    assert len(ask(say(answer(1_000, b"x" * 1_000)), BOUNDS, headers={}).body) == 1_000
    with pytest.raises(AnswerTooLarge):
        ask(
            say(answer(1_001, b"x" * 1_001) if claims else b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 1_001),
            BOUNDS,
            headers={},
        )


@pytest.mark.parametrize("begun", [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nX: y\r\n", answer(10, b"half")])
def test_an_answer_that_is_not_finished_in_time_is_too_slow(say: Say, begun: bytes) -> None:
    with pytest.raises(TooSlow):
        ask(say(begun), Bounds(0.2, 1_000), headers={})


@pytest.mark.parametrize("said", [b"\x00" * 100 + b"\n", b"SSH-2.0-x\r\n"])
def test_what_is_no_http_is_nobody(say: Say, said: bytes) -> None:
    with pytest.raises(Unreachable):
        ask(say(said), BOUNDS, headers={})


def test_where_nobody_listens_nobody_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(Unreachable, match="ConnectionRefused"):
        ask(Address.parse(f"http://127.0.0.1:{port}"), BOUNDS, headers={})


@pytest.mark.parametrize(
    "wrong", ["", "host", "ftp://host", "file:///etc/passwd", "http://", "http://a:b@host", "http://["]
)
def test_only_an_address_of_the_web_is_one(wrong: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Address.parse(wrong)
