"""What a server does while nobody waits for it: fill in missing vectors, and dream at night."""

import logging
import threading

from commonplace.book import Book
from commonplace.config import Settings
from commonplace.dream import Limits, RunStatus
from commonplace.errors import CommonplaceError
from commonplace.scope import Principal, Right

FIRST_SECONDS = 5.0
EVERY_SECONDS = 60.0

log = logging.getLogger("commonplace.serve")


class Background:
    """A thread that looks every minute for work. It ends with the process, or when told to."""

    def __init__(self, book: Book, settings: Settings = Settings()) -> None:
        self._book = book
        self._settings = settings
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
            for deed in (self.fill_in, self.dream):
                try:
                    deed()
                except CommonplaceError as error:
                    log.warning("could not %s: %s", deed.__name__, error.message)

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

    def dream(self) -> int:
        """A dream for everybody for whom one is due: each over what they may see. How many were applied."""
        bearers = (token.principal for token in self._book.access.list() if token.in_force(self._book.now()))
        writers = (principal for principal in bearers if principal.may(Right.WRITE))
        applied = 0
        for principal in dict.fromkeys((self._book.principal, *writers)):
            dreams = self._book.seen_by(principal, self._book.door, None).dreams
            if principal.may(Right.READ) and dreams.due(self._settings).now:
                run = dreams.run(Limits.of(self._settings), stop=self._stop.is_set)
                log.info("dreamt %s: %s, %s edits", run.id, run.status.value, len(run.done))
                applied += run.status is RunStatus.APPLIED
        return applied
