"""Why a recall answered as it did, in words a person understands."""

from commonplace.domain.memory import Memory, index_terms
from commonplace.domain.query import Recall
from commonplace.domain.record import Record
from commonplace.text import query_terms, terms

_STAGES = {
    "query": "the query was read",
    "pool": "words, vectors and exact keys gathered candidates",
    "context": "neighbours in a conversation joined",
    "fusion": "words and meaning became one score",
    "judgement": "the best were looked at once more, as answers",
    "lifecycle": "confidence, trust, importance and age were weighed",
    "newest": "of two statements of a value the newer one was put first",
    "cutoff": "what is not relevant enough was dropped",
    "diversity": "repeats were dropped and the limit kept",
    "budget": "the token budget was filled",
}


class Step(Record):
    """One stage: what it is for, how many memories left it, how long it took."""

    stage: str
    meaning: str
    count: int
    elapsed_ms: float


class Explanation(Record):
    """The whole story of a recall and, if one was asked about, of one memory in it."""

    recall: Recall
    steps: tuple[Step, ...]
    verdict: str
    path: tuple[tuple[str, str], ...] = ()


def explain(recall: Recall, memory: Memory | None, now: int) -> Explanation:
    """Why a memory came where it did, or did not come. Without a memory: the stages, and how many were found."""
    trace = recall.trace
    stages = trace.stages if trace is not None else ()
    steps = tuple(Step(each.stage, _STAGES[each.stage], each.count, each.elapsed_ms) for each in stages)
    if memory is None or trace is None:
        return Explanation(recall, steps, _found(recall))
    path = trace.path(memory.number) or _never_gathered(recall, memory, now)
    return Explanation(recall, steps, _verdict(recall, memory, now, path), path)


def _found(recall: Recall) -> str:
    """How many memories, and what beside them."""
    found = len(recall.hits)
    told = f"{found} {'memory' if found == 1 else 'memories'} found"
    beside = [f"{other.kind.one} {other.id} ({other.reason})" for other in recall.others]
    return f"{told}, and beside them {', '.join(beside)}." if beside else f"{told}."


def _never_gathered(recall: Recall, memory: Memory, now: int) -> tuple[tuple[str, str], ...]:
    """A memory that is not even in the pool though it could be: others fit the query better."""
    if recall.query.filter.as_of is not None or not recall.query.filter.admits(memory, now):
        return ()
    if not set(query_terms(recall.query.text)) & set(index_terms(memory, terms(memory.text)).split()):
        return ()
    return (("pool", f"dropped: it ranks beyond the limit of {recall.query.limit}, others match the query better"),)


def _verdict(recall: Recall, memory: Memory, now: int, path: tuple[tuple[str, str], ...]) -> str:
    for place, hit in enumerate(recall.hits, 1):
        if hit.memory.number == memory.number:
            return f"{memory.id} surfaced at place {place} with relevance {hit.relevance:.2f}: {hit.reason}."
    refusal = recall.query.filter.refusal(memory, now)
    if refusal is not None:
        return f"{memory.id} did not surface: {refusal}."
    if path and path[-1][1].startswith("dropped: "):
        return f"{memory.id} did not surface: {path[-1][1].removeprefix('dropped: ')}."
    if recall.query.filter.as_of is not None:
        return f"{memory.id} did not surface: at that moment it did not exist, or said something else."
    return (
        f"{memory.id} did not surface: it shares no significant word with the query"
        " and is not among the closest by meaning."
    )
