"""What hosts write down by themselves: a file for each thing, or a list in MEMORY.md, which may only be their index."""

import re

from commonplace.domain.memory import Kind
from commonplace.imports.frontmatter import Page, page_of
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.markdown import Said, said_in, with_context

NAMES = frozenset({"memory.md", "memory_summary.md"})
SUMMARIES = "rollout_summaries"
KINDS = {
    "user": Kind.FACT,
    "feedback": Kind.INSTRUCTION,
    "project": Kind.CONTEXT,
    "reference": Kind.NOTE,
}
_POINTER = re.compile(r"\[[^\[\]\n]{1,300}\]\([^()\s]{1,300}\.md\)[^\n]{0,2000}")


def is_one(page: Page) -> bool:
    """Whether the lines above a text are those of a file in which a host remembers one thing."""
    return page.first("name") is not None and page.first("metadata.type", "type") in KINDS


def read(text: str) -> Found:
    """One thing out of a file that has a name and a type, else every item of a list and every paragraph."""
    page = page_of(text)
    if is_one(page):
        return _one(page)
    items: list[Item] = []
    left_out: list[LeftOut] = []
    for said in said_in(page.body, page.lines + 1):
        if said.listed and _POINTER.fullmatch(said.text):
            left_out.append(LeftOut("it only points to another file of the folder", said.line))
        else:
            items.append(Item(with_context(said, _below_title(said)), said.line))
    return Found(tuple(items), left_out=tuple(left_out))


def _one(page: Page) -> Found:
    """All that a file says is one thing; what describes it stands first where the text does not say it."""
    kind = KINDS[page.first("metadata.type", "type") or ""]
    body, told = page.body.strip(), page.first("description") or ""
    text = "\n\n".join(part for part in (told if told.lower() not in body.lower() else "", body) if part)
    if not text:
        return Found(left_out=(LeftOut("it says nothing"),))
    return Found((Item(text, page.lines + 1, kind, key=page.first("name")),))


def _below_title(said: Said) -> tuple[str, ...]:
    return tuple(each for each in said.headings if "memor" not in each.lower())
