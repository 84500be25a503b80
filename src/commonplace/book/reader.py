"""The reading half of the book: recall, get, list, history. Whoever only reads imports no more than this."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack

from commonplace import deadline
from commonplace.config import Configuration, load
from commonplace.domain.events import Event, EventType, Plain, Revision
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Relation
from commonplace.domain.query import PAGE_LIMIT, Filter, Hit, Mode, Only, Order, Page, Query, Recall
from commonplace.domain.rank import Decay
from commonplace.domain.record import replace
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope, ScopeKind, Viewer
from commonplace.domain.validation import choice
from commonplace.engine.caller import (
    Caller,
    CallerLimits,
    Clock,
    Door,
    Models,
    Project,
    Reference,
    Selector,
    Work,
    spelled,
    system_clock,
)
from commonplace.engine.usage import PATIENCE_SECONDS, UsageRecorder
from commonplace.errors import BookClosed, InvalidInput
from commonplace.ports import LLM, Embedder, Store, Use

if TYPE_CHECKING:
    from commonplace.engine.fields import FilterFields, QueryFields


class BookReader:
    """A book to read from. Thread-safe; use it as a context manager or close it."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    @classmethod
    def over(
        cls,
        store: Store,
        principal: Principal = Principal(),
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        door: Door = Door(),
        project_root: Path | None = None,
        decay: Decay = Decay(),
    ) -> Self:
        """A book over a store of one's own, for programs that bring one."""
        store, limits, models = cls._behind_guard(store), CallerLimits(decay), Models(embedder)
        return cls(
            Caller(store, UsageRecorder(store), principal, door, clock, models, Project.at(project_root), limits, {})
        )

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
        create: bool = True,
    ) -> Self:
        """Open the book at `path`, else the one the settings name. The first write creates it.

        Without `create` a book that is not there is not made, nor taken for an empty one: every verb that needs
        it raises BookMissing. `model` names an installed model pack, or `none` for words only.
        """
        # Only here does a book reach for concrete stores and models; one over a store of one's own does not.
        from commonplace.wiring import assemble

        chosen = configuration or load({"store": None if path is None else str(path), "model": model})
        parts = assemble(chosen, create)
        who = principal or Principal(user=chosen.settings.user)
        models = Models(parts.embedder, parts.replaced, parts.llm)
        given = chosen.settings
        limits = CallerLimits(chosen.decay, given.curated_budget, given.of_dialects)
        project = Project.at(chosen.place)
        store = cls._behind_guard(parts.store)
        return cls(Caller(store, UsageRecorder(store), who, door, clock, models, project, limits, {}))

    @staticmethod
    def _behind_guard(store: Store) -> Store:
        """Whoever writes does so behind a guard; whoever only reads does not pay for it."""
        return store

    def close(self) -> None:
        """Write down what is still waiting and let go of the file: from now on every verb raises BookClosed."""
        with suppress(BookClosed):  # closed twice is closed once
            self._caller.uses.flush(PATIENCE_SECONDS)
        self._caller.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def through(self, door: Door) -> Self:
        """The same book, used through another door. Close only the first."""
        return type(self)(replace(self._caller, door=door))

    def seen_by(self, principal: Principal, door: Door, project: Scope | None) -> Self:
        """The same book, used by somebody else, who is in another project or in none. Close only the first."""
        here = self._caller.project
        place = here if project == here.scope else Project(project)
        return type(self)(replace(self._caller, principal=principal, door=door, project=place))

    def now(self) -> int:
        """The present by the book's own clock, in milliseconds UTC."""
        return self._caller.clock()

    # -- where -------------------------------------------------------------------------------

    @property
    def caller(self) -> Caller:
        """Who asks, and with what: all that a subject is made of, also one that a dialect has for itself."""
        return self._caller

    @property
    def principal(self) -> Principal:
        """Who uses the book."""
        return self._caller.principal

    @property
    def door(self) -> Door:
        """Through which door it is used."""
        return self._caller.door

    @property
    def rights(self) -> frozenset[Right]:
        """What whoever uses the book may do with it."""
        return self.principal.rights

    @property
    def embedder(self) -> Embedder | None:
        """None where the book is searched by words alone."""
        return self._caller.models.embedder

    @property
    def llm(self) -> LLM | None:
        """None where no language model was set."""
        return self._caller.models.llm

    @property
    def uses_network(self) -> bool:
        """Whether a model of any kind is asked over the network."""
        return self._caller.models.use_network

    @property
    def dialect_settings(self) -> Mapping[str, str]:
        """What is set for single dialects, by the names of their settings."""
        return self._caller.limits.dialect_settings

    def scope(self, selector: Selector = None) -> Scope:
        """What a selector (`user`, `project:auto`, `agent:reviewer`, …) stands for; nothing means the door's own.

        Whether the caller may see it is asked by the verb that uses it.
        """
        return self._caller.place(selector)

    @property
    def project(self) -> Scope | None:
        """The project that `project:auto` stands for: the folder's, or over the network the token's; perhaps none."""
        return self._caller.project.scope

    def here(self) -> tuple[str, ...]:
        """Every id of the project one is in, for a filter; none outside of any, or where the door has no projects."""
        with self._caller.reading() as work:
            return work.here

    def project_ids(self, name: str) -> tuple[str, ...]:
        """Every id of a project by its name, for a filter; `.` is the one that the caller is in."""
        with self._caller.reading() as work:
            return work.project_ids(name)

    def project_name(self, id: str | None) -> str:
        """What the project of an id is called; the id itself where nobody has named it, and nothing for none."""
        if id is None:
            return ""
        with self._caller.reading() as work:
            return work.projects.name_of(id) or id

    def places(self) -> tuple[Scope, ...]:
        """Your own scope, and every one that the current project has or had."""
        with self._caller.reading() as work:
            return work.places

    def names_of(self, memories: Iterable[Memory]) -> dict[str, str]:
        """What the projects are called that memories are about, by their ids, but for the one that the caller is in."""
        with self._caller.reading() as work:
            return work.names_of(memory.about for memory in memories)

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """Your own scope and the current project's: what is meant unless a scope is named."""
        return self._caller.places

    def default_scopes(self) -> tuple[Scope, ...]:
        """Where recall and list look unless told otherwise: those and, where the door does that, your teams'."""
        with self._caller.reading() as work:
            return work.default_scopes()

    def every_scope(self) -> tuple[Scope, ...]:
        """Every scope that has a memory and that the caller may see, beside the default ones."""
        with self._caller.reading() as work:
            known = (scope for scope in work.unit.memories.scopes() if work.may_see(scope))
            return tuple(dict.fromkeys((*self.scopes, *known)))

    def team_scopes(self) -> tuple[Scope, ...]:
        """The scopes of the teams the caller is in now; for the one person on a local book, of every team."""
        from commonplace.engine.membership import every_team  # few ask

        with self._caller.reading() as work:
            teams = work.viewer.teams
            if EVERY_TEAM not in teams:
                return tuple(Scope(ScopeKind.TEAM, team) for team in teams)
            used = (scope for scope in work.unit.memories.scopes() if scope.kind is ScopeKind.TEAM)
            return tuple(dict.fromkeys((*(team.scope for team in every_team(work.unit)), *used)))

    # -- recall --------------------------------------------------------------------------------

    def _query(self, query: str | Query, **options: "Unpack[QueryFields]") -> Query:
        """A query with the options of `Query`; a finished one takes none."""
        if isinstance(query, Query):
            if options:
                raise InvalidInput(f"'{next(iter(options))}' belongs in the query itself.", next(iter(options)))
            return query
        chosen: dict[str, object] = {"filter": Filter(()), "surface": self.door.surface, **options}
        unknown = chosen.keys() - set(Query.fields)
        if unknown:
            raise InvalidInput(f"'{min(unknown)}' is not an option of a recall.", min(unknown))
        if "mode" in chosen:
            chosen["mode"] = choice(Mode, chosen["mode"], "mode")
        if chosen.get("only") is not None:
            chosen["only"] = choice(Only, chosen["only"], "only")
        return Query(query, **chosen)  # type: ignore[arg-type]

    def recall(self, query: str | Query, **options: "Unpack[QueryFields]") -> Recall:
        """What the book knows about something, best first. `options` are those of `Query`.

        Beside the memories, the answer has in `others` a few decisions, conversations and documents, where there are
        any to the point; with `only`, one of these and nothing else.
        """
        from commonplace.engine import recall  # only a recall needs it

        self.principal.require(Right.READ)
        asked = recall.ask(self._query(query, **options), self._asking())
        with self._caller.reading() as work:
            filter = work.filter(asked.query.filter, teams=True).in_force(work.now)
            if asked.query.only in (None, Only.MEMORIES):
                found = recall.answer(work.unit, asked, filter, work.now, self._decay, work.here)
            else:
                found = recall.nothing(asked, filter)
            if self._looks_beside(work, asked.query.only):
                from commonplace.book.others import with_others  # few books have anything there

                found = with_others(work, asked, found)
            named = work.names_of([*(hit.memory.about for hit in found.hits), *(each.project for each in found.others)])
            if named:
                found = replace(found, projects=named)
        if found.query.counts_use and not found.query.explain and found.hits:
            self._note_use(found)
        return found

    def _looks_beside(self, work: Work, only: Only | None) -> bool:
        """Whether there is anything beside memories, and the door or the query asks for it."""
        asked = self.door.others if only is None else only is not Only.MEMORIES
        return asked and work.unit.memories.has("entry")

    @property
    def _decay(self) -> Decay:
        return self._caller.limits.decay

    def _asking(self) -> Embedder | None:
        """Whom recall asks: after a change of model the one before, until most memories have their new vector."""
        current, replaced = self._caller.models.embedder, self._caller.models.replaced
        if current is None or not replaced:
            return current
        from commonplace.engine.joined import parts_of  # few books have had another model

        with self._caller.reading() as work:
            counts = work.unit.vectors.counts()
        return max(
            (current, *replaced), key=lambda each: max(counts.get(str(part.space), 0) for part in parts_of(each))
        )

    def _note_use(self, found: Recall) -> None:
        """Count the hits as used and, where the caller keeps an audit of recalls, log them without the query."""
        now, query = self.now(), found.query
        uses = [self._use(hit.memory, now, query.surface, query.reinforces) for hit in found.hits]
        events = [_recalled(query.text, hit, self.door.actor, now) for hit in found.hits] if query.audited else []
        self._caller.uses.record(self.principal.tenant, [*uses, *events])

    def use(self, memories: Sequence[Memory], surface: str) -> None:
        """Count memories as used, for a caller that chooses among what a recall found."""
        self.principal.require(Right.READ)
        now = self.now()
        self._caller.uses.record(self.principal.tenant, [Use(memory.number, now, surface) for memory in memories])

    def reinforce(self, memory: Memory) -> None:
        """Count a memory as used, and lift the confidence that has faded since it last was."""
        self.principal.require(Right.READ)
        use = self._use(memory, self.now(), self.door.surface, True)
        self._caller.uses.record(self.principal.tenant, [use])

    def confidence(self, memory: Memory) -> float:
        """What is left of a memory's confidence today."""
        return self._decay.faded(memory.base_confidence, memory.usage.used_at or memory.created_at, self.now())

    def _use(self, memory: Memory, now: int, surface: str, reinforces: bool) -> Use:
        since = memory.usage.used_at or memory.created_at
        base = self._decay.lifted(memory.base_confidence, since, now) if reinforces else None
        return Use(memory.number, now, surface, base)

    # -- read --------------------------------------------------------------------------------

    def get(self, reference: Reference) -> Memory:
        """One memory, whatever its status."""
        with self._caller.reading() as work:
            return work.find(reference)

    def get_many(self, references: Sequence[Reference]) -> tuple[Memory | None, ...]:
        """Several memories on one snapshot, in the order they were named; None for what is unknown or foreign."""
        with self._caller.reading() as work:
            return tuple(work.seek(reference) for reference in references)

    def list(
        self,
        filter: Filter | None = None,
        *,
        order: Order = Order.NEWEST,
        limit: int = 50,
        cursor: int | None = None,
        **narrowed: "Unpack[FilterFields]",
    ) -> Page:
        """A page of memories; `cursor` is the `next_cursor` of the page before.

        Which ones is said by a filter, or by its fields: `tags=("ops",)`, `statuses=()`.
        """
        self.principal.require(Right.READ)
        filter = narrowed_filter(filter, **narrowed)
        if not 1 <= limit <= PAGE_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {PAGE_LIMIT}, not {limit}.", "limit")
        with self._caller.reading() as work:
            return _page(work, work.filter(filter, teams=True), order, limit, cursor)

    def count(self, filter: Filter | None = None) -> int:
        """How many memories there are; of every memory of some scopes it costs the same however many there are."""
        with self._caller.reading() as work:
            return work.unit.memories.count(work.filter(filter, teams=True), work.now)

    def same(self, text: str, filter: Filter | None = None) -> tuple[Memory, ...]:
        """The memories that say exactly this, whatever the case and the blanks; the newest first."""
        with self._caller.reading() as work:
            return work.unit.memories.by_text(work.filter(filter), work.now, text)

    def each(self, filter: Filter | None = None, *, order: Order = Order.NEWEST) -> Iterator[Memory]:
        """Every memory of a listing, page by page; one that changes its place meanwhile may be met twice."""
        cursor: int | None = None
        while True:
            deadline.check()
            page = self.list(filter, order=order, limit=PAGE_LIMIT, cursor=cursor)
            yield from page.memories
            cursor = page.next_cursor
            if cursor is None:
                return

    def history(self, reference: Reference) -> tuple[Event, ...]:
        """What happened to a memory, oldest first; it outlives the memory itself."""
        with self._caller.reading() as work:
            memory = work.seek(reference)
            id = memory.id if memory is not None else spelled(reference)
            if id is None or (memory is None and work.unit.memories.by_id(id) is not None):
                return ()
            return _visible_events(work.unit.log.events(id), work.viewer)

    def revisions(self, reference: Reference) -> tuple[Revision, ...]:
        """Every state a memory has had that the caller could have seen, oldest first, the present one last."""
        with self._caller.reading() as work:
            past = work.unit.log.revisions(work.find(reference).number)
            return tuple(revision for revision in past if work.may_see(revision.memory.scope))

    def relations(self, reference: Reference) -> tuple[Relation, ...]:
        """Every relation from or to a memory, oldest first; NotFound if it is none the person can see."""
        with self._caller.reading() as work:
            return work.unit.relations.of(work.find(reference).id)

    def relations_of(self, references: Sequence[Reference]) -> dict[str, tuple[Relation, ...]]:
        """The relations of several memories on one snapshot, by id, as far as the caller may see both ends."""
        with self._caller.reading() as work:
            found = [memory for memory in map(work.seek, references) if memory is not None]
            edges = {memory.id: work.unit.relations.of(memory.id) for memory in found}
            ends = {end for each in edges.values() for edge in each for end in (edge.source, edge.target)}
            seen = {end for end in ends if work.seek(end) is not None}
            return {
                id: tuple(edge for edge in each if {edge.source, edge.target} <= seen) for id, each in edges.items()
            }


