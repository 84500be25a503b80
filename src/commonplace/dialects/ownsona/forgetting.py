"""forget and forget_batch."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters
from commonplace.dialects.ownsona.arguments import Id, MaybeId, check_batch
from commonplace.dialects.ownsona.changing import DryRun
from commonplace.dialects.ownsona.shapes import ErrorOut, error_body
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Filter
from commonplace.domain.validation import REASON_LENGTH_LIMIT
from commonplace.engine.intake import Refused, refuse_secrets
from commonplace.errors import Conflict, InvalidInput, NotFound

Reason = Annotated[str | None, Field(description="why, 1024 characters at most; kept with the tombstone")]


class ForgetParameters(Parameters):
    id: Id
    hard_delete: Annotated[bool, Field(description="erase it for good instead of leaving a tombstone")] = False
    reason: Reason = None
    replaced_by_id: Annotated[MaybeId, Field(description="the memory that holds instead")] = None
    dry_run: DryRun = False


class ForgottenOut(TypedDict):
    ok: bool
    memory_id: int
    dry_run: bool
    already_deleted: bool
    message: str
    note: NotRequired[str]


def forget(book: Book, given: ForgetParameters) -> ForgottenOut:
    """Marks a memory deleted, or with `hard_delete` erases it; a second time is no error and says so."""
    reason = _reason(given.reason)
    if given.hard_delete and (reason is not None or given.replaced_by_id is not None):
        raise InvalidInput("A hard delete keeps nothing: leave out reason and replaced_by_id.", "hard_delete")
    memory = book.get(given.id)
    already = memory.status is not Status.ACTIVE
    answer = ForgottenOut(
        ok=True, memory_id=memory.number, dry_run=given.dry_run, already_deleted=already, message="Forgotten"
    )
    if given.hard_delete:
        _hard_delete(book, memory, answer)
        return answer
    successor = None if given.replaced_by_id is None else _successor(book, given.replaced_by_id)
    if given.dry_run:
        answer["message"] = _would(already)
    else:
        book.forget(memory, reason=reason, replaced_by=successor)
    return answer


def _hard_delete(book: Book, memory: Memory, answer: ForgottenOut) -> None:
    tombstones = Filter((), statuses=(Status.FORGOTTEN,), include_expired=True)
    pointing = [each.number for each in book.each(tombstones) if each.successor == memory.id]
    if pointing:
        raise Conflict(f"Memory {memory.number} stands in for the forgotten {pointing[0]}: hard-delete that one first.")
    answer["message"] = "Would hard-delete" if answer["dry_run"] else "Hard deleted"
    if not answer["dry_run"]:
        erasure = book.purge(memory).erasure
        if not erasure.complete:
            answer["note"] = erasure.detail


def _successor(book: Book, id: int | str) -> Memory:
    try:
        return book.get(id)
    except NotFound:
        raise Conflict(f"There is no memory '{str(id)[:60]}' to replace it: check replaced_by_id.") from None


def _reason(value: str | None) -> str | None:
    reason = "" if value is None else value.strip()
    if len(reason) > REASON_LENGTH_LIMIT:
        raise InvalidInput(f"reason is longer than {REASON_LENGTH_LIMIT:,} characters: shorten it.", "reason")
    refuse_secrets(reason, "reason")
    return reason or None


def _would(already: bool) -> str:
    return "Would update tombstone (already soft-deleted)" if already else "Would soft-delete"


# -- several at once --------------------------------------------------------------------------


class ForgetBatchParameters(Parameters):
    ids: Annotated[list[Id], Field(description="1 to 200")]
    reason: Reason = None
    dry_run: DryRun = False


class ForgottenItemOut(TypedDict):
    input_index: int
    id: int | str
    ok: bool
    already_deleted: NotRequired[bool]
    message: NotRequired[str]
    error: NotRequired[ErrorOut]


class ForgetSummary(TypedDict):
    total: int
    deleted: int
    already_deleted: int
    errors: int


class ForgottenBatchOut(TypedDict):
    ok: bool
    dry_run: bool
    results: list[ForgottenItemOut]
    summary: ForgetSummary


def forget_batch(book: Book, given: ForgetBatchParameters) -> ForgottenBatchOut:
    """One result for each id in the order given; one that is unknown does not keep the others from going."""
    check_batch(given.ids, "ids")
    reason = _reason(given.reason)
    before = [_known(book, id) for id in given.ids]
    outcomes = before if given.dry_run else book.forget_many(given.ids, reason=reason)
    gone = {memory.number for memory in before if isinstance(memory, Memory) and memory.status is not Status.ACTIVE}
    results: list[ForgottenItemOut] = []
    for place, (id, outcome) in enumerate(zip(given.ids, outcomes, strict=True)):
        if isinstance(outcome, Refused):
            results.append(ForgottenItemOut(input_index=place, id=id, ok=False, error=error_body(outcome.error)))
            continue
        already = outcome.number in gone
        gone.add(outcome.number)
        message = _would(already) if given.dry_run else _done(already)
        results.append(
            ForgottenItemOut(input_index=place, id=outcome.number, ok=True, already_deleted=already, message=message)
        )
    return ForgottenBatchOut(ok=True, dry_run=given.dry_run, results=results, summary=_summary(results))


def _known(book: Book, id: int | str) -> Memory | Refused:
    try:
        return book.get(id)
    except NotFound as error:
        return Refused(error)


def _done(already: bool) -> str:
    return "Already soft-deleted (tombstone updated)" if already else "Forgotten"


def _summary(results: list[ForgottenItemOut]) -> ForgetSummary:
    done = [result["already_deleted"] for result in results if result["ok"]]
    return ForgetSummary(
        total=len(results), deleted=done.count(False), already_deleted=done.count(True), errors=len(results) - len(done)
    )
