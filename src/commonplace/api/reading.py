"""Conversations and decisions, to be read; and a conversation's teachings, to be taken back."""

from typing import Annotated, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.memories import undo_of
from commonplace.api.parameters import ApiParameters, OneParameters, scopes_of
from commonplace.api.shapes import EventOut, MemoryOut, shapes
from commonplace.book.book import Book
from commonplace.book.display_json import decision_json, event_json, left_out_json, session_json
from commonplace.decisions.decision import DecisionStatus, Impact, Inquiry
from commonplace.dialect import Whole
from commonplace.sessions.sessions import LIST_LIMIT
from commonplace.text import show_time

PAGE = 50
TURNS = 100
TURNS_LIMIT = 1_000

Cursor = Annotated[Whole | None, Field(description="next_cursor of the page before")]


class SessionsParameters(ApiParameters):
    scope: list[str] = Field(default_factory=list)
    query: Annotated[str | None, Field(description="what was said in it; then without a cursor")] = None
    limit: Annotated[Whole, Field(ge=1, le=LIST_LIMIT)] = PAGE
    cursor: Cursor = None


class SessionOut(TypedDict):
    id: str
    label: str
    summary: str
    surface: str | None
    scope: str
    saved_at: str
    held_at: str | None
    project: str | None
    project_id: str | None
    turns: int
    learnings: list[str]


class FoundSession(SessionOut):
    quotes: list[str]


class Sessions(TypedDict):
    sessions: list[FoundSession]
    total: int | None
    next_cursor: int | None


def sessions(book: Book, given: SessionsParameters) -> Sessions:
    """Conversations, the newest first; with a query those in which something like it was said, and in what words."""
    scopes = scopes_of(book, given.scope)
    if given.query is not None:
        told = book.sessions.search(given.query, scopes, limit=given.limit)
        found = [
            cast(FoundSession, {**session_json(each.session, book.principal), "quotes": [*each.quotes]})
            for each in told
        ]
        return Sessions(sessions=found, total=None, next_cursor=None)
    offset, total = given.cursor or 0, book.sessions.count(scopes)
    page = book.sessions.list(scopes, limit=given.limit, offset=offset)
    end = offset + len(page)
    return Sessions(
        sessions=[cast(FoundSession, {**session_json(each, book.principal), "quotes": []}) for each in page],
        total=total,
        next_cursor=end if page and end < total else None,
    )


class SessionParameters(OneParameters):
    left_out: Annotated[bool, Field(description="also what was looked at and not learnt; a long one takes a while")] = (
        False
    )


class LearntQuotation(TypedDict):
    text: str
    turn: int | None


class LearntOut(TypedDict):
    memory: MemoryOut
    quotation: LearntQuotation | None
    reason: str


class LeftOutOut(TypedDict):
    turn: int
    quote: str
    reason: str


class ShownSession(TypedDict):
    session: SessionOut
    learnt: list[LearntOut]
    left_out: list[LeftOutOut] | None


def session(book: Book, given: SessionParameters) -> ShownSession:
    """A conversation with what was learnt from it, in which words it was said, and what was left out and why."""
    found, _ = book.sessions.get(given.id)
    learnt = book.sessions.learnt(given.id)
    left = book.sessions.left_out(given.id) if given.left_out else None
    texts = shapes(book, [each.memory for each in learnt])
    return ShownSession(
        session=cast(SessionOut, session_json(found, book.principal)),
        learnt=[
            LearntOut(
                memory=shown,
                quotation=LearntQuotation(text=each.quote, turn=each.turn) if each.quote else None,
                reason=each.reason,
            )
            for each, shown in zip(learnt, texts, strict=True)
        ],
        left_out=None if left is None else [cast(LeftOutOut, left_out_json(each)) for each in left],
    )


class TurnsParameters(OneParameters):
    offset: Annotated[Whole, Field(ge=0)] = 0
    limit: Annotated[Whole, Field(ge=1, le=TURNS_LIMIT)] = TURNS


class TurnOut(TypedDict):
    number: int
    role: str
    text: str
    said_at: str | None


