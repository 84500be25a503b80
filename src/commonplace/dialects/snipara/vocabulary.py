"""The contract's words for types, scopes, statuses and ids, and what they mean in the book."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field, WithJsonSchema

from commonplace.book.book import Book
from commonplace.dialects.snipara.refusals import Refusal, unknown_memory, unsupported
from commonplace.domain.memory import Kind, Memory, Status
from commonplace.domain.scope import Scope, ScopeKind, name_for

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
NO_PROJECT = "There is no current project here, so this is about your own memory: connect with a token that has one."

TypeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(TYPES)})]
ScopeName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(SCOPES)})]
AgentId = Annotated[str | None, Field(description="with scope agent: whose memory; yours unless given")]
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


def written_to(book: Book, scope: str | None, agent_id: str | None, team_id: str | None) -> Scope:
    """The one place a memory goes to; without a scope the project or, where there is none, the caller's own."""
    if scope is None:
        return default_place(book)
    scopes = looked_in(book, scope, agent_id, team_id)
    if len(scopes) > 1:
        named = ", ".join(each.id for each in scopes)
        raise Refusal(f"scope=team requires a team_id: you are in {named}, so name one of them.")
    return scopes[0]


def default_place(book: Book) -> Scope:
    """Where things go unless a scope is named; `place_warnings` says when that is not the project."""
    return book.scope("user") if _has_no_project(book) else book.scope()


def place_warnings(book: Book) -> list[str]:
    """What an answer has to say of a place that nobody named."""
    return [NO_PROJECT] if _has_no_project(book) else []


def _has_no_project(book: Book) -> bool:
    return book.project is None and book.principal.only_project is None


def looked_in(book: Book, scope: str | None, agent_id: str | None, team_id: str | None) -> tuple[Scope, ...]:
    """Where a read looks: where it is told, else in the user's, the project's, the teams' and the agent's memory."""
    match scope if scope is None else scope.strip().lower():
        case None:
            return (*book.scopes, *book.team_scopes(), *_agents(book, agent_id))
        case ScopeKind.AGENT.value:
            return (_agent(book, agent_id),)
        case ScopeKind.TEAM.value:
            return _team(book, team_id)
        case ScopeKind.PROJECT.value:
            return (_project(book),)
        case ScopeKind.USER.value as own:
            return (book.scope(own),)
        case other:
            raise unsupported("scope", "memory scope", other, SCOPES)


def _project(book: Book) -> Scope:
    if _has_no_project(book):
        raise Refusal(
            "There is no current project here: use scope user, or connect with a token that has a project "
            "('commonplace token create --project FOLDER')."
        )
    return book.scope(ScopeKind.PROJECT.value)


def _agents(book: Book, agent_id: str | None) -> tuple[Scope, ...]:
    """The agent that is named, else the one that calls, if it can be told and is in reach."""
    if agent_id is None and (book.door.client is None or book.principal.only_project is not None):
        return ()
    return (_agent(book, agent_id),)


def _agent(book: Book, agent_id: str | None) -> Scope:
    """The agent that is named, else the one that calls: what a client calls itself, for this user alone."""
    if agent_id is not None and agent_id.strip():
        return book.scope(f"{ScopeKind.AGENT.value}:{agent_id.strip()}")
    if book.door.client is None:
        raise Refusal("scope=agent requires an agent_id: this client does not say what it is called.")
    return Scope(ScopeKind.AGENT, f"{book.principal.user}/{name_for(book.door.client)}")


def _team(book: Book, team_id: str | None) -> tuple[Scope, ...]:
    if team_id is not None:
        return (book.scope(f"{ScopeKind.TEAM.value}:{team_id.strip()}"),)
    teams = book.team_scopes()
    if not teams:
        raise Refusal("scope=team requires a team_id: you are in no team; 'commonplace team create NAME' makes one.")
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
