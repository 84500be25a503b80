"""What mostly only the owner of the tables can do: examine, repair, vacuum, index and empty the whole book."""

import threading
from collections.abc import Iterator, Mapping

from psycopg import sql

from commonplace.errors import InvalidInput, StoreError, StoreUnwritable
from commonplace.ports import Erasure, Finding, Mend
from commonplace.store.postgres import examining
from commonplace.store.postgres.connections import NOBODY, PostgresConnections
from commonplace.store.postgres.entries import rebuild_entry_words
from commonplace.store.postgres.entry_vectors import rebuild_entry_counts
from commonplace.store.postgres.memories import MEMORY_SOURCE, IndexRow, add_labels, add_words, columns_of
from commonplace.store.postgres.schema import Connection
from commonplace.store.postgres.transaction import OpenTransaction, number
from commonplace.store.postgres.vectors import EXACT_LIMIT, HNSW_DIMENSIONS, index_name
from commonplace.store.rows import MEMORY_COLUMNS, memory_of
from commonplace.text import text_key

PARTITIONS = 8
REPAIR_BATCH = 1_000

_SPLIT = (
    *("memories", "revisions", "postings", "sketches", "vectors", "events"),
    *("entries", "entry_postings", "entry_vectors"),
)
_WHOLE = ("tags", "uses", "relations", "keys", "sequences", "entry_counts")
_DERIVED = ("postings", "sketches", "tags")


