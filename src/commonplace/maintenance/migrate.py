"""A whole book from one engine to another: copied in order, resumable, and compared row by row at the end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice

from commonplace.domain.canonical_json import dumps
from commonplace.domain.record import Record
from commonplace.domain.tables import TABLES, PlainRow, Table
from commonplace.errors import Conflict, NotFound
from commonplace.ports import Store, Unit

BATCH = 500
DIGEST_BYTES = 16

Progress = Callable[[int, int], None]


class Copied(Record):
    """What of one tenant's table stands in both books now: how many rows, and the hash of them all."""

    tenant: str
    table: str
    rows: int
    digest: str


def migrate(source: Store, target: Store, progress: Progress = lambda done, total: None) -> tuple[Copied, ...]:
    """Copy everything of everybody. What an interrupted run has brought over is compared, not copied again.

    The target is empty, or holds the beginning of the same book. Each batch is a transaction of its own
    there; the source is read as it stands at one moment and never written.
    """
    tenants = source.upkeep.tenants()
    if not tenants:
        raise NotFound(f"There is nothing to copy in {source.upkeep.facts()['place']}.")
    total = sum(_counted(source, tenant) for tenant in tenants)
    copied: list[Copied] = []
    done = 0

    def report() -> None:
        nonlocal done
        done += 1
        progress(min(done, total), total)

    progress(0, total)
    for tenant in tenants:
        with source.reading(tenant) as unit:
            brought = [_copy(unit, target, tenant, table, report) for table in TABLES]
        _compare(brought, target)
        copied += brought
    _copy_tokens(source, target)
    target.upkeep.settle()
    return tuple(copied)


def _counted(store: Store, tenant: str) -> int:
    with store.reading(tenant) as unit:
        return sum(unit.tables.count(table.name) for table in TABLES)


def _copy(source: Unit, target: Store, tenant: str, table: Table, report: Callable[[], None]) -> Copied:
    passed = Digest()
    rows = passed.following(source.tables.rows(table.name), report)
    with target.reading(tenant) as unit:
        for row in unit.tables.rows(table.name):
            if row != next(rows, None):
                raise Conflict(
                    f"The {table.name} of '{tenant}' in the target are not the beginning of those in the source: "
                    "copy to an empty book."
                )
    while batch := tuple(islice(rows, BATCH)):
        with target.writing(tenant) as unit:
            unit.tables.take(table.name, batch)
    return Copied(tenant, table.name, passed.rows, passed.hex)


def _copy_tokens(source: Store, target: Store) -> None:
    """They belong to no tenant. One that is there already stays as it is: it may have been revoked there."""
    known = {token.id for token in target.tokens.all()}
    for token in source.tokens.all():
        if token.id not in known:
            target.tokens.add(token)


def _compare(copied: Sequence[Copied], target: Store) -> None:
    """What the target gives back must be what the source gave."""
    for each in copied:
        found = Digest()
        with target.reading(each.tenant) as unit:
            for _ in found.following(unit.tables.rows(each.table)):
                pass
        if (found.rows, found.hex) != (each.rows, each.digest):
            raise Conflict(
                f"The {each.table} of '{each.tenant}' differ after copying ({each.rows:,} rows in the source, "
                f"{found.rows:,} in the target): somebody wrote to the target; empty it and start again."
            )


class Digest:
    """Counts and hashes rows as they pass by."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = blake2b(digest_size=DIGEST_BYTES)

    @property
    def hex(self) -> str:
        """The hash of all rows that have passed so far."""
        return self._hash.hexdigest()

    def following(self, rows: Iterable[PlainRow], report: Callable[[], None] = lambda: None) -> Iterator[PlainRow]:
        """The same rows, counted and hashed one by one as they are taken; `report` is called for each."""
        for row in rows:
            plain = [value.hex() if isinstance(value, bytes) else value for value in row]
            self._hash.update(dumps(plain).encode())
            self.rows += 1
            report()
            yield row
