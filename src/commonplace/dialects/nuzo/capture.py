"""Capture drafts: what an agent inferred and would like to keep, until a person confirms, edits or rejects it.

A draft has no id and is stored nowhere. The two tools here are not among those a host is given:
`commonplace memory` calls them on behalf of a person. What a rejected draft said is not kept.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import CHANGES, READS, tool
from commonplace.dialects.nuzo.policy import admit
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.dialects.nuzo.shapes import CHANGEABLE, RecordOut, record_shape
from commonplace.dialects.nuzo.tools import RememberParameters, UpdateParameters, candidate_of, get_memory, update
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.engine.intake import Draft, ExactPolicy, NearPolicy, Repeats, Verdict, refuse_secrets

REASON_LENGTH_LIMIT = 1_000
SOURCE = "nuzo:capture-suggestion"

Decision = Literal["create", "update", "keep_separate", "reject"]
"""What a person makes of a draft."""


class DraftParameters(RememberParameters):
    """What is suggested, and why it seems worth keeping. `model_copy(update=…)` edits one."""

    source: str = SOURCE
    reason: Annotated[str, Field(description="why it is worth keeping")]


class DraftOut(TypedDict):
    content: str
    kind: str
    scope: str
    tags: list[str]
    source: str
    confidence: float
    reason: str
    requires_confirmation: bool


class Suggested(TypedDict):
    status: str
    memory_writes: bool
    requires_confirmation: bool
    draft: DraftOut
    duplicate: RecordOut | None


def suggest(book: Book, given: DraftParameters) -> Suggested:
    """A draft that a person could confirm, with the memory that says the same already, if there is one."""
    draft = check(book, given)
    same = book.same(draft.text, Filter((draft.scope,)))
    return Suggested(
        status="duplicate" if same else "ready",
        memory_writes=False,
        requires_confirmation=True,
        draft=DraftOut(
            content=draft.text,
            kind=given.kind,
            scope=book.principal.show(draft.scope),
            tags=list(draft.tags),
            source=given.source,
            confidence=given.confidence,
            reason=given.reason,
            requires_confirmation=True,
        ),
        duplicate=record_shape(book, same[0]) if same else None,
    )


def check(book: Book, given: DraftParameters) -> Draft:
    """The whole policy of remember, which no confirmation gets around; the reason may hold no secret either."""
    draft = admit(book, candidate_of(given))
    if not given.reason.strip():
        raise Refusal("MEMORY_REASON_EMPTY", "reason is empty: say why it is worth keeping.", "reason")
    if len(given.reason) > REASON_LENGTH_LIMIT:
        raise Refusal(
            "MEMORY_REASON_TOO_LONG", f"reason is longer than {REASON_LENGTH_LIMIT:,} characters: shorten it.", "reason"
        )
    refuse_secrets(given.reason, "reason")
    return draft


class ConfirmParameters(DraftParameters):
    decision: Decision = "create"
    target_memory_id: Annotated[str | None, Field(description="what an update changes")] = None
    confirm: bool = False


class Confirmed(TypedDict):
    decision: str
    status: str
    memory_writes: bool
    requires_confirmation: bool
    reason: str
    memory: RecordOut | None


def confirm(book: Book, given: ConfirmParameters) -> Confirmed:
    """Do what a person decided about a draft. Only they can say `confirm`; to reject needs nobody's word."""
    if given.decision == "reject":
        return _outcome(given, "skipped", "The draft was rejected; nothing of it was kept.", None)
    if not given.confirm:
        raise Refusal(
            "MEMORY_CAPTURE_CONFIRMATION_REQUIRED", "Nothing is kept until a person confirms the draft.", "confirm"
        )
    draft = check(book, given)
    if given.decision == "update":
        return _outcome(given, "updated", "The memory was updated from the draft.", _updated(book, given))
    exact = ExactPolicy.FOLDED if given.decision == "create" else ExactPolicy.NEVER
    result = book.remember(draft, repeats=Repeats(exact, NearPolicy.IGNORE))
    shown = record_shape(book, result.memory)
    if result.verdict is Verdict.REPEATED:
        return _outcome(given, "skipped", "A memory says the same already.", shown)
    return _outcome(given, "created", "The draft was stored.", shown)


def check_decision(book: Book, given: ConfirmParameters) -> None:
    """Refuse what `confirm` would refuse, before anything of a batch is stored."""
    if given.decision != "reject":
        check(book, given)
    if given.decision == "update":
        _target(book, given)


def _target(book: Book, given: ConfirmParameters) -> Memory:
    if given.target_memory_id is None:
        raise Refusal(
            "MEMORY_TARGET_REQUIRED", "Say which memory to update: give target_memory_id.", "target_memory_id"
        )
    return get_memory(book, given.target_memory_id)


def _updated(book: Book, given: ConfirmParameters) -> RecordOut:
    changes = {name: getattr(given, name) for name in CHANGEABLE}
    return update(book, UpdateParameters(id=_target(book, given).id, **changes))["memory"]


def _outcome(given: ConfirmParameters, status: str, reason: str, memory: RecordOut | None) -> Confirmed:
    return Confirmed(
        decision=given.decision,
        status=status,
        memory_writes=status != "skipped",
        requires_confirmation=False,
        reason=reason,
        memory=memory,
    )


SUGGEST = tool(
    "memory.suggest_capture",
    "Suggest a memory",
    "A draft of a memory, for a person to confirm.",
    DraftParameters,
    suggest,
    Suggested,
    READS,
)
CONFIRM = tool(
    "memory.confirm_capture",
    "Confirm a draft",
    "What a person decided about a draft.",
    ConfirmParameters,
    confirm,
    Confirmed,
    CHANGES,
)
