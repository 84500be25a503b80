"""Sessions: a conversation as it was held, its digest, and what was learnt from it.

A digest is written last: a session that can be listed has its turns and its learnings. Saving
the same conversation again finds everything known; saving a longer one under the same key adds what
is new. Sentences that hold a secret, and text that recall itself put there, are never stored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice

from commonplace import deadline
from commonplace.domain import rank
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.ids import DAY, ulid
from commonplace.domain.memory import CaptureMode, Kind, Memory, MemoryType, Status
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal, Scope
from commonplace.domain.shelves import TermCounts
from commonplace.domain.validation import check_label, check_text, check_time
from commonplace.engine import intake, lifecycle
from commonplace.engine.caller import Caller, Work
from commonplace.engine.context import Context
from commonplace.engine.intake import (
    BATCH_LIMIT,
    Draft,
    ExactPolicy,
    NearPolicy,
    Prepared,
    Remembered,
    Repeats,
    Verdict,
)
from commonplace.engine.lifecycle import Changes
from commonplace.errors import InvalidInput, NotFound
from commonplace.ports import LLM, Unit
from commonplace.sessions import distil
from commonplace.sessions.distil import Item
from commonplace.sessions.entries import (
    SESSIONS,
    TURNS,
    UNFINISHED,
    Session,
    raw_sessions,
    session_entry,
    session_of,
    stored_turns,
    turn_entry,
    turn_id,
    turn_of,
    unfinished_entry,
)
from commonplace.sessions.transcripts import Turn
from commonplace.text import query_terms, terms
from commonplace.text.excerpts import around

TURNS_LIMIT = 200_000
TURNS_AT_ONCE = 500
LEARNINGS_LIMIT = 5_000
"""Of a conversation that teaches more, the last so many count; how many were left out is said."""
SUMMARY_LENGTH = 1_500
QUOTE_LENGTH = 200
LIST_LIMIT = 200
REPEATS = Repeats(ExactPolicy.CASED, NearPolicy.IGNORE)
SHOWN = (Status.ACTIVE, Status.STALE, Status.SUPERSEDED)

Progress = Callable[[int, int], None]


class Saved(Record):
    """What saving a conversation came to. Without anything new there is no session to speak of."""

    session: Session | None
    learnt: tuple[Remembered, ...]
    known: tuple[Remembered, ...]
    refused: int
    fell_back: str | None = None
    omitted: int = 0


class Told(Record):
    """A session that a search found: how well it fits, and what was said in it."""

    session: Session
    score: float
    quotes: tuple[str, ...]


class Sessions:
    """The conversations of one principal."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # -- save ----------------------------------------------------------------------------------

    def save(
        self,
        turns: Iterable[Turn],
        scope: Scope,
        *,
        surface: str | None = None,
        key: str | None = None,
        task_days: int | None = None,
        llm: LLM | None = None,
        progress: Progress = lambda done, total: None,
    ) -> Saved:
        """Keep a conversation and remember what it taught.

        `key` names a conversation that may be saved again when it has grown; `task_days` is how long
        a task that was learnt from it keeps.
        """
        check_label(key, "key")
        check_label(surface, "surface")
        intake.refuse_secrets(surface or "", "surface")
        with self._caller.looking() as work:
            place = work.scope(scope)
        said = list(distil.cleaned(_limited(turns)))
        id = f"ses_{ulid(work.now)}" if key is None else _session_id(self._caller.principal, place, key)
        return self._save(id, said, place, surface, task_days, llm, progress)

    def _save(
        self,
        id: str,
        said: Sequence[Turn],
        scope: Scope,
        surface: str | None,
        task_days: int | None,
        llm: LLM | None,
        progress: Progress,
    ) -> Saved:
        embedder = self._caller.models.embedder
        distilled = distil.distil_with(llm, said, embedder) if llm is not None else distil.distil(said, embedder)
        drafts = [_draft(item, scope, id, surface) for item in distilled.items[-LEARNINGS_LIMIT:]]
        prepared = self._prepared(drafts, task_days)
        digest = self._digest(id, said, scope, surface, prepared, progress)
        with deadline.suspended():
            results, session = self._remember(prepared, digest)
        learnt = tuple(result for result in results if result.verdict is Verdict.CREATED)
        known = tuple(result for result in results if result.verdict is not Verdict.CREATED)
        omitted = len(distilled.items) - len(drafts)
        return Saved(session, learnt, known, len(drafts) - len(results), distilled.fell_back, omitted)

    def _prepared(self, drafts: Sequence[Draft], task_days: int | None) -> list[Prepared]:
        """The drafts with their vectors, a batch at a time; what turns out to be a secret after all is left out."""
        context = self._caller.context()
        expires_at = None if task_days is None else context.now + task_days * DAY
        timed = [
            replace(draft, expires_at=expires_at) if draft.memory_type is MemoryType.TASK else draft for draft in drafts
        ]
        batches = [timed[start : start + BATCH_LIMIT] for start in range(0, len(timed), BATCH_LIMIT)]
        found = [item for batch in batches for item in intake.prepare(batch, context, self._caller.models.embedder)]
        return [item for item in found if isinstance(item, Prepared)]

    def _digest(
        self,
        id: str,
        said: Sequence[Turn],
        scope: Scope,
        surface: str | None,
        prepared: Sequence[Prepared],
        progress: Progress,
    ) -> Session | None:
        """The digest of a conversation that brings something new, with its turns kept already; else nothing.

        All thinking comes before the first turn is written: from then on nothing is stopped half-way.
        """
        with self._caller.looking() as work:
            entry = work.unit.entries.get(SESSIONS, id)
            before = None if entry is None else session_of(entry)
            grown = before is not None and before.turns < len(said)
            if not grown and all(intake.known(item, work.unit, REPEATS, work.context) for item in prepared):
                return None
        label, summary = map(distil.unless_secret, (distil.label(said), distil.summarise(said, SUMMARY_LENGTH)))
        digest = Session(
            id,
            label,
            summary,
            surface,
            scope,
            work.now,
            len(said),
            () if before is None else before.learnings,
        )
        with deadline.suspended():
            self._keep_turns(id, said, scope, 0 if before is None else before.turns, progress)
        return digest

    def _keep_turns(self, session: str, said: Sequence[Turn], scope: Scope, known: int, progress: Progress) -> None:
        """In batches. Turns that were saved before are left as they are."""
        numbered = iter(enumerate(said))
        done = 0
        while batch := list(islice(numbered, TURNS_AT_ONCE)):
            with self._caller.writing() as work:
                place = work.scope(scope)
                work.unit.entries.put(unfinished_entry(session, place, work.now))
                for number, turn in batch:
                    entry = turn_entry(session, number, turn, place, work.now)
                    before = work.unit.entries.get(TURNS, entry.id) if number < known else None
                    if before is None or before.text != entry.text:
                        work.unit.entries.put(entry)
            done += len(batch)
            progress(done, len(said))
        if known > len(said):
            with self._caller.writing() as work:
                for number in range(len(said), known):
                    work.unit.entries.remove(TURNS, turn_id(session, number))

    def _remember(
        self, prepared: Sequence[Prepared], digest: Session | None
    ) -> tuple[list[Remembered], Session | None]:
        """What was learnt and the digest in one transaction: who is stopped before it can save the same again."""
        with self._caller.writing() as work:
            unit, context, embedder = work.unit, work.context, self._caller.models.embedder
            results = [intake.store(item, unit, REPEATS, context, embedder) for item in prepared]
            for item, result in zip(prepared, results, strict=True):
                _extend_expiry(unit, context, item.memory, result)
            if digest is None:
                return results, None
            unit.entries.remove(UNFINISHED, digest.id)
            created = [result.memory.id for result in results if result.verdict is Verdict.CREATED]
            before = unit.entries.get(SESSIONS, digest.id)
            if not created and before is None:  # somebody else saved the same meanwhile
                unit.entries.remove_children(digest.id)
                return results, None
            session = replace(digest, learnings=tuple(dict.fromkeys((*digest.learnings, *created))))
            unit.entries.put(session_entry(session, self._caller.principal))
        return results, session

    # -- what was not distilled ------------------------------------------------------------------

    def raw(self, scopes: Sequence[Scope]) -> int:
        """How many turns nothing was learnt from yet: those of saves that did not come to their end."""
        with self._caller.reading() as work:
            return sum(count for _, count in raw_sessions(work.unit, work.scopes(scopes)))

    def distil_raw(self, scopes: Sequence[Scope], *, llm: LLM | None = None) -> tuple[int, tuple[Remembered, ...]]:
        """Finish what was begun: how many turns were distilled, and what was new in them.

        Turns that teach nothing new go, as they would have when they were saved.
        """
        with self._caller.looking() as work:
            places = work.scopes(scopes)
            waiting = [(stored_turns(work.unit, id), id, count) for id, count in raw_sessions(work.unit, places)]
        learnt: list[Remembered] = []
        for entries, id, _ in waiting:
            said = [turn_of(entry) for entry in entries]
            saved = self._save(id, said, Scope.parse(entries[0].scope), said[0].surface, None, llm, lambda *_: None)
            learnt += saved.learnt
            if saved.session is None:
                with self._caller.writing() as work:
                    work.unit.entries.remove(UNFINISHED, id)
                    work.unit.entries.remove_children(id)
        return sum(count for _, _, count in waiting), tuple(learnt)

    # -- read ----------------------------------------------------------------------------------

    def list(
        self, scopes: Sequence[Scope], *, limit: int = 5, since: int | None = None, surface: str | None = None
    ) -> tuple[Session, ...]:
        """The most recent sessions, newest first."""
        _check_limit(limit)
        check_time(since, "since")
        states = () if surface is None else (surface,)
        with self._caller.reading() as work:
            wanted = EntryFilter(SESSIONS, tuple(map(str, work.scopes(scopes))), states=states, since=since)
            found = [session_of(entry) for entry in work.unit.entries.page(wanted, limit)]
            return tuple(
                replace(session, learnings=tuple(memory.id for memory in _learnings(work, session)))
                for session in found
            )

    def get(self, id: str) -> tuple[Session, tuple[Memory, ...]]:
        """A session with what was learnt from it, as far as that is still there or was superseded."""
        with self._caller.reading() as work:
            session = _find(work, id)
            learnings = _learnings(work, session)
        return replace(session, learnings=tuple(memory.id for memory in learnings)), learnings

    def turns(self, id: str, *, limit: int = 100, offset: int = 0) -> tuple[Turn, ...]:
        """What was said, in its order."""
        if limit < 1 or offset < 0:
            raise InvalidInput("limit must be at least 1 and offset at least 0.", "limit")
        with self._caller.reading() as work:
            session = _find(work, id)
            numbers = range(offset, min(session.turns, offset + limit))
            found = [work.unit.entries.get(TURNS, turn_id(id, number)) for number in numbers]
        return tuple(turn_of(entry) for entry in found if entry is not None)

    def search(self, query: str, scopes: Sequence[Scope], *, limit: int = 5) -> tuple[Told, ...]:
        """Sessions in which something like the query was said, one hit each, with up to two quotes."""
        _check_limit(limit)
        check_text(query, "query")
        wanted = query_terms(query)
        with self._caller.reading() as work:
            unit, places = work.unit, tuple(map(str, work.scopes(scopes)))
            said = unit.entries.matching(EntryFilter(TURNS, places), wanted, 50 * limit)
            digests = unit.entries.matching(EntryFilter(SESSIONS, places), wanted, 10 * limit)
            total = unit.entries.count(EntryFilter(TURNS, places)) + unit.entries.count(EntryFilter(SESSIONS, places))
            best: dict[str, list[tuple[float, Entry]]] = {}
            for score, entry in _scored((*said, *digests), wanted, total):
                best.setdefault(entry.parent or entry.id, []).append((score, entry))
            sessions = [(unit.entries.get(SESSIONS, id), hits) for id, hits in best.items()]
        told = [(session_of(entry), hits) for entry, hits in sessions if entry is not None]
        return tuple(Told(session, round(hits[0][0], 4), _quotes(hits, wanted)) for session, hits in told[:limit])

    def remove(self, id: str) -> Session:
        """Take a conversation away for good. What was learnt from it stays until it is forgotten itself."""
        with self._caller.purging() as work:
            session = _find(work, id)
            work.unit.entries.remove(SESSIONS, id)
            work.unit.entries.remove(UNFINISHED, id)
            work.unit.entries.remove_children(id)
        self._caller.store.upkeep.erase_traces()
        return session


