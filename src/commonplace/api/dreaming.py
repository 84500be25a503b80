"""Dreams: looked at as differences, done, and taken back."""

from hashlib import blake2b
from typing import Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.parameters import ApiParameters, OneParameters
from commonplace.api.shapes import MemoryOut, shapes
from commonplace.book.book import Book
from commonplace.dialect import Whole
from commonplace.domain.canonical_json import dumps
from commonplace.domain.memory import RelationKind
from commonplace.domain.scope import Right
from commonplace.dream import Limits, Plan, Run
from commonplace.dream.edits import (
    AddInsight,
    AddMemory,
    AddRelation,
    Archive,
    Edit,
    MarkDistilled,
    Supersede,
    edit_json,
)
from commonplace.dream.runs import edits_in, shown_run
from commonplace.errors import Conflict

NEW = ("add_memory", "add_relation", "add_insight")
"""Edits that are given an id each time they are planned."""


class RunsParameters(ApiParameters):
    limit: Annotated[Whole, Field(description="from 1 to 1,000")] = 30


class RunOut(TypedDict):
    id: str
    scope: str
    status: str
    started_at: str
    finished_at: str | None
    duration_ms: int | None
    waiting: int
    edits: int
    stages: list[dict[str, object]]
    done: list[dict[str, object]]
    skipped: list[dict[str, object]]
    notes: list[str]
    errors: list[str]


class Runs(TypedDict):
    runs: list[RunOut]
    total: int | None
    next_cursor: None


def dreams(book: Book, given: RunsParameters) -> Runs:
    """Dreams, the newest first."""
    found = book.dreams.list_runs(given.limit)
    total = len(found) if len(found) < given.limit else None
    return Runs(runs=[_run(book, each) for each in found], total=total, next_cursor=None)


class PlanParameters(ApiParameters):
    """Nothing is to be said."""


class ChangeOut(TypedDict):
    what: str
    because: str
    before: list[MemoryOut]
    after: list[MemoryOut]
    text: str | None


class Planned(TypedDict):
    plan_id: str
    changes: list[ChangeOut]
    waiting: int
    notes: list[str]


def plan_dream(book: Book, given: PlanParameters, limits: Limits) -> Planned:
    """What a dream would do now, as differences to be read. It changes nothing, and goes by rules alone: so the same is
    done when it is applied.
    """
    plan = book.dreams.plan(limits)
    noted = {frozenset(edit.sources) for edit in plan.edits if isinstance(edit, AddInsight) and edit.kind == "conflict"}
    told = [edit for edit in plan.edits if not isinstance(edit, MarkDistilled) and not _is_noted(edit, noted)]
    return Planned(
        plan_id=_id(plan), changes=[_change(book, edit) for edit in told], waiting=plan.waiting, notes=list(plan.notes)
    )


class ApplyParameters(ApiParameters):
    plan_id: str


class Applied(TypedDict):
    run: RunOut


def apply_dream(book: Book, given: ApplyParameters, limits: Limits) -> Applied:
    """Does what a plan said, if a dream would still do the same."""
    book.principal.require(Right.WRITE)
    plan = book.dreams.plan(limits)
    if _id(plan) != given.plan_id:
        raise Conflict("The book has changed since this plan was made: look at a new one.")
    return Applied(run=_run(book, book.dreams.apply(plan)))


class UndoDreamParameters(OneParameters):
    force: Annotated[bool, Field(description="leave alone what was changed since, and undo the rest")] = False


class UndoneDream(TypedDict):
    run: RunOut
    left: list[str]


def undo_dream(book: Book, given: UndoDreamParameters) -> UndoneDream:
    """Takes a dream back: whatever it touched is as it was."""
    undone = book.dreams.undo(given.id, force=given.force)
    return UndoneDream(run=_run(book, undone.run), left=list(undone.left))


def _run(book: Book, run: Run) -> RunOut:
    return cast(RunOut, {**shown_run(run), "scope": book.principal.show(run.scope), "edits": edits_in(run)})


def _id(plan: Plan) -> str:
    """The same for plans that would do the same: ids that are made anew each time are told by their place."""
    edits = [edit_json(edit) for edit in plan.edits]
    text = dumps(edits)
    made = [str(edit["id"]) for edit in edits if edit["edit"] in NEW]
    for place, id in enumerate(made):
        text = text.replace(id, f"new {place}")
    return f"plan_{blake2b(text.encode(), digest_size=13).hexdigest()}"


def _is_noted(edit: Edit, noted: set[frozenset[str]]) -> bool:
    """What a note tells as well is told once."""
    if not isinstance(edit, AddRelation) or edit.kind is not RelationKind.CONFLICTS_WITH:
        return False
    return frozenset((edit.source, edit.target)) in noted


def _change(book: Book, edit: Edit) -> ChangeOut:
    match edit:
        case Supersede():
            return _difference(book, "supersede", edit.reason, [edit.id, edit.successor], [edit.successor])
        case Archive():
            return _difference(book, "archive", edit.reason, [edit.id], [])
        case AddMemory():
            return _difference(book, "remember", f"a correction said so ({edit.correction})", [], [], edit.text)
        case AddRelation():
            ends = [edit.source, edit.target]
            return _difference(book, f"relate: {edit.kind.value}", edit.reason, ends, ends)
        case AddInsight():
            said, sources = " ".join(each.text for each in edit.sentences), list(edit.sources)
            return _difference(book, f"note: {edit.kind}", "worth a look", sources, sources, said)
        case MarkDistilled():
            return _difference(book, "mark", "a correction has led to something", [], [])


def _difference(
    book: Book, what: str, because: str, before: list[str], after: list[str], text: str | None = None
) -> ChangeOut:
    found = {memory.id: memory for memory in book.get_many([*before, *after]) if memory is not None}
    shown = {each["id"]: each for each in shapes(book, list(found.values()))}
    return ChangeOut(
        what=what,
        because=because,
        before=[shown[id] for id in before if id in shown],
        after=[shown[id] for id in after if id in shown],
        text=text,
    )