class PostgresUpkeep:
    def __init__(self, connections: PostgresConnections) -> None:
        self._connections = connections
        self._lock = threading.Lock()
        self._removed: dict[str, str] = {}

    def facts(self) -> Mapping[str, str]:
        with self._connections.alone() as connection:
            row = connection.execute(
                "SELECT current_setting('server_version'), "
                "(SELECT extversion FROM pg_extension WHERE extname = 'vector'), "
                "(SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class AS c "
                "WHERE c.relnamespace = to_regnamespace('commonplace') AND c.relkind = 'r')"
            ).fetchone()
        version, vector, size = row or ("", "", 0)
        return {
            "engine": f"PostgreSQL {version}" + (f", pgvector {vector}" if vector else ""),
            "place": self._connections.place,
            "schema": str(self._connections.schema()),
            "latest_schema": str(self._connections.latest),
            "bytes": str(size),
        }

    def upgrade(self) -> int:
        before = self._connections.schema()
        if before < self._connections.latest:
            self._connections.bring_up()
        return before

    def tenants(self) -> tuple[str, ...]:
        """Also for a login that owns nothing, as a server's: the names, and none of the rows."""
        with self._connections.reader(NOBODY) as transaction:
            rows = transaction.rows("SELECT DISTINCT tenant_names()")
        return tuple(sorted(tenant for (tenant,) in rows))

    def examine(self) -> Iterator[Finding]:
        """Look at everything, change nothing."""
        if self._connections.schema() == 0:
            yield Finding("database", True, f"{self._connections.place} has no book yet: the first memory creates it")
            return
        with self._connections.alone() as connection:
            yield examining.isolation(connection)
        if not self._owned():
            yield Finding("rows", True, "not looked at: only the owner of the tables sees every tenant")
            return
        for name, examination in examining.EXAMINATIONS:
            try:
                with self._connections.upkeep() as transaction:
                    yield from list(examination(transaction))
            except StoreError as error:
                yield Finding(name, False, error.message)

    def repair(self) -> Iterator[str]:
        """Rebuild words, tags, sketches and the derived columns of every row, in one transaction."""
        self._require_owner()
        with self._connections.alone() as connection:
            for table in _relations(range(PARTITIONS)):
                connection.execute(sql.SQL("REINDEX TABLE {}").format(sql.Identifier(table)))
        with self._connections.upkeep(writing=True) as transaction:
            for table in _DERIVED:
                transaction.run(f"DELETE FROM {table}")
            transaction.run("UPDATE tenants SET memories = 0, length = 0")
            count = sum(_rebuild(transaction, tenant) for (tenant,) in transaction.rows("SELECT tenant FROM tenants"))
            rebuild_entry_words(transaction)
            orphans = _drop_orphans(transaction) + rebuild_entry_counts(transaction)
        yield f"rebuilt the word index, tags and sketches of {count:,} memories"
        yield f"removed {orphans:,} vectors and counters without a memory or entry"
        made = sum(self.index_vectors(*grown) for grown in self._grown())
        yield f"made {made:,} vector indexes that were missing"

    def removed(self, tenant: str, transaction_id: str) -> None:
        """Remember whose rows were removed, and by which transaction, until their traces are erased."""
        with self._lock:
            self._removed[tenant] = transaction_id

    def erase_traces(self) -> Erasure:
        with self._lock:
            removed, self._removed = self._removed, {}
        try:
            with self._connections.alone() as connection:
                readers = _older_readers(connection, list(removed.values()))
                for table in _relations(_remainders(connection, list(removed))):
                    connection.execute(
                        sql.SQL("VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF, PARALLEL 0) {}").format(sql.Identifier(table))
                    )
                allowed = _may_vacuum(connection)
        except StoreError as error:
            return Erasure(False, f"removed from the book, not yet vacuumed: {error.message}")
        if not allowed:
            return Erasure(False, "removed from the book; the space is cleared when its owner or the server vacuums it")
        if readers:
            return Erasure(False, "another transaction still sees what was removed: the server vacuums it afterwards")
        return Erasure(
            True,
            "rows, words, vectors and revisions are deleted and vacuumed; free space that is not yet written over, "
            "the write-ahead log, its archive, replicas and back-ups are the server's and outside the book",
        )

    def settle(self) -> None:
        with self._connections.alone() as connection:
            for table in (*_SPLIT, *_WHOLE):
                connection.execute(sql.SQL("VACUUM (ANALYZE, PARALLEL 0) {}").format(sql.Identifier(table)))
        if self._owned():
            for grown in self._grown():
                self.index_vectors(*grown)

    def backup(self, target: str) -> None:
        raise InvalidInput("A book on a server is backed up with the server's own tools: use pg_dump.", "store")

    def restore(self, source: str, mend: Mend) -> None:
        raise InvalidInput("A book on a server is restored with the server's own tools: use pg_restore.", "store")

    def reset(self) -> None:
        if self._connections.schema() == 0:
            return
        self._require_owner()
        with self._connections.upkeep(writing=True) as transaction:
            transaction.run(f"TRUNCATE {', '.join((*_SPLIT, *_WHOLE))}")
            transaction.run("UPDATE tenants SET memories = 0, length = 0, entries = 0, entry_length = 0")

    def index_vectors(self, tenant: str, space: str, dimensions: int) -> bool:
        """Make the HNSW index of a space where the tenant is, if it has grown so large; whether one was made."""
        if dimensions > HNSW_DIMENSIONS or not self._owned():
            return False
        with self._connections.reader(tenant) as transaction:
            counted = "SELECT count(*) FROM vectors WHERE tenant = %s AND space = %s"
            if number(transaction.rows(counted, (tenant, space))) <= EXACT_LIMIT:
                return False
        with self._connections.alone() as connection:
            [remainder] = _remainders(connection, [tenant])
            table = f"vectors_{remainder}"
            name = index_name(table, space)
            if connection.execute("SELECT to_regclass(%s) IS NOT NULL", (f"commonplace.{name}",)).fetchone() == (True,):
                return False
            _index(connection, name, table, space, dimensions)
        return True

    def _grown(self) -> list[tuple[str, str, int]]:
        """Whose vectors in which space are too many to compare each time."""
        with self._connections.upkeep() as transaction:
            rows = transaction.rows(
                "SELECT tenant, space, dimensions FROM vectors GROUP BY tenant, space, dimensions HAVING count(*) > %s",
                (EXACT_LIMIT,),
            )
        return [(tenant, space, dimensions) for tenant, space, dimensions in rows]

    def _owned(self) -> bool:
        with self._connections.alone() as connection:
            return connection.execute(
                "SELECT pg_has_role(current_user, relowner, 'USAGE') FROM pg_class "
                "WHERE oid = to_regclass('commonplace.memories')"
            ).fetchone() == (True,)

    def _require_owner(self) -> None:
        if not self._owned():
            raise StoreUnwritable(
                f"Only the owner of the tables in {self._connections.place} can do this: use the owner's address."
            )


