"""What a memory rests on: documents, chunks, sessions, commits and other sources, and whether they still hold.

A document or a chunk is looked up on the shelf it stands on; anything else is taken at its word and
never fetched. A memory none of whose evidence holds any more is stale until some of it holds again.
"""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol

from commonplace.checks import check_count, check_id, check_label, check_share, check_text
from commonplace.codec import dumps
from commonplace.errors import Conflict, InvalidInput, NotFound
from commonplace.events import EventType, Plain
from commonplace.intake import refuse_secrets
from commonplace.lifecycle import Context, doubt, log, restore
from commonplace.memory import Memory, Status
from commonplace.ports import Store, Unit
from commonplace.reading import Reference
from commonplace.record import Record, replace
from commonplace.scope import Principal, Right
from commonplace.shelves import Entry, Wanted

SHELF, DOCUMENT_SHELF, CHUNK_SHELF = "evidence", "documents", "chunks"
MISSING = "missing"  # the state of a document whose file is gone
EVIDENCE_LIMIT = 500  # pieces for one memory
SNIPPET_LENGTH_LIMIT = 8_000
REFERENCE_LENGTH_LIMIT = 2_048
PAGE = 1_000


class EvidenceType(StrEnum):
    """What sort of source it is."""

    DOCUMENT = "document"
    CHUNK = "chunk"
    SESSION = "session"
    PR = "pr"
    ISSUE = "issue"
    COMMIT = "commit"
    WEBHOOK = "webhook"
    EXTERNAL_URL = "external_url"

    @property
    def on_a_shelf(self) -> bool:
        """Whether the book itself can tell if it still holds."""
        return self in (EvidenceType.DOCUMENT, EvidenceType.CHUNK)


class Source(Record):
    """A source as the caller names it. What is None is unknown, or stays as it was when it is attached again."""

    type: EvidenceType
    reference: str | None = None
    document_id: str | None = None
    chunk_id: str | None = None
    snippet: str | None = None
    line_start: int | None = None
    line_end: int | None = None
    weight: float | None = None

    def __post_init__(self) -> None:
        for name in ("document_id", "chunk_id"):
            if getattr(self, name) is not None:
                check_id(getattr(self, name), name)
        for name, limit in (("reference", REFERENCE_LENGTH_LIMIT), ("snippet", SNIPPET_LENGTH_LIMIT)):
            value = getattr(self, name)
            if value is not None:
                check_text(value, name)
                if len(value) > limit:
                    raise InvalidInput(f"{name} is longer than {limit:,} characters: shorten it.", name)
        for name in ("line_start", "line_end"):
            if getattr(self, name) is not None:
                check_count(getattr(self, name), name, 1)
        if self.line_start is not None and self.line_end is not None and self.line_end < self.line_start:
            raise InvalidInput("line_end lies before line_start: swap them.", "line_end")
        if self.weight is not None:
            check_share(self.weight, "weight")

    @property
    def target(self) -> str:
        """What it points to, by which the same source is known again."""
        match self.type:
            case EvidenceType.DOCUMENT:
                return self.document_id or self.reference or ""
            case EvidenceType.CHUNK:
                return self.chunk_id or self.reference or ""
            case _:
                return self.reference or self.snippet or ""


class Evidence(Record):
    """One piece of evidence for a memory."""

    id: str
    memory_id: str
    type: EvidenceType
    reference: str | None
    document_id: str | None
    chunk_id: str | None
    snippet: str | None
    line_start: int | None
    line_end: int | None
    weight: float
    created_at: int


class Attached(Record):
    """The evidence as it stands now, and whether it was known before."""

    evidence: Evidence
    known: bool


class Verification(Record):
    """How much of a memory's evidence holds, and what that made of the memory."""

    memory: Memory
    total: int
    valid: int
    changed: bool

    @property
    def invalid(self) -> int:
        return self.total - self.valid

    @property
    def score(self) -> float:
        """The share that holds, 0 where there is none. Weights do not count."""
        return round(self.valid / self.total, 4) if self.total else 0.0

    @property
    def status(self) -> Status:
        return self.memory.status


class Shelved(Protocol):
    """What evidence needs to know of documents."""

    def resting_on(self, unit: Unit, source: Source, memory: Memory) -> str | None:
        """The id of the document a source points to, there or yet to come; None if that is not to be told."""

    def look_again(self, ids: Sequence[str]) -> None:
        """Read those whose files have changed, and note whose are gone."""


