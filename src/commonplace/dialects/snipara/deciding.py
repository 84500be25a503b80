"""rlm_decision_create, rlm_decision_query and rlm_decision_supersede."""

from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.decisions.decision import Decision, DecisionStatus, Impact, Inquiry, Proposal
from commonplace.dialect import Parameters, Whole
from commonplace.dialects.snipara.refusals import Refusal, unsupported
from commonplace.dialects.snipara.vocabulary import default_place, place_warnings
from commonplace.errors import NotFound
from commonplace.text import show_time

RELEVANT = 0.5  # where relevance parts what is to the point from what is not
IMPACTS = [impact.name for impact in Impact]

ImpactName = Annotated[str, WithJsonSchema({"type": "string", "enum": IMPACTS})]
Area = Annotated[str, Field(description="what it concerns, such as backend")]


class DecisionOut(TypedDict):
    id: str
    title: str
    owner: str
    date: str
    scope: str
    impact: str
    status: str
    context: str
    decision: str
    rationale: str
    alternatives: list[str]
    revert_plan: str | None
    supersedes: str | None
    superseded_by: str | None
    tags: list[str]
    warnings: NotRequired[list[str]]


def _shape(decision: Decision) -> DecisionOut:
    return DecisionOut(
        id=decision.id,
        title=decision.title,
        owner=decision.owner,
        date=show_time(decision.decided_at),
        scope=decision.area,
        impact=decision.impact.name,
        status=decision.status.name,
        context=decision.context,
        decision=decision.decision,
        rationale=decision.rationale,
        alternatives=list(decision.alternatives),
        revert_plan=decision.revert_plan,
        supersedes=decision.supersedes,
        superseded_by=decision.superseded_by,
        tags=list(decision.tags),
    )


class ProposalParameters(Parameters):
    title: str
    owner: Annotated[str, Field(description="who answers for it")]
    context: Annotated[str, Field(description="what made it necessary")]
    decision: str
    rationale: Annotated[str, Field(description="why this and nothing else")]
    impact: ImpactName = "MEDIUM"
    alternatives: list[str] = Field(default_factory=list)
    revert_plan: str | None = None
    tags: list[str] = Field(default_factory=list)


class CreateParameters(ProposalParameters):
    scope: Area


def create(book: Book, given: CreateParameters) -> DecisionOut:
    """Records a decision in the project's scope; what the contract calls scope is our area."""
    return _placed(book, _shape(book.decisions.create(default_place(book), _proposal(given, given.scope))))


def _placed(book: Book, answer: DecisionOut) -> DecisionOut:
    """With what there is to say of where the log is."""
    warnings = place_warnings(book)
    if warnings:
        answer["warnings"] = warnings
    return answer


def _proposal(given: ProposalParameters, area: str | None) -> Proposal:
    return Proposal(
        given.title,
        given.owner,
        given.context,
        given.decision,
        given.rationale,
        area,
        _impact(given.impact),
        tuple(given.alternatives),
        given.revert_plan,
        tuple(given.tags),
    )


def _impact(name: str) -> Impact:
    spelled = name.strip().upper()
    if spelled not in IMPACTS:
        raise unsupported("impact", "impact", name, IMPACTS)
    return Impact[spelled]


class QueryParameters(Parameters):
    query: Annotated[str | None, Field(description="words, or what it is about")] = None
    scope: Annotated[str | None, Field(description="what it concerns, such as backend")] = None
    impact: ImpactName | None = None
    status: Annotated[
        str | None, WithJsonSchema({"type": "string", "enum": [status.name for status in DecisionStatus]})
    ] = None
    tags: Annotated[list[str], Field(description="one of them is enough")] = Field(default_factory=list)
    include_superseded: bool = False
    limit: Whole = 10


class Decided(TypedDict):
    decisions: list[DecisionOut]
    total: int
    has_more: bool
    warnings: NotRequired[list[str]]


def query(book: Book, given: QueryParameters) -> Decided:
    """Decisions of the project that fit, with how many there are in all; superseded ones only if asked for."""
    found = book.decisions.query(
        Inquiry(
            (default_place(book),),
            given.query if given.query and given.query.strip() else None,
            given.scope,
            None if given.impact is None else _impact(given.impact),
            None if given.status is None else _status(given.status),
            tuple(given.tags),
            given.include_superseded,
            given.limit,
            least_relevance=RELEVANT,
        )
    )
    answer = Decided(decisions=[_shape(each) for each in found.decisions], total=found.total, has_more=found.has_more)
    warnings = place_warnings(book)
    if warnings:
        answer["warnings"] = warnings
    return answer


def _status(name: str) -> DecisionStatus:
    names = [status.name for status in DecisionStatus]
    if name.strip().upper() not in names:
        raise unsupported("status", "decision status", name, names)
    return DecisionStatus[name.strip().upper()]


class SupersedeParameters(ProposalParameters):
    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="ignore",
        json_schema_extra={"required": ["old_decision_id", "title", "owner", "context", "decision", "rationale"]},
    )

    old_decision_id: Annotated[str | None, Field(description="such as DEC-014")] = None
    scope: Annotated[str | None, Field(description="that of the old decision unless given")] = None


def supersede(book: Book, given: SupersedeParameters) -> DecisionOut:
    """The new decision. The old one stays in the log and names it; one that was superseded before is refused."""
    if given.old_decision_id is None or not given.old_decision_id.strip():
        raise Refusal("old_decision_id is required")
    try:
        new = book.decisions.supersede(default_place(book), given.old_decision_id, _proposal(given, given.scope))
    except NotFound:
        raise Refusal(f"Decision {given.old_decision_id[:40]} not found") from None
    return _placed(book, _shape(new))
