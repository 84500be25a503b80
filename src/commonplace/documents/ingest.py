"""Putting documents on the shelf: a file or a text becomes a document and its chunks, a batch at a time.

Files are read before a transaction is open, never inside one. A document that takes several
transactions is marked as being read from the first to the last: if that is cut short, the next look
reads it again.
"""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TextIO

from commonplace import secrets
from commonplace.documents.chunking import Piece, chunk_id, is_markdown, pieces
from commonplace.documents.evidence import CHUNK_SHELF, DOCUMENT_SHELF, MISSING, Verification
from commonplace.documents.folders import GONE, Stamp, Unusable, digest_of, stamp_of
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope
from commonplace.engine.paging import each_entry
from commonplace.ports import Store, Unit
from commonplace.text import estimate_tokens

BATCH = 256  # actions in one transaction
OVERLAP = 400  # characters beyond a chunk that are looked at with it, for a secret that lies across its edge
STAMP_COUNTS_FROM = (
    1_000_000  # smaller files are compared by digest: a file system's clock may tick slower than we type
)


class DocumentState(StrEnum):
    PRESENT = "present"
    READING = "reading"
    MISSING = MISSING


class Document(Record):
    """A file or a text on the shelf. `place` is its path, within the project where it lies there, or its name;
    `project` is the id of the project that it is about, beside whose it is."""

    id: str
    scope: Scope
    place: str
    from_file: bool
    state: DocumentState
    stamp: Stamp
    digest: str
    chunks: int
    read_at: int
    project: str | None = None


class Chunk(Record):
    """A stretch of a document: the headings above it, its text, its first and last line."""

    id: str
    document_id: str
    place: str
    title: tuple[str, ...]
    content: str
    line_start: int
    line_end: int

    @property
    def token_count(self) -> int:
        """An estimate by length; no tokenizer is asked."""
        return estimate_tokens(self.content)


class SkippedFile(Record):
    """A file, or lines of one, that are not on the shelf, and why."""

    place: str
    reason: str


class Looked(Record):
    """What a look at documents found, and the memories whose status followed."""

    added: tuple[Document, ...]
    changed: tuple[Document, ...]
    missing: tuple[Document, ...]
    unchanged: int
    skipped: tuple[SkippedFile, ...]
    verified: tuple[Verification, ...] = ()

    @property
    def touched(self) -> tuple[str, ...]:
        """The ids of the documents whose evidence may no longer hold: new, changed or gone."""
        return tuple(document.id for document in (*self.added, *self.changed, *self.missing))


class Home(Record):
    """Where documents are kept: whose they are, and which project they are about, if any."""

    scope: Scope
    project: str | None = None


def document_id(home: Home, place: str) -> str:
    """The same for the same place in the same home, so that a file read again is the same document."""
    within = str(home.scope) if home.project is None else f"{home.scope}\n{home.project}"
    return "doc_" + blake2b(f"{within}\n{place}".encode(), digest_size=8).hexdigest()


def new_document(home: Home, place: str, from_file: bool) -> Document:
    """One that nobody has read yet."""
    id = document_id(home, place)
    return Document(id, home.scope, place, from_file, DocumentState.READING, Stamp(0, 0), "", 0, 0, home.project)


class DocumentScan:
    """One look at some documents. What it finds is written in batches; `finish` writes the rest and tells."""

    def __init__(self, store: Store, tenant: str, now: int) -> None:
        self._store = store
        self._tenant = tenant
        self._now = now
        self._actions: list[Callable[[Unit], object]] = []
        self._added: list[Document] = []
        self._changed: list[Document] = []
        self._missing: list[Document] = []
        self._skipped: list[SkippedFile] = []
        self._unchanged = 0

    def at_file(self, document: Document, path: Path) -> None:
        """Read the file if it is new or has changed."""
        stamp = stamp_of(path)
        if isinstance(stamp, Unusable):
            self._leave_out(document, stamp)
            return
        present = document.state is DocumentState.PRESENT
        if present and stamp == document.stamp and stamp.size >= STAMP_COUNTS_FROM:
            self._unchanged += 1
            return
        digest = digest_of(path)
        if isinstance(digest, Unusable):
            self._leave_out(document, digest)
            return
        if present and digest == document.digest:
            self._unchanged += 1
            if stamp != document.stamp:
                self._do(_put(replace(document, stamp=stamp)))
            return
        try:
            with path.open(encoding="utf-8-sig") as source:
                self._read(replace(document, stamp=stamp, digest=digest), source)
        except (OSError, UnicodeDecodeError):
            self._skipped.append(SkippedFile(document.place, "it changed while it was read: look again"))

    def at_text(self, document: Document, text: str) -> None:
        """Take the text if it is new or another than before."""
        digest = blake2b(text.encode(), digest_size=16).hexdigest()
        if document.state is DocumentState.PRESENT and digest == document.digest and not document.from_file:
            self._unchanged += 1
            return
        stamp = Stamp(len(text), 0)
        source = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
        self._read(replace(document, from_file=False, stamp=stamp, digest=digest), source)

    def skip(self, place: str, reason: str) -> None:
        """Report what was left out, and why; nothing is written about it."""
        self._skipped.append(SkippedFile(place, reason))

    def finish(self) -> Looked:
        """Write what is still waiting, and tell what was found in the whole look."""
        self._flush()
        return Looked(
            tuple(self._added), tuple(self._changed), tuple(self._missing), self._unchanged, tuple(self._skipped)
        )

    def _read(self, document: Document, source: TextIO) -> None:
        """Chunk by chunk; those that are not there any more are taken away at the end."""
        known = document.read_at > 0
        document = replace(document, read_at=max(1, self._now))
        self._do(_put(replace(document, state=DocumentState.READING, digest="")))
        ids: set[str] = set()
        for id, piece in self._clean_pieces(document, source):
            ids.add(id)
            self._do(_put_chunk(document, id, piece, self._now))
        document = replace(document, state=DocumentState.PRESENT, chunks=len(ids))
        self._do(_keep_only(document.id, frozenset(ids)))
        self._do(_put(document))
        (self._changed if known else self._added).append(document)

    def _clean_pieces(self, document: Document, source: TextIO) -> Iterator[tuple[str, Piece]]:
        """Every piece with its id, but for those that hold a secret: they are reported."""
        repeats: Counter[str] = Counter()
        for piece, kinds in _screened(pieces(source, is_markdown(document.place))):
            if kinds:
                named = ", ".join(kind.replace("_", " ") for kind in kinds)
                lines = f"lines {piece.line_start} to {piece.line_end}"
                self.skip(document.place, f"{lines} look like they hold a secret ({named}) and were left out")
                continue
            first = chunk_id(document.id, piece.content, 0)
            repeat = repeats[first]
            repeats[first] += 1
            yield chunk_id(document.id, piece.content, repeat) if repeat else first, piece

    def _leave_out(self, document: Document, why: Unusable) -> None:
        known = document.read_at > 0
        if why is not GONE or not known:
            self.skip(document.place, why.reason)
        if known and not why.passing and document.state is not DocumentState.MISSING:
            document = replace(document, state=DocumentState.MISSING, chunks=0, digest="")
            self._do(_keep_only(document.id, frozenset()))
            self._do(_put(document))
            self._missing.append(document)

    def _do(self, action: Callable[[Unit], object]) -> None:
        self._actions.append(action)
        if len(self._actions) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        if self._actions:
            with self._store.writing(self._tenant) as unit:
                for action in self._actions:
                    action(unit)
            self._actions = []


