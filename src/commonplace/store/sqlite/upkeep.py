"""What only SQLite can do to its own file: examine, repair, copy, restore and erase."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

import apsw

from commonplace.domain.canonical_json import row_hash
from commonplace.domain.memory import index_terms, older_index_terms
from commonplace.errors import BookDamaged, NotABook, StoreError, StoreUnwritable
from commonplace.ports import Erasure, Finding, Mend, Store
from commonplace.store.findings import is_as_written, of_hashes, of_orphans, of_words
from commonplace.store.rows import MEMORY_COLUMNS, Row, memory_of
from commonplace.store.sqlite.connections import SqliteConnections, check_schema, schema_of, translated
from commonplace.store.sqlite.entries import examine_entries, rebuild_entry_words
from commonplace.store.sqlite.entry_vectors import examine_entry_vectors, rebuild_entry_counts
from commonplace.store.sqlite.memories import MEMORY_SOURCE, add_labels
from commonplace.store.sqlite.schema import WORDS
from commonplace.text import terms, text_key

_CONTENT_TABLES = (
    "memories",
    "revisions",
    "sketches",
    "tags",
    "vectors",
    "uses",
    "relations",
    "events",
    "keys",
    "changes",
    "entries",
    "entry_vectors",
    "entry_counts",
    "entry_changes",
    "sequences",
)
_OWNER_ONLY = 0o077


class SqliteUpkeep:
    def __init__(
        self, connections: SqliteConnections, forget_caches: Callable[[], None], open_store: Callable[[Path], Store]
    ) -> None:
        self._connections = connections
        self._forget_caches = forget_caches
        self._open = open_store

    @property
    def _path(self) -> Path:
        return self._connections.path

    def facts(self) -> Mapping[str, str]:
        self._connections.opener.look()
        size = sum(file.stat().st_size for file in self._files() if file.exists())
        return {
            "engine": f"SQLite {apsw.sqlite_lib_version()}",
            "place": str(self._path),
            "schema": str(self._connections.schema()),
            "latest_schema": str(self._connections.opener.latest),
            "bytes": str(size),
        }

    def upgrade(self) -> int:
        before = self._connections.schema()
        if before < self._connections.opener.latest:
            with self._connections.alone():
                pass
        return before

    def examine(self) -> Iterator[Finding]:
        """Look at everything, change nothing."""
        if self._connections.opener.look() is None:
            yield Finding("file", True, f"{self._path} does not exist yet: the first memory creates it")
            return
        yield self._examine_permissions()
        with self._connections.fresh_reader() as connection:
            for name, examination in _EXAMINATIONS:
                try:
                    with translated(str(self._path)):
                        yield from list(examination(connection))
                except StoreError as error:
                    yield Finding(name, False, error.message)

    def repair(self) -> Iterator[str]:
        """Rebuild words, tags, sketches and row hashes' derived columns from the rows, in one transaction."""
        self._forget_caches()
        with self._connections.writer() as connection:
            connection.execute("REINDEX")
            _new_word_index(connection)
            _new_epoch(connection)
            connection.execute("DELETE FROM sketches")
            connection.execute("DELETE FROM tags")
            count = _rebuild(connection)
            rebuild_entry_words(connection)
            orphans = _drop_orphans(connection) + rebuild_entry_counts(connection)
            connection.execute("DELETE FROM counts")
            connection.execute(f"INSERT INTO counts {_COUNTED}")
        yield f"rebuilt the word index, tags and sketches of {count:,} memories"
        yield f"removed {orphans:,} vectors and counters without a memory or entry"

    def erase_traces(self) -> Erasure:
        try:
            with self._connections.alone() as connection:
                # Deleting overwrites what was deleted, but not the copies that SQLite left in the gaps of
                # pages when it joined them earlier. Only rewriting the file is sure to leave nothing.
                connection.execute("VACUUM")
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1, 0, 0)
                # Truncating is not on disk until the log is next synced: a write makes it so, before the receipt.
                connection.pragma("synchronous", "FULL")
                connection.execute("UPDATE epoch SET erasures = erasures + 1")
        except StoreError as error:
            return Erasure(False, f"removed from the book, not yet from its log: {error.message}")
        if busy:
            return Erasure(False, "another process is reading the book: the write-ahead log still has to be cleared")
        copies = sorted(file.name for file in self._path.parent.glob(f"{self._path.name}.*backup*"))
        outside = f"; back-ups are yours to remove: {', '.join(copies)}" if copies else ""
        return Erasure(True, f"rows, words, vectors, revisions, free pages and the write-ahead log are clear{outside}")

    def settle(self) -> None:
        with self._connections.writer() as connection:
            connection.execute("INSERT INTO words (words) VALUES ('optimize')")

    def backup(self, target: str) -> None:
        place = Path(target)
        if os.path.lexists(place):
            raise StoreUnwritable(f"{place} exists already: name a new file.")
        if not place.parent.is_dir():
            raise StoreUnwritable(f"There is no folder {place.parent}: create it first.")
        with self._connections.alone() as connection, translated(str(place)):
            self._connections.opener.copy(connection, place)

    def restore(self, source: str, mend: Mend) -> None:
        """Put a back-up in the book's place, through SQLite, so that other processes see it whole."""
        from tempfile import TemporaryDirectory  # 10 ms to import, for what is done once a year

        place = Path(source)
        if not place.is_file():
            raise NotABook(f"There is no back-up {place}.")
        try:
            self._check_copy(place)
        except NotABook:  # what is wrong is the file that was named, not the book
            raise NotABook(f"{place} is not a back-up of a Commonplace book: name a file that backup wrote.") from None
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # a book that was lost, folder and all
        with TemporaryDirectory(prefix=".restoring-", dir=self._path.parent) as folder:
            mended = Path(folder) / "book.db"
            _copy(place, mended)
            with closing(self._open(mended)) as store:
                mend(store)
            self._put_in_place(mended)

    def _check_copy(self, place: Path) -> None:
        with translated(str(place)), closing(_read_only(place)) as copy:
            found = schema_of(copy, str(place))
            if found == 0:
                raise NotABook(f"{place} has no tables of Commonplace.")
            if found > self._connections.opener.latest:
                check_schema(found, self._connections.opener.latest, str(place))
            verdict = copy.execute("PRAGMA integrity_check(1)").get
            if verdict != "ok":
                raise BookDamaged(f"{place} is damaged ({verdict}): choose another back-up.")

    def _put_in_place(self, mended: Path) -> None:
        self._forget_caches()
        numbers = self._numbers()
        with closing(_read_only(mended)) as copy:
            try:
                self._take_over(copy)
            except (BookDamaged, NotABook):
                self._set_aside()
                self._take_over(copy)
        self._connections.let_go()
        with self._connections.writer() as connection:
            _new_epoch(connection)
            connection.executemany(
                "INSERT INTO tenants (tenant, last_number) VALUES (?, ?) "
                "ON CONFLICT DO UPDATE SET last_number = max(last_number, excluded.last_number)",
                numbers,
            )

    def _take_over(self, copy: apsw.Connection) -> None:
        with self._connections.alone() as connection, connection.backup("main", copy, "main") as backup:
            while not backup.done:
                backup.step(1_000)

    def _set_aside(self) -> None:
        """A book too damaged to be written over makes room; it is kept, for whoever can still read it."""
        self._connections.let_go()
        for file in self._files():
            if file.exists():
                os.replace(file, file.with_name(f"{file.name}.damaged"))

    def _numbers(self) -> list[Row]:
        """The last number each tenant was given: none is given out twice, not even after a restore."""
        try:
            with self._connections.reader() as connection:
                return connection.execute("SELECT tenant, last_number FROM tenants").fetchall()
        except StoreError:
            return []  # a book too damaged to tell is what back-ups are restored for

    def reset(self) -> None:
        self._forget_caches()
        with self._connections.writer() as connection:
            for table in _CONTENT_TABLES:
                connection.execute(f"DELETE FROM {table}")
            _new_word_index(connection)
            rebuild_entry_words(connection)
            _new_epoch(connection)
        self.erase_traces()

    def tenants(self) -> tuple[str, ...]:
        with self._connections.reader() as connection:
            tables = ("tenants", "memories", "relations", "events", "keys", "entries", "sequences")
            rows = connection.execute(" UNION ".join(f"SELECT tenant FROM {table}" for table in tables))
            return tuple(sorted(tenant for (tenant,) in rows))

    def _files(self) -> Iterator[Path]:
        for suffix in ("", "-wal", "-shm"):
            yield self._path.with_name(self._path.name + suffix)

    def _examine_permissions(self) -> Finding:
        if os.name != "posix":
            return Finding("permissions", True, "not checked on this system")
        open_to_others = [
            file.name for file in self._files() if file.exists() and stat.S_IMODE(file.stat().st_mode) & _OWNER_ONLY
        ]
        if open_to_others:
            return Finding("permissions", False, f"others can read {', '.join(open_to_others)}: run chmod 600 on it")
        return Finding("permissions", True, "only its owner can read the book")