def _visible_events(events: tuple[Event, ...], viewer: Viewer) -> tuple[Event, ...]:
    """The history of a purged memory is shown to whoever could have seen the memory."""
    scopes = {str(event.payload["scope"]) for event in events if "scope" in event.payload}
    return events if all(viewer.may_see(Scope.parse(scope)) for scope in scopes) else ()


def _recalled(query: str, hit: Hit, actor: str, now: int) -> Event:
    """That a memory was recalled: with a hash that identifies the query, never the query itself."""
    payload: dict[str, Plain] = {"queryHash": sha256(query.encode()).hexdigest(), "score": hit.relevance}
    return Event(f"evt_{ulid(now)}", EventType.RECALLED, hit.memory.id, actor, now, payload)


def narrowed_filter(filter: Filter | None, **fields: "Unpack[FilterFields]") -> Filter | None:
    """A filter made of its fields; a finished one takes none."""
    if not fields:
        return filter
    if filter is not None:
        raise InvalidInput(f"Set '{next(iter(fields))}' on the filter.", next(iter(fields)))
    unknown = fields.keys() - set(Filter.fields)
    if unknown:
        raise InvalidInput(f"'{min(unknown)}' is not a field of a filter.", min(unknown))
    given = {
        name: tuple(sorted(value)) if isinstance(value, set | frozenset | list) else value
        for name, value in fields.items()
    }
    return Filter(**{"scopes": (), **given})  # type: ignore[arg-type]


def _page(work: Work, filter: Filter, order: Order, limit: int, cursor: int | None) -> Page:
    if filter.as_of is not None:
        return _past_page(work, filter, order, limit, cursor)
    if cursor is not None and work.seek(cursor) is None:
        raise _lost(cursor)
    found = work.unit.memories.page(filter, work.now, order, limit + 1, cursor)
    total = work.unit.memories.count(filter, work.now)
    return Page(found[:limit], total, found[limit - 1].number if len(found) > limit else None)


def _past_page(work: Work, filter: Filter, order: Order, limit: int, cursor: int | None) -> Page:
    """A listing of the book as it stood at a past moment."""
    moment = filter.as_of or 0
    past = deadline.each(work.unit.log.states_at(moment))
    found = [memory for memory in past if filter.admits(memory, moment)]
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
    return InvalidInput(f"The cursor {cursor} is no longer valid: list again from the start.", "cursor")
