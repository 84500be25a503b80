"""What doctor looks at in the PostgreSQL book: who is kept from what, words, hashes and orphans."""

from collections import Counter
from collections.abc import Callable, Iterator

from commonplace.domain.canonical_json import row_hash
from commonplace.domain.memory import older_index_terms
from commonplace.ports import Finding
from commonplace.store.findings import is_as_written, of_hashes, of_orphans, of_words
from commonplace.store.postgres.entries import examine_entries
from commonplace.store.postgres.entry_vectors import examine_entry_vectors
from commonplace.store.postgres.memories import MEMORY_SOURCE, IndexRow
from commonplace.store.postgres.schema import ROLE, Connection
from commonplace.store.postgres.transaction import OpenTransaction, number
from commonplace.store.rows import MEMORY_COLUMNS, memory_of
from commonplace.text import terms

_BOUND = 17  # tables with a tenant


def isolation(connection: Connection) -> Finding:
    """Whether row-level security really binds the role that units of work run as."""
    row = connection.execute(
        "SELECT count(*), bool_or(pg_has_role(%s, c.relowner, 'MEMBER')), "
        "(SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s) FROM pg_class AS c "
        "WHERE c.relnamespace = to_regnamespace('commonplace') AND c.relrowsecurity AND c.relforcerowsecurity",
        (ROLE, ROLE),
    ).fetchone()
    if row == (_BOUND, False, False):
        return Finding("isolation", True, f"{ROLE} sees one tenant at a time")
    return Finding("isolation", False, f"{ROLE} may see other tenants: it must own nothing and bypass nothing")


def _words(transaction: OpenTransaction) -> Iterator[Finding]:
    """Whether the word index holds exactly what the rows say it should."""
    indexed: Iterator[tuple[str, int, str, int]] = transaction.stream(
        "SELECT tenant, number, term, count FROM postings ORDER BY tenant, number"
    )
    entries = _grouped(indexed)
    following = next(entries, None)
    count, wrong = 0, 0
    for tenant, *columns, length in transaction.stream(
        f"SELECT m.tenant, {MEMORY_COLUMNS}, m.length FROM {MEMORY_SOURCE} ORDER BY m.tenant, m.number"
    ):
        memory = memory_of(tuple(columns))
        count += 1
        while following is not None and following[0] < (tenant, memory.number):
            following, wrong = next(entries, None), wrong + 1
        found: dict[str, int] = {}
        if following is not None and following[0] == (tenant, memory.number):
            found, following = following[1], next(entries, None)
        before = tuple(older_index_terms(memory, terms(memory.text)).split())
        whole = (IndexRow.of(memory).indexed, before)
        wrong += not any(found == Counter(expected) and length == len(expected) for expected in whole)
    wrong += (following is not None) + sum(1 for _ in entries)
    yield of_words(count, wrong)


def _grouped(rows: Iterator[tuple[str, int, str, int]]) -> Iterator[tuple[tuple[str, int], dict[str, int]]]:
    """The postings of each memory together."""
    place: tuple[str, int] | None = None
    counts: dict[str, int] = {}
    for tenant, memory, term, count in rows:
        if place not in (None, (tenant, memory)):
            yield place, counts
            counts = {}
        place = (tenant, memory)
        counts[term] = count
    if place is not None:
        yield place, counts


def _hashes(transaction: OpenTransaction) -> Iterator[Finding]:
    wrong: list[str] = []
    for row in transaction.stream(f"SELECT {MEMORY_COLUMNS}, m.hash FROM {MEMORY_SOURCE}"):
        if not is_as_written(row):
            wrong.append(str(row[1]))
    for memory, state, hash in transaction.stream("SELECT number, state, hash FROM revisions"):
        if row_hash(state) != hash:
            wrong.append(f"number {memory} (a past revision)")
    yield of_hashes(wrong)


def _orphans(transaction: OpenTransaction) -> Iterator[Finding]:
    orphans = sum(
        number(
            transaction.rows(
                f"SELECT count(*) FROM {table} AS x WHERE NOT EXISTS "
                "(SELECT 1 FROM memories AS m WHERE m.tenant = x.tenant AND m.number = x.number)"
            )
        )
        for table in ("vectors", "sketches", "tags", "uses", "revisions")
    )
    yield of_orphans(orphans)


EXAMINATIONS: tuple[tuple[str, Callable[[OpenTransaction], Iterator[Finding]]], ...] = (
    ("words", _words),
    ("hashes", _hashes),
    ("orphans", _orphans),
    ("shelves", examine_entries),
    ("entry vectors", examine_entry_vectors),
)
