"""The doctor's short report for hosts: whether the store can be read, and how much is in it, never what."""

from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.dialect import Parameters, told
from commonplace.dialects.nuzo.git_tracking import tracked_memory_files
from commonplace.dialects.nuzo.policy import ARCHIVED
from commonplace.domain.query import Filter
from commonplace.domain.scope import Right
from commonplace.errors import StoreError
from commonplace.workspace.files import abbreviated

NOT_MADE = "0"  # the schema of a store that nobody has written to yet


class DoctorParameters(Parameters):
    pass


class StoreOut(TypedDict):
    path: str | None
    readable: bool
    writable_check: str


class CountsOut(TypedDict):
    active_memories: int
    archived_memories: int
    total_memories: int


class Diagnosis(TypedDict):
    ok: bool
    network: str
    store: StoreOut
    counts: CountsOut | None
    tools: list[str]
    warnings: list[str]


def examine(book: Book, tools: list[str]) -> Diagnosis:
    """Reads only: whether the store could be written is not tried. Where it is, is for whoever runs it."""
    place: str | None = None
    counts: CountsOut | None = None
    warnings: list[str] = []
    try:
        facts = book.care.facts()
        place = abbreviated(facts["place"]) if Right.ADMIN in book.rights else None
        if facts["schema"] == NOT_MADE:
            warnings.append("There is no store yet: the first memory makes it, or 'commonplace memory init'.")
        else:
            counts = _counts(book)
    except StoreError as error:
        warnings.append(f"memory store read check failed: {told(book, error).message}")
    warnings += _git_warnings(book)
    return Diagnosis(
        ok=not warnings,
        network=network(book),
        store=StoreOut(path=place, readable=counts is not None, writable_check="not_performed"),
        counts=counts,
        tools=tools,
        warnings=warnings,
    )


def _git_warnings(book: Book) -> list[str]:
    """For whoever runs the book: what git tracks in their project is nobody else's business."""
    root = book.caller.project.root
    if root is None or Right.ADMIN not in book.rights:
        return []
    warning = tracked_memory_files(root).warning
    return [] if warning is None else [warning]


def network(book: Book) -> str:
    """In the contract's words: whether any text may leave this machine."""
    return "enabled" if book.uses_network else "disabled"


def _counts(book: Book) -> CountsOut:
    scopes = book.every_scope()
    active = book.count(Filter(scopes))
    archived = book.count(Filter(scopes, statuses=ARCHIVED))
    return CountsOut(active_memories=active, archived_memories=archived, total_memories=active + archived)
