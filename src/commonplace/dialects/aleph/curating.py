"""remember, which curates, and forget, which asks first."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.curated import Curation
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.aleph.confirmations import Confirmations
from commonplace.dialects.aleph.shapes import AgentId, fact_id, home, question
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Hit
from commonplace.domain.scope import Right
from commonplace.errors import InvalidInput, NotFound, StoreError

CANDIDATES = 10
NEARLY_AS_GOOD = 0.8  # the share of the best match's relevance from which another may be meant as well
REASON = "forgotten through aleph"


def begin(book: Book) -> None:
    """A process goes by one snapshot, taken before its first call. A book that cannot be written keeps its last."""
    try:
        book.curated.take(book.scope())
    except StoreError:
        return


# -- remember ---------------------------------------------------------------------------------


class RememberParameters(Parameters):
    content: Annotated[str, Field(description="the fact to pin, one sentence")]
    priority: Annotated[Whole, Field(ge=1, le=10, description="higher is more important")] = 5
    category: Annotated[str | None, Field(description="such as preference, fact or warning")] = None
    agent_id: Annotated[str | None, Field(description="curate for this agent instead of the user")] = None


class Remembered(TypedDict):
    id: str
    message: str
    created: bool
    priority: int
    category: str | None
    waits: bool
    used: int
    budget: int
    previously_corrected: NotRequired[list[str]]


def remember(book: Book, given: RememberParameters) -> Remembered:
    """Pins a fact for the next snapshot; what is curated may get another priority. QuotaExceeded over budget."""
    if not given.content.strip():
        raise InvalidInput("content must say something.", "content")
    curation = book.curated.add(
        given.content,
        home(book, given.agent_id),
        priority=given.priority if "priority" in given.model_fields_set else None,
        category=given.category or None,
    )
    memory = curation.memory
    action = "Curated as" if curation.created else "Known already:"
    answer = Remembered(
        id=fact_id(memory),
        created=curation.created,
        priority=memory.priority,
        category=memory.category,
        message=f"{action} {fact_id(memory)}. {_when_seen(curation)}",
        waits=curation.waits,
        used=curation.used,
        budget=curation.budget,
    )
    if curation.previously_corrected:
        answer["previously_corrected"] = [fact_id(memory) for memory in curation.previously_corrected]
    return answer


def _when_seen(curation: Curation) -> str:
    """From when on sessions begin with it, for the agent to tell the user."""
    then = "the snapshot has it from the next session on, or after 'commonplace curate'."
    if not curation.waits:
        return f"{then[0].upper()}{then[1:]}"
    return f"Ask the user to run 'commonplace confirm {curation.memory.number}': then {then}"


# -- forget -----------------------------------------------------------------------------------


class ForgetParameters(Parameters):
    query: Annotated[str, Field(description="what the fact to remove says, or its id")]
    confirm: Annotated[bool, Field(description="false shows what would be removed")] = False
    agent_id: AgentId = None


class Candidate(TypedDict):
    id: str
    content: str
    score: float


class Forgotten(TypedDict):
    confirmation_required: bool
    forgotten: list[str]
    count: int
    message: str
    candidates: NotRequired[list[Candidate]]
    prompt: NotRequired[str]


def forget(book: Book, given: ForgetParameters) -> Forgotten:
    """With `confirm`, what was shown for the same words is removed, or the one match that is clearly meant."""
    book.principal.require(Right.WRITE)
    asked = given.query if given.agent_id is None else f"agent:{given.agent_id} {given.query}"
    confirmations = Confirmations(book.caller)
    if given.confirm:
        shown = _still_as_shown(book, confirmations.shown(asked))
        if shown:
            confirmations.drop(asked)
            return _removed(book, shown)
    meant = _meant(book, given)
    if given.confirm and len(meant) == 1:
        return _removed(book, [hit.memory for hit in meant])
    confirmations.keep(asked, [_state(hit.memory) for hit in meant])
    return _previewed(meant)


def _meant(book: Book, given: ForgetParameters) -> list[Hit]:
    """The best match, with those that are nearly as good; or the one memory of that id."""
    memory = _named(book, given.query.strip())
    if memory is not None:
        if memory.status is Status.FORGOTTEN:
            raise NotFound(f"{fact_id(memory)} is forgotten already.")
        return [Hit(memory, 1.0)]
    hits = book.recall(question(book, given.query, given.agent_id, CANDIDATES)).hits
    if not hits:
        raise NotFound("Nothing that is stored matches this: describe it in its own words, or give its id.")
    best = max(hit.relevance for hit in hits)
    return [hit for hit in hits if hit.relevance >= NEARLY_AS_GOOD * best]


def _named(book: Book, query: str) -> Memory | None:
    """The memory that a query names instead of describing it. A bare number describes: `#12` names."""
    if query.startswith(("mem_", "cur_", "ctx_")):
        return book.get(query)
    return None if query.isdigit() else book.get_many([query])[0]


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


def _previewed(meant: Sequence[Hit]) -> Forgotten:
    candidates = [Candidate(id=fact_id(hit.memory), content=hit.memory.text, score=hit.score) for hit in meant]
    what = "this fact" if len(candidates) == 1 else f"these {len(candidates)} facts"
    return Forgotten(
        confirmation_required=True,
        forgotten=[],
        count=0,
        message="Nothing was removed yet.",
        candidates=candidates,
        prompt=f"Ask the user, then call forget with the same query and confirm true within ten minutes to remove "
        f"{what}, or with the id of one of them.",
    )
