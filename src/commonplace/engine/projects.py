"""The projects that a person works in: what each is called, in which folders it lies, and under which ids it is known.

The registry is the person's own, entries of their scope. A folder's id is the hash of its path, as its `project:` scope
has it; a project is known by one such id for good, wherever it moves. Nothing is ever rewritten: what was written
under another id belongs to a project by being one of its `aliases`.

What a folder says of itself, where it was cloned from and what it is called, is a claim. It is shown to the person,
and joins nothing: only a person says that a folder belongs to a project (`bind`, `merge`).
"""

from pathlib import Path

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope, ScopeKind
from commonplace.errors import NotFound
from commonplace.ports import Unit

SHELF = "project"
PROJECTS_LIMIT = 1_000
NAMES_TOLD = 8


class KnownProject(Record):
    """A project that something was written in. `roots` are its folders, `aliases` other ids that it goes by."""

    id: str
    name: str
    roots: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id under which something may be written that is about it."""
        return self.id, *self.aliases

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The `project:` scopes of those ids."""
        return tuple(Scope(ScopeKind.PROJECT, id) for id in self.ids)


class Registry(Record):
    """The projects of one person at one moment, by name."""

    projects: tuple[KnownProject, ...] = ()

    def of_id(self, id: str | None) -> KnownProject | None:
        """The project that an id stands for, its own or an alias."""
        return next((each for each in self.projects if id in each.ids), None)

    def of_root(self, root: str) -> KnownProject | None:
        """The project that lies in a folder."""
        return next((each for each in self.projects if root in each.roots), None)

    def at(self, root: Path | None, id: str | None) -> KnownProject | None:
        """The project of a folder and the id of its path.

        A project that is known to lie elsewhere is not this folder's, although the path was its own once.
        """
        if root is None:
            return self.of_id(id)
        known = self.of_root(str(root))
        if known is not None:
            return known
        known = self.of_id(id)
        return None if known is not None and known.roots else known

    def name_of(self, id: str) -> str | None:
        """What the project of an id is called, or None if nobody has heard of it."""
        known = self.of_id(id)
        return None if known is None else known.name

    def named(self, name: str) -> KnownProject:
        """The project of that name or id; NotFound in a sentence that names those there are."""
        wanted = name.strip().removeprefix(f"{ScopeKind.PROJECT.value}:")
        known = next((each for each in self.projects if each.name == wanted), None) or self.of_id(wanted)
        folded = [each for each in self.projects if each.name.lower() == wanted.lower()]
        if known is None and len(folded) == 1:
            known = folded[0]
        if known is None:
            there = ", ".join(each.name for each in self.projects[:NAMES_TOLD])
            raise NotFound(
                f"There is no project '{wanted[:60]}': {f'there are {there}' if there else 'none is known yet'} "
                "(see 'commonplace projects')."
            )
        return known


def known_projects(unit: Unit, principal: Principal) -> Registry:
    """The projects of a person."""
    wanted = EntryFilter(SHELF, (str(principal.own_scope),))
    found = [_project_of(entry) for entry in unit.entries.page(wanted, PROJECTS_LIMIT)]
    return Registry(tuple(sorted(found, key=lambda each: (each.name.lower(), each.id))))


def _project_of(entry: Entry) -> KnownProject:
    body = entry.body
    lists = {name: _texts(body.get(name)) for name in ("roots", "aliases", "origins")}
    return KnownProject(str(body["id"]), str(body["name"]), **lists)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()
