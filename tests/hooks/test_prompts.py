"""What a model's look at a prompt brings: of the things of a task what helps, of other things next to nothing."""

import json
import os
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.domain.memory import Origin
from commonplace.domain.query import Mode
from commonplace.engine.caller import Door
from commonplace.hooks.at_prompt import MOST, for_prompt
from commonplace.hooks.private import Private

CORPORA = Path(__file__).parents[1] / "corpora"
PACK = "arctic-s"
TIDYING = "We are cleaning up the dashboard of the billing page. The helper functions can go, nothing uses them. "


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    """The natural book, numbered as its questions name the memories."""
    folder = os.environ.get("COMMONPLACE_TEST_MODELS", "")
    if not (Path(folder) / PACK / "model.onnx").is_file():
        pytest.skip(f"COMMONPLACE_TEST_MODELS does not name a folder with {PACK}: what a model does is NOT TESTED.")
    monkeypatch.setenv("COMMONPLACE_MODELS", folder)
    book = Book.open(tmp_path / "book.db", model=PACK, door=Door("cli", Origin.TYPED, "cli"))
    line = json.loads((CORPORA / "natural_books.jsonl").read_text("utf-8").splitlines()[0])
    book.remember_many([book.draft(each["text"]) for each in line["memories"]])
    return book


def brought(book: Book, prompt: str) -> list[int]:
    pieces = for_prompt(book, prompt, Private(), frozenset(), Mode.AUTO).pieces
    return [book.get(piece.id).number for piece in pieces]


def test_tasks_bring_what_helps_and_other_things_seldom_bring_anything(book: Book) -> None:
    rows = [json.loads(line) for line in (CORPORA / "prompts_own.jsonl").read_text("utf-8").splitlines()]
    found = [(set(row["right"]), brought(book, row["q"])) for row in rows]
    helped = [bool(right.intersection(numbers)) for right, numbers in found if right]
    idle = [len(numbers) for right, numbers in found if not right]
    assert sum(helped) >= 0.55 * len(helped)
    assert sum(idle) <= 0.4 * len(idle)
    assert max(len(numbers) for _, numbers in found) <= MOST


def test_a_question_is_heard_at_the_end_of_a_long_prompt_and_its_beginning_does_not_drown_it(book: Book) -> None:
    assert brought(book, f"{TIDYING * 6}Which port does the Larkspur API use in development?")[0] == 17
    assert len(brought(book, TIDYING * 6)) <= 2
