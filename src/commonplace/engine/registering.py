"""Writing in the registry of projects: a folder's first mention, and what a person says about folders and names."""

import re
from collections.abc import Iterable
from hashlib import blake2b, sha256
from os.path import basename, dirname
from pathlib import Path

from commonplace import secrets
from commonplace.domain.entries import Entry
from commonplace.domain.record import replace
from commonplace.domain.scope import Principal
from commonplace.domain.validation import check_project
from commonplace.engine.projects import PROJECTS_LIMIT, SHELF, KnownProject, Registry, known_projects
from commonplace.errors import Conflict, InvalidInput
from commonplace.ports import Unit
from commonplace.workspace.repository import claimed_name, origin_of

NAME_LENGTH = 60
ID_DIGITS = 16

_NOT_IN_A_NAME = re.compile(r"[^\w.+@-]")


def registered(unit: Unit, principal: Principal, now: int, root: Path | None, id: str) -> KnownProject:
    """The project of a folder, which is noted the first time that something is written in it."""
    registry = known_projects(unit, principal)
    known = registry.at(root, id)
    if known is not None:
        return known
    if len(registry.projects) >= PROJECTS_LIMIT:
        return KnownProject(id, id)
    new = new_project(registry, root, id, now)
    put(unit, principal, now, new)
    return new


def new_project(registry: Registry, root: Path | None, id: str, now: int) -> KnownProject:
    """A project for a folder that nobody has heard of."""
    if root is None:
        return KnownProject(id, id)
    name = free_name(registry, str(root), claimed_name(root))
    new = KnownProject(free_id(registry, id, now), name)
    return with_root(new, root) if can_be_kept(str(root)) else new


def can_be_kept(root: str) -> bool:
    """Whether the path of a folder may stand in the book: one with a secret in it may not."""
    return root.isprintable() and not secrets.find(root)


def free_name(registry: Registry, root: str, claimed: str | None) -> str:
    """A name for a folder that no project has: what it calls itself, its own, with the folder above, or a number."""
    own = name_of_folder(basename(root))
    above = name_of_folder(basename(dirname(root)))
    taken = {each.name for each in registry.projects}
    said: list[str] = [] if claimed is None else [name_of_folder(claimed)]
    beside = f"{above}.{own}"[:NAME_LENGTH]
    numbered = [f"{own[: NAME_LENGTH - 5]}-{number}" for number in range(2, PROJECTS_LIMIT + 2)]
    return next(name for name in [*said, own, beside, *numbered] if name not in taken)


def name_of_folder(text: str) -> str:
    """A folder's name as a project may be called: whoever made the folder chose it, so plain characters only."""
    plain = _NOT_IN_A_NAME.sub("-", text).strip("-.")[:NAME_LENGTH]
    return plain if plain and not secrets.find(text) else "project"


def put(unit: Unit, principal: Principal, now: int, project: KnownProject) -> None:
    """Write a project down, in the place of what was known of it."""
    body = {
        "id": project.id,
        "name": project.name,
        "roots": list(project.roots),
        "aliases": list(project.aliases),
        "origins": list(project.origins),
    }
    unit.entries.put(Entry(SHELF, entry_id(principal, project.id), str(principal.own_scope), now, body))


def entry_id(principal: Principal, id: str) -> str:
    """Unique in the whole tenant: two people may know the same folder by two names."""
    return f"prj_{blake2b(f'{principal.user}/{id}'.encode(), digest_size=16).hexdigest()}"


def check_name(name: str) -> str:
    """A name as a person gives it, if a project may have it."""
    name = name.strip()
    if not name or len(name) > NAME_LENGTH or _NOT_IN_A_NAME.search(name) or secrets.find(name):
        raise InvalidInput(
            f"'{name[:40]}' cannot be a project's name: use up to {NAME_LENGTH} letters, digits and . _ + @ -.", "name"
        )
    return name


def renamed(registry: Registry, project: KnownProject, name: str) -> KnownProject:
    """The project under another name, which must be free."""
    name = check_name(name)
    other = next((each for each in registry.projects if each.name == name and each.id != project.id), None)
    if other is not None:
        raise Conflict(f"Another project is called {name}: rename that one first, or merge the two.")
    return replace(project, name=name)


def merged(into: KnownProject, other: KnownProject) -> KnownProject:
    """Two projects as one, under the first one's name and id."""
    if into.id == other.id:
        raise InvalidInput("A project cannot be merged with itself: name two.", "name")
    joined: dict[str, tuple[str, ...]] = {
        name: tuple(dict.fromkeys((*getattr(into, name), *getattr(other, name)))) for name in ("roots", "origins")
    }
    aliases = tuple(dict.fromkeys((*into.aliases, *other.ids)))
    return replace(into, **joined, aliases=aliases)


def with_alias(project: KnownProject, ids: Iterable[str]) -> KnownProject:
    """The project with ids that it is also known by."""
    for id in ids:
        check_project(id)
    return replace(project, aliases=tuple(dict.fromkeys((*project.aliases, *(i for i in ids if i != project.id)))))


def with_root(project: KnownProject, root: Path) -> KnownProject:
    """The project with one more folder, and where that says it was cloned from; folders that are gone are let go."""
    there = [each for each in project.roots if Path(each).is_dir()]
    origin = origin_of(root)
    origins = tuple(dict.fromkeys((*project.origins, *(() if origin is None else (origin,)))))
    return replace(project, roots=tuple(dict.fromkeys((*there, str(root)))), origins=origins)


def free_id(registry: Registry, id: str, now: int) -> str:
    """The id of the folder's path, unless a project that moved away has it."""
    if registry.of_id(id) is None:
        return id
    return sha256(f"{id}\n{now}".encode()).hexdigest()[:ID_DIGITS]
