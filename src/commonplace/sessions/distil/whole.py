"""What a conversation teaches: chosen sentence by sentence, and then what only more than one of them tells."""

from collections.abc import Callable, Iterable

from commonplace.domain.record import replace
from commonplace.ports import Embedder
from commonplace.sessions.distil import selecting
from commonplace.sessions.distil.items import Distilled
from commonplace.sessions.distil.procedures import procedures
from commonplace.sessions.distil.revising import revised
from commonplace.sessions.transcripts import Turn


def distil(
    turns: Iterable[Turn], embedder: Embedder | None = None, progress: Callable[[int], None] = lambda turns: None
) -> Distilled:
    """What of a conversation is worth remembering, in its order. The same turns always give the same items.

    `progress` hears now and then how many turns were read.
    """
    said = list(turns)
    found = selecting.distil(said, embedder, progress)
    steps = list(procedures(said))
    apart = [
        item for item in found.items if not any(item.turn == each.turn and item.quote in each.quote for each in steps)
    ]
    items = revised(sorted((*apart, *steps), key=lambda item: item.turn), said)
    kept = {(item.turn, item.quote) for item in items}
    return replace(
        found, items=items, left_out=tuple(each for each in found.left_out if (each.turn, each.quote) not in kept)
    )
