"""Where documents are kept: a person's own, with the project they are about; a scope that was named; or, as before
projects had a name of their own, the project's scope."""

import posixpath
from pathlib import Path

from commonplace.documents.ingest import Document, Home
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.engine.caller import Selector, Work


class Homes(Record):
    """The homes that a call is about, the first of them for what is new, and those whose files lie below `root`."""

    all: tuple[Home, ...]
    local: tuple[Home, ...]
    root: Path | None

    def place(self, file: Path, home: Home) -> str:
        """A path as a document keeps it: within the project's folder if it is the project's, else the whole of it."""
        if self.root is not None and home in self.local and file.is_relative_to(self.root):
            return file.relative_to(self.root).as_posix()
        return file.as_posix()

    def spelled(self, name: str, home: Home) -> tuple[str, ...]:
        """The same for a name that somebody gives: it may be a path within the folder one is in, or just a name."""
        path = Path(name)
        if path.is_absolute():
            return (self.place(path, home),)
        plain = posixpath.normpath(path.as_posix())
        whole = () if self.root is None or home in self.local else (posixpath.join(self.root.as_posix(), plain),)
        return (plain, *whole)

    def file(self, document: Document) -> Path | None:
        """Where the file of a document is, if it has one and that can be told here."""
        if not document.from_file:
            return None
        if posixpath.isabs(document.place) or Path(document.place).is_absolute():
            return Path(document.place)
        lies_here = self.root is not None and home_of(document) in self.local
        return self.root / document.place if self.root is not None and lies_here else None


def home_of(document: Document) -> Home:
    """Where a document is kept."""
    return Home(document.scope, document.project)


def homes(work: Work, selector: Selector = None) -> Homes:
    """Where documents are meant to be: in the scope that is named, else the caller's own and the project's."""
    who, project = work.caller.principal, work.caller.project
    own = tuple(Home(who.own_scope, id) for id in work.here)
    scopes = tuple(Home(scope) for scope in _of_project(work))
    local = (*own, *scopes)
    if selector is not None:
        scope = work.scope(selector)
        named = own if scope == who.own_scope else ()
        return Homes((*named, Home(scope)), local, project.root)
    if not _has_projects(work):
        return Homes((Home(work.scope(project.scope or who.own_scope)),), local, project.root)
    return Homes((*(own or (Home(who.own_scope),)), *scopes), local, project.root)


def readable(work: Work) -> tuple[Scope, ...]:
    """Where documents are looked for unless a scope is named: whatever is the caller's, about whichever project."""
    return work.places if _has_projects(work) else tuple(home.scope for home in homes(work).all)


def _has_projects(work: Work) -> bool:
    return work.caller.door.projects and work.caller.principal.only_project is None


def _of_project(work: Work) -> tuple[Scope, ...]:
    """The scopes of the current project, which had documents before there was an attribute for it."""
    return tuple(scope for scope in work.places if scope != work.caller.principal.own_scope)
