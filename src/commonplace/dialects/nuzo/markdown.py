"""The export document as Markdown, for people to look through. It cannot be imported."""

import json
import re

from commonplace.dialects.nuzo.portable import Document
from commonplace.dialects.nuzo.shapes import ItemOut
from commonplace.text import visible, visible_json

_BACKTICKS = re.compile(r"`+")
_FENCE = "```"


def markdown(document: Document) -> str:
    """An export for a person to read, always ending in a newline. It cannot be imported again."""
    memories = document["memories"]
    head = {name: document[name] for name in ("format", "version", "exported_at")}
    parts = [
        "# Nuzo Memory Export",
        "For review by a person: look it through before you share it. Only JSON exports can be imported.",
        _yaml({**head, "count": len(memories)}),
        "## Memories",
        *(_memory(place, item) for place, item in enumerate(memories, 1)),
    ]
    return "\n\n".join(parts if memories else [*parts, "_No memories exported._"]) + "\n"


def _memory(place: int, item: ItemOut) -> str:
    facts = {name: value for name, value in item.items() if name != "content"}
    return "\n\n".join([f"### Memory {place}", _yaml(facts), _fenced(item["content"])])


def _fenced(content: str) -> str:
    """Within a fence longer than any in it, so that no memory can pass for part of the document."""
    content = visible(content)
    longest = max((len(run) for run in _BACKTICKS.findall(content)), default=0)
    fence = "`" * max(len(_FENCE), longest + 1)
    return f"{fence}text\n{content}\n{fence}"


def _yaml(facts: dict[str, object]) -> str:
    return "\n".join([f"{_FENCE}yaml", *(_line(name, value) for name, value in facts.items()), _FENCE])


def _line(name: str, value: object) -> str:
    if isinstance(value, list):
        return "\n".join([f"{name}:", *([f"  - {_scalar(item)}" for item in value] or ["  []"])])
    return f"{name}: {_scalar(value)}"


def _scalar(value: object) -> str:
    return visible_json(json.dumps(value, ensure_ascii=False))
