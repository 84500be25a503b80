"""Corrections, dreams, and what is distilled of the raw: `memory.list_corrections`, `dreaming.*`, `memory.compress`."""

import time
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.aleph.shapes import AgentId, fact_id, fact_ids, home, seconds
from commonplace.domain.corrections import Correction, Severity
from commonplace.domain.record import replace
from commonplace.domain.validation import choice
from commonplace.dream import Insight, Limits, Run
from commonplace.dream.edits import AddInsight, AddMemory, AddRelation, Edit, MarkDistilled
from commonplace.dream.runs import edits_in

LIMIT = 1_000
EDITS = 10_000  # a plan's other edits must not take the place of what corrections come to


# -- corrections ------------------------------------------------------------------------------


class CorrectionsParameters(Parameters):
    agent_id: AgentId = None
    limit: Annotated[Whole, Field(ge=1, le=LIMIT)] = 50
    include_distilled: bool = True


class CorrectionOut(TypedDict):
    id: str
    content: str
    severity: str
    suggested_rule: str | None
    status: str
    created_at: int
    results: list[str]


class CorrectionsOut(TypedDict):
    corrections: list[CorrectionOut]


def list_corrections(book: Book, given: CorrectionsParameters) -> CorrectionsOut:
    """The latest corrections of the agent, or of all that the caller sees; distilled ones only if asked for."""
    scope = home(book, given.agent_id) if given.agent_id else None
    found = book.corrections.list(limit=given.limit, scope=scope, include_distilled=given.include_distilled)
    names = fact_ids(book, (id for each in found for id in each.results))
    return CorrectionsOut(corrections=[_correction(each, names) for each in found])


def _correction(correction: Correction, names: Mapping[str, str]) -> CorrectionOut:
    return CorrectionOut(
        id=correction.id,
        content=correction.content,
        severity=correction.severity.value,
        suggested_rule=correction.suggested_rule,
        status=correction.status.value,
        created_at=seconds(correction.created_at),
        results=[names[id] for id in correction.results],
    )


class LogCorrectionParameters(Parameters):
    content: Annotated[str, Field(description="what is right, or what was wrong")]
    severity: Annotated[str, Field(json_schema_extra={"enum": [each.value for each in Severity]})] = Severity.MED.value
    suggested_rule: Annotated[str | None, Field(description="what to go by from now on")] = None
    memory_ids: Annotated[list[str], Field(default_factory=list, description="the facts it corrects")]
    agent_id: AgentId = None


class LoggedOut(TypedDict):
    id: str
    status: str
    put_away: list[str]
    left: list[str]
    proposed: list[str]


def log_correction(book: Book, given: LogCorrectionParameters) -> LoggedOut:
    """Keeps a correction. Facts it names are put away as far as trust allows; those it may be about are proposed."""
    logged = book.corrections.log(
        given.content,
        scope=home(book, given.agent_id),
        severity=choice(Severity, given.severity, "severity"),
        suggested_rule=given.suggested_rule or None,
        memories=given.memory_ids,
    )
    return LoggedOut(
        id=logged.correction.id,
        status=logged.correction.status.value,
        put_away=[fact_id(memory) for memory in logged.put_away],
        left=[fact_id(memory) for memory in logged.left],
        proposed=[fact_id(hit.memory) for hit in logged.proposed],
    )


# -- dreams -----------------------------------------------------------------------------------


class InsightsParameters(Parameters):
    limit: Annotated[Whole, Field(ge=1, le=LIMIT)] = 30


class DailyOut(TypedDict):
    id: str
    date: str
    content: str
    source_memory_count: int
    created_at: int


class SynthesisOut(TypedDict):
    id: str
    path: str
    title: str
    content: str
    sources: list[str]
    updated_at: int


class RunEntry(TypedDict):
    id: str
    pipeline_type: str
    status: str
    started_at: int
    finished_at: int | None
    duration_ms: int | None
    synthesis_count: int
    edits: int
    errors: list[str]
    notes: list[str]