def _examine_pages(connection: apsw.Connection) -> Iterator[Finding]:
    """What SQLite itself says of its pages and, through FTS5, of the word index."""
    problems = [str(line) for (line,) in connection.execute("PRAGMA integrity_check(20)") if line != "ok"]
    of_words = [line for line in problems if "words" in line or "fts5" in line]
    others = [line for line in problems if line not in of_words]
    yield Finding("pages", not others, "; ".join(others[:5]) or "every page is in order")
    if of_words:
        yield Finding("words", False, f"{'; '.join(of_words[:2])}: run doctor --repair")


def _examine_words(connection: apsw.Connection) -> Iterator[Finding]:
    """Whether the word index holds exactly what the rows say it should."""
    connection.execute("SELECT rowid FROM words WHERE words MATCH '_' LIMIT 1").fetchall()
    settings: dict[str, int] = dict(connection.execute("SELECT k, v FROM words_config"))
    rows = connection.execute(
        f"SELECT {MEMORY_COLUMNS}, w.terms FROM {MEMORY_SOURCE} LEFT JOIN words AS w ON w.rowid = m.row"
    )
    count, wrong = 0, 0
    for *columns, indexed in rows:
        memory = memory_of(tuple(columns))
        count += 1
        words = terms(memory.text)
        wrong += indexed not in (index_terms(memory, words), older_index_terms(memory, words))
    extra = connection.execute("SELECT count(*) FROM words WHERE rowid > 0").get - count
    found = of_words(count, wrong + max(0, extra))
    if found.ok and settings.get("secure-delete") != 1:
        found = Finding("words", False, "the word index would keep what is purged: run doctor --repair")
    yield found


