"""Memories and what stands beside them as rows of plain values, and filters on them: what every engine says alike."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from commonplace.domain.canonical_json import decode, dumps, encode, row_hash
from commonplace.domain.entries import Entry, EntryFilter, body_of, body_text, entry_hash
from commonplace.domain.events import Activity, Event, EventType
from commonplace.domain.memory import (
    DIGITS,
    IMPLIED_TYPES,
    CaptureMode,
    Kind,
    Memory,
    MemoryType,
    Origin,
    Provenance,
    Relation,
    RelationKind,
    Standing,
    Status,
    Usage,
)
from commonplace.domain.query import Filter, Order
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope, ScopeKind
from commonplace.errors import BookDamaged, InvalidInput
from commonplace.ports import KeptAnswer
from commonplace.text import text_key

if TYPE_CHECKING:
    from commonplace.domain.token import Token

Value = str | int | float | bytes | None
Row = tuple[Any, ...]
"""What the driver hands over. It is typed again by `memory_of` and `Features`, and goes no further."""


class MemoryRow(NamedTuple):
    """A memory in columns, in the order of `MEMORY_COLUMNS`: its own, then what is known of its use."""

    number: int
    id: str
    text: str
    scope: str
    created_at: int
    updated_at: int
    owner: str
    kind: str
    memory_type: str | None
    tags: str
    category: str | None
    topic: str | None
    importance: float
    confidence: float
    priority: int
    pinned: int
    source: str | None
    surface: str
    actor: str
    capture_mode: str | None
    session: str | None
    origin: str
    standing: str
    status: str
    status_at: int | None
    status_reason: str | None
    successor: str | None
    confirmed_at: int | None
    expires_at: int | None
    valid_from: int | None
    valid_to: int | None
    revision: int
    project: str | None
    use_count: int | None
    used_at: int | None
    used_surface: str | None
    base_confidence: float | None


STORED = MemoryRow._fields[: MemoryRow._fields.index("use_count")]
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
_OF_PROJECT = f"{ScopeKind.PROJECT.value}:"
_ABOUT = (
    f"coalesce(m.project, CASE WHEN substr(m.scope, 1, {len(_OF_PROJECT)}) = '{_OF_PROJECT}' "
    f"THEN substr(m.scope, {len(_OF_PROJECT) + 1}) END)"
)
"""`Memory.about` in SQL."""

FEATURE_COLUMNS = (
    "m.number, m.session, m.created_at, coalesce(m.confirmed_at, m.updated_at), "
    "coalesce(u.base_confidence, m.confidence), m.importance, m.pinned, "
    f"CASE m.origin {_DISTRUST} ELSE {len(Origin) - 1} END, {_DOUBT}, m.text_key, u.used_at, {_ABOUT}"
)
"""The fields of `Features`, in their order: `Features(*row)`."""

WORDING_COLUMNS = (
    "m.text, coalesce(m.topic, '') || ' ' || coalesce(m.category, '') || ' ' || m.tags, "
    "coalesce(m.valid_from, m.created_at)"
)
"""The fields of `Wording`, in their order."""


def values_of(memory: Memory, recorded_at: int) -> tuple[Value, ...]:
    """The row a memory is stored as: `STORED`, then `DERIVED`."""
    provenance = memory.provenance
    return (
        memory.number,
        memory.id,
        memory.text,
        str(memory.scope),
        memory.created_at,
        memory.updated_at,
        memory.owner,
        memory.kind.value,
        memory.memory_type and memory.memory_type.value,
        json.dumps(memory.tags, ensure_ascii=False),
        memory.category,
        memory.topic,
        memory.importance,
        memory.confidence,
        memory.priority,
        memory.pinned,
        provenance.source,
        provenance.surface,
        provenance.actor,
        provenance.capture_mode and provenance.capture_mode.value,
        provenance.session,
        memory.origin.value,
        memory.standing.value,
        memory.status.value,
        memory.status_at,
        memory.status_reason,
        memory.successor,
        memory.confirmed_at,
        memory.expires_at,
        memory.valid_from,
        memory.valid_to,
        memory.revision,
        memory.project,
        recorded_at,
        text_key(memory.text),
        row_hash(encode(memory)),
    )


_KINDS = {kind.value: kind for kind in Kind}
_ORIGINS = {origin.value: origin for origin in Origin}
_STANDINGS = {standing.value: standing for standing in Standing}
_STATUSES = {status.value: status for status in Status}
_UNUSED = Usage()


def memory_of(row: Row) -> Memory:
    """The memory in a row of `MEMORY_COLUMNS`."""
    try:
        return _memory_of(MemoryRow._make(row))
    except (KeyError, ValueError, TypeError, AttributeError, InvalidInput) as error:
        raise BookDamaged(
            f"The row of {row[1]} is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'."
        ) from error


def _memory_of(row: MemoryRow) -> Memory:
    mode, kind = row.capture_mode, row.memory_type
    return Memory.trusted(
        row.id,
        row.number,
        row.text,
        Scope.parse(row.scope),
        row.created_at,
        row.updated_at,
        row.owner,
        _KINDS[row.kind],
        kind and MemoryType(kind),
        () if row.tags == "[]" else tuple(json.loads(row.tags)),
        row.category,
        row.topic,
        row.importance,
        row.confidence,
        row.priority,
        bool(row.pinned),
        Provenance.trusted(row.source, row.surface, row.actor, mode and CaptureMode(mode), row.session),
        _ORIGINS[row.origin],
        _STANDINGS[row.standing],
        _STATUSES[row.status],
        row.status_at,
        row.status_reason,
        row.successor,
        row.confirmed_at,
        row.expires_at,
        row.valid_from,
        row.valid_to,
        row.revision,
        row.project,
        _UNUSED if row.use_count is None else Usage.trusted(*row[-4:]),
    )


def state_of(state: object) -> Memory:
    """The memory in a past revision."""
    try:
        return decode(state)  # type: ignore[arg-type]
    except (ValueError, TypeError, InvalidInput) as error:
        raise BookDamaged(
            "A past revision is damaged: run 'commonplace doctor', then 'commonplace restore-backup FILE'."
        ) from error


# -- beside memories --------------------------------------------------------------------------

RELATION_COLUMNS = "id, source, target, kind, reason, created_at"
EVENT_COLUMNS = "id, type, memory_id, actor, at, payload"
ENTRY_COLUMNS = "e.shelf, e.id, e.scope, e.at, e.body, e.text, e.parent, e.state"
ENTRY_WRITTEN = "shelf, id, scope, parent, state, at, text, body, hash"

ONLY_PROJECT = "only_project"
_KEPT_AFTER_PURGE = ("kind", "scope")


def relation_values(relation: Relation) -> tuple[Value, ...]:
    """The row a relation is stored as: `RELATION_COLUMNS`."""
    return (
        relation.id,
        relation.source,
        relation.target,
        relation.kind.value,
        relation.reason,
        relation.created_at,
    )


def relation_of(row: Row) -> Relation:
    """The relation in a row of `RELATION_COLUMNS`."""
    id, source, target, kind, reason, at = row
    return Relation(id, source, target, RelationKind(kind), reason, at)


def event_values(event: Event) -> tuple[Value, ...]:
    """The row an event is stored as: `EVENT_COLUMNS`."""
    return event.id, event.type.value, event.memory_id, event.actor, event.at, dumps(dict(event.payload))


def event_of(row: Row) -> Event:
    """The event in a row of `EVENT_COLUMNS`, followed by its place in the log."""
    id, type, memory, actor, at, payload, sequence = row
    return Event(id, EventType(type), memory, actor, at, json.loads(payload), sequence)


def scrubbed(payload: str) -> str:
    """What an event may still say of a memory that was purged."""
    data = json.loads(payload)
    return dumps({name: data[name] for name in _KEPT_AFTER_PURGE if name in data})


def activity_of(last: Row | None, uses: int, used_at: int | None) -> Activity:
    """From the place and time of the last event, and how often and when memories were used."""
    sequence, at = last or (0, None)
    return Activity(sequence, uses, max((moment for moment in (at, used_at) if moment is not None), default=None))


def answer_of(row: Row) -> KeptAnswer:
    """What a key was used for, from its digest and the ids as JSON."""
    digest, ids = row
    return KeptAnswer(digest, tuple(json.loads(ids)))


def entry_values(entry: Entry) -> tuple[Value, ...]:
    """The row an entry is stored as: `ENTRY_WRITTEN`."""
    return (
        entry.shelf,
        entry.id,
        entry.scope,
        entry.parent,
        entry.state,
        entry.at,
        entry.text,
        body_text(entry),
        entry_hash(entry),
    )


def entry_of(row: Sequence[Any]) -> Entry:
    """The entry in a row of `ENTRY_COLUMNS`."""
    shelf, id, scope, at, body, text, parent, state = row
    return Entry.trusted(shelf, id, scope, at, body_of(body), text, parent, state)


def token_values(token: "Token") -> tuple[object, ...]:
    """The row a token is stored as.

    That it is bound to its project stands among the rights: a version that does not know it refuses the token.
    """
    who = token.principal
    bound = () if who.only_project is None else (ONLY_PROJECT,)
    return (
        token.id,
        token.digest,
        token.label,
        who.tenant,
        who.user,
        json.dumps(who.teams),
        json.dumps([*sorted(right.value for right in who.rights), *bound]),
        None if token.project is None else str(token.project),
        token.created_at,
        token.expires_at,
        token.revoked_at,
    )


def token_of(row: Row) -> "Token":
    """The inverse of `token_values`. One that says it is bound to a project, and not to which, may do nothing."""
    from commonplace.domain.token import Token  # for who comes in by the network

    id, digest, label, tenant, user, teams, stored, project, created_at, expires_at, revoked_at = row
    place = None if project is None else Scope.parse(project)
    words = json.loads(stored)
    bound = place if ONLY_PROJECT in words else None
    lost = bound is None and ONLY_PROJECT in words
    rights = frozenset(Right(word) for word in words if word != ONLY_PROJECT and not lost)
    named = tuple(team for team in json.loads(teams) if team != EVERY_TEAM)  # older versions made tokens in every team
    principal = Principal.bearer(tenant, user, named, rights, bound)
    return Token(id, digest, label, principal, place, created_at, expires_at, revoked_at)


# -- filters and orders as SQL, but for how an engine marks a value (`?` or `%s`) --------------

Condition = tuple[str, tuple[Value, ...]]
"""A condition, and the values for its marks."""

ORDERINGS = {
    Order.NEWEST: "m.created_at DESC, m.number DESC",
    Order.OLDEST: "m.created_at, m.number",
    Order.UPDATED: "m.updated_at DESC, m.number DESC",
}
_BEHIND = {Order.NEWEST: ("<", "created_at"), Order.OLDEST: (">", "created_at"), Order.UPDATED: ("<", "updated_at")}


def choices(filter: Filter) -> list[tuple[str, list[str]]]:
    """Which columns must have one of which values; how "one of" is said is the engine's."""
    wanted = (
        ("m.status", filter.statuses),
        ("m.kind", filter.kinds),
        (EFFECTIVE_TYPE, filter.memory_types),
        ("m.origin", filter.origins),
    )
    chosen = [(column, [each.value for each in values]) for column, values in wanted if values]
    return [("m.scope", [str(scope) for scope in filter.scopes]), *chosen]


