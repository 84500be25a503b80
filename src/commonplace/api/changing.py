"""Acts on memories: one or many in one transaction, each with what an undo takes; and what cannot be undone."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from commonplace.api.memories import undo_of
from commonplace.api.parameters import ApiParameters, Ids
from commonplace.api.shapes import MemoryOut, shapes
from commonplace.book.book import Book
from commonplace.domain.memory import Memory, RelationKind
from commonplace.engine.intake import Refused
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.text import show_time

Done = Sequence[Memory | tuple[Memory, ...] | Refused]
ActName = Literal["confirm", "reject", "archive", "forget", "restore"]
COPIES = (
    "Back-ups and exports made before still hold it.",
    "What was brought to a model before stands in that tool's own transcript.",
)


class ActParameters(ApiParameters):
    act: ActName
    ids: Ids
    reason: Annotated[str | None, Field(description="kept with what is archived, forgotten or rejected")] = None


class ProblemOut(TypedDict):
    id: str
    code: str
    message: str


class Acted(TypedDict):
    memories: list[MemoryOut]
    problems: list[ProblemOut]
    undo: str | None


_ACTS: dict[str, Callable[[Book, Sequence[str], str | None], Done]] = {
    "confirm": lambda book, ids, reason: book.confirm_many(ids),
    "reject": lambda book, ids, reason: book.reject_many(ids, reason=reason),
    "archive": lambda book, ids, reason: book.archive_many(ids, reason=reason),
    "forget": lambda book, ids, reason: book.forget_many(ids, reason=reason),
    "restore": lambda book, ids, reason: book.restore_many(ids),
}


def act(book: Book, given: ActParameters) -> Acted:
    """One act on one or many memories, in one transaction that one undo takes back; a bad one spoils no other."""
    if given.reason is not None and given.act in ("confirm", "restore"):
        raise InvalidInput(f"A reason is not kept with what is {given.act}ed: leave it out.", "reason")
    ids = list(dict.fromkeys(given.ids))
    with book.undo.together() as made:
        results = _ACTS[given.act](book, ids, given.reason)
    changed: dict[str, Memory] = {}
    problems: list[ProblemOut] = []
    for id, result in zip(ids, results, strict=True):
        match result:
            case Refused():
                problems.append(problem_shape(id, result.error))
            case tuple():
                changed |= {memory.id: memory for memory in result}
            case Memory():
                changed[result.id] = result
    now = [memory for memory in book.get_many(list(changed)) if memory is not None]
    return Acted(memories=shapes(book, now), problems=problems, undo=undo_of(made))


def problem_shape(id: str, error: CommonplaceError) -> ProblemOut:
    """What was wrong with one of several."""
    return ProblemOut(id=id, code=error.code, message=error.message)


class SupersedeParameters(ApiParameters):
    old: str
    new: str
    reason: str | None = None


class Superseded(TypedDict):
    memories: list[MemoryOut]
    undo: str | None


def supersede(book: Book, given: SupersedeParameters) -> Superseded:
    """Puts one memory in the place of another."""
    with book.undo.together() as made:
        book.supersede(given.old, given.new, reason=given.reason)
    pair = [book.get(given.old), book.get(given.new)]
    return Superseded(memories=shapes(book, pair), undo=undo_of(made))


class PairParameters(ApiParameters):
    ids: Annotated[list[str], Field(min_length=2, max_length=2)]


class Undoable(TypedDict):
    undo: str | None


def keep_both(book: Book, given: PairParameters) -> Undoable:
    """Says that two memories both stand, so that they are not put side by side again."""
    with book.undo.together() as made:
        book.relate(given.ids[1], [given.ids[0]], RelationKind.RELATED_TO)
    return Undoable(undo=undo_of(made))


# -- purge ------------------------------------------------------------------------------------


class PurgePreviewParameters(ApiParameters):
    ids: Ids


class ReachedSession(TypedDict):
    id: str
    title: str
    turns: int


class Preview(TypedDict):
    memories: list[MemoryOut]
    revisions: int
    relations: int
    events: int
    sessions: list[ReachedSession]
    learnt: int
    evidence: int
    notes: int
    copies: list[str]


def purge_preview(book: Book, given: PurgePreviewParameters) -> Preview:
    """What a purge of these memories would reach now, without doing it."""
    found = book.purge_preview(*given.ids)
    return Preview(
        memories=shapes(book, found.memories),
        revisions=found.revisions,
        relations=found.relations,
        events=found.events,
        sessions=[
            ReachedSession(id=each.session.id, title=each.session.label, turns=each.turns) for each in found.sessions
        ],
        learnt=found.learnt,
        evidence=found.evidence,
        notes=found.notes,
        copies=list(COPIES),
    )


class PurgeParameters(PurgePreviewParameters):
    reason: Annotated[str | None, Field(description="stays in the log")] = None


class Purged(TypedDict):
    ids: list[str]
    purged_at: str
    pending: bool
    detail: str
    copies: list[str]


def purge(book: Book, given: PurgeParameters) -> Purged:
    """Removes memories for good, every byte of them. There is no undo."""
    receipt = book.purge(*given.ids, reason=given.reason)
    return Purged(
        ids=list(receipt.ids),
        purged_at=show_time(receipt.purged_at),
        pending=not receipt.erasure.complete,
        detail=receipt.erasure.detail,
        copies=list(COPIES),
    )
