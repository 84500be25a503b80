"""What stands beside the memories as rows of plain values and back: relations, events, answers, entries, tokens."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from commonplace.domain.canonical_json import dumps
from commonplace.domain.entries import Entry, body_of, body_text, entry_hash
from commonplace.domain.events import Activity, Event, EventType
from commonplace.domain.memory import Relation, RelationKind
from commonplace.domain.scope import EVERY_TEAM, Principal, Right, Scope
from commonplace.ports import KeptAnswer
from commonplace.store.rows import Row, Value

if TYPE_CHECKING:
    from commonplace.domain.token import Token

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
