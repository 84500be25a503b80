"""The one place where tests wait: for something to be so, in small steps, and never longer than they say."""

import os
import select
import signal
import time
from collections.abc import Callable

STEP_SECONDS = 0.01


def wait_until(so: Callable[[], object], within_seconds: float, otherwise: str) -> None:
    """Until something is so; fails with these words if it does not come to be."""
    until = time.monotonic() + within_seconds
    while not so():
        assert time.monotonic() < until, otherwise
        time.sleep(STEP_SECONDS)


def stays(so: Callable[[], object], for_seconds: float) -> bool:
    """Whether something is so from now on, for as long as that."""
    until = time.monotonic() + for_seconds
    while so():
        if time.monotonic() >= until:
            return True
        time.sleep(STEP_SECONDS)
    return False


def kill_after(process: int, seconds: float) -> None:
    """End a process at a moment that is chosen by chance, or let it have come to its end before."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    try:
        if not select.select([handle], [], [], seconds)[0]:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    finally:
        os.close(handle)