def _screened(found: Iterator[Piece]) -> Iterator[tuple[Piece, tuple[str, ...]]]:
    """Each piece with the kinds of secrets in it, seen together with a little of what stands around it."""
    before, current = None, None
    for following in chain(found, (None,)):
        if current is not None:
            yield current, _kinds(before, current, following)
        before, current = current, following


def _kinds(before: Piece | None, piece: Piece, after: Piece | None) -> tuple[str, ...]:
    head = "" if before is None else before.content[-OVERLAP:] + _between(before, piece)
    tail = "" if after is None else _between(piece, after) + after.content[:OVERLAP]
    start, end = len(head), len(head) + len(piece.content)
    found = [each.kind for each in secrets.find(head + piece.content + tail) if each.start < end and each.end > start]
    alone = [each.kind for each in secrets.find(_text(piece))]
    return tuple(dict.fromkeys((*found, *alone)))


def _between(first: Piece, second: Piece) -> str:
    """Nothing within a line that was cut; between lines, as many ends of lines as there were."""
    return "\n" * max(0, second.line_start - first.line_end)


# -- entries ----------------------------------------------------------------------------------


def document_of(entry: Entry) -> Document:
    """What was stored, as a document; its text is not part of it."""
    body = entry.body
    stamp = Stamp(int(str(body["size"])), int(str(body["modified_ns"])))
    return Document(
        entry.id,
        Scope.parse(entry.scope),
        str(body["place"]),
        bool(body["from_file"]),
        DocumentState(entry.state),
        stamp,
        str(body["digest"]),
        int(str(body["chunks"])),
        entry.at,
        None if body.get("project") is None else str(body["project"]),
    )


def chunk_of(entry: Entry, place: str) -> Chunk:
    """What was stored, as a chunk; its headings are taken off the text that is searched."""
    title = tuple(str(heading) for heading in entry.body["title"])  # type: ignore[attr-defined]
    content = entry.text.split("\n", len(title))[-1]
    start, end = (int(str(entry.body[name])) for name in ("line_start", "line_end"))
    return Chunk(entry.id, str(entry.parent), place, title, content, start, end)


def _put(document: Document) -> Callable[[Unit], object]:
    body: dict[str, object] = {
        "place": document.place,
        "from_file": document.from_file,
        "size": document.stamp.size,
        "modified_ns": document.stamp.modified_ns,
        "digest": document.digest,
        "chunks": document.chunks,
    }
    if document.project is not None:
        body["project"] = document.project
    entry = Entry(
        DOCUMENT_SHELF,
        document.id,
        str(document.scope),
        document.read_at,
        body,
        document.place,
        state=document.state.value,
    )
    return lambda unit: unit.entries.put(entry)


def _text(piece: Piece) -> str:
    return "\n".join((*piece.title, piece.content))


def _put_chunk(document: Document, id: str, piece: Piece, now: int) -> Callable[[Unit], object]:
    """A chunk is found by the headings above it too: they stand before its content, each on a line."""
    body = {"title": list(piece.title), "line_start": piece.line_start, "line_end": piece.line_end}
    text = _text(piece)
    entry = Entry(CHUNK_SHELF, id, str(document.scope), now, body, text, document.id)

    def put(unit: Unit) -> None:
        known = unit.entries.get(CHUNK_SHELF, id)
        if known is None or (known.text, dict(known.body)) != (text, body):
            unit.entries.put(entry)

    return put


def _keep_only(document: str, ids: frozenset[str]) -> Callable[[Unit], object]:
    def drop(unit: Unit) -> None:
        known = [entry.id for entry in each_entry(unit, EntryFilter(CHUNK_SHELF, parent=document))]
        for id in (id for id in known if id not in ids):
            unit.entries.remove(CHUNK_SHELF, id)

    return drop
