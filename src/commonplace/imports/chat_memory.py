"""What ChatGPT and Claude.ai remember about a person: ChatGPT's numbered list with days, Claude.ai's memories.json."""

import re

from commonplace.imports.items import Found, Item
from commonplace.imports.json_text import Json, document, objects_of, text_of
from commonplace.imports.markdown import said_in, with_context
from commonplace.imports.times import time_of

HEADING = "model set context"
CLAUDE_AI = "conversations_memory"
_ENTRY = re.compile(r"(?:\d{1,6}[.)][ \t]+)?\[(\d{4}-\d\d-\d\d)\][.:]?[ \t]+(\S.*)", re.DOTALL)


def is_list(text: str) -> bool:
    """Whether a text is ChatGPT's list of saved memories: its heading, or entries that begin with their day."""
    begun = text[:2_000].lstrip("`# \n").lower()
    first = next((line.strip() for line in text[:2_000].split("\n") if line.strip()), "")
    return begun.startswith((HEADING, "markdown\n# " + HEADING)) or _ENTRY.fullmatch(first) is not None


def read_list(text: str) -> Found:
    """An item for each entry, with its day."""
    unfenced = "\n".join(line for line in text.split("\n") if not line.strip().startswith("```"))
    return Found(tuple(_entry(said.text, said.line) for said in said_in(unfenced)))


def _entry(text: str, line: int) -> Item:
    match = _ENTRY.fullmatch(text)
    if match is None:
        return Item(text, line)
    return Item(match[2], line, at=time_of(match[1]))


def is_document(found: object) -> bool:
    """Whether a document is the memories.json of a Claude.ai export."""
    return any(CLAUDE_AI in each for each in _accounts(found))


def read_document(text: str) -> Found:
    """An item for each paragraph of what Claude.ai keeps about conversations, and about each project."""
    items: list[Item] = []
    for account in _accounts(document(text)):
        projects = account.get("project_memories")
        told = (text_of(account, CLAUDE_AI), *(projects.values() if isinstance(projects, dict) else ()))
        for part in told:
            items += [Item(with_context(said)) for said in said_in(part)] if isinstance(part, str) else []
    return Found(tuple(items))


def _accounts(found: object) -> tuple[Json, ...]:
    return (found,) if isinstance(found, dict) else objects_of(found)
