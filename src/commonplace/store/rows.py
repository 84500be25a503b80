"""Memories as rows of plain values and back, the same on every engine that keeps them in columns."""

import json
from typing import Any

from commonplace.domain.canonical_json import decode, encode, row_hash
from commonplace.domain.memory import (
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
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope, ScopeKind
from commonplace.domain.token import Token
from commonplace.errors import BookDamaged, InvalidInput
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
ONLY_PROJECT = "only_project"
DERIVED = ("recorded_at", "text_key", "hash")

EFFECTIVE_TYPE = "coalesce(m.memory_type, CASE m.kind {} ELSE '{}' END)".format(
    " ".join(f"WHEN '{kind.value}' THEN '{implied.value}'" for kind, implied in IMPLIED_TYPES.items()),
    MemoryType.FACT.value,
)
"""`Memory.effective_type` in SQL."""

MEMORY_COLUMNS = ", ".join(f"m.{name}" for name in STORED) + ", u.count, u.used_at, u.surface, u.base_confidence"

_TRUSTED = ", ".join(f"'{origin.value}'" for origin in Origin if not origin.waits_for_confirmation)
WAITS = (
    f"(m.origin NOT IN ({_TRUSTED}) OR m.origin = '{Origin.AGENT.value}' AND (m.pinned "
    f"OR m.kind = '{Kind.INSTRUCTION.value}' OR coalesce(m.memory_type, '') = '{MemoryType.INSTRUCTION.value}'))"
)
"""`Memory.waits` in SQL."""

_DISTRUST = " ".join(f"WHEN '{origin.value}' THEN {origin.distrust}" for origin in Origin)
_IN_A_TEAM = f"substr(m.scope, 1, {len(ScopeKind.TEAM.value) + 1}) = '{ScopeKind.TEAM.value}:'"
UNSETTLED = f"{_IN_A_TEAM} AND m.standing <> '{Standing.VERIFIED.value}'"
"""What a team has not verified; what is not a team's needs no verifying."""

_DOUBT = f"CASE WHEN NOT ({UNSETTLED}) THEN 0 WHEN m.standing = '{Standing.CONTESTED.value}' THEN 2 ELSE 1 END"
FEATURE_COLUMNS = (
    "m.number, m.session, m.created_at, coalesce(m.confirmed_at, m.updated_at), "
    "coalesce(u.base_confidence, m.confidence), m.importance, m.pinned, "
    f"CASE m.origin {_DISTRUST} ELSE {len(Origin) - 1} END, {_DOUBT}, m.text_key, u.used_at"
)
"""The fields of `Features`, in their order: `Features(*row)`."""


def token_values(token: Token) -> tuple[object, ...]:
    """The row a token is stored as.

    That it is bound to its project stands among the rights: a version that does not know it refuses the token.
    """
    who = token.principal
    bound = () if who.only_project is None else (ONLY_PROJECT,)
    return (
        token.id, token.digest, token.label, who.tenant, who.user, json.dumps(who.teams),
        json.dumps([*sorted(right.value for right in who.rights), *bound]),
        None if token.project is None else str(token.project), token.created_at, token.expires_at, token.revoked_at,
    )  # fmt: skip


def token_of(row: Row) -> Token:
    """The inverse of `token_values`. One that says it is bound to a project, and not to which, may do nothing."""
    id, digest, label, tenant, user, teams, stored, project, created_at, expires_at, revoked_at = row
    place = None if project is None else Scope.parse(project)
    words = json.loads(stored)
    bound = place if ONLY_PROJECT in words else None
    lost = bound is None and ONLY_PROJECT in words
    rights = frozenset(Right(word) for word in words if word != ONLY_PROJECT and not lost)
    named = tuple(team for team in json.loads(teams) if team != EVERY_TEAM)  # older versions made tokens in every team
    principal = Principal.bearer(tenant, user, named, rights, bound)
    return Token(id, digest, label, principal, place, created_at, expires_at, revoked_at)


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
