"""What was learnt from a conversation, on its way into the book: the later word before the earlier, as trust allows.

What is learnt is inferred and waits for a person. What a user wished, ruled or corrected in so many words counts as
heard, if our own hook read it from the host's own transcript. Nothing that is trusted more gives way to either: then
the new word proposes to take its place, and a person decides.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from commonplace import deadline
from commonplace.domain import corrections, trust
from commonplace.domain.ids import DAY
from commonplace.domain.memory import CaptureMode, Kind, Memory, MemoryType, Origin, RelationKind, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Scope
from commonplace.engine import intake, lifecycle
from commonplace.engine.caller import Work
from commonplace.engine.context import Context
from commonplace.engine.duplicates import Search, compared
from commonplace.engine.intake import Draft, ExactPolicy, NearPolicy, Prepared, Remembered, Repeats, Verdict
from commonplace.engine.lifecycle import PRESENT, Changes
from commonplace.ports import Embedder, Unit
from commonplace.sessions.distil import Item, unless_secret
from commonplace.sessions.entries import LEARNINGS, Learning, Session, learning_entry, learning_of
from commonplace.sessions.last_word import Stated, replaced
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import fold

REPEATS = Repeats(ExactPolicy.CASED, NearPolicy.IGNORE)
AGAIN = Repeats(ExactPolicy.NEVER, NearPolicy.IGNORE)
COMPARED_LIMIT = 300
"""Of what a conversation teaches, the last so many are compared with the book: each costs a look at it."""


class About(Record):
    """More about a conversation: the folder it was held in, and how long a task that was learnt from it keeps.

    `project_id` is the project it is about; without one, that is where the caller is, for what is theirs alone.

    `heard` is for a hook of ours to say that reads a host's own transcript, and for nobody else: then a user's explicit
    wishes and corrections do not wait for anybody. With `again` it will be looked at once more, by a model.
    """

    project: str | None = None
    task_days: int | None = None
    heard: bool = False
    project_id: str | None = None
    again: bool = False


class Talk(Record):
    """A conversation that is being saved: under which id, where, and what is known about it."""

    id: str
    scope: Scope
    surface: str | None = None
    about: About = About()


class Candidate(Record):
    """Something to be learnt, ready to be stored, with the memories that are to give way to it and why."""

    item: Item
    prepared: Prepared
    replaces: tuple[tuple[str, str], ...] = ()
    known: Memory | None = None


class Yielding(StrEnum):
    """What became of an older memory that a new word is against."""

    SUPERSEDED = "superseded"
    PROPOSED = "proposed"
    LATER = "later"
    """It was said after the new word, and stands."""


class Kept(Record):
    """What became of the candidates, and which older memories gave way or are to, once a person has said so."""

    results: tuple[Remembered, ...]
    superseded: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()


class Learnt(Record):
    """A memory that a session taught, with the turn it was said in, its words, and the reason it was chosen."""

    memory: Memory
    turn: int | None
    quote: str
    reason: str


class Forgotten(Record):
    """What was learnt from a session and is taken back: what is gone, what stands again, and what a person kept."""

    session: Session
    forgotten: tuple[Memory, ...]
    restored: tuple[Memory, ...]
    kept: tuple[Memory, ...]


def draft_of(item: Item, turn: Turn, talk: Talk, now: int) -> Draft:
    """What is to be remembered of an item, with the day and the tool of its turn."""
    # A decision is something that happened, as it is where somebody remembers one without saying its type.
    happened = item.kind is Kind.DECISION and item.memory_type is MemoryType.FACT
    said_at = None if turn.at is None else min(turn.at, now)  # what lies ahead would be hidden
    days = talk.about.task_days if item.memory_type is MemoryType.TASK else None
    return Draft(
        item.text,
        talk.scope,
        kind=item.kind,
        memory_type=MemoryType.EVENT if happened else item.memory_type,
        source=talk.surface or turn.surface,
        session=talk.id,
        capture_mode=CaptureMode.EXPLICIT if is_heard(item, turn, talk.about) else CaptureMode.INFERRED,
        expires_at=None if days is None else now + days * DAY,
        valid_from=said_at,
        project=talk.about.project_id,
    )


def is_heard(item: Item, turn: Turn, about: About) -> bool:
    """Whether a user said it in so many words, and our own hook heard them."""
    return about.heard and (item.explicit or item.corrects) and turn.role is Speaker.USER


def as_trusted(prepared: Prepared, door: Origin) -> Prepared:
    """What was heard is worth that much, unless the door is trusted less; what was inferred is so already."""
    if prepared.memory.provenance.capture_mode is not CaptureMode.EXPLICIT:
        return prepared
    return replace(prepared, memory=replace(prepared.memory, origin=trust.weaker(Origin.HEARD, door)))


# -- what is known ------------------------------------------------------------------------------


def learnt_before(unit: Unit, session: Session | None) -> dict[str, tuple[Memory, Learning | None]]:
    """What was learnt from a session when it was saved before, whatever has become of it, by id."""
    found: dict[str, tuple[Memory, Learning | None]] = {}
    for id in () if session is None else session.learnings:
        memory, entry = unit.memories.by_id(id), unit.entries.get(LEARNINGS, id)
        if memory is not None:
            found[id] = (memory, None if entry is None else learning_of(entry))
    return found


def settled(
    candidates: Sequence[Candidate],
    before: Mapping[str, tuple[Memory, Learning | None]],
    unit: Unit,
    now: int,
    embedder: Embedder | None,
) -> list[Candidate]:
    """What of the candidates is new, in their order: the last word on each thing, with what gives way to it.

    What was put away since it was learnt from this very turn is not learnt again.
    """
    standing = [(memory, why) for memory, why in before.values() if memory.status in PRESENT and why is not None]
    chosen = _last_words(candidates, standing)
    gone = {fold(memory.text): why.turn for memory, why in before.values() if memory.status not in PRESENT and why}
    start = len(chosen) - COMPARED_LIMIT
    found = []
    for place, each in enumerate(deadline.each(chosen)):
        if each.item.turn <= gone.get(fold(each.prepared.memory.text), -1):
            continue
        found.append(each if place < start else _against_book(each, unit, now, embedder))
    return found


def _last_words(candidates: Sequence[Candidate], standing: Sequence[tuple[Memory, Learning]]) -> list[Candidate]:
    """The candidates that no later one replaces, each with what it replaces of what was learnt here before."""
    texts = {fold(each.prepared.memory.text) for each in candidates}
    known = {fold(memory.text): memory for memory, _ in standing}
    older = [(memory, why) for memory, why in standing if fold(memory.text) not in texts]
    said: list[tuple[Stated, Memory | Candidate]] = [
        *((Stated(memory.text, why.turn), memory) for memory, why in older),
        *((_stated(each), each) for each in candidates),
    ]
    said.sort(key=lambda pair: pair[0].turn)
    last = replaced([stated for stated, _ in said])
    giving_way: dict[int, list[tuple[str, str]]] = {}
    for place in last:
        each, end = said[place][1], place
        memory = known.get(fold(each.prepared.memory.text)) if isinstance(each, Candidate) else each
        while end in last:
            end = last[end]
        if memory is not None:
            giving_way.setdefault(end, []).append((memory.id, "something said later in the same conversation"))
    return [
        replace(each, replaces=tuple(giving_way.get(place, ())))
        for place, (_, each) in enumerate(said)
        if isinstance(each, Candidate) and place not in last
    ]


def _stated(each: Candidate) -> Stated:
    item = each.item
    spoken = item.corrects and fold(item.quote) != fold(item.text)
    return Stated(f"{item.text}\n{item.quote}" if spoken else item.text, item.turn, item.corrects)


def _against_book(each: Candidate, unit: Unit, now: int, embedder: Embedder | None) -> Candidate:
    """A candidate with what says the same already, or what it contradicts."""
    memory = each.prepared.memory
    same = unit.memories.by_text(Filter((memory.scope,)), now, memory.text)
    if any(not memory.is_apart_from(known) for known in same):
        return each
    search = Search(Filter((memory.scope,), include_expired=False), now, embedder)
    found = compared(unit, search, memory.text, each.prepared.vector)
    whole = [near.memory for near in found.near if near.says_all]  # what may have something new is learnt
    near = [known for known in whole if known.origin.distrust <= memory.origin.distrust]
    near = [known for known in near if not memory.is_apart_from(known)]
    against = [
        (other.memory.id, other.reason)
        for other in found.contradicts
        if other.memory.valid(now) and not memory.is_apart_from(other.memory)
    ]
    return replace(each, known=near[0] if near else None, replaces=(*each.replaces, *against))


def is_known(each: Candidate, work: Work) -> bool:
    """Whether storing it would find the same in the book, from a source that is trusted as much."""
    return _same(each, work) is not None


def _same(each: Candidate, work: Work) -> Memory | None:
    known = each.known if each.known is None else work.unit.memories.by_id(each.known.id)
    if known is not None and known.status is Status.ACTIVE:
        return known
    same, new = intake.known(each.prepared, work.unit, REPEATS, work.context), each.prepared.memory
    weaker = same is not None and same.origin.distrust > new.origin.distrust
    return None if weaker and not new.origin.waits_for_confirmation else same


# -- storing ------------------------------------------------------------------------------------


def keep(candidates: Sequence[Candidate], session: str, work: Work, embedder: Embedder | None) -> Kept:
    """Store what is new, with its quotation and the reason; what is older gives way where trust allows."""
    results: list[Remembered] = []
    gone: dict[Yielding, list[str]] = {outcome: [] for outcome in Yielding}
    for each in candidates:
        result = _stored(each, work, embedder)
        results.append(result)
        if result.verdict is not Verdict.CREATED:
            _extend_expiry(work.unit, work.context, each.prepared.memory, result)
            continue
        memory, item = result.memory, each.item
        why = Learning(memory.id, session, item.turn, unless_secret(item.quote), item.reason)
        work.unit.entries.put(learning_entry(why, memory.scope, work.now))
        gone[Yielding.SUPERSEDED] += result.superseded
        corrected = []
        for id, reason in each.replaces:
            old = work.unit.memories.by_id(id)
            if old is not None and old.status in PRESENT and id != memory.id:
                outcome = _settle(work, old, memory, reason)
                gone[outcome].append(id)
                if outcome is Yielding.LATER:
                    break
                corrected.append(id)
        if corrected and item.corrects:
            # Not its quotation, which goes with the conversation.
            said = corrections.settled(memory.text, memory, corrected, work.now)
            work.unit.entries.put(corrections.entry_of(said))
    return Kept(
        tuple(results), *(tuple(dict.fromkeys(gone[each])) for each in (Yielding.SUPERSEDED, Yielding.PROPOSED))
    )


def _stored(each: Candidate, work: Work, embedder: Embedder | None) -> Remembered:
    """Stored, unless it is known; what is known from a weaker source gives way to the same words from a better one."""
    same = _same(each, work)
    if same is not None:
        return Remembered(same, Verdict.REPEATED)
    weaker = intake.known(each.prepared, work.unit, REPEATS, work.context)
    result = intake.store(each.prepared, work.unit, AGAIN, work.context, embedder)
    if weaker is None:
        return result
    _settle(work, weaker, result.memory, "heard in the user's own words")
    return replace(result, superseded=(*result.superseded, weaker.id))


def _settle(work: Work, old: Memory, new: Memory, reason: str) -> Yielding:
    """Put an older memory away, or propose to: by what the new words are worth, whoever's hand saves them.

    A transcript that is saved late may hold what was said early: then the word in the book is the later one.
    """
    own = old.owner == new.owner
    if _said_at(old) > _said_at(new):
        if own and trust.may_replace(old.origin, new.origin, old.origin):
            lifecycle.retire(work.unit, work.context, new, Status.SUPERSEDED, "said before what is known", old)
        return Yielding.LATER
    if own and trust.may_replace(new.origin, old.origin, new.origin):
        lifecycle.supersede(work.unit, replace(work.context, origin=new.origin), old, new, reason)
        return Yielding.SUPERSEDED
    lifecycle.propose(work.unit, work.context, new, old)
    return Yielding.PROPOSED


def _said_at(memory: Memory) -> int:
    return memory.created_at if memory.valid_from is None else memory.valid_from


def _extend_expiry(unit: Unit, context: Context, again: Memory, result: Remembered) -> None:
    """A task that comes up again keeps for as long as a new one would."""
    known = result.memory
    fades = known.memory_type is MemoryType.TASK and known.expires_at is not None and again.expires_at is not None
    if fades and result.verdict is Verdict.REPEATED:
        changes = Changes(expires_at=again.expires_at)
        lifecycle.update(unit, context, lifecycle.revised(context, known, changes), changes)


# -- taking back --------------------------------------------------------------------------------


def forget(work: Work, session: Session, everything: bool) -> Forgotten:
    """Forget what was learnt from a session, and let what gave way to it stand again.

    What a person has confirmed or put into words of their own since is theirs and stays, unless everything is to go.
    """
    found = [memory for memory in map(work.seek, session.learnings) if memory is not None and memory.status in PRESENT]
    kept = [memory for memory in found if memory.origin.of_a_person and not everything]
    going = [memory for memory in found if memory not in kept]
    before = [old for memory in going for old in _put_away_by(work, memory) if old.id not in session.learnings]
    reason = f"taken back with {session.id}"
    forgotten = [lifecycle.forget(work.unit, work.context, memory, reason, None) for memory in deadline.each(going)]
    restored = []
    for old in before:
        if not lifecycle.on_topic(work.unit, work.context, old)[1]:
            restored.append(lifecycle.restore(work.unit, work.context, old))
    return Forgotten(session, tuple(forgotten), tuple(restored), tuple(kept))


def _put_away_by(work: Work, memory: Memory) -> list[Memory]:
    edges = [edge for edge in work.unit.relations.of(memory.id) if edge.kind is RelationKind.SUPERSEDES]
    found = [work.seek(edge.target) for edge in edges if edge.source == memory.id]
    return [old for old in found if old is not None and old.status is Status.SUPERSEDED and old.successor == memory.id]


def drop_quotations(unit: Unit, session: Session) -> None:
    """Take away the quotations of a session that goes for good; what was learnt from it stays."""
    for id in session.learnings:
        entry = unit.entries.get(LEARNINGS, id)
        if entry is not None and entry.body.get("session") == session.id:
            unit.entries.remove(LEARNINGS, id)
