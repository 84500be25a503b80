"""What a server does while nobody waits for it: give memories the vectors they lack after a change of model."""

import logging
import threading

from commonplace.book import Book
from commonplace.errors import CommonplaceError
from commonplace.scope import Principal

FIRST_SECONDS = 5.0
EVERY_SECONDS = 60.0

log = logging.getLogger("commonplace.serve")


class Background:
    """A thread that looks every minute for work. It ends with the process, or when told to."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def __enter__(self) -> "Background":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(EVERY_SECONDS)

    def _run(self) -> None:
        wait = FIRST_SECONDS
        while not self._stop.wait(wait):
            wait = EVERY_SECONDS
            try:
                self.fill_in()
            except CommonplaceError as error:
                log.warning("could not fill in vectors: %s", error.message)

    def fill_in(self) -> int:
        """Vectors for every tenant's memories that have none in the present space; how many were made."""
        made = 0
        bearers = (token.principal.tenant for token in self._book.access.list())
        for tenant in dict.fromkeys((self._book.principal.tenant, *bearers)):
            book = self._book.seen_by(Principal(tenant), self._book.door, None)
            if book.embedder is not None and book.care.missing_vectors():
                made += book.care.reembed(stop=self._stop.is_set)
        if made:
            log.info("gave %s memories a vector", f"{made:,}")
        return made
