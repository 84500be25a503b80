"""What a conversation teaches: chosen sentence by sentence, and then what only more than one of them tells."""

from collections.abc import Callable, Iterable
from itertools import groupby

from commonplace.domain.record import replace
from commonplace.ports import Embedder
from commonplace.sessions.distil import selecting
from commonplace.sessions.distil.items import Distilled, Item
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
    steps_in = {turn: list(each) for turn, each in groupby(steps, key=lambda item: item.turn)}
    apart = [item for item in found.items if not any(_is_step(item, each) for each in steps_in.get(item.turn, ()))]
    items = revised(sorted((*apart, *steps), key=lambda item: item.turn), said)
    kept = {(item.turn, item.quote) for item in items}
    return replace(
        found, items=items, left_out=tuple(each for each in found.left_out if (each.turn, each.quote) not in kept)
    )


def _is_step(item: Item, of: Item) -> bool:
    return item.quote in of.quote
