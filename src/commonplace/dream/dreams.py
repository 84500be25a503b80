"""Dreams: plan, apply, undo, and what is remembered of them.

A plan reads and changes nothing. Applying is one short transaction, in which every edit is checked
against the book as it is by then. One process dreams at a time; whoever uses the book goes first.
"""

from collections.abc import Callable, Sequence

from commonplace import deadline
from commonplace.config import Settings
from commonplace.domain.events import Activity
from commonplace.domain.ids import ulid
from commonplace.domain.memory import Origin
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Right
from commonplace.dream.applying import ApplyContext, make
from commonplace.dream.conflicts import CONFLICT, find_conflicts
from commonplace.dream.duplicates import find_duplicates
from commonplace.dream.edits import AddInsight, AddMemory
from commonplace.dream.limits import Due, Limits, due
from commonplace.dream.links import suggest_links
from commonplace.dream.planning import LATEST, Plan, PlanningState, Stage, read_snapshot, run_stages, within_budget
from commonplace.dream.rules import distil_corrections
from commonplace.dream.runs import (
    RUNS,
    Done,
    Insight,
    Run,
    RunStatus,
    SkippedEdit,
    declined,
    insights,
    put_run,
    run_of,
    runs,
)
from commonplace.dream.stale import find_stale
from commonplace.dream.synthesis import sum_up
from commonplace.dream.undoing import take_back
from commonplace.engine.caller import Caller, Clock, Work
from commonplace.engine.context import Context
from commonplace.engine.intake import embedded
from commonplace.engine.lease import LASTS, Lease, held
from commonplace.errors import CommonplaceError, Conflict, InvalidInput, NotFound
from commonplace.ports import LLM, Vector

LEASE = "dream"
IN_USE = "the book was in use"
LIST_LIMIT = 1_000
REMEMBERED_UNDOINGS = 1_000
ENDED = (RunStatus.APPLIED.value, RunStatus.UNDONE.value, RunStatus.FAILED.value)
"""After these there is no other dream the same night; one that was interrupted is tried again."""

STAGES: tuple[Stage, ...] = (
    ("duplicates", find_duplicates),
    ("rules", distil_corrections),
    ("conflicts", find_conflicts),
    ("stale", find_stale),
    ("links", suggest_links),
    ("synthesis", sum_up),
)
BUDGET_ORDER = ("rules", "synthesis", "duplicates", "conflicts", "stale", "links")
"""Who is served first when there is more to do than one dream may."""

Progress = Callable[[int, int], None]
"""How far a plan is, in memories looked at by all stages together."""


class Undone(Record):
    """A run that was taken back, and the memories that were left as they are."""

    run: Run
    left: tuple[str, ...]


