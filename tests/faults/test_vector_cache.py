"""The vectors kept in memory are those in the file: after every write, by whomever, and after none that failed."""

import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from commonplace.book.book import Book
from commonplace.domain.query import Filter, Mode
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.lifecycle import Changes
from commonplace.errors import CommonplaceError
from commonplace.store import vector_cache
from commonplace.store.rows import Row
from commonplace.store.sqlite import SqliteStore, vectors
from commonplace.store.vector_cache import VectorCache
from tests.faults.workshop import Companion, open_book
from tests.hashing import HashingEmbedder

DIMENSIONS = 16


def near(book: Book, query: str) -> dict[str, float]:
    """The texts found by meaning alone, with their cosines."""
    found = book.recall(query, mode=Mode.VECTORS, limit=50, min_relevance=0.0, counts_use=False)
    return {hit.memory.text: round(hit.vector_score or 0.0, 2) for hit in found.hits}


def expected(book: Book, query: str) -> dict[str, float]:
    """The same, reckoned from the texts that a listing gives."""
    embedder = HashingEmbedder()
    vector = np.frombuffer(embedder.embed_query(query), "<f2").astype(np.float32)
    return {
        memory.text: round(float(np.frombuffer(embedder.embed([memory.text])[0], "<f2").astype(np.float32) @ vector), 2)
        for memory in book.list(limit=50).memories
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.db"


def test_no_tenant_waits_while_the_vectors_of_another_are_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = HashingEmbedder()
    with Book.over(SqliteStore(path), Principal("slow"), embedder) as slow:
        quick = slow.seen_by(Principal("quick"), slow.door, None)
        for book in (slow, quick):
            book.remember("The harbour opens at dawn")
    reading, go_on, answers = threading.Event(), threading.Event(), []
    fill = vectors._fill

    def held_up(cache: VectorCache, rows: Iterator[Row]) -> None:
        if not reading.is_set():
            reading.set()
            answers.append(go_on.wait(timeout=20))
        fill(cache, rows)

    monkeypatch.setattr(vectors, "_fill", held_up)
    with Book.over(SqliteStore(path), Principal("slow"), embedder) as slow:
        thread = threading.Thread(target=near, args=(slow, "harbour"))
        thread.start()
        assert reading.wait(timeout=20)
        found = near(slow.seen_by(Principal("quick"), slow.door, None), "harbour")
        go_on.set()
        thread.join()
    assert list(found) == ["The harbour opens at dawn"]
    assert answers == [True], "the other tenant was answered while the first was still reading"


# -- other processes -------------------------------------------------------------------------


def test_the_cache_follows_every_kind_of_write_of_another_process(path: Path) -> None:
    query = "harbour boats tide"
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        assert near(book, query) == expected(book, query) != {}
        steps: list[Callable[[], object]] = [
            lambda: other.ask("remember", text="The boats are blue"),
            lambda: other.ask("remember", text="The tide is low at noon"),
            lambda: other.ask("update", id=2, text="The boats were painted red"),
            lambda: other.ask("forget", id=1),
            lambda: other.ask("restore", id=1),
            lambda: other.ask("move", id=3, scope="project:elsewhere"),
            lambda: other.ask("move", id=3, scope="user:local"),
            lambda: other.ask("purge", id=2),
            lambda: other.ask("remember", text="The gulls follow the boats"),
        ]
        for place, step in enumerate(steps):
            step()
            assert near(book, query) == expected(book, query), f"after step {place}"


def test_a_memory_moved_to_another_scope_is_found_there_by_meaning(path: Path) -> None:
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        near(book, "harbour")
        other.ask("move", id=1, scope="project:elsewhere")
        there = Filter((Scope.parse("project:elsewhere"),))
        found = book.recall("harbour", mode=Mode.VECTORS, filter=there, min_relevance=0.0, counts_use=False)
        assert [hit.memory.number for hit in found.hits] == [1]


def test_a_text_changed_by_a_process_without_a_model_is_not_found_by_its_old_meaning(path: Path) -> None:
    with open_book(path) as book, Companion(path, vectors=False) as other:
        book.remember("The harbour opens at dawn")
        assert near(book, "The harbour opens at dawn") == {"The harbour opens at dawn": 1.0}
        other.ask("update", id=1, text="Lemons grow behind the mill")
        assert near(book, "The harbour opens at dawn") == {}


def test_vectors_dropped_by_another_process_are_not_found_any_more(path: Path) -> None:
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        near(book, "harbour")
        other.ask("drop_vectors")
        assert near(book, "harbour") == {}


def test_the_cache_is_right_after_another_process_restored_a_backup(path: Path, tmp_path: Path) -> None:
    """The book goes back in time, and numbers that the cache knows come to mean something else."""
    backup = tmp_path / "backup.db"
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        book.care.backup(str(backup))
        for text in ("The boats are blue", "The tide is low at noon", "The gulls are loud"):
            book.remember(text)
        assert near(book, "boats tide gulls") == expected(book, "boats tide gulls")
        other.ask("restore_backup", source=str(backup))
        assert near(book, "boats tide gulls") == expected(book, "boats tide gulls")
        for text in (
            "Lemons grow behind the mill",
            "Olives grow on the hill",
            "Bread is baked at night",
            "Ink is black",
        ):
            other.ask("remember", text=text)
            assert near(book, "lemons bread ink") == expected(book, "lemons bread ink")


def test_the_cache_is_right_after_another_process_reset_the_book(path: Path) -> None:
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        near(book, "harbour")
        other.ask("reset")
        assert near(book, "harbour") == {}
        other.ask("remember", text="The boats are blue")
        assert near(book, "harbour boats") == expected(book, "harbour boats") != {}


# -- transactions ----------------------------------------------------------------------------


class Unfortunate(Exception):
    """Stops a transaction in the test's own hands."""


def write_in_vain(book: Book) -> None:
    """Put another vector in the place of the first memory's, look at it, and change one's mind."""
    embedder = HashingEmbedder()
    with book._caller.store.writing("local") as unit:
        unit.vectors.put(1, embedder.space, embedder.embed(["Something else entirely"])[0])
        unit.vectors.nearest(embedder.embed_query("else"), embedder.space, Filter(book.scopes), 0, 5)
        raise Unfortunate


def test_a_transaction_that_was_rolled_back_leaves_no_ghost_in_the_cache(path: Path) -> None:
    with open_book(path) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        near(book, "harbour")
        with pytest.raises(Unfortunate):
            write_in_vain(book)
        assert near(book, "harbour") == expected(book, "harbour")
        other.ask("remember", text="The boats are blue")
        assert near(book, "harbour boats") == expected(book, "harbour boats")


def test_a_batch_of_which_one_fails_at_the_store_leaves_the_cache_right(path: Path) -> None:
    with open_book(path, busy_seconds=0.05) as book, Companion(path) as other:
        book.remember("The harbour opens at dawn")
        other.ask("begin_writing")
        with pytest.raises(CommonplaceError):
            book.remember_many([book.draft("The boats are blue"), book.draft("The boats are red")])
        other.ask("end")
        other.ask("remember", text="The tide is low at noon")
        assert near(book, "harbour boats tide") == expected(book, "harbour boats tide")


def test_a_batch_is_near_itself_and_in_the_cache_once(path: Path) -> None:
    with open_book(path) as book:
        book.remember_many([book.draft(f"The boat number {n} is blue") for n in range(20)])
        book.update(3, Changes(text="The harbour opens at dawn"))
        assert near(book, "boat number") == expected(book, "boat number")


# -- against brute force ---------------------------------------------------------------------


def unit(values: NDArray[np.float32]) -> bytes:
    return (values / np.linalg.norm(values)).astype("<f2").tobytes()


SCOPES = ("user:a", "project:b", "team:c")
DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["put", "put", "put", "remove", "mark", "replace"]),
        st.integers(1, 60),
        st.sampled_from(SCOPES),
        st.booleans(),
        st.integers(0, 10_000),
    ),
    max_size=120,
)


