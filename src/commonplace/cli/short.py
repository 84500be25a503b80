"""Ids as people read and type them: a memory by its number, anything else by as much of its id as is its own."""

import re
from collections.abc import Mapping

from commonplace.book.reader import BookReader
from commonplace.engine.short_ids import LAST, beginning, entry_meant, shortened
from commonplace.errors import CommonplaceError

_MEMORY_ID = re.compile(r"\b(?:mem|ctx|cur)_[0-9A-Z]{26}\b")
_OTHER_ID = re.compile(r"\b(?:ses|drm|evd|doc|chunk|cor)_[0-9A-Za-z]{16,32}\b")
SHELF_LIMIT = 100_000
MARKS = {
    "session": "ses_",
    "dream": "drm_",
    "evidence": "evd_",
    "documents": "doc_",
    "chunks": "chunk_",
    "correction": "cor_",
}
"""What the ids of each shelf begin with."""


def numbered(text: str, book: BookReader) -> str:
    """A text with the numbers of memories in the place of their ids, and other ids as short as they may be typed.

    A memory that is not there keeps its id.
    """
    return _OTHER_ID.sub(
        lambda found: shown(found[0], book), _MEMORY_ID.sub(lambda found: _number(found[0], book), text)
    )


def shown(id: str, book: BookReader) -> str:
    """As much of an id as is enough to type; what is on none of the shelves stays as it is."""
    shelf = next((shelf for shelf, mark in MARKS.items() if id.startswith(mark)), None)
    if shelf is None:
        return id
    with book.caller.reading() as work:
        return beginning(work.unit, shelf, id)


def _number(id: str, book: BookReader) -> str:
    try:
        return str(book.get(id).number)
    except CommonplaceError:  # gone, or the book is what the complaint is about
        return id


def whole_id(book: BookReader, shelf: str, text: str) -> str:
    """The id of what was meant by `last` or by the beginning of an id; anything else as it was typed."""
    with book.caller.reading() as work:
        return entry_meant(work, shelf, MARKS[shelf], text)


def conversation(book: BookReader, text: str) -> str:
    """The id of a conversation that was meant; names that hosts give to theirs are taken as they are."""
    is_ours = text == LAST or text.startswith(MARKS["session"])
    return whole_id(book, "session", text) if is_ours else text


def short_ids(book: BookReader, shelf: str) -> Mapping[str, str]:
    """Every id of a shelf with what is enough to type of it."""
    with book.caller.reading() as work:
        return shortened(work.unit.entries.ids(shelf, "", SHELF_LIMIT))
