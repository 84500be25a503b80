"""Python imports this first in every process under test: what it starts, calls or writes is written down."""

import os
import sys

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_STARTING = (
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "pty.spawn",
)
_CALLING = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.sendto")
_CHANGING = ("os.rename", "os.link", "os.symlink", "os.mkdir", "os.truncate", "os.chmod", "os.chown", "shutil.move")


def _watch() -> None:
    log = os.open(os.environ["WATCH_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(kind: str, event: str, what: object) -> None:
        os.write(log, f"{kind}\t{event}\t{what!r}\n".encode("utf-8", "backslashreplace"))

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            writes = any(sign in str(mode or "") for sign in "wax+") or (isinstance(flags, int) and flags & _WRITING)
            if writes and not isinstance(path, int):
                note("write", event, path)
        elif event in _STARTING:
            note("start", event, arguments[:2])
        elif event in _CALLING:
            note("call", event, arguments[1:] if event == "socket.connect" else arguments[:2])
        elif event in _CHANGING:
            note("write", event, arguments[1] if event in ("os.rename", "os.link", "os.symlink") else arguments[0])

    sys.addaudithook(hook)


if "WATCH_LOG" in os.environ:
    _watch()
