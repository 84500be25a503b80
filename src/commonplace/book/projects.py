"""The projects of a person: listed, renamed, merged, and bound to folders. No memory is ever rewritten for it."""

from pathlib import Path

from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal, Right, Scope, ScopeKind
from commonplace.domain.validation import check_project
from commonplace.engine import registering
from commonplace.engine.caller import Caller, Work
from commonplace.engine.projects import SHELF, KnownProject, Registry
from commonplace.errors import InvalidInput, NotFound
from commonplace.ports import Unit
from commonplace.workspace.project import locate, scope_of
from commonplace.workspace.repository import claimed_name, origin_of


class ListedProject(Record):
    """A project, how many memories are about it, and whether it is the one that the caller is in."""

    project: KnownProject
    memories: int
    is_current: bool


class Projects:
    """The registry of one caller."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # -- read --------------------------------------------------------------------------------

    def list(self) -> tuple[ListedProject, ...]:
        """Every project that something was written in, by name."""
        with self._caller.reading() as work:
            here = work.current_project
            return tuple(
                ListedProject(each, _count(work, each), here is not None and here.id == each.id)
                for each in work.projects.projects
            )

    def unnamed(self) -> tuple[tuple[Scope, int], ...]:
        """The `project:` scopes that have memories and belong to no project that is known, and how many."""
        with self._caller.reading() as work:
            scopes = [scope for scope in work.unit.memories.scopes() if scope.kind is ScopeKind.PROJECT]
            unknown = [scope for scope in scopes if work.projects.of_id(scope.id) is None and work.may_see(scope)]
            return tuple((scope, work.unit.memories.count(Filter((scope,)), work.now)) for scope in unknown)

    @property
    def here(self) -> KnownProject | None:
        """The project that the caller is in, if something was written in it before."""
        with self._caller.reading() as work:
            return work.current_project

    def claimed(self) -> tuple[KnownProject, ...]:
        """The projects that the caller's folder says it belongs to, and the person has not agreed to."""
        root = self._caller.project.root
        with self._caller.reading() as work:
            if root is None or not self._caller.project.is_project:
                return ()
            origin, name = origin_of(root), claimed_name(root)
            return tuple(
                each
                for each in work.projects.projects
                if str(root) not in each.roots and (origin in each.origins or (name is not None and each.name == name))
            )

    # -- change ------------------------------------------------------------------------------

    def noted(self, root: Path) -> str:
        """The id of the project in a folder, which is noted if nothing was written in it before."""
        id, who = scope_of(root).id, self._caller.principal
        with self._caller.looking() as work:
            known = work.projects.at(root, id)
        if known is None:
            with self._caller.writing() as work:
                known = registering.registered(work.unit, who, work.now, root, id)
        return known.id

    def rename(self, name: str, new: str) -> KnownProject:
        """Call a project something else."""
        self._caller.principal.require(Right.READ)  # what is known of projects is shown
        with self._caller.writing() as work:
            project = registering.renamed(work.projects, work.projects.named(name), new)
            registering.put(work.unit, self._caller.principal, work.now, project)
        return project

    def merge(self, name: str, into: str) -> KnownProject:
        """Let one project be part of another. What is to be merged may also be a `project:` scope that nobody knows."""
        self._caller.principal.require(Right.READ)  # what is known of projects is shown
        with self._caller.writing() as work:
            project = work.projects.named(into)
            try:
                other = work.projects.named(name)
            except NotFound:
                joined = registering.with_alias(project, [_id_of_scope(work, name)])
            else:
                joined = registering.merged(project, other)
                _remove(work.unit, self._caller.principal, other)
            registering.put(work.unit, self._caller.principal, work.now, joined)
        return joined

    def bind(self, folder: Path, name: str) -> KnownProject:
        """Say that a folder belongs to a project, which is made if there is none of that name.

        What was written in the folder while it was a project by itself comes along.
        """
        self._caller.principal.require(Right.READ)  # what is known of projects is shown
        with self._caller.writing() as work:
            root = _root(folder)
            id = scope_of(root).id
            unit, who, registry = work.unit, self._caller.principal, work.projects
            project, before = _sought(registry, name), registry.at(root, id)
            if project is None:
                project = KnownProject(registering.free_id(registry, id, work.now), registering.check_name(name))
                if before is not None:
                    _let_go(unit, who, work.now, before, str(root))
            elif before is not None and before.id != project.id:
                project = _joined(unit, who, work.now, project, before, str(root))
            elif before is None and registry.of_id(id) is None:
                project = registering.with_alias(project, [id])
            project = registering.with_root(project, root)
            registering.put(unit, who, work.now, project)
        return project


def _count(work: Work, project: KnownProject) -> int:
    own = work.caller.principal.own_scope
    scopes = tuple(scope for scope in (own, *project.scopes) if work.may_see(scope))
    return work.unit.memories.count(Filter(scopes, projects=project.ids), work.now)


def _id_of_scope(work: Work, name: str) -> str:
    """The id of a `project:` scope that has memories; NotFound for anything else."""
    id = name.strip().removeprefix(f"{ScopeKind.PROJECT.value}:")
    check_project(id)
    scope = Scope(ScopeKind.PROJECT, id)
    if scope not in work.unit.memories.scopes() or not work.may_see(scope):
        work.projects.named(name)  # says which there are
    return id


def _root(folder: Path) -> Path:
    """The project's folder that a folder is in, if its path can be kept."""
    if not folder.is_dir():
        raise InvalidInput(f"There is no folder '{str(folder)[:100]}': name one that exists.", "folder")
    root = locate(folder).root
    if not registering.can_be_kept(str(root)):
        raise InvalidInput("The folder's path looks as if it held a secret: move it, or name another.", "folder")
    return root


def _sought(registry: Registry, name: str) -> KnownProject | None:
    try:
        return registry.named(name)
    except NotFound:
        return None


def _let_go(unit: Unit, who: Principal, now: int, project: KnownProject, root: str) -> None:
    """A project without a folder; what was written there stays its own."""
    registering.put(unit, who, now, replace(project, roots=tuple(each for each in project.roots if each != root)))


def _joined(
    unit: Unit, who: Principal, now: int, project: KnownProject, before: KnownProject, root: str
) -> KnownProject:
    """The project with what a folder was before: all of it, unless that lies in other folders too."""
    if any(each != root and Path(each).is_dir() for each in before.roots):
        _let_go(unit, who, now, before, root)
        return project
    _remove(unit, who, before)
    return registering.merged(project, replace(before, roots=()))


def _remove(unit: Unit, who: Principal, project: KnownProject) -> None:
    unit.entries.remove(SHELF, registering.entry_id(who, project.id))
