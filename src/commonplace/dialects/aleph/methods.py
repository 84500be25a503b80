"""The RPC methods: what the memory pipeline did and holds, the dreams, and the plain operations beside the tools.

They observe: a search here counts nothing as used, and nothing found is an empty list, not an error.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import (
    ADDS,
    CHANGES,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    READS,
    REMOVES,
    SERVER_ERROR,
    Dialect,
    Parameters,
    Whole,
    tool,
)
from commonplace.dialects.aleph import curating, dreaming
from commonplace.dialects.aleph.refusals import INTERNAL, INVALID, code_of
from commonplace.dialects.aleph.shapes import (
    LIMIT,
    AgentId,
    Fact,
    category_of,
    fact,
    fact_id,
    home,
    question,
    scopes,
)
from commonplace.dialects.aleph.status import raw
from commonplace.dialects.aleph.tracing import StageOut, stages
from commonplace.domain.memory import Kind, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import replace
from commonplace.domain.scope import Right
from commonplace.engine.caller import Door
from commonplace.errors import CommonplaceError, InvalidInput

SHOWN_CHARACTERS = 280
CLEARED = "cleared through memory.clear"

_NUMBERS = {INVALID: INVALID_PARAMS, INTERNAL: INTERNAL_ERROR}


# -- looking ----------------------------------------------------------------------------------


class SearchParameters(Parameters):
    query: str
    limit: Annotated[Whole, Field(ge=1, le=LIMIT)] = 10
    agent_id: AgentId = None


class Result(TypedDict):
    id: str
    content: str
    score: float


class Traced(TypedDict):
    query: str
    results: list[Result]
    trace: list[StageOut]


class Found(TypedDict):
    query: str
    memories: list[Fact]
    total: int


def retrieve_with_trace(book: Book, given: SearchParameters) -> Traced:
    """Facts best first, cut to a glance, and how each stage of the search chose. Finding nothing is no error."""
    found = book.recall(replace(question(book, given.query, given.agent_id, given.limit), explain=True))
    results = [
        Result(id=fact_id(hit.memory), content=hit.memory.text[:SHOWN_CHARACTERS], score=hit.score)
        for hit in found.hits
    ]
    return Traced(query=given.query, results=results, trace=stages(found))


def search(book: Book, given: SearchParameters) -> Found:
    """Facts best first, whole. Finding nothing is no error, and being found is not counted as use."""
    found = book.recall(question(book, given.query, given.agent_id, given.limit))
    return Found(query=given.query, memories=[fact(hit) for hit in found.hits], total=len(found.hits))


# -- keeping ----------------------------------------------------------------------------------


class StoreParameters(Parameters):
    content: str
    category: str | None = None
    agent_id: AgentId = None


class Stored(TypedDict):
    id: str


def store(book: Book, given: StoreParameters) -> Stored:
    """Keeps one fact and gives its id; of a fact that is known, the id it has. Any category is kept as a word."""
    kind = Kind(given.category) if given.category in set(Kind) else Kind.FACT
    scope = home(book, given.agent_id)
    draft = book.draft(given.content, scope=scope, kind=kind.value, category=given.category or None)
    return Stored(id=fact_id(book.remember(draft).memory))


class DeleteParameters(Parameters):
    id: str


class Deleted(TypedDict):
    ok: bool
    id: str


def delete(book: Book, given: DeleteParameters) -> Deleted:
    """A tombstone, like the tool's."""
    memory = book.forget(given.id, reason="deleted through memory.delete")
    return Deleted(ok=True, id=fact_id(memory))


class ClearParameters(Parameters):
    confirm: bool = False
    agent_id: AgentId = None


class Cleared(TypedDict):
    ok: bool
    archived: int


def clear(book: Book, given: ClearParameters) -> Cleared:
    """Out of sight, every one of a namespace; each can be restored."""
    book.principal.require(Right.WRITE)
    if not given.confirm:
        raise InvalidInput("confirm must be true to archive every memory of the namespace.", "confirm")
    everything = Filter((home(book, given.agent_id),), include_expired=True)
    return Cleared(ok=True, archived=book.archive_all(everything, reason=CLEARED))


