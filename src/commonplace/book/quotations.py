"""In which words of a conversation a memory was said, for whoever may read that conversation."""

from commonplace.domain.memory import Memory
from commonplace.domain.record import Record
from commonplace.engine.caller import Work
from commonplace.sessions.entries import LEARNINGS, SESSIONS, TURNS, Session, learning_of, session_of, turn_id
from commonplace.text import show_time

ID_LENGTH = 64
"""No session of ours has a longer id; hosts may call theirs as they like."""


class Quotation(Record):
    """The words in which something was said in a conversation; `turn` counts from 0."""

    text: str
    session: str
    turn: int
    role: str | None
    said_at: int | None


def quotation_of(work: Work, memory: Memory) -> Quotation | None:
    """The words in which a memory was said, if it was learnt from a conversation that the caller may read.

    A memory that was given to a team does not bring along what else was said in private.
    """
    entry = work.unit.entries.get(LEARNINGS, memory.id)
    if entry is None or not entry.text:
        return None
    learning = learning_of(entry)
    session = work.unit.entries.get(SESSIONS, learning.session)
    if session is None or not (work.may_see(entry.scope) and work.may_see(session.scope)):
        return None
    turn = work.unit.entries.get(TURNS, turn_id(learning.session, learning.turn))
    at = None if turn is None else turn.body.get("said_at")
    role = None if turn is None else turn.state
    return Quotation(learning.quote, learning.session, learning.turn, role, at if isinstance(at, int) else None)


def session_seen(work: Work, id: str | None) -> Session | None:
    """A conversation by its id, if it was saved and the caller may read it."""
    if id is None or not id.isascii() or len(id) > ID_LENGTH:
        return None
    entry = work.unit.entries.get(SESSIONS, id)
    return None if entry is None or not work.may_see(entry.scope) else session_of(entry)


def quotation_json(found: Quotation) -> dict[str, object]:
    """A quotation with its time as text."""
    return {
        "text": found.text,
        "session": found.session,
        "turn": found.turn,
        "role": found.role,
        "said_at": None if found.said_at is None else show_time(found.said_at),
    }
