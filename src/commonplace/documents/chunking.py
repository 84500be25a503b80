"""A document as chunks: pure, line by line, so that a large file never stands in memory as a whole.

Where one chunk ends and the next begins is decided by the text at that place, never by a count from
the top: after an edit, the chunks that it did not touch are cut as before and keep their ids.
"""

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import NamedTuple, TextIO

from commonplace.domain.record import Record

TARGET_LENGTH = 1_200
LEAST_LENGTH = TARGET_LENGTH // 2
PARAGRAPH_LENGTH_LIMIT = TARGET_LENGTH * 2
CHUNK_LENGTH_LIMIT = 4_000
GAP_LENGTH_LIMIT = 200
TITLE_LENGTH_LIMIT = 200
MARKDOWN = frozenset({".md", ".markdown", ".mdown", ".mdx"})

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t\n]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:(=+)|-+)[ \t]*\n?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_KEY_BEGINS, _KEY_ENDS = re.compile(r"\s*-----BEGIN "), re.compile(r"\s*-----END ")


class Piece(Record):
    """A stretch of a document: the headings above it, its text, and its first and last line, from 1 on."""

    title: tuple[str, ...]
    content: str
    line_start: int
    line_end: int


class Line(NamedTuple):
    """A line, or a stretch of one that is too long. `begins` is false for what goes on in the middle of it."""

    number: int
    text: str
    begins: bool = True

    @property
    def blank(self) -> bool:
        return self.begins and not self.text.strip()


class Block(NamedTuple):
    """Lines that stay together, and the blank ones before them. `level` is that of a heading, 0 for anything else."""

    lines: tuple[Line, ...]
    level: int = 0
    title: str = ""
    gap: str = ""

    @property
    def text(self) -> str:
        return "".join(line.text for line in self.lines)


def is_markdown(name: str) -> bool:
    """By the ending of its name alone, in capitals or not."""
    return PurePosixPath(name.lower()).suffix in MARKDOWN


def pieces(source: TextIO, markdown: bool) -> Iterator[Piece]:
    """The document in its own order; all of it is in exactly one piece, but for blank lines between them."""
    chunk: list[Block] = []
    length = 0
    headings: dict[int, str] = {}
    title: tuple[str, ...] = ()
    for block in _blocks(_lines(source), markdown):
        if chunk and _ends(chunk[-1], length, block):
            yield from _piece(chunk, title)
            chunk, length = [], 0
        if block.level:
            headings = {level: name for level, name in headings.items() if level < block.level}
            headings[block.level] = block.title
        if block.level or not chunk:
            title = tuple(name for name in headings.values() if name)
        chunk.append(block)
        length += len(block.gap) + len(block.text)
    if chunk:
        yield from _piece(chunk, title)


def chunk_id(document: str, content: str, repeat: int) -> str:
    """The id of a stretch of a document, by what it says and how often the document has said that before."""
    return "chunk_" + blake2b(f"{document}\n{repeat}\n{content}".encode(), digest_size=8).hexdigest()


def _piece(chunk: list[Block], title: tuple[str, ...]) -> Iterator[Piece]:
    """The blocks as a piece, unless there is nothing in them to read."""
    content = (chunk[0].text + "".join(block.gap + block.text for block in chunk[1:])).rstrip()
    if content.strip():
        spoken = [line for block in chunk for line in block.lines if line.text.strip()]
        yield Piece(title, content, chunk[0].lines[0].number, spoken[-1].number)


def _ends(last: Block, length: int, following: Block) -> bool:
    """Whether a chunk ends behind its last block: at a heading, when it is full, or where its own text says so."""
    if following.level:
        return not last.level or following.level <= last.level
    whole = length + len(following.gap) + len(following.text)
    if whole > CHUNK_LENGTH_LIMIT or len(following.gap) > GAP_LENGTH_LIMIT:
        return True
    if last.level:
        return False
    return length >= LEAST_LENGTH and (whole > PARAGRAPH_LENGTH_LIMIT or _marks_an_end(last.text))


def _marks_an_end(text: str) -> bool:
    """One block in a few, by its digest: the longer the block the likelier, for chunks of about the target length."""
    share = int.from_bytes(blake2b(text.rstrip().encode(), digest_size=4).digest(), "big") / 2**32
    return share < len(text) / LEAST_LENGTH


