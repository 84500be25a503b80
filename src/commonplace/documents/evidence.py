"""What a memory rests on: documents, chunks, sessions, commits and other sources, and whether they still hold.

A document or a chunk is looked up on the shelf it stands on; anything else is taken at its word and
never fetched. Lines that were named are compared with what they said when they were first seen, and a
snippet must stand there. A memory none of whose evidence holds any more is stale until some of it holds
again.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol

from commonplace.documents import wording
from commonplace.documents.wording import NumberedLine, Said
from commonplace.domain.canonical_json import dumps
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.memory import Memory, Status
from commonplace.domain.record import Record, replace
from commonplace.domain.validation import check_count, check_id, check_share, check_text
from commonplace.engine import lifecycle
from commonplace.engine.caller import Work
from commonplace.engine.intake import refuse_secrets_in
from commonplace.engine.lifecycle import restore
from commonplace.engine.paging import each_entry
from commonplace.errors import InvalidInput
from commonplace.ports import Unit

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
        """What it points to: the same for the same source."""
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


def named_lines(source: Source | Evidence) -> tuple[int, int] | None:
    """The first and the last line it names, if it names any."""
    first, last = source.line_start or source.line_end, source.line_end or source.line_start
    return None if first is None or last is None else (first, last)


class Attached(Record):
    """The evidence as it stands now, and whether it was known before."""

    evidence: Evidence
    known: bool


class EvidenceFinding(Record):
    """Why a piece of evidence does not hold, None if it does. `noted` is it with what its lines say, seen first now."""

    evidence: Evidence
    problem: str | None = None
    noted: Entry | None = None


class Verification(Record):
    """How much of a memory's evidence holds, and what that made of the memory."""

    memory: Memory
    findings: tuple[EvidenceFinding, ...]
    changed: bool

    @property
    def failing(self) -> tuple[EvidenceFinding, ...]:
        """What does not hold."""
        return tuple(finding for finding in self.findings if finding.problem is not None)

    @property
    def unnoted(self) -> bool:
        """Whether there are lines to compare with from now on."""
        return any(finding.noted is not None for finding in self.findings)

    @property
    def total(self) -> int:
        """How many pieces of evidence were looked at."""
        return len(self.findings)

    @property
    def valid(self) -> int:
        """How many of them hold."""
        return self.total - self.invalid

    @property
    def invalid(self) -> int:
        """How many of them do not."""
        return len(self.failing)

    @property
    def score(self) -> float:
        """The share that holds, 0 where there is none. Weights do not count."""
        return round(self.valid / self.total, 4) if self.total else 0.0

    @property
    def status(self) -> Status:
        """What the memory is now, after the look."""
        return self.memory.status


class Shelved(Protocol):
    """What evidence needs to know of documents."""

    def resting_on(self, work: Work, source: Source, memory: Memory) -> str | None:
        """The id of the document a source points to, there or yet to come; None if that is not to be told."""

    def look_again(self, ids: Sequence[str]) -> None:
        """Read those whose files have changed, and note whose are gone."""


def check_source(source: Source) -> None:
    """Refuse a source that would bring a secret in."""
    refuse_secrets_in(source)


def weigh(work: Work, memory: Memory, documents: Shelved) -> Verification:
    """Look which evidence holds by what stands on the shelves; `changed` says whether the status should follow."""
    findings = tuple(_found(work, entry, memory, documents) for entry in entries_of(work.unit, memory))
    weighed = Verification(memory, findings, changed=False)
    doubtful = bool(findings) and not weighed.valid and memory.status is Status.ACTIVE
    return replace(weighed, changed=doubtful or (weighed.valid > 0 and memory.status is Status.STALE))


def judge(work: Work, memory: Memory, documents: Shelved, mark_stale: bool = True) -> Verification:
    """Weigh the evidence of a memory, and let its status follow."""
    unit, context, weighed = work.unit, work.context, weigh(work, memory, documents)
    for finding in weighed.findings:
        if finding.noted is not None:
            unit.entries.put(finding.noted)
    if not weighed.changed or (memory.status is Status.ACTIVE and not mark_stale):
        return replace(weighed, changed=False)
    if memory.status is Status.STALE:
        return replace(weighed, memory=restore(unit, context, memory))
    return replace(weighed, memory=lifecycle.mark_stale(unit, context, memory, "none of its evidence holds any more"))


def resting_on(unit: Unit, documents: Sequence[str]) -> Iterator[str]:
    """The ids of the memories that rest on any of these documents, each once."""
    seen: set[str] = set()
    for start in range(0, len(documents), PAGE):
        wanted = EntryFilter(SHELF, states=tuple(documents[start : start + PAGE]))
        fresh = {str(entry.parent) for entry in each_entry(unit, wanted)} - seen
        seen |= fresh
        yield from sorted(fresh)


def _found(work: Work, entry: Entry, memory: Memory, documents: Shelved) -> EvidenceFinding:
    """Whether one piece holds, the cheap questions first: only evidence that names words or lines has any read."""
    unit, evidence = work.unit, evidence_of(entry)
    if not evidence.type.on_a_shelf:
        return EvidenceFinding(evidence, None if evidence.reference or evidence.snippet else "it names nothing")
    id = document_of(work, entry, memory, documents)
    document = None if id is None else unit.entries.get(DOCUMENT_SHELF, id)
    if document is None:
        return EvidenceFinding(evidence, "the document is not on the shelf")
    if document.state == MISSING:
        return EvidenceFinding(evidence, "the file is gone")
    close = is_close(entry)
    if evidence.type is EvidenceType.CHUNK:
        return EvidenceFinding(evidence, _chunk_problem(unit, evidence, document.id, close))
    if not close or (evidence.snippet is None and named_lines(evidence) is None):
        return EvidenceFinding(evidence)
    lines, before = _lines(unit, document.id), said_of(entry)
    fresh = None if before is not None else _says(lines, evidence)
    noted = None if fresh is None else _with_said(entry, fresh)
    return EvidenceFinding(evidence, _problem(lines, evidence, before), noted)


