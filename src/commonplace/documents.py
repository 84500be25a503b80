"""Documents beside the memories: texts and files in chunks, looked at again when a file changes.

They are what evidence points to. Nothing of them is recalled as a memory; `search` looks through them.
"""

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from commonplace import secrets
from commonplace.checks import check_label, check_text
from commonplace.errors import InvalidInput, NotFound
from commonplace.evidence import (
    CHUNK_SHELF,
    DOCUMENT_SHELF,
    EvidenceType,
    Source,
    Verification,
    judge,
    resting_on,
    weigh,
)
from commonplace.folders import FILE_SIZE_LIMIT, files_in
from commonplace.intake import refuse_secrets
from commonplace.lifecycle import Context
from commonplace.membership import present
from commonplace.memory import Memory
from commonplace.ports import Store, Unit
from commonplace.project import resolve
from commonplace.query import QUERY_LENGTH_LIMIT
from commonplace.rank import bm25
from commonplace.record import Record, replace
from commonplace.scope import Principal, Right, Scope
from commonplace.shelves import Entry, Wanted
from commonplace.shelving import (
    PAGE,
    Chunk,
    Document,
    Looked,
    Looking,
    chunk_of,
    document_id,
    document_of,
    new_document,
)
from commonplace.text import query_terms, terms

SEARCH_LIMIT = 100
POOL_PER_PASSAGE = 5

Progress = Callable[[int, int], None]
Selector = str | Scope | None


class Home(Record):
    """The project a book is used in, and its folder where that is on this machine."""

    project: Scope | None
    root: Path | None


class Passage(Record):
    """A chunk that was found, and how well its words match."""

    chunk: Chunk
    score: float


class Removed(Record):
    """Documents that were taken off the shelf, and the memories whose status followed."""

    documents: tuple[Document, ...]
    verified: tuple[Verification, ...]


