"""Looking after a book: examine, repair, copy, upgrade, and fill in missing vectors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from commonplace import deadline, secrets
from commonplace.domain.events import Event, EventType
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Origin
from commonplace.domain.query import Filter
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Right, Scope, ScopeKind
from commonplace.domain.token import Token
from commonplace.engine import others
from commonplace.engine.caller import Caller
from commonplace.engine.context import Context
from commonplace.engine.joined import parts_of
from commonplace.engine.lease import Lease, held
from commonplace.errors import BookDamaged, IndexCorrupted, ModelError, ModelMissing, NotABook, StoreError
from commonplace.maintenance.erasure import purge
from commonplace.ports import Embedder, Finding, Store, Unit
from commonplace.text import terms
from commonplace.workspace.git_index import NoRepository, Tracked, Unavailable, tracked_below

REEMBED_BATCH = 64
SECRET_EXAMPLES = 5
TRIED_WITH = "Can this model be used?"
SPOTS = 32  # memories that a spot check looks at, and of each so many terms
TERMS_LOOKED_UP = 8

Progress = Callable[[int, int], None]


class Restored(Record):
    """What restoring a back-up came to: how many memories of it had been purged since, and were again.

    `known` is False when the book in whose place it came was too damaged to say what had been purged.
    """

    purged_again: int
    known: bool = True


class SpotCheck(Record):
    """What a look at a few memories found: whether words lead to them, and, with a model, whether they have vectors."""

    words: bool
    vectors: bool | None


class Maintenance:
    """The upkeep of one book, for the person who owns it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._upkeep = caller.store.upkeep
        self._embedder = caller.models.embedder

    def facts(self) -> Mapping[str, str]:
        """What the engine says of itself, without looking at a memory."""
        return self._upkeep.facts()

    def tenants(self) -> tuple[str, ...]:
        """Everybody who has anything in the book."""
        self._caller.principal.require(Right.ADMIN)
        return self._upkeep.tenants()

    def owners(self, tenant: str) -> tuple[str, ...]:
        """The people of a tenant who have memories of their own."""
        self._caller.principal.require(Right.ADMIN)
        with self._caller.store.reading(tenant) as unit:
            return tuple(scope.id for scope in unit.memories.scopes() if scope.kind is ScopeKind.USER)

    def doctor(self) -> Iterator[Finding]:
        """Everything worth knowing about the book's health, one finding at a time. Changes nothing."""
        self._caller.principal.require(Right.READ)
        facts = self._upkeep.facts()
        yield _examine_schema(facts)
        if facts["schema"] not in ("0", facts["latest_schema"]):
            return
        yield from self._upkeep.examine()
        yield self._examine_vectors()
        models = {part.space.revision: part for part in reversed(parts_of(self._embedder)) if not part.uses_network}
        yield from map(_examine_model, reversed(models.values()))
        yield self._examine_secrets()
        yield _examine_git(Path(facts["place"]))
        yield self._examine_network()

    def spot_check(self, scopes: Sequence[Scope]) -> SpotCheck:
        """Whether some memories of these scopes, spread over all of them, have their words and their vectors.

        It costs the same however many there are; `doctor` looks at every one.
        """
        try:
            with self._caller.reading() as work:
                unit, memories = work.unit, _spread(work.unit, Filter(work.scopes(scopes)), work.now)
                words = all(unit.words.lead_to(number, _some_terms(each)) for number, each in memories.items())
                vectors = {} if self._embedder is None else unit.vectors.of([*memories], self._embedder.space)
        except IndexCorrupted:
            return SpotCheck(False, None)
        return SpotCheck(words, None if self._embedder is None else len(vectors) == len(memories))

    def repair(self) -> Iterator[str]:
        """Rebuild every index from the rows."""
        self._caller.principal.require(Right.ADMIN)
        return self._upkeep.repair()

    def upgrade(self) -> tuple[int, int]:
        """Bring the book to the present schema; the schema it had and the one it has."""
        self._caller.principal.require(Right.WRITE)
        before = self._upkeep.upgrade()
        return before, int(self._upkeep.facts()["schema"])

    def backup(self, target: str) -> None:
        """Copy the whole book, through the engine itself, while others use it."""
        self._caller.principal.require(Right.ADMIN)
        self._upkeep.backup(target)

    def restore(self, source: str) -> Restored:
        """Put a back-up in the book's place. What was purged since stays purged, for every tenant, and who was
        shut out stays shut out: it is seen to on a copy, before anybody can read the book again."""
        self._caller.principal.require(Right.ADMIN)
        purges: dict[str, dict[str, str]] = {}
        tokens: tuple[Token, ...] = ()
        known = True
        try:
            purges = {tenant: self._purges(tenant) for tenant in self._upkeep.tenants()}
            tokens = self._caller.store.tokens.all()
        except (BookDamaged, NotABook):
            known = False  # a book too damaged to tell is what back-ups are restored for
        again = 0

        def mend(copy: Store) -> None:
            nonlocal again
            again = sum(self._purge_again(copy, tenant, gone) for tenant, gone in purges.items())
            _carry_over(copy, tokens)
            if again:
                copy.upkeep.erase_traces()

        self._upkeep.restore(source, mend)
        return Restored(again, known)

    def reset(self) -> None:
        """Remove every memory there is."""
        self._caller.principal.require(Right.ADMIN)
        self._upkeep.reset()

    def missing_vectors(self) -> int:
        """How many memories, and entries that recall finds beside them, have no vector in the present space."""
        return sum(self._missing())

    def _missing(self) -> tuple[int, int]:
        self._caller.principal.require(Right.READ)
        if self._embedder is None:
            return 0, 0
        with self._caller.reading() as work:
            memories = work.unit.vectors.count_missing(self._embedder.space)
            of_parts = [work.unit.entry_vectors.held(part.space).values() for part in parts_of(self._embedder)]
        return memories, max(sum(entries - embedded for entries, embedded in held) for held in of_parts)

    def reembed(
        self,
        progress: Progress = lambda done, total: None,
        prune: bool = False,
        stop: Callable[[], bool] = lambda: False,
        most: int | None = None,
    ) -> int:
        """Give every memory a vector in the present space, then every entry that recall finds beside them; how many it
        made. It goes on where it was stopped, and stops after about so many if `most` is given.

        If another process is at it already, it is left to that one.
        """
        self._caller.principal.require(Right.WRITE)
        if self._embedder is None:
            raise ModelMissing("There is no model to embed with: run 'commonplace models pull' first.")
        lease = Lease(self._caller.store, self._caller.principal.tenant, "reembed", self._caller.clock)
        done, total = 0, self.missing_vectors()
        progress(0, total)
        with held(lease) as ours:
            if not ours:
                return 0
            for done in self._batches(lambda: stop() or not lease.renew()):
                progress(done, max(total, done))
                if most is not None and done >= most:
                    break
            if prune and not self.missing_vectors():
                self._drop_other_spaces()
        return done

    def _embed_batch(self, embedder: Embedder) -> int:
        """Vectors for a few memories that lack one. The model runs outside of any transaction."""
        space = embedder.space
        with self._caller.looking() as work:
            batch = work.unit.vectors.missing(space, REEMBED_BATCH)
        if not batch:
            return self._embed_entries(embedder)
        vectors = embedder.embed([memory.text for memory in batch])
        with self._caller.writing() as work:
            present = work.unit.memories.by_numbers([memory.number for memory in batch])
            for memory, vector in zip(batch, vectors, strict=True):
                if memory.number in present and present[memory.number].text == memory.text:
                    work.unit.vectors.put(memory.number, space, vector)
        return len(batch)

    def _batches(self, stop: Callable[[], bool]) -> Iterator[int]:
        """How many texts have been given a vector, after each batch; where there are several models, by the one that
        had most to do. What has a vector in one of them is not embedded in it again."""
        most = 0
        for part in parts_of(self._embedder):
            of_part = 0
            while not stop() and (made := self._embed_batch(part)):
                of_part += made
                most = max(most, of_part)
                yield most

    def _embed_entries(self, embedder: Embedder) -> int:
        """The same for a few of what stands beside the memories; what changed meanwhile is passed over."""
        with self._caller.looking() as work:
            batch = work.unit.entry_vectors.missing(embedder.space, REEMBED_BATCH)
        if not batch:
            return 0
        vectors = others.embed(embedder, batch)
        with self._caller.writing() as work:
            for entry, vector in zip(batch, vectors, strict=True):
                work.unit.entry_vectors.put(entry, embedder.space, vector)
        return len(batch)

    @property
    def _spaces(self) -> list[str]:
        return [str(part.space) for part in parts_of(self._embedder)]

    def _drop_other_spaces(self) -> None:
        with self._caller.writing() as work:
            for vectors in (work.unit.vectors, work.unit.entry_vectors):
                for name in vectors.counts():
                    if name not in self._spaces:
                        vectors.drop_space(name)

    def _purges(self, tenant: str) -> dict[str, str]:
        """What was purged, and by whom as far as that is known."""
        with self._caller.store.reading(tenant) as unit:
            return {id: _purged_by(unit, id) for id in unit.log.purged_ids()}

    def _purge_again(self, copy: Store, tenant: str, purges: Mapping[str, str]) -> int:
        """Purge in a copy what was purged in the book; how many memories had come back with it."""
        now = self._caller.clock()
        with copy.writing(tenant) as unit:
            resurrected = [memory for memory in map(unit.memories.by_id, sorted(purges)) if memory is not None]
            for memory in resurrected:
                who = Principal(tenant, purges[memory.id] or memory.owner)
                purge(unit, Context(who, "restore", "restore", Origin.TYPED, now), memory)
            for id in sorted(purges.keys() - unit.log.purged_ids()):
                payload = {"by": purges[id]}
                unit.log.append(Event(f"evt_{ulid(now)}", EventType.PURGED, id, "restore", now, payload))
        return len(resurrected)

    def _examine_vectors(self) -> Finding:
        if self._embedder is None:
            return Finding("vectors", True, "no model pack is in use: recall searches by words")
        with self._caller.reading() as work:
            counts = work.unit.vectors.counts()
        memories, entries = self._missing()
        other = [name for name in counts if name not in self._spaces and counts[name]]
        note = f"; {len(other)} older space(s) can be dropped with 'reembed --prune'" if other else ""
        if memories or entries:
            lacking = [f"{memories:,} memories"] * bool(memories) + [f"{entries:,} entries beside them"] * bool(entries)
            detail = f"{' and '.join(lacking)} lack a vector: run 'commonplace reembed'{note}"
            return Finding("vectors", False, detail)
        present = ", ".join(f"{counts.get(name, 0):,} in {name}" for name in self._spaces)
        return Finding("vectors", True, f"{present}{note}")

    def _examine_secrets(self) -> Finding:
        try:
            with self._caller.reading() as work:
                every = deadline.each(work.unit.memories.each())
                found = [memory.id for memory, _, _ in every if secrets.find(memory.text)]
        except StoreError as error:
            return Finding("secrets", False, f"not every memory could be read: {error.message}")
        if not found:
            return Finding("secrets", True, "no memory looks like it holds a secret")
        examples = ", ".join(found[:SECRET_EXAMPLES])
        return Finding("secrets", False, f"{len(found):,} memories look like they hold a secret: purge {examples}")

    def _examine_network(self) -> Finding:
        used = self._caller.models.use_network
        return Finding("network", True, "enabled: a model is asked over the network" if used else "disabled")


