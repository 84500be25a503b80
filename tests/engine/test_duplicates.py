"""Groups of memories that say nearly the same: complete, never across a difference in substance, quick by words."""

import random

from hypothesis import given
from hypothesis import strategies as st

from commonplace.book.book import Book
from commonplace.engine.duplicates import groups_by_words
from commonplace.text import nearness, terms
from tests.conftest import OpenBook
from tests.dream.making import keep
from tests.hashing import HashingEmbedder
from tests.store.making import memory

WORDS = "bees hives honey clover meadow smoker frames wax summer swarm keeper veil 5 not monday".split()


def test_a_chain_of_near_memories_is_one_group(book: Book) -> None:
    """Each is near to those next to it; whichever of them is looked at first, they end up together."""
    words = [f"word{chr(97 + place)}" for place in range(26)]
    kept = [keep(book, " ".join(words[:size])) for size in range(12, 27)]
    assert nearness.likeness(12 / 26, nearness.WORDS_NEAR) < nearness.NEAR, (
        "the ends of the chain are not near each other"
    )
    chance = random.Random(3)
    for _ in range(20):
        shuffled = chance.sample(kept, len(kept))
        [group] = groups_by_words(shuffled)
        assert {each.id for each in group.memories} == {each.id for each in kept}


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join), max_size=12))
def test_a_group_holds_near_memories_of_one_substance_and_every_exact_repeat(texts: list[str]) -> None:
    memories = [memory(text, number) for number, text in enumerate(texts, 1)]
    groups = groups_by_words(memories)
    grouped = {each.number: place for place, group in enumerate(groups) for each in group.memories}
    for group in groups:
        for each in group.memories:
            others = [other for other in group.memories if other is not each]
            assert any(_near(each.text, other.text) for other in others)
    for first in memories:
        for second in memories:
            if first is not second and first.text == second.text:
                assert grouped[first.number] == grouped[second.number]


def _near(first: str, second: str) -> bool:
    likeness = nearness.likeness(nearness.overlap(terms(first), terms(second)), nearness.WORDS_NEAR)
    return likeness >= nearness.NEAR and nearness.same_substance(first, second)


def test_a_book_groups_by_words_and_by_meaning_alike(open_book: OpenBook) -> None:
    texts = ("The bees of the hive are asleep", "the bees of a hive are asleep", "Lunch is at noon", "Lunch is at one")
    for embedder in (None, HashingEmbedder()):
        book = open_book(f"{embedder is None}.db", embedder=embedder)
        for text in texts:
            keep(book, text)
        groups, pairs = book.near_groups()
        assert [[each.number for each in group.memories] for group in groups] == [[1, 2]]
        assert pairs == 1
        assert groups[0].pairs == 1
