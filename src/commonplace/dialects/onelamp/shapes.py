"""Memories in OneLamp's words."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from commonplace.domain.memory import Kind, Memory, Status
from commonplace.domain.validation import check_label
from commonplace.engine.intake import refuse_secrets
from commonplace.text import collapse

TITLE_LENGTH = 80
PREVIEW_LENGTH = 200

KindName = Literal["fact", "decision", "preference", "note"]
TypeName = Literal["fact", "event", "instruction", "task"]

_KINDS = {Kind.FACT: "fact", Kind.LEARNING: "fact", Kind.DECISION: "decision", Kind.PREFERENCE: "preference"}
_CATEGORIES = {
    Kind.PREFERENCE: "Preferences",
    Kind.DECISION: "Projects",
    Kind.INSTRUCTION: "Work",
    Kind.TASK: "Work",
    Kind.LEARNING: "Work",
    Kind.EVENT: "Projects",
}
_OTHER_CATEGORY = "Notes"


class Learning(TypedDict):
    id: str
    text: str
    kind: str
    memory_type: str
    superseded: NotRequired[bool]
    unconfirmed: NotRequired[bool]


def context_id(memory: Memory) -> str:
    """The same ULID under OneLamp's prefix."""
    return f"ctx_{memory.id.removeprefix('mem_')}"


def kind_of(memory: Memory) -> str:
    """The contract's word for its kind; a note where it has none."""
    return _KINDS.get(memory.kind, "note")


def title_of(memory: Memory) -> str:
    """Its first line that says something."""
    first = next((line for line in memory.text.splitlines() if line.strip()), memory.text)
    return shortened(collapse(first), TITLE_LENGTH)


def category_of(memory: Memory) -> str:
    """The word it was stored under, else one for its kind: never empty."""
    return memory.category or _CATEGORIES.get(memory.kind, _OTHER_CATEGORY)


def learning(memory: Memory) -> Learning:
    """A memory of a session; that it was superseded or waits for a person is said only where it is so."""
    shown = Learning(
        id=context_id(memory), text=memory.text, kind=kind_of(memory), memory_type=memory.effective_type.value
    )
    if memory.status is Status.SUPERSEDED:
        shown["superseded"] = True
    if memory.waits:
        shown["unconfirmed"] = True
    return shown


def surface_of(given: str | None) -> str | None:
    """The tool that is calling, if it says so, fit to be written down."""
    if not given:
        return None
    check_label(given, "source_surface")
    refuse_secrets(given, "source_surface")
    return given


def shortened(text: str, length: int) -> str:
    """At most so many characters, the last of them an ellipsis where something is missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
