"""What Nuzo's tools answer with: records, hits and events under the names of its contract."""

from collections.abc import Mapping
from typing import NotRequired, cast

from typing_extensions import TypedDict

from commonplace.book.reader import BookReader
from commonplace.dialects.nuzo.policy import kind_name
from commonplace.domain.events import Event, EventType
from commonplace.domain.memory import Kind, Memory, Status
from commonplace.domain.query import Hit
from commonplace.domain.scope import Principal, Scope
from commonplace.text import show_time

CHANGEABLE = {"content": "text", "kind": "kind", "scope": "scope", "tags": "tags", "confidence": "confidence"}
"""The fields an update may change, and what the engine calls them."""

_EVENT_TYPES = {
    EventType.SUPERSEDED: EventType.ARCHIVED.value,
    EventType.INVALIDATED: EventType.ARCHIVED.value,
    EventType.CONFIRMED: EventType.UPDATED.value,
    EventType.RESTORED: EventType.UPDATED.value,
    EventType.FORGOTTEN: EventType.ARCHIVED.value,  # a tombstone can be restored: nothing is deleted yet
    EventType.PURGED: "memory.deleted",
}


class ItemOut(TypedDict):
    """A memory as an export document holds it."""

    scope: str
    kind: str
    content: str
    tags: list[str]
    source: str
    confidence: float
    created_at: str
    updated_at: str
    last_used_at: str | None
    archived_at: str | None


class RecordOut(ItemOut):
    id: str
    unconfirmed: NotRequired[bool]


class HitOut(TypedDict):
    id: str
    content: str
    score: float
    scope: str
    reason: str
    kind: str
    tags: list[str]
    unconfirmed: NotRequired[bool]


class EventOut(TypedDict):
    id: str
    memory_id: str | None
    event_type: str
    actor: str
    payload: dict[str, object]
    created_at: str


def item_shape(book: BookReader, memory: Memory) -> ItemOut:
    """A memory without its id, as an export holds it; `archived_at` is None while it is active."""
    used_at, archived = memory.usage.used_at, memory.status is not Status.ACTIVE
    return ItemOut(
        scope=book.principal.show(memory.scope),
        kind=kind_name(memory.kind),
        content=memory.text,
        tags=list(memory.tags),
        source=source_of(memory),
        confidence=memory.confidence,
        created_at=show_time(memory.created_at),
        updated_at=show_time(memory.updated_at),
        last_used_at=None if used_at is None else show_time(used_at),
        archived_at=show_time(memory.status_at or memory.updated_at) if archived else None,
    )


def record_shape(book: BookReader, memory: Memory) -> RecordOut:
    """An item with its id; `unconfirmed` is there only while the memory waits for a person."""
    shown = cast(RecordOut, {"id": memory.id, **item_shape(book, memory)})
    if memory.waits:
        shown["unconfirmed"] = True
    return shown


def source_of(memory: Memory) -> str:
    """Where it comes from; of a memory that names no source, the door it came through."""
    return memory.provenance.source or memory.provenance.surface


def hit_shape(book: BookReader, hit: Hit) -> HitOut:
    """A hit in the contract's shape: relevance as score, and why it was found."""
    memory = hit.memory
    shown = HitOut(
        id=memory.id,
        content=memory.text,
        score=hit.relevance,
        scope=book.principal.show(memory.scope),
        reason=reason_of(hit),
        kind=kind_name(memory.kind),
        tags=list(memory.tags),
    )
    if memory.waits:
        shown["unconfirmed"] = True
    return shown


def reason_of(hit: Hit) -> str:
    """Why it was found, in a sentence that names the words of the query."""
    words = hit.matched_words
    if not words and hit.vector_score is not None:
        return f"Close in meaning ({hit.vector_score:.2f})."
    if not words:
        return f"{hit.reason[0].upper()}{hit.reason[1:]}."
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"Matched {listed} {'term' if len(words) == 1 else 'terms'}."


def event_shape(book: BookReader, event: Event) -> EventOut:
    """An event under the contract's name for it, or under our own where it has none."""
    return EventOut(
        id=event.id,
        memory_id=event.memory_id,
        event_type=_EVENT_TYPES.get(event.type, event.type.value),
        actor=event.actor,
        payload=_payload(event, book.principal),
        created_at=show_time(event.at),
    )


def _payload(event: Event, principal: Principal) -> dict[str, object]:
    """An event's payload in the contract's shape. What a purge has taken out of the log is not made up."""
    given = event.payload
    match event.type:
        case EventType.CREATED:
            return _kind(given) | _scope(given, principal) | _kept(given, "tags")
        case EventType.UPDATED:
            return {"changed": _changed(given)} if "changed" in given else {}
        case EventType.CONFIRMED | EventType.RESTORED:
            return {"changed": dict.fromkeys(CHANGEABLE, False), "action": event.type.value}
        case EventType.IMPORTED:
            return _kept(given, "originalScope") | _scope(given, principal) | _kept(given, "archived")
        case EventType.RECALLED:
            return dict(given)
        case EventType.FORGOTTEN:
            return {"reason": given.get("reason"), "action": event.type.value}
        case _:
            return {"reason": given.get("reason")}


def _kind(given: Mapping[str, object]) -> dict[str, object]:
    return {"kind": kind_name(Kind(str(given["kind"])))} if "kind" in given else {}


def _scope(given: Mapping[str, object], principal: Principal) -> dict[str, object]:
    return {"scope": principal.show(Scope.parse(str(given["scope"])))} if "scope" in given else {}


def _kept(given: Mapping[str, object], name: str) -> dict[str, object]:
    value = given.get(name)
    return {} if value is None else {name: list(value) if isinstance(value, tuple) else value}


def _changed(given: Mapping[str, object]) -> dict[str, bool]:
    changed = given["changed"]
    asked = changed if isinstance(changed, Mapping) else {}
    return {name: bool(asked.get(ours)) for name, ours in CHANGEABLE.items()}
