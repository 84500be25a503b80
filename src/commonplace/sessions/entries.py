"""A conversation on the shelves: its digest and its turns as entries, and back."""

from collections.abc import Iterable, Sequence
from hashlib import blake2b

from commonplace import deadline
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.paging import each_entry
from commonplace.ports import Unit
from commonplace.sessions.transcripts import Speaker, Turn

SESSIONS, TURNS, LEARNINGS = "session", "turn", "learning"
CUT = "cut"  # the mark of a turn that a purge took words out of
UNFINISHED = "unfinished_session"  # begun to be saved, under its own id, until its digest is there


class Session(Record):
    """A saved conversation: its digest, and the ids of what was learnt from it.

    `held_at` is when it began and `project` the folder it was held in, where its transcript tells; `fingerprint` is of
    all that was said, to know it again; `project_id` is the project that it is about. It was `heard` if our own hook
    read it from the host's own transcript.
    """

    id: str
    label: str
    summary: str
    surface: str | None
    scope: Scope
    saved_at: int
    turns: int
    learnings: tuple[str, ...]
    held_at: int | None = None
    project: str | None = None
    fingerprint: str = ""
    project_id: str | None = None
    heard: bool = False


class Learning(Record):
    """Why something was learnt: in which turn of which session it was said, in what words, and which signs chose it."""

    memory_id: str
    session: str
    turn: int
    quote: str
    reason: str


def turn_id(session: str, number: int) -> str:
    """The id of a turn, which says where in which session it stands."""
    return f"{session}_{number}"


def turn_entry(session: str, number: int, turn: Turn, scope: Scope, now: int) -> Entry:
    """A turn for the shelf, found by its words, that goes when its session goes."""
    body: dict[str, object] = {"role": turn.role.value, "surface": turn.surface, "said_at": turn.at}
    if turn.goes_on:
        body["goes_on"] = True
    return Entry(TURNS, turn_id(session, number), str(scope), now, body, turn.text, session, turn.role.value)


def session_entry(session: Session, principal: Principal) -> Entry:
    """A session for the shelf, found by its label and summary. Its turns are entries of their own."""
    body = {
        "label": session.label,
        "summary": session.summary,
        "surface": session.surface,
        "turns": session.turns,
        "learnings": list(session.learnings),
        "owner": principal.user,
        "held_at": session.held_at,
        "project": session.project,
        "fingerprint": session.fingerprint,
        "project_id": session.project_id,
        **({"heard": True} if session.heard else {}),
    }
    text = f"{session.label}\n{session.summary}"
    return Entry(SESSIONS, session.id, str(session.scope), session.saved_at, body, text, None, session.surface or "")


def owner_of(entry: Entry) -> str:
    """Whose conversation a digest is of."""
    return str(entry.body["owner"])


def session_of(entry: Entry) -> Session:
    """What was stored, as a session, without its turns."""
    body = entry.body
    learnings, held_at = body["learnings"], body.get("held_at")
    return Session(
        entry.id,
        str(body["label"]),
        str(body["summary"]),
        _text(body["surface"]),
        Scope.parse(entry.scope),
        entry.at,
        int(str(body["turns"])),
        tuple(map(str, learnings)) if isinstance(learnings, list) else (),
        held_at if isinstance(held_at, int) else None,
        _text(body.get("project")),
        _text(body.get("fingerprint")) or "",
        _text(body.get("project_id")),
        body.get("heard") is True,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def fingerprint(said: Iterable[Turn]) -> str:
    """The same for the same turns in the same order."""
    seen = blake2b(digest_size=16)
    for turn in deadline.each(said):
        seen.update(f"{turn.role.value}\x00{len(turn.text)}\x00{turn.text}".encode("utf-8", "replace"))
    return seen.hexdigest()


def learning_entry(learning: Learning, scope: Scope, now: int) -> Entry:
    """Why a memory was learnt, found by its quotation; it goes when the memory goes for good."""
    body = {"session": learning.session, "turn": learning.turn, "reason": learning.reason}
    return Entry(LEARNINGS, learning.memory_id, str(scope), now, body, learning.quote, learning.memory_id)


def learning_of(entry: Entry) -> Learning:
    """What was stored, as a learning."""
    body = entry.body
    return Learning(entry.id, str(body["session"]), int(str(body["turn"])), entry.text, str(body["reason"]))


def cut_turns(unit: Unit, session: str) -> dict[int, Turn]:
    """The turns of a session that a purge took words out of, by their place."""
    return {place: turn_of(entry) for place, entry in enumerate(stored_turns(unit, session)) if entry.body.get(CUT)}


def turn_of(entry: Entry) -> Turn:
    """What was stored, as a turn; when it was said is None if the transcript did not tell."""
    at = entry.body.get("said_at")
    return Turn(
        Speaker(entry.state),
        entry.text,
        at if isinstance(at, int) else None,
        _text(entry.body.get("surface")),
        entry.body.get("goes_on") is True,
    )


def raw_sessions(unit: Unit, scopes: Sequence[Scope]) -> list[tuple[str, int]]:
    """Sessions that have more turns than their digest knows of, with how many more."""
    found = []
    for begun in each_entry(unit, EntryFilter(UNFINISHED, tuple(map(str, scopes)))):
        head = unit.entries.get(SESSIONS, begun.id)
        known = 0 if head is None else session_of(head).turns
        found.append((begun.id, unit.entries.count(EntryFilter(TURNS, parent=begun.id)) - known))
    return sorted((id, count) for id, count in found if count > 0)


def unfinished_entry(session: str, scope: Scope, now: int, project_id: str | None) -> Entry:
    """A note that a session is being saved, and what it is about, for whoever finds it half done."""
    return Entry(UNFINISHED, session, str(scope), now, {} if project_id is None else {"project_id": project_id})


def project_of_unfinished(unit: Unit, session: str) -> str | None:
    """The project that a session is about which was begun to be saved."""
    entry = unit.entries.get(UNFINISHED, session)
    return None if entry is None else _text(entry.body.get("project_id"))


def stored_turns(unit: Unit, id: str) -> list[Entry]:
    """The turns of a session by their number: entries by time would mix those of one moment."""
    return sorted(each_entry(unit, EntryFilter(TURNS, parent=id)), key=lambda entry: int(entry.id.rpartition("_")[2]))
