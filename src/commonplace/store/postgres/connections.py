"""Connections to one server: a pool that the threads of a process share, and how its transactions begin and end."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool

from commonplace.domain.addresses import is_clear, without_password
from commonplace.errors import BookClosed, BookMissing, InvalidInput, StoreError, StoreUnavailable
from commonplace.store.migrations import Migration
from commonplace.store.postgres import schema
from commonplace.store.postgres.errors import translate, translated
from commonplace.store.postgres.schema import Connection
from commonplace.store.postgres.transaction import Half, HalfDumper, NoBook, OpenTransaction, Transaction
from commonplace.store.rows import Row

NOBODY = ""  # what a transaction names that is no tenant's
POOL_LIMIT = 16
CONNECT_SECONDS = 10
SILENCE_SECONDS = 10
STATEMENT_SECONDS = 60
IDLE_SECONDS = 600
FILTERED_SCAN_LIMIT = 100_000  # how far an HNSW index is searched for what a filter admits

_TRANSACTION_SETTINGS = {
    "search_path": schema.SEARCH_PATH,
    "jit": "off",  # compiling takes longer than any statement of ours
    "statement_timeout": str(STATEMENT_SECONDS * 1_000),
    "idle_in_transaction_session_timeout": str(IDLE_SECONDS * 1_000),
    "hnsw.iterative_scan": "strict_order",
    "hnsw.ef_search": "400",
    "hnsw.max_scan_tuples": str(FILTERED_SCAN_LIMIT),
}
_MAINTENANCE_SETTINGS = {"commonplace.upkeep": "on", "statement_timeout": "0"}
_READ = sql.SQL("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
_WRITE = sql.SQL("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")


class PostgresConnections:
    """Hands out transactions. Thread-safe; forgets everything in a forked child."""

    def __init__(
        self,
        address: str,
        busy_seconds: float,
        steps: tuple[Migration, ...],
        password: str = "",
        create: bool = True,
    ) -> None:
        """`password` is for an address that has none of its own."""
        self._create = create
        has_one = bool(_parts(address).get("password"))
        self.place = without_password(address)
        self.steps = steps
        self.busy_seconds = busy_seconds
        self._address = address
        self._connecting = _CONNECTING if has_one or not password else {**_CONNECTING, "password": password}
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._pool: ConnectionPool[Connection] | None = None
        self._ready = False
        self._inherited: list[ConnectionPool[Connection]] = []
        self._closed = False

    @property
    def latest(self) -> int:
        """The schema that this version writes."""
        return self.steps[-1].number

    @contextmanager
    def reader(self, tenant: str) -> Iterator[Transaction]:
        """A snapshot of the tenant's part of the book; of one that does not exist yet, nothing."""
        if not self._prepared(writing=False):
            yield NoBook(tenant, self.place)
            return
        with self._begun(tenant, _READ, _settings(tenant, self.busy_seconds)) as transaction:
            yield transaction

    @contextmanager
    def writer(
        self, tenant: str, patience_seconds: float | None = None, durable: bool = True
    ) -> Iterator[OpenTransaction]:
        """A write transaction, alone in its tenant: all or nothing, and on disk when the block has been left."""
        patience = self.busy_seconds if patience_seconds is None else patience_seconds
        self._prepared(writing=True)
        settings = _settings(tenant, patience, {} if durable else {"synchronous_commit": "off"})
        with self._begun(tenant, _WRITE, settings, _LOCK_TENANT, patience=patience) as transaction:
            yield transaction

    @contextmanager
    def upkeep(self, writing: bool = False) -> Iterator[OpenTransaction]:
        """A transaction over every tenant, as the owner; one that writes has the book to itself."""
        self._prepared(writing)
        settings = _set({**_TRANSACTION_SETTINGS, **_MAINTENANCE_SETTINGS, **_lock(self.busy_seconds)})
        opening = (_WRITE, settings, _LOCK_BOOK) if writing else (_READ, settings)
        with self._begun("", *opening) as transaction:
            yield transaction

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A connection of its own outside a transaction, as the user of the address, for what cannot be in one."""
        self._come_in()
        with translated(self.place), self._connect() as connection:
            for name, value in {"search_path": schema.SEARCH_PATH, **_lock(self.busy_seconds)}.items():
                connection.execute("SELECT set_config(%s, %s, false)", (name, value))
            yield connection

    def schema(self) -> int:
        """The schema of the book, 0 when there is none yet."""
        with self.alone() as connection:
            return self._schema_of(connection)

    def _schema_of(self, connection: Connection) -> int:
        found = schema.schema_of(connection)
        if found == 0 and not self._create:
            raise BookMissing(self.place)
        return found

    def bring_up(self) -> None:
        """Create the book or bring it up to date."""
        with self.alone() as connection:
            schema.bring_up(connection, self.steps, self.place)

    def close(self) -> None:
        """For good: whoever has a connection gives it back, and nobody gets another."""
        self._follow_fork()
        self._closed = True
        with self._lock:
            pool, self._pool, self._ready = self._pool, None, False
        if pool is not None:
            pool.close()

    def _prepared(self, writing: bool) -> bool:
        """Whether there is a book, of the present schema; the first writer makes it so."""
        self._come_in()
        if self._ready:
            return True
        with self.alone() as connection:
            found = self._schema_of(connection)
            if found == 0 and not writing:
                return False
            if found < self.latest and writing:
                schema.bring_up(connection, self.steps, self.place)
            else:
                schema.check(found, self.latest, self.place)
            schema.check_role(connection, self.place)
        self._ready = True
        return True

    @contextmanager
    def _begun(
        self, tenant: str, *opening: sql.SQL | sql.Composed, patience: float | None = None
    ) -> Iterator[OpenTransaction]:
        """The block as a transaction: rolled back if it is left by an error or only read, else committed."""
        pool = self._opened()
        connection = self._begin(pool, sql.SQL("; ").join([*opening, _SCHEMA]), patience)
        transaction = OpenTransaction(connection, tenant, self.place)
        try:
            yield transaction
            if opening[0] is _WRITE:
                self._commit(connection)
        finally:
            transaction.end()
            self._give_back(pool, connection)

    def _begin(self, pool: ConnectionPool[Connection], opening: sql.Composed, patience: float | None) -> Connection:
        """One journey to the server. If the connection died while idle nothing was sent: take another, once."""
        last_chance = False
        while True:
            with translated(self.place):
                connection = pool.getconn(timeout=max(0.01, self.busy_seconds if patience is None else patience))
            try:
                cursor = connection.execute(opening)
                while cursor.nextset():
                    pass
                found = cursor.fetchone()
                schema.check(found[0] if found else 0, self.latest, self.place)
                return connection
            except psycopg.Error as error:
                gone = connection.closed
                self._give_back(pool, connection)
                if not gone or last_chance:
                    self._ready = self._ready and not isinstance(error, errors.UndefinedTable | errors.UndefinedObject)
                    raise translate(error, self.place) from error
                last_chance = True
                pool.check()
            except BaseException:
                self._give_back(pool, connection)
                raise

    def _give_back(self, pool: ConnectionPool[Connection], connection: Connection) -> None:
        if connection.info.transaction_status is not TransactionStatus.IDLE:
            with suppress(psycopg.Error):  # a connection that is gone has rolled back by itself
                connection.execute("ROLLBACK")
        pool.putconn(connection)

    def _commit(self, connection: Connection) -> None:
        if connection.info.transaction_status is TransactionStatus.INERROR:
            raise StoreError(f"A statement failed on {self.place}, so nothing of the transaction was written.")
        try:
            connection.execute("COMMIT")
        except psycopg.OperationalError as error:
            if not connection.closed:
                raise translate(error, self.place) from error
            raise StoreUnavailable(
                f"{self.place} went away while it was writing: whether it was written is not known; "
                "try again with the same idempotency key."
            ) from error
        except psycopg.Error as error:
            raise translate(error, self.place) from error

    def _opened(self) -> ConnectionPool[Connection]:
        with self._lock:
            if self._pool is None:
                self._pool = ConnectionPool(
                    self._address,
                    connection_class=psycopg.Connection[Row],
                    kwargs=self._connecting,
                    configure=_configure,
                    min_size=0,
                    max_size=POOL_LIMIT,
                    open=False,
                    name="commonplace",
                    reconnect_timeout=CONNECT_SECONDS,  # the pauses grow until then; the next caller begins anew
                )
                self._pool.open()
            return self._pool

    def _connect(self) -> Connection:
        connection: Connection = psycopg.connect(self._address, **self._connecting)
        _configure(connection)
        return connection

    def _come_in(self) -> None:
        if self._closed:
            raise BookClosed
        self._follow_fork()

    def _follow_fork(self) -> None:
        """A child must neither use nor close its parent's connections: the server cannot tell the two apart."""
        if self._process == os.getpid():
            return
        self._process, self._lock = os.getpid(), threading.Lock()
        self._inherited += [self._pool] if self._pool else []
        self._pool, self._ready = None, False


logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())  # what it says there we say as an error

_CONNECTING: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": CONNECT_SECONDS,
    "tcp_user_timeout": SILENCE_SECONDS * 1_000,  # a network that swallows what is sent is noticed
    "keepalives_idle": SILENCE_SECONDS,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "application_name": "commonplace",
}
_SCHEMA = sql.SQL("SELECT schema FROM commonplace.book")
_LOCK_BOOK = sql.SQL(f"SELECT pg_advisory_xact_lock({schema.BOOK_LOCK})")
_LOCK_TENANT = sql.SQL(
    f"SELECT pg_advisory_xact_lock_shared({schema.BOOK_LOCK}), "
    "pg_advisory_xact_lock(hashtextextended(current_setting('commonplace.tenant'), 0))"
)


def _configure(connection: Connection) -> None:
    connection.adapters.register_dumper(Half, HalfDumper)


def _settings(tenant: str, patience: float, more: dict[str, str] | None = None) -> sql.Composed:
    return _set(
        {**_TRANSACTION_SETTINGS, "role": schema.ROLE, "commonplace.tenant": tenant, **_lock(patience), **(more or {})}
    )


def _lock(patience_seconds: float) -> dict[str, str]:
    return {"lock_timeout": str(max(1, int(patience_seconds * 1_000)))}  # 0 would wait for ever


def _set(settings: dict[str, str]) -> sql.Composed:
    """Settings for this transaction alone: the next one on the connection may be another tenant's."""
    each = [sql.SQL("set_config({}, {}, true)").format(name, value) for name, value in settings.items()]
    return sql.SQL("SELECT {}").format(sql.SQL(", ").join(each))


def _parts(address: str) -> dict[str, Any]:
    """What an address says. One that leaves doubt where its password ends would be told to the wrong host."""
    if not is_clear(address):
        raise InvalidInput(
            "The store's address cannot be read without doubt: write %40 for @ and %2F for / in its password, or leave "
            "the password to COMMONPLACE_STORE_PASSWORD.",
            "store",
        )
    with suppress(psycopg.ProgrammingError):  # which may quote the password, and must not be seen behind ours
        return conninfo_to_dict(address)
    raise InvalidInput("The store is not an address that PostgreSQL understands: check it.", "store")
