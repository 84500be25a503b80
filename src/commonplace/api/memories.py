"""One memory: written down, looked at, its history, changed."""

from collections.abc import Sequence
from typing import Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.parameters import ApiParameters, OneParameters
from commonplace.api.shapes import EventOut, MemoryOut, StateOut, shape, shapes
from commonplace.book.around import Around, around, ground_json
from commonplace.book.book import Book
from commonplace.book.display_json import event_json, revision_json
from commonplace.book.quotations import quotation_json
from commonplace.dialect import Whole
from commonplace.domain.events import Event
from commonplace.domain.memory import Kind
from commonplace.engine.fields import KindName
from commonplace.engine.lifecycle import Changes
from commonplace.engine.parse import expiry, moment
from commonplace.errors import InvalidInput
from commonplace.sessions.entries import Session
from commonplace.text import show_time

# -- remember ---------------------------------------------------------------------------------


class RememberParameters(ApiParameters):
    text: str
    scope: str | None = None
    kind: KindName | None = None
    tags: list[str] | None = None
    topic: str | None = None
    importance: float | None = None
    pinned: bool | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    expires_at: Annotated[str | None, Field(description="a time, or 7d for in seven days")] = None
    replaces: Annotated[str | None, Field(description="the id of the memory that it takes the place of")] = None


class NearOut(MemoryOut):
    similarity: float


class ContradictedOut(MemoryOut):
    reason: str


class Remembered(TypedDict):
    memory: MemoryOut
    outcome: str
    near: list[NearOut]
    contradicts: list[ContradictedOut]
    warnings: list[str]
    undo: str | None


def remember(book: Book, given: RememberParameters) -> Remembered:
    """Writes one thing down, or says which memory knows it already, what is near it and what it contradicts."""
    fields = given.model_dump(exclude_none=True, exclude={"text", "scope", "replaces"})
    with book.undo.together() as made:
        result = book.remember(given.text, scope=given.scope, replaces=given.replaces, **fields)
    near = [*result.near, *result.previously_corrected]
    like = zip(shapes(book, [each.memory for each in near]), near, strict=True)
    against = zip(shapes(book, [each.memory for each in result.contradicts]), result.contradicts, strict=True)
    return Remembered(
        memory=shape(book, result.memory),
        outcome=result.verdict.value,
        near=[NearOut(**shown, similarity=each.similarity) for shown, each in like],
        contradicts=[ContradictedOut(**shown, reason=each.reason) for shown, each in against],
        warnings=list(result.warnings),
        undo=undo_of(made),
    )


def undo_of(made: Sequence[str]) -> str | None:
    """What to take back to undo all that was written together; nothing if nothing was."""
    return made[-1] if made else None


# -- show -------------------------------------------------------------------------------------


class QuotationOut(TypedDict):
    text: str
    session: str
    turn: int
    role: str | None
    said_at: str | None


class SessionName(TypedDict):
    id: str
    title: str
    saved_at: str


class LinesOut(TypedDict):
    first: int
    last: int


class EvidenceOut(TypedDict):
    id: str
    type: str
    source: str
    lines: LinesOut | None
    snippet: str | None
    status: str
    detail: str | None
    checked_at: str | None


class RelationOut(TypedDict):
    kind: str
    direction: str
    memory: MemoryOut
    reason: str | None
    created_at: str


class Shown(TypedDict):
    memory: MemoryOut
    why_waiting: str | None
    quotation: QuotationOut | None
    session: SessionName | None
    evidence: list[EvidenceOut]
    replaced: list[MemoryOut]
    replaced_by: MemoryOut | None
    proposals: list[MemoryOut]
    relations: list[RelationOut]


def show(book: Book, given: OneParameters) -> Shown:
    """A memory with all that stands around it, as far as the caller may see that."""
    found = around(book.caller, given.id)
    return Shown(
        memory=shape(book, found.memory),
        why_waiting=None if found.why_waiting is None else found.why_waiting.value,
        quotation=None if found.quotation is None else cast(QuotationOut, quotation_json(found.quotation)),
        session=None if found.session is None else _session_name(found.session),
        evidence=[cast(EvidenceOut, ground_json(each)) for each in found.evidence],
        replaced=shapes(book, found.replaced),
        replaced_by=None if found.replaced_by is None else shape(book, found.replaced_by),
        proposals=shapes(book, found.proposals),
        relations=_relations(book, found),
    )


