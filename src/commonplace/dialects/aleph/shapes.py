"""Memories in Aleph's words: facts with an id, a path and a score. Times are seconds since 1970."""

from collections.abc import Iterable
from typing import Annotated, NotRequired

from pydantic import AliasChoices, Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Whole
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter, Hit, Query
from commonplace.domain.rank import PLAIN, Ranks
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope, ScopeKind
from commonplace.text import collapse

PROFILE = replace(PLAIN, name="aleph", ranks=Ranks(exact=0.0), exact_key_bonus=0.0, relative_floor=0.4)
"""By places in two lists, words and meaning; what is first in neither and far down in one is cut off."""

TITLE_LENGTH = 80
LIMIT = 100

Limit = Annotated[Whole, Field(ge=1, le=LIMIT, validation_alias=AliasChoices("limit", "max_results"))]
"""How many; the product itself calls it `max_results`."""

AgentId = Annotated[str | None, Field(description="look in this agent's namespace instead of the user's")]


class Fact(TypedDict):
    id: str
    content: str
    category: str
    path: str
    score: float
    created_at: int
    updated_at: int
    agent_id: str | None
    unconfirmed: NotRequired[bool]


def fact_id(memory: Memory) -> str:
    """What every answer calls it: the same ULID, under the prefix of curated memory where it is pinned."""
    return f"cur_{memory.id.removeprefix('mem_')}" if memory.pinned else memory.id


def fact_ids(book: Book, ids: Iterable[str]) -> dict[str, str]:
    """What this contract calls the memories of these ids; one that is gone keeps the id it had."""
    known = dict.fromkeys(ids)
    return {
        id: id if memory is None else fact_id(memory)
        for id, memory in zip(known, book.get_many(list(known)), strict=True)
    }


def category_of(memory: Memory) -> str:
    """The word it was stored under, else its kind: never empty."""
    return memory.category or memory.kind.value


def path_of(memory: Memory) -> str:
    """An address to tell facts apart by; nothing is served there."""
    return f"note://{category_of(memory)}/{fact_id(memory)}"


def title_of(memory: Memory) -> str:
    """Its text on one line, cut to the length of a title with an ellipsis."""
    text = collapse(memory.text)
    return text if len(text) <= TITLE_LENGTH else text[: TITLE_LENGTH - 1].rstrip() + "…"


def agent_of(scope: Scope) -> str | None:
    """None for what belongs to no single agent."""
    return scope.id if scope.kind is ScopeKind.AGENT else None


def fact(hit: Hit) -> Fact:
    """A hit in the contract's shape; `unconfirmed` is there only while the memory waits for a person."""
    memory = hit.memory
    shown = Fact(
        id=fact_id(memory),
        content=memory.text,
        category=category_of(memory),
        path=path_of(memory),
        score=hit.score,
        created_at=seconds(memory.created_at),
        updated_at=seconds(memory.updated_at),
        agent_id=agent_of(memory.scope),
    )
    if memory.waits:
        shown["unconfirmed"] = True
    return shown


def seconds(at: int) -> int:
    """Our milliseconds in the contract's unit, rounded down."""
    return at // 1_000


def home(book: Book, agent_id: str | None) -> Scope:
    """Where things are written: the agent's namespace if one is named, else the user's."""
    return book.scope(f"agent:{agent_id}") if agent_id else book.scope()


def scopes(book: Book, agent_id: str | None) -> tuple[Scope, ...]:
    """Where things are looked for: the agent's namespace alone, else the user's and the current project's."""
    return (home(book, agent_id),) if agent_id else book.scopes


def question(book: Book, query: str, agent_id: str | None, limit: int) -> Query:
    """A recall as this contract ranks it. Whoever wants its hits counted as used says so."""
    filter = Filter(scopes(book, agent_id))
    return Query(query, filter, limit, profile=PROFILE, surface=book.door.surface, counts_use=False)
