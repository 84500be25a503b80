"""Where to read what a memory rests on: the chunks of the documents that its evidence names."""

from collections.abc import Sequence

from commonplace.documents import wording
from commonplace.documents.evidence import (
    CHUNK_SHELF,
    DOCUMENT_SHELF,
    Evidence,
    EvidenceType,
    Shelved,
    chunk_lines,
    document_of,
    evidence_of,
    named_lines,
)
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.memory import Memory
from commonplace.domain.record import Record
from commonplace.engine.caller import Work
from commonplace.text import query_terms

CHUNKS_NAMED = 3  # of a document that says nowhere which of its chunks is meant
CHUNKS_LOOKED_AT = 1_000


class Ground(Record):
    """A piece of evidence with the document and the chunks it rests on, as far as they are there to be read."""

    evidence: Evidence
    document_id: str | None = None
    chunk_ids: tuple[str, ...] = ()


def ground_of(work: Work, entry: Entry, memory: Memory, documents: Shelved) -> Ground:
    """What a piece of evidence of a memory rests on; what is not on the shelf, or not the caller's to see, is not."""
    evidence = evidence_of(entry)
    if not evidence.type.on_a_shelf:
        return Ground(evidence)
    id = document_of(work, entry, memory, documents)
    document = None if id is None else work.unit.entries.get(DOCUMENT_SHELF, id)
    if document is None or not work.may_see(document.scope):
        return Ground(evidence)
    if evidence.type is EvidenceType.CHUNK:
        chunk = work.unit.entries.get(CHUNK_SHELF, evidence.chunk_id or evidence.reference or "")
        return Ground(evidence, document.id, () if chunk is None or chunk.parent != document.id else (chunk.id,))
    return Ground(evidence, document.id, tuple(chunk.id for chunk in _chunks(work, evidence, document.id, memory)))


def _chunks(work: Work, evidence: Evidence, document: str, memory: Memory) -> Sequence[Entry]:
    """Those with the lines or the snippet that were named, else those likest the memory, else the first."""
    wanted, lines = EntryFilter(CHUNK_SHELF, parent=document), named_lines(evidence)
    if lines is None and evidence.snippet is None:
        alike = work.unit.entries.matching(wanted, query_terms(memory.text), CHUNKS_NAMED)
        return alike or _in_order(work, wanted)[:CHUNKS_NAMED]
    chunks = _in_order(work, wanted)
    if lines is not None:
        return [chunk for chunk in chunks if _has_lines(chunk, *lines)]
    return [chunk for chunk in chunks if wording.has_words(chunk_lines((chunk,)), evidence.snippet or "")]


def _in_order(work: Work, wanted: EntryFilter) -> list[Entry]:
    found = work.unit.entries.page(wanted, CHUNKS_LOOKED_AT, newest_first=False)
    return sorted(found, key=_lines)


def _has_lines(chunk: Entry, first: int, last: int) -> bool:
    start, end = _lines(chunk)
    return start <= last and first <= end


def _lines(chunk: Entry) -> tuple[int, int]:
    return int(str(chunk.body["line_start"])), int(str(chunk.body["line_end"]))
