"""The contract's words for types, scopes, statuses and ids, and what they mean in the book."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, WithJsonSchema

from commonplace.book.book import Book
from commonplace.dialects.snipara.refusals import Refusal, unknown_memory, unsupported
from commonplace.domain.memory import Kind, Memory, Status
from commonplace.domain.scope import Scope, ScopeKind

TYPES: Mapping[str, Kind] = {
    "fact": Kind.FACT,
    "decision": Kind.DECISION,
    "learning": Kind.LEARNING,
    "preference": Kind.PREFERENCE,
    "todo": Kind.TASK,
    "context": Kind.CONTEXT,
}
_SHOWN_AS = {Kind.EVENT: "context", Kind.INSTRUCTION: "learning", Kind.NOTE: "fact"}
_NAMES: Mapping[Kind, str] = {**{kind: name for name, kind in TYPES.items()}, **_SHOWN_AS}
SCOPES = tuple(kind.value for kind in (ScopeKind.AGENT, ScopeKind.PROJECT, ScopeKind.TEAM, ScopeKind.USER))
KNOWN = tuple(status for status in Status if status is not Status.FORGOTTEN)
"""What the contract can see: a tombstone of another door is gone here."""

OTHER_ID = "mem_v2_"

TypeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(TYPES)})]
ScopeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(SCOPES)})]
AgentId = Annotated[str | None, Field(description="with scope agent: whose memory")]
TeamId = Annotated[str | None, Field(description="with scope team, if you are in several")]


def kind_of(name: str) -> Kind:
    """Our kind for a word of the contract, in capitals or not; Refusal that names them all otherwise."""
    kind = TYPES.get(name.strip().lower())
    if kind is None:
        raise unsupported("type", "memory type", name, TYPES)
    return kind


def type_of(kind: Kind) -> str:
    """The contract's word for a kind: every kind has one."""
    return _NAMES[kind]


def kinds_shown_as(name: str | None) -> tuple[Kind, ...]:
    """Every kind that shows as this type; any, if none is named."""
    if name is None:
        return ()
    shown = type_of(kind_of(name))
    return tuple(kind for kind in Kind if type_of(kind) == shown)


def status_of(name: str) -> Status:
    """Our status for a word of the contract, in capitals or not; Refusal that names them all otherwise."""
    for status in KNOWN:
        if status.value == name.strip().lower():
            return status
    raise unsupported("status", "memory status", name, (status.name for status in KNOWN))


# -- scopes -----------------------------------------------------------------------------------


def written_to(book: Book, scope: str, agent_id: str | None, team_id: str | None) -> Scope:
    """The one place a memory goes to."""
    scopes = looked_in(book, scope, agent_id, team_id)
    if len(scopes) > 1:
        named = ", ".join(each.id for each in scopes)
        raise Refusal(f"scope=team requires a team_id: you are in {named}, so name one of them.")
    return scopes[0]


def looked_in(book: Book, scope: str | None, agent_id: str | None, team_id: str | None) -> tuple[Scope, ...]:
    """Where a read looks: where it is told, else in the user's, the project's and the teams' memory and the agent's."""
    match scope if scope is None else scope.strip().lower():
        case None:
            agent = () if agent_id is None else (_agent(book, agent_id),)
            return (*book.scopes, *book.team_scopes(), *agent)
        case ScopeKind.AGENT.value:
            return (_agent(book, agent_id),)
        case ScopeKind.TEAM.value:
            return _team(book, team_id)
        case ScopeKind.PROJECT.value | ScopeKind.USER.value as own:
            return (book.scope(own),)
        case other:
            raise unsupported("scope", "memory scope", other, SCOPES)


def _agent(book: Book, agent_id: str | None) -> Scope:
    if agent_id is None or not agent_id.strip():
        raise Refusal("scope=agent requires an agent_id")
    return book.scope(f"{ScopeKind.AGENT.value}:{agent_id.strip()}")


def _team(book: Book, team_id: str | None) -> tuple[Scope, ...]:
    if team_id is not None:
        return (book.scope(f"{ScopeKind.TEAM.value}:{team_id.strip()}"),)
    teams = book.team_scopes()
    if not teams:
        raise Refusal("scope=team requires a team_id: you are in no team.")
    return teams


# -- ids --------------------------------------------------------------------------------------


def get_memory(book: Book, id: str) -> Memory:
    """The memory an id means, in either spelling, unless it is unknown, foreign or forgotten."""
    (memory,) = all_present(book, [id])
    if memory is None:
        raise unknown_memory(id)
    return memory


def all_present(book: Book, ids: Sequence[str]) -> tuple[Memory | None, ...]:
    """The memories that ids mean, in either spelling; None for what is unknown, foreign or forgotten."""
    found = book.get_many([_spelled(id) for id in ids])
    return tuple(memory if memory is not None and memory.status in KNOWN else None for memory in found)


def _spelled(id: str) -> str:
    bare = id.strip()
    return f"mem_{bare.removeprefix(OTHER_ID)}" if bare.startswith(OTHER_ID) else bare
