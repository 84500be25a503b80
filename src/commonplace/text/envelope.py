"""Texts of somebody else inside something of ours: one function for each kind of envelope, which no text can leave.

Stored text stays as it is stored; these are for what is built around it: prompts, blocks of context, snapshots,
answers with citations, Markdown files. What a text says is still there to be read afterwards.
"""

import json
import re
from collections.abc import Sequence

from commonplace.text import collapse, visible_json

_ID = re.compile(r"(?:mem|cur|ctx|ses)_|dec-\d", re.IGNORECASE)
_SINGLE_QUOTES = str.maketrans("“”", "‘’")
_ROUND_BRACKETS = str.maketrans("[]", "()")

_BEGINNING = re.compile(
    r"\s*(?:human|user|assistant|system|developer|tool|function|model|ai|bot)\s*:|[\s*_=~.-]+$|[\"\s]", re.IGNORECASE
)
"""How a turn of a conversation, a rule or a quotation begins."""

PROSE_LENGTH = 600
_MARKED = re.compile(
    r"[“”\"\[\]{}<>`|\\\x00-\x1f\x7f]|the newest|what was said before|nothing that|nothing is", re.IGNORECASE
)
"""What is not plain prose: marks of quotations, citations, markup and code, and words in which we tell of memories."""

_FENCE = re.compile(r" {0,3}(`{3,}+(?!.*`)|~{3,})")
_HEADING = re.compile(r"^([\s>*+\d.)-]*)(#{1,6}(?=\s|$)|=+\s*$|\[(?=[^\]]*\]:))")
_RULE = frozenset("-*_ \t")
_HTML = re.compile(r"<(?=[A-Za-z/!?])|!(?=\[)")
_LABEL = re.compile(r"[\\`\[\]<]")


def in_tags(text: str) -> str:
    """One line that cannot open or close a tag."""
    return collapse(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def in_json(data: object) -> str:
    """JSON on one line without a sign of markup in it; a reader of JSON gets back what was put in."""
    line = visible_json(json.dumps(data, ensure_ascii=False))
    return line.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def in_quotes(text: str) -> str:
    """One line to stand between “ and ”, without an end of them and without anything that looks like a citation."""
    line = collapse(text).translate(_SINGLE_QUOTES)
    return line.translate(_ROUND_BRACKETS) if _ID.search(line) else line


def in_prose(text: str) -> str:
    """One line among sentences of ours: as it is where it is plain prose, else between “ and ”."""
    line = collapse(text)
    plain = len(line) <= PROSE_LENGTH and not _MARKED.search(line) and not _ID.search(line)
    return line if plain and not _BEGINNING.match(line) else f"“{in_quotes(line)}”"


def in_paragraph(text: str, constants: Sequence[str]) -> str:
    """A text as a paragraph among `constants`: as it is, or as a JSON text where it could pass for more than one.

    That is, if it has several lines, one of the constants, or begins as a rule, a speaker or a quotation does.
    """
    folded = text.casefold()
    alone = len(text.splitlines()) <= 1 and not _BEGINNING.match(text)
    if alone and not any(constant.casefold() in folded for constant in constants):
        return text
    written = in_json(text)
    for constant in constants:
        written = re.sub(re.escape(constant), _broken, written, flags=re.IGNORECASE)
    return written


def _broken(constant: re.Match[str]) -> str:
    """Its last character as an escape: the same text to a reader of JSON, and not the constant."""
    return f"{constant[0][:-1]}\\u{ord(constant[0][-1]):04x}"


def in_markdown(text: str) -> str:
    """Paragraphs in a section: lists, links and code stay, headings, rules, images and HTML are shown as written.

    A fence that is left open is closed, so that what follows the text is not in it.
    """
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        lines.append(line if fence or mark else _plain(line))
        if not fence:
            fence = mark[1] if mark else ""
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return "\n".join([*lines, fence] if fence else lines)


def in_list_item(text: str) -> str:
    """An item of a list: as a paragraph, without code; its further lines are indented, so that they stay in it."""
    lines = [f"\\{line.lstrip()}" if _FENCE.match(line) else _plain(line) for line in text.splitlines()]
    return "- " + "\n  ".join(lines)


def _plain(line: str) -> str:
    """A line of a paragraph or a list that makes nothing else of itself."""
    if len(line.strip()) > 1 and _RULE.issuperset(line):
        return "\\" + line.strip()
    return _HTML.sub(r"\\\g<0>", _HEADING.sub(r"\1\\\2", line))


def in_markdown_line(text: str) -> str:
    """A label on one line of Markdown, which is no link, image, code or HTML."""
    return _LABEL.sub(r"\\\g<0>", collapse(text))
