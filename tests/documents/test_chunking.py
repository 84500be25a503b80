"""Documents become chunks: all of the text, in order, cut where the text itself says so."""

import io
import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.documents.chunking import CHUNK_LENGTH_LIMIT, TARGET_LENGTH, Piece, chunk_id, is_markdown, pieces

WORDS = "deploys happen on monday when the release train leaves heron and nobody is away for lunch".split()


def cut(text: str, markdown: bool = True) -> list[Piece]:
    return list(pieces(io.StringIO(text), markdown))


def prose(paragraphs: int, seed: int = 1) -> list[str]:
    """Paragraphs of 100 to 700 characters, each unlike the others."""
    chance = random.Random(seed)
    return [f"{place} " + " ".join(chance.choices(WORDS, k=chance.randint(20, 120))) for place in range(paragraphs)]


lines = st.one_of(
    st.sampled_from(
        [
            "",
            "   ",
            "# One",
            "## Two",
            "###",
            "# Closed #",
            "===",
            "---",
            "```",
            "~~~ python",
            "    code",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "word " * 700,
            "x" * 9_000,
            " " * 5_000,
            "日本語の文" * 300,
        ]
    ),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00\r\n"), max_size=200),
)
texts = st.lists(lines, max_size=40).map("\n".join)


@given(texts, st.booleans())
def test_nothing_of_a_document_is_lost_and_its_order_is_kept(text: str, markdown: bool) -> None:
    found = cut(text, markdown)
    assert "".join("".join(piece.content for piece in found).split()) == "".join(text.split())


@given(texts, st.booleans())
def test_a_chunk_is_never_longer_than_the_limit_nor_empty(text: str, markdown: bool) -> None:
    assert all(0 < len(piece.content) <= CHUNK_LENGTH_LIMIT and piece.content.strip() for piece in cut(text, markdown))


@given(texts, st.booleans())
def test_a_chunk_says_what_stands_on_its_lines(text: str, markdown: bool) -> None:
    written = text.split("\n")
    for piece in cut(text, markdown):
        standing = "\n".join(written[piece.line_start - 1 : piece.line_end])
        assert piece.content in standing
        assert written[piece.line_end - 1].strip()


@given(texts, st.booleans())
def test_chunks_follow_each_other_by_line(text: str, markdown: bool) -> None:
    found = cut(text, markdown)
    assert all(first.line_end <= second.line_start for first, second in itertools.pairwise(found))


def test_markdown_is_cut_at_its_headings_and_knows_those_above() -> None:
    text = (
        "Before.\n\n# Guide\n\n## Deploys ##\n\nOn Monday.\n\n### Who\nAda.\n\n## Lunch\n\nAt noon.\n\nEnd\n===\nBye.\n"
    )
    assert [(piece.title, piece.content, piece.line_start, piece.line_end) for piece in cut(text)] == [
        ((), "Before.", 1, 1),
        (("Guide", "Deploys"), "# Guide\n\n## Deploys ##\n\nOn Monday.", 3, 7),
        (("Guide", "Deploys", "Who"), "### Who\nAda.", 9, 10),
        (("Guide", "Lunch"), "## Lunch\n\nAt noon.", 12, 14),
        (("End",), "End\n===\nBye.", 16, 18),
    ]


@pytest.mark.parametrize("line", ["#hashtag", "####### seven", "    # in code", "text # not at the start"])
def test_what_only_looks_like_a_heading_is_none(line: str) -> None:
    assert [piece.title for piece in cut(f"{line}\n")] == [()]


def test_plain_text_has_no_headings() -> None:
    (piece,) = cut("# a comment\n\nx = 1\n", markdown=False)
    assert (piece.title, piece.content) == ((), "# a comment\n\nx = 1")


def test_a_code_fence_is_kept_whole_with_its_blank_lines_and_hashes() -> None:
    fence = "```python\n" + "".join(f"# step {place}\n\nrun({place})\n" for place in range(100)) + "```"
    assert TARGET_LENGTH < len(fence) < CHUNK_LENGTH_LIMIT
    text = f"# Guide\n\n{prose(1)[0]}\n\n{fence}\n\nAfter.\n"
    assert any(fence in piece.content for piece in cut(text))
    assert {piece.title for piece in cut(text)} == {("Guide",)}


def test_a_fence_that_never_ends_is_still_cut() -> None:
    found = cut("```\n" + "line of code\n" * 2_000)
    assert len(found) > 5


def test_a_shorter_fence_does_not_end_a_longer_one() -> None:
    (piece,) = cut("````\n```\n# no heading\n````\n")
    assert piece.title == ()


def test_a_key_is_kept_whole_so_that_it_is_seen_as_one() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(["A" * 64] * 50) + "\n-----END RSA PRIVATE KEY-----"
    assert any(key in piece.content for piece in cut("\n\n".join([*prose(5), key, *prose(5)])))


@pytest.mark.parametrize("markdown", [True, False])
def test_chunks_are_about_as_long_as_they_should_be(markdown: bool) -> None:
    lengths = [len(piece.content) for piece in cut("\n\n".join(prose(400)), markdown)]
    assert TARGET_LENGTH * 0.7 < sum(lengths) / len(lengths) < TARGET_LENGTH * 1.3


@pytest.mark.parametrize("place", [0, 1, 57, 199])
@pytest.mark.parametrize("new", ["", "A paragraph that is new.", "Long and new. " * 60])
@pytest.mark.parametrize("separator", ["\n\n", "\n"])
def test_an_edit_changes_only_the_chunks_around_it(place: int, new: str, separator: str) -> None:
    before = prose(200)
    after = [*before[:place], *filter(None, [new]), *before[place + 1 :]]
    old = {piece.content for piece in cut(separator.join(before), markdown=False)}
    fresh = {piece.content for piece in cut(separator.join(after), markdown=False)}
    assert len(old) > 60
    assert len(fresh - old) <= 6


def test_lines_that_shift_change_no_chunk() -> None:
    text = "# One\n\nDeploys.\n\n# Two\n\nLunch.\n"
    shifted = cut("\n\n\n" + text)
    assert [piece.content for piece in shifted] == [piece.content for piece in cut(text)]
    assert [piece.line_start for piece in shifted] == [4, 8]


def test_an_id_is_of_the_document_the_content_and_the_repeat() -> None:
    ids = [chunk_id(*each) for each in (("a", "x", 0), ("b", "x", 0), ("a", "y", 0), ("a", "x", 1))]
    assert len(set(ids)) == 4
    assert ids[0] == chunk_id("a", "x", 0)
    assert all(len(id) == len("chunk_") + 16 for id in ids)


@pytest.mark.parametrize(("name", "is_one"), [("a.md", True), ("A.MD", True), ("x/y.markdown", True), ("md", False)])
def test_markdown_is_known_by_its_name(name: str, is_one: bool) -> None:
    assert is_markdown(name) is is_one