class Grounds:
    """Attaches, lists and verifies evidence, for one principal."""

    def __init__(
        self,
        store: Store,
        principal: Principal,
        find: Callable[[Unit, Reference], Memory],
        context: Callable[[], Context],
        documents: Shelved,
    ) -> None:
        self._store = store
        self._principal = principal
        self._find = find
        self._context = context
        self._documents = documents

    def attach(self, reference: Reference, source: Source) -> Attached:
        """Say what a memory rests on. The same source again is the same evidence, brought up to date."""
        self._principal.require(Right.WRITE)
        for name in ("reference", "snippet"):
            refuse_secrets(getattr(source, name) or "", name)
        context = self._context()
        with self._store.writing(self._principal.tenant) as unit:
            memory = self._find(unit, reference)
            document = self._documents.resting_on(unit, source, memory)
            id = _evidence_id(memory, source, document)
            known = unit.shelves.get(SHELF, id)
            if known is None and unit.shelves.count(Wanted(SHELF, parent=memory.id)) >= EVIDENCE_LIMIT:
                raise Conflict(f"{memory.id} has {EVIDENCE_LIMIT} pieces of evidence, the most there can be.")
            evidence = _brought_up(_new(id, memory, source, context.now) if known is None else _evidence(known), source)
            unit.shelves.put(_entry(evidence, memory, document))
            payload: dict[str, Plain] = {"scope": str(memory.scope), "type": source.type.value, "known": bool(known)}
            log(unit, context, EventType.EVIDENCE, memory, payload)
        return Attached(evidence, known is not None)

    def detach(self, id: str) -> Evidence:
        """Take a piece of evidence away again."""
        self._principal.require(Right.WRITE)
        check_label(id, "id")
        context = self._context()
        with self._store.writing(self._principal.tenant) as unit:
            entry = unit.shelves.get(SHELF, id)
            memory = None if entry is None else unit.memories.by_id(str(entry.parent))
            if entry is None or memory is None or not self._principal.may_see(memory.scope):
                raise NotFound(f"There is no evidence '{id[:60]}': see which a memory has with 'evidence list'.")
            unit.shelves.remove(SHELF, id)
            payload: dict[str, Plain] = {"scope": str(memory.scope), "type": str(entry.body["type"]), "detached": True}
            log(unit, context, EventType.EVIDENCE, memory, payload)
        return _evidence(entry)

    def of(self, reference: Reference) -> tuple[Evidence, ...]:
        """What a memory rests on, oldest first."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return tuple(_evidence(entry) for entry in _entries(unit, self._find(unit, reference)))

    def counts(self, ids: Sequence[str]) -> dict[str, int]:
        """How many pieces of evidence each of these memories has. Foreign and unknown ones are left out."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            found = [memory for memory in map(unit.memories.by_id, dict.fromkeys(ids)) if memory is not None]
            return {
                memory.id: unit.shelves.count(Wanted(SHELF, parent=memory.id))
                for memory in found
                if self._principal.may_see(memory.scope)
            }

    def verify(self, reference: Reference, mark_stale: bool = True) -> Verification:
        """Look whether the evidence of a memory still holds, after reading again what has changed.

        When none of it does the memory becomes stale; when some does again, active.
        """
        self._principal.require(Right.WRITE)
        with self._store.reading(self._principal.tenant) as unit:
            memory = self._find(unit, reference)
            documents = self._resting_on(unit, memory)
        self._documents.look_again(documents)
        context = self._context()
        with self._store.writing(self._principal.tenant) as unit:
            memory = self._find(unit, reference)
            verified = judge(unit, context, memory, self._documents, mark_stale)
            payload: dict[str, Plain] = {
                "scope": str(memory.scope), "total": verified.total, "valid": verified.valid,
                "status": verified.status.value,
            }  # fmt: skip
            log(unit, context, EventType.VERIFIED, memory, payload)
        return verified

    def _resting_on(self, unit: Unit, memory: Memory) -> list[str]:
        found = (_document_of(unit, entry, memory, self._documents) for entry in _entries(unit, memory))
        return list(dict.fromkeys(id for id in found if id is not None))


