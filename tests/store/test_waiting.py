"""What waits for a person, in SQL as in words, whatever a memory is made of."""

from itertools import product

from commonplace.domain.memory import Kind, MemoryType, Origin
from commonplace.domain.query import Filter, Order
from commonplace.ports import Store
from tests.store.making import NOW, OURS, SCOPE, add, memory, numbers

EVERY_KIND_OF = [
    memory(f"n{number}", origin=origin, pinned=pinned, kind=kind, memory_type=memory_type)
    for number, (origin, pinned, kind, memory_type) in enumerate(
        product(Origin, (False, True), Kind, (None, *MemoryType))
    )
]


def test_the_store_and_the_memory_agree_on_what_waits(store: Store) -> None:
    with store.writing(OURS) as unit:
        made = [add(unit, each) for each in EVERY_KIND_OF]
    with store.reading(OURS) as unit:
        found = numbers(unit.memories.page(Filter((SCOPE,), automatic=True), NOW, Order.OLDEST, 1_000, None))
        waiting = numbers(unit.memories.page(Filter((SCOPE,), waiting=True), NOW, Order.OLDEST, 1_000, None))
    assert waiting == [each.number for each in made if each.waits]
    assert found == [each.number for each in made if not each.waits]
    assert 0 < len(found) < len(made)
    print(f"{len(made)} combinations, {len(found)} wait for nobody")
