"""What of a turn is its speaker's own prose: not what recall put there, nor code, logs, tables or quotations."""

import re
from collections.abc import Iterator
from itertools import pairwise

from commonplace import deadline
from commonplace.domain.record import Record

Span = tuple[int, int]

LINE_HEAD_CHARACTERS = 400  # enough to tell what sort of line it is
STRETCH = 65_536
LONGEST_MARK = 1_000  # more than the longest that `_MACHINE` finds
WRAPPED_CHARACTERS = 60  # a shorter line was ended by its writer, not by an editor's margin

# What a machine put around a person's words: recalled memories first of all, then what hosts add about themselves.
# A block that is never closed reaches to the end of the turn.
_MACHINE = re.compile(
    r"<([a-z]{1,40}(?:[-_][a-z]{1,40}){1,8}|memory|memories|curated)\b[^<>\n]{0,200}>"
    r"|^[ \t]*<(context|recall(?:ed)?|retrieved|remembered|knowledge|background|profile|facts|system|reminder)"
    r"\b[^<>\n]{0,200}>[ \t]*$|(BEGIN_(?:[A-Z]{1,40}_)?MEMORY_DATA)"
    r"|(\bthe following are previously known facts:)"
    r"|\b(?:recalled|retrieved|relevant) (?:memories|notes|context|facts)\b[^\n]{0,40}:"
    r"|^[ \t>*#(\[]{0,8}(?:context from|saved|stored|remembered|long-term|injected|loaded|user) memor(?:y|ies)\b"
    r"[^\n]{0,40}:"
    r"|\bstored notes, quoted as data\b",
    re.IGNORECASE | re.MULTILINE,
)
_FACTS_END = "-" * 17
_DATA_END = r"END_(?:[A-Z]+_)?MEMORY_DATA"
_DATA_LINE = re.compile(r"\s*(?:$|[-*•–{}\[\]\"|]|\d+[.):]|\s\S)")

_FENCE = re.compile(r"[ \t>*-]*(`{3,}|~{3,})")
_LIST_MARK = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s+(?:\[[ xX]?\]\s+)?")
_NOT_PROSE = re.compile(
    r"""\s*+(?:
        [>|]                                            # a quotation, a table
      | \#{1,6}\s | [-=*_]{3,}\s*$                      # a heading, a rule
      | \[?(?:\d{4}-\d\d-\d\d[T\ ])?\d\d:\d\d:\d\d      # a log line
      | (?:\$|>>>|%|PS>)\s | @@ | diff\ --git           # a prompt, a patch
      | at\ [\w.$<>]+\( | File\ " | Traceback           # a stack trace
      | (?:export\ )?[A-Za-z_][\w.-]*\s?=\s?\S          # an assignment
      | [\w./\\-]+\.\w{1,5}(?::\d+)*\s*$                # a path alone
      | -----BEGIN\ | https?://\S+\s*$
      | // | /\* | \*/ | (?:import|const|def|var)\s\S    # code, or a comment in it
      | [0-9a-f]{7,40}\s | \d+:\d+\s+(?:error|warning) # a commit, a linter
    )
    """,
    re.VERBOSE,
)
# `key=value key=value`: a blank-separated word that holds a setting, and one behind it that begins with one.
_HOLDS_SETTING, _BEGINS_SETTING = re.compile(r"\w=\S"), re.compile(r"\w+=\S")
_LOUD = re.compile(
    r"\b(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|FAILED|PASSED|panicked|Fatal error|FEHLER|WARNUNG|AVISO|ERREUR"
    r"|ERRO|ERRORE|AVVISO)\b"
    r"|(?:Exception|Error):|^(?:エラー|警告|错误|報錯|报错)[:：]"
)
_FULL_STOP = re.compile(r"[.!?]\s")
_CODE_INDENT = re.compile(r"(?: {4}|\t).*[(){}<>=;]")
# A shorter quotation is a name or a word within the speaker's own sentence.
_QUOTATION = re.compile(
    r'"[^"\n]{30,2000}"|“[^“”\n]{30,2000}”|„[^„“”"\n]{30,2000}[“”"]|«[^«»\n]{30,2000}»|「[^「」\n]{16,2000}」|『[^『』\n]{16,2000}』'
    r"|(?<!\w)'(?:[^'\n]|(?<=\w)'(?=\w)){30,600}'(?!\w)"
)
_PROMPT = re.compile(r"\s*(?:\$|>>>|PS>)\s")
_HANDS_OVER = re.compile(
    r"\b(?:errors?|output|log|trace|warnings?|says|this from|fehler|ausgabe|meldung|salida|sortie|erreur|errore"
    r"|erro|saída)\b"
    r"[^\n]{0,40}:\s*$|(?:报错|日志|输出|エラー|ログ)[^\n]{0,20}[：:]\s*$",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]+")


class Opening(Record):
    """What a turn leaves open, for the case that the next piece of the same speech goes on inside it."""

    closing: str = ""
    fence: str = ""


NOTHING_OPEN = Opening()
_LIST = "list"


def passages(text: str, inside: Opening = NOTHING_OPEN) -> Iterator[Span]:
    """The stretches of prose in a turn, in order: a list item each, else lines that belong together."""
    injected, _ = injected_spans(text, inside.closing)
    waiting: Span | None = None
    for start, end, joins in _prose_lines(text, injected, inside.fence):
        if waiting is not None and joins and _wrapped(text, waiting, start):
            waiting = (waiting[0], end)
            continue
        if waiting is not None:
            yield from _without_quotations(text, waiting)
        waiting = (start, end)
    if waiting is not None:
        yield from _without_quotations(text, waiting)


