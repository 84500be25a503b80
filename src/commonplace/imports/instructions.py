"""Files in which people tell agents what to do: CLAUDE.md, AGENTS.md, GEMINI.md, .cursorrules, Cursor's rules."""

from commonplace.domain.memory import Kind
from commonplace.imports.frontmatter import page_of
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.markdown import Said, said_in, with_context

NAMES = frozenset(
    {
        "claude.md",
        "claude.local.md",
        "agents.md",
        "agents.override.md",
        "gemini.md",
        ".cursorrules",
        ".windsurfrules",
        ".clinerules",
        "copilot-instructions.md",
    }
)
RULE = ".mdc"
_REMEMBERED = ("gemini added memories",)
"""Headings under which a host itself writes down what it was told to remember: facts, and no instructions."""


def read(text: str) -> Found:
    """Each paragraph and each item of a list as an instruction, under its headings but not under the file's title."""
    page = page_of(text)
    items: list[Item] = []
    left_out: list[LeftOut] = []
    for said in said_in(page.body, page.lines + 1):
        if said.text.startswith("@") and " " not in said.text:
            left_out.append(LeftOut("it names another file, which is not followed: import that one too", said.line))
        elif said.done:
            left_out.append(LeftOut("it is a task that is done", said.line))
        else:
            items.append(_item(said))
    return Found(tuple(items), left_out=tuple(left_out))


def _item(said: Said) -> Item:
    headings = said.headings[1:] if len(said.headings) > 1 else _unless_title(said.headings)
    if said.headings and said.headings[-1].lower() in _REMEMBERED:
        return Item(said.text, said.line)
    kind = Kind.TASK if said.done is False else Kind.INSTRUCTION
    return Item(with_context(said, headings), said.line, kind)


def _unless_title(headings: tuple[str, ...]) -> tuple[str, ...]:
    """One heading alone may be the file's title, which says nothing of what stands below it."""
    titles = ("claude", "agents", "gemini", "instructions", "guidelines", "memory", "rules")
    return tuple(each for each in headings if not any(word in each.lower() for word in titles))
