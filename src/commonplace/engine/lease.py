"""A lease: work that only one process at a time should do, whoever else has the book open.

A lease that is not renewed runs out, so that one whose holder was killed does not block the work for good.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.domain.entries import Entry
from commonplace.domain.ids import ulid
from commonplace.engine.caller import Clock
from commonplace.ports import Store, Unit

SHELF = "lease"
LASTS = 60_000  # milliseconds without a renewal


class Lease:
    """Held by whoever got it first, until it is let go or runs out."""

    def __init__(self, store: Store, tenant: str, name: str, clock: Clock) -> None:
        self._store = store
        self._tenant = tenant
        self._name = name
        self._clock = clock
        self._holder = ulid(clock())

    def renew(self) -> bool:
        """Take the lease or keep it; whether it is ours now."""
        now = self._clock()
        with self._store.writing(self._tenant) as unit:
            known = unit.entries.get(SHELF, self._name)
            if known is not None and known.state != self._holder and now - known.at < LASTS:
                return False
            unit.entries.put(Entry(SHELF, self._name, "", now, state=self._holder))
            return True

    def holds(self, unit: Unit) -> bool:
        """Whether it is still ours, seen from inside a transaction that depends on it."""
        known = unit.entries.get(SHELF, self._name)
        return known is not None and known.state == self._holder

    def release(self) -> None:
        """Let go of it, if it is still ours: one that ran out may be somebody else's by now."""
        with self._store.writing(self._tenant) as unit:
            known = unit.entries.get(SHELF, self._name)
            if known is not None and known.state == self._holder:
                unit.entries.remove(SHELF, self._name)


@contextmanager
def held(lease: Lease) -> Iterator[bool]:
    """Whether we hold it; let go at the end if we do."""
    ours = lease.renew()
    try:
        yield ours
    finally:
        if ours:
            lease.release()