class Documents:
    """Adds, lists, searches and refreshes documents, for one principal. Without a scope, those of the project."""

    def __init__(
        self, store: Store, principal: Principal, context: Callable[[], Context], home: Callable[[], Home]
    ) -> None:
        self._store = store
        self._principal = principal
        self._context = context
        self._home = home

    # -- add and refresh -----------------------------------------------------------------------

    def add(
        self,
        *paths: str | Path,
        scope: Selector = None,
        patterns: Sequence[str] = (),
        progress: Progress = lambda done, total: None,
    ) -> Looked:
        """Put text files on the shelf, and those of folders; what is on it already is read again if it changed.

        Of a folder, hidden files and links are left alone, and `patterns` choose among the others: `*.md`
        goes by the name, `guides/*` by the path. What cannot be read as text is skipped and named.
        """
        self._principal.require(Right.WRITE)
        where = self._scope(scope)
        files = list(dict.fromkeys(file for path in paths for file in _files(Path(path), patterns)))
        with self._store.reading(self._principal.tenant) as unit:
            known = {document.id: document for document in _all(unit, (where,))}
        looking = self._looking()
        progress(0, len(files))
        for done, file in enumerate(files, 1):
            place = self._place(file, where)
            problem = _unfit(place)
            if problem is None:
                document = known.get(document_id(where, place)) or new_document(where, place, from_file=True)
                looking.at_file(replace(document, from_file=True), file)
            else:
                looking.skip(place.encode("utf-8", "replace").decode(), problem)
            progress(done, len(files))
        return self._followed(looking.finish())

    def add_text(self, name: str, text: str, *, scope: Selector = None) -> Looked:
        """Put a text on the shelf under a name, in the place of what had that name before."""
        self._principal.require(Right.WRITE)
        check_label(name, "name")
        refuse_secrets(name, "name")
        _check_length(text)
        where, place = self._scope(scope), posixpath.normpath(name.strip())
        with self._store.reading(self._principal.tenant) as unit:
            entry = unit.shelves.get(DOCUMENT_SHELF, document_id(where, place))
        looking = self._looking()
        looking.at_text(new_document(where, place, from_file=False) if entry is None else document_of(entry), text)
        return self._followed(looking.finish())

    def refresh(self, *, scope: Selector = None, progress: Progress = lambda done, total: None) -> Looked:
        """Read files again that have changed, note which are gone, and verify the memories that rest on them."""
        self._principal.require(Right.WRITE)
        with self._store.reading(self._principal.tenant) as unit:
            documents = list(_all(unit, (self._scope(scope),)))
        looked = self._look(documents, progress)
        # Of all of them, not only of those that changed: somebody else may have refreshed them before.
        return replace(looked, verified=self._verify([document.id for document in documents]))

    def look_again(self, ids: Sequence[str]) -> None:
        """Read those whose files have changed, and note whose are gone."""
        self._principal.require(Right.WRITE)
        with self._store.reading(self._principal.tenant) as unit:
            entries = [unit.shelves.get(DOCUMENT_SHELF, id) for id in ids]
        self._look([document_of(entry) for entry in entries if entry is not None], lambda done, total: None)

    def remove(self, name: str, *, scope: Selector = None) -> Removed:
        """Take a document off the shelf, by its id or place, or every one of a folder."""
        self._principal.require(Right.WRITE)
        with self._store.writing(self._principal.tenant) as unit:
            documents = self._named(unit, name, self._scope(scope))
            for document in documents:
                unit.shelves.remove_children(document.id)
                unit.shelves.remove(DOCUMENT_SHELF, document.id)
        return Removed(documents, self._verify([document.id for document in documents]))

    # -- read ----------------------------------------------------------------------------------

    def list(self, *, scopes: Sequence[Selector] = ()) -> tuple[Document, ...]:
        """Every document, by place."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return tuple(sorted(_all(unit, self._scopes(scopes)), key=lambda document: document.place))

    def get(self, name: str, *, scope: Selector = None) -> Document:
        """One document, by its id or place."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return self._one(unit, name, self._scope(scope))

    def chunks(self, name: str, *, scope: Selector = None) -> tuple[Chunk, ...]:
        """The chunks of a document, in its own order."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            document = self._one(unit, name, self._scope(scope))
            entries = list(_pages(unit, Wanted(CHUNK_SHELF, parent=document.id)))
        found = [chunk_of(entry, document.place) for entry in entries]
        return tuple(sorted(found, key=lambda chunk: (chunk.line_start, chunk.line_end)))

    def get_chunk(self, id: str) -> Chunk:
        """One chunk, by its id."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            entry = unit.shelves.get(CHUNK_SHELF, str(id).strip()) if str(id).isascii() else None
            document = None if entry is None else unit.shelves.get(DOCUMENT_SHELF, str(entry.parent))
            who = present(unit, self._principal)
        if entry is None or document is None or not who.may_see(Scope.parse(entry.scope)):
            raise NotFound(f"There is no chunk '{str(id)[:60]}': search the documents again, they may have changed.")
        return chunk_of(entry, document_of(document).place)

    def search(self, query: str, limit: int = 10, *, scopes: Sequence[Selector] = ()) -> tuple[Passage, ...]:
        """The chunks that have words of the query, best first."""
        self._principal.require(Right.READ)
        check_text(query, "query")
        if len(query) > QUERY_LENGTH_LIMIT:
            raise InvalidInput(f"query is longer than {QUERY_LENGTH_LIMIT:,} characters: shorten it.", "query")
        if not 1 <= limit <= SEARCH_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {SEARCH_LIMIT}, not {limit}.", "limit")
        wanted, asked = Wanted(CHUNK_SHELF, tuple(map(str, self._scopes(scopes)))), query_terms(query)
        with self._store.reading(self._principal.tenant) as unit:
            entries = unit.shelves.matching(wanted, asked, limit * POOL_PER_PASSAGE)
            places = {entry.parent: unit.shelves.get(DOCUMENT_SHELF, str(entry.parent)) for entry in entries}
        scores = bm25({number: terms(entry.text) for number, entry in enumerate(entries)}, asked)
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        found = [(entries[number], places[entries[number].parent], scores[number]) for number in best]
        return tuple(
            Passage(chunk_of(entry, document_of(document).place), score)
            for entry, document, score in found
            if document is not None
        )

    # -- for evidence --------------------------------------------------------------------------

    def resting_on(self, unit: Unit, source: Source, memory: Memory) -> str | None:
        """The id of the document a source points to, there or yet to come; None if the caller may not know."""
        match source.type:
            case EvidenceType.DOCUMENT if source.document_id is not None:
                return self._seen(unit, DOCUMENT_SHELF, source.document_id)
            case EvidenceType.DOCUMENT if source.reference is not None:
                return self._at(unit, source.reference, memory)
            case EvidenceType.CHUNK:
                return self._seen(unit, CHUNK_SHELF, source.chunk_id or source.reference or "")
            case _:
                return None

    def _seen(self, unit: Unit, shelf: str, id: str) -> str | None:
        """The document that an entry is or belongs to, if the caller may see it."""
        entry = unit.shelves.get(shelf, id)
        if entry is None or not present(unit, self._principal).may_see(Scope.parse(entry.scope)):
            return None
        return entry.parent if shelf == CHUNK_SHELF else entry.id

    def _at(self, unit: Unit, reference: str, memory: Memory) -> str:
        """The document at a path, in the current project or where the memory lives."""
        scopes = dict.fromkeys((self._scope(None), memory.scope))
        ids = [document_id(scope, self._spelled(reference, scope)) for scope in scopes]
        return next((id for id in ids if unit.shelves.get(DOCUMENT_SHELF, id) is not None), ids[0])

    # -- inside --------------------------------------------------------------------------------

    def _scope(self, selector: Selector) -> Scope:
        project = self._home().project
        if selector is None:
            return project or self._principal.own_scope
        return resolve(str(selector), self._principal, project)

    def _scopes(self, selectors: Sequence[Selector]) -> tuple[Scope, ...]:
        return tuple(dict.fromkeys(map(self._scope, selectors or (None,))))

    def _looking(self) -> Looking:
        return Looking(self._store, self._principal.tenant, self._context().now)

    def _look(self, documents: Sequence[Document], progress: Progress) -> Looked:
        looking = self._looking()
        progress(0, len(documents))
        for done, document in enumerate(documents, 1):
            file = self._file(document)
            if file is not None:
                looking.at_file(document, file)
            progress(done, len(documents))
        return looking.finish()

    def _followed(self, looked: Looked) -> Looked:
        return replace(looked, verified=self._verify(looked.touched))

    def _verify(self, documents: Sequence[str]) -> tuple[Verification, ...]:
        """Let the status of memories follow what became of the documents they rest on; those that changed."""
        with self._store.reading(self._principal.tenant) as unit:
            due = [memory.id for memory in self._citing(unit, documents) if weigh(unit, memory, self).changed]
        if not due:
            return ()
        context = self._context()
        with self._store.writing(self._principal.tenant) as unit:
            memories = [memory for memory in map(unit.memories.by_id, due) if memory is not None]
            verified = [judge(unit, context, memory, self) for memory in memories]
        return tuple(each for each in verified if each.changed)

    def _citing(self, unit: Unit, documents: Sequence[str]) -> Iterator[Memory]:
        who = present(unit, self._principal)
        for id in resting_on(unit, documents):
            memory = unit.memories.by_id(id)
            if memory is not None and who.may_see(memory.scope):
                yield memory

    def _file(self, document: Document) -> Path | None:
        """Where the file of a document is, if it has one and that can be told here."""
        home = self._home()
        if not document.from_file:
            return None
        if posixpath.isabs(document.place) or Path(document.place).is_absolute():
            return Path(document.place)
        return home.root / document.place if home.root is not None and document.scope == home.project else None

    def _place(self, file: Path, scope: Scope) -> str:
        """A path as a document keeps it: within the project's folder if it is the project's, else the whole of it."""
        home = self._home()
        if home.root is not None and scope == home.project and file.is_relative_to(home.root):
            return file.relative_to(home.root).as_posix()
        return file.as_posix()

    def _spelled(self, name: str, scope: Scope) -> str:
        path = Path(name)
        return self._place(path, scope) if path.is_absolute() else posixpath.normpath(path.as_posix())

    def _named(self, unit: Unit, name: str, scope: Scope) -> tuple[Document, ...]:
        """The document with an id or at a place, else those of a folder."""
        check_text(name, "name")
        real = _real(Path(name))
        places = (self._spelled(name, scope), *(() if real is None else (self._place(real, scope),)))
        for id in (name.strip(), *(document_id(scope, place) for place in places)):
            entry = unit.shelves.get(DOCUMENT_SHELF, id)
            if entry is not None and present(unit, self._principal).may_see(Scope.parse(entry.scope)):
                return (document_of(entry),)
        folders = tuple(f"{place}/" for place in places if place != ".")
        found = tuple(
            document
            for document in _all(unit, (scope,))
            if document.place.startswith(folders) or ("." in places and not posixpath.isabs(document.place))
        )
        if not found:
            raise NotFound(f"There is no document '{name[:100]}': see 'commonplace docs list'.")
        return found

    def _one(self, unit: Unit, name: str, scope: Scope) -> Document:
        found = self._named(unit, name, scope)
        if len(found) > 1:
            raise InvalidInput(f"'{name[:100]}' is a folder of {len(found):,} documents: name one of them.", "name")
        return found[0]


