"""Two memories that a person should settle between: they may contradict each other, or say nearly the same."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import islice

from commonplace.book.display_json import memory_json
from commonplace.domain.canonical_json import Json
from commonplace.domain.memory import Memory, RelationKind
from commonplace.domain.query import Filter, Order
from commonplace.domain.record import Record, replace
from commonplace.domain.scope import Principal
from commonplace.dream.conflicts import contradictions
from commonplace.engine.caller import Work
from commonplace.engine.duplicates import Group, Search, groups, groups_by_words
from commonplace.engine.paging import each_memory
from commonplace.ports import Embedder, Unit

LOOKED_AT = 5_000
"""So many memories are compared, the newest ones."""


QUICKLY_LOOKED_AT = 1_000
"""So many for whoever waits for the answer."""
SHOWN = 200
"""More pairs nobody settles at once."""


class Between(StrEnum):
    """What two memories have to do with each other."""

    CONTRADICTION = "contradiction"
    REPEAT = "repeat"


class Pair(Record):
    """Two memories that both stand, the older one first, and why they were put side by side."""

    older: Memory
    newer: Memory
    between: Between
    reason: str


class Looked(Record):
    """What was found among so many memories; whether these are all there are to look at."""

    pairs: tuple[Pair, ...]
    looked_at: int
    complete: bool


def look(work: Work, filter: Filter | None, embedder: Embedder | None) -> Looked:
    """The same at a cost that does not grow with the book: among the newest, which are compared by words alone if
    there are more of them.
    """
    chosen = _wide(work, filter)
    newest = list(islice(each_memory(work.unit, chosen, work.now, Order.NEWEST), QUICKLY_LOOKED_AT + 1))
    if len(newest) <= QUICKLY_LOOKED_AT:
        found = find(work, filter, embedder)
        return Looked(found[:SHOWN], len(newest), len(found) <= SHOWN)
    newest = newest[:QUICKLY_LOOKED_AT]
    alike = _beside_the_newest(groups_by_words(newest))[:SHOWN]
    return Looked(_settled(work.unit, newest, alike)[:SHOWN], len(newest), False)


def find(work: Work, filter: Filter | None, embedder: Embedder | None) -> tuple[Pair, ...]:
    """Contradictions first, then repeats; without those that somebody has said are related, and both stand."""
    chosen = _wide(work, filter)
    newest = list(islice(each_memory(work.unit, chosen, work.now, Order.NEWEST), LOOKED_AT))
    found, _ = groups(work.unit, Search(chosen, work.now, embedder))
    return _settled(work.unit, newest, _beside_the_newest(found))


def _wide(work: Work, filter: Filter | None) -> Filter:
    chosen = filter or Filter(())
    if not chosen.scopes:
        everywhere = tuple(scope for scope in work.unit.memories.scopes() if work.may_see(scope))
        chosen = replace(chosen, scopes=everywhere)
    return work.filter(chosen)


def _settled(unit: Unit, newest: Sequence[Memory], repeats: Sequence[Pair]) -> tuple[Pair, ...]:
    against = [_contradiction(older, newer, found.reason) for older, newer, found in contradictions(newest)]
    settled = {(pair.older.id, pair.newer.id) for pair in against}
    alike = [pair for pair in repeats if (pair.older.id, pair.newer.id) not in settled]
    return tuple(pair for pair in [*against, *alike] if not _both_stand(unit, pair))


def _contradiction(older: Memory, newer: Memory, reason: str | None) -> Pair:
    on_topic = older.topic is not None and older.topic == newer.topic
    otherwise = f"both are on {older.topic}" if on_topic else "they differ in substance"
    return Pair(older, newer, Between.CONTRADICTION, reason or otherwise)


def _beside_the_newest(found: Sequence[Group]) -> Sequence[Pair]:
    """Of each group of memories alike, every one beside the newest."""
    return [
        Pair(older, group.memories[-1], Between.REPEAT, f"{group.similarity:.2f} alike")
        for group in found
        for older in group.memories[:-1]
    ]


def _both_stand(unit: Unit, pair: Pair) -> bool:
    ends = {pair.older.id, pair.newer.id}
    return any(
        edge.kind is RelationKind.RELATED_TO and {edge.source, edge.target} == ends
        for edge in unit.relations.of(pair.newer.id)
    )


def pairs_json(pairs: Sequence[Pair], between: Between, principal: Principal) -> list[Json]:
    """The contradictions, or the repeats, with both texts whole."""
    return [
        {
            "reason": pair.reason,
            "older": memory_json(pair.older, principal),
            "newer": memory_json(pair.newer, principal),
        }
        for pair in pairs
        if pair.between is between
    ]