class InsightsOut(TypedDict):
    daily: list[DailyOut]
    synthesis: list[SynthesisOut]
    runs: list[RunEntry]


def list_insights(book: Book, given: InsightsParameters) -> InsightsOut:
    """The latest insights, daily ones apart from the others, with the latest runs."""
    found = book.dreams.list_insights(given.limit)
    names = fact_ids(book, (id for each in found for id in each.sources))
    return InsightsOut(
        daily=[_daily(each, names) for each in found if each.kind == "daily"],
        synthesis=[_synthesis(each, names) for each in found if each.kind != "daily"],
        runs=[_run(each) for each in book.dreams.list_runs(given.limit)],
    )


def _daily(insight: Insight, names: Mapping[str, str]) -> DailyOut:
    return DailyOut(
        id=insight.id,
        date=insight.date,
        content=_content(insight, names),
        source_memory_count=len(insight.sources),
        created_at=seconds(insight.created_at),
    )


def _synthesis(insight: Insight, names: Mapping[str, str]) -> SynthesisOut:
    return SynthesisOut(
        id=insight.id,
        path=f"note://{insight.kind}/{insight.id}",
        title=f"{insight.kind} {insight.date}",
        content=_content(insight, names),
        sources=[names[id] for id in insight.sources],
        updated_at=seconds(insight.created_at),
    )


def _content(insight: Insight, names: Mapping[str, str]) -> str:
    """What a dream says of memories it names, in the names they have here."""
    text = insight.text
    for id in insight.sources:
        text = text.replace(id, names[id])
    return text


def _run(run: Run) -> RunEntry:
    return RunEntry(
        id=run.id,
        pipeline_type="dream",
        status=run.status.value,
        started_at=seconds(run.started_at),
        finished_at=None if run.finished_at is None else seconds(run.finished_at),
        duration_ms=run.duration_ms,
        synthesis_count=sum(isinstance(each.edit, AddInsight) for each in run.done),
        edits=edits_in(run),
        errors=list(run.errors),
        notes=list(run.notes),
    )


class RunParameters(Parameters):
    """None."""


class RunOut(TypedDict):
    ok: bool
    run_id: str
    status: str
    notes: list[str]


def run_now(book: Book, given: RunParameters) -> RunOut:
    """Dreams at once, with the language model if there is one; not ok if any stage failed."""
    run = book.dreams.run(llm=book.llm)
    return RunOut(ok=not run.errors, run_id=run.id, status=run.status.value, notes=list(run.notes))


# -- what is raw ------------------------------------------------------------------------------


class CompressParameters(Parameters):
    """None."""


class Compressed(TypedDict):
    memoriesProcessed: int
    factsExtracted: int
    factsInvalidated: int
    durationMs: int


def compress(book: Book, given: CompressParameters) -> Compressed:
    """Turns first, then corrections; of a dream's plan only what corrections come to. Nothing is invalidated."""
    started = time.perf_counter()
    turns, learnt = book.sessions.distil_raw(book.scopes, llm=book.llm)
    plan = book.dreams.plan(Limits(edits=EDITS))
    edits = _of_corrections(plan.edits)
    done = [each.edit for each in book.dreams.apply(replace(plan, edits=edits)).done] if edits else []
    rules = sum(isinstance(edit, AddMemory) for edit in done)
    marked = sum(isinstance(edit, MarkDistilled) for edit in done)
    return Compressed(
        memoriesProcessed=turns + marked,
        factsExtracted=len(learnt) + rules,
        factsInvalidated=0,
        durationMs=round((time.perf_counter() - started) * 1000),
    )


def _of_corrections(edits: Sequence[Edit]) -> tuple[Edit, ...]:
    rules = {edit.id for edit in edits if isinstance(edit, AddMemory)}
    return tuple(edit for edit in edits if _follows(edit, rules))


def _follows(edit: Edit, rules: set[str]) -> bool:
    match edit:
        case AddMemory() | MarkDistilled():
            return True
        case AddRelation():
            return edit.source in rules
        case AddInsight():
            return edit.kind == "correction"
    return False
