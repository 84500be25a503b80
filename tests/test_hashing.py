"""The embedder without a model."""

import struct
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from commonplace.ports import Embedder, Vector
from tests.hashing import HashingEmbedder


def _numbers(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 2}e", vector)


def _cosine(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(_numbers(a), _numbers(b), strict=True))


def test_it_is_an_embedder_of_its_own_space() -> None:
    embedder: Embedder = HashingEmbedder()
    assert embedder.space.model == "hashing"
    assert embedder.space.dimensions == 64
    assert not embedder.uses_network


def test_texts_that_share_words_are_more_similar_than_texts_that_do_not() -> None:
    embedder = HashingEmbedder()
    text, sharing, other = embedder.embed(
        ["The car is parked in the garage", "In which garage is the car?", "Quarterly figures were published on Monday"]
    )
    assert _cosine(text, sharing) > _cosine(text, other) + 0.2


def test_inflected_words_still_meet() -> None:
    embedder = HashingEmbedder(dimensions=256)
    singular, plural, other = embedder.embed(["deployment", "deployments", "vegetarian"])
    assert _cosine(singular, plural) > _cosine(singular, other) + 0.2


def test_case_and_punctuation_do_not_matter() -> None:
    embedder = HashingEmbedder()
    assert embedder.embed(["Hello, World!"]) == embedder.embed(["hello world"])


def test_a_question_is_embedded_like_a_text() -> None:
    embedder = HashingEmbedder()
    assert [embedder.embed_query("where is it?")] == embedder.embed(["where is it?"])


def test_vectors_do_not_depend_on_the_process() -> None:
    code = "from tests.hashing import HashingEmbedder as H; print(H().embed(['the same'])[0].hex())"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert runs == {HashingEmbedder().embed(["the same"])[0].hex()}


def test_no_texts_give_no_vectors() -> None:
    assert HashingEmbedder().embed([]) == []


@given(st.text(), st.integers(min_value=1, max_value=300))
def test_every_text_has_a_unit_vector(text: str, dimensions: int) -> None:
    (vector,) = HashingEmbedder(dimensions).embed([text])
    assert len(vector) == 2 * dimensions
    assert abs(_cosine(vector, vector) - 1) < 0.01
