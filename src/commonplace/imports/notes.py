"""Notes in Markdown: those of basic-memory, with observations and relations in them, and any others."""

import re

from commonplace.domain.memory import Kind
from commonplace.imports.frontmatter import Page, page_of
from commonplace.imports.items import Found, Item, LeftOut
from commonplace.imports.markdown import Said, said_in, with_context
from commonplace.imports.times import time_of
from commonplace.text import tidy_tags

_OBSERVATION = re.compile(r"\[([^\[\]()\n]{1,64})\][ \t]+(\S.*)", re.DOTALL)
_RELATION = re.compile(r"([^\[\]\n]{0,128})\[\[([^\[\]\n]{1,256})\]\]([^\n]{0,1000})")
_TAG = re.compile(r"#([\w/-]{1,64})")
_SECTIONS = ("observations", "relations")
_KINDS = {kind.value: kind for kind in Kind}
TAGS_LIMIT = 16
LOOKED_AT = 20_000


def is_basic_memory(page: Page) -> bool:
    """Whether a note is one of basic-memory's: it has a permalink, or an observation or a relation in its form."""
    if page.first("permalink") is not None:
        return True
    said = [each for each in said_in(page.body[:LOOKED_AT]) if each.listed]
    return any(_RELATION.fullmatch(each.text) or _observed(each) for each in said) and "title" in page.told


def read(text: str) -> Found:
    """Everything a note says, under its title and headings; an observation with its category, a relation in words."""
    page = page_of(text)
    title, at, tags = page.first("title"), time_of(page.first("created", "created_at", "date")), _tags(page)
    items: list[Item] = []
    left_out: list[LeftOut] = []
    for said in said_in(page.body, page.lines + 1):
        if said.done:
            left_out.append(LeftOut("it is a task that is done", said.line))
            continue
        items.append(_item(said, title, tags, at))
    return Found(tuple(items), left_out=tuple(left_out))


def _item(said: Said, title: str | None, tags: tuple[str, ...], at: int | None) -> Item:
    headings = [each for each in said.headings if each.lower() not in _SECTIONS]
    if title is not None and title.lower() not in (each.lower() for each in headings):
        headings.insert(0, title)
    relation = _RELATION.fullmatch(said.text) if said.listed else None
    if relation is not None and headings:
        how, whom, more = (part.strip() for part in relation.groups())
        text = f"{headings[0]} {how.replace('_', ' ') or 'links to'} {whom} {more}".strip()
        return Item(text, said.line, Kind.FACT, tags, at=at)
    observed = _observed(said)
    if observed is None:
        kind = Kind.TASK if said.done is False else Kind.NOTE
        return Item(with_context(said, tuple(headings)), said.line, kind, tags, at=at)
    category, words = observed
    own = tidy_tags((*tags, *_TAG.findall(words)))[:TAGS_LIMIT]
    plain = _TAG.sub("", words).strip() or words
    text = ": ".join((*headings, plain))
    return Item(text, said.line, _KINDS.get(category.lower(), Kind.FACT), own, category.lower(), at)


def _observed(said: Said) -> tuple[str, str] | None:
    """The category of an observation and what it says; a link or a box to tick is none."""
    match = _OBSERVATION.fullmatch(said.text) if said.listed and said.done is None else None
    return None if match is None or not match[1].strip() else (match[1].strip(), match[2])


def _tags(page: Page) -> tuple[str, ...]:
    """A list, or one text separated by commas."""
    named = [part.strip().lstrip("#") for each in page.told.get("tags", ()) for part in each.split(",")]
    usable = [tag for tag in named if 0 < len(tag) <= 64 and tag.isprintable()]
    return tidy_tags(tuple(usable))[:TAGS_LIMIT]
