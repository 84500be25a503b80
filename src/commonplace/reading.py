"""The reading half of the book: recall, get, list, history. Whoever only reads imports no more than this."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from commonplace import recall
from commonplace.checks import COUNT_LIMIT, choice
from commonplace.config import CURATED_BUDGET, Configuration, load
from commonplace.errors import InvalidInput, NotFound
from commonplace.events import Event, EventType, Plain, Revision
from commonplace.ids import Clock, system_clock, ulid
from commonplace.membership import present
from commonplace.memory import Memory, Origin, Relation
from commonplace.plan import Allowance
from commonplace.ports import LLM, Embedder, Store, Unit, Use
from commonplace.project import resolve, scope_of
from commonplace.query import PAGE_LIMIT, Filter, Hit, Mode, Order, Page, Query, Recall
from commonplace.rank import Decay
from commonplace.record import Record, replace
from commonplace.scope import EVERY_TEAM, Principal, Right, Scope
from commonplace.text import tidy_tags
from commonplace.uses import PATIENCE_SECONDS, UseCounter
from commonplace.wiring import assemble

Reference = str | int | Memory
"""A memory by its id in any spelling (`mem_…`, `ctx_…`), by its number, or itself."""


class Door(Record):
    """Through which door a book is used: what is written down as provenance and trust.

    `client` is what the program on the other side calls itself, where the door can tell; `scope` is
    where things go unless a caller says otherwise.
    """

    surface: str = "library"
    origin: Origin = Origin.AGENT
    actor: str = "local"
    client: str | None = None
    scope: str = "user:default"


class Reading:
    """A book to read from. Thread-safe; use it as a context manager or close it."""

    def __init__(
        self,
        store: Store,
        principal: Principal = Principal(),
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        project_root: Path | None = None,
        decay: Decay = Decay(),
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._replaced: tuple[Embedder, ...] = ()
        self.llm: LLM | None = None
        self.curated_budget = CURATED_BUDGET
        self._clock = clock
        self.door = door
        self.decay = decay
        self.allowance = Allowance()
        self._uses = UseCounter(store)
        self._root = None if project_root is None else project_root.resolve()
        self._project = None if project_root is None else scope_of(project_root)
        self._principal = principal

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        *,
        model: str | None = None,
        principal: Principal | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        configuration: Configuration | None = None,
    ) -> Self:
        """Open the book at `path`, else the one the settings name. The first write creates it.

        `model` names an installed model pack, or `none` for words only.
        """
        chosen = configuration or load({"store": None if path is None else str(path), "model": model})
        parts = assemble(chosen)
        who = principal or Principal(user=chosen.settings.user)
        book = cls(parts.store, who, parts.embedder, clock, door, chosen.project_root, chosen.decay)
        book._replaced, book.llm, book.allowance = parts.replaced, parts.llm, Allowance(chosen.plan)
        book.curated_budget = chosen.settings.curated_budget
        return book

    def close(self) -> None:
        """Write down what is still waiting and let go of the file."""
        self._uses.flush(PATIENCE_SECONDS)
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def through(self, door: Door) -> Self:
        """The same book, used through another door. Close only the first."""
        return self.seen_by(self._principal, door, self._project)

    def seen_by(self, principal: Principal, door: Door, project: Scope | None) -> Self:
        """The same book, used by somebody else, who is in another project or in none. Close only the first."""
        other = type(self)(self._store, principal, self._embedder, self._clock, door, decay=self.decay)
        other._project = project
        other._root = self._root if project == self._project else None
        other._replaced, other.llm, other.allowance = self._replaced, self.llm, self.allowance
        other.curated_budget = self.curated_budget
        other._uses = self._uses
        return other

    def now(self) -> int:
        """The present by the book's own clock, in milliseconds UTC."""
        return self._clock()

    # -- where -------------------------------------------------------------------------------

    @property
    def principal(self) -> Principal:
        """Who uses the book, in the teams they are in at this moment."""
        if EVERY_TEAM in self._principal.teams:
            return self._principal
        with self._store.reading(self._principal.tenant) as unit:
            return present(unit, self._principal)

    @property
    def embedder(self) -> Embedder | None:
        return self._embedder

    def scope(self, selector: str | Scope | None = None) -> Scope:
        """A selector (`user`, `project:auto`, `agent:reviewer`, …) as a scope; nothing means the door's own."""
        if isinstance(selector, Scope):
            selector = str(selector)
        return resolve(selector or self.door.scope, self.principal, self._project)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Where reads look unless told otherwise: your own scope and the current project's."""
        return (self._principal.own_scope, *(() if self._project is None else (self._project,)))

    def every_scope(self) -> tuple[Scope, ...]:
        """Every scope that has a memory and that the caller may see, beside the default ones."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            known, who = unit.memories.scopes(), present(unit, self._principal)
        return tuple(dict.fromkeys((*self.scopes, *(scope for scope in known if who.may_see(scope)))))

    def filter(self, filter: Filter | None = None) -> Filter:
        """A filter on what the caller may see; without scopes, on the default ones."""
        filter = filter or Filter(())
        scopes = tuple(self.scope(scope) for scope in filter.scopes) or self.scopes
        return replace(filter, scopes=scopes, tags=tidy_tags(filter.tags), any_tags=tidy_tags(filter.any_tags))

    # -- recall --------------------------------------------------------------------------------

    def _query(self, query: str | Query, **options: object) -> Query:
        """A query as this caller may ask it. `options` are those of `Query`; a finished one takes none."""
        if isinstance(query, Query):
            if options:
                raise InvalidInput(f"'{next(iter(options))}' belongs into the query itself.", next(iter(options)))
            return replace(query, filter=self.filter(query.filter))
        chosen = {"surface": self.door.surface, **options, "filter": self.filter(options.get("filter"))}  # type: ignore[arg-type]
        unknown = chosen.keys() - set(Query.fields)
        if unknown:
            raise InvalidInput(f"'{min(unknown)}' is not an option of a recall.", min(unknown))
        if "mode" in chosen:
            chosen["mode"] = choice(Mode, chosen["mode"], "mode")
        return Query(query, **chosen)  # type: ignore[arg-type]

    def recall(self, query: str | Query, **options: object) -> Recall:
        """What the book knows about something, best first. `options` are those of `Query`."""
        self._principal.require(Right.READ)
        query = self._query(query, **options)
        found = recall.find(self._store, self._principal.tenant, query, self._asking(), self._clock(), self.decay)
        if query.counts_use and not query.explain and found.hits:
            self._note_use(query, found)
        return found

    def _asking(self) -> Embedder | None:
        """Whom recall asks: after a change of model the one before, until most memories have their new vector."""
        current = self._embedder
        if current is None or not self._replaced:
            return current
        with self._store.reading(self._principal.tenant) as unit:
            counts = unit.vectors.counts()
        return max((current, *self._replaced), key=lambda each: counts.get(str(each.space), 0))

    def _note_use(self, query: Query, found: Recall) -> None:
        """Count the hits as used and, where the caller keeps an audit of recalls, log them without the query."""
        now = self._clock()
        uses = [self._use(hit.memory, now, query.surface, query.reinforces) for hit in found.hits]
        events = [_recalled(query.text, hit, self.door.actor, now) for hit in found.hits] if query.audited else []
        self._uses.record(self._principal.tenant, [*uses, *events])

    def use(self, memories: Sequence[Memory], surface: str) -> None:
        """Count memories as used, for a caller that chooses among what a recall found."""
        self._principal.require(Right.READ)
        now = self._clock()
        self._uses.record(self._principal.tenant, [Use(memory.number, now, surface) for memory in memories])

    def reinforce(self, memory: Memory) -> None:
        """Count a memory as used, and lift the confidence that has faded since it last was."""
        self._principal.require(Right.READ)
        use = self._use(memory, self._clock(), self.door.surface, True)
        self._uses.record(self._principal.tenant, [use])

    def confidence(self, memory: Memory) -> float:
        """What is left of a memory's confidence today."""
        return self.decay.faded(memory.base_confidence, memory.usage.used_at or memory.created_at, self._clock())

    def _use(self, memory: Memory, now: int, surface: str, reinforces: bool) -> Use:
        since = memory.usage.used_at or memory.created_at
        base = self.decay.lifted(memory.base_confidence, since, now) if reinforces else None
        return Use(memory.number, now, surface, base)

    # -- read --------------------------------------------------------------------------------

    def get(self, reference: Reference) -> Memory:
        """One memory, whatever its status."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return self._find(unit, reference)

    def list(
        self, filter: Filter | None = None, *, order: Order = Order.NEWEST, limit: int = 50, cursor: int | None = None
    ) -> Page:
        """A page of memories; `cursor` is the `next_cursor` of the page before."""
        self._principal.require(Right.READ)
        if not 1 <= limit <= PAGE_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {PAGE_LIMIT}, not {limit}.", "limit")
        filter, now = self.filter(filter), self._clock()
        with self._store.reading(self._principal.tenant) as unit:
            if filter.as_of is not None:
                return _past_page(unit, filter, order, limit, cursor)
            if cursor is not None and self._seek(unit, cursor) is None:
                raise _lost(cursor)
            found = unit.memories.page(filter, now, order, limit + 1, cursor)
            total = unit.memories.count(filter, now)
        return Page(found[:limit], total, found[limit - 1].number if len(found) > limit else None)

    def same(self, text: str, filter: Filter | None = None) -> tuple[Memory, ...]:
        """The memories that say exactly this, whatever the case and the blanks; the newest first."""
        self._principal.require(Right.READ)
        filter, now = self.filter(filter), self._clock()
        with self._store.reading(self._principal.tenant) as unit:
            return unit.memories.by_text(filter, now, text)

    def each(self, filter: Filter | None = None, *, order: Order = Order.NEWEST) -> Iterator[Memory]:
        """Every memory of a listing, page by page; one that changes its place meanwhile may be met twice."""
        cursor: int | None = None
        while True:
            page = self.list(filter, order=order, limit=PAGE_LIMIT, cursor=cursor)
            yield from page.memories
            cursor = page.next_cursor
            if cursor is None:
                return

    def history(self, reference: Reference) -> tuple[Event, ...]:
        """What happened to a memory, oldest first; it outlives the memory itself."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            memory, who = self._seek(unit, reference), present(unit, self._principal)
            if memory is not None and not who.may_see(memory.scope):
                return ()
            id = memory.id if memory is not None else _spelled(reference)
            return () if id is None else _visible_events(unit.log.events(id), who)

    def revisions(self, reference: Reference) -> tuple[Revision, ...]:
        """Every state a memory has had, oldest first, the present one last."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return unit.log.revisions(self._find(unit, reference).number)

    def relations(self, reference: Reference) -> tuple[Relation, ...]:
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return unit.relations.of(self._find(unit, reference).id)

    # -- inside --------------------------------------------------------------------------------

    def _find(self, unit: Unit, reference: Reference) -> Memory:
        memory = self._seek(unit, reference)
        if memory is None or not present(unit, self._principal).may_see(memory.scope):
            raise _missing(reference.id if isinstance(reference, Memory) else reference)
        return memory

    def _seek(self, unit: Unit, reference: Reference) -> Memory | None:
        if isinstance(reference, Memory):
            return unit.memories.by_id(reference.id)
        number = _number(reference)
        if number is not None:
            return unit.memories.by_number(number)
        id = _spelled(reference)
        return None if id is None else unit.memories.by_id(id)


def _visible_events(events: tuple[Event, ...], principal: Principal) -> tuple[Event, ...]:
    """The history of a purged memory is shown to whoever could have seen the memory."""
    scopes = {str(event.payload["scope"]) for event in events if "scope" in event.payload}
    return events if all(principal.may_see(Scope.parse(scope)) for scope in scopes) else ()


def _recalled(query: str, hit: Hit, actor: str, now: int) -> Event:
    """That a memory was recalled: with a hash of the query, by which the same one is known again, never the query."""
    payload: dict[str, Plain] = {"queryHash": sha256(query.encode()).hexdigest(), "score": hit.relevance}
    return Event(f"evt_{ulid(now)}", EventType.RECALLED, hit.memory.id, actor, now, payload)


def _number(reference: Reference) -> int | None:
    """`12` and `#12` are numbers."""
    if isinstance(reference, int):
        return reference if 0 < reference <= COUNT_LIMIT else 0
    digits = str(reference).removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None


def _spelled(reference: Reference) -> str | None:
    """Any spelling of an id as ours: `ctx_…`, `cur_…` and a bare ULID mean the memory of that ULID."""
    text = reference.id if isinstance(reference, Memory) else str(reference).strip()
    prefix, underscore, tail = text.partition("_")
    if not underscore:
        tail = prefix
    elif prefix not in ("mem", "ctx", "cur"):
        return None
    return f"mem_{tail.upper()}" if tail.isascii() and tail.isalnum() else None


def _past_page(unit: Unit, filter: Filter, order: Order, limit: int, cursor: int | None) -> Page:
    """A listing of the book as it stood at a past moment."""
    moment = filter.as_of or 0
    found = [memory for memory in unit.log.states_at(moment) if filter.admits(memory, moment)]
    by_update = order is Order.UPDATED
    found.sort(key=lambda memory: (memory.updated_at if by_update else memory.created_at, memory.number))
    if order is not Order.OLDEST:
        found.reverse()
    numbers = [memory.number for memory in found]
    if cursor is not None and cursor not in numbers:
        raise _lost(cursor)
    start = 0 if cursor is None else numbers.index(cursor) + 1
    page = tuple(found[start : start + limit])
    return Page(page, len(found), page[-1].number if start + limit < len(found) else None)


def _lost(cursor: int) -> InvalidInput:
    return InvalidInput(f"The page that ended at number {cursor} cannot be gone on from: list again.", "cursor")


def _missing(reference: object) -> NotFound:
    """The one answer for unknown ids and for foreign ones."""
    return NotFound(f"There is no memory '{str(reference)[:60]}': look it up with recall or list.")
