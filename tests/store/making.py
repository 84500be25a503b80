"""Memories for the store suite, written as the engine writes them: row, vector and event together."""

from collections.abc import Iterable

from commonplace.domain.events import Event, EventType
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.domain.rank import Features
from commonplace.domain.record import replace
from commonplace.domain.scope import Scope
from commonplace.ports import Match, Space, Unit, Vector

OURS, THEIRS = "acme", "globex"
NOW = 1_000_000
SCOPE = Scope.parse("user:local")
ELSEWHERE = Scope.parse("project:atlas")
HERE = Filter((SCOPE,))
EVERYTHING = Filter((SCOPE, ELSEWHERE), statuses=(), include_expired=True)
SPACE = Space("model", "1", "test", 4)
OTHER_SPACE = Space("model", "2", "test", 4)


def memory(text: str = "Deploys are on Monday", number: int = 0, **fields: object) -> Memory:
    made = Memory(f"mem_{number:026d}", number, text, SCOPE, NOW, NOW)
    return replace(made, **fields)


def log(unit: Unit, type: EventType, memory: Memory, at: int = NOW) -> None:
    unit.log.append(Event(f"evt_{type}_{memory.number}_{at}", type, memory.id, "local", at, {}))


def add(unit: Unit, draft: Memory | str, at: int = NOW, vector: Vector | None = None, **fields: object) -> Memory:
    """Store a draft under the next number, with an id made of it."""
    number = unit.memories.next_number()
    made = memory(draft, **fields) if isinstance(draft, str) else replace(draft, **fields)
    numbered = replace(made, number=number, id=f"mem_{number:026d}")
    unit.memories.add(numbered, at)
    if vector is not None:
        unit.vectors.put(number, SPACE, vector)
    log(unit, EventType.CREATED, numbered, at)
    return numbered


def revise(unit: Unit, before: Memory, at: int = NOW, **changes: object) -> Memory:
    """Store the next revision of a memory."""
    after = replace(before, revision=before.revision + 1, updated_at=at, **changes)
    unit.memories.replace(after, at)
    log(unit, EventType.UPDATED, after, at)
    return after


def remove(unit: Unit, gone: Memory, at: int = NOW) -> None:
    unit.memories.remove(gone.number)
    log(unit, EventType.PURGED, gone, at)


def numbers(found: Iterable[Memory | Features | Match]) -> list[int]:
    """The numbers of memories, features or matches, in the order found."""
    return [each.number if isinstance(each, Memory | Features) else each[0].number for each in found]


def scores(found: Iterable[Match]) -> list[float]:
    return [score for _, score in found]
