"""What a server does while nobody waits for it: fill in missing vectors, and dream at night.

The server of a host does the first for the one person it serves: what was saved without vectors, or before there was a
model, gets them from whichever of our processes is awake, in small portions.
"""

import logging
import threading
from collections.abc import Callable
from functools import partial

from commonplace.book.book import Book
from commonplace.config import Settings, state_folder
from commonplace.deadline import Deadline
from commonplace.domain.scope import Principal, Right
from commonplace.errors import CommonplaceError

FIRST_SECONDS = 5.0
EVERY_SECONDS = 60.0

log = logging.getLogger("commonplace.serve")


class Background:
    """A thread that looks every minute for work. It ends with the process, or when told to."""

    def __init__(self, book: Book, settings: Settings = Settings()) -> None:
        self._book = book
        self._settings = settings
        self._stop = threading.Event()
        self._tasks: tuple[tuple[str, Callable[[], int]], ...] = (
            ("give memories vectors", self.fill_in),
            ("dream", self.dream),
        )
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)

    def __enter__(self) -> "Background":
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join(EVERY_SECONDS)

    @classmethod
    def of_a_host(cls, book: Book, store: str) -> "Background":
        """The same for a server that one host has started: for its person, what hooks have noted, and vectors."""
        made = cls(book)
        made._tasks = (
            ("learn from conversations", partial(made.catch_up, store)),
            ("give texts vectors", made.fill_in_own),
        )
        return made

    def start(self) -> None:
        """Begin, for whoever cannot use a `with`; `stop` ends it."""
        self._thread.start()

    def stop(self) -> None:
        """End soon, and wait for nothing: what is under way is left to the next process."""
        self._stop.set()

    def _run(self) -> None:
        wait = FIRST_SECONDS
        while not self._stop.wait(wait):
            wait = EVERY_SECONDS
            for what, task in self._tasks:
                self._attempt(what, task)

    def catch_up(self, store: str) -> int:
        """Learn from what hooks have noted for the book at this place; how many things were learnt."""
        # Late: learning takes a tenth of a second to load, which nobody's first call should wait for.
        from commonplace.hooks.capture import catch_up
        from commonplace.hooks.state import State

        learnt, state = 0, State(state_folder() / "hooks")
        if state.paused(self._book.now()):
            return 0
        # Whoever asks the server something meanwhile does not wait for this.
        waiting = state.waiting(store)
        for each, result in catch_up(self._book, state, waiting, self._stop.is_set, Deadline(gives_way=True)):
            if isinstance(result, CommonplaceError):
                log.warning("could not learn from a conversation of %s: %s", each.host, result.message)
            else:
                learnt += len(result.learnt)
        return learnt

    def fill_in_own(self) -> int:
        """Vectors for what the person's own tenant has without; how many were made."""
        made = self._fill_in(self._book)
        if made:
            log.info("gave %s texts a vector", f"{made:,}")
        return made

    def fill_in(self) -> int:
        """Vectors for whatever tenants have that has none in the present space; how many were made."""
        made = sum(
            self._attempt(f"give memories of {tenant} vectors", partial(self._fill_in_for, tenant))
            for tenant in self._book.care.tenants()
        )
        if made:
            log.info("gave %s texts a vector", f"{made:,}")
        return made

    def dream(self) -> int:
        """A dream for everybody for whom one is due: each over what they may see. How many were applied.

        That is the person whose book it is, whoever has a token to write, and, where people come in through an
        issuer, whoever owns a memory.
        """
        applied = 0
        tokens = (token.principal for token in self._book.access.list() if token.in_force(self._book.now()))
        known = dict.fromkeys((self._book.principal, *(who for who in tokens if who.may(Right.WRITE))))
        for who in known:
            applied += self._attempt(f"dream for {who.user} of {who.tenant}", partial(self._dream, who))
        people = {(who.tenant, who.user) for who in known}
        for tenant in self._book.care.tenants() if self._settings.oauth_issuer else ():
            applied += self._attempt(f"dream for {tenant}", partial(self._dream_of_owners, tenant, people))
        return applied

    def _attempt(self, what: str, work: Callable[[], int]) -> int:
        """What a piece of work came to. If it fails that is logged, and everybody else gets their turn."""
        if self._stop.is_set():
            return 0
        try:
            return work()
        except CommonplaceError as error:
            if self._stop.is_set():  # the book was closed under it
                return 0
            log.warning("could not %s: %s", what, error.message)
        except Exception:
            log.exception("could not %s", what)
        return 0

    def _fill_in_for(self, tenant: str) -> int:
        return self._fill_in(self._book.seen_by(Principal(tenant), self._book.door, None))

    def _fill_in(self, book: Book) -> int:
        if book.embedder is None or not book.care.missing_vectors():
            return 0
        return book.care.reembed(stop=self._stop.is_set)

    def _dream_of_owners(self, tenant: str, known: set[tuple[str, str]]) -> int:
        """For the people of a tenant of whom nothing is known but that they have memories."""
        owners = [user for user in self._book.care.owners(tenant) if (tenant, user) not in known]
        return sum(
            self._attempt(
                f"dream for {user} of {tenant}",
                partial(self._dream, Principal.bearer(tenant, user, (), frozenset({Right.READ, Right.WRITE}), None)),
            )
            for user in owners
        )

    def _dream(self, who: Principal) -> int:
        dreams = self._book.seen_by(who, self._book.door, None).dreams
        if not who.may(Right.READ) or not dreams.due(self._settings).now:
            return 0
        # Late: a host's server never dreams, and should not wait for this at its start.
        from commonplace.dream import Limits, RunStatus

        run = dreams.run(Limits.of(self._settings), llm=self._book.llm, stop=self._stop.is_set)
        log.info("dreamt %s: %s, %s edits", run.id, run.status.value, len(run.done))
        return int(run.status is RunStatus.APPLIED)
