"""Processes of ours without the wait for their imports: forked from one that has done them.

    python -m tests.warm SOCKET

A server takes most of a second to import what it needs, and hundreds of tests start one. What `command` gives is
started like any program, with its own pipes, folder and environment: a small launcher passes these to a process that
has imported everything and forks. The fork is a process of its own and runs our command line from its first word on.
A test that needs time to pass gives it a clock: a file with the time, which `FileClock` writes.
Tests of the start itself, of what is imported or of who ends whom start Python the ordinary way.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]
PATH = [str(ROOT / "src"), str(ROOT)]
CLOCK = "COMMONPLACE_TEST_CLOCK"  # names a file with the time in milliseconds, which the process then goes by
LAUNCHER = Path(__file__).with_name("warm_launcher.py")
START_SECONDS = 120
REQUEST_LIMIT = 1 << 20
STREAMS = 3


def command(*words: str) -> list[str]:
    """What to start for our command line with these words."""
    if not hasattr(os, "pidfd_open"):  # elsewhere than on Linux a test waits for the imports
        return [
            sys.executable,
            "-c",
            f"import sys; sys.path[:0] = {PATH!r}; from tests import warm; warm.run()",
            *words,
        ]
    return [sys.executable, "-I", "-S", str(LAUNCHER), str(_running()), *words]


@cache
def _running() -> Path:
    """The socket of this test process's own forking process."""
    place = Path(tempfile.mkdtemp(prefix="commonplace-warm-")) / "socket"
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join(PATH)}
    process = subprocess.Popen([sys.executable, "-m", "tests.warm", str(place)], env=surroundings)
    atexit.register(process.terminate)
    wait_until(lambda: place.exists() or process.poll() is not None, START_SECONDS, "nobody forks for us")
    assert process.poll() is None
    return place


class FileClock:
    """Time for a process under test, which passes only when told to. Milliseconds, from the machine's own time on."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self.now = time.time_ns() // 1_000_000
        self.advance(0)

    def advance(self, milliseconds: int) -> int:
        """A moment that much later, for every process that was given this clock."""
        self.now += milliseconds
        written = self._place.with_suffix(".new")
        written.write_text(str(self.now), encoding="ascii")
        written.replace(self._place)
        return self.now

    @property
    def environment(self) -> dict[str, str]:
        return {CLOCK: str(self._place)}


# -- the forking process ----------------------------------------------------------------------


def serve(place: Path) -> None:
    """Fork for whoever asks, until the tests are gone."""
    from commonplace.cli import COMMANDS
    from commonplace.cli.parser import action_of
    from commonplace.dialects import dialect_names, load_dialect
    from commonplace.serve import stdio  # noqa: F401 - imported to be there

    for entry in COMMANDS:
        action_of(entry)
    for name in dialect_names():
        load_dialect(name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # whoever has a child waits for it in a process of its own
    parent = os.getppid()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{place}.new")
        listener.listen(64)
        os.rename(f"{place}.new", place)  # from now on it answers
        while os.getppid() == parent:
            if select.select([listener], [], [], 1.0)[0]:
                client, _ = listener.accept()
                if os.fork() == 0:
                    listener.close()
                    _keep(client)
                client.close()


def _keep(client: socket.socket) -> None:
    """Run one command in a child and tell the launcher how it ended; if the launcher goes, so does the child."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    data, streams, _, _ = socket.recv_fds(client, REQUEST_LIMIT, STREAMS)
    while not data.endswith(b"\n"):
        data += client.recv(REQUEST_LIMIT)
    child = os.fork()
    if child == 0:
        client.close()
        _become(json.loads(data), streams)
    for number in (*range(STREAMS), *streams):
        os.close(number)
    ended = os.pidfd_open(child)
    while True:
        ready = select.select([ended, client], [], [])[0]
        if ended in ready:
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            client.sendall(b"%d\n" % code)
            os._exit(0)
        told = client.recv(1)
        os.kill(child, told[0] if told else signal.SIGKILL)


def _become(request: dict[str, object], streams: list[int]) -> None:
    """The child: our command line with somebody's streams, folder and environment."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)  # noqa: SIM115
    os.chdir(str(request["cwd"]))
    os.environ.clear()
    os.environ.update(request["environment"])  # type: ignore[call-overload]
    time.tzset()
    sys.argv = ["commonplace", *request["words"]]  # type: ignore[misc]
    run()


def run() -> None:
    """Our command line with the words and the environment of this process, by the test's clock if there is one."""
    from commonplace.cli import main
    from commonplace.engine import caller

    if place := os.environ.get(CLOCK):
        caller.time = SimpleNamespace(time_ns=lambda: int(Path(place).read_text(encoding="ascii")) * 1_000_000)
    code = 70
    try:
        code = main()
        sys.stdout.flush()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 1
    except BaseException:  # noqa: BLE001 - the process ends here, and says of what
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
