"""The native tool for conversations: save one, load one, or see which there are."""

from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Whole
from commonplace.dialects.native.shapes import NOTICE, fitting
from commonplace.dialects.native.tools import DEFAULT_MAX_TOKENS, NativeParameters, Scope
from commonplace.domain.memory import Memory, Status
from commonplace.engine.parse import moment
from commonplace.errors import InvalidInput
from commonplace.text import collapse, show_time

if TYPE_CHECKING:
    from commonplace.sessions.entries import Session
    from commonplace.sessions.learning import Learnt

LISTED = 5
FITTING_SUMMARY = 300  # characters of a summary in a list


class SessionParameters(NativeParameters):
    transcript: Annotated[str | None, Field(description="saves it")] = None
    key: Annotated[str | None, Field(description="names a conversation that grows")] = None
    id: Annotated[str | None, Field(description="loads it")] = None
    since: str | None = None
    surface: str | None = None
    scope: Scope = None
    limit: Whole = LISTED
    max_tokens: Whole = DEFAULT_MAX_TOKENS


class LearntOut(TypedDict):
    id: str
    text: str
    kind: str
    status: NotRequired[str]
    quote: NotRequired[str]
    reason: NotRequired[str]


class SessionOut(TypedDict):
    id: str
    label: str
    summary: str
    surface: NotRequired[str]
    scope: str
    saved_at: str
    turns: int
    learnt: int


class Sessioned(TypedDict):
    session: NotRequired[SessionOut]
    sessions: NotRequired[list[SessionOut]]
    learnt: NotRequired[list[LearntOut]]
    known: NotRequired[int]
    refused: NotRequired[int]
    superseded: NotRequired[list[str]]
    proposed: NotRequired[list[str]]
    omitted: int
    notice: str
    warnings: NotRequired[list[str]]


def session(book: Book, given: SessionParameters) -> Sessioned:
    """Saves a transcript, loads a session by its id, or with neither lists the latest."""
    if given.transcript is not None and given.id is not None:
        raise InvalidInput("Give a transcript to save or an id to load, not both.", "id")
    if given.transcript is not None:
        return _save(book, given, given.transcript)
    if given.key is not None:
        raise InvalidInput("A key goes with a transcript: give one, or leave the key out.", "key")
    return _list(book, given) if given.id is None else _load(book, given.id, given.max_tokens)


def _save(book: Book, given: SessionParameters, transcript: str) -> Sessioned:
    if not transcript.strip():
        raise InvalidInput("transcript is empty: give what was said.", "transcript")
    # Late: a host's first call need not wait for what only this one takes.
    from commonplace.sessions.transcripts import read_text

    surface = given.surface or book.door.client
    saved = book.sessions.save(
        read_text(transcript, surface=surface), book.scope(given.scope), surface=surface, key=given.key, llm=book.llm
    )
    learnt = [_learnt(result.memory) for result in saved.learnt]
    answer = Sessioned(learnt=[], known=len(saved.known), refused=saved.refused, omitted=len(learnt), notice=NOTICE)
    if saved.session is not None:
        answer["session"] = _session(book, saved.session)
    if saved.superseded:
        answer["superseded"] = list(saved.superseded)
    if saved.proposed:
        answer["proposed"] = list(saved.proposed)
    if saved.fell_back is not None:
        answer["warnings"] = [saved.fell_back]
    answer = _with_learnt(answer, learnt, given.max_tokens)
    answer["omitted"] += saved.omitted
    return answer


def _load(book: Book, id: str, max_tokens: int) -> Sessioned:
    found, _ = book.sessions.get(id)
    learnt = [_explained(each) for each in book.sessions.learnt(id)]
    answer = Sessioned(session=_session(book, found), learnt=[], omitted=len(learnt), notice=NOTICE)
    return _with_learnt(answer, learnt, max_tokens)


def _with_learnt(answer: Sessioned, learnt: list[LearntOut], max_tokens: int) -> Sessioned:
    fits = fitting(learnt, max_tokens, answer)
    answer["learnt"] = learnt[:fits]
    answer["omitted"] = len(learnt) - fits
    return answer


def _list(book: Book, given: SessionParameters) -> Sessioned:
    scopes = book.places() if given.scope is None else (book.scope(given.scope),)
    since = None if given.since is None else moment(given.since, book.now(), "since")
    found = book.sessions.list(scopes, limit=given.limit, since=since, surface=given.surface)
    shown = [_session(book, each, FITTING_SUMMARY) for each in found]
    answer = Sessioned(sessions=[], omitted=len(shown), notice=NOTICE)
    fits = fitting(shown, given.max_tokens, answer)
    answer["sessions"] = shown[:fits]
    answer["omitted"] = len(shown) - fits
    return answer


def _session(book: Book, found: "Session", length: int | None = None) -> SessionOut:
    shown = SessionOut(
        id=found.id,
        label=found.label,
        summary=found.summary[:length],
        scope=book.principal.show(found.scope),
        saved_at=show_time(found.saved_at),
        turns=found.turns,
        learnt=len(found.learnings),
    )
    if found.surface is not None:
        shown["surface"] = found.surface
    return shown


def _explained(learnt: "Learnt") -> LearntOut:
    """What was learnt with the reason, and the words it was said in where they are others."""
    shown = _learnt(learnt.memory)
    if learnt.reason:
        shown["reason"] = learnt.reason
    if learnt.quote and collapse(learnt.quote) != collapse(learnt.memory.text):
        shown["quote"] = learnt.quote
    return shown


def _learnt(memory: Memory) -> LearntOut:
    shown = LearntOut(id=memory.id, text=memory.text, kind=memory.kind.value)
    if memory.status is not Status.ACTIVE:
        shown["status"] = memory.status.value
    return shown
