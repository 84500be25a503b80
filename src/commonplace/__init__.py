"""Memory for AI agents that people can trust.

>>> from commonplace import Book
>>> with Book.open("book.db") as book:
...     book.remember("The user prefers SQLite for prototypes", kind="preference")
...     print(book.recall("which database?").hits[0].memory.text)
"""

from commonplace.book import Book, Door, Receipt
from commonplace.errors import CommonplaceError
from commonplace.intake import Draft, ExactPolicy, NearPolicy, Refused, Remembered, Repeats, Verdict
from commonplace.lifecycle import Changes
from commonplace.memory import Kind, Memory, Origin, Standing, Status
from commonplace.query import Filter, Hit, Mode, Order, Page, Query, Recall
from commonplace.scope import Principal, Right, Scope

__version__ = "0.1.0"

__all__ = [
    "Book", "Changes", "CommonplaceError", "Door", "Draft", "ExactPolicy", "Filter", "Hit", "Kind", "Memory",
    "Mode", "NearPolicy", "Order", "Origin", "Page", "Principal", "Query", "Recall", "Receipt", "Refused",
    "Remembered", "Repeats", "Right", "Scope", "Standing", "Status", "Verdict",
]  # fmt: skip