STATUS = {True: "active", False: "archived"}


@given(deeds=DEEDS, asked=st.lists(st.sampled_from(SCOPES), min_size=1, unique=True), active_only=st.booleans())
def test_the_cache_finds_what_a_scan_of_everything_finds(
    deeds: list[tuple[str, int, str, bool, int]], asked: list[str], active_only: bool
) -> None:
    cache = VectorCache(DIMENSIONS)
    model: dict[int, tuple[str, bool, bytes]] = {}
    for deed, number, scope, active, seed in deeds:
        vector = unit(np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32))
        match deed:
            case "put" | "replace":
                cache.put_all([(number, scope, STATUS[active], vector)])
                model[number] = (scope, active, vector)
            case "remove":
                cache.remove(number)
                model.pop(number, None)
            case "mark":
                if number in model:
                    cache.put_all([(number, scope, STATUS[active], model[number][2])])
                if number in model:
                    model[number] = (scope, active, model[number][2])
    assert len(cache) == len(model)
    query = unit(np.random.default_rng(7).standard_normal(DIMENSIONS).astype(np.float32))
    found = cache.nearest(query, asked, ["active"] if active_only else [], 10)
    allowed = {n: v for n, (s, a, v) in model.items() if s in asked and (a or not active_only)}
    scores = {n: cosine(v, query) for n, v in allowed.items()}
    assert {n for n, _ in found} <= set(allowed)
    assert [round(score, 3) for _, score in found] == [round(s, 3) for s in sorted(scores.values(), reverse=True)[:10]]
    assert all(abs(scores[number] - score) < 1e-3 for number, score in found)
    close = cache.similarity(query, [*model, 999])
    assert set(close) == set(model)


