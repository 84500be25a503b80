"""Sessions: saved by any tool, resumed by any other."""

from math import ceil
from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import BeforeValidator, Field, model_validator
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, whole
from commonplace.dialects.onelamp.contexts import TASK_DAYS
from commonplace.dialects.onelamp.shapes import Learning, learning, surface_of
from commonplace.errors import InvalidInput

if TYPE_CHECKING:
    from commonplace.sessions.entries import Session


class SaveParameters(Parameters):
    transcript: Annotated[str, Field(description="the whole session, or a digest of what was durable in it")]
    source_surface: str | None = None


class SavedOut(TypedDict):
    saved: int
    deduped: int
    total: int
    session_id: NotRequired[str]


def save(book: Book, given: SaveParameters) -> SavedOut:
    """Saves a session and what was learnt from it; `session_id` is missing if there was nothing to save."""
    if not given.transcript.strip():
        raise InvalidInput("transcript is empty: give the session, or a digest of it.", "transcript")
    # Late: a host's first call need not wait for what only this one takes.
    from commonplace.sessions.learning import About
    from commonplace.sessions.transcripts import read_text

    surface = surface_of(given.source_surface)
    turns = read_text(given.transcript, surface=surface)
    saved = book.sessions.save(turns, book.scope(), surface=surface, about=About(task_days=TASK_DAYS), llm=book.llm)
    count, known = len(saved.learnt), len(saved.known)
    answer = SavedOut(saved=count, deduped=known, total=count + known)
    if saved.session is not None:
        answer["session_id"] = saved.session.id
    return answer


class ResumeParameters(Parameters):
    session_id: str | None = None
    limit: Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)] = 5
    since: Annotated[float | None, Field(description="epoch milliseconds")] = None
    source_surface: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_alone(cls, given: object) -> object:
        """Whoever names a session has no use for what narrows a list, right or wrong."""
        if isinstance(given, dict) and given.get("session_id"):
            return {"session_id": given["session_id"]}
        return given


class Digest(TypedDict):
    session_id: str
    label: str
    summary: str
    source_surface: str | None
    ts: int
    learning_count: NotRequired[int]
    learnings: NotRequired[list[Learning]]


class Resumed(TypedDict):
    session: NotRequired[Digest]
    sessions: NotRequired[list[Digest]]


def resume(book: Book, given: ResumeParameters) -> Resumed:
    """One session with all it taught, or the latest ones with how many things that were."""
    if given.session_id:
        session, memories = book.sessions.get(given.session_id)
        whole = _digest(session)
        whole["learnings"] = [learning(memory) for memory in memories]
        return Resumed(session=whole)
    since = None if given.since is None else ceil(given.since)
    found = book.sessions.list(book.scopes, limit=given.limit, since=since, surface=given.source_surface or None)
    shown = []
    for session in found:
        digest = _digest(session)
        digest["learning_count"] = len(session.learnings)
        shown.append(digest)
    return Resumed(sessions=shown)


def _digest(session: "Session") -> Digest:
    return Digest(
        session_id=session.id,
        label=session.label,
        summary=session.summary,
        source_surface=session.surface,
        ts=session.saved_at,
    )
