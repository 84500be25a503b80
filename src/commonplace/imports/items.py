"""What is found in a file of another tool: items to remember, decisions, and what is left out and why."""

from commonplace.decisions.decision import Recorded
from commonplace.domain.memory import Kind
from commonplace.domain.record import Record


class Item(Record):
    """Something to remember: its words, with the headings above it as their beginning, and where it stands.

    `key` is what the other tool knows it by, where it has a name for it.
    """

    text: str
    line: int | None = None
    kind: Kind = Kind.FACT
    tags: tuple[str, ...] = ()
    category: str | None = None
    at: int | None = None
    expires_at: int | None = None
    key: str | None = None
    file: str = ""


class LeftOut(Record):
    """Something of a file, or all of it, that is not taken, and why."""

    reason: str
    line: int | None = None
    file: str = ""

    @property
    def place(self) -> str:
        """`CLAUDE.md:12`, as it is shown."""
        return place_of(self.file, self.line)


class Found(Record):
    """What one file comes to."""

    items: tuple[Item, ...] = ()
    decisions: tuple[Recorded, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def place_of(file: str, line: int | None) -> str:
    """Where something stands: the file, and the line in it where that is known."""
    return file if line is None else f"{file}:{line}"
