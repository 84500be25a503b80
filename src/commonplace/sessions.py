"""Sessions: a conversation as it was held, its digest, and what was learnt from it.

A digest is written last: a session that can be listed has its turns and its learnings. Saving
the same conversation again finds everything known; saving a longer one under the same key adds what
is new. Sentences that hold a secret, and text that recall itself put there, are never stored.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice

from commonplace import distil, intake, rank, secrets
from commonplace.checks import check_label
from commonplace.distil import Distilled, Item
from commonplace.distil.prose import injected_spans
from commonplace.distil.sentences import sentences
from commonplace.errors import InvalidInput, NotFound
from commonplace.ids import ulid
from commonplace.intake import BATCH_LIMIT, Draft, ExactPolicy, NearPolicy, Remembered, Repeats, Verdict
from commonplace.lifecycle import Context
from commonplace.memory import CaptureMode, Memory, MemoryType, Status
from commonplace.ports import LLM, Embedder, Store, Unit
from commonplace.record import Record
from commonplace.scope import Principal, Right, Scope
from commonplace.shelves import Entry, Wanted
from commonplace.text import collapse, query_terms, terms
from commonplace.transcripts import Role, Turn

SESSIONS, TURNS = "session", "turn"
TURN_BATCH = 500
TURNS_LIMIT = 200_000
SUMMARY_LENGTH = 1_500
QUOTE_LENGTH = 200
DAY = 86_400_000

Progress = Callable[[int, int], None]
MakeContext = Callable[[], Context]


class Session(Record):
    """A saved conversation: its digest, and the ids of what was learnt from it."""

    id: str
    label: str
    summary: str
    surface: str | None
    scope: Scope
    saved_at: int
    turns: int
    learnings: tuple[str, ...]


class Saved(Record):
    """What saving a conversation came to. Without anything new there is no session to speak of."""

    session: Session | None
    learnt: tuple[Remembered, ...]
    known: tuple[Remembered, ...]
    refused: int
    fell_back: str | None = None


class Told(Record):
    """A session that a search found: how well it fits, and what was said in it."""

    session: Session
    score: float
    quotes: tuple[str, ...]


class Sessions:
    """The conversations of one principal."""

    def __init__(self, store: Store, principal: Principal, embedder: Embedder | None, context: MakeContext) -> None:
        self._store = store
        self._principal = principal
        self._embedder = embedder
        self._context = context

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
        self._principal.require(Right.WRITE)
        check_label(surface, "surface")
        check_label(key, "key")
        said = [clean for turn in islice(turns, TURNS_LIMIT + 1) if (clean := _clean(turn)) is not None]
        if len(said) > TURNS_LIMIT:
            raise InvalidInput(f"A conversation may have {TURNS_LIMIT:,} turns: split it up.", "transcript")
        distilled = distil.distil_with(llm, said) if llm is not None else Distilled(distil.distil(said))
        id = _session_id(self._principal, scope, key) if key is not None else f"ses_{ulid(self._context().now)}"
        results = self._remember(distilled.items, scope, id, surface, task_days)
        learnt = tuple(result for result in results if result.verdict is Verdict.CREATED)
        known = tuple(result for result in results if result.verdict is not Verdict.CREATED)
        refused = len(distilled.items) - len(results)
        if not learnt:
            return Saved(None, (), known, refused, distilled.fell_back)
        self._keep_turns(id, said, scope, progress)
        session = self._keep_digest(id, said, scope, surface, learnt)
        return Saved(session, learnt, known, refused, distilled.fell_back)

    def _remember(
        self, items: Sequence[Item], scope: Scope, session: str, surface: str | None, task_days: int | None
    ) -> list[Remembered]:
        """In batches of one embedding run and one transaction each; what is a secret after all is left out."""
        context = self._context()
        policy = Repeats(ExactPolicy.CASED, NearPolicy.IGNORE)
        results: list[Remembered] = []
        for start in range(0, len(items), BATCH_LIMIT):
            drafts = [
                _draft(item, scope, session, surface, task_days, context.now) for item in items[start:][:BATCH_LIMIT]
            ]
            prepared = intake.prepare(drafts, context, self._embedder)
            with self._store.writing(self._principal.tenant) as unit:
                for item in prepared:
                    if isinstance(item, intake.Prepared):
                        results.append(intake.store(item, unit, policy, context, self._embedder))
        return results

    def _keep_turns(self, session: str, said: Sequence[Turn], scope: Scope, progress: Progress) -> None:
        now = self._context().now
        numbered = iter(enumerate(said))
        done = 0
        while batch := list(islice(numbered, TURN_BATCH)):
            with self._store.writing(self._principal.tenant) as unit:
                for number, turn in batch:
                    body = {"role": turn.role.value, "surface": turn.surface, "said_at": turn.at}
                    unit.shelves.put(
                        Entry(TURNS, f"{session}_{number}", str(scope), now, body, turn.text, session, turn.role.value)
                    )
            done += len(batch)
            progress(done, len(said))

    def _keep_digest(
        self, id: str, said: Sequence[Turn], scope: Scope, surface: str | None, learnt: Sequence[Remembered]
    ) -> Session:
        now = self._context().now
        with self._store.writing(self._principal.tenant) as unit:
            before = unit.shelves.get(SESSIONS, id)
            earlier = () if before is None else _session(before).learnings
            learnings = tuple(dict.fromkeys((*earlier, *(result.memory.id for result in learnt))))
            session = Session(
                id,
                distil.label(said),
                distil.summarise(said, SUMMARY_LENGTH),
                surface,
                scope,
                now,
                len(said),
                learnings,
            )
            unit.shelves.put(_entry(session, self._principal))
        return session

    # -- what was not distilled ------------------------------------------------------------------

    def raw(self, scopes: Sequence[Scope]) -> int:
        """How many turns nothing was learnt from yet: those of saves that did not come to their end."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            return sum(count for _, count in _raw_sessions(unit, scopes))

    def distil_raw(self, scopes: Sequence[Scope], *, llm: LLM | None = None) -> tuple[int, tuple[Remembered, ...]]:
        """Finish what was begun: how many turns were distilled, and what was new in them."""
        self._principal.require(Right.WRITE)
        with self._store.reading(self._principal.tenant) as unit:
            waiting = [(_stored_turns(unit, id), id, count) for id, count in _raw_sessions(unit, scopes)]
        results: list[Remembered] = []
        for entries, id, _ in waiting:
            said, scope = [_turn(entry) for entry in entries], Scope.parse(entries[0].scope)
            distilled = distil.distil_with(llm, said) if llm is not None else Distilled(distil.distil(said))
            surface = said[0].surface
            found = self._remember(distilled.items, scope, id, surface, None)
            learnt = [result for result in found if result.verdict is Verdict.CREATED]
            self._keep_digest(id, said, scope, surface, learnt)
            results += learnt
        return sum(count for _, _, count in waiting), tuple(results)

    # -- read ----------------------------------------------------------------------------------

    def list(
        self, scopes: Sequence[Scope], *, limit: int = 5, since: int | None = None, surface: str | None = None
    ) -> tuple[Session, ...]:
        """The most recent sessions, newest first."""
        self._principal.require(Right.READ)
        wanted = Wanted(SESSIONS, tuple(map(str, scopes)), states=() if surface is None else (surface,), since=since)
        with self._store.reading(self._principal.tenant) as unit:
            return tuple(_session(entry) for entry in unit.shelves.page(wanted, limit))

    def get(self, id: str) -> tuple[Session, tuple[Memory, ...]]:
        """A session with what was learnt from it and is not forgotten since."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            session = self._find(unit, id)
            found = [unit.memories.by_id(each) for each in session.learnings]
        gone = (Status.FORGOTTEN,)
        return session, tuple(memory for memory in found if memory is not None and memory.status not in gone)

    def turns(self, id: str, *, limit: int = 100, offset: int = 0) -> tuple[Turn, ...]:
        """What was said, in its order."""
        self._principal.require(Right.READ)
        with self._store.reading(self._principal.tenant) as unit:
            session = self._find(unit, id)
            numbers = range(offset, min(session.turns, offset + limit))
            found = [unit.shelves.get(TURNS, f"{id}_{number}") for number in numbers]
        return tuple(_turn(entry) for entry in found if entry is not None)

    def search(self, query: str, scopes: Sequence[Scope], *, limit: int = 5) -> tuple[Told, ...]:
        """Sessions in which something like the query was said, one hit each, with up to two quotes."""
        self._principal.require(Right.READ)
        wanted = query_terms(query)
        places = tuple(map(str, scopes))
        with self._store.reading(self._principal.tenant) as unit:
            said = unit.shelves.matching(Wanted(TURNS, places), wanted, 50 * limit)
            digests = unit.shelves.matching(Wanted(SESSIONS, places), wanted, 10 * limit)
            numbered = dict(enumerate((*said, *digests)))
            scores = rank.bm25({number: terms(entry.text) for number, entry in numbered.items()}, wanted)
            best: dict[str, list[tuple[float, Entry]]] = {}
            for number, score in sorted(scores.items(), key=lambda item: -item[1]):
                entry = numbered[number]
                best.setdefault(entry.parent or entry.id, []).append((score, entry))
            sessions = [(unit.shelves.get(SESSIONS, id), hits) for id, hits in list(best.items())[:limit]]
        return tuple(
            Told(_session(entry), round(hits[0][0], 4), _quotes(hits, wanted))
            for entry, hits in sessions
            if entry is not None
        )

    def remove(self, id: str) -> Session:
        """Take a conversation away for good. What was learnt from it stays until it is forgotten itself."""
        self._principal.require(Right.WRITE)
        with self._store.writing(self._principal.tenant) as unit:
            session = self._find(unit, id)
            unit.shelves.remove(SESSIONS, id)
            unit.shelves.remove_children(id)
        self._store.upkeep.erase_traces()
        return session

    def _find(self, unit: Unit, id: str) -> Session:
        entry = unit.shelves.get(SESSIONS, id) if id.isascii() and 0 < len(id) <= 64 else None
        if entry is None or not self._principal.may_see(Scope.parse(entry.scope)):
            raise NotFound(f"There is no session '{id[:60]}': list the sessions to find it.")
        return _session(entry)


# -- shapes -----------------------------------------------------------------------------------


def _clean(turn: Turn) -> Turn | None:
    """A turn as it may be kept: without what recall injected, and without sentences that hold a secret."""
    text = turn.text
    injected, _ = injected_spans(text)
    for start, end in reversed(injected):
        text = text[:start] + text[end:]
    if secrets.find(text):
        text = "\n".join(_lines_without_secrets(text))
    if not text.strip():
        return None
    return turn if text == turn.text else Turn(turn.role, text.strip(), turn.at, turn.surface, turn.goes_on)


def _lines_without_secrets(text: str) -> Iterator[str]:
    """Line by line and sentence by sentence; what spans lines, like a key, takes all of its lines along."""
    spans = [(finding.start, finding.end) for finding in secrets.find(text)]
    place = 0
    for line in text.splitlines(keepends=True):
        start, end = place, place + len(line)
        place = end
        if not any(begin < end and start < stop for begin, stop in spans):
            yield line.rstrip("\n")
            continue
        kept = [span for span in sentences(line, (0, len(line))) if not _touched(span, start, spans)]
        yield " ".join(line[first:last] for first, last in kept)


def _touched(sentence: tuple[int, int], offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(begin < sentence[1] + offset and sentence[0] + offset < stop for begin, stop in spans)


def _draft(item: Item, scope: Scope, session: str, surface: str | None, task_days: int | None, now: int) -> Draft:
    fades = item.memory_type is MemoryType.TASK and task_days is not None
    return Draft(
        item.text, scope, kind=item.kind, memory_type=item.memory_type, source=surface, session=session,
        capture_mode=CaptureMode.INFERRED, expires_at=now + (task_days or 0) * DAY if fades else None,
    )  # fmt: skip


def _session_id(principal: Principal, scope: Scope, key: str) -> str:
    name = "\x00".join((principal.user, str(scope), key))
    return f"ses_{blake2b(name.encode(), digest_size=13).hexdigest().upper()}"


def _entry(session: Session, principal: Principal) -> Entry:
    body = {
        "label": session.label, "summary": session.summary, "surface": session.surface, "turns": session.turns,
        "learnings": list(session.learnings), "owner": principal.user,
    }  # fmt: skip
    text = f"{session.label}\n{session.summary}"
    return Entry(SESSIONS, session.id, str(session.scope), session.saved_at, body, text, None, session.surface or "")


def _session(entry: Entry) -> Session:
    body = entry.body
    surface = body["surface"]
    learnings = body["learnings"]
    return Session(
        entry.id, str(body["label"]), str(body["summary"]), None if surface is None else str(surface),
        Scope.parse(entry.scope), entry.at, int(str(body["turns"])),
        tuple(map(str, learnings)) if isinstance(learnings, list) else (),
    )  # fmt: skip


def _turn(entry: Entry) -> Turn:
    surface, at = entry.body.get("surface"), entry.body.get("said_at")
    return Turn(
        Role(entry.state), entry.text, at if isinstance(at, int) else None, None if surface is None else str(surface)
    )


def _raw_sessions(unit: Unit, scopes: Sequence[Scope]) -> list[tuple[str, int]]:
    """Sessions that have more turns than their digest knows of, with how many more."""
    places = tuple(map(str, scopes))
    known = sum(_session(entry).turns for entry in _all(unit, Wanted(SESSIONS, places)))
    if unit.shelves.count(Wanted(TURNS, places)) <= known:
        return []
    turns = Counter(entry.parent or "" for entry in _all(unit, Wanted(TURNS, places)))
    heads = {id: unit.shelves.get(SESSIONS, id) for id in turns}
    rest = {id: count - (0 if (head := heads[id]) is None else _session(head).turns) for id, count in turns.items()}
    return sorted((id, count) for id, count in rest.items() if count > 0)


def _stored_turns(unit: Unit, id: str) -> list[Entry]:
    return sorted(_all(unit, Wanted(TURNS, parent=id)), key=lambda entry: int(entry.id.rpartition("_")[2]))


def _all(unit: Unit, wanted: Wanted) -> Iterator[Entry]:
    offset = 0
    while page := unit.shelves.page(wanted, TURN_BATCH, offset=offset):
        yield from page
        offset += len(page)


def _quotes(hits: Sequence[tuple[float, Entry]], wanted: Sequence[str]) -> tuple[str, ...]:
    """The two best turns, each around the first word that was asked for."""
    said = [entry.text for _, entry in hits if entry.shelf == TURNS]
    return tuple(_around(collapse(text), wanted) for text in said[:2])


def _around(text: str, wanted: Sequence[str]) -> str:
    if len(text) <= QUOTE_LENGTH:
        return text
    words = text.split(" ")
    first = next((place for place, word in enumerate(words) if set(terms(word)) & set(wanted)), 0)
    start = len(" ".join(words[: max(0, first - 8)]))
    piece = text[start : start + QUOTE_LENGTH - 2].strip()
    return f"{'…' if start else ''}{piece}…"
