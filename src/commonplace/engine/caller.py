"""Whoever asks, as one value, and the work they do in one transaction.

A `Caller` is a principal at a door, with the clock, the models, the project and the limits that hold for
them. `reading` and `writing` check their right and give one `Work`: the unit, the moment, what they may
see by then, and the only way to a scope or to a memory by its name.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from commonplace import deadline
from commonplace.config import CURATED_BUDGET, NOT_SET
from commonplace.domain.memory import Memory, MemoryType, Origin
from commonplace.domain.query import Filter
from commonplace.domain.rank import Decay
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope, ScopeKind, Viewer
from commonplace.domain.validation import COUNT_LIMIT
from commonplace.engine.context import Context
from commonplace.engine.usage import UsageRecorder
from commonplace.errors import Denied, InvalidInput, NotFound, SchemaOutdated
from commonplace.ports import LLM, Embedder, Store, Unit
from commonplace.text import tidy_tags
from commonplace.workspace.project import Place, resolve, scope_of

if TYPE_CHECKING:
    from commonplace.engine.projects import KnownProject, Registry

Reference = str | int | Memory
"""A memory by its id in any spelling (`mem_…`, `ctx_…`), by its number, or itself."""

Selector = str | Scope | None
"""Where: `user`, `project:auto`, `team:core`, a scope, or None for the place that is meant unless one is named."""


class Clock(Protocol):
    def __call__(self) -> int:
        """Milliseconds since 1970, UTC."""


def system_clock() -> int:
    """What the computer says; every book can be given another clock."""
    return time.time_ns() // 1_000_000


class Door(Record):
    """Through which door a book is used: what is written down as provenance and trust.

    `client` is what the program on the other side calls itself, where the door can tell; `scope` is
    where things go unless a caller says otherwise. What is of one of the types it `sweeps`, and over,
    is put away by the caller's next write. Whether what is asked for without a scope is also looked for
    in the caller's `teams`, whether a recall also finds `others` than memories, and whether what is written says which
    of the person's `projects` it is about, is for the door to say: a published contract has its own word on that. With
    `short_ids`, `last` and the beginning of an id name a memory too.
    """

    surface: str = "library"
    origin: Origin = Origin.AGENT
    actor: str = "local"
    client: str | None = None
    scope: str = "user:default"
    sweeps: tuple[MemoryType, ...] = ()
    teams: bool = True
    others: bool = True
    projects: bool = True
    short_ids: bool = False


class Project(Record):
    """The project a book is used in, and its folder where that is on this machine.

    `older` are the scopes that folders within it had while each of them was a project of its own. A folder that is
    no project has a scope all the same, but nothing is about it: then it has no `id`.
    """

    scope: Scope | None = None
    root: Path | None = None
    older: tuple[Scope, ...] = ()
    is_project: bool = True

    @classmethod
    def at(cls, place: Path | Place | None) -> "Project":
        """The project of a folder; without one, none."""
        if place is None:
            return cls()
        if isinstance(place, Path):
            place = Place(place.resolve(), True)
        return cls(scope_of(place.root), place.root, tuple(map(scope_of, place.older)), place.is_project)

    @property
    def id(self) -> str | None:
        """What memories about it have as their `project`, unless the person has put it with another one."""
        return self.scope.id if self.scope is not None and self.is_project else None


class Models(Record):
    """The models at hand. `replaced` are others, one of which may have embedded the book before."""

    embedder: Embedder | None = None
    replaced: tuple[Embedder, ...] = ()
    llm: LLM | None = None

    @property
    def use_network(self) -> bool:
        """Whether a model of any kind is asked over the network."""
        return any(model is not None and model.uses_network for model in (self.embedder, *self.replaced, self.llm))


class CallerLimits(Record):
    """What bounds a caller, and how what they do not use fades. What is set for dialects is theirs to understand."""

    decay: Decay = Decay()
    curated_budget: int = CURATED_BUDGET
    dialect_settings: Mapping[str, str] = NOT_SET


class Caller(Record):
    """Who asks, through which door, with what. Every subject of a book is made of one and of nothing else."""

    store: Store
    uses: UsageRecorder
    principal: Principal = Principal()
    door: Door = Door()
    clock: Clock = system_clock
    models: Models = Models()
    project: Project = Project()
    limits: CallerLimits = CallerLimits()
    begun: dict[str, object] | None = None
    """What this process began with and goes by until somebody changes it on purpose, if it goes by anything."""

    @contextmanager
    def reading(self) -> Iterator["Work"]:
        """One snapshot to read from."""
        self.principal.require(Right.READ)
        with self.store.reading(self.principal.tenant) as unit:
            yield Work(self, unit)

    @contextmanager
    def looking(self) -> Iterator["Work"]:
        """One snapshot to check what is about to be written, for whoever may write and perhaps not read.

        Like any writer, it brings an older book up to date first.
        """
        self.principal.require(Right.WRITE)
        with ExitStack() as stack:
            try:
                unit = stack.enter_context(self.store.reading(self.principal.tenant))
            except SchemaOutdated:
                with self.store.writing(self.principal.tenant):
                    pass
                unit = stack.enter_context(self.store.reading(self.principal.tenant))
            yield Work(self, unit)

    @contextmanager
    def writing(self) -> Iterator["Work"]:
        """One transaction to write in: all of it is kept, or nothing. What it changes can be undone."""
        from commonplace.engine.operations import Recorder  # only those who write pay for loading it

        self.principal.require(Right.WRITE)
        with self.store.writing(self.principal.tenant) as unit:
            recorder = Recorder(unit)
            work = Work(self, recorder)
            work.sweep()
            yield work
            own = str(self.principal.own_scope)
            recorder.keep(self.principal.user, own, self.door.surface, self.door.actor, work.now)

    @contextmanager
    def purging(self) -> Iterator["Work"]:
        """One transaction that takes bytes away for good."""
        self.principal.require(Right.PURGE)
        with self.writing_for_good() as work:
            yield work

    @contextmanager
    def writing_for_good(self) -> Iterator["Work"]:
        """The same for what has an undo of its own, or none: a dream, an undo, a purge."""
        self.principal.require(Right.WRITE)
        with self.store.writing(self.principal.tenant) as unit:
            work = Work(self, unit)
            work.sweep()
            yield work

    def context(self) -> Context:
        """Who does something, for what is prepared before any transaction is open."""
        return Context(self.principal, self.door.surface, self.door.actor, self.door.origin, self.clock())

    def place(self, selector: Selector) -> Scope:
        """What a selector stands for; whether the caller may see it is for the transaction that uses it to say."""
        meant = selector or self.principal.only_project or self.door.scope
        return resolve(str(meant), self.principal, self.project.scope)

    @property
    def places(self) -> tuple[Scope, ...]:
        """The caller's own scope and the current project's: what is meant unless a scope is named."""
        if self.principal.only_project is not None:
            return (self.principal.only_project,)
        current = () if self.project.scope is None else (self.project.scope, *self.project.older)
        return (self.principal.own_scope, *current)


class Work:
    """One transaction of one caller."""

    __slots__ = ("_projects", "_viewer", "caller", "context", "unit")

    def __init__(self, caller: Caller, unit: Unit) -> None:
        self.caller = caller
        self.unit = unit
        self.context = caller.context()
        self._viewer: Viewer | None = None
        self._projects: Registry | None = None

    @property
    def now(self) -> int:
        """One moment for the whole transaction, in milliseconds."""
        return self.context.now

    @property
    def viewer(self) -> Viewer:
        """What the caller may see at this moment; the member list is read once for each transaction."""
        if self._viewer is None:
            from commonplace.engine.membership import viewer  # one's own needs no list of members

            self._viewer = viewer(self.unit, self.caller.principal)
        return self._viewer

    def may_see(self, scope: Scope | str) -> bool:
        """Whether the caller sees a scope; InvalidInput if a text is no scope."""
        if scope == self.caller.places[0]:  # one's own needs no list of members
            return True
        return self.viewer.may_see(Scope.parse(scope) if isinstance(scope, str) else scope)

    def scope(self, selector: Selector = None) -> Scope:
        """A selector as a scope the caller may see; nothing means the door's own."""
        place = self.caller.place(selector)
        if not self.viewer.may_see(place):
            raise InvalidInput(f"'{place}' is not one of your scopes.", "scope")
        return place

    def scopes(self, selectors: Iterable[Selector] = ()) -> tuple[Scope, ...]:
        """Selectors as scopes the caller may see; none means where reads look unless told otherwise."""
        return tuple(dict.fromkeys(map(self.scope, selectors))) or self.places

    @property
    def places(self) -> tuple[Scope, ...]:
        """The caller's places, with those that the current project had before, as the person said."""
        known = self.current_project
        if known is None or self.caller.principal.only_project is not None:
            return self.caller.places
        return tuple(dict.fromkeys((*self.caller.places, *known.scopes)))

    @property
    def projects(self) -> "Registry":
        """The projects that the caller has worked in, read once for each transaction."""
        if self._projects is None:
            from commonplace.engine.projects import known_projects  # few doors ask

            self._projects = known_projects(self.unit, self.caller.principal)
        return self._projects

    @property
    def current_project(self) -> "KnownProject | None":
        """The project that the caller is in, if something was written in it before and the door has projects."""
        here = self.caller.project
        if here.id is None or not self.caller.door.projects or not self.unit.memories.has("project"):
            return None
        return self.projects.at(here.root, here.id)

    @property
    def here(self) -> tuple[str, ...]:
        """Every id of the project that the caller is in; nothing where there is none, or the door has no projects."""
        place, known = self.caller.project, self.current_project
        if place.id is None or not self.caller.door.projects:
            return ()
        older = tuple(scope.id for scope in place.older)
        return (place.id, *older) if known is None else tuple(dict.fromkeys((*known.ids, *older)))

    def project_ids(self, name: str) -> tuple[str, ...]:
        """Every id of a project by its name; `.` is the one that the caller is in."""
        if name.strip() != ".":
            return self.projects.named(name).ids
        if not self.here:
            raise NotFound("You are in no project here: name one (see 'commonplace projects').")
        return self.here

    def names_of(self, ids: Iterable[str | None]) -> dict[str, str]:
        """What projects are called, by the ids that something is about; not the one that the caller is in."""
        wanted = set(ids) - {None}
        if not wanted or not self.caller.door.projects:
            return {}
        named = {id: self.projects.name_of(id) for id in wanted - set(self.here) if id is not None}
        return {id: name for id, name in sorted(named.items()) if name is not None}

    def names_project(self, scope: Scope) -> bool:
        """Whether what is written to a scope says which project it is about: in one, and for what is theirs alone."""
        here = self.caller.project.id is not None and self.caller.door.projects
        return here and scope == self.caller.principal.own_scope

    def about(self, scope: Scope) -> str | None:
        """Which project something is about that is written to a scope: where the caller is, for what is theirs alone.

        A project is noted when the first thing is written in it.
        """
        place = self.caller.project
        if place.id is None or not self.names_project(scope):
            return None
        known = self.current_project
        if known is None:
            from commonplace.engine.registering import registered  # once for each project

            known = registered(self.unit, self.caller.principal, self.now, place.root, place.id)
            self._projects = None
        return known.id

    def filter(self, filter: Filter | None = None, *, teams: bool = False) -> Filter:
        """A filter on what the caller may see; without scopes, on the default ones, with or without their `teams`.

        What goes into a prompt unasked is never a team's unless its scope is named: somebody else wrote it.
        """
        filter = filter or Filter(())
        tags, any_tags = tidy_tags(filter.tags), tidy_tags(filter.any_tags)
        scopes = self.scopes(filter.scopes)
        if teams and not filter.scopes and not filter.automatic and self._teams_have_memories(filter):
            scopes = self.default_scopes()
        return replace(filter, scopes=scopes, tags=tags, any_tags=any_tags)

    def _teams_have_memories(self, filter: Filter) -> bool:
        """Whether it matters in which teams the caller is. Few doors and few books have any, the past may have had."""
        return self.caller.door.teams and (filter.as_of is not None or self.unit.memories.has("team"))

    def default_scopes(self) -> tuple[Scope, ...]:
        """Where recall and list look unless told otherwise: the caller's places and, if the door says so, their teams.

        Those they are in at this moment. Whoever may see every team is in those that list them.
        """
        if not self.caller.door.teams:
            return self.places
        from commonplace.engine.membership import scope_of_team, teams_of  # few books have teams

        teams = self.viewer.teams
        if EVERY_TEAM in teams:
            teams = teams_of(self.unit, self.caller.principal.user)
        seen = (scope for scope in map(scope_of_team, teams) if self.viewer.may_see(scope))
        return (*self.places, *seen)

    def find(self, reference: Reference) -> Memory:
        """A memory the caller may see, by any of its names. A foreign one answers exactly like an unknown one."""
        memory = self.seek(reference)
        if memory is None:
            named = reference.id if isinstance(reference, Memory) else reference
            raise NotFound(f"There is no memory '{str(named)[:60]}': look it up with recall or list.")
        return memory

    def seek(self, reference: Reference) -> Memory | None:
        """A memory the caller may see, by any of its names, or None. Whoever is given one may read it."""
        self.caller.principal.require(Right.READ)
        memory = self._named(reference)
        return memory if memory is not None and self.may_see(memory.scope) else None

    def sweep(self) -> None:
        """Put away what is over, where the door does that: what the caller wrote to the place they write to."""
        if not self.caller.door.sweeps:
            return
        from commonplace.engine.lifecycle import archive  # few doors sweep
        from commonplace.engine.paging import each_memory  # few doors sweep

        place, user = self.caller.place(None), self.caller.principal.user
        own = place == self.caller.principal.own_scope
        over = Filter((place,), memory_types=self.caller.door.sweeps, only_expired=True)
        for memory in deadline.each(list(each_memory(self.unit, over, self.now))):
            if own or memory.owner == user:
                archive(self.unit, self.context, memory, "its time has passed")

    def require_ownership(self, memory: Memory) -> None:
        """Refuse whoever would take a team's memory away for good and does not own the team."""
        from commonplace.engine.membership import Role, find_member  # few books have teams

        if memory.scope.kind is not ScopeKind.TEAM or EVERY_TEAM in self.viewer.teams:
            return
        member = find_member(self.unit, memory.scope.id, self.caller.principal.user)
        if member is None or not member.accepted or member.role is not Role.OWNER:
            raise Denied(f"Only owners of {memory.scope} can purge what is the team's: forget it, or ask one of them.")

    def _named(self, reference: Reference) -> Memory | None:
        if isinstance(reference, Memory):
            return self.unit.memories.by_id(reference.id)
        number = _number(reference)
        if number is not None:
            return self.unit.memories.by_number(number)
        id = spelled(reference)
        memory = None if id is None else self.unit.memories.by_id(id)
        if memory is None and self.caller.door.short_ids:
            from commonplace.engine.short_ids import memory_meant  # only for people who type

            memory = memory_meant(self, str(reference), id)
        return memory


def spelled(reference: Reference) -> str | None:
    """Any spelling of an id as ours: `ctx_…`, `cur_…` and a bare ULID mean the memory of that ULID."""
    text = reference.id if isinstance(reference, Memory) else str(reference).strip()
    prefix, underscore, tail = text.partition("_")
    if not underscore:
        tail = prefix
    elif prefix not in ("mem", "ctx", "cur"):
        return None
    return f"mem_{tail.upper()}" if tail.isascii() and tail.isalnum() else None


def _number(reference: Reference) -> int | None:
    """`12` and `#12` are numbers."""
    if isinstance(reference, int):
        return reference if 0 < reference <= COUNT_LIMIT else 0
    digits = str(reference).removeprefix("#")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else None
