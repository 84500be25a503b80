"""memory_decide: the decision log, to write into and to look things up in."""

from typing import TYPE_CHECKING, Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialects.native.shapes import NOTICE, fitting
from commonplace.dialects.native.tools import DEFAULT_MAX_TOKENS, NativeParameters
from commonplace.errors import InvalidInput
from commonplace.text import show_time

if TYPE_CHECKING:
    from commonplace.decisions.decision import Decision

AREA = "general"  # of a decision that supersedes none, whose area it would have
NEEDED = ("title", "decision", "rationale", "context")


class DecideParameters(NativeParameters):
    title: str | None = None
    decision: str | None = None
    rationale: str | None = None
    context: str | None = None
    alternatives: list[str] = Field(default_factory=list)
    impact: Literal["low", "medium", "high", "critical"] = "medium"
    supersedes: Annotated[str | None, Field(description="DEC-014")] = None
    scope: str | None = None
    area: Annotated[str | None, Field(description="what it concerns, such as backend")] = None
    query: str | None = None


class DecisionOut(TypedDict):
    id: str
    title: str
    decision: str
    rationale: str
    context: str
    area: str
    impact: str
    status: str
    scope: str
    project: NotRequired[str]
    date: str
    alternatives: NotRequired[list[str]]
    supersedes: NotRequired[str]
    superseded_by: NotRequired[str]


class Decided(TypedDict):
    decisions: list[DecisionOut]
    omitted: int
    notice: str


def decide(book: Book, given: DecideParameters) -> Decided:
    """Records a decision, or with a query finds some: as many as fit, and how many were left out."""
    if given.query is None:
        return Decided(decisions=[_shape(book, _recorded(book, given))], omitted=0, notice=NOTICE)
    # Late: a host's first call need not wait for what only this one takes.
    from commonplace.decisions.decision import Inquiry

    scopes = book.places() if given.scope is None else (book.scope(given.scope),)
    found = book.decisions.query(Inquiry(scopes, given.query, given.area))
    shapes = [_shape(book, decision) for decision in found.decisions]
    answer = Decided(decisions=[], omitted=found.total, notice=NOTICE)
    count = fitting(shapes, DEFAULT_MAX_TOKENS, answer)
    answer["decisions"] = shapes[:count]
    answer["omitted"] -= count
    return answer


def _recorded(book: Book, given: DecideParameters) -> "Decision":
    # Late: a host's first call need not wait for what only this one takes.
    from commonplace.decisions.decision import Impact, Proposal

    title, decision, rationale, context = (_needed(given, name) for name in NEEDED)
    proposal = Proposal(
        title,
        book.principal.user,
        context,
        decision,
        rationale,
        given.area or (None if given.supersedes else AREA),
        Impact(given.impact),
        tuple(given.alternatives),
    )
    if given.supersedes is None:
        return book.decisions.create(book.scope(given.scope), proposal)
    scopes = book.places() if given.scope is None else (book.scope(given.scope),)
    old = book.decisions.get(given.supersedes, scopes)
    return book.decisions.supersede(old.scope, old.id, proposal)


def _needed(given: DecideParameters, name: str) -> str:
    value: str | None = getattr(given, name)
    if value is None:
        raise InvalidInput(f"{name} is missing: record with {', '.join(NEEDED)}, or find with query.", name)
    return value


def _shape(book: Book, decision: "Decision") -> DecisionOut:
    shown = DecisionOut(
        id=decision.id,
        title=decision.title,
        decision=decision.decision,
        rationale=decision.rationale,
        context=decision.context,
        area=decision.area,
        impact=decision.impact.value,
        status=decision.status.value,
        scope=book.principal.show(decision.scope),
        date=show_time(decision.decided_at),
    )
    if decision.project is not None and decision.project not in book.here():
        shown["project"] = book.project_name(decision.project)
    if decision.alternatives:
        shown["alternatives"] = list(decision.alternatives)
    if decision.supersedes is not None:
        shown["supersedes"] = decision.supersedes
    if decision.superseded_by is not None:
        shown["superseded_by"] = decision.superseded_by
    return shown
