"""The book as a page for people: what stands, by scope and kind, then what was decided, said and read."""

from collections.abc import Iterable, Iterator

from commonplace.decisions.log import SHELF as DECISIONS
from commonplace.decisions.log import decision_of
from commonplace.documents.evidence import DOCUMENT_SHELF
from commonplace.documents.ingest import document_of
from commonplace.domain.entries import Entry, EntryFilter
from commonplace.domain.memory import Kind, Memory
from commonplace.domain.scope import Principal
from commonplace.engine.caller import Work
from commonplace.engine.paging import each_entry
from commonplace.sessions.entries import SESSIONS, session_of
from commonplace.text import show_time
from commonplace.text.envelope import in_list_item, in_markdown, in_markdown_line

TITLE = "# What is remembered"
_NAMES = {
    Kind.INSTRUCTION: "Instructions",
    Kind.PREFERENCE: "Preferences",
    Kind.FACT: "Facts",
    Kind.DECISION: "Decisions in passing",
    Kind.LEARNING: "Learnings",
    Kind.TASK: "Tasks",
    Kind.EVENT: "Events",
    Kind.CONTEXT: "Context",
    Kind.NOTE: "Notes",
}


def memories_page(memories: Iterable[Memory], principal: Principal, now: int) -> Iterator[str]:
    """The memories as lists under headings, one for each scope and kind; each with its number, day, tags and doubts."""
    yield TITLE
    kinds = list(_NAMES)
    ordered = sorted(memories, key=lambda each: (str(each.scope), kinds.index(each.kind), each.number))
    yield f"\n{show_time(now)[:10]}, {len(ordered):,} {'memory' if len(ordered) == 1 else 'memories'}."
    scope: str | None = None
    kind: Kind | None = None
    for memory in ordered:
        if str(memory.scope) != scope:
            scope, kind = str(memory.scope), None
            yield f"\n## {in_markdown_line(principal.show(memory.scope))}"
        if memory.kind is not kind:
            kind = memory.kind
            yield f"\n### {_NAMES[kind]}\n"
        yield in_list_item(f"{memory.text} ({_small_print(memory)})")


def beside_page(work: Work) -> Iterator[str]:
    """What stands beside memories, as far as people read it: decisions, conversations and documents."""
    decisions = [decision_of(entry) for entry in _seen(work, DECISIONS)]
    if decisions:
        yield "\n## Decisions"
    for each in decisions:
        yield f"\n### {each.id}: {in_markdown_line(each.title)}"
        where = in_markdown_line(work.caller.principal.show(each.scope))
        yield f"\n{each.status.value}, {show_time(each.decided_at)[:10]}, {in_markdown_line(each.area)}, {where}"
        for name, text in (("Context", each.context), ("Decision", each.decision), ("Why", each.rationale)):
            yield f"\n**{name}.** {in_markdown(text)}"
    sessions = [session_of(entry) for entry in _seen(work, SESSIONS)]
    if sessions:
        yield "\n## Conversations\n"
    for session in sessions:
        day = show_time(session.held_at or session.saved_at)[:10]
        yield in_list_item(f"{day}, {session.turns:,} turns: {session.label}\n{session.summary}")
    documents = [document_of(entry) for entry in _seen(work, DOCUMENT_SHELF)]
    if documents:
        yield "\n## Documents\n"
    for document in documents:
        yield in_list_item(f"{document.place}, read {show_time(document.read_at)[:10]}")


def _seen(work: Work, shelf: str) -> list[Entry]:
    found = each_entry(work.unit, EntryFilter(shelf), newest_first=False)
    return [entry for entry in found if work.may_see(entry.scope)]


def _small_print(memory: Memory) -> str:
    parts = [f"no. {memory.number}", show_time(memory.created_at)[:10], *(f"#{tag}" for tag in memory.tags)]
    parts += ["pinned"] if memory.pinned else []
    parts += ["waits for you"] if memory.waits else []
    return ", ".join(parts)