def _session_name(session: Session) -> SessionName:
    return SessionName(id=session.id, title=session.label, saved_at=show_time(session.saved_at))


def _relations(book: Book, found: Around) -> list[RelationOut]:
    others = shapes(book, [other for _, other in found.relations])
    return [
        RelationOut(
            kind=edge.kind.value,
            direction="from" if edge.source == found.memory.id else "to",
            memory=shown,
            reason=edge.reason,
            created_at=show_time(edge.created_at),
        )
        for (edge, _), shown in zip(found.relations, others, strict=True)
    ]


class RevisionOut(TypedDict):
    recorded_at: str
    actor: str | None
    memory: StateOut


class History(TypedDict):
    revisions: list[RevisionOut]
    events: list[EventOut]


def history(book: Book, given: OneParameters) -> History:
    """Every state of a memory, and what happened to it, the oldest first. Of a purged one only the events are left."""
    events = book.history(given.id)
    if events and events[-1].type.value == "memory.purged":
        return History(revisions=[], events=[_event(book, each) for each in events])
    past = book.revisions(given.id)
    actors = {each.at: each.actor for each in events}
    return History(
        revisions=[
            cast(RevisionOut, {**revision_json(each, book.principal), "actor": actors.get(each.recorded_at)})
            for each in past
        ],
        events=[_event(book, each) for each in events],
    )


# -- update -----------------------------------------------------------------------------------


class UpdateParameters(OneParameters):
    """What is to change; what is left out stays. An empty text clears what may be empty."""

    expected_revision: Whole
    text: str | None = None
    kind: KindName | None = None
    tags: list[str] | None = None
    topic: Annotated[str | None, Field(description="empty: none")] = None
    category: Annotated[str | None, Field(description="empty: none")] = None
    importance: float | None = None
    pinned: bool | None = None
    valid_from: Annotated[str | None, Field(description="empty: none")] = None
    valid_to: Annotated[str | None, Field(description="empty: none")] = None
    expires_at: Annotated[str | None, Field(description="a time, or 7d for in seven days; empty: never")] = None
    scope: str | None = None
    project: Annotated[str | None, Field(description="a project by name; empty: none")] = None


class Updated(TypedDict):
    memory: MemoryOut
    undo: str | None


def update(book: Book, given: UpdateParameters) -> Updated:
    """Changes what is named, if the memory still is at the revision that was read."""
    changes = _changes(book, given)
    if not changes.asked():
        raise InvalidInput("Nothing to update: name at least one field.")
    with book.undo.together() as made:
        memory = book.update(given.id, changes, expected_revision=given.expected_revision)
    return Updated(memory=shape(book, memory), undo=undo_of(made))


def _changes(book: Book, given: UpdateParameters) -> Changes:
    now = book.now()
    asked: dict[str, object] = given.model_dump(
        exclude_none=True, include={"text", "importance", "pinned", "topic", "category"}
    )
    for name in ("topic", "category"):
        if asked.get(name) == "":
            asked[name] = None
    for name in ("valid_from", "valid_to"):
        text = getattr(given, name)
        if text is not None:
            asked[name] = moment(text, now, name) if text else None
    if given.expires_at is not None:
        asked["expires_at"] = expiry(given.expires_at, now, "expires_at") if given.expires_at else None
    if given.kind is not None:
        asked["kind"] = Kind(given.kind)
    if given.tags is not None:
        asked["tags"] = tuple(given.tags)
    if given.scope is not None:
        asked["scope"] = book.scope(given.scope)
    if given.project is not None:
        asked["project"] = book.project_ids(given.project)[0] if given.project else None
    return Changes(**asked)  # type: ignore[arg-type]


def _event(book: Book, event: Event) -> EventOut:
    return cast(EventOut, event_json(event, book.principal))
