"""How long a piece of work may take, and the one question that long work asks on its way.

A door says how long a call may take, or that nobody waits for it any more; whatever loops over sentences, pages or
memories asks `check` each time round. The deadline belongs to the call and not to a function, so it travels with
the thread's context. Work asks before and inside a transaction, never between a commit and its answer: what is
stopped has written nothing, or has rolled it back.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from commonplace.errors import TookTooLong

Item = TypeVar("Item")
Result = TypeVar("Result")


FREE_SECONDS = 0.05
"""A call that is done so soon never rests."""

WORK_SECONDS = REST_SECONDS = 0.001


class Deadline:
    """When a call has to be done. Any thread may cancel it.

    A call that `gives_way` rests as long as it works once it has taken a while: threads of one process run one at a
    time, and without a rest, whoever else asks something waits for their turn at every step of theirs.
    """

    def __init__(self, seconds: float | None = None, *, gives_way: bool = False) -> None:
        """So many `seconds` from when it begins; without any, it has all the time until it is cancelled."""
        self._seconds = seconds
        self._gives_way = gives_way
        self._until = self._rests_at = math.inf
        self._cancelled = False

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        self._cancelled = True

    def run(self, work: Callable[[], Result]) -> Result:
        """Do the work under this deadline."""
        now = time.monotonic()
        if self._seconds is not None:
            self._until = now + self._seconds
        if self._gives_way:
            self._rests_at = now + FREE_SECONDS
        token = _PRESENT.set(self)
        try:
            return work()
        finally:
            _PRESENT.reset(token)

    def check(self) -> None:
        """Go on, perhaps after a rest, or raise TookTooLong."""
        now = time.monotonic()
        if now > self._rests_at:
            time.sleep(REST_SECONDS)
            self._rests_at = time.monotonic() + WORK_SECONDS
        if self._cancelled:
            raise TookTooLong("Nobody waits for this call any more, so it was stopped: nothing is half done.")
        if now > self._until:
            raise TookTooLong(
                f"This took longer than {self._seconds:g} seconds and was stopped, nothing is half done: "
                "ask for less at once."
            )


_PRESENT: ContextVar[Deadline | None] = ContextVar("deadline", default=None)


def check() -> None:
    """Go on, or raise TookTooLong if the call that this work is for has had its time."""
    present = _PRESENT.get()
    if present is not None:
        present.check()


@contextmanager
def suspended() -> Iterator[None]:
    """Work that has to come to its end once it is begun: what is asked meanwhile says go on."""
    token = _PRESENT.set(None)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def each(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with a check before each."""
    for item in items:
        check()
        yield item
