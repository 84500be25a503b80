"""What happened to memories. Events carry no content, only reasons; revisions carry it. A purge erases both."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from commonplace.memory import Memory
from commonplace.record import Record

Plain = str | int | float | bool | None | tuple[str, ...] | Mapping[str, bool]


class EventType(StrEnum):
    CREATED = "memory.created"
    UPDATED = "memory.updated"
    CONFIRMED = "memory.confirmed"
    SUPERSEDED = "memory.superseded"
    INVALIDATED = "memory.invalidated"
    ARCHIVED = "memory.archived"
    RESTORED = "memory.restored"
    FORGOTTEN = "memory.forgotten"
    PURGED = "memory.purged"
    RECALLED = "memory.recalled"
    IMPORTED = "memory.imported"
    EXPORTED = "memory.exported"
    UNDONE = "memory.undone"


class Event(Record):
    """One line of the audit log. `sequence` is its place in the log, set by the store."""

    id: str
    type: EventType
    memory_id: str | None
    actor: str
    at: int
    payload: Mapping[str, Plain] = MappingProxyType({})
    sequence: int = 0


class Revision(Record):
    """A memory as it stood from `recorded_at` on, until the next revision."""

    memory: Memory
    recorded_at: int
