"""remember and remember_batch."""

from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, read
from commonplace.dialects.ownsona.arguments import (
    RawTags,
    Timestamp,
    check_batch,
    check_timestamps,
    mapping,
    not_ahead,
    share,
    storable,
    timestamp,
    within_a_century,
)
from commonplace.dialects.ownsona.shapes import ErrorOut, Match, error_body, matches
from commonplace.dialects.ownsona.tags import tidy
from commonplace.domain.memory import CaptureMode
from commonplace.domain.record import Record
from commonplace.domain.validation import check_label
from commonplace.engine.duplicates import Near
from commonplace.engine.intake import Draft, NearPolicy, Refused, Remembered, Repeats, Verdict
from commonplace.errors import CommonplaceError, InvalidInput

CAPTURE_MODES = ("explicit", "inferred")
POLICIES = {"ask": NearPolicy.REPORT, "skip_if_near": NearPolicy.SKIP, "insert": NearPolicy.IGNORE}
ASK = "ask"
STORED = "Ok"
KNOWN = "Already remembered"

Policy = Annotated[
    str | None,
    Field(
        description="what to do about near-duplicates: insert anyway and list them (ask, the default), return the "
        "existing id instead (skip_if_near), or do not look (insert)",
        json_schema_extra={"enum": list(POLICIES)},
    ),
]
Provider = Annotated[str | None, Field(description="the model or client this comes from")]


class RememberParameters(Parameters):
    text: Annotated[str, Field(description="one self-contained fact, 16000 characters at most unless set otherwise")]
    tags: RawTags = Field(default_factory=list)
    source_provider: Provider = None
    importance: Annotated[float, Field(description="0 to 1; kept, not used to rank")] = 0.5
    capture_mode: Annotated[
        str | None,
        Field(
            description="explicit if the user asked to remember it, inferred if you decided to",
            json_schema_extra={"enum": list(CAPTURE_MODES)},
        ),
    ] = None
    session_id: str | None = None
    dedup_policy: Policy = None
    expires_at: Annotated[Timestamp, Field(description="ISO 8601; not recalled afterwards")] = None
    last_confirmed_at: Annotated[Timestamp, Field(description="ISO 8601; now unless given")] = None


class RememberedOut(TypedDict):
    ok: bool
    memory_id: int
    message: str
    near_duplicates: NotRequired[list[Match]]
    previously_corrected: NotRequired[list[Match]]
    note: NotRequired[str]


class RememberRequest(Record):
    """What a caller wants remembered, and what to tell them besides."""

    draft: Draft
    repeats: Repeats
    dropped_tags: tuple[str, ...]


def remember(book: Book, given: RememberParameters) -> RememberedOut:
    """Stores a fact unless the policy for repeats says otherwise; it must get a vector, or nothing is stored."""
    request = _request(book, given)
    return _remembered(book, request, book.remember(request.draft, repeats=request.repeats, needs_vectors=True))


def _request(book: Book, given: RememberParameters) -> RememberRequest:
    now = book.now()
    expires_at = timestamp(given.expires_at, "expires_at")
    confirmed_at = timestamp(given.last_confirmed_at, "last_confirmed_at")
    text = storable(book, given.text)
    tags = tidy(given.tags)
    share(given.importance, "importance")
    capture_mode = _capture_mode(given.capture_mode)
    session = _session(given.session_id)
    repeats = _repeats(given.dedup_policy)
    within_a_century(expires_at, now, "expires_at")
    not_ahead(confirmed_at, now, "last_confirmed_at")
    source = _given(given.source_provider)
    check_label(source, "source_provider")
    draft = book.draft(
        text,
        tags=tags.kept,
        importance=given.importance,
        source=source,
        capture_mode=capture_mode,
        session=session,
        expires_at=expires_at,
        confirmed_at=now if confirmed_at is None else confirmed_at,
    )
    return RememberRequest(draft, repeats, tags.dropped)


def _given(value: str | None) -> str | None:
    """A blank one says nothing; any other is kept as it is."""
    return None if value is None or not value.strip() else value


def _capture_mode(value: str | None) -> CaptureMode | None:
    mode = "" if value is None else value.strip()
    if mode and mode not in CAPTURE_MODES:
        raise InvalidInput(f"capture_mode must be explicit or inferred, not '{mode[:40]}'.", "capture_mode")
    return CaptureMode(mode) if mode else None


def _session(value: str | None) -> str | None:
    """Kept as it is, blanks and all."""
    session = _given(value)
    check_label(session, "session_id")
    return session