def left_open(text: str, inside: Opening = NOTHING_OPEN) -> Opening:
    """The blocks that are still open at the end of a turn."""
    fence = inside.fence
    for line in _LINE.finditer(text):
        if marked := _FENCE.match(line[0]):
            fence = _fence_after(fence, marked[1])
    return Opening(injected_spans(text, inside.closing)[1], fence)


def injected_spans(text: str, closing: str = "") -> tuple[list[Span], str]:
    """Where a machine spoke inside the turn (recalled memories, what hosts add), and what the last of it waits for."""
    spans: list[Span] = []
    start = place = 0
    while True:
        if not closing:
            found = _next_machine(text, place)
            if found is None:
                return spans, ""
            start, place = found.span()
            closing = _closing(found)
        end = _end_of_list(text, place) if closing == _LIST else _end_of_block(text, place, closing)
        spans.append((start, len(text) if end is None else end))
        if end is None:
            return spans, closing
        place, closing = end, ""


def _closing(opening: re.Match[str]) -> str:
    tag, named, data, facts = opening.groups()
    if tag or named:
        return f"</{tag or named}\\s*>"
    return _DATA_END if data else _FACTS_END if facts else _LIST


def _next_machine(text: str, place: int) -> re.Match[str] | None:
    """Where a machine speaks next. A stretch at a time: others may want to run in between."""
    while True:
        end = min(len(text), place + STRETCH)
        found = _MACHINE.search(text, place, end)
        if end == len(text) or (found is not None and found.start() < end - LONGEST_MARK):
            return found
        place = end - LONGEST_MARK if found is None else found.start()


def _end_of_block(text: str, place: int, closing: str) -> int | None:
    """Behind the closing mark. Of recalled memories the last one counts: a memory may hold such a mark itself."""
    end = None
    for found in re.compile(closing, re.IGNORECASE).finditer(text, place):
        end = found.end()
        if "memory" not in closing.lower():
            break
    return end


def _end_of_list(text: str, place: int) -> int | None:
    """The end of the list below a header: lines go on belonging to it while they look like data."""
    end = text.find("\n", place)
    while end != -1:
        following = text.find("\n", end + 1)
        line = text[end + 1 : len(text) if following == -1 else following]
        if not _DATA_LINE.match(line):
            return end
        end = following
    return None


def _prose_lines(text: str, injected: list[Span], fence: str) -> Iterator[tuple[int, int, bool]]:
    """Lines of prose without their list marks, and whether each may continue the line before."""
    borders = [0, *(border for span in injected for border in span), len(text)]
    for start, end in zip(borders[::2], borders[1::2], strict=True):
        shown, blank = -9, 0  # where the last line ended that showed what a program wrote
        for line in deadline.each(_LINE.finditer(text, start, end)):
            marked = _FENCE.match(line[0])
            if marked or fence:
                fence = _fence_after(fence, marked[1] if marked else "")
            elif line.start() - shown in (1, 1 + blank) or _PROMPT.match(line[0]):
                shown, blank = line.end(), 0
            else:
                yield from _prose_line(text, *line.span())
                if len(line[0]) <= LINE_HEAD_CHARACTERS and _HANDS_OVER.search(line[0]):
                    shown, blank = line.end(), 1  # an empty line may follow before it begins


def _fence_after(fence: str, mark: str) -> str:
    """The fence that is open behind a mark: a new one, or none if it closes the one before."""
    if not fence:
        return mark
    return "" if mark.startswith(fence) else fence


def _prose_line(text: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    line = text[start:end]
    if not line.strip():
        return
    mark = _LIST_MARK.match(line)
    if mark:
        start, line = start + mark.end(), line[mark.end() :]
    head = line[:LINE_HEAD_CHARACTERS]
    code = line.rstrip().endswith(("{", "}", ";")) or (mark is None and _CODE_INDENT.match(head))
    if line and not code and not _is_output(head):
        yield start, end, mark is None


def _is_output(head: str) -> bool:
    """Whether a line looks like something a program wrote, or somebody else, rather than like a sentence."""
    if _NOT_PROSE.match(head):
        return True
    if any(mark in head for mark in (" | ", "\t", " == ", " != ", " && ", "();")):
        return True
    words = head.split() if "=" in head else []
    if any(_HOLDS_SETTING.search(a) and _BEGINS_SETTING.match(b) for a, b in pairwise(words)):
        return True
    loud = max((found.end() for found in _LOUD.finditer(head)), default=-1)
    return loud >= 0 and _FULL_STOP.search(head, loud) is None


def _wrapped(text: str, before: Span, start: int) -> bool:
    """Whether a line goes on in the next one, because an editor broke it."""
    last = text.rfind("\n", 0, before[1])
    width = before[1] - max(before[0], last + 1)
    gap = text[before[1] : start]
    ended = text[before[1] - 1] in ".!?:;…。！？"
    return width >= WRAPPED_CHARACTERS and gap.count("\n") == 1 and not ended and not text[start : start + 1].isupper()


def _without_quotations(text: str, span: Span) -> Iterator[Span]:
    place = span[0]
    for quotation in _QUOTATION.finditer(text, *span):
        yield from _unless_blank(text, place, quotation.start())
        place = quotation.end()
    yield from _unless_blank(text, place, span[1])


def _unless_blank(text: str, start: int, end: int) -> Iterator[Span]:
    if text[start:end].strip():
        yield start, end