def _files(path: Path, patterns: Sequence[str]) -> Iterable[Path]:
    """The file itself, or the files of a folder. A link that was named is followed once, here."""
    real = _real(path)
    if real is None or not os.path.exists(real):  # Path.exists raises for a name that is too long
        raise NotFound(f"There is no file or folder '{str(path)[:200]}': name one that exists.")
    return files_in(real, patterns) if real.is_dir() else (real,)


def _real(path: Path) -> Path | None:
    """Where a path leads to, if it can be one at all."""
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def _unfit(place: str) -> str | None:
    """Why a path cannot be written down, if it cannot."""
    try:
        place.encode()
    except UnicodeEncodeError:
        return "its name is not UTF-8"
    return "its name looks like it holds a secret" if secrets.find(place) else None


def _check_length(text: str) -> None:
    if not isinstance(text, str) or "\x00" in text:
        raise InvalidInput("text must be a text without NUL characters.", "text")
    if len(text) > FILE_SIZE_LIMIT:
        raise InvalidInput(f"text is longer than {FILE_SIZE_LIMIT:,} characters: split it up.", "text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InvalidInput("text is not valid Unicode (half of a surrogate pair): fix its encoding.", "text") from None


def _all(unit: Unit, scopes: Sequence[Scope]) -> Iterator[Document]:
    return map(document_of, _pages(unit, Wanted(DOCUMENT_SHELF, tuple(map(str, scopes)))))


def _pages(unit: Unit, wanted: Wanted) -> Iterator[Entry]:
    offset = 0
    while page := unit.shelves.page(wanted, PAGE, offset=offset):
        yield from page
        offset += PAGE
