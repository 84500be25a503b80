"""Runs a command and notes what it, and all it starts, asks the kernel for: network, and files it would change.

    python -m tests.security.recorder NOTES [--may-listen] COMMAND…

The kernel itself asks us about each such call before it is made (seccomp's user notifications). That sees native
code, threads and children, which an audit hook in Python does not, and needs neither a tool nor any right. Nothing
reaches the network: every attempt is noted and refused. A server may listen where `--may-listen` says so.

Each line of NOTES is a word, `network` or `file`, and what it was about.
"""

import ctypes
import errno
import fcntl
import os
import platform
import signal
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TextIO

PATH_LIMIT = 4096
AT_FDCWD = -100
SOCKET_TYPE = 0xF  # the rest of the argument are flags
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


class Call(NamedTuple):
    """A system call that is reported: its name, and which of its arguments are folder, path and flags."""

    name: str
    path: int | None = None
    folder: int | None = None
    flags: int | None = None


class Machine(NamedTuple):
    """What a processor calls things."""

    architecture: int
    seccomp: int
    calls: dict[int, Call]


_SOCKET, _CONNECT, _SENDTO, _URING = Call("socket"), Call("connect"), Call("sendto"), Call("io_uring_setup")
_OPENAT, _OPENAT2 = Call("openat", 1, 0, 2), Call("openat2", 1, 0)
_MKDIRAT, _MKNODAT, _UNLINKAT = Call("mkdirat", 1, 0), Call("mknodat", 1, 0), Call("unlinkat", 1, 0)
_RENAMEAT, _LINKAT, _SYMLINKAT = Call("renameat", 3, 2), Call("linkat", 3, 2), Call("symlinkat", 2, 1)

MACHINES = {
    "x86_64": Machine(
        0xC000003E,
        317,
        {
            41: _SOCKET,
            42: _CONNECT,
            44: _SENDTO,
            425: _URING,
            257: _OPENAT,
            437: _OPENAT2,
            2: Call("open", 0, flags=1),
            85: Call("creat", 0),
            76: Call("truncate", 0),
            83: Call("mkdir", 0),
            258: _MKDIRAT,
            133: Call("mknod", 0),
            259: _MKNODAT,
            87: Call("unlink", 0),
            263: _UNLINKAT,
            82: Call("rename", 1),
            264: _RENAMEAT,
            316: _RENAMEAT,
            86: Call("link", 1),
            265: _LINKAT,
            88: Call("symlink", 1),
            266: _SYMLINKAT,
        },
    ),
    "aarch64": Machine(
        0xC00000B7,
        277,
        {
            198: _SOCKET,
            203: _CONNECT,
            206: _SENDTO,
            425: _URING,
            56: _OPENAT,
            437: _OPENAT2,
            45: Call("truncate", 0),
            34: _MKDIRAT,
            33: _MKNODAT,
            35: _UNLINKAT,
            38: _RENAMEAT,
            276: _RENAMEAT,
            37: _LINKAT,
            36: _SYMLINKAT,
        },
    ),
}

# From linux/seccomp.h, linux/bpf_common.h and linux/prctl.h.
_FILTER_MODE, _NEW_LISTENER = 1, 8
_ALLOW, _NOTIFY, _KILL = 0x7FFF0000, 0x7FC00000, 0x80000000
_RECEIVE, _RESPOND, _CONTINUE = 0xC0502100, 0xC0182101, 1
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NO_NEW_PRIVILEGES, _END_WITH_PARENT = 38, 1
_LIBC = ctypes.CDLL(None, use_errno=True)


class Asked(NamedTuple):
    """One notification."""

    id: int
    process: int
    number: int
    arguments: tuple[int, ...]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


# -- the side that is watched -----------------------------------------------------------------


def _instructions(machine: Machine) -> bytes:
    """The filter: report the calls of the table, those that open a file only if it may be changed."""

    def step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_so, if_not, value)

    program = [step(_LOAD, 4), step(_IF_EQUAL, machine.architecture, 1), step(_RETURN, _KILL), step(_LOAD, 0)]
    for number, call in machine.calls.items():
        if call.flags is None:
            program += [step(_IF_EQUAL, number, 0, 1), step(_RETURN, _NOTIFY)]
        else:
            program += [
                step(_IF_EQUAL, number, 0, 4),
                step(_LOAD, 16 + 8 * call.flags),
                step(_IF_ANY_BIT, WRITING, 0, 1),
                step(_RETURN, _NOTIFY),
                step(_RETURN, _ALLOW),
            ]
    return b"".join([*program, step(_RETURN, _ALLOW)])


