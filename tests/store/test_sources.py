"""A source is found as it was told, and a file stands for each of its lines: on every engine, and in the past."""

import pytest

from commonplace.book.book import Book
from commonplace.domain.query import Filter
from commonplace.ports import Store

SOURCES = (
    "notes.md",
    "notes.md:4",
    "notes.md:12",
    "notes.md:x",
    "notes.md4",
    "other/notes.md:4",
    "https://a.example:80",
)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("notes.md", {"notes.md", "notes.md:4", "notes.md:12"}),
        ("notes.md:4", {"notes.md:4"}),
        ("notes.md:1", set()),
        ("other/notes.md", {"other/notes.md:4"}),
        ("https", set()),
        ("%", set()),
    ],
)
def test_a_file_stands_for_each_of_its_lines(store: Store, asked: str, found: set[str]) -> None:
    book = Book.over(store)
    book.remember_many([book.draft(f"Room {source} has a lamp", source=source) for source in SOURCES])
    for as_of in (None, book.now()):
        hits = book.recall("lamp", filter=Filter((), source=asked, as_of=as_of), limit=50, min_relevance=0.0).hits
        assert {hit.memory.provenance.source for hit in hits} == found
    assert {memory.provenance.source for memory in book.list(Filter((), source=asked)).memories} == found
