"""What the onelamp tests share: calls in the contract's words, and the same book with a clock that can be set."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commonplace.book.book import Book
from commonplace.dialect import perform
from commonplace.dialects.onelamp import DIALECT
from commonplace.domain.scope import Principal
from commonplace.store.sqlite import SqliteStore
from tests.conftest import ManualClock
from tests.contracts.client import Client

DAY = 86_400_000
PACK_KEYS = {"id", "text", "kind", "memory_type", "source_surface", "ts", "score"}

TRANSCRIPT = """\
User: We decided to use PostgreSQL for the billing service because of row-level security.
Assistant: Noted.
User: Always run make check before you push to main.
Assistant: Deployed version 2.3 to staging on 2026-01-03.
User: Next I need to migrate the invoices table by Friday.
Assistant: Sure, sounds good!
"""


def save(client: Client, content: str, **options: Any) -> str:
    """The id of something saved."""
    id: str = client.call("save_context", content=content, **options)["id"]
    return id


def packs(client: Client, query: str, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.call("get_context", query=query, **options)["packs"]
    return found


def texts(client: Client, query: str, **options: Any) -> list[str]:
    return [pack["text"] for pack in packs(client, query, **options)]


def items(client: Client, **options: Any) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = client.call("list_context", **options)["items"]
    return listed


def code(client: Client, tool: str, /, **arguments: Any) -> str:
    """The code of an error that has the contract's envelope."""
    body = client.refusal(tool, **arguments)
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    found: str = body["error"]["code"]
    return found


def present() -> int:
    return int(time.time() * 1000)


@contextmanager
def library(folder: Path, principal: Principal = Principal()) -> Iterator[tuple[Book, ManualClock]]:
    """The server's own book, opened beside it through the same door, at a time of the test's choosing."""
    clock = ManualClock(present())
    book = Book.over(SqliteStore(folder / "book.db"), principal, None, clock, DIALECT.door)
    try:
        yield book, clock
    finally:
        book.close()


def ask(book: Book, tool: str, /, **arguments: Any) -> Any:
    """A call of a tool on a book at hand."""
    answer = perform(DIALECT, book, tool, arguments)
    assert not answer.failed, answer.text
    return answer.body
