"""A host that asks faster than it is answered waits; it loses no answer, and is noticed when it goes."""

import os
import select

from tests.serve.conftest import Start
from tests.serve.oddities import NARROW
from tests.serve.test_death import GONE_SECONDS, remembering, wait_for_log
from tests.serve.wire import Wire

FLOOD_BYTES = 4 * 1024 * 1024  # many times what a pipe and a reader's buffer hold
STALLED_SECONDS = 1.0
LINE = b'{"jsonrpc":"2.0","id":"flood","method":"ping","params":{"_meta":{"x":"' + b"x" * 1_000 + b'"}}}\n'


def flood(wire: Wire) -> int:
    """Write until the server has taken nothing for a while; how many bytes it took."""
    assert wire.process.stdin is not None
    descriptor = wire.process.stdin.fileno()
    os.set_blocking(descriptor, False)
    written, rest = 0, LINE * (FLOOD_BYTES // len(LINE))
    while rest and select.select([], [descriptor], [], STALLED_SECONDS)[1]:
        taken = os.write(descriptor, rest)
        written, rest = written + taken, rest[taken:]
    return written


def test_what_waits_is_bounded_and_the_host_is_still_heard_to_go(start: Start) -> None:
    wire = start(oddity="narrow")
    wire.shake_hands()
    for number in range(NARROW):
        wire.send(id=number, method="tools/call", params={"name": "odd", "arguments": {}})
    wait_for_log(wire, b"blocking now", NARROW)
    assert flood(wire) < FLOOD_BYTES / 2, "it goes on reading what it cannot answer"
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0


def test_no_answer_is_lost_at_the_limit_whatever_is_sent(start: Start) -> None:
    wire = start(oddity="narrow")
    wire.shake_hands()
    many = 20 * NARROW
    for number in range(many):
        wire.send(id=number, method="tools/call", params=remembering(f"Buoy {number} is at mile {number * 3}"))
        wire.write(b"this is not JSON\n")
        wire.send(method="notifications/cancelled", params={"requestId": "nobody"})
        wire.send(id=f"unknown {number}", method="no/such/method")
    heard = [wire.hear() for _ in range(3 * many)]
    answers = {answer["id"]: answer for answer in heard if answer.get("id") is not None}
    assert {number for number in range(many) if answers[number]["result"]["isError"] is False} == set(range(many))
    assert all("error" in answers[f"unknown {number}"] for number in range(many))
    assert sum(answer.get("id") is None for answer in heard) == many
    assert wire.count() == many
    wire.hang_up()
    assert wire.ended(GONE_SECONDS) == 0
