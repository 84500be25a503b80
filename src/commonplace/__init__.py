"""Memory for AI agents that people can trust.

>>> from commonplace import Book
>>> with Book.open("book.db") as book:
...     book.remember("The user prefers SQLite for prototypes", kind="preference")
...     print(book.recall("which database?").hits[0].memory.text)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.book import Book
    from commonplace.deeds import Receipt
    from commonplace.errors import CommonplaceError
    from commonplace.intake import Draft, ExactPolicy, NearPolicy, Refused, Remembered, Repeats, Verdict
    from commonplace.lifecycle import Changes
    from commonplace.memory import Kind, Memory, Origin, Standing, Status
    from commonplace.query import Filter, Hit, Mode, Order, Page, Query, Recall
    from commonplace.reading import Door
    from commonplace.scope import Principal, Right, Scope

__version__ = "0.1.0"

_HOMES = {
    "commonplace.book": ("Book",),
    "commonplace.deeds": ("Receipt",),
    "commonplace.errors": ("CommonplaceError",),
    "commonplace.intake": (
        "Draft", "ExactPolicy", "NearPolicy", "Refused", "Remembered", "Repeats", "Verdict",
    ),
    "commonplace.lifecycle": ("Changes",),
    "commonplace.memory": ("Kind", "Memory", "Origin", "Standing", "Status"),
    "commonplace.query": ("Filter", "Hit", "Mode", "Order", "Page", "Query", "Recall"),
    "commonplace.reading": ("Door",),
    "commonplace.scope": ("Principal", "Right", "Scope"),
}  # fmt: skip

__all__ = [
    "Book", "Changes", "CommonplaceError", "Door", "Draft", "ExactPolicy", "Filter", "Hit", "Kind", "Memory",
    "Mode", "NearPolicy", "Order", "Origin", "Page", "Principal", "Query", "Recall", "Receipt", "Refused",
    "Remembered", "Repeats", "Right", "Scope", "Standing", "Status", "Verdict",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """The public names, imported when they are first asked for: a command that only reads loads half of them."""
    for home, names in _HOMES.items():
        if name in names:
            # Late like the names themselves: it is only needed for those.
            from importlib import import_module

            return getattr(import_module(home), name)
    raise AttributeError(f"module 'commonplace' has no attribute '{name}'")
