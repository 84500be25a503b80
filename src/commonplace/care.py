"""Looking after a book: examine, repair, copy, upgrade, and fill in missing vectors."""

import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from commonplace import secrets
from commonplace.errors import BookDamaged, ModelMissing, NotABook, StoreError
from commonplace.events import Event, EventType
from commonplace.ids import Clock, ulid
from commonplace.lease import Lease, held
from commonplace.lifecycle import Context
from commonplace.lifecycle import purge as purge_memory
from commonplace.memory import Origin
from commonplace.ports import Embedder, Finding, Store
from commonplace.scope import Principal, Right

REEMBED_BATCH = 64
SECRET_EXAMPLES = 5

Progress = Callable[[int, int], None]


class Care:
    """The upkeep of one book, for the person who owns it."""

    def __init__(self, store: Store, principal: Principal, embedder: Embedder | None, clock: Clock) -> None:
        self._store = store
        self._principal = principal
        self._embedder = embedder
        self._clock = clock

    def facts(self) -> Mapping[str, str]:
        return self._store.upkeep.facts()

    def doctor(self) -> Iterator[Finding]:
        """Everything worth knowing about the book's health, one finding at a time. Changes nothing."""
        self._principal.require(Right.READ)
        facts = self._store.upkeep.facts()
        yield _examine_schema(facts)
        if facts["schema"] not in ("0", facts["latest_schema"]):
            return
        yield from self._store.upkeep.examine()
        yield self._examine_vectors()
        yield self._examine_secrets()
        yield _examine_git(Path(facts["place"]))
        yield self._examine_network()

    def repair(self) -> Iterator[str]:
        """Rebuild every index from the rows."""
        self._principal.require(Right.ADMIN)
        return self._store.upkeep.repair()

    def upgrade(self) -> tuple[int, int]:
        """Bring the book to the present schema; the schema it had and the one it has."""
        self._principal.require(Right.WRITE)
        before = self._store.upkeep.upgrade()
        return before, int(self._store.upkeep.facts()["schema"])

    def backup(self, target: str) -> None:
        """Copy the whole book, through the engine itself, while others use it."""
        self._principal.require(Right.ADMIN)
        self._store.upkeep.backup(target)

    def restore(self, source: str) -> int:
        """Put a back-up in the book's place. What was purged since stays purged: how many that were."""
        self._principal.require(Right.ADMIN)
        try:
            with self._store.reading(self._principal.tenant) as unit:
                purged = unit.log.purged_ids()
        except (BookDamaged, NotABook):
            purged = frozenset()  # a book too damaged to tell is what back-ups are restored for
        self._store.upkeep.restore(source)
        return self._purge_again(purged)

    def reset(self) -> None:
        """Remove every memory there is."""
        self._principal.require(Right.ADMIN)
        self._store.upkeep.reset()

    def missing_vectors(self) -> int:
        self._principal.require(Right.READ)
        if self._embedder is None:
            return 0
        with self._store.reading(self._principal.tenant) as unit:
            return unit.vectors.count_missing(self._embedder.space)

    def reembed(
        self,
        progress: Progress = lambda done, total: None,
        prune: bool = False,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """Give every memory a vector in the present space; goes on where it was stopped. How many it made.

        If another process is at it already, it is left to that one.
        """
        self._principal.require(Right.WRITE)
        if self._embedder is None:
            raise ModelMissing("There is no model to embed with: run 'commonplace models pull' first.")
        lease = Lease(self._store, self._principal.tenant, "reembed", self._clock)
        done, total = 0, self.missing_vectors()
        progress(0, total)
        with held(lease) as ours:
            if not ours:
                return 0
            while not stop() and lease.renew() and (made := self._embed_batch(self._embedder)):
                done += made
                progress(done, max(total, done))
            if prune and not self.missing_vectors():
                self._drop_other_spaces(str(self._embedder.space))
        return done

    def _embed_batch(self, embedder: Embedder) -> int:
        """Vectors for a few memories that lack one. The model runs outside of any transaction."""
        space, tenant = embedder.space, self._principal.tenant
        with self._store.reading(tenant) as unit:
            batch = unit.vectors.missing(space, REEMBED_BATCH)
        if not batch:
            return 0
        vectors = embedder.embed([memory.text for memory in batch])
        with self._store.writing(tenant) as unit:
            present = unit.memories.by_numbers([memory.number for memory in batch])
            for memory, vector in zip(batch, vectors, strict=True):
                if memory.number in present and present[memory.number].text == memory.text:
                    unit.vectors.put(memory.number, space, vector)
        return len(batch)

    def _drop_other_spaces(self, kept: str) -> None:
        with self._store.writing(self._principal.tenant) as unit:
            for name in unit.vectors.counts():
                if name != kept:
                    unit.vectors.drop_space(name)

    def _purge_again(self, purged: frozenset[str]) -> int:
        context = Context(self._principal, "restore", self._principal.user, Origin.TYPED, self._clock())
        with self._store.writing(self._principal.tenant) as unit:
            risen = [memory for memory in map(unit.memories.by_id, sorted(purged)) if memory is not None]
            for memory in risen:
                purge_memory(unit, context, memory)
            for id in sorted(purged - unit.log.purged_ids()):
                unit.log.append(Event(f"evt_{ulid(context.now)}", EventType.PURGED, id, context.actor, context.now))
        if risen:
            self._store.upkeep.erase_traces()
        return len(risen)

    def _examine_vectors(self) -> Finding:
        if self._embedder is None:
            return Finding("vectors", True, "no model pack is in use: recall looks by words")
        with self._store.reading(self._principal.tenant) as unit:
            counts = unit.vectors.counts()
        missing = self.missing_vectors()
        other = [name for name in counts if name != str(self._embedder.space) and counts[name]]
        note = f"; {len(other)} older space(s) can be dropped with 'reembed --prune'" if other else ""
        if missing:
            return Finding("vectors", False, f"{missing:,} memories lack a vector: run 'commonplace reembed'{note}")
        return Finding("vectors", True, f"{counts.get(str(self._embedder.space), 0):,} in {self._embedder.space}{note}")

    def _examine_secrets(self) -> Finding:
        try:
            with self._store.reading(self._principal.tenant) as unit:
                found = [memory.id for memory, _, _ in unit.memories.each() if secrets.find(memory.text)]
        except StoreError as error:
            return Finding("secrets", False, f"not every memory could be read: {error.message}")
        if not found:
            return Finding("secrets", True, "no memory looks like it holds a secret")
        examples = ", ".join(found[:SECRET_EXAMPLES])
        return Finding("secrets", False, f"{len(found):,} memories look like they hold a secret: purge {examples}")

    def _examine_network(self) -> Finding:
        uses = self._embedder is not None and self._embedder.uses_network
        return Finding("network", True, "enabled: a model is asked over the network" if uses else "disabled")


def _examine_schema(facts: Mapping[str, str]) -> Finding:
    schema, latest = facts["schema"], facts["latest_schema"]
    if schema in ("0", latest):
        return Finding("schema", True, f"{facts['engine']}, schema {latest}")
    remedy = "run 'commonplace upgrade'" if int(schema) < int(latest) else "upgrade the package"
    return Finding("schema", False, f"schema {schema}, this version knows {latest}: {remedy}")


def _examine_git(place: Path) -> Finding:
    """A book in a repository is one push away from being public."""
    if not place.parent.is_dir():  # nor is a server's address in one
        return Finding("git", True, "there is no file to track")
    try:
        result = subprocess.run(
            ["git", "-C", str(place.parent), "ls-files", "--", f"{place.name}*"],
            capture_output=True, text=True, timeout=10, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return Finding("git", True, "git is not at hand: not checked")
    tracked = result.stdout.split()
    if tracked:
        return Finding("git", False, f"git tracks {', '.join(tracked)}: run git rm --cached on it")
    return Finding("git", True, "git does not track the book")
