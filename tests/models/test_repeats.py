"""Near repeats with the real models: paraphrases are near, what differs in stance never, and nothing new is skipped."""

import json
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.engine.intake import NearPolicy, Remembered, Repeats, Verdict
from commonplace.models.local import LocalEmbedder
from commonplace.models.packs import DEFAULT_PACK, PACKS
from commonplace.store.postgres import PostgresStore
from tests.conftest import OpenBook
from tests.corpora import reversed_pairs
from tests.postgres import Server

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "corpora" / "near_repeats.jsonl").read_text(encoding="utf-8").splitlines()
]
SKIP = Repeats(near=NearPolicy.SKIP)


@pytest.fixture
def embedder(models: Path) -> LocalEmbedder:
    return LocalEmbedder(PACKS[DEFAULT_PACK], models)


def second(book: Book, place: int, a: str, b: str) -> Remembered:
    book.remember(a, scope=f"project:pair-{place}")
    return book.remember(b, scope=f"project:pair-{place}", repeats=SKIP)


def judged(book: Book, label: str) -> list[tuple[str, str, Remembered]]:
    pairs = [(each["a"], each["b"]) for each in PAIRS if each["label"] == label]
    return [(a, b, second(book, place, a, b)) for place, (a, b) in enumerate(pairs)]


def test_most_paraphrases_are_near_and_most_of_these_are_skipped(open_book: OpenBook, embedder: LocalEmbedder) -> None:
    results = [result for _, _, result in judged(open_book(embedder=embedder), "repeat")]
    assert sum(bool(result.near) for result in results) / len(results) >= 0.9
    assert sum(result.verdict is Verdict.SKIPPED for result in results) / len(results) >= 0.8


@pytest.mark.parametrize("by_meaning", [True, False])
def test_what_was_wanted_reversed_or_of_somebody_else_is_never_near(
    open_book: OpenBook, embedder: LocalEmbedder, by_meaning: bool
) -> None:
    book = open_book(embedder=embedder if by_meaning else None)
    assert [(a, b) for a, b, result in judged(book, "apart") if result.near or result.verdict is Verdict.SKIPPED] == []


@pytest.mark.parametrize("by_meaning", [True, False])
def test_what_says_more_is_stored_and_may_be_called_near(
    open_book: OpenBook, embedder: LocalEmbedder, by_meaning: bool
) -> None:
    book = open_book(embedder=embedder if by_meaning else None)
    results = judged(book, "more")
    assert [(a, b) for a, b, result in results if result.verdict is not Verdict.CREATED] == []
    if by_meaning:
        assert any(result.near for _, _, result in results)


def test_of_a_hundred_reversed_pairs_none_is_near_or_skipped(open_book: OpenBook, embedder: LocalEmbedder) -> None:
    book = open_book(embedder=embedder)
    results = [(a, b, second(book, place, a, b)) for place, (a, b) in enumerate(reversed_pairs.pairs())]
    assert [(a, b) for a, b, result in results if result.near or result.verdict is Verdict.SKIPPED] == []


def test_groups_obey_their_threshold_on_both_stores(
    open_book: OpenBook, postgres: Server, embedder: LocalEmbedder
) -> None:
    with Book.over(PostgresStore(postgres.address(postgres.new_database())), embedder=embedder) as served:
        for book in (open_book(embedder=embedder), served):
            for text in (
                "My mother lives in Portland.",
                "My mom has her home in Portland.",
                "We deploy every Thursday.",
                "Deploys happen on Thursdays.",
                "We used to deploy every Thursday.",
                "The staging database is called hermes.",
                "the staging database is named Hermes!",
                "The canteen is on the ground floor.",
                "The staging database is called hermes and its backups go to a bucket.",
            ):
                book.remember(text, repeats=Repeats(near=NearPolicy.IGNORE))
            found = {least: book.near_groups(least)[0] for least in (0.5, 0.7, 0.92, 0.97, 1.0)}
            assert all(group.similarity >= least for least, groups in found.items() for group in groups)
            together = [{tuple(each.number for each in group.memories) for group in found[least]} for least in found]
            assert together[2] == {(1, 2), (3, 4), (6, 7, 9)}
            assert together[3] == {(1, 2), (6, 7)}
            assert together[4] == set()
            pairs = [sum(group.pairs for group in groups) for groups in found.values()]
            assert pairs == sorted(pairs, reverse=True)
            assert pairs[0] > pairs[3] > pairs[4]