def _repeats(value: str | None) -> Repeats:
    policy = (value or "").strip() or ASK
    if policy not in POLICIES:
        raise InvalidInput(f"dedup_policy must be {', '.join(POLICIES)}, not '{policy[:40]}'.", "dedup_policy")
    return Repeats(near=POLICIES[policy])


def _remembered(book: Book, request: RememberRequest, result: Remembered) -> RememberedOut:
    new = result.verdict is Verdict.CREATED
    answer = RememberedOut(ok=True, memory_id=result.memory.number, message=STORED if new else KNOWN)
    near = result.near if result.verdict is not Verdict.REPEATED else (Near(result.memory, 1.0),)
    policy = request.repeats.near
    if policy is NearPolicy.REPORT or (policy is NearPolicy.SKIP and near):
        answer["near_duplicates"] = matches(book, near)
    if result.previously_corrected:
        answer["previously_corrected"] = matches(book, result.previously_corrected)
    if new and request.dropped_tags:
        answer["note"] = dropped(request.dropped_tags)
    elif result.verdict is Verdict.REPEATED and result.warnings:
        answer["note"] = f"Memory {result.memory.number} stays as it is: use update_memory to change it."
    return answer


def dropped(tags: Sequence[str]) -> str:
    """One sentence that names, cut short, what could not become a tag."""
    named = ", ".join(tag[:20] for tag in tags)
    return f"No tags, so dropped: {named}. A tag is two or more letters, digits or hyphens."


# -- several at once --------------------------------------------------------------------------


Item = Annotated[object, WithJsonSchema(RememberParameters.model_json_schema())]
"""Shown as what remember takes, but read later, so that a bad one fails alone."""


class RememberBatchParameters(Parameters):
    items: Annotated[list[Item], Field(description="1 to 200")]
    source_provider: Annotated[Provider, Field(description="for items that name none")] = None
    dedup_policy: Policy = None


class StoredItemOut(RememberedOut):
    input_index: int


class FailedItemOut(TypedDict):
    input_index: int
    ok: bool
    error: ErrorOut


class BatchSummary(TypedDict):
    total: int
    succeeded: int
    failed: int
    inserted: int
    duplicates: int
    errors: int


class RememberedBatchOut(TypedDict):
    ok: bool
    results: list[StoredItemOut | FailedItemOut]
    summary: BatchSummary


def remember_batch(book: Book, given: RememberBatchParameters) -> RememberedBatchOut:
    """One result for each item in the order given; one that is refused leaves the others as they are."""
    check_batch(given.items, "items")
    check_timestamps(given.items)
    _repeats(given.dedup_policy)
    requests = [_request_or_refused(book, given, each, place) for place, each in enumerate(given.items)]
    outcomes = _outcomes(book, requests)
    messages = [outcome["message"] for outcome in outcomes if not isinstance(outcome, Refused)]
    inserted, failed = messages.count(STORED), len(outcomes) - len(messages)
    summary = BatchSummary(
        total=len(outcomes),
        succeeded=len(messages),
        failed=failed,
        inserted=inserted,
        duplicates=len(messages) - inserted,
        errors=failed,
    )
    results = [_item_out(place, outcome) for place, outcome in enumerate(outcomes)]
    return RememberedBatchOut(ok=True, results=results, summary=summary)


def _request_or_refused(
    book: Book, given: RememberBatchParameters, each: object, place: int
) -> RememberRequest | Refused:
    defaults = {"source_provider": given.source_provider, "dedup_policy": given.dedup_policy}
    try:
        own = {name: value for name, value in mapping(each, place).items() if value is not None}
        return _request(book, read(RememberParameters, {**defaults, **own}))
    except CommonplaceError as error:
        return Refused(error)


def _outcomes(book: Book, requests: Sequence[RememberRequest | Refused]) -> list[RememberedOut | Refused]:
    """What became of each, in the order they came."""
    good = [request for request in requests if isinstance(request, RememberRequest)]
    drafts, repeats = [request.draft for request in good], [request.repeats for request in good]
    stored = iter(book.remember_many(drafts, repeats=repeats, needs_vectors=True))
    outcomes: list[RememberedOut | Refused] = []
    for request in requests:
        result = request if isinstance(request, Refused) else next(stored)
        if isinstance(request, RememberRequest) and isinstance(result, Remembered):
            outcomes.append(_remembered(book, request, result))
        elif isinstance(result, Refused):
            outcomes.append(result)
    return outcomes


def _item_out(place: int, outcome: RememberedOut | Refused) -> StoredItemOut | FailedItemOut:
    if isinstance(outcome, Refused):
        return FailedItemOut(input_index=place, ok=False, error=error_body(outcome.error))
    return StoredItemOut(input_index=place, **outcome)
