"""What the operations answer with, as types: the nouns of `book.display_json`, and what stands around them."""

from collections.abc import Mapping, Sequence
from typing import NotRequired, cast

from typing_extensions import TypedDict

from commonplace.book.book import Book
from commonplace.book.display_json import about_json, memory_json
from commonplace.domain.canonical_json import Json
from commonplace.domain.memory import Memory
from commonplace.errors import CommonplaceError, InvalidInput


class UsageOut(TypedDict):
    count: int
    used_at: str | None
    surface: str | None


class StateOut(TypedDict):
    """What a memory is, without how often it was used; what says nothing is left out."""

    id: str
    number: int
    text: str
    scope: str
    owner: str
    kind: str
    memory_type: NotRequired[str]
    tags: list[str]
    category: NotRequired[str]
    topic: NotRequired[str]
    importance: float
    confidence: float
    priority: int
    pinned: bool
    source: NotRequired[str]
    surface: str
    actor: str
    capture_mode: NotRequired[str]
    session: NotRequired[str]
    origin: str
    standing: str
    status: str
    status_at: NotRequired[str]
    status_reason: NotRequired[str]
    successor: NotRequired[str]
    created_at: str
    updated_at: str
    confirmed_at: NotRequired[str]
    expires_at: NotRequired[str]
    valid_from: NotRequired[str]
    valid_to: NotRequired[str]
    revision: int
    project: NotRequired[str]


class MemoryOut(StateOut):
    """A memory; `waits` if nobody's word stands behind it, `project_name` if it is about another project than yours."""

    usage: UsageOut
    waits: bool
    project_name: NotRequired[str]


class HitOut(MemoryOut):
    relevance: float
    reason: str
    matched_words: list[str]
    word_score: float | None
    vector_score: float | None


class OtherOut(TypedDict):
    kind: str
    id: str
    part: str | None
    scope: str
    at: str
    title: str
    excerpt: str
    relevance: float
    reason: str
    open_with: str
    project_name: NotRequired[str]


class EventOut(TypedDict):
    id: str
    type: str
    memory_id: str
    actor: str
    at: str
    payload: dict[str, object]


def memory_shape(book: Book, memory: Memory, names: Mapping[str, str]) -> MemoryOut:
    """A memory as the command line's JSON has it, and whether it waits."""
    return cast(
        MemoryOut,
        {**memory_json(memory, book.principal), **about_json(memory.about, names), "waits": memory.waits},
    )


def shapes(book: Book, memories: Sequence[Memory]) -> list[MemoryOut]:
    """Several of them, with the names of the projects they are about."""
    names = book.names_of(memories) if memories else {}
    return [memory_shape(book, memory, names) for memory in memories]


def shape(book: Book, memory: Memory) -> MemoryOut:
    """One of them."""
    return shapes(book, [memory])[0]


def error_shape(error: CommonplaceError) -> Json:
    """The code, the sentence, and the argument at fault where there is one."""
    body: Json = {"code": error.code, "message": error.message}
    if isinstance(error, InvalidInput) and error.argument is not None:
        body["argument"] = error.argument
    return {"error": body}
