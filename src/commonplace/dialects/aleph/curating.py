"""remember, which curates."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.curated import Curation
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.aleph.shapes import AgentId, fact_id, home
from commonplace.dialects.aleph.status import SnapshotOut, snapshot_of
from commonplace.domain.scope import Right
from commonplace.errors import InvalidInput, StoreError


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


# -- memory.curate ----------------------------------------------------------------------------


class CurateParameters(Parameters):
    agent_id: AgentId = None


class Curated(TypedDict):
    snapshot: SnapshotOut | None
    entries: int
    waiting: list[str]


def curate(book: Book, given: CurateParameters) -> Curated:
    """Takes the snapshot anew, for every session: what is pinned and waits for nobody, and which pins wait."""
    book.principal.require(Right.WRITE)
    scope = home(book, given.agent_id)
    taken = book.curated.take(scope, on_purpose=True)
    return Curated(
        snapshot=None if taken is None else snapshot_of(taken),
        entries=0 if taken is None else len(taken.lines),
        waiting=[fact_id(memory) for memory in book.curated.waiting(scope)],
    )
