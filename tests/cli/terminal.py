"""A real terminal with the command line in it: what a person types arrives key by key."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence

WAIT_SECONDS = 60.0


class RealTerminal:
    """A process on a pseudo-terminal. `expect` reads until a text was shown, `press` sends keys."""

    def __init__(self, words: Sequence[str], columns: int = 100) -> None:
        import pty
        import termios

        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (40, columns))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "commonplace", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
            start_new_session=True,
        )
        os.close(slave)
        self.shown = ""
        self._seen = 0

    def expect(self, text: str) -> str:
        """Everything up to a text that has not been expected before, and the text."""
        end = time.monotonic() + WAIT_SECONDS
        while text not in self.shown[self._seen :]:
            goes_on = time.monotonic() < end and self._read()
            assert goes_on, f"{text!r} was not shown: {self.shown[self._seen :]!r}"
        place = self.shown.index(text, self._seen) + len(text)
        found, self._seen = self.shown[self._seen : place], place
        return found

    def press(self, keys: str) -> None:
        """What a person types."""
        os.write(self._master, keys.encode())

    def leave(self) -> int:
        """Wait for the end; the exit code."""
        while self._read():
            pass
        os.close(self._master)
        return self._process.wait(WAIT_SECONDS)

    def _read(self) -> bool:
        ready, _, _ = select.select([self._master], [], [], WAIT_SECONDS)
        if not ready:
            return False
        try:
            chunk = os.read(self._master, 65_536)
        except OSError:  # how Linux tells that nobody is left on the other side
            return False
        self.shown += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(chunk)
