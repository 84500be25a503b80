"""Memories for people to read. What a memory says is shown, never obeyed: control characters are made visible."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from commonplace.book.reader import BookReader
from commonplace.cli.output import Output
from commonplace.domain.ids import DAY
from commonplace.domain.memory import Memory, Status
from commonplace.domain.query import Hit, Recall
from commonplace.text import flags, show_time, visible

BAR_WIDTH = 10
TEXT_SHOWN = 600
LINES_SHOWN = 8
ROW_SHOWN = 200
"""So much of a text a terminal shows, on several lines and on one, unless all of it is asked for."""
EXCERPT_LENGTH = 72

_AGES = (
    (31_536_000_000, "year"),
    (2_592_000_000, "month"),
    (DAY, "day"),
    (3_600_000, "hour"),
    (60_000, "minute"),
)


def one_line(text: str, length: int | None = None) -> str:
    """A text on one line, cut to a length if one is given."""
    joined = " ".join(visible(text).split())
    return joined if length is None or len(joined) <= length else joined[: length - 1].rstrip() + "…"


def excerpt(memory: Memory) -> str:
    """The beginning of a memory on one line, cut to what fits into a listing."""
    return one_line(memory.text, EXCERPT_LENGTH)


def bar(share: float) -> str:
    """A number from 0 to 1 as a bar."""
    filled = round(max(0.0, min(1.0, share)) * BAR_WIDTH)
    return "█" * filled + "░" * (BAR_WIDTH - filled)


def age(moment: int, now: int) -> str:
    """How long ago, in the largest unit that fits."""
    elapsed = now - moment
    for span, name in _AGES:
        if elapsed >= span:
            count = elapsed // span
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now" if elapsed >= 0 else "in the future"


def count(number: int, one: str, many: str) -> str:
    """A number with its noun, 1 in the singular and thousands with commas."""
    return f"{number:,} {one if number == 1 else many}"


def article(noun: str) -> str:
    """A noun with its article, as in `a preference`, `an instruction`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def labels(memory: Memory, now: int, projects: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The small print of a memory: its number, kind, age, the project it is about if it is another, and its labels."""
    found = [f"id {memory.number}", memory.kind.value, age(memory.created_at, now)]
    if memory.status is not Status.ACTIVE:
        because = f" ({one_line(memory.status_reason, EXCERPT_LENGTH)})" if memory.status_reason else ""
        found.append(f"{memory.status.value}{because}")
    if memory.expired(now):
        found.append("expired")
    elif memory.expires_at is not None:
        found.append(f"expires {show_time(memory.expires_at)[:10]}")
    found += validity(memory, now) + of_project(memory.about, projects)
    if memory.waits:
        found.append(f"{memory.origin.value}, unconfirmed")
    if memory.pinned:
        found.append("pinned")
    found += [f"hidden: {name.replace('_', ' ')}" for name in flags(memory.text)]
    found += [visible(label) for label in (memory.topic, memory.category) if label]
    return found + [f"#{visible(tag)}" for tag in memory.tags]


def of_project(id: str | None, projects: Mapping[str, str]) -> list[str]:
    """What the project is called that something is about, where that is another than the one you are in."""
    return [f"project {visible(projects[id])}"] if id is not None and id in projects else []


def elsewhere(book: BookReader, project: str | None, here: Sequence[str]) -> str:
    """The name of a project behind what is about it, where it is not the one you are in."""
    return "" if project is None or project in here else f"  (project {visible(book.project_name(project))})"


def validity(memory: Memory, now: int) -> list[str]:
    """When a memory is true, where that is said of it: what is over or has not begun reads differently."""
    begins, ends = memory.valid_from, memory.valid_to
    if ends is not None and ends <= now:
        return [f"was true until {show_time(ends)[:10]}"]
    if begins is not None and begins > now:
        return [f"will be true from {show_time(begins)[:10]} on"]
    since = [f"true since {show_time(begins)[:10]}"] if begins is not None else []
    return since + ([f"true until {show_time(ends)[:10]}"] if ends is not None else [])


def shown_text(text: str, whole: bool) -> str:
    """A text as a terminal shows it: what is long ends early, and says so."""
    seen = visible(text)
    if whole or (len(seen) <= TEXT_SHOWN and seen.count("\n") < LINES_SHOWN):
        return seen
    cut = "\n".join(seen[:TEXT_SHOWN].split("\n")[:LINES_SHOWN]).rstrip()
    return f"{cut}… ({len(text):,} characters: --full shows all)"


def print_hit(hit: Hit, now: int, projects: Mapping[str, str], output: Output, *, full: bool = False) -> None:
    """Relevance and text, and below them the small print with the reason; a pipe gets the whole text."""
    relevance = f"{hit.relevance:.2f}"
    shown = f"{relevance} {bar(hit.relevance)}  " if output.terminal else f"{relevance}  "
    indent = " " * len(shown)
    lines = shown_text(hit.memory.text, full or not output.terminal).split("\n")
    head = shown.replace(relevance, output.style(relevance, "green")) + output.style(lines[0], "bold")
    output.line(head)
    for line in lines[1:]:
        output.line(indent + output.style(line, "bold"))
    for line in _fitted([*labels(hit.memory, now, projects), visible(hit.reason)], output, len(indent)):
        output.line(indent + output.style(line, "dim"))


def _fitted(parts: list[str], output: Output, indent: int) -> list[str]:
    """The parts on one line or, on a terminal that is too narrow, on several, broken between words."""
    small = " · ".join(parts)
    if not output.terminal or indent + len(small) < output.columns:
        return [small]
    from textwrap import wrap  # for narrow terminals only

    return wrap(small, max(20, output.columns - indent - 1), break_on_hyphens=False)


def print_others(found: Recall, book: BookReader, output: Output) -> None:
    """What was found beside memories: what each is, a piece of it, and below the small print with how to open it."""
    from commonplace.cli.short import numbered  # most recalls find memories alone

    if found.query.only is None:
        output.line(output.style("Beside the memories:", "dim"))
    for other in found.others:
        shown = f"{other.relevance:.2f}  "
        head = output.style(f"{other.kind.one} {numbered(other.id, book)}", "bold")
        output.line(f"{output.style(shown, 'green')}{head}  {one_line(other.title)}")
        indent = " " * len(shown)
        if one_line(other.excerpt) != one_line(other.title):
            output.line(f"{indent}{one_line(other.excerpt)}")
        hidden = [f"hidden: {name.replace('_', ' ')}" for name in flags(f"{other.title} {other.excerpt}")]
        about = of_project(other.project, found.projects)
        small = [show_time(other.at)[:10], *about, *hidden, visible(other.reason)]
        small.append(numbered(visible(other.open_with), book))
        output.line(indent + output.style(" · ".join(small), "dim"))
