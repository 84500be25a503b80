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
            for task in (self.fill_in, self.dream):
                try:
                    task()
                except CommonplaceError as error:
                    log.warning("could not %s: %s", task.__name__, error.message)
                except Exception:
                    log.exception("could not %s", task.__name__)

    def fill_in(self) -> int:
        """Vectors for every tenant's memories that have none in the present space; how many were made."""
        made = 0
        for tenant in self._book.care.tenants():
            book = self._book.seen_by(Principal(tenant), self._book.door, None)
            if book.embedder is not None and book.care.missing_vectors():
                made += book.care.reembed(stop=self._stop.is_set)
        if made:
            log.info("gave %s memories a vector", f"{made:,}")
        return made

    def _dreamers(self) -> dict[Principal, None]:
        """Everybody a dream may be made for: the person whose book it is, whoever has a token to write, and, where
        people come in through an issuer, whoever owns a memory."""
        tokens = (token.principal for token in self._book.access.list() if token.in_force(self._book.now()))
        known = dict.fromkeys((self._book.principal, *(who for who in tokens if who.may(Right.WRITE))))
        people = {(who.tenant, who.user) for who in known}
        for tenant in self._book.care.tenants() if self._settings.oauth_issuer else ():
            for user in self._book.care.owners(tenant):
                if (tenant, user) not in people:
                    known[Principal.bearer(tenant, user, (), frozenset({Right.READ, Right.WRITE}), None)] = None
        return known

    def dream(self) -> int:
        """A dream for everybody for whom one is due: each over what they may see. How many were applied."""
        applied = 0
        for principal in self._dreamers():
            dreams = self._book.seen_by(principal, self._book.door, None).dreams
            if principal.may(Right.READ) and dreams.due(self._settings).now:
                run = dreams.run(Limits.of(self._settings), llm=self._book.llm, stop=self._stop.is_set)
                log.info("dreamt %s: %s, %s edits", run.id, run.status.value, len(run.done))
                applied += run.status is RunStatus.APPLIED
        return applied