def test_a_scope_named_twice_lets_no_other_scope_in() -> None:
    cache = VectorCache(DIMENSIONS)
    vector = unit(np.ones(DIMENSIONS, np.float32))
    cache.put_all([(1, "user:a", "active", vector), (2, "project:b", "active", vector)])
    assert [number for number, _ in cache.nearest(vector, ["user:a", "user:a"], ["active"], 10)] == [1]


def cosine(a: bytes, b: bytes) -> float:
    return float(np.frombuffer(a, "<f2").astype(np.float32) @ np.frombuffer(b, "<f2").astype(np.float32))


def clustered(chance: np.random.Generator, count: int, dimensions: int) -> NDArray[np.float32]:
    """Vectors as texts have them: in clusters of a few dozen."""
    centres = chance.standard_normal((count // 40, dimensions))
    near_centre = centres[chance.integers(len(centres), size=count)]
    vectors = near_centre + 0.6 * chance.standard_normal((count, dimensions))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_beyond_the_exact_limit_nine_in_ten_of_the_best_ten_are_found(scaled: Callable[[int, int], int]) -> None:
    chance = np.random.default_rng(3)
    count, dimensions = scaled(12_000, 100_000), 256
    assert count > vector_cache.EXACT_LIMIT
    vectors = clustered(chance, count, dimensions).astype("<f2")
    cache = VectorCache(dimensions)
    cache.put_all([(n, SCOPES[n % 3], "active", vectors[n].tobytes()) for n in range(count)])
    # Some come, go and change: what is left must be found as well.
    gone = {int(n) for n in chance.choice(count, count // 20, replace=False)}
    for number in gone:
        cache.remove(number)
    overlap = []
    exact = vectors.astype(np.float32)
    for number in chance.choice(count, 60, replace=False):
        noisy = exact[number] + 0.3 * chance.standard_normal(dimensions).astype(np.float32) / np.sqrt(dimensions)
        query = unit(noisy)
        scores = exact @ np.frombuffer(query, "<f2").astype(np.float32)
        wanted = [n for n in np.argsort(-scores) if n not in gone and n % 3 != 2][:10]
        found = [n for n, _ in cache.nearest(query, SCOPES[:2], ["active"], 10)]
        assert all(n % 3 != 2 and n not in gone for n in found)
        overlap.append(len({int(n) for n in wanted} & set(found)) / 10)
    assert sum(overlap) / len(overlap) >= 0.9


def test_a_random_life_of_two_processes_keeps_both_caches_right(path: Path, scaled: Callable[[int, int], int]) -> None:
    chance = random.Random(5)
    words = ("harbour", "boat", "tide", "gull", "lemon", "olive", "bread", "ink", "rope", "sail", "storm", "quay")
    with open_book(path) as book, Companion(path) as other:
        book.remember("harbour and boat")
        alive = [1]
        for _ in range(scaled(60, 1_000)):
            text = " ".join(chance.choices(words, k=5)) + f" {chance.randrange(10**6)}"
            number = chance.choice(alive)
            match chance.randrange(5):
                case 0 | 1 if len(alive) < 50:  # as many as a recall shows here
                    id = other.ask("remember", text=text) if chance.random() < 0.5 else book.remember(text).memory.id
                    alive.append(book.get(id).number)
                case 2:
                    other.ask("update", id=number, text=text)
                case 3:
                    book.update(number, Changes(text=text))
                case 4 if len(alive) > 3:
                    other.ask("purge", id=number)
                    alive.remove(number)
            assert near(book, "harbour storm") == expected(book, "harbour storm")
