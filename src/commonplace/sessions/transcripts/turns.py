"""A turn, a conversation with what its file says about it, and the limits of what a transcript may hold."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from commonplace.domain.record import Record

TURN_CHARACTERS = 250_000
"""A longer speech becomes several turns of the same speaker, each but the first marked as going on."""

TURN_AT_MOST = TURN_CHARACTERS * 5 // 4
"""So far a speech may go on until a blank line ends what stands together, such as a key that is a secret as a whole."""

TURN_COUNT_LIMIT = 250_000
CHARACTER_LIMIT = 256_000_000
LINE_CHARACTERS = 16_000_000
"""A line of JSON has to be held whole; one of plain text does not."""


class Speaker(StrEnum):
    """Who speaks. Where a transcript does not say, nobody is assumed."""

    USER = "user"
    ASSISTANT = "assistant"
    UNKNOWN = "unknown"


class Turn(Record):
    """What one side said, when, and through which door; `at` is in milliseconds UTC.

    `goes_on` marks a piece of a speech too long for one turn: it begins where the turn before was cut.
    """

    role: Speaker
    text: str
    at: int | None = None
    surface: str | None = None
    goes_on: bool = False


class Conversation(Record):
    """One conversation, its turns to be read once, and what its file says about it, where it does.

    `host` is the program it was held in, `key` its id there, `project` the folder; `started` is in milliseconds UTC.
    `skipped` counts the lines or messages of it that could not be read.
    """

    turns: Iterable[Turn]
    host: str | None = None
    key: str | None = None
    project: str | None = None
    started: int | None = None
    title: str | None = None
    skipped: int = 0


def cut(turn: Turn) -> Iterator[Turn]:
    """A turn within the limit, or several that say the same, parted at a blank where there is one."""
    if len(turn.text) <= TURN_CHARACTERS:
        yield turn
        return
    start, text = 0, turn.text
    while len(text) - start > TURN_CHARACTERS:
        reach = (start + TURN_CHARACTERS // 2, start + TURN_CHARACTERS)
        blanks = (text.rfind(mark, *reach) for mark in ("\n\n", "\n", " "))
        end = next((blank for blank in blanks if blank > 0), start + TURN_CHARACTERS)
        yield Turn(turn.role, text[start:end], turn.at, turn.surface, turn.goes_on or start > 0)
        start = end
    yield Turn(turn.role, text[start:], turn.at, turn.surface, turn.goes_on or start > 0)
