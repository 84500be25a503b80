"""A small proxy between the server and its database, which can cut or swallow what passes through it."""

import select
import socket
import threading
from pathlib import Path


class Proxy:
    """Forwards a TCP port to a Unix socket. `cut` ends every connection, `swallow` keeps them but forwards nothing."""

    def __init__(self, target: Path) -> None:
        self._target = str(target)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._open = threading.Event()
        self._open.set()
        self.hangs = threading.Event()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            for pair in self._pairs:
                for end in pair:
                    _end(end)

    def swallow(self) -> None:
        """From now on nothing arrives; `hangs` is set as soon as somebody waits for it."""
        self.hangs.clear()
        self._open.clear()

    def let_through(self) -> None:
        """What hung in a black hole is gone: its connections are cut, and new ones work."""
        self.cut()
        self._open.set()

    def close(self) -> None:
        self._listener.close()
        self._open.set()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._target)
            except OSError:  # the database is away
                near.close()
                far.close()
                continue
            with self._lock:
                self._pairs.add((near, far))
            threading.Thread(target=self._pump, args=(near, far), daemon=True).start()

    def _pump(self, near: socket.socket, far: socket.socket) -> None:
        others = {near: far, far: near}
        try:
            while True:
                ready, _, _ = select.select(list(others), [], [], 0.1)
                if ready and not self._open.is_set():
                    self.hangs.set()
                self._open.wait()
                for end in ready:
                    data = end.recv(65_536)
                    if not data:
                        return
                    others[end].sendall(data)
        except (OSError, ValueError):
            return
        finally:
            with self._lock:
                self._pairs.discard((near, far))
            near.close()
            far.close()


def _end(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
