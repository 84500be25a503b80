"""What is kept of dreams: runs, with what undoing them takes, and insights."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope, Viewer
from commonplace.dream.edits import AddInsight, Edit, InsightSentence, edit_json, edit_of, key_of, sentences_of
from commonplace.dream.planning import StageReport
from commonplace.engine.paging import each_entry
from commonplace.ports import Unit
from commonplace.text import show_time

RUNS = "dream"
INSIGHTS = "insight"
PAGE = 200


class RunStatus(StrEnum):
    PLANNED = "planned"
    APPLIED = "applied"
    UNDONE = "undone"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class Done(Record):
    """An edit that was made: the revisions before and after it, and the relations it added."""

    edit: Edit
    before: int | None = None
    after: int | None = None
    relations: tuple[str, ...] = ()


class SkippedEdit(Record):
    """An edit that was not made, and why."""

    edit: Edit
    because: str


class Run(Record):
    """One dream, from its plan to what became of it."""

    id: str
    scope: Scope
    started_at: int
    status: RunStatus
    finished_at: int | None = None
    stages: tuple[StageReport, ...] = ()
    done: tuple[Done, ...] = ()
    skipped: tuple[SkippedEdit, ...] = ()
    waiting: int = 0
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def duration_ms(self) -> int | None:
        """None while it is not finished."""
        return None if self.finished_at is None else self.finished_at - self.started_at


class Insight(Record):
    """Something a dream noticed, in sentences that name their sources."""

    id: str
    kind: str
    scope: Scope
    date: str
    sentences: tuple[InsightSentence, ...]
    created_at: int
    run: str

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids its sentences rest on, each once, in the order they are named."""
        return tuple(dict.fromkeys(id for sentence in self.sentences for id in sentence.sources))

    @property
    def text(self) -> str:
        """Its sentences one after the other."""
        return " ".join(sentence.text for sentence in self.sentences)


# -- runs -------------------------------------------------------------------------------------


def run_json(run: Run) -> dict[str, object]:
    """A run as plain JSON, without what memories say."""
    return {
        "id": run.id,
        "scope": str(run.scope),
        "status": run.status.value,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "duration_ms": run.duration_ms,
        "waiting": run.waiting,
        "stages": [
            {"stage": each.stage, "proposed": each.proposed, "elapsed_ms": each.elapsed_ms} for each in run.stages
        ],
        "done": [
            {
                "edit": edit_json(each.edit, texts=False),
                "before": each.before,
                "after": each.after,
                "relations": list(each.relations),
            }
            for each in run.done
        ],
        "skipped": [{"edit": edit_json(each.edit, texts=False), "because": each.because} for each in run.skipped],
        "notes": list(run.notes),
        "errors": list(run.errors),
    }


def shown_run(run: Run) -> dict[str, object]:
    """The same with times as text."""
    finished_at = None if run.finished_at is None else show_time(run.finished_at)
    return {**run_json(run), "started_at": show_time(run.started_at), "finished_at": finished_at}


def put_run(unit: Unit, run: Run) -> None:
    """Write a run, in the place of what it was at an earlier stage."""
    unit.entries.put(Entry(RUNS, run.id, str(run.scope), run.started_at, run_json(run), state=run.status.value))


def run_of(entry: Entry) -> Run:
    """What was stored, as a run, whichever stage it was left in."""
    body = entry.body
    stages = [
        StageReport(str(each["stage"]), int(str(each["proposed"])), float(str(each["elapsed_ms"])))
        for each in _objects(body["stages"])
    ]
    return Run(
        entry.id,
        Scope.parse(entry.scope),
        entry.at,
        RunStatus(entry.state),
        _moment(body["finished_at"]),
        tuple(stages),
        tuple(_done(each) for each in _objects(body["done"])),
        tuple(SkippedEdit(edit_of(_object(each["edit"])), str(each["because"])) for each in _objects(body["skipped"])),
        int(str(body["waiting"])),
        _words(body["notes"]),
        _words(body["errors"]),
    )


def runs(unit: Unit, viewer: Viewer, limit: int, states: tuple[str, ...] = ()) -> tuple[Run, ...]:
    """Runs that somebody may see, the newest first."""
    return tuple(run_of(entry) for entry in _seen(unit, viewer, EntryFilter(RUNS, states=states), limit))


def declined(unit: Unit, viewer: Viewer, limit: int) -> frozenset[str]:
    """The keys of what somebody has undone, insights apart, which are made anew each day."""
    undone = runs(unit, viewer, limit, (RunStatus.UNDONE.value,))
    return frozenset(key_of(each.edit) for run in undone for each in run.done if not isinstance(each.edit, AddInsight))


def edits_in(run: Run) -> int:
    """How many of its edits touch memories."""
    return count_edits([each.edit for each in run.done])


def count_edits(edits: Sequence[Edit]) -> int:
    """How many of some edits touch memories; the others are notes. A plan and its run are counted alike."""
    return sum(not isinstance(edit, AddInsight) for edit in edits)


# -- insights ---------------------------------------------------------------------------------


def put_insight(unit: Unit, edit: AddInsight, run: str, now: int) -> None:
    """Indexed by the ids it rests on, so that a purge of any of them takes it along."""
    sentences = [{"text": each.text, "sources": list(each.sources)} for each in edit.sentences]
    body: dict[str, object] = {"kind": edit.kind, "date": edit.date, "sentences": sentences, "run": run}
    unit.entries.put(Entry(INSIGHTS, edit.id, str(edit.scope), now, body, " ".join(edit.sources), state=edit.kind))


def insight_of(entry: Entry) -> Insight:
    """What was stored, as an insight, with the run it came from."""
    body = entry.body
    return Insight(
        entry.id,
        str(body["kind"]),
        Scope.parse(entry.scope),
        str(body["date"]),
        sentences_of(body["sentences"]),
        entry.at,
        str(body["run"]),
    )


def insights(unit: Unit, viewer: Viewer, limit: int, kinds: tuple[str, ...] = ()) -> tuple[Insight, ...]:
    """Insights that somebody may see, the newest first."""
    return tuple(insight_of(entry) for entry in _seen(unit, viewer, EntryFilter(INSIGHTS, states=kinds), limit))


# -- reading what was kept --------------------------------------------------------------------


def _seen(unit: Unit, viewer: Viewer, wanted: EntryFilter, limit: int) -> Iterator[Entry]:
    entries = each_entry(unit, wanted, page_limit=PAGE)
    return islice((entry for entry in entries if viewer.may_see(Scope.parse(entry.scope))), max(0, limit))


def _done(data: Mapping[str, object]) -> Done:
    return Done(
        edit_of(_object(data["edit"])), _moment(data["before"]), _moment(data["after"]), _words(data["relations"])
    )


def _moment(value: object) -> int | None:
    return None if value is None else int(str(value))


def _words(value: object) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[dict[str, object]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
