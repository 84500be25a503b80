"""A recall's trace in the six stages that Aleph's contract names."""

from collections.abc import Mapping, Sequence

from typing_extensions import TypedDict

from commonplace.dialects.aleph.shapes import fact_id
from commonplace.domain.query import Recall
from commonplace.domain.trace import Score, StageTrace

STAGES: Mapping[str, tuple[str, ...]] = {
    "query": ("query",),
    "candidate_pool": ("pool",),
    "bm25_vector_scores": ("context",),
    "rrf_fusion": ("fusion",),
    "cutoff": ("lifecycle", "cutoff", "diversity"),
    "ranked": ("budget",),
}
"""Their names, in order, each with the stages of ours that it stands for; the last of these says what is left."""


class StageOut(TypedDict):
    stage: str
    count: int
    elapsed_ms: float
    scores: list[dict[str, object]]


def stages(found: Recall) -> list[StageOut]:
    """What each stage let through, in the order it did."""
    if found.trace is None:
        return []
    ours = {each.stage: each for each in found.trace.stages}
    ids = {number: fact_id(memory) for number, memory in found.trace.memories.items()}
    fusion = ours["fusion"]  # which compares by meaning whatever only words had found
    return [_stage(name, [ours[each] for each in parts], ids, fusion) for name, parts in STAGES.items()]


def _stage(name: str, parts: Sequence[StageTrace], ids: Mapping[int, str], weighed: StageTrace) -> StageOut:
    last = parts[-1]
    shown = weighed.scores if name == "bm25_vector_scores" else last.scores
    scores = [_scored(name, score, ids[score.number]) for score in shown if score.number in ids]
    elapsed = sum(part.elapsed_ms for part in parts)
    return StageOut(stage=name, count=last.count, elapsed_ms=round(elapsed, 3), scores=scores)


def _scored(stage: str, score: Score, id: str) -> dict[str, object]:
    """The pool knows only who is in it, the scores are two, the fusion adds up places, and then there is one score."""
    parts = dict(score.parts)
    match stage:
        case "candidate_pool":
            return {"id": id}
        case "bm25_vector_scores":
            words = parts.get("words", 0.0) + parts.get("neighbours", 0.0)
            return {"id": id, "bm25": round(words, 6), "vector": parts.get("meaning")}
        case "rrf_fusion":
            places = {"bm25": _place(parts, "words"), "vector": _place(parts, "meaning")}
            return {"id": id, "score": parts["sum"], "normalised": parts["points"], "places": places}
        case _:
            return {"id": id, "score": parts.get("points", score.value)}


def _place(parts: Mapping[str, float], list: str) -> int | None:
    """Counted from 1; None for what is not in that list."""
    place = parts.get(f"place by {list}")
    return None if place is None else int(place)
