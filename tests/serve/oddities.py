"""Servers whose tools misbehave in one way each: `python -m tests.serve.oddities NAME STORE`."""

import atexit
import logging
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import anyio.to_thread

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.dialect import READS, Dialect, Parameters, tool
from commonplace.dialects import load_dialect
from commonplace.domain.record import replace
from commonplace.serve import stdio
from commonplace.serve.front import MESSAGES_LIMIT, Front
from commonplace.serve.opening import Opening
from commonplace.serve.wire import claim

FOREVER_SECONDS = 3_600
NARROW = 4  # messages under way


class Nothing(Parameters):
    pass


def noisy(book: Book, given: Nothing) -> Mapping[str, object]:
    """Every way to write where only the protocol may."""
    print("a library prints")
    sys.stdout.write("a library writes\n")
    sys.stdout.flush()
    os.write(1, b"somebody writes to the descriptor\n")
    subprocess.run([sys.executable, "-c", "print('a child prints')"], check=True)
    subprocess.run(["sh", "-c", "echo a shell prints; cat"], check=True)  # and reads to the end, which is at once
    warnings.warn("a library warns", stacklevel=1)
    logging.getLogger("library").debug("a library logs")
    return {"stdin": sys.stdin.read()}


def blocked(book: Book, given: Nothing) -> Mapping[str, object]:
    logging.getLogger("oddity").warning("blocking now")
    threading.Event().wait(FOREVER_SECONDS)
    return {}


def broken(book: Book, given: Nothing) -> Mapping[str, object]:
    raise RuntimeError("the insides: /home/somebody/secret")


def block_the_loop() -> None:
    """Calls of `odd` sleep on the event loop itself."""

    async def on_the_loop(call: Callable[..., Any], *arguments: object, **_: object) -> Any:
        return call(*arguments)

    anyio.to_thread.run_sync = on_the_loop  # type: ignore[assignment]


def with_odd_tool(call: Callable[[Book, Nothing], Mapping[str, object]]) -> Dialect:
    native = load_dialect("native")
    odd = tool("odd", "Odd", "Misbehaves.", Nothing, call, dict[str, object], READS)
    return replace(native, tools=(*native.tools, odd))


def main(oddity: str, store: str) -> None:
    front = Front(claim(), Opening({}), NARROW if oddity == "narrow" else MESSAGES_LIMIT)
    calls = {"noisy": noisy, "blocked": blocked, "broken": broken, "blocked-loop": blocked, "narrow": blocked}
    if oddity == "blocked-loop":
        block_the_loop()
    if oddity == "takes-leave":
        atexit.register(os.write, 2, b"the interpreter is taken down\n")
    logging.basicConfig(stream=sys.stderr, level=logging.DEBUG)
    warnings.simplefilter("always")
    dialect = with_odd_tool(calls[oddity]) if oddity in calls else load_dialect("native")
    stdio.run(dialect, front, lambda: load({"store": store}))


if __name__ == "__main__":
    main(*sys.argv[1:])
