"""What comes of a conversation: items to be remembered, and what was left out."""

from commonplace.domain.memory import Kind, MemoryType
from commonplace.domain.record import Record

_TYPES = {kind: MemoryType(kind.value) for kind in (Kind.EVENT, Kind.INSTRUCTION, Kind.TASK)}


def type_of(kind: Kind) -> MemoryType:
    """The type that memories of a kind have; a fact if none is its own."""
    return _TYPES.get(kind, MemoryType.FACT)


class Item(Record):
    """A statement worth remembering, the words it was said in, the turn they are from, and the signs that chose it.

    `revises` are statements of the same conversation that it says with another value.
    """

    text: str
    memory_type: MemoryType
    kind: Kind
    turn: int
    reason: str
    quote: str
    explicit: bool = False
    corrects: bool = False
    revises: tuple[str, ...] = ()


class LeftOut(Record):
    """A sentence that was looked at and not kept, and why."""

    turn: int
    quote: str
    reason: str


class Distilled(Record):
    """What came of it: the items, why the rules had to choose them instead (if so), and what was not believed."""

    items: tuple[Item, ...]
    fell_back: str | None = None
    dropped: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
