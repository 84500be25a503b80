"""What the stages of a dream work on, and how their proposals become a plan within the budget."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice

from commonplace import deadline
from commonplace.decisions.decision import Decision, DecisionStatus
from commonplace.decisions.log import SHELF as DECISIONS
from commonplace.decisions.log import decision_of
from commonplace.domain.corrections import SHELF as CORRECTIONS
from commonplace.domain.corrections import Correction, CorrectionStatus
from commonplace.domain.entries import EntryFilter
from commonplace.domain.memory import Memory, Origin, RelationKind, Status
from commonplace.domain.rank import Decay
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope, Viewer
from commonplace.dream.corrections import visible
from commonplace.dream.edits import AddInsight, Edit, key_of, text_bytes
from commonplace.dream.limits import Limits
from commonplace.engine.paging import each_entry
from commonplace.ports import LLM, Unit

CORRECTION_LIMIT = 1_000
LATEST = 200  # decisions, and corrections that are distilled already, that a dream looks at for the day's insight


class PlanningSnapshot(Record):
    """The book as a dream sees it: what is active, with when each was recorded, and what waits to be distilled.

    `declined` are the keys of edits that somebody has undone: they are not proposed again. What the day's insight
    tells beside memories are the latest `decisions` that stand, the latest corrections that are `distilled` already,
    and the conflicts that dreams have `pointed_out`.
    """

    memories: tuple[Memory, ...]
    recorded: dict[str, int]
    corrections: tuple[Correction, ...] = ()
    declined: frozenset[str] = frozenset()
    decisions: tuple[Decision, ...] = ()
    distilled: tuple[Correction, ...] = ()
    pointed_out: tuple[AddInsight, ...] = ()


class StageReport(Record):
    """One stage: how many edits it proposed, and how long it took."""

    stage: str
    proposed: int
    elapsed_ms: float


class Plan(Record):
    """What a dream would do: the diff, and what has to wait for another night."""

    started_at: int
    edits: tuple[Edit, ...]
    waiting: int
    stages: tuple[StageReport, ...]
    notes: tuple[str, ...] = ()


Bundle = tuple[Edit, ...]
"""Edits that belong together: all of them fit into the budget, or none is taken."""


class PlanningState:
    """What the stages hand on to each other."""

    def __init__(
        self,
        snapshot: PlanningSnapshot,
        now: int,
        limits: Limits,
        decay: Decay,
        reading: Callable[[], AbstractContextManager[Unit]],
        llm: LLM | None = None,
    ) -> None:
        self.snapshot = snapshot
        self.now = now
        self.limits = limits
        self.decay = decay
        self.reading = reading
        self.llm = llm
        self.report: Callable[[int], None] = lambda done: None
        self.proposals: dict[str, list[Bundle]] = {}
        self.notes: list[str] = []
        self.stage = ""
        self.changing: set[str] = set()
        self.kept: set[str] = set()  # what others give way to stays in sight

    def propose(self, *edits: Edit) -> bool:
        """Take edits into the plan; whether none of them had been undone before."""
        if any(key_of(edit) in self.snapshot.declined for edit in edits):
            return False
        self.proposals.setdefault(self.stage, []).append(edits)
        return True

    @property
    def present(self) -> Iterator[Memory]:
        """What is active, has not expired, and is not about to be changed."""
        for memory in deadline.each(self.snapshot.memories):
            if memory.id not in self.changing and not memory.expired(self.now):
                yield memory

    def by_scope(self) -> dict[Scope, list[Memory]]:
        """What is `present`, scope by scope, in the order of the snapshot."""
        found: dict[Scope, list[Memory]] = {}
        for memory in self.present:
            found.setdefault(memory.scope, []).append(memory)
        return found


Stage = tuple[str, Callable[[PlanningState], None]]


def read_snapshot(unit: Unit, viewer: Viewer, declined: frozenset[str]) -> PlanningSnapshot:
    """Everything active that somebody may see."""
    memories, recorded = [], {}
    for memory, recorded_at, _ in deadline.each(unit.memories.each()):
        if memory.status is Status.ACTIVE and viewer.may_see(memory.scope):
            memories.append(memory)
            recorded[memory.id] = recorded_at
    pending = EntryFilter(CORRECTIONS, states=(CorrectionStatus.PENDING.value,))
    corrections = visible(unit, pending, viewer, CORRECTION_LIMIT)
    settled = EntryFilter(CORRECTIONS, states=(CorrectionStatus.DISTILLED.value,))
    standing = map(decision_of, each_entry(unit, EntryFilter(DECISIONS, states=(DecisionStatus.ACTIVE.value,))))
    decisions = islice((each for each in standing if viewer.may_see(each.scope)), LATEST)
    return PlanningSnapshot(
        tuple(memories), recorded, corrections, declined, tuple(decisions), visible(unit, settled, viewer, LATEST)
    )


def run_stages(
    stages: Sequence[Stage], working: PlanningState, may_go_on: Callable[[], bool]
) -> tuple[StageReport, ...] | None:
    """Every stage in order; None if it was stopped between two of them."""
    reports = []
    for name, stage in stages:
        if not may_go_on():
            return None
        deadline.check()
        working.stage = name
        started = time.perf_counter()
        stage(working)
        elapsed = (time.perf_counter() - started) * 1000
        proposed = sum(len(bundle) for bundle in working.proposals.get(name, []))
        reports.append(StageReport(name, proposed, round(elapsed, 3)))
    return tuple(reports) if may_go_on() else None


def within_budget(working: PlanningState, order: Sequence[str]) -> tuple[tuple[Edit, ...], int]:
    """What fits, stage after stage in the order given, and how many edits have to wait."""
    limits, taken, waiting, text = working.limits, list[Edit](), 0, 0
    for stage in order:
        for bundle in working.proposals.get(stage, []):
            size = sum(text_bytes(edit) for edit in bundle)
            if len(taken) + len(bundle) <= limits.edits and text + size <= limits.text_bytes:
                taken += bundle
                text += size
            else:
                waiting += len(bundle)
    return tuple(taken), waiting


def related(unit: Unit, first: str, second: str, kind: RelationKind) -> bool:
    """Whether two memories have such an edge already, in either direction."""
    return any(
        relation.kind is kind and {relation.source, relation.target} == {first, second}
        for relation in unit.relations.of(first)
    )


def is_immune(memory: Memory) -> bool:
    """What a person typed, confirmed or pinned is not a dream's to change."""
    return memory.pinned or memory.origin in (Origin.TYPED, Origin.CONFIRMED)


def date_of(moment: int) -> str:
    """The day of a moment in this machine's time zone, as YYYY-MM-DD."""
    return f"{datetime.fromtimestamp(moment / 1000):%Y-%m-%d}"