class StatsParameters(Parameters):
    agent_id: AgentId = None


class Stats(TypedDict):
    totalMemories: int
    totalFacts: int
    validFacts: int
    rawMemories: int
    categories: dict[str, int]
    scope: str


def stats(book: Book, given: StatsParameters) -> Stats:
    """Counts what is there: everything, what was not forgotten, and what a search could find, by category."""
    places = scopes(book, given.agent_id)
    everything = Filter(places, statuses=(), include_expired=True)
    known = Filter(
        places, statuses=tuple(each for each in Status if each is not Status.FORGOTTEN), include_expired=True
    )
    categories: dict[str, int] = {}
    for memory in book.each(Filter(places)):
        categories[category_of(memory)] = categories.get(category_of(memory), 0) + 1
    return Stats(
        totalMemories=book.count(everything),
        totalFacts=book.count(known),
        validFacts=sum(categories.values()),
        rawMemories=raw(book, places),
        categories=categories,
        scope="agent" if given.agent_id else "global",
    )


# -- as data ----------------------------------------------------------------------------------


def error_object(error: CommonplaceError) -> dict[str, object]:
    """An error as JSON-RPC has them; the contract's own code is in `data`."""
    code = code_of(error)
    data = {"code": code, "retryable": error.retryable}
    return {"code": _NUMBERS.get(code, SERVER_ERROR), "message": error.message, "data": data}


METHODS = Dialect(
    name="rpc",
    server="aleph",
    instructions="",
    door=Door(surface="rpc", actor="aleph:rpc", teams=False, others=False, projects=False),
    render_error=error_object,
    tools=(
        tool(
            "memory.retrieve_with_trace",
            "Retrieve with trace",
            "A search, with what each of its stages let through.",
            SearchParameters,
            retrieve_with_trace,
            Traced,
            READS,
        ),
        tool(
            "memory.list_corrections",
            "List corrections",
            "Corrections, and whether they are distilled.",
            dreaming.CorrectionsParameters,
            dreaming.list_corrections,
            dreaming.CorrectionsOut,
            READS,
        ),
        tool(
            "memory.log_correction",
            "Log a correction",
            "Say that something is wrong, and what is right.",
            dreaming.LogCorrectionParameters,
            dreaming.log_correction,
            dreaming.LoggedOut,
            CHANGES,
        ),
        tool(
            "dreaming.list_insights",
            "List insights",
            "What dreams noticed, and their history.",
            dreaming.InsightsParameters,
            dreaming.list_insights,
            dreaming.InsightsOut,
            READS,
        ),
        tool(
            "dreaming.run_now",
            "Dream now",
            "Run a dream without waiting for the night.",
            dreaming.RunParameters,
            dreaming.run_now,
            dreaming.RunOut,
            CHANGES,
        ),
        tool(
            "memory.search",
            "Search",
            "Facts, ranked; nothing is counted as used.",
            SearchParameters,
            search,
            Found,
            READS,
        ),
        tool("memory.store", "Store", "Remember one fact.", StoreParameters, store, Stored, ADDS),
        tool("memory.delete", "Delete", "Leave a tombstone.", DeleteParameters, delete, Deleted, REMOVES),
        tool(
            "memory.clear",
            "Clear",
            "Archive every memory of a namespace.",
            ClearParameters,
            clear,
            Cleared,
            REMOVES,
        ),
        tool("memory.stats", "Statistics", "Counts of a namespace.", StatsParameters, stats, Stats, READS),
        tool(
            "memory.curate",
            "Curate",
            "Take the snapshot of curated memory anew; which pins wait for a person's word.",
            curating.CurateParameters,
            curating.curate,
            curating.Curated,
            CHANGES,
        ),
        tool(
            "memory.compress",
            "Compress",
            "Distil what is raw: pending corrections and undistilled turns.",
            dreaming.CompressParameters,
            dreaming.compress,
            dreaming.Compressed,
            CHANGES,
        ),
    ),
)