def _chunk_problem(unit: Unit, evidence: Evidence, document: str, close: bool) -> str | None:
    chunk = unit.entries.get(CHUNK_SHELF, evidence.chunk_id or evidence.reference or "")
    if chunk is None or chunk.parent != document:
        return "the chunk is gone: its text has changed"
    if close and evidence.snippet is not None and not wording.has_words(chunk_lines((chunk,)), evidence.snippet):
        return "the snippet does not stand in the chunk"
    return None


def _problem(lines: Sequence[NumberedLine], evidence: Evidence, before: Said | None) -> str | None:
    """Why a document does not say what evidence names, if it does not."""
    numbers, looked_at, place = named_lines(evidence), lines, "the document"
    if numbers is not None:
        first, last = numbers
        place = f"line {first}" if first == last else f"lines {first} to {last}"
        looked_at = wording.between(lines, first, last)
        if before is not None:
            looked_at = wording.where_said(lines, looked_at, before)
        if not looked_at:
            return f"there is no text in {place}" if before is None else f"what {place} said has changed"
    if evidence.snippet is not None and not wording.has_words(looked_at, evidence.snippet):
        return f"the snippet does not stand in {place}"
    return None


def _says(lines: Sequence[NumberedLine], evidence: Evidence) -> Said | None:
    """What the lines that evidence names say, if it names any and they say something."""
    numbers = named_lines(evidence)
    named = () if numbers is None else wording.between(lines, *numbers)
    return wording.said(named, lines) if named else None


def said_in(unit: Unit, evidence: Evidence, document: str | None) -> Said | None:
    """The same of a document on the shelf."""
    if evidence.type is not EvidenceType.DOCUMENT or named_lines(evidence) is None or document is None:
        return None
    return _says(_lines(unit, document), evidence)


def _lines(unit: Unit, document: str) -> tuple[NumberedLine, ...]:
    return chunk_lines(list(each_entry(unit, EntryFilter(CHUNK_SHELF, parent=document))))


def chunk_lines(chunks: Sequence[Entry]) -> tuple[NumberedLine, ...]:
    """The lines of chunks without the headings above, which stand before the content, each on a line."""
    return wording.lines_of(
        (int(str(chunk.body["line_start"])), chunk.text.split("\n", len(chunk.body["title"]))[-1])  # type: ignore[arg-type]
        for chunk in chunks
    )


def document_of(work: Work, entry: Entry, memory: Memory, documents: Shelved) -> str | None:
    """The document as it was found when the evidence was attached, else as it can be found now."""
    return entry.state or documents.resting_on(work, _source(entry), memory)


def entries_of(unit: Unit, memory: Memory) -> tuple[Entry, ...]:
    """The evidence of a memory, oldest first, up to the most that one may have."""
    return unit.entries.page(EntryFilter(SHELF, parent=memory.id), EVIDENCE_LIMIT, newest_first=False)


def evidence_id(memory: Memory, source: Source, document: str | None) -> str:
    """The same for the same memory, type and target; a document is the same however its path is spelled."""
    target = document if document is not None and source.type is EvidenceType.DOCUMENT else source.target
    digest = blake2b(dumps([memory.id, source.type.value, target]).encode(), digest_size=13)
    return f"evd_{digest.hexdigest()}"


def new_evidence(id: str, memory: Memory, source: Source, now: int) -> Evidence:
    """Evidence with an id, a moment and a type; whatever else the source says is still to be filled in."""
    return Evidence(id, memory.id, source.type, None, None, None, None, None, None, 1.0, now)


def brought_up(evidence: Evidence, source: Source) -> Evidence:
    """What is not given stays; lines are given together."""
    given = {name: getattr(source, name) for name in Source.fields}
    lines = ("line_start", "line_end") if named_lines(source) is not None else ()
    return replace(evidence, **{name: value for name, value in given.items() if value is not None or name in lines})


def entry_of(evidence: Evidence, memory: Memory, document: str | None, close: bool, said: Said | None) -> Entry:
    """The document stands where an entry's state does: that is what evidence is looked up by."""
    body = {name: getattr(evidence, name) for name in Source.fields} | {"close": close}
    entry = Entry(
        SHELF, evidence.id, str(memory.scope), evidence.created_at, body, parent=memory.id, state=document or ""
    )
    return entry if said is None else _with_said(entry, said)


def _with_said(entry: Entry, said: Said) -> Entry:
    return replace(entry, body={**entry.body, "said": {name: getattr(said, name) for name in Said.fields}})


def is_close(entry: Entry | None) -> bool:
    """Whether what it names within a document is looked at; what is kept from before that was done is not."""
    return entry is not None and bool(entry.body.get("close"))


def said_of(entry: Entry) -> Said | None:
    """What the lines said when they were first looked at, to be compared with; None if that was never noted."""
    kept = entry.body.get("said")
    return Said(**kept) if isinstance(kept, dict) else None


def _source(entry: Entry) -> Source:
    values = {name: entry.body[name] for name in Source.fields}
    return Source(**{**values, "type": EvidenceType(str(values["type"]))})  # type: ignore[arg-type]


def evidence_of(entry: Entry) -> Evidence:
    """What was stored, as evidence of the memory that the entry belongs to."""
    source = _source(entry)
    values = {name: getattr(source, name) for name in Source.fields}
    return Evidence(id=entry.id, memory_id=str(entry.parent), created_at=entry.at, **values)