def _find(work: Work, id: str) -> Session:
    entry = work.unit.entries.get(SESSIONS, id) if id.isascii() and 0 < len(id) <= 64 else None
    if entry is None or not work.may_see(entry.scope):
        raise NotFound(f"There is no session '{id[:60]}': list the sessions to find it.")
    return session_of(entry)


def _learnings(work: Work, session: Session) -> tuple[Memory, ...]:
    """What was learnt from a session, as far as it is still there or was superseded."""
    found = [work.seek(each) for each in session.learnings]
    return tuple(
        memory for memory in found if memory is not None and memory.status in SHOWN and not memory.expired(work.now)
    )


# -- shapes -----------------------------------------------------------------------------------


def _limited(turns: Iterable[Turn]) -> Iterator[Turn]:
    for count, turn in enumerate(turns):
        if count >= TURNS_LIMIT:
            raise InvalidInput(f"A conversation may have {TURNS_LIMIT:,} turns: split it up.", "transcript")
        yield turn


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LIST_LIMIT:
        raise InvalidInput(f"limit must be from 1 to {LIST_LIMIT}, not {limit}.", "limit")


def _draft(item: Item, scope: Scope, session: str, surface: str | None) -> Draft:
    # A decision is something that happened, as it is where somebody remembers one without saying its type.
    happened = item.kind is Kind.DECISION and item.memory_type is MemoryType.FACT
    return Draft(
        item.text,
        scope,
        kind=item.kind,
        memory_type=MemoryType.EVENT if happened else item.memory_type,
        source=surface,
        session=session,
        capture_mode=CaptureMode.INFERRED,
    )


