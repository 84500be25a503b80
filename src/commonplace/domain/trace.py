"""What each stage of a recall saw, kept and dropped, and why."""

from collections.abc import Mapping
from types import MappingProxyType

from commonplace.domain.memory import Memory
from commonplace.domain.record import Record


class Drop(Record):
    """A memory that left the recall at a stage, with the reason in words."""

    number: int
    reason: str


class Score(Record):
    """What a stage thought of a memory; `parts` names where the value came from."""

    number: int
    value: float
    parts: tuple[tuple[str, float], ...] = ()


class StageTrace(Record):
    """One stage: how many memories left it, how long it took, the scores and the drops."""

    stage: str
    count: int
    elapsed_ms: float
    scores: tuple[Score, ...] = ()
    drops: tuple[Drop, ...] = ()


class Trace(Record):
    """Every stage in its order, and the memory of each number, as it was at that moment."""

    stages: tuple[StageTrace, ...]
    memories: Mapping[int, Memory] = MappingProxyType({})

    def path(self, number: int) -> tuple[tuple[str, str], ...]:
        """The story of one memory: each stage's name, and its score or why it was dropped there."""
        steps: list[tuple[str, str]] = []
        for stage in self.stages:
            drop = next((drop for drop in stage.drops if drop.number == number), None)
            if drop is not None:
                steps.append((stage.stage, f"dropped: {drop.reason}"))
                break
            score = next((score for score in stage.scores if score.number == number), None)
            if score is not None:
                parts = ", ".join(f"{name} {value:z.3f}" for name, value in score.parts)
                steps.append((stage.stage, f"{score.value:z.3f}" + (f" ({parts})" if parts else "")))
        return tuple(steps)