# -- blocks -----------------------------------------------------------------------------------


class _Gathering:
    """The block that is being read: a paragraph, or something between two marks that is kept whole."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.until: re.Pattern[str] | None = None
        self._gap = ""
        self._length = 0
        self._too_long = False

    def add_blank(self, line: Line) -> None:
        """Blank lines are kept as they are, up to a gap that ends a chunk anyway."""
        if len(self._gap) <= GAP_LENGTH_LIMIT:
            self._gap += line.text

    def add(self, line: Line) -> Iterator[Block]:
        """Take a line in. What has grown too long for one block comes back line by line."""
        self.lines.append(line)
        self._length += len(line.text)
        limit = PARAGRAPH_LENGTH_LIMIT if self.until is None else CHUNK_LENGTH_LIMIT
        if self._too_long or self._length > limit:
            self._too_long = True
            for each in self.lines:
                yield Block((each,), gap=self.take_gap())
            self.lines = []

    def end(self) -> Iterator[Block]:
        """What was gathered; the next line begins something new."""
        if self.lines:
            yield Block(tuple(self.lines), gap=self.take_gap())
        self.lines, self.until = [], None
        self._length, self._too_long = 0, False

    def take_gap(self) -> str:
        gap, self._gap = self._gap, ""
        return gap


def _blocks(lines: Iterator[Line], markdown: bool) -> Iterator[Block]:
    gathering = _Gathering()
    for line in lines:
        if gathering.until is not None:
            yield from gathering.add(line)
            if line.begins and gathering.until.match(line.text):
                yield from gathering.end()
        elif line.blank:
            yield from gathering.end()
            gathering.add_blank(line)
        else:
            yield from _spoken(line, gathering, markdown)
    yield from gathering.end()


def _spoken(line: Line, gathering: _Gathering, markdown: bool) -> Iterator[Block]:
    """A line of its own: a heading, the beginning of something that is kept whole, or more of a paragraph."""
    heading = _heading(line, gathering.lines) if markdown and line.begins else None
    if heading is not None:
        if len(heading.lines) > 1:
            gathering.lines = []
        yield from gathering.end()
        yield heading._replace(gap=gathering.take_gap())
        return
    closing = _closing(line.text) if line.begins else None
    if closing is not None:
        yield from gathering.end()
        gathering.until = closing
    yield from gathering.add(line)


def _heading(line: Line, before: list[Line]) -> Block | None:
    """A heading: marked with #, or the one line above an underline."""
    marked = _HEADING.match(line.text)
    if marked is not None:
        title = line.text[marked.end() :].strip()
        bare = title.rstrip("#")
        return Block((line,), len(marked[1]), _tidy(bare if bare[-1:] in ("", " ", "\t") else title))
    underline = _UNDERLINE.fullmatch(line.text)
    if underline is not None and len(before) == 1 and before[0].begins:
        return Block((*before, line), 1 if underline[1] else 2, _tidy(before[0].text))
    return None


def _tidy(title: str) -> str:
    return " ".join(title.split())[:TITLE_LENGTH_LIMIT]


def _closing(text: str) -> re.Pattern[str] | None:
    """What ends a block that this line opens: a code fence, or a key, which is seen as a secret only if it is whole."""
    fence = _FENCE.match(text)
    if fence is not None:
        return re.compile(rf" {{0,3}}{fence[1][0]}{{{len(fence[1])},}}[ \t]*\n?$")
    return _KEY_ENDS if _KEY_BEGINS.match(text) else None


# -- lines ------------------------------------------------------------------------------------


def _lines(source: TextIO) -> Iterator[Line]:
    number, begins = 1, True
    while text := source.readline(CHUNK_LENGTH_LIMIT):
        for stretch in _stretches(text):
            yield Line(number, stretch, begins)
            begins = False
        if text.endswith("\n"):
            number, begins = number + 1, True


def _stretches(text: str) -> Iterator[str]:
    """A line that is too long for a paragraph, cut between words where there are any."""
    while len(text) > PARAGRAPH_LENGTH_LIMIT:
        blank = text.rfind(" ", LEAST_LENGTH, TARGET_LENGTH)
        place = TARGET_LENGTH if blank < 0 else blank + 1
        yield text[:place]
        text = text[place:]
    yield text