def conditions(filter: Filter, now: int, mark: str) -> list[Condition]:
    """What a filter asks of the columns of `memories AS m` themselves."""
    compared = (
        ("m.category =", filter.category),
        ("m.topic =", filter.topic),
        ("m.session =", filter.session),
        ("m.created_at >=", filter.created_since),
        ("m.created_at <", filter.created_until),
    )
    found: list[Condition] = [(f"{column} {mark}", (value,)) for column, value in compared if value is not None]
    if filter.source is not None:
        of_a_line = f"rtrim(m.source, '{DIGITS}') = {mark}"  # notes.md:12, where notes.md is asked for
        found.append((f"(m.source = {mark} OR {of_a_line})", (filter.source, f"{filter.source}:")))
    if filter.only_expired:
        found.append((f"m.expires_at <= {mark}", (now,)))
    elif not filter.include_expired:
        found.append((f"(m.expires_at IS NULL OR m.expires_at > {mark})", (now,)))
    if filter.automatic:
        found.append((f"NOT {WAITS}", ()))
    if filter.waiting:
        found.append((WAITS, ()))
    if filter.projects:
        marks = ", ".join([mark] * len(filter.projects))
        scopes = (f"{ScopeKind.PROJECT.value}:{project}" for project in filter.projects)
        about = f"(m.project IN ({marks}) OR m.project IS NULL AND m.scope IN ({marks}))"
        found.append((about, (*filter.projects, *scopes)))
    if filter.verified_only:
        found.append((f"NOT ({UNSETTLED})", ()))
    if filter.valid_at is not None:
        valid = f"(m.valid_from IS NULL OR m.valid_from <= {mark}) AND (m.valid_to IS NULL OR m.valid_to > {mark})"
        found.append((valid, (filter.valid_at, filter.valid_at)))
    return found


