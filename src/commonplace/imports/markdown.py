"""A Markdown text as the things it says: a paragraph each, an item of a list each, under the headings they stand below.

A heading is the context of what stands below it and nothing by itself; so is a line that ends with a colon, for the
list or the code it leads to. What is indented below an item belongs to it, and so does code.
"""

import re
from collections.abc import Iterator

from commonplace import deadline
from commonplace.domain.record import Record

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_BOLD = re.compile(r"\*\*([^*\n]{1,120})\*\*:?")
_BELOW_ALL = 7
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_TASK = re.compile(r"\[([ xX])\][ \t]+(\S.*)")
_FENCES = ("```", "~~~")
_OPENED, _CLOSED = "<!--", "-->"
INDENTED = 2
"""Columns from which on a line belongs to the item above it."""


class Said(Record):
    """A paragraph or an item of a list, the line it begins at, and the headings above it, outermost first.

    `done` tells of a task whether it is; what is no task has None there.
    """

    text: str
    line: int
    headings: tuple[str, ...] = ()
    listed: bool = False
    done: bool | None = None


def said_in(text: str, first_line: int = 1) -> Iterator[Said]:
    """What a text says, one thing after another; `first_line` is the number of its first line in the file."""
    pending: Said | None = None
    lead: str | None = None
    for each in _blocks(text, first_line):
        if pending is not None:
            same = pending.headings == each.headings
            if each.listed and same:
                lead = pending.text.rstrip(" :*_")
            elif each.text.startswith(_FENCES) and same:
                pending = Said(f"{pending.text}\n{each.text}", pending.line, pending.headings)
                yield pending
                pending = None
                continue
            else:
                yield pending
            pending = None
        if not each.listed:
            lead = None
            if each.text.rstrip("*_ ").endswith(":"):
                pending = each
                continue
        headings = each.headings if lead is None else (*each.headings, lead)
        yield Said(each.text, each.line, headings, each.listed, each.done)
    if pending is not None:
        yield pending


def with_context(said: Said, headings: tuple[str, ...] | None = None) -> str:
    """The words of something with the headings above it before them."""
    above = said.headings if headings is None else headings
    return ": ".join((*above, said.text))


class _Block:
    """What is being gathered: the parts of one thing, until the next begins."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.line = 0
        self.listed = False
        self.done: bool | None = None
        self.gap = False  # a blank line has passed, and only what is indented goes on

    def begin(self, number: int, text: str, listed: bool = False, done: bool | None = None) -> None:
        self.parts, self.line, self.listed, self.done, self.gap = [text], number, listed, done, False

    def go_on(self, text: str, apart: bool) -> None:
        """One more line: `apart`, or as one that was only broken to fit."""
        self.parts.append(f"\n{text}" if apart else f" {text}")
        self.gap = False

    def taken(self, headings: dict[int, str]) -> Iterator[Said]:
        text = "".join(self.parts).strip()
        if any(character.isalnum() for character in text):
            above = tuple(headings[level] for level in sorted(headings))
            yield Said(text, self.line, above, self.listed, self.done)
        self.parts, self.listed, self.gap = [], False, False


def _blocks(text: str, first_line: int) -> Iterator[Said]:
    headings: dict[int, str] = {}
    block = _Block()
    fence: str | None = None
    for number, line in enumerate(deadline.each(_without_comments(text)), first_line):
        bare = line.strip()
        if fence is not None:
            block.go_on(line, apart=True)
            fence = None if bare.startswith(fence) and not bare.strip(fence[0]) else fence
        elif bare.startswith(_FENCES):
            if not block.parts or (block.gap and not _indented(line)):
                yield from block.taken(headings)
                block.begin(number, line)
            else:
                block.go_on(line, apart=True)
            fence = bare[:3]
        elif heading := _HEADING.fullmatch(bare) if not _indented(line) else None:
            yield from block.taken(headings)
            _go_below(headings, len(heading[1]), heading[2])
        elif not bare:
            block.gap = True
        elif (bold := _BOLD.fullmatch(bare)) and not _indented(line) and (block.gap or not block.parts):
            yield from block.taken(headings)  # a line in bold by itself is a heading too
            _go_below(headings, _BELOW_ALL, bold[1])
        elif _is_rule(bare):
            if bare[0] in "=-" and len(block.parts) == 1 and not block.listed and not block.gap:
                title, block.parts = block.parts[0], []
                _go_below(headings, 1 if bare[0] == "=" else 2, title)
            yield from block.taken(headings)
        else:
            yield from _prose(block, headings, number, line)
    yield from block.taken(headings)


def _prose(block: _Block, headings: dict[int, str], number: int, line: str) -> Iterator[Said]:
    """A line that is text: it begins something, or it goes on."""
    bare, indented = line.strip().removeprefix("> "), _indented(line)
    item = _ITEM.fullmatch(bare)
    if item is not None and not (indented and block.parts):
        yield from block.taken(headings)
        task = _TASK.fullmatch(item[1])
        block.begin(number, task[2] if task else item[1], True, None if task is None else task[1] != " ")
    elif not block.parts or (block.gap and not (indented and block.listed)):
        yield from block.taken(headings)
        block.begin(number, bare)
    else:
        before = block.parts[-1].lstrip()
        apart = item is not None or bare.startswith("|") or before.startswith(("|", *_FENCES))
        block.go_on(line.rstrip() if item is not None else bare, apart or block.gap)


def _go_below(headings: dict[int, str], level: int, title: str) -> None:
    for deeper in [each for each in headings if each >= level]:
        del headings[deeper]
    headings[level] = title.strip().rstrip("#").strip().strip("*_:").strip()


def _indented(line: str) -> bool:
    return line.startswith((" " * INDENTED, "\t"))


def _is_rule(bare: str) -> bool:
    signs = bare.replace(" ", "")
    return len(signs) >= 3 and signs[0] in "=-*_" and not signs.strip(signs[0])


def _without_comments(text: str) -> Iterator[str]:
    """The lines without what stands between <!-- and -->; in code these are signs like any other."""
    hidden = False
    fence: str | None = None
    for written in text.split("\n"):
        line, bare = written.rstrip("\r"), written.strip()
        if not hidden and bare.startswith(_FENCES):
            fence = bare[:3] if fence is None else None if bare.startswith(fence) else fence
        if fence is not None or (not hidden and _OPENED not in line):
            yield line
            continue
        shown: list[str] = []
        place = 0
        while place < len(line):
            sign = _CLOSED if hidden else _OPENED
            found = line.find(sign, place)
            end = len(line) if found < 0 else found
            shown.extend(() if hidden else (line[place:end],))
            hidden = hidden != (found >= 0)
            place = end + len(sign)
        yield "".join(shown)
