"""What happened to memories, decisions and teams.

Events carry no content, only reasons; revisions carry it. A purge erases both.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from commonplace.domain.memory import Memory
from commonplace.domain.record import Record

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
    STALE = "memory.stale"
    PURGED = "memory.purged"
    RECALLED = "memory.recalled"
    IMPORTED = "memory.imported"
    EXPORTED = "memory.exported"
    UNDONE = "memory.undone"
    EVIDENCE = "memory.evidence"
    VERIFIED = "memory.verified"
    RELATED = "memory.related"
    PROMOTED = "memory.promoted"
    CORROBORATED = "memory.corroborated"
    CONTESTED = "memory.contested"
    RESOLVED = "memory.resolved"
    DECISION_CREATED = "decision.created"
    DECISION_UPDATED = "decision.updated"
    DECISION_SUPERSEDED = "decision.superseded"
    DECISION_REVERTED = "decision.reverted"
    DECISION_REMOVED = "decision.removed"
    TEAM_CREATED = "team.created"
    TEAM_INVITED = "team.invited"
    TEAM_JOINED = "team.joined"
    TEAM_ROLE_CHANGED = "team.role_changed"
    TEAM_LEFT = "team.left"
    TEAM_MEMBER_REMOVED = "team.member_removed"
    TEAM_DELETED = "team.deleted"


class Event(Record):
    """One line of the audit log. `sequence` is its place in the log, set by the store.

    What it is about is a memory, or else an entry on a shelf: `memory_id` is the id of either.
    """

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


class Activity(Record):
    """How much has happened in a book, and when the last of it did. Any write or recall makes it another one."""

    events: int
    uses: int
    at: int | None
