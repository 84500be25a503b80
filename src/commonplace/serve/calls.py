"""Calls at a server's doors: off the event loop, within their time, and every failure an answer.

Apart from the MCP server, whose SDK takes most of a second to import: the page does without it.
"""

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import anyio
import anyio.to_thread

from commonplace import secrets
from commonplace.book.book import Book
from commonplace.deadline import Deadline
from commonplace.dialect import Answer, Dialect, perform, refused
from commonplace.errors import CommonplaceError, Unexpected
from commonplace.ports import Embedder

NAME_LIMIT = 1_000  # characters of a name that are looked at

Result = TypeVar("Result")

Timing = Callable[[str, str], AbstractContextManager[list[Answer]]]
"""Around each call, with its surface and name: what it answered is put into the list."""

FIRST_QUESTION = "what is known"  # any words: a model is loaded by its first

log = logging.getLogger("commonplace.serve")


def untimed(surface: str, name: str) -> AbstractContextManager[list[Answer]]:
    """For servers that nobody measures."""
    return nullcontext([])


def load_model(embedder: Embedder | None) -> None:
    """Let a model of this machine load before the first question waits for it; CommonplaceError if it cannot."""
    if embedder is not None and not embedder.uses_network:
        embedder.embed_query(FIRST_QUESTION)


async def apart(
    work: Callable[[], Result], seconds: float | None, limiter: anyio.CapacityLimiter | None = None
) -> Result:
    """Work off the event loop, in so many seconds from when it begins. A cancelled call is let go, and stops soon."""
    deadline = Deadline(seconds, gives_way=seconds is not None)
    try:
        return await anyio.to_thread.run_sync(deadline.run, work, limiter=limiter, abandon_on_cancel=True)
    finally:
        deadline.cancel()


def perform_at_door(
    dialect: Dialect, open_book: Callable[[], Book], name: str, arguments: Mapping[str, object]
) -> Answer:
    """One call, whose every failure is an answer."""
    try:
        return perform(dialect, open_book(), name, arguments)
    except CommonplaceError as error:  # the book could not even be opened
        return refused(dialect, error)
    except Exception as error:  # noqa: BLE001 - a door: what nobody expected is logged, not shown to a model
        return refused(dialect, unexpected(name, error))


def unexpected(what: str, error: Exception) -> Unexpected:
    """For the log with all its insides, for whoever asked without them."""
    what = secrets.masked(what[:60])
    log.error("%s failed", what, exc_info=error)
    if isinstance(error, ImportError):
        return Unexpected(f"A part of Commonplace for {what} cannot be loaded: if it was upgraded, restart your tool.")
    return Unexpected(f"This is a bug in {what} ({type(error).__name__}); the server's log says where.")


def fit_name(said: str) -> str | None:
    """A name that a client gave itself, as far as it can and may be written down."""
    name = "".join(letter for letter in said[:NAME_LIMIT] if letter.isprintable()).strip()
    return None if secrets.find(name) else name[:60] or None
