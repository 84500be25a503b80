"""Counting use without making a recall wait: at once if the book is free, else later."""

import os
import threading
from collections import deque
from collections.abc import Sequence

from commonplace.domain.events import Event
from commonplace.errors import BookClosed, StoreError, StoreUnwritable
from commonplace.ports import Store, Use

PATIENCE_SECONDS = 0.05
QUEUE_LIMIT = 10_000

Note = Use | Event
"""That a memory was used, or a line for the log about it."""


class UsageRecorder:
    """Records uses after ranking; what the book is too busy for is kept until the next chance."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._process = os.getpid()
        self._waiting: deque[tuple[str, Note]] = deque(maxlen=QUEUE_LIMIT)
        self._lock = threading.Lock()

    def record(self, tenant: str, notes: Sequence[Note]) -> None:
        """Count recalls now if the book is free within the patience, else later. Only a closed book is an error."""
        if self._process != os.getpid():  # what waited in the parent is the parent's to write
            self._process, self._lock = os.getpid(), threading.Lock()
            self._waiting.clear()
        with self._lock:
            self._waiting.extend((tenant, note) for note in notes)
        self.flush(PATIENCE_SECONDS)

    def flush(self, patience_seconds: float) -> None:
        """Write what waits, tenant by tenant; what cannot be written in time goes on waiting."""
        with self._lock:
            waiting = list(self._waiting)
            self._waiting.clear()
        for tenant in dict.fromkeys(tenant for tenant, _ in waiting):
            self._write(tenant, [note for owner, note in waiting if owner == tenant], patience_seconds)

    def _write(self, tenant: str, notes: Sequence[Note], patience_seconds: float) -> None:
        try:
            with self._store.best_effort(tenant, patience_seconds) as unit:
                unit.uses.record([note for note in notes if isinstance(note, Use)])
                for note in notes:
                    if isinstance(note, Event):
                        unit.log.append(note)
        except BookClosed:
            raise
        except StoreUnwritable:
            return  # a book that can only be read is not a reason to fail a recall, nor will it change
        except StoreError:
            with self._lock:
                self._waiting.extendleft((tenant, note) for note in reversed(notes))

    @property
    def waiting(self) -> int:
        """How many notes are not in the book yet."""
        return len(self._waiting)