def _purged_by(unit: Unit, id: str) -> str:
    events = [event for event in unit.log.events(id) if event.type is EventType.PURGED]
    return str(events[-1].payload.get("by", "")) if events else ""


def _carry_over(copy: Store, tokens: Sequence[Token]) -> None:
    """The tokens as they are now: one that was revoked stays so, and where there were any the door stays shut."""
    for token in tokens:
        if copy.tokens.find(token.id) is None:
            copy.tokens.add(token)
        else:
            copy.tokens.replace(token)


def _spread(unit: Unit, filter: Filter, now: int) -> dict[int, Memory]:
    """A few memories that the filter admits, from the first to the last, by their numbers."""
    last = unit.memories.last_number()
    numbers = {max(1, last * step // SPOTS) for step in range(1, SPOTS + 1)}
    admitted = unit.memories.features(filter, now, sorted(numbers))
    return unit.memories.by_numbers(list(admitted))


def _some_terms(memory: Memory) -> list[str]:
    return list(dict.fromkeys(terms(memory.text)))[:TERMS_LOOKED_UP]


def _examine_schema(facts: Mapping[str, str]) -> Finding:
    schema, latest = facts["schema"], facts["latest_schema"]
    if schema in ("0", latest):
        return Finding("schema", True, f"{facts['engine']}, schema {latest}")
    remedy = "run 'commonplace upgrade'" if int(schema) < int(latest) else "upgrade the package"
    return Finding("schema", False, f"schema {schema}, this version knows {latest}: {remedy}")


def _examine_model(embedder: Embedder) -> Finding:
    """A model of this machine is tried; before it is loaded, its files are compared with the published ones."""
    try:
        embedder.embed_query(TRIED_WITH)
    except ModelError as error:
        return Finding("model", False, error.message)
    return Finding("model", True, f"{embedder.space.model} can be used")


def _examine_git(place: Path) -> Finding:
    """A book in a repository is one push away from being public."""
    if not place.parent.is_dir():  # nor is a server's address in one
        return Finding("git", True, "there is no file to track")
    match tracked_below(place.parent):
        case NoRepository():
            return Finding("git", True, "there is no repository around the book")
        case Unavailable(reason=reason):
            return Finding("git", True, f"unavailable: {reason}")
        case Tracked(files=files):
            tracked = [name for name in files if name.startswith(place.name) and "/" not in name]
    if tracked:
        return Finding("git", False, f"git tracks {', '.join(tracked)}: run git rm --cached on it")
    return Finding("git", True, "git does not track the book")
