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
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Memory, Status
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal, Scope
from commonplace.domain.shelves import TermCounts
from commonplace.domain.validation import check_count, check_label, check_text, check_time
from commonplace.engine import intake
from commonplace.engine.caller import Caller, Work
from commonplace.engine.intake import BATCH_LIMIT, Prepared, Remembered, Verdict
from commonplace.errors import InvalidInput, NotFound
from commonplace.ports import LLM
from commonplace.sessions import distil
from commonplace.sessions.distil import Distilled, Item, LeftOut
from commonplace.sessions.entries import (
    LEARNINGS,
    SESSIONS,
    TURNS,
    UNFINISHED,
    Session,
    cut_turns,
    fingerprint,
    learning_of,
    project_of_unfinished,
    raw_sessions,
    session_entry,
    session_of,
    stored_turns,
    turn_entry,
    turn_id,
    turn_of,
    unfinished_entry,
)
from commonplace.sessions.learning import (
    About,
    Candidate,
    Forgotten,
    Kept,
    Learnt,
    Talk,
    as_trusted,
    draft_of,
    drop_quotations,
    forget,
    is_known,
    keep,
    learnt_before,
    settled,
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
SHOWN = (Status.ACTIVE, Status.STALE, Status.SUPERSEDED)

Progress = Callable[[int, int], None]


class Saved(Record):
    """What saving a conversation came to. Without anything new there is no session to speak of.

    Of older memories some were `superseded`; in the place of others, trusted more, what was learnt is `proposed`.
    A conversation that was saved before, and has not changed since, is `unchanged` and was not looked at again.
    """

    session: Session | None
    learnt: tuple[Remembered, ...]
    known: tuple[Remembered, ...]
    refused: int
    fell_back: str | None = None
    omitted: int = 0
    superseded: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    unchanged: bool = False


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
        about: About = About(),
        llm: LLM | None = None,
        progress: Progress = lambda done, total: None,
    ) -> Saved:
        """Keep a conversation and remember what it taught.

        `key` names a conversation that may be saved again when it has grown.
        """
        return self._save(self._talk(scope, surface, key, about), list(_limited(turns)), llm, progress)

    def _talk(self, scope: Scope, surface: str | None, key: str | None, about: About) -> Talk:
        check_label(key, "key")
        check_label(surface, "surface")
        for name, given in (("surface", surface), ("project", about.project)):
            intake.refuse_secrets(given or "", name)
        with self._caller.looking() as work:
            place = work.scope(scope)
            about = self._about(work, place, about)
        id = f"ses_{ulid(work.now)}" if key is None else _session_id(self._caller.principal, place, key)
        return Talk(id, place, surface, about)

    def append(
        self, turns: Iterable[Turn], scope: Scope, *, surface: str | None = None, key: str, about: About = About()
    ) -> int:
        """Keep what is new of a conversation at once, and learn nothing yet: how many turns were written.

        They are found by their words. `save` with the same key learns from the whole; until then it is unfinished.
        """
        talk = self._talk(scope, surface, key, about)
        spoken = list(_limited(turns))
        with self._caller.looking() as work:
            entry = work.unit.entries.get(SESSIONS, talk.id)
            if entry is not None and session_of(entry).fingerprint == fingerprint(spoken):
                return 0
            stored = [turn_of(each) for each in stored_turns(work.unit, talk.id)]
            cut = cut_turns(work.unit, talk.id)
        said = [cut.get(place, turn) for place, turn in enumerate(distil.cleaned(spoken))]
        new = [place for place, turn in enumerate(said) if place >= len(stored) or stored[place].text != turn.text]
        for start in range(0, len(new), TURNS_AT_ONCE):
            with self._caller.writing() as work:
                work.unit.entries.put(unfinished_entry(talk.id, talk.scope, work.now, talk.about.project_id))
                for place in new[start : start + TURNS_AT_ONCE]:
                    work.unit.entries.put(turn_entry(talk.id, place, said[place], talk.scope, work.now))
        return len(new)

    def discard_unfinished(self, key: str, scope: Scope) -> None:
        """Let go of what was appended under a key and taught nothing; a conversation that has a digest stays."""
        with self._caller.writing() as work:
            id = _session_id(self._caller.principal, work.scope(scope), key)
            if work.unit.entries.get(SESSIONS, id) is None:
                work.unit.entries.remove(UNFINISHED, id)
                work.unit.entries.remove_children(id)

    def _about(self, work: Work, place: Scope, about: About) -> About:
        """The same with the project that it is about, which is noted when something is written in it first."""
        if about.project_id is not None or not work.names_project(place):
            return about
        known = work.current_project
        if known is None:
            with self._caller.writing() as writing:
                return replace(about, project_id=writing.about(place))
        return replace(about, project_id=known.id)

    def _save(self, talk: Talk, spoken: Sequence[Turn], llm: LLM | None, progress: Progress) -> Saved:
        mark = fingerprint(spoken)
        with self._caller.looking() as work:
            entry = work.unit.entries.get(SESSIONS, talk.id)
            before = None if entry is None else session_of(entry)
            earlier = learnt_before(work.unit, before)
            cut = {} if before is None else cut_turns(work.unit, talk.id)
            appended = work.unit.entries.count(EntryFilter(TURNS, parent=talk.id))
        if before is not None and before.fingerprint == mark:
            return Saved(None, (), tuple(_as_known(memory) for memory, _ in earlier.values()), 0, unchanged=True)
        # What a purge took away does not come back with a transcript that still has it.
        said = [cut.get(place, turn) for place, turn in enumerate(distil.cleaned(spoken))]
        distilled = self._distilled(said, llm, progress)
        items = distilled.items[-LEARNINGS_LIMIT:]
        candidates = self._candidates(items, said, talk)
        with self._caller.looking() as work:
            chosen = settled(candidates, earlier, work.unit, work.now, self._caller.models.embedder)
        digest = self._digest(_begun(talk, said, mark), before, said, chosen)
        with deadline.suspended():
            if digest is not None:
                self._keep_turns(talk, said, appended if before is None else max(before.turns, appended), progress)
            kept, session = self._remember(chosen, digest, talk.id)
        learnt = tuple(result for result in kept.results if result.verdict is Verdict.CREATED)
        known = tuple(result for result in kept.results if result.verdict is not Verdict.CREATED)
        return Saved(
            session,
            learnt,
            known,
            len(items) - len(candidates),
            distilled.fell_back,
            len(distilled.items) - len(items),
            kept.superseded,
            kept.proposed,
        )

    def _distilled(self, said: Sequence[Turn], llm: LLM | None, progress: Progress = lambda *_: None) -> Distilled:
        embedder = self._caller.models.embedder
        if llm is not None:
            return distil.distil_with(llm, said, embedder)
        return distil.distil(said, embedder, lambda done: progress(done, 2 * len(said)))

    def _candidates(self, items: Sequence[Item], said: Sequence[Turn], talk: Talk) -> list[Candidate]:
        """The items with their vectors, a batch at a time; what turns out to be a secret after all is left out."""
        context = self._caller.context()
        drafts = [draft_of(item, said[item.turn], talk, context.now) for item in items]
        batches = [drafts[start : start + BATCH_LIMIT] for start in range(0, len(drafts), BATCH_LIMIT)]
        found = [each for batch in batches for each in intake.prepare(batch, context, self._caller.models.embedder)]
        return [
            Candidate(item, as_trusted(prepared, context.origin))
            for item, prepared in zip(items, found, strict=True)
            if isinstance(prepared, Prepared)
        ]

    def _digest(
        self, begun: Session, before: Session | None, said: Sequence[Turn], chosen: Sequence[Candidate]
    ) -> Session | None:
        """The digest of a conversation that brings something new; else nothing.

        All thinking comes before the first turn is written: from then on nothing is stopped half-way.
        """
        grown = before is not None and before.turns < len(said)
        if not grown:
            with self._caller.looking() as work:
                if all(is_known(each, work) for each in chosen):
                    return None
        summary = distil.summarise(said, SUMMARY_LENGTH, [each.item for each in chosen])
        label, summary = map(distil.unless_secret, (distil.label(said), summary))
        learnings = () if before is None else before.learnings
        return replace(begun, label=label, summary=summary, saved_at=self._caller.clock(), learnings=learnings)

    def _keep_turns(self, talk: Talk, said: Sequence[Turn], known: int, progress: Progress) -> None:
        """In batches. Turns that were saved before are left as they are."""
        numbered = iter(enumerate(said))
        done = 0
        while batch := list(islice(numbered, TURNS_AT_ONCE)):
            with self._caller.writing() as work:
                place = work.scope(talk.scope)
                work.unit.entries.put(unfinished_entry(talk.id, place, work.now, talk.about.project_id))
                for number, turn in batch:
                    entry = turn_entry(talk.id, number, turn, place, work.now)
                    before = work.unit.entries.get(TURNS, entry.id) if number < known else None
                    if before is None or before.text != entry.text:
                        work.unit.entries.put(entry)
            done += len(batch)
            progress(len(said) + done, 2 * len(said))  # the first half was reading
        if known > len(said):
            with self._caller.writing() as work:
                for number in range(len(said), known):
                    work.unit.entries.remove(TURNS, turn_id(talk.id, number))

    def _remember(
        self, candidates: Sequence[Candidate], digest: Session | None, id: str
    ) -> tuple[Kept, Session | None]:
        """What was learnt and the digest in one transaction: who is stopped before it can save the same again."""
        with self._caller.writing() as work:
            unit = work.unit
            kept = keep(candidates, id, work, self._caller.models.embedder)
            if digest is None:
                return kept, None
            unit.entries.remove(UNFINISHED, digest.id)
            created = [result.memory.id for result in kept.results if result.verdict is Verdict.CREATED]
            before = unit.entries.get(SESSIONS, digest.id)
            if not created and before is None:  # somebody else saved the same meanwhile
                unit.entries.remove_children(digest.id)
                return kept, None
            session = replace(digest, learnings=tuple(dict.fromkeys((*digest.learnings, *created))))
            unit.entries.put(session_entry(session, self._caller.principal))
        return kept, session

    def is_saved(self, scope: Scope, key: str) -> bool:
        """Whether a conversation of this key was saved to a scope before."""
        with self._caller.looking() as work:
            id = _session_id(self._caller.principal, work.scope(scope), key)
            return work.unit.entries.get(SESSIONS, id) is not None

    def preview(self, turns: Iterable[Turn], *, llm: LLM | None = None) -> Distilled:
        """What would be learnt from a conversation, and what would be left out; the book is not asked."""
        return self._distilled(list(distil.cleaned(_limited(turns))), llm)

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
            begun = {id: About(project_id=project_of_unfinished(work.unit, id)) for _, id, _ in waiting}
        learnt: list[Remembered] = []
        for entries, id, _ in waiting:
            said = [turn_of(entry) for entry in entries]
            talk = Talk(id, Scope.parse(entries[0].scope), said[0].surface, begun[id])
            saved = self._save(talk, said, llm, lambda *_: None)
            learnt += saved.learnt
            if saved.session is None:
                with self._caller.writing() as work:
                    work.unit.entries.remove(UNFINISHED, id)
                    work.unit.entries.remove_children(id)
        return sum(count for _, _, count in waiting), tuple(learnt)

    # -- read ----------------------------------------------------------------------------------

    def count(self, scopes: Sequence[Scope]) -> int:
        """How many sessions there are, without reading one."""
        with self._caller.reading() as work:
            return work.unit.entries.count(EntryFilter(SESSIONS, tuple(map(str, work.scopes(scopes)))))

    def list(
        self,
        scopes: Sequence[Scope],
        *,
        limit: int = 5,
        offset: int = 0,
        since: int | None = None,
        surface: str | None = None,
    ) -> tuple[Session, ...]:
        """The most recent sessions, newest first."""
        _check_limit(limit)
        check_count(offset, "offset", 0)
        check_time(since, "since")
        states = () if surface is None else (surface,)
        with self._caller.reading() as work:
            wanted = EntryFilter(SESSIONS, tuple(map(str, work.scopes(scopes))), states=states, since=since)
            found = [session_of(entry) for entry in work.unit.entries.page(wanted, limit, offset=offset)]
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

    def learnt(self, id: str) -> tuple[Learnt, ...]:
        """What was learnt from a session, as far as it is still there or was superseded, and why."""
        with self._caller.reading() as work:
            found = [
                (memory, work.unit.entries.get(LEARNINGS, memory.id)) for memory in _learnings(work, _find(work, id))
            ]
        whys = [(memory, None if entry is None else learning_of(entry)) for memory, entry in found]
        return tuple(
            Learnt(memory, None, "", "") if why is None else Learnt(memory, why.turn, why.quote, why.reason)
            for memory, why in whys
        )

    def left_out(self, id: str) -> tuple[LeftOut, ...]:
        """What of a session was looked at and not kept, with the reason, by the rules as they are now."""
        with self._caller.reading() as work:
            _find(work, id)
            said = [turn_of(entry) for entry in stored_turns(work.unit, id)]
        return distil.distil(said, self._caller.models.embedder).left_out

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

    def forget(self, id: str, *, everything: bool = False) -> Forgotten:
        """Take back what was learnt from a session, in one transaction. The conversation stays, and teaches it no more.

        What a person confirmed or reworded since stays too, unless `everything` is to go.
        """
        with self._caller.writing() as work:
            return forget(work, _find(work, id), everything)

    def remove(self, id: str) -> Session:
        """Take a conversation away for good. What was learnt from it stays until it is forgotten itself."""
        with self._caller.purging() as work:
            session = _find(work, id)
            drop_quotations(work.unit, session)
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


def _begun(talk: Talk, said: Sequence[Turn], mark: str) -> Session:
    """A session without its digest: where, with what, and when it was held."""
    held_at = next((turn.at for turn in said if turn.at is not None), None)
    surface = talk.surface or next((turn.surface for turn in said if turn.surface is not None), None)
    about = talk.about
    kept = "" if about.again else mark
    begun = Session(talk.id, "", "", surface, talk.scope, 0, len(said), (), held_at, about.project)
    return replace(begun, fingerprint=kept, project_id=about.project_id, heard=about.heard)


def _as_known(memory: Memory) -> Remembered:
    return Remembered(memory, Verdict.REPEATED)


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
