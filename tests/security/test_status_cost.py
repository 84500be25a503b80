"""What tells how a book is doing costs the same in a large book as in a small one, and tells of the caller's alone.

Counted are the steps of SQLite's own machine, not seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from commonplace.book.book import Book
from commonplace.dialect import Dialect, perform
from commonplace.dialects import load_dialect
from commonplace.domain.scope import Principal

SMALL, LARGE = 100, 20_000
AT_MOST = 1.5  # times the steps in a book two hundred times as large
STATUS = (("aleph", "memory_status"), ("nuzo", "memory.doctor"))


@contextmanager
def counted() -> Iterator[list[int]]:
    """The steps of each statement that runs meanwhile, on connections that are opened meanwhile."""
    steps: list[int] = []

    def profile(event: dict[str, Any]) -> None:
        steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])

    def watch(connection: apsw.Connection) -> None:
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, profile)

    apsw.connection_hooks.append(watch)
    try:
        yield steps
    finally:
        apsw.connection_hooks.remove(watch)


def make(place: Path, size: int, tenant: str) -> None:
    """So many notes of a tenant, copied from a few by SQLite itself."""
    with Book.open(str(place), model="none", principal=Principal(tenant)) as book:
        for n in range(SMALL):
            book.remember(f"Note {n} on the harbour and the lighthouse of {n % 7}", pinned=n < 3)
    if size == SMALL:
        return
    connection = apsw.Connection(str(place))
    columns = [row[1] for row in connection.execute("PRAGMA table_info(memories)")]
    kept = [name for name in columns if name not in ("row", "number", "id", "pinned")]
    with connection:
        connection.execute(
            f"WITH RECURSIVE n(i) AS (SELECT {SMALL + 1} UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            f"INSERT INTO memories (number, id, pinned, {', '.join(kept)}) "
            f"SELECT n.i, 'mem_' || n.i, 0, {', '.join(kept)} FROM n "
            "JOIN memories AS m ON m.tenant = ? AND m.number = 1 + n.i % 100",
            (size, tenant),
        )
        connection.execute(
            "INSERT INTO words (rowid, terms) SELECT m.row, w.terms FROM memories AS m "
            "JOIN memories AS o ON o.tenant = m.tenant AND o.number = 1 + m.number % 100 "
            "JOIN words AS w ON w.rowid = o.row WHERE m.tenant = ? AND m.number > ?",
            (tenant, SMALL),
        )
        connection.execute("UPDATE tenants SET last_number = ? WHERE tenant = ?", (size, tenant))
    connection.close()


def cost(place: Path, dialect: Dialect, tool: str, tenant: str = "local") -> tuple[int, int, Any]:
    """How many statements and steps a call takes, and its answer."""
    with counted() as steps, Book.open(str(place), model="none", principal=Principal(tenant)) as book:
        answer = perform(dialect, book.through(dialect.door), tool, {})
        assert not answer.failed, answer.text
        return len(steps), sum(steps), answer.body


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("books")
    places = {name: folder / f"{name}.db" for name in ("small", "large", "shared")}
    make(places["small"], SMALL, "local")
    make(places["large"], LARGE, "local")
    make(places["shared"], LARGE, "somebody")
    with Book.open(str(places["shared"]), model="none") as book:
        book.remember("The one note of the tenant that asks")
    return places


@pytest.mark.parametrize(("name", "tool"), STATUS)
def test_status_costs_the_same_in_a_large_book_as_in_a_small_one(books: dict[str, Path], name: str, tool: str) -> None:
    dialect = load_dialect(name)
    small, large = cost(books["small"], dialect, tool), cost(books["large"], dialect, tool)
    print(f"{tool}: {small[:2]} statements and steps for {SMALL:,} notes, {large[:2]} for {LARGE:,}")
    assert large[0] <= small[0], "more statements"
    assert large[1] <= AT_MOST * small[1]
    assert str(LARGE) in str(large[2])


@pytest.mark.parametrize(("name", "tool"), STATUS)
def test_status_neither_looks_at_others_nor_tells_of_them(books: dict[str, Path], name: str, tool: str) -> None:
    dialect = load_dialect(name)
    small, shared = cost(books["small"], dialect, tool), cost(books["shared"], dialect, tool)
    print(f"{tool}: {shared[:2]} statements and steps beside {LARGE:,} notes of somebody else")
    assert shared[1] <= AT_MOST * small[1]
    assert str(LARGE) not in str(shared[2])


def test_a_book_that_was_not_counted_right_is_found_out_and_mended(tmp_path: Path) -> None:
    place = tmp_path / "book.db"
    make(place, SMALL, "local")
    connection = apsw.Connection(str(place))
    connection.execute("UPDATE counts SET memories = memories + 7")
    connection.close()
    with Book.open(str(place), model="none") as book:
        assert [each.check for each in book.care.doctor() if not each.ok] == ["counts"]
        list(book.care.repair())
        assert [each.check for each in book.care.doctor() if not each.ok] == []
        assert book.count() == SMALL


def test_a_missing_word_or_vector_shows(tmp_path: Path) -> None:
    place = tmp_path / "book.db"
    make(place, SMALL, "local")
    connection = apsw.Connection(str(place))
    connection.execute("DELETE FROM words WHERE rowid > 0")
    connection.close()
    assert cost(place, load_dialect("aleph"), "memory_status")[2]["index_health"]["fts"] == "corrupted"