class Dreams:
    """The dreams of one principal: over the scopes they may see."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    # -- the cycle -------------------------------------------------------------------------------

    def plan(
        self, limits: Limits = Limits(), llm: LLM | None = None, progress: Progress = lambda done, total: None
    ) -> Plan:
        """What a dream would do now. Changes nothing and holds nobody up."""
        plan = self._planned(limits, llm, progress, lambda: True)
        if plan is None:
            raise Conflict("The plan was stopped: try again.")
        return plan

    def apply(self, plan: Plan) -> Run:
        """Do what a plan says, as far as the book still is what it was planned on."""
        self._caller.principal.require(Right.WRITE)
        lease = self._lease()
        with held(lease) as ours:
            _refuse_second(ours)
            run = self._begun(plan.started_at)
            return self._applied(plan, run, lease, None)

    def run(
        self,
        limits: Limits = Limits(),
        llm: LLM | None = None,
        progress: Progress = lambda done, total: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Run:
        """Plan and apply. It gives up between two stages when somebody uses the book, or when told to `stop`."""
        self._caller.principal.require(Right.WRITE)
        lease = self._lease()
        with held(lease) as ours:
            _refuse_second(ours)
            run = self._begun(self._caller.clock())
            before = self._activity()

            def may_go_on() -> bool:
                return not stop() and lease.renew() and self._activity() == before

            try:
                plan = self._planned(limits, llm, _renewing(lease, self._caller.clock, progress), may_go_on)
                if plan is None:
                    return self._ended(run, RunStatus.INTERRUPTED, IN_USE)
                return self._applied(plan, run, lease, before)
            except CommonplaceError as error:
                self._ended(run, RunStatus.FAILED, error.message)
                raise

    def due(self, settings: Settings) -> Due:
        """Whether it is time for a dream, by the settings and by when the book was last used."""
        with self._caller.reading() as work:
            last = runs(work.unit, work.viewer, 1, ENDED)
            active_at = work.unit.log.activity().at
        return due(work.now, settings, active_at, last[0].started_at if last else None)

    def undo(self, run_id: str, *, force: bool = False) -> Undone:
        """Take a run back: every memory it touched is as it was, to the byte.

        If somebody has changed one of them since, nothing is undone; with `force`, all but those.
        """
        self._caller.principal.require(Right.WRITE)
        with held(self._lease()) as ours:
            _refuse_second(ours)
            with self._caller.writing_for_good() as work:
                run = _find(work, run_id)
                if run.status is not RunStatus.APPLIED:
                    raise Conflict(f"{run.id} is {run.status.value}: only a dream that was applied can be undone.")
                left = take_back(work.unit, self._context(), run, force)
                undone = replace(run, status=RunStatus.UNDONE)
                put_run(work.unit, undone)
        return Undone(undone, left)

    # -- what is remembered of them ----------------------------------------------------------------

    def get_run(self, run_id: str) -> Run:
        """One dream, by its id."""
        with self._caller.reading() as work:
            return _find(work, run_id)

    def list_runs(self, limit: int = 30) -> tuple[Run, ...]:
        """Dreams, the newest first."""
        _check_limit(limit)
        with self._caller.reading() as work:
            return runs(work.unit, work.viewer, limit)

    def list_insights(self, limit: int = 30, kinds: Sequence[str] = ()) -> tuple[Insight, ...]:
        """Insights, the newest first; `kinds` are daily, conflict, correction and topic."""
        _check_limit(limit)
        with self._caller.reading() as work:
            return insights(work.unit, work.viewer, limit, tuple(kinds))

    # -- inside --------------------------------------------------------------------------------

    def _planned(
        self, limits: Limits, llm: LLM | None, progress: Progress, may_go_on: Callable[[], bool]
    ) -> Plan | None:
        caller = self._caller
        with caller.reading() as work:
            undone = declined(work.unit, work.viewer, REMEMBERED_UNDOINGS)
            snapshot = read_snapshot(work.unit, work.viewer, undone)
            known = insights(work.unit, work.viewer, LATEST, (CONFLICT,))
            told = tuple(AddInsight(each.id, each.kind, each.scope, each.date, each.sentences) for each in known)
            snapshot = replace(snapshot, pointed_out=told)
        now, tenant = work.now, caller.principal.tenant
        working = PlanningState(snapshot, now, limits, caller.limits.decay, lambda: caller.store.reading(tenant), llm)
        size = len(snapshot.memories)
        total, finished = size * len(STAGES), -1

        def between() -> bool:
            nonlocal finished
            finished += 1
            progress(finished * size, total)
            return may_go_on()

        working.report = lambda done: progress(finished * size + done, total)
        reports = run_stages(STAGES, working, between)
        if reports is None:
            return None
        edits, waiting = within_budget(working, BUDGET_ORDER)
        return Plan(now, edits, waiting, reports, tuple(working.notes))

    def _applied(self, plan: Plan, run: Run, lease: Lease, before: Activity | None) -> Run:
        """All edits and the run itself in one transaction; `before` is what others must not have gone beyond."""
        rules = [edit for edit in plan.edits if isinstance(edit, AddMemory)]
        vectors, notes = embedded([rule.text for rule in rules], self._caller.models.embedder)
        by_id: dict[str, Vector | None] = dict(zip((rule.id for rule in rules), vectors, strict=True))
        with self._caller.writing_for_good() as work:
            unit = work.unit
            if not lease.holds(unit) or (before is not None and unit.log.activity() != before):
                stopped = replace(run, status=RunStatus.INTERRUPTED, finished_at=work.now, stages=plan.stages)
                stopped = replace(stopped, errors=(IN_USE,))
                put_run(unit, stopped)
                return stopped
            hand = ApplyContext(unit, self._context(), run.id, self._caller.models.embedder, by_id)
            made = [make(edit, hand) for edit in deadline.each(plan.edits)]
            applied = replace(
                run,
                status=RunStatus.APPLIED,
                finished_at=work.now,
                stages=plan.stages,
                waiting=plan.waiting,
                done=tuple(each for each in made if isinstance(each, Done)),
                skipped=tuple(each for each in made if isinstance(each, SkippedEdit)),
                notes=(*plan.notes, *notes),
            )
            put_run(unit, applied)
        return applied

    def _begun(self, started_at: int) -> Run:
        """A run on its shelf from the start: one that was killed stays planned until the next one tells."""
        run = Run(f"drm_{ulid(self._caller.clock())}", self._caller.principal.own_scope, started_at, RunStatus.PLANNED)
        with self._caller.writing_for_good() as work:
            for killed in runs(work.unit, work.viewer, LIST_LIMIT, (RunStatus.PLANNED.value,)):
                stopped = replace(killed, status=RunStatus.INTERRUPTED, errors=("it did not come to its end",))
                put_run(work.unit, stopped)
            put_run(work.unit, run)
        return run

    def _ended(self, run: Run, status: RunStatus, error: str) -> Run:
        ended = replace(run, status=status, finished_at=self._caller.clock(), errors=(error,))
        with self._caller.writing_for_good() as work:
            put_run(work.unit, ended)
        return ended

    def _activity(self) -> Activity:
        with self._caller.looking() as work:
            return work.unit.log.activity()

    def _lease(self) -> Lease:
        return Lease(self._caller.store, self._caller.principal.tenant, LEASE, self._caller.clock)

    def _context(self) -> Context:
        return Context(self._caller.principal, "dream", "dream", Origin.INFERRED, self._caller.clock())


def _find(work: Work, run_id: str) -> Run:
    entry = work.unit.entries.get(RUNS, run_id)
    run = None if entry is None else run_of(entry)
    if run is None or not work.may_see(run.scope):
        raise NotFound(f"There is no dream '{run_id[:60]}': see 'commonplace dream history'.")
    return run


def _refuse_second(ours: bool) -> None:
    if not ours:
        raise Conflict("A dream is running already: wait for it to end.")


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= LIST_LIMIT:
        raise InvalidInput(f"limit must be from 1 to {LIST_LIMIT}, not {limit}.", "limit")


def _renewing(lease: Lease, clock: Clock, progress: Progress) -> Progress:
    """Progress that keeps the lease on the way: a long stage would let it run out."""
    renewed = clock()

    def report(done: int, total: int) -> None:
        nonlocal renewed
        progress(done, total)
        if clock() - renewed > LASTS // 4:
            lease.renew()
            renewed = clock()

    return report
