"""A long text in pieces that are short enough to be about one thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.pieces import pieces


def test_pieces_end_where_sentences_do() -> None:
    text = "The cat sleeps. The dog barks all night! Does the parrot talk?"
    assert pieces(text, 30, 9) == ["The cat sleeps.", "The dog barks all night!", "Does the parrot talk?"]
    assert pieces("一只猫在睡觉。狗整夜都在叫！", 8, 9) == ["一只猫在睡觉。", "狗整夜都在叫！"]


def test_of_a_long_text_both_ends_are_told() -> None:
    told = pieces(" ".join(f"word{number}" for number in range(1_000)), 40, 2)
    assert len(told) == 4
    assert told[0].startswith("word0 ")
    assert told[-1].endswith("word999")


@pytest.mark.parametrize("letters", ["x", "é. ", "一", ".  ! "])
@given(size=st.integers(0, 2_000), length=st.integers(1, 200), ends=st.integers(1, 6))
def test_a_text_of_any_size_becomes_a_few_short_pieces(letters: str, size: int, length: int, ends: int) -> None:
    text = (letters * size)[:size]
    made = pieces(text, length, ends)
    assert all(0 < len(piece) <= length for piece in made)
    if len(text) <= 2 * ends * length:
        assert "".join(made).replace(" ", "") == text.replace(" ", ""), "nothing of it is lost"
