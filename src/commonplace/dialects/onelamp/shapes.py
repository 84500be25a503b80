"""Memories in OneLamp's words."""

from typing import Literal

from typing_extensions import TypedDict

from commonplace.memory import Kind, Memory, MemoryType
from commonplace.text import collapse

TITLE_LENGTH = 80
PREVIEW_LENGTH = 200

KindName = Literal["fact", "decision", "preference", "note"]
TypeName = Literal["fact", "event", "instruction", "task"]

_KINDS = {Kind.FACT: "fact", Kind.LEARNING: "fact", Kind.DECISION: "decision", Kind.PREFERENCE: "preference"}
_TYPES = {
    Kind.EVENT: MemoryType.EVENT, Kind.DECISION: MemoryType.EVENT, Kind.INSTRUCTION: MemoryType.INSTRUCTION,
    Kind.TASK: MemoryType.TASK,
}  # fmt: skip
_CATEGORIES = {
    Kind.PREFERENCE: "Preferences", Kind.DECISION: "Projects", Kind.INSTRUCTION: "Work", Kind.TASK: "Work",
    Kind.LEARNING: "Work", Kind.EVENT: "Projects",
}  # fmt: skip
_OTHER_CATEGORY = "Notes"


class Learning(TypedDict):
    id: str
    text: str
    kind: str
    memory_type: str


def context_id(memory: Memory) -> str:
    """The same ULID under OneLamp's prefix."""
    return f"ctx_{memory.id.removeprefix('mem_')}"


def kind_of(memory: Memory) -> str:
    return _KINDS.get(memory.kind, "note")


def type_of(memory: Memory) -> MemoryType:
    """As it was stored, else by its kind."""
    return memory.memory_type or _TYPES.get(memory.kind, MemoryType.FACT)


def title_of(memory: Memory) -> str:
    return shortened(collapse(memory.text.splitlines()[0]), TITLE_LENGTH)


def category_of(memory: Memory) -> str:
    return memory.category or _CATEGORIES.get(memory.kind, _OTHER_CATEGORY)


def learning(memory: Memory) -> Learning:
    return Learning(id=context_id(memory), text=memory.text, kind=kind_of(memory), memory_type=type_of(memory).value)


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
