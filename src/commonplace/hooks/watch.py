"""The clock over a hook: one process answers the host, and another, which it ends in time, does the work.

Whatever holds up the work (a disk that hangs, a lock, a library that lets no other thread run) holds up that process
alone. What it had found by then is said. It starts before anything that takes long is imported.
"""

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn

LATE_SECONDS, OVER_SECONDS = 1.5, 1.75
"""When what there is by then is said, and when the process ends as it is, both from its very start."""
START_SECONDS = 5.0
STDOUT, STDERR = 1, 2
GOING_SECONDS, STEP_SECONDS = 0.1, 0.001
LENGTH_BYTES = 4
CHUNK = 1 << 16


def main(words: Sequence[str]) -> NoReturn:
    """Answer one call of a hook and end the process, with exit code 0."""
    began = time.monotonic() - _age()
    try:
        if sys.platform != "win32":
            with suppress(OSError):  # no room for another process: then this one does it all
                _watch(words, began)
        _work(words, began, lambda text: None, _tell)
    finally:
        os._exit(0)  # whatever was raised: there is nobody to tell, and nothing to tidy up


def _work(words: Sequence[str], began: float, offered: Callable[[str], None], said: Callable[[str], None]) -> None:
    # What a hook takes is imported by the process that does the work.
    from commonplace.hooks.door import main as work

    threading.Thread(target=_leave_at, args=(began + OVER_SECONDS,), daemon=True).start()
    work(words, began + LATE_SECONDS, offered, said)


def _leave_at(moment: float) -> None:
    time.sleep(max(moment - time.monotonic(), 0.0))
    os._exit(0)


def _age() -> float:
    """Seconds since this process began, 0 where nobody can say: Python's own start counts too.

    A process that is older than Python takes to start was something else before, and its past is not ours.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
    return age if 0.0 <= age <= START_SECONDS else 0.0


def _watch(words: Sequence[str], began: float) -> None:
    """Let another process do the work, and answer. Comes back only if there can be no other process."""
    reading, writing = os.pipe()
    worker = os.fork()
    if worker == 0:
        try:
            os.close(reading)
            _end_at(began + OVER_SECONDS)
            _let_go_of_the_host()
            _work(words, began, lambda text: _write(writing, _framed(text)), lambda text: os.close(writing))
        finally:
            os._exit(0)
    try:
        os.close(writing)
        found = _received(reading, began + OVER_SECONDS)
        with suppress(OSError):
            os.kill(worker, signal.SIGKILL)
        _tell_until(began + OVER_SECONDS + GOING_SECONDS, _last(found))
        _wait_for(worker, began + OVER_SECONDS + GOING_SECONDS)
    finally:
        os._exit(0)


def _end_at(moment: float) -> None:
    """Let the kernel end this process then, whatever it is doing and whoever is there to see to it."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
    signal.setitimer(signal.ITIMER_REAL, max(moment - time.monotonic(), 0.001))


def _let_go_of_the_host() -> None:
    """Hold nothing that a host reads to its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, STDOUT)
    os.dup2(nowhere, STDERR)
    os.close(nowhere)


def _received(reading: int, until: float) -> bytes:
    """What comes out of a pipe, to its end or until then."""
    taken = b""
    while (left := until - time.monotonic()) > 0:
        if not select.select([reading], (), (), left)[0]:
            break
        chunk = os.read(reading, CHUNK)
        if not chunk:
            break
        taken += chunk
    return taken


def _wait_for(worker: int, until: float) -> None:
    """See a process off that was killed, so that nobody else has to; one that hangs in the kernel is left behind."""
    while os.waitpid(worker, os.WNOHANG)[0] == 0 and time.monotonic() < until:
        time.sleep(STEP_SECONDS)


def _framed(text: str) -> bytes:
    said = text.encode()
    return len(said).to_bytes(LENGTH_BYTES, "big") + said


def _last(frames: bytes) -> str:
    """The last text that came whole."""
    found, place = b"", 0
    while place + LENGTH_BYTES <= len(frames):
        begin = place + LENGTH_BYTES
        place = begin + int.from_bytes(frames[place:begin], "big")
        if place <= len(frames):
            found = frames[begin:place]
    return found.decode()


def _tell(text: str) -> None:
    _write(STDOUT, text.encode())


def _tell_until(moment: float, text: str) -> None:
    """Say it to whoever reads by then; no write is so long that it could wait."""
    left = text.encode()
    with suppress(OSError):
        while left and select.select((), [STDOUT], (), max(moment - time.monotonic(), 0.0))[1]:
            left = left[os.write(STDOUT, left[: select.PIPE_BUF]) :]


def _write(where: int, left: bytes) -> None:
    """A reader that is gone is no reason for anything."""
    with suppress(OSError):
        while left:
            left = left[os.write(where, left) :]
