"""forget, which asks first, and removes what the words describe and nothing else."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.dialects.aleph.confirmations import Confirmations
from commonplace.dialects.aleph.meant import Meant, meant_by
from commonplace.dialects.aleph.shapes import AgentId, fact_id
from commonplace.domain.memory import Memory
from commonplace.domain.scope import Right
from commonplace.errors import NotFound

REASON = "forgotten through aleph"


class ForgetParameters(Parameters):
    query: Annotated[str, Field(description="what the fact to remove says, or its id")]
    confirm: Annotated[bool, Field(description="false shows what would be removed")] = False
    agent_id: AgentId = None


class Candidate(TypedDict):
    id: str
    content: str
    score: float
    goes: bool


class Forgotten(TypedDict):
    confirmation_required: bool
    forgotten: list[str]
    count: int
    message: str
    candidates: NotRequired[list[Candidate]]
    prompt: NotRequired[str]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """With `confirm`, what was shown to go for the same words is removed, or the one match that is clearly meant."""
    book.principal.require(Right.WRITE)
    asked = given.query if given.agent_id is None else f"agent:{given.agent_id} {given.query}"
    confirmations = Confirmations(book.caller)
    if given.confirm:
        shown = _still_as_shown(book, confirmations.shown(asked))
        if shown:
            confirmations.drop(asked)
            return _removed(book, shown)
    meant = meant_by(book, given.query, given.agent_id)
    if given.confirm and meant.clear:
        return _removed(book, [hit.memory for hit in meant.goes])
    confirmations.keep(asked, [_state(hit.memory) for hit in meant.goes])
    return _previewed(meant)


# -- what was shown ---------------------------------------------------------------------------


def _state(memory: Memory) -> str:
    """What was shown is one revision: a memory that somebody changes meanwhile is not what was agreed to."""
    return f"{memory.id}:{memory.revision}"


def _still_as_shown(book: Book, states: Sequence[str]) -> list[Memory]:
    """All of what was shown, or nothing if any of it has changed."""
    try:
        memories = [book.get(state.partition(":")[0]) for state in states]
    except NotFound:
        return []
    return memories if [_state(memory) for memory in memories] == list(states) else []


def _removed(book: Book, memories: Sequence[Memory]) -> Forgotten:
    done = [memory for memory in book.forget_many(memories, reason=REASON) if isinstance(memory, Memory)]
    ids = [fact_id(memory) for memory in done]
    return Forgotten(
        confirmation_required=False,
        forgotten=ids,
        count=len(ids),
        message=f"Forgotten: {', '.join(ids)}. 'commonplace restore' brings it back; 'commonplace curate' "
        "takes it out of the snapshot.",
    )


def _previewed(meant: Meant) -> Forgotten:
    shown = [*((hit, True) for hit in meant.goes), *((hit, False) for hit in meant.beside)]
    return Forgotten(
        confirmation_required=True,
        forgotten=[],
        count=0,
        message="Nothing was removed yet.",
        candidates=[
            Candidate(id=fact_id(hit.memory), content=hit.memory.text, score=hit.score, goes=goes)
            for hit, goes in shown
        ],
        prompt=_prompt(meant),
    )


def _prompt(meant: Meant) -> str:
    if not meant.goes and len(meant.beside) == 1:
        return (
            "Ask the user whether this is what they mean; if so, call forget with its id "
            f"({fact_id(meant.beside[0].memory)}) and confirm true. Confirm with these words does not remove it."
        )
    if not meant.goes:
        return (
            "Ask the user which of these is meant, then call forget with its id, or with words that only it has, and "
            "confirm true; confirm with these words removes none of them."
        )
    what = "this fact" if len(meant.goes) == 1 else f"these {len(meant.goes)} facts"
    named = (
        f"{what} ({', '.join(fact_id(hit.memory) for hit in meant.goes)}; the others stay)" if meant.beside else what
    )
    return (
        f"Ask the user, then call forget with the same query and confirm true within ten minutes to remove {named}, "
        "or with the id of one of them."
    )
