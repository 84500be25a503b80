"""Documents beside the memories: texts and files in chunks, looked at again when a file changes.

They are what evidence points to. Nothing of them is recalled as a memory; `search` looks through them.
"""

import os
import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from commonplace import secrets
from commonplace.documents.evidence import (
    CHUNK_SHELF,
    DOCUMENT_SHELF,
    EvidenceType,
    Source,
    Verification,
    judge,
    resting_on,
    weigh,
)
from commonplace.documents.folders import FILE_SIZE_LIMIT, files_in
from commonplace.documents.homes import Homes, home_of, homes, readable
from commonplace.documents.ingest import (
    Chunk,
    Document,
    DocumentScan,
    Home,
    Looked,
    chunk_of,
    document_id,
    document_of,
    new_document,
)
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Memory
from commonplace.domain.query import QUERY_LENGTH_LIMIT
from commonplace.domain.rank import bm25
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Right, Scope
from commonplace.domain.validation import broken_at, check_label, check_text, check_unicode
from commonplace.engine.caller import Caller, Selector, Work
from commonplace.engine.intake import refuse_secrets
from commonplace.engine.paging import each_entry
from commonplace.errors import InvalidInput, NotFound
from commonplace.ports import Unit
from commonplace.text import query_terms, terms

SEARCH_LIMIT = 100
POOL_PER_PASSAGE = 5

Progress = Callable[[int, int], None]


class Passage(Record):
    """A chunk that was found, and how well its words match."""

    chunk: Chunk
    score: float


class Removed(Record):
    """Documents that were taken off the shelf, and the memories whose status followed."""

    documents: tuple[Document, ...]
    verified: tuple[Verification, ...]


