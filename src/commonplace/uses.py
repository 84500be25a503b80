"""Counting use without making a recall wait: at once if the book is free, else later."""

import os
import threading
from collections import deque
from collections.abc import Sequence

from commonplace.errors import StoreError, StoreUnwritable
from commonplace.ports import Store, Use

PATIENCE_SECONDS = 0.05
QUEUE_LIMIT = 10_000


class UseCounter:
    """Records uses after ranking; what the book is too busy for is kept until the next chance."""

    def __init__(self, store: Store, tenant: str) -> None:
        self._store = store
        self._tenant = tenant
        self._process = os.getpid()
        self._waiting: deque[Use] = deque(maxlen=QUEUE_LIMIT)
        self._lock = threading.Lock()

    def record(self, uses: Sequence[Use]) -> None:
        if self._process != os.getpid():  # what waited in the parent is the parent's to write
            self._process, self._lock = os.getpid(), threading.Lock()
            self._waiting.clear()
        with self._lock:
            self._waiting.extend(uses)
        self.flush(PATIENCE_SECONDS)

    def flush(self, patience_seconds: float) -> None:
        with self._lock:
            batch = list(self._waiting)
            self._waiting.clear()
        if not batch:
            return
        try:
            with self._store.noting(self._tenant, patience_seconds) as unit:
                unit.uses.record(batch)
        except StoreUnwritable:
            return  # a book that can only be read is not a reason to fail a recall, nor will it change
        except StoreError:
            with self._lock:
                self._waiting.extendleft(reversed(batch))

    @property
    def waiting(self) -> int:
        return len(self._waiting)