def entry_conditions(wanted: EntryFilter, mark: str) -> list[Condition]:
    """The same for `entries AS e`, but for the scopes and states, which are lists."""
    compared = (("e.parent =", wanted.parent), ("e.at >=", wanted.since), ("e.at <", wanted.until))
    return [(f"{column} {mark}", (value,)) for column, value in compared if value is not None]


def behind(order: Order, mark: str) -> str:
    """What comes after a memory in an order; its marks are for the tenant and the number of that memory."""
    comparison, column = _BEHIND[order]
    return (
        f"(m.{column}, m.number) {comparison} "
        f"(SELECT {column}, number FROM memories WHERE tenant = {mark} AND number = {mark})"
    )


def beside(condition: str) -> str:
    """Two columns: the numbers just before and just after `x` in its session, of those that meet the condition."""
    return ", ".join(
        f"(SELECT m.number FROM memories AS m WHERE m.session = x.session AND m.number {comparison} x.number "
        f"AND m.scope = x.scope AND {condition} ORDER BY m.number {direction} LIMIT 1)"
        for comparison, direction in (("<", "DESC"), (">", "ASC"))
    )


def any_with(column: Literal["topic", "session", "entry", "project"], mark: str) -> str:
    """Whether a tenant has any memory with a topic, or of a session; an entry that recall looks through; a project."""
    if column == "project":
        return f"SELECT 1 FROM entries WHERE tenant = {mark} AND shelf = '{column}' LIMIT 1"
    if column == "entry":
        return f"SELECT 1 FROM entry_counts WHERE tenant = {mark} LIMIT 1"
    return f"SELECT 1 FROM memories WHERE tenant = {mark} AND {column} IS NOT NULL LIMIT 1"