class Documents:
    """Adds, lists, searches and refreshes documents, for one principal.

    Without a scope they are the person's own, about the project they are in; those that were kept for the project's
    scope before are found and refreshed there.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

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
        self._caller.principal.require(Right.READ)  # what rests on them is shown
        with self._caller.looking() as work:
            where = self._homes(work, scope)
            known = {document.id: document for document in _within(work.unit, where)}
        files = list(dict.fromkeys(file for path in paths for file in _files(Path(path), patterns)))
        looking = self._looking()
        progress(0, len(files))
        for done, file in enumerate(files, 1):
            place = where.place(file, where.all[0])
            problem = _unfit(place)
            if problem is None:
                ids = (document_id(home, where.place(file, home)) for home in where.all)
                document = next((known[id] for id in ids if id in known), None)
                document = document or new_document(where.all[0], place, from_file=True)
                looking.at_file(replace(document, from_file=True), file)
            else:
                looking.skip(place.encode("utf-8", "replace").decode(), problem)
            progress(done, len(files))
        return self._followed(looking.finish())

    def add_text(self, name: str, text: str, *, scope: Selector = None) -> Looked:
        """Put a text on the shelf under a name, in the place of what had that name before."""
        self._caller.principal.require(Right.READ)
        check_label(name, "name")
        refuse_secrets(name, "name")
        _check_length(text)
        place = posixpath.normpath(name.strip())
        with self._caller.looking() as work:
            where = self._homes(work, scope)
            found = [work.unit.entries.get(DOCUMENT_SHELF, document_id(home, place)) for home in where.all]
        entry = next((each for each in found if each is not None), None)
        looking = self._looking()
        new = new_document(where.all[0], place, from_file=False)
        looking.at_text(new if entry is None else document_of(entry), text)
        return self._followed(looking.finish())

    def refresh(self, *, scope: Selector = None, progress: Progress = lambda done, total: None) -> Looked:
        """Read files again that have changed, note which are gone, and verify the memories that rest on them."""
        self._caller.principal.require(Right.READ)
        with self._caller.looking() as work:
            where = homes(work, scope)
            documents = list(_within(work.unit, where))
        looked = self._look(documents, where, progress)
        # Of all of them, not only of those that changed: somebody else may have refreshed them before.
        return replace(looked, verified=self._verify([document.id for document in documents]))

    def look_again(self, ids: Sequence[str]) -> None:
        """Read those whose files have changed, and note whose are gone."""
        with self._caller.looking() as work:
            entries = [work.unit.entries.get(DOCUMENT_SHELF, id) for id in ids]
            where = homes(work)
        self._look([document_of(entry) for entry in entries if entry is not None], where, lambda done, total: None)

    def remove(self, name: str, *, scope: Selector = None) -> Removed:
        """Take a document off the shelf, by its id or place, or every one of a folder."""
        self._caller.principal.require(Right.READ)
        with self._caller.purging() as work:
            documents = _named(work, name, homes(work, scope))
            for document in documents:
                work.unit.entries.remove_children(document.id)
                work.unit.entries.remove(DOCUMENT_SHELF, document.id)
        return Removed(documents, self._verify([document.id for document in documents]))

    # -- read ----------------------------------------------------------------------------------

    def list(self, *, scopes: Sequence[Selector] = ()) -> tuple[Document, ...]:
        """Every document, by place."""
        with self._caller.reading() as work:
            return tuple(sorted(_all(work.unit, _scopes(work, scopes)), key=lambda document: document.place))

    def get(self, name: str, *, scope: Selector = None) -> Document:
        """One document, by its id or place."""
        with self._caller.reading() as work:
            return _one(work, name, homes(work, scope))

    def chunks(self, name: str, *, scope: Selector = None) -> tuple[Chunk, ...]:
        """The chunks of a document, in its own order."""
        with self._caller.reading() as work:
            document = _one(work, name, homes(work, scope))
            entries = list(each_entry(work.unit, EntryFilter(CHUNK_SHELF, parent=document.id)))
        found = [chunk_of(entry, document.place) for entry in entries]
        return tuple(sorted(found, key=lambda chunk: (chunk.line_start, chunk.line_end)))

    def get_chunk(self, id: str) -> Chunk:
        """One chunk, by its id."""
        with self._caller.reading() as work:
            entry = work.unit.entries.get(CHUNK_SHELF, str(id).strip()) if str(id).isascii() else None
            document = None if entry is None else work.unit.entries.get(DOCUMENT_SHELF, str(entry.parent))
            seen = entry is not None and work.may_see(entry.scope)
        if entry is None or document is None or not seen:
            raise NotFound(f"There is no chunk '{str(id)[:60]}': search the documents again, they may have changed.")
        return chunk_of(entry, document_of(document).place)

    def search(self, query: str, limit: int = 10, *, scopes: Sequence[Selector] = ()) -> tuple[Passage, ...]:
        """The chunks that have words of the query, best first."""
        check_text(query, "query")
        if len(query) > QUERY_LENGTH_LIMIT:
            raise InvalidInput(f"query is longer than {QUERY_LENGTH_LIMIT:,} characters: shorten it.", "query")
        if not 1 <= limit <= SEARCH_LIMIT:
            raise InvalidInput(f"limit must be from 1 to {SEARCH_LIMIT}, not {limit}.", "limit")
        asked = query_terms(query)
        with self._caller.reading() as work:
            wanted = EntryFilter(CHUNK_SHELF, tuple(map(str, _scopes(work, scopes))))
            entries = work.unit.entries.matching(wanted, asked, limit * POOL_PER_PASSAGE)
            places = {entry.parent: work.unit.entries.get(DOCUMENT_SHELF, str(entry.parent)) for entry in entries}
        scores = bm25({number: terms(entry.text) for number, entry in enumerate(entries)}, asked)
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        found = [(entries[number], places[entries[number].parent], scores[number]) for number in best]
        return tuple(
            Passage(chunk_of(entry, document_of(document).place), score)
            for entry, document, score in found
            if document is not None
        )

    # -- for evidence --------------------------------------------------------------------------

    def resting_on(self, work: Work, source: Source, memory: Memory) -> str | None:
        """The id of the document a source points to, there or yet to come; None if the caller may not know."""
        match source.type:
            case EvidenceType.DOCUMENT if source.document_id is not None:
                return self._seen(work, DOCUMENT_SHELF, source.document_id)
            case EvidenceType.DOCUMENT if source.reference is not None:
                return self._at(work, source.reference, memory)
            case EvidenceType.CHUNK:
                return self._seen(work, CHUNK_SHELF, source.chunk_id or source.reference or "")
            case _:
                return None

    def _seen(self, work: Work, shelf: str, id: str) -> str | None:
        """The document that an entry is or belongs to, if the caller may see it."""
        entry = work.unit.entries.get(shelf, id)
        if entry is None or not work.may_see(entry.scope):
            return None
        return entry.parent if shelf == CHUNK_SHELF else entry.id

    def _at(self, work: Work, reference: str, memory: Memory) -> str:
        """The document at a path, in the current project or where the memory lives."""
        where = homes(work)
        beside = dict.fromkeys((*where.all, Home(memory.scope)))
        ids = [document_id(home, place) for home in beside for place in where.spelled(reference, home)]
        return next((id for id in ids if work.unit.entries.get(DOCUMENT_SHELF, id) is not None), ids[0])

    # -- inside --------------------------------------------------------------------------------

    def _homes(self, work: Work, selector: Selector) -> Homes:
        """Where documents are to be put, in a project that is noted when the first thing is put there."""
        where = homes(work, selector)
        own = where.all[0].scope
        if where.all[0].project is None or work.current_project is not None:
            return where
        with self._caller.writing() as writing:
            writing.about(own)
            return homes(writing, selector)

    def _looking(self) -> DocumentScan:
        return DocumentScan(self._caller.store, self._caller.principal.tenant, self._caller.clock())

    def _look(self, documents: Sequence[Document], where: Homes, progress: Progress) -> Looked:
        looking = self._looking()
        progress(0, len(documents))
        for done, document in enumerate(documents, 1):
            file = where.file(document)
            if file is not None:
                looking.at_file(document, file)
            progress(done, len(documents))
        return looking.finish()

    def _followed(self, looked: Looked) -> Looked:
        return replace(looked, verified=self._verify(looked.touched))

    def _verify(self, documents: Sequence[str]) -> tuple[Verification, ...]:
        """Let the status of memories follow what became of the documents they rest on; those that changed."""
        with self._caller.looking() as work:
            weighed = (weigh(work, memory, self) for memory in _citing(work, documents))
            due = [each.memory.id for each in weighed if each.changed or each.unnoted]
        if not due:
            return ()
        with self._caller.writing() as work:
            memories = [memory for memory in map(work.seek, due) if memory is not None]
            verified = [judge(work, memory, self) for memory in memories]
        return tuple(each for each in verified if each.changed)


def _named(work: Work, name: str, where: Homes) -> tuple[Document, ...]:
    """The document with an id or at a place, else those of a folder."""
    check_text(name, "name")
    real = _real(Path(name))
    places = {
        home: (*where.spelled(name, home), *(() if real is None else (where.place(real, home),))) for home in where.all
    }
    spelled = [document_id(home, place) for home, found in places.items() for place in found]
    for id in (name.strip(), *spelled):
        entry = work.unit.entries.get(DOCUMENT_SHELF, id)
        if entry is not None and work.may_see(entry.scope):
            return (document_of(entry),)
    found = tuple(each for each in _within(work.unit, where) if _is_below(each, places[home_of(each)]))
    if not found:
        raise NotFound(f"There is no document '{name[:100]}': see 'commonplace docs list'.")
    return found


def _is_below(document: Document, places: Sequence[str]) -> bool:
    folders = tuple(f"{place}/" for place in places if place != ".")
    return document.place.startswith(folders) or ("." in places and not posixpath.isabs(document.place))


def _one(work: Work, name: str, where: Homes) -> Document:
    found = _named(work, name, where)
    if len(found) > 1:
        raise InvalidInput(f"'{name[:100]}' is a folder of {len(found):,} documents: name one of them.", "name")
    return found[0]


def _scopes(work: Work, selectors: Sequence[Selector]) -> tuple[Scope, ...]:
    return tuple(dict.fromkeys(map(work.scope, selectors))) or readable(work)


def _within(unit: Unit, where: Homes) -> Iterator[Document]:
    """The documents of some homes."""
    scopes = tuple(dict.fromkeys(home.scope for home in where.all))
    return (document for document in _all(unit, scopes) if home_of(document) in where.all)


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
    if broken_at(place) is not None:
        return "its name is not UTF-8"
    return "its name looks like it holds a secret" if secrets.find(place) else None


def _check_length(text: str) -> None:
    if not isinstance(text, str) or "\x00" in text:
        raise InvalidInput("text must not contain NUL characters.", "text")
    if len(text) > FILE_SIZE_LIMIT:
        raise InvalidInput(f"text is longer than {FILE_SIZE_LIMIT:,} characters: split it up.", "text")
    check_unicode(text, "text")


def _citing(work: Work, documents: Sequence[str]) -> Iterator[Memory]:
    """The memories that rest on any of these documents, of those the caller may see."""
    found = (work.seek(id) for id in resting_on(work.unit, documents))
    return (memory for memory in found if memory is not None)


def _all(unit: Unit, scopes: Sequence[Scope]) -> Iterator[Document]:
    return map(document_of, each_entry(unit, EntryFilter(DOCUMENT_SHELF, tuple(map(str, scopes)))))