def weigh(unit: Unit, memory: Memory, documents: Shelved) -> Verification:
    """Count the evidence that holds by what stands on the shelves; `changed` says whether the status should follow."""
    entries = _entries(unit, memory)
    valid = sum(_holds(unit, entry, memory, documents) for entry in entries)
    doubtful = bool(entries) and not valid and memory.status is Status.ACTIVE
    return Verification(memory, len(entries), valid, doubtful or (valid > 0 and memory.status is Status.STALE))


def judge(unit: Unit, context: Context, memory: Memory, documents: Shelved, mark_stale: bool = True) -> Verification:
    """Weigh the evidence of a memory, and let its status follow."""
    weighed = weigh(unit, memory, documents)
    if not weighed.changed or (memory.status is Status.ACTIVE and not mark_stale):
        return replace(weighed, changed=False)
    if memory.status is Status.STALE:
        return replace(weighed, memory=restore(unit, context, memory))
    return replace(weighed, memory=doubt(unit, context, memory, "none of its evidence holds any more"))


def resting_on(unit: Unit, documents: Sequence[str]) -> Iterator[str]:
    """The ids of the memories that rest on any of these documents, each once."""
    seen: set[str] = set()
    for start in range(0, len(documents), PAGE):
        wanted, offset = Wanted(SHELF, states=tuple(documents[start : start + PAGE])), 0
        while page := unit.shelves.page(wanted, PAGE, offset=offset):
            fresh = {str(entry.parent) for entry in page} - seen
            seen |= fresh
            yield from sorted(fresh)
            offset += PAGE


def _holds(unit: Unit, entry: Entry, memory: Memory, documents: Shelved) -> bool:
    evidence = _evidence(entry)
    if not evidence.type.on_a_shelf:
        return bool(evidence.reference or evidence.snippet)
    id = _document_of(unit, entry, memory, documents)
    document = None if id is None else unit.shelves.get(DOCUMENT_SHELF, id)
    if document is None or document.state == MISSING:
        return False
    if evidence.type is EvidenceType.DOCUMENT:
        return True
    chunk = unit.shelves.get(CHUNK_SHELF, evidence.chunk_id or evidence.reference or "")
    return chunk is not None and chunk.parent == document.id


def _document_of(unit: Unit, entry: Entry, memory: Memory, documents: Shelved) -> str | None:
    """The document as it was found when the evidence was attached, else as it can be found now."""
    return entry.state or documents.resting_on(unit, _source(entry), memory)


def _entries(unit: Unit, memory: Memory) -> tuple[Entry, ...]:
    return unit.shelves.page(Wanted(SHELF, parent=memory.id), EVIDENCE_LIMIT, newest_first=False)


def _evidence_id(memory: Memory, source: Source, document: str | None) -> str:
    """The same for the same memory, type and target; a document is the same however its path is spelled."""
    target = document if document is not None and source.type is EvidenceType.DOCUMENT else source.target
    digest = blake2b(dumps([memory.id, source.type.value, target]).encode(), digest_size=13)
    return f"evd_{digest.hexdigest()}"


def _new(id: str, memory: Memory, source: Source, now: int) -> Evidence:
    return Evidence(id, memory.id, source.type, None, None, None, None, None, None, 1.0, now)


def _brought_up(evidence: Evidence, source: Source) -> Evidence:
    given = {name: getattr(source, name) for name in Source.fields}
    return replace(evidence, **{name: value for name, value in given.items() if value is not None})


def _entry(evidence: Evidence, memory: Memory, document: str | None) -> Entry:
    """The document stands where an entry's state does: that is what evidence is looked up by."""
    body = {name: getattr(evidence, name) for name in Source.fields}
    return Entry(
        SHELF, evidence.id, str(memory.scope), evidence.created_at, body, parent=memory.id, state=document or ""
    )


def _source(entry: Entry) -> Source:
    values = {name: entry.body[name] for name in Source.fields}
    return Source(**{**values, "type": EvidenceType(str(values["type"]))})  # type: ignore[arg-type]


def _evidence(entry: Entry) -> Evidence:
    source = _source(entry)
    values = {name: getattr(source, name) for name in Source.fields}
    return Evidence(id=entry.id, memory_id=str(entry.parent), created_at=entry.at, **values)