def _extend_expiry(unit: Unit, context: Context, again: Memory, result: Remembered) -> None:
    """A task that comes up again keeps for as long as a new one would."""
    known = result.memory
    fades = known.memory_type is MemoryType.TASK and known.expires_at is not None and again.expires_at is not None
    if fades and result.verdict is Verdict.REPEATED:
        changes = Changes(expires_at=again.expires_at)
        lifecycle.update(unit, context, lifecycle.revised(context, known, changes), changes)


def _session_id(principal: Principal, scope: Scope, key: str) -> str:
    name = "\x00".join((principal.user, str(scope), key))
    return f"ses_{blake2b(name.encode(), digest_size=13).hexdigest().upper()}"


def _scored(entries: Sequence[Entry], wanted: Sequence[str], total: int) -> list[tuple[float, Entry]]:
    """Entries with their share of the best there is to have, best first."""
    counted = [Counter(terms(entry.text)) for entry in deadline.each(entries)]
    usual = sum(counts.total() for counts in counted) / (len(counted) or 1) or 1.0
    rarities = rank.rarities([sum(term in counts for counts in counted) for term in wanted], total)
    scored = []
    for entry, counts in zip(entries, counted, strict=True):
        own = TermCounts(tuple(counts[term] for term in wanted), counts.total())
        scored.append((rank.in_context(own, None, None, rarities, usual) / sum(rarities), entry))
    return sorted(scored, key=lambda each: -each[0])


def _quotes(hits: Sequence[tuple[float, Entry]], wanted: Sequence[str]) -> tuple[str, ...]:
    """The two best turns, each around the first word that was asked for."""
    said = [entry.text for _, entry in hits if entry.shelf == TURNS]
    return tuple(around(text, wanted, QUOTE_LENGTH) for text in said[:2])
