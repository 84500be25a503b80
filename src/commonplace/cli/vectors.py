"""Vectors for what a command has just put into the book: some at once, the rest by whoever is awake later."""

from commonplace.book.book import Book
from commonplace.cli.render import count
from commonplace.cli.session import CommandSession
from commonplace.errors import ModelError

PORTION = 64


def give_vectors(session: CommandSession, book: Book) -> None:
    """A portion of the vectors that are missing, and a note of how many are left."""
    if book.embedder is None or not book.care.missing_vectors():
        return
    try:
        book.care.reembed(most=PORTION)
    except ModelError as error:
        session.output.warn(f"Kept, but without vectors; run 'commonplace reembed' later: {error.message}")
        return
    missing = book.care.missing_vectors()
    if missing:
        lacking = count(missing, "text gets its vector", "texts get their vectors")
        session.output.note(
            f"{lacking} later, from a server or 'commonplace reembed'; until then they are found by words."
        )
