"""Which project a caller is in, and what selectors such as `project:auto` stand for."""

from hashlib import sha256
from pathlib import Path

from commonplace.errors import InvalidInput
from commonplace.scope import Principal, Scope, ScopeKind

MARKERS = (".commonplace", ".nuzo/config.json")
HASH_DIGITS = 16


def find_root(start: Path) -> Path:
    """The nearest folder above that is marked as a project, else the folder itself."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    return start


def scope_of(root: Path) -> Scope:
    """A project's scope: the same for everybody who works in the same folder."""
    digest = sha256(str(root.resolve()).encode()).hexdigest()
    return Scope(ScopeKind.PROJECT, digest[:HASH_DIGITS])


def resolve(selector: str, principal: Principal, project: Scope | None) -> Scope:
    """A selector as a scope: `user` and `user:default` are the caller's own, `project` the current one."""
    match selector.strip():
        case "user" | "user:default":
            return principal.own_scope
        case "project" | "project:auto":
            if project is None:
                raise InvalidInput("There is no current project here: name one, as in project:NAME.", "scope")
            return project
        case other:
            scope = Scope.parse(other)
            if not principal.may_see(scope):
                raise InvalidInput(f"'{other}' is not one of your scopes.", "scope")
            return scope
