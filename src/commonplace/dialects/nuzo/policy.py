"""What Nuzo lets into its memory: kinds, scopes and tags of its own, checked in the order its contract names."""

import re

from commonplace.book.reader import BookReader
from commonplace.dialects.nuzo.refusals import Refusal
from commonplace.domain.memory import Kind, Memory, Status
from commonplace.domain.query import Filter
from commonplace.domain.record import Record
from commonplace.domain.scope import Scope
from commonplace.domain.validation import TAG_COUNT_LIMIT, TAG_LENGTH_LIMIT, check_label, check_share, check_text
from commonplace.engine.intake import Draft, refuse_secrets
from commonplace.errors import InvalidInput
from commonplace.text import collapse, normalise

CONTENT_LENGTH_LIMIT = 8_000
CURRENT_PROJECT = "project:auto"
KINDS = {
    "preference": Kind.PREFERENCE,
    "project_decision": Kind.DECISION,
    "fact": Kind.FACT,
    "instruction": Kind.INSTRUCTION,
    "note": Kind.NOTE,
}
ARCHIVED = (Status.ARCHIVED, Status.SUPERSEDED, Status.INVALIDATED)
"""What counts as archived here: out of recall, still there to be read."""

_SHOWN_KINDS = {kind: name for name, kind in KINDS.items()} | {
    Kind.LEARNING: "fact",
    Kind.EVENT: "fact",
    Kind.CONTEXT: "fact",
    Kind.TASK: "note",
}
_TAG = re.compile(r"[a-z0-9][a-z0-9._-]*")


class Candidate(Record):
    """A record as it would be stored, before anything of it is checked."""

    content: str
    kind: str
    scope: str
    tags: tuple[str, ...]
    source: str
    confidence: float


def admit(book: BookReader, candidate: Candidate) -> Draft:
    """The record as the engine takes it, or the first reason to refuse it."""
    check_content(candidate.content)
    kind = kind_of(candidate.kind)
    scope = scope_of(book, candidate.scope)
    check_label(candidate.source, "source")
    check_share(candidate.confidence, "confidence")
    tags = tuple(dict.fromkeys(candidate.tags))
    _check_tags(tags)
    refuse_secrets(candidate.content, "content")
    for name, label in (("source", candidate.source), *(("tags", tag) for tag in tags)):
        refuse_secrets(label, name)
    return Draft(
        normalise(candidate.content), scope, kind, tags=tags, source=candidate.source, confidence=candidate.confidence
    )


def check_content(content: str) -> None:
    """Refuse a text that is empty, too long or no sound text, with the contract's own code."""
    if not content.strip():
        raise InvalidInput("content is empty: give it some text.", "content")
    if len(content) > CONTENT_LENGTH_LIMIT:
        raise Refusal(
            "MEMORY_CONTENT_TOO_LONG",
            f"content has {len(content):,} characters and {CONTENT_LENGTH_LIMIT:,} is the limit: split it up.",
            "content",
        )
    check_text(content, "content")


def kind_of(name: str) -> Kind:
    """Our kind for a word of the contract; InvalidInput that names them all otherwise."""
    if name not in KINDS:
        raise InvalidInput(f"kind must be one of {', '.join(KINDS)}, not '{name[:40]}'.", "kind")
    return KINDS[name]


def kind_name(kind: Kind) -> str:
    """A kind as the contract names it; those it has no name for show as the closest."""
    return _SHOWN_KINDS[kind]


def scope_of(book: BookReader, selector: str) -> Scope:
    """A scope as the contract spells it: always a kind, a colon and an id."""
    if ":" not in selector or selector != selector.strip():
        raise InvalidInput(
            f"'{selector[:60]}' is not a scope: write user:NAME, project:NAME, agent:NAME or team:NAME.", "scope"
        )
    return book.scope(selector)


def looked_in(book: BookReader, selector: str, include_global: bool) -> tuple[Scope, ...]:
    """The scope asked for and, with `include_global`, user:default: alone where there is no current project.

    Whoever is bound to a project has no user:default.
    """
    own = (book.principal.own_scope,) if include_global and book.principal.only_project is None else ()
    if own and selector == CURRENT_PROJECT and book.project is None:
        return own
    return (scope_of(book, selector), *own)


def _check_tags(tags: tuple[str, ...]) -> None:
    for tag in tags:
        if not _TAG.fullmatch(tag) or len(tag) > TAG_LENGTH_LIMIT:
            raise InvalidInput(
                f"The tag '{tag[:20]}' cannot be used: write lower-case letters, digits and . _ - after a letter or "
                f"digit, {TAG_LENGTH_LIMIT} characters at most.",
                "tags",
            )
    if len(tags) > TAG_COUNT_LIMIT:
        raise Refusal(
            "MEMORY_TAG_LIMIT_EXCEEDED", f"{len(tags)} tags are too many: {TAG_COUNT_LIMIT} is the limit.", "tags"
        )


def selection(book: BookReader, scope: str | None, tags: list[str], include_archived: bool = False) -> list[Memory]:
    """The memories of a listing, the last changed first; without a scope, of every scope the caller may see."""
    scopes = book.every_scope() if scope is None else (scope_of(book, scope),)
    statuses = (Status.ACTIVE, *(ARCHIVED if include_archived else ()))
    found = {memory.id: memory for memory in book.each(Filter(scopes, tags=tuple(tags), statuses=statuses))}
    return sorted(found.values(), key=lambda each: (-each.updated_at, -each.created_at, -each.number))


def sameness(memory: Memory) -> tuple[object, ...]:
    """What two memories have in common when an import takes one for the other."""
    return memory.scope, kind_name(memory.kind), collapse(memory.text), tuple(sorted(set(memory.tags)))