def _examine_hashes(connection: apsw.Connection) -> Iterator[Finding]:
    wrong: list[str] = []
    rows = connection.execute(f"SELECT {MEMORY_COLUMNS}, m.hash FROM {MEMORY_SOURCE}")
    for row in rows:
        if not is_as_written(row):
            wrong.append(str(row[1]))
    for id, state, hash in connection.execute(
        "SELECT m.id, r.state, r.hash FROM revisions AS r JOIN memories AS m ON m.row = r.row"
    ):
        if not isinstance(state, str) or row_hash(state) != hash:
            wrong.append(f"{id} (a past revision)")
    yield of_hashes(wrong)


def _examine_orphans(connection: apsw.Connection) -> Iterator[Finding]:
    orphans = sum(
        connection.execute(f"SELECT count(*) FROM {table} WHERE row NOT IN (SELECT row FROM memories)").get
        for table in ("vectors", "sketches", "tags", "uses", "revisions")
    )
    yield of_orphans(orphans)


_COUNTED = "SELECT tenant, scope, status, count(*) FROM memories GROUP BY tenant, scope, status"


def _examine_counts(connection: apsw.Connection) -> Iterator[Finding]:
    """Whether what is kept of how many there are is what there is."""
    wrong: int = connection.execute(
        f"SELECT (SELECT count(*) FROM ({_COUNTED} EXCEPT SELECT * FROM counts)) + "
        f"(SELECT count(*) FROM (SELECT * FROM counts EXCEPT {_COUNTED}))"
    ).get
    if wrong:
        yield Finding("counts", False, f"{wrong:,} counts of memories are wrong: run doctor --repair")
    else:
        yield Finding("counts", True, "as many memories as were counted")


_EXAMINATIONS = (
    ("pages", _examine_pages),
    ("words", _examine_words),
    ("hashes", _examine_hashes),
    ("orphans", _examine_orphans),
    ("counts", _examine_counts),
    ("shelves", examine_entries),
    ("entry vectors", examine_entry_vectors),
)


def _new_word_index(connection: apsw.Connection) -> None:
    """The word index again, empty, as the schema made it."""
    with suppress(apsw.SQLError):  # FTS5 will not even drop a table that has lost its version
        connection.execute("INSERT OR IGNORE INTO words_config (k, v) VALUES ('version', 4)")
    connection.execute("DROP TABLE IF EXISTS words_vocabulary")
    connection.execute("DROP TABLE IF EXISTS words")
    connection.execute(WORDS.read_text(encoding="utf-8"))


def _new_epoch(connection: apsw.Connection) -> None:
    connection.execute("UPDATE epoch SET number = random()")


def _rebuild(connection: apsw.Connection) -> int:
    rows: list[Row] = connection.execute(
        f"SELECT m.row, m.tenant, {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} ORDER BY m.row"
    ).fetchall()
    indexed = []
    for row, tenant, *columns in rows:
        memory = memory_of(tuple(columns))
        words = terms(memory.text)
        connection.execute("UPDATE memories SET text_key = ? WHERE row = ?", (text_key(memory.text), row))
        add_labels(connection, tenant, row, memory, words)
        indexed.append((row, index_terms(memory, words)))
    connection.executemany("INSERT INTO words (rowid, terms) VALUES (?, ?)", indexed)
    return len(rows)


def _drop_orphans(connection: apsw.Connection) -> int:
    removed = 0
    for table in ("vectors", "uses", "revisions"):
        connection.execute(f"DELETE FROM {table} WHERE row NOT IN (SELECT row FROM memories)")
        removed += connection.changes()
    return removed


def _read_only(place: Path) -> apsw.Connection:
    """A file that nobody writes to, as a back-up or a copy of one is, without so much as a lock beside it."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(place.resolve().as_uri() + "?immutable=1", flags=flags)


def _copy(place: Path, target: Path) -> None:
    with (
        translated(str(place)),
        closing(_read_only(place)) as source,
        closing(apsw.Connection(str(target))) as copy,
        copy.backup("main", source, "main") as backup,
    ):
        while not backup.done:
            backup.step(1_000)
