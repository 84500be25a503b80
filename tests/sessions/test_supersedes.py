"""In talks that strangers wrote, the later word stands and the earlier does not, saved at once or as they grow."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.domain.memory import Memory, Status
from commonplace.sessions.last_word import Stated, replaced
from commonplace.sessions.transcripts import Speaker, Turn
from commonplace.text import content_terms
from tests.conftest import OpenBook
from tests.test_architecture import ROOT

CORPORA = ROOT / "tests" / "corpora"
SAME = 0.6  # of the telling words of the shorter one
LEARNT_AT_LEAST = 9  # of eleven pairs: the newer statement has to be learnt to stand


def read(name: str) -> list[Any]:
    return [json.loads(line) for line in (CORPORA / name).read_text("utf-8").splitlines()]


PAIRS = {extra["id"]: extra["supersedes_keep"] for extra in read("talks_dev.extra.jsonl")}
TALKS = [(talk, PAIRS[talk["id"]]) for talk in read("talks_dev.jsonl")]


def turns_of(talk: Any) -> list[Turn]:
    return [Turn(Speaker(turn["role"]), turn["text"]) for turn in talk["turns"]]


def like(memory: Memory, quote: str) -> bool:
    said, wanted = set(content_terms(memory.text)), set(content_terms(quote))
    return bool(said and wanted) and len(said & wanted) >= SAME * min(len(said), len(wanted))


def saved(book: Book, turns: list[Turn], step: int) -> list[Memory]:
    """All that was ever learnt from a talk that is saved every so many turns, as it is in the end."""
    ids: dict[str, None] = {}
    for end in (*range(step, len(turns), step), len(turns)):
        result = book.sessions.save(turns[:end], book.scope(), key="talk")
        ids |= dict.fromkeys(each.memory.id for each in result.learnt)
    return [book.get(id) for id in ids]


def outcomes(open_book: OpenBook, step: int) -> Iterator[tuple[str, list[Memory], list[Memory]]]:
    for talk, pairs in TALKS:
        learnt = saved(open_book(f"{talk['id']}-{step}.db"), turns_of(talk), step)
        standing = [memory for memory in learnt if memory.status is Status.ACTIVE]
        for old, new in pairs:
            before, after = talk["keep"][old], talk["keep"][new]
            newer = [memory for memory in standing if like(memory, after["quote"])]
            older = [memory for memory in standing if like(memory, before["quote"]) and memory not in newer]
            yield f"{talk['id']}: {before['quote']}", newer, older


@pytest.mark.parametrize("step", [1_000, 2], ids=["at once", "as it grows"])
def test_the_newer_statement_stands_and_the_older_does_not(open_book: OpenBook, step: int) -> None:
    found = list(outcomes(open_book, step))
    assert [name for name, newer, older in found if newer and older] == []
    assert sum(bool(newer) for _, newer, _ in found) >= LEARNT_AT_LEAST


def test_things_that_have_nothing_to_do_with_each_other_are_left_alone() -> None:
    """Statements of many strangers, as if one had said them all: none of them is the last word on another."""
    said = [kept["statement"] for turn in read("learn_dev.jsonl") for kept in turn["keep"]]
    assert len(said) > 90
    assert replaced([Stated(text, 10 * number) for number, text in enumerate(said)]) == {}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The release is on 4 March.", "The release moved to 11 March."),
        ("We pay 18k for the stand.", "it's 15k now, not 18"),
        ("Der Port ist 3128.", "Der Port ist seit Montag 8080, nicht mehr 3128."),
        ("El servidor es Debian 11.", "Perdona, es Debian 12."),
        ("我们玩八天。", "最多六天，八天太长了。"),
        ("We must support android 8 and up.", "minimum is android 7 then"),
    ],
)
def test_few_words_are_enough_for_the_last_one(older: str, newer: str) -> None:
    between = Stated("The crane is painted blue.", 2)
    assert replaced([Stated(older, 0), between, Stated(newer, 4)]) == {0: 2}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Our staging box is called heron and runs Debian 12.", "It moved: staging runs on osprey now, heron is gone."),
        ("The owner of billing is Lena.", "Marta owns billing, not Lena."),
        ("Lena from the data team will own the migration.", "Actually Pavel will own the migration."),
    ],
)
def test_a_correction_in_so_many_words_needs_less_in_common(older: str, newer: str) -> None:
    between = Stated("The crane is painted blue.", 2)
    assert replaced([Stated(older, 0), between, Stated(newer, 4, corrects=True)]) == {0: 2}
    assert replaced([Stated(older, 0), between, Stated("The crane needs paint.", 4, corrects=True)]) == {}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The release is on 4 March.", "The retrospective is on 11 March."),
        ("Backups are kept for 30 days.", "Logs are kept for 90 days."),
        ("Ada prefers tabs.", "Bob prefers spaces."),
    ],
)
def test_two_things_that_can_live_together_do(first: str, second: str) -> None:
    assert replaced([Stated(first, 0), Stated(second, 2)]) == {}