def _be_watched(machine: Machine) -> int:
    """From here on the kernel asks before each call; gives what it asks through."""
    instructions = _instructions(machine)
    program = _Program(len(instructions) // 8, instructions)
    _LIBC.prctl(_END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    _LIBC.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    listener: int = _LIBC.syscall(machine.seccomp, _FILTER_MODE, _NEW_LISTENER, ctypes.byref(program))
    if listener < 0:
        raise OSError(ctypes.get_errno(), "the kernel does not let itself be asked")
    return listener


# -- the side that watches --------------------------------------------------------------------


class Recorder:
    """Answers the kernel, and writes down what it asked."""

    def __init__(self, machine: Machine, listener: int, notes: TextIO, may_listen: bool) -> None:
        self._machine = machine
        self._listener = listener
        self._notes = notes
        self._may_listen = may_listen

    def run(self) -> None:
        for asked in self._all():
            refused = self._judge(self._machine.calls[asked.number], asked)
            answer = struct.pack("=QqiI", asked.id, 0, -refused, 0 if refused else _CONTINUE)
            with suppress(FileNotFoundError):  # it was killed meanwhile
                fcntl.ioctl(self._listener, _RESPOND, answer)

    def _all(self) -> Iterator[Asked]:
        while True:
            room = bytearray(80)
            try:
                fcntl.ioctl(self._listener, _RECEIVE, room)
            except InterruptedError:
                continue
            except OSError:  # nobody is left to ask
                return
            id, process, _, number, _, _, *arguments = struct.unpack("=QIIiIQ6Q", room)
            yield Asked(id, process, number, tuple(arguments))

    def _judge(self, call: Call, asked: Asked) -> int:
        """Notes the call; the error that it gets, or 0 if it may be made."""
        if call.path is not None:
            if call is not _OPENAT2 or _how(asked) & WRITING:
                self._note("file", call, asked, str(_path(call, asked)))
            return 0
        if call is _SOCKET:
            return self._judge_socket(call, asked)
        if call is _SENDTO and not asked.arguments[4]:
            return 0  # on a connection, which somebody else has made
        self._note("network", call, asked, "")
        return errno.EACCES

    def _judge_socket(self, call: Call, asked: Asked) -> int:
        family, kind = asked.arguments[0], asked.arguments[1] & SOCKET_TYPE
        if family == socket.AF_UNIX:
            # A look-up may go through a service of this machine; refused, it goes to the network and is seen.
            return errno.EACCES
        if self._may_listen and family in (socket.AF_INET, socket.AF_INET6) and kind == socket.SOCK_STREAM:
            return 0
        self._note("network", call, asked, f"family {family}, type {kind}")
        return errno.EACCES

    def _note(self, word: str, call: Call, asked: Asked, what: str) -> None:
        name = what if word == "file" else f"{call.name} {what} by process {asked.process}"
        self._notes.write(f"{word} {name}\n")
        self._notes.flush()


def _memory(process: int, address: int, size: int) -> bytes:
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(size)


def _how(asked: Asked) -> int:
    flags: int = struct.unpack("=Q", _memory(asked.process, asked.arguments[2], 8))[0]
    return flags


def _path(call: Call, asked: Asked) -> Path:
    assert call.path is not None
    address = asked.arguments[call.path]
    # Not beyond the end of its page, which may be the last that is there.
    read = b""
    while b"\0" not in read and len(read) < PATH_LIMIT:
        start = address + len(read)
        read += _memory(asked.process, start, 4096 - start % 4096)
    name = os.fsdecode(read.split(b"\0", 1)[0])
    folder = AT_FDCWD if call.folder is None else ctypes.c_int(asked.arguments[call.folder]).value
    base = Path(f"/proc/{asked.process}/cwd" if folder == AT_FDCWD else f"/proc/{asked.process}/fd/{folder}")
    whole = base.resolve() / name
    return whole.parent.resolve() / whole.name


def _watched(command: list[str], machine: Machine, ours: socket.socket) -> None:
    """The child: it never comes back."""
    socket.send_fds(ours, [b"x"], [_be_watched(machine)])
    os.execvp(command[0], command)


def record(notes: Path, command: list[str], may_listen: bool) -> int:
    """Runs a command to its end; its exit code."""
    machine = MACHINES[platform.machine()]
    theirs, ours = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            _watched(command, machine, theirs)
        except OSError as error:
            os.write(2, f"{error}\n".encode())
        finally:
            os._exit(127)
    theirs.close()
    _, listeners, _, _ = socket.recv_fds(ours, 1, 1)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(child, number))
    if listeners:
        with notes.open("a", encoding="utf-8") as file:
            watcher = threading.Thread(target=Recorder(machine, listeners[0], file, may_listen).run, daemon=True)
            watcher.start()
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    place, *rest = sys.argv[1:]
    listening = rest[:1] == ["--may-listen"]
    sys.exit(record(Path(place), rest[1:] if listening else rest, listening))