def _relations(remainders: "range | list[int]") -> Iterator[str]:
    """The tables with content, those that are split only as far as asked for."""
    for table in _SPLIT:
        yield from (f"{table}_{remainder}" for remainder in remainders)
    yield from _WHOLE


def _remainders(connection: Connection, tenants: list[str]) -> list[int]:
    """In which partitions these tenants are; all of them, if none is named."""
    rows = connection.execute(
        "SELECT DISTINCT remainder FROM generate_series(0, %s - 1) AS remainder, unnest(%s::text[]) AS tenant "
        "WHERE satisfies_hash_partition('commonplace.memories'::regclass, %s, remainder, tenant COLLATE \"C\")",
        (PARTITIONS, tenants, PARTITIONS),
    )
    return [remainder for (remainder,) in rows] if tenants else list(range(PARTITIONS))


def _older_readers(connection: Connection, transaction_ids: list[str]) -> int:
    """How many sessions may still see what these transactions removed; vacuuming leaves it to them."""
    row = connection.execute(
        "SELECT count(*) FROM pg_stat_activity AS a, unnest(%s::xid8[]) AS removed "
        "WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type <> 'autovacuum worker' "
        "AND greatest(age(a.backend_xmin), age(a.backend_xid)) >= age(removed::xid)",
        (transaction_ids,),
    ).fetchone()
    return row[0] if row else 0


def _may_vacuum(connection: Connection) -> bool:
    """Owners may, and from PostgreSQL 17 on whoever was given MAINTAIN, which the migration does."""
    row = connection.execute(
        "SELECT pg_has_role(current_user, relowner, 'USAGE') OR (current_setting('server_version_num')::int >= 170000 "
        "AND has_table_privilege(oid, 'MAINTAIN')) FROM pg_class WHERE oid = to_regclass('commonplace.memories_0')"
    ).fetchone()
    return row == (True,)


def _index(connection: Connection, name: str, table: str, space: str, dimensions: int) -> None:
    connection.execute("SELECT set_config('maintenance_work_mem', '256MB', false)")
    try:
        connection.execute(
            sql.SQL(
                "CREATE INDEX CONCURRENTLY {} ON {} USING hnsw ((vector::halfvec({})) halfvec_cosine_ops) "
                "WHERE space = {}"
            ).format(sql.Identifier(name), sql.Identifier(table), dimensions, space)
        )
    except BaseException:
        connection.execute(sql.SQL("DROP INDEX IF EXISTS {}").format(sql.Identifier(name)))
        raise


def _rebuild(transaction: OpenTransaction, tenant: str) -> int:
    count, last = 0, 0
    while True:
        rows = transaction.rows(
            f"SELECT {MEMORY_COLUMNS} FROM {MEMORY_SOURCE} WHERE m.tenant = %s AND m.number > %s "
            "ORDER BY m.number LIMIT %s",
            (tenant, last, REPAIR_BATCH),
        )
        if not rows:
            return count
        memories = [memory_of(row) for row in rows]
        entries = [IndexRow.of(memory) for memory in memories]
        derived = [
            (entry.number, text_key(memory.text), len(entry.indexed))
            for entry, memory in zip(entries, memories, strict=True)
        ]
        transaction.run(
            "UPDATE memories AS m SET text_key = x.text_key, length = x.length "
            "FROM unnest(%s::bigint[], %s::bigint[], %s::integer[]) AS x (number, text_key, length) "
            "WHERE m.tenant = %s AND m.number = x.number",
            (*columns_of(derived, 3), tenant),
        )
        add_labels(transaction, tenant, entries)
        add_words(transaction, tenant, entries)
        count, last = count + len(rows), memories[-1].number


def _drop_orphans(transaction: OpenTransaction) -> int:
    return sum(
        transaction.run(
            f"DELETE FROM {table} AS x WHERE NOT EXISTS "
            "(SELECT 1 FROM memories AS m WHERE m.tenant = x.tenant AND m.number = x.number)"
        )
        for table in ("vectors", "uses", "revisions")
    )
