"""Memories as rows of plain values and back, the same on every engine that keeps them in columns."""

import json
from typing import Any

from commonplace.codec import decode, encode, row_hash
from commonplace.errors import BookDamaged, InvalidInput
from commonplace.memory import (
    IMPLIED_TYPES,
    CaptureMode,
    Kind,
    Memory,
    MemoryType,
    Origin,
    Provenance,
    Standing,
    Status,
    Usage,
)
from commonplace.scope import Scope, ScopeKind
from commonplace.text import text_key

Value = str | int | float | bytes | None
Row = tuple[Any, ...]
"""What the driver hands over. It is typed again by `memory_of` and `Features`, and goes no further."""

STORED = (
    "number", "id", "text", "scope", "created_at", "updated_at", "owner", "kind", "memory_type", "tags",
    "category", "topic", "importance", "confidence", "priority", "pinned", "source", "surface", "actor",
    "capture_mode", "session", "origin", "standing", "status", "status_at", "status_reason", "successor",
    "confirmed_at", "expires_at", "valid_from", "valid_to", "revision",
)  # fmt: skip
DERIVED = ("recorded_at", "text_key", "hash")

EFFECTIVE_TYPE = "coalesce(m.memory_type, CASE m.kind {} ELSE '{}' END)".format(
    " ".join(f"WHEN '{kind.value}' THEN '{implied.value}'" for kind, implied in IMPLIED_TYPES.items()),
    MemoryType.FACT.value,
)
"""`Memory.effective_type` in SQL."""

MEMORY_COLUMNS = ", ".join(f"m.{name}" for name in STORED) + ", u.count, u.used_at, u.surface, u.base_confidence"

UNSETTLED = f"substr(m.scope, 1, 5) = '{ScopeKind.TEAM.value}:' AND m.standing <> '{Standing.VERIFIED.value}'"
"""What a team has not verified; what is not a team's needs no verifying."""

_DOUBT = f"CASE WHEN NOT ({UNSETTLED}) THEN 0 WHEN m.standing = '{Standing.CONTESTED.value}' THEN 2 ELSE 1 END"
_DISTRUST = " ".join(f"WHEN '{origin.value}' THEN {origin.distrust}" for origin in Origin)
_IN_A_TEAM = f"substr(m.scope, 1, {len(ScopeKind.TEAM.value) + 1}) = '{ScopeKind.TEAM.value}:'"
UNSETTLED = f"{_IN_A_TEAM} AND m.standing <> '{Standing.VERIFIED.value}'"
_DOUBT = f"CASE WHEN NOT ({UNSETTLED}) THEN 0 WHEN m.standing = '{Standing.CONTESTED.value}' THEN 2 ELSE 1 END"
FEATURE_COLUMNS = (
    "m.number, m.session, m.created_at, coalesce(m.confirmed_at, m.updated_at), "
    "coalesce(u.base_confidence, m.confidence), m.importance, m.pinned, "
    f"CASE m.origin {_DISTRUST} ELSE {len(Origin) - 1} END, {_DOUBT}, m.text_key, u.used_at"
)
"""The fields of `Features`, in their order: `Features(*row)`."""


def values_of(memory: Memory, recorded_at: int) -> tuple[Value, ...]:
    """The row a memory is stored as: `STORED`, then `DERIVED`."""
    provenance = memory.provenance
    return (
        memory.number, memory.id, memory.text, str(memory.scope), memory.created_at, memory.updated_at,
        memory.owner, memory.kind.value, memory.memory_type and memory.memory_type.value,
        json.dumps(memory.tags, ensure_ascii=False), memory.category, memory.topic, memory.importance,
        memory.confidence, memory.priority, memory.pinned, provenance.source, provenance.surface,
        provenance.actor, provenance.capture_mode and provenance.capture_mode.value, provenance.session,
        memory.origin.value, memory.standing.value, memory.status.value, memory.status_at,
        memory.status_reason, memory.successor, memory.confirmed_at, memory.expires_at, memory.valid_from,
        memory.valid_to, memory.revision, recorded_at, text_key(memory.text),
        row_hash(encode(memory)),
    )  # fmt: skip


_KINDS = {kind.value: kind for kind in Kind}
_ORIGINS = {origin.value: origin for origin in Origin}
_STANDINGS = {standing.value: standing for standing in Standing}
_STATUSES = {status.value: status for status in Status}
_UNUSED = Usage()


def memory_of(row: Row) -> Memory:
    """The memory in a row of `MEMORY_COLUMNS`."""
    try:
        return _memory_of(row)
    except (KeyError, ValueError, TypeError, AttributeError, InvalidInput) as error:
        raise BookDamaged(
            f"The row of {row[1]} is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'."
        ) from error


def _memory_of(row: Row) -> Memory:
    (
        number, id, text, scope, created_at, updated_at, owner, kind, memory_type, tags, category, topic,
        importance, confidence, priority, pinned, source, surface, actor, capture_mode, session, origin,
        standing, status, status_at, status_reason, successor, confirmed_at, expires_at, valid_from,
        valid_to, revision, count, used_at, used_surface, base_confidence,
    ) = row  # fmt: skip
    provenance = Provenance.trusted(source, surface, actor, capture_mode and CaptureMode(capture_mode), session)
    usage = _UNUSED if count is None else Usage.trusted(count, used_at, used_surface, base_confidence)
    return Memory.trusted(
        id, number, text, Scope.parse(scope), created_at, updated_at, owner, _KINDS[kind],
        memory_type and MemoryType(memory_type), () if tags == "[]" else tuple(json.loads(tags)), category, topic,
        importance, confidence, priority, bool(pinned), provenance, _ORIGINS[origin], _STANDINGS[standing],
        _STATUSES[status], status_at, status_reason, successor, confirmed_at, expires_at, valid_from, valid_to,
        revision, usage,
    )  # fmt: skip


def state_of(state: object) -> Memory:
    """The memory in a past revision."""
    try:
        return decode(state)  # type: ignore[arg-type]
    except (ValueError, TypeError, InvalidInput) as error:
        raise BookDamaged(
            "A past revision is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'."
        ) from error
