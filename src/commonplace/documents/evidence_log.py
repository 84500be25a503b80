"""Attaching evidence to memories, listing it, and looking whether it still holds."""

from collections.abc import Sequence

from commonplace import deadline
from commonplace.documents.documents import Documents
from commonplace.documents.evidence import (
    EVIDENCE_LIMIT,
    SHELF,
    Attached,
    Evidence,
    Source,
    Verification,
    brought_up,
    check_source,
    document_of,
    entries_of,
    entry_of,
    evidence_id,
    evidence_of,
    is_close,
    judge,
    named_lines,
    new_evidence,
    said_in,
    said_of,
)
from commonplace.documents.grounds import Ground, ground_of
from commonplace.domain.entries import EntryFilter
from commonplace.domain.events import EventType, Plain
from commonplace.domain.memory import Memory
from commonplace.domain.validation import check_label
from commonplace.engine.caller import Caller, Reference, Work
from commonplace.engine.lifecycle import log
from commonplace.errors import Conflict, NotFound


class EvidenceLog:
    """Attaches, lists and verifies evidence, for one principal."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self._documents = Documents(caller)

    def attach(self, reference: Reference, source: Source, *, close: bool = True) -> Attached:
        """Say what a memory rests on. The same source again is the same evidence, brought up to date.

        The lines and the snippet of a document are looked at when it is verified, unless it is not to be taken
        so `close`: then they only tell a person where to look.
        """
        check_source(source)
        if close and named_lines(source) is not None:
            with self._caller.looking() as work:
                document = self._documents.resting_on(work, source, work.find(reference))
            self._documents.look_again(() if document is None else (document,))
        with self._caller.writing() as work:
            return self.attach_in(work, work.find(reference), source, close=close)

    def attach_in(self, work: Work, memory: Memory, source: Source, *, close: bool = True) -> Attached:
        """Attach evidence within a transaction of the caller's own; the source has been checked."""
        unit, document = work.unit, self._documents.resting_on(work, source, memory)
        id = evidence_id(memory, source, document)
        known = unit.entries.get(SHELF, id)
        if known is None and unit.entries.count(EntryFilter(SHELF, parent=memory.id)) >= EVIDENCE_LIMIT:
            raise Conflict(f"{memory.id} has {EVIDENCE_LIMIT} pieces of evidence, the most there can be.")
        before = new_evidence(id, memory, source, work.now) if known is None else evidence_of(known)
        evidence = brought_up(before, source)
        if known is not None and named_lines(source) is None:
            said = said_of(known)
        else:
            said = said_in(unit, evidence, document)
        unit.entries.put(entry_of(evidence, memory, document, close or is_close(known), said))
        payload: dict[str, Plain] = {"scope": str(memory.scope), "type": source.type.value, "known": bool(known)}
        log(unit, work.context, EventType.EVIDENCE, memory, payload)
        return Attached(evidence, known is not None)

    def detach(self, id: str) -> Evidence:
        """Take a piece of evidence away again."""
        check_label(id, "id")
        with self._caller.writing() as work:
            unit, entry = work.unit, work.unit.entries.get(SHELF, id)
            memory = None if entry is None else work.seek(str(entry.parent))
            if entry is None or memory is None:
                raise NotFound(f"There is no evidence '{id[:60]}': see which a memory has with 'evidence list'.")
            unit.entries.remove(SHELF, id)
            payload: dict[str, Plain] = {"scope": str(memory.scope), "type": str(entry.body["type"]), "detached": True}
            log(unit, work.context, EventType.EVIDENCE, memory, payload)
        return evidence_of(entry)

    def of(self, reference: Reference) -> tuple[Evidence, ...]:
        """What a memory rests on, oldest first."""
        with self._caller.reading() as work:
            return tuple(evidence_of(entry) for entry in entries_of(work.unit, work.find(reference)))

    def counts(self, ids: Sequence[str]) -> dict[str, int]:
        """How many pieces of evidence each of these memories has. Foreign and unknown ones are left out."""
        with self._caller.reading() as work:
            found = [memory for memory in map(work.seek, dict.fromkeys(ids)) if memory is not None]
            return {memory.id: work.unit.entries.count(EntryFilter(SHELF, parent=memory.id)) for memory in found}

    def grounds(self, ids: Sequence[str]) -> dict[str, tuple[Ground, ...]]:
        """What each of these memories rests on, and where to read it. Foreign and unknown ones are left out."""
        with self._caller.reading() as work:
            found = [memory for memory in map(work.seek, dict.fromkeys(ids)) if memory is not None]
            return {
                memory.id: tuple(
                    ground_of(work, entry, memory, self._documents) for entry in entries_of(work.unit, memory)
                )
                for memory in deadline.each(found)
            }

    def verify(self, reference: Reference, mark_stale: bool = True) -> Verification:
        """Look whether the evidence of a memory still holds, after reading again what has changed.

        When none of it does the memory becomes stale; when some does again, active.
        """
        with self._caller.looking() as work:
            documents = self._resting_on(work, work.find(reference))
        self._documents.look_again(documents)
        with self._caller.writing() as work:
            memory = work.find(reference)
            verified = judge(work, memory, self._documents, mark_stale)
            payload: dict[str, Plain] = {
                "scope": str(memory.scope),
                "total": verified.total,
                "valid": verified.valid,
                "status": verified.status.value,
            }
            log(work.unit, work.context, EventType.VERIFIED, memory, payload)
        return verified

    def _resting_on(self, work: Work, memory: Memory) -> list[str]:
        found = (document_of(work, entry, memory, self._documents) for entry in entries_of(work.unit, memory))
        return list(dict.fromkeys(id for id in found if id is not None))
