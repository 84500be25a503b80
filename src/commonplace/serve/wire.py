"""The wire to the host: taken before anything slow is imported, and watched from then on.

A host that dies while we still import the SDK must not leave us behind, and nothing that is
imported may print to it. So this module imports next to nothing itself.
"""

import os
import select
import threading
import time

TYPE_CHECKING = False  # what `typing` calls by this name; importing it takes as long as all of the above
if TYPE_CHECKING:
    from typing import BinaryIO, NoReturn

GRACE_SECONDS = 1.4  # for what is running when the host goes; we are gone within two
PARENT_CHECK_SECONDS = 0.25


class Wire:
    """What the host writes and what it reads; nobody else in this process has either."""

    def __init__(self, reader: "BinaryIO", writer: "BinaryIO") -> None:
        self.reader = reader
        self.writer = writer

    def has_hung_up(self) -> bool:
        """Whether the host's end is closed, whatever is still to be read. Where that cannot be asked, reading tells."""
        if not hasattr(select, "poll"):
            return False
        poll = select.poll()
        poll.register(self.reader, getattr(select, "POLLRDHUP", 0))
        return bool(poll.poll(0))


def claim() -> Wire:
    """Keep the wire for ourselves: whoever else reads stdin finds it empty, whoever prints prints to stderr."""
    threading.Thread(target=_exit_with_parent, args=(os.getppid(),), name="watchdog", daemon=True).start()
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Wire(os.fdopen(wire_in, "rb"), os.fdopen(wire_out, "wb"))


def leave() -> "NoReturn":
    """End the process at once, for when nothing is under way that could be lost."""
    os._exit(0)


def exit_after_grace() -> None:
    """Whatever still runs has this long; an open transaction is rolled back by the next reader."""
    time.sleep(GRACE_SECONDS)
    os._exit(0)


def _exit_with_parent(parent: int) -> None:
    """End with the host even if somebody it started still holds our stdin open."""
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    exit_after_grace()
