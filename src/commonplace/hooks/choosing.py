"""What may be brought unasked: what waits for nobody, and of other projects only what holds everywhere."""

from commonplace.domain.memory import Kind, Memory
from commonplace.engine.caller import Work
from commonplace.hooks.block import Piece, line_of
from commonplace.hooks.private import Private


class Choice:
    """What may be brought in one transaction, to a model that has the memories of these ids before it already."""

    def __init__(self, work: Work, private: Private, known: frozenset[str]) -> None:
        self.work = work
        self.private = private
        self.known = known
        self._here = (None, *work.here)

    def piece(self, memory: Memory, why: str) -> Piece:
        """A memory as a line, with why it is brought."""
        named = self.work.names_of((memory.about,))
        return Piece(memory.id, line_of(memory, self.work.now, next(iter(named.values()), "")), why)

    def admits(self, memory: Memory) -> bool:
        """Whether the model lacks it, nobody has to look at it first, and it belongs here and not to the person alone.

        From other projects come only the person's preferences, standing instructions and pins.
        """
        if memory.id in self.known or memory.waits or self.private.holds(memory.text):
            return False
        if memory.about in self._here or memory.instructs or memory.kind is Kind.PREFERENCE:
            return True
        return self.is_pinned(memory)

    def is_pinned(self, memory: Memory) -> bool:
        """Whether a person wants it always seen: a pin of an agent's pins nothing before they agreed."""
        from commonplace.engine.lifecycle import pin_waits  # most prompts meet no pin

        return memory.pinned and not pin_waits(self.work.unit, memory)