class Turns(TypedDict):
    turns: list[TurnOut]
    total: int
    next_offset: int | None


def turns(book: Book, given: TurnsParameters) -> Turns:
    """What was said in a conversation, in its order."""
    found, _ = book.sessions.get(given.id)
    said = book.sessions.turns(given.id, limit=given.limit, offset=given.offset)
    end = given.offset + given.limit
    return Turns(
        turns=[
            TurnOut(
                number=given.offset + place,
                role=turn.role.value,
                text=turn.text,
                said_at=None if turn.at is None else show_time(turn.at),
            )
            for place, turn in enumerate(said)
        ],
        total=found.turns,
        next_offset=end if end < found.turns else None,
    )


class ForgetSessionParameters(OneParameters):
    everything: Annotated[bool, Field(description="also what a person confirmed or reworded since")] = False


class ForgottenSession(TypedDict):
    session: str
    forgotten: list[MemoryOut]
    restored: list[MemoryOut]
    kept: list[MemoryOut]
    undo: str | None


def forget_session(book: Book, given: ForgetSessionParameters) -> ForgottenSession:
    """Forgets what was learnt from a conversation, which stays itself, and teaches it no more."""
    with book.undo.together() as made:
        done = book.sessions.forget(given.id, everything=given.everything)
    return ForgottenSession(
        session=done.session.id,
        forgotten=shapes(book, done.forgotten),
        restored=shapes(book, done.restored),
        kept=shapes(book, done.kept),
        undo=undo_of(made),
    )


# -- decisions --------------------------------------------------------------------------------


class DecisionsParameters(ApiParameters):
    scope: list[str] = Field(default_factory=list)
    query: str | None = None
    area: str | None = None
    impact: Literal["low", "medium", "high", "critical"] | None = None
    status: Literal["draft", "active", "superseded", "reverted"] | None = None
    tag: Annotated[list[str], Field(description="one of them is enough")] = Field(default_factory=list)
    limit: Annotated[Whole, Field(description="from 1 to 1,000")] = PAGE
    cursor: Cursor = None


class DecisionOut(TypedDict):
    id: str
    scope: str
    title: str
    owner: str
    area: str
    context: str
    decision: str
    rationale: str
    decided_at: str
    impact: str
    status: str
    alternatives: list[str]
    revert_plan: str | None
    tags: list[str]
    supersedes: str | None
    superseded_by: str | None
    revert_reason: str | None
    project: str | None


class Decisions(TypedDict):
    decisions: list[DecisionOut]
    total: int
    next_cursor: int | None


def decisions(book: Book, given: DecisionsParameters) -> Decisions:
    """The decision log, the newest first; with a query the likeliest first."""
    offset = given.cursor or 0
    inquiry = Inquiry(
        scopes_of(book, given.scope),
        given.query,
        given.area,
        None if given.impact is None else Impact(given.impact),
        None if given.status is None else DecisionStatus(given.status),
        tuple(given.tag),
        True,
        given.limit,
        offset,
    )
    found = book.decisions.query(inquiry)
    return Decisions(
        decisions=[cast(DecisionOut, decision_json(each, book.principal)) for each in found.decisions],
        total=found.total,
        next_cursor=offset + len(found.decisions) if found.has_more else None,
    )


class DecisionParameters(OneParameters):
    scope: Annotated[list[str], Field(description="where two scopes have that number")] = Field(default_factory=list)


class ShownDecision(TypedDict):
    decision: DecisionOut
    chain: list[DecisionOut]
    history: list[EventOut]


def decision(book: Book, given: DecisionParameters) -> ShownDecision:
    """A decision with what it took the place of, what took its place, and what happened to it."""
    found = book.decisions.get(given.id, scopes_of(book, given.scope))
    chain = book.decisions.chain(found.scope, found.id)
    return ShownDecision(
        decision=cast(DecisionOut, decision_json(found, book.principal)),
        chain=[cast(DecisionOut, decision_json(each, book.principal)) for each in chain],
        history=[
            cast(EventOut, event_json(each, book.principal)) for each in book.decisions.history(found.scope, found.id)
        ],
    )
