"""What the sentences of Nuzo's document mean, beyond the shape of its answers; on both engines."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.config import load
from commonplace.dialect import perform
from commonplace.dialects.nuzo import DIALECT
from commonplace.dialects.nuzo.task import ENDS, PIECE_LENGTH, QUERY_LENGTH, concise, pieces
from commonplace.domain.scope import Principal
from commonplace.ports import Embedder, Store
from commonplace.wiring import assemble
from tests.conftest import ManualClock
from tests.contracts.requirements import requires

MODELS_VARIABLE = "COMMONPLACE_TEST_MODELS"
PACK = "arctic-s"
LOOKED_UP = 2 * ENDS * PIECE_LENGTH
MEMORIES = (
    "The user prefers SQLite for local-first prototypes.",
    "Commit messages are written in the imperative and name the ticket.",
    "The user's timezone is Europe/Berlin.",
    "Deploys run on Thursday after the smoke tests.",
    "Release notes are written by Jonas.",
    "The office cat is called Miso.",
    "Never force-push to main.",
    "Staging lives on fly.io in Frankfurt.",
)
PASTED = "The table below lists invoices of the last quarter, sorted by customer and by amount. " * 6

Opened = Callable[..., Book]


@pytest.fixture
def opened(either_store: Store, clock: ManualClock, project: Path) -> Opened:
    def open_as(embedder: Embedder | None = None) -> Book:
        return Book.over(either_store, Principal(), embedder, clock, DIALECT.door, project)

    return open_as


@pytest.fixture
def understanding(opened: Opened) -> Book:
    """A book that looks by meaning, with a few memories."""
    folder = Path(os.environ.get(MODELS_VARIABLE, ""))
    if not (folder / PACK / "model.onnx").is_file():
        pytest.skip(f"{MODELS_VARIABLE} does not name a folder with {PACK}: what a model does is NOT TESTED.")
    book = opened(assemble(load({"model": PACK, "models": str(folder)}), True).embedder)
    for text in MEMORIES:
        call(book, "memory.remember", content=text, kind="fact")
    return book


def call(book: Book, tool: str, /, **arguments: Any) -> Any:
    answer = perform(DIALECT, book, tool, arguments)
    assert not answer.failed, answer.body
    return answer.body


def found(book: Book, query: str) -> list[str]:
    return [each["content"] for each in call(book, "memory.recall", query=query)["results"]]


def hooked(book: Book, task: str) -> list[str]:
    return [each["content"] for each in call(book, "memory.recall_hook", task_context=task)["results"]]


@requires("nuzo.recall.relevant")
def test_recall_finds_what_is_relevant_and_nothing_else(understanding: Book) -> None:
    assert found(understanding, "how do I commit?") == [MEMORIES[1]]
    assert found(understanding, "weather in Paris") == []
    assert found(understanding, "How should I design local storage for this plugin?") == [MEMORIES[0]]
    assert found(understanding, "what time zone am I in?") == [MEMORIES[2]]


@requires("nuzo.hook.relevant")
def test_the_hook_recalls_what_helps_with_a_task_also_when_it_names_what_nobody_knows(understanding: Book) -> None:
    assert hooked(understanding, "Please add a flag to the Checkout service and write the release notes.") == [
        MEMORIES[4]
    ]
    assert hooked(understanding, "Write a sonnet about autumn leaves.") == []


@requires("nuzo.hook.whole_task", "nuzo.hook.relevant")
def test_a_long_task_is_not_about_everything(understanding: Book) -> None:
    tidying = "We are cleaning up the dashboard of the billing page. The helper functions can go, nothing uses them. "
    assert len(hooked(understanding, tidying * 6)) <= 2
    found = hooked(understanding, f"{tidying * 6}Now write the release notes.")
    assert found[0] == MEMORIES[4]
    assert len(found) <= 3


@requires("nuzo.hook.whole_task")
@pytest.mark.parametrize("task", [f"{PASTED}Now write the release notes.", f"Write the release notes. {PASTED}"])
def test_the_end_of_a_long_task_counts_as_much_as_its_beginning(understanding: Book, task: str) -> None:
    assert len(task) > QUERY_LENGTH
    answer = call(understanding, "memory.recall_hook", task_context=task)
    assert answer["results"][0]["content"] == MEMORIES[4]
    assert "release notes" in answer["query"]
    assert len(answer["query"]) <= QUERY_LENGTH


@requires("nuzo.hook.whole_task")
@pytest.mark.parametrize("size", [1, PIECE_LENGTH, PIECE_LENGTH + 1, LOOKED_UP, LOOKED_UP + 1, 1_000_000])
@pytest.mark.parametrize("letters", ["x", "word ", "One. ", " ", "é. ", ".  ! "])
def test_a_task_of_any_size_becomes_a_few_short_queries(letters: str, size: int) -> None:
    text = (letters * size)[:size]
    made = pieces(text)
    assert len(made) <= 4 * ENDS
    assert all(0 < len(piece) <= PIECE_LENGTH for piece in made)
    assert len(concise(text)) <= QUERY_LENGTH
    assert bool(made) == bool(text.strip()) == bool(concise(text))
    if len(text) <= LOOKED_UP:
        assert "".join(made).replace(" ", "") == text.replace(" ", ""), "nothing of it is lost"


@requires("nuzo.hook.waiting", "nuzo.hook.confirmed")
def test_the_hook_says_what_waits_and_how_it_is_confirmed(opened: Opened) -> None:
    book = opened()
    call(book, "memory.remember", content="The harbour opens at dawn", kind="fact")
    assert "warnings" not in call(book, "memory.recall_hook", task_context="Paint the harbour")
    exported = call(book, "memory.export")
    exported["memories"][0]["content"] = "The harbour is painted red"
    call(book, "memory.import", document=exported)
    answer = call(book, "memory.recall_hook", task_context="Paint the harbour")
    assert [each["content"] for each in answer["results"]] == ["The harbour opens at dawn"]
    (warning,) = answer["warnings"]
    (waiting,) = (each for each in call(book, "memory.list")["memories"] if each.get("unconfirmed"))
    assert "1 memory about this waits" in warning
    assert f"({waiting['id']})" in warning
    assert "commonplace review" in warning
    assert "painted" not in warning, "nobody asked for its words"
    assert "warnings" not in call(book, "memory.recall_hook", task_context="Feed the cat")


@requires("nuzo.history.tombstone")
def test_what_another_door_forgot_is_archived_and_not_deleted(opened: Opened) -> None:
    book = opened()
    id = call(book, "memory.remember", content="The harbour opens at dawn", kind="fact")["id"]
    book.forget(id, reason="not any more")
    *_, last = call(book, "memory.history", id=id)["events"]
    assert (last["event_type"], last["payload"]["reason"]) == ("memory.archived", "not any more")
    assert last["payload"]["action"] == "memory.forgotten"
    book.purge(id)
    assert call(book, "memory.history", id=id)["events"][-1]["event_type"] == "memory.deleted"


@requires("nuzo.history.reasons", "nuzo.history.deleted")
def test_the_reason_of_a_deletion_outlives_it_and_what_was_said_before_goes_along(opened: Opened) -> None:
    book = opened()
    id = call(book, "memory.remember", content="Anna lives in Bonn", kind="fact", tags=["anna"])["id"]
    call(book, "memory.forget", id=id, reason="Anna moved to Ulm")
    call(book, "memory.forget", id=id, mode="delete", confirm=True, reason="she asked for it")
    events = call(book, "memory.history", id=id)["events"]
    assert [each["event_type"] for each in events] == ["memory.created", "memory.archived", "memory.deleted"]
    assert [each["payload"].get("reason") for each in events] == [None, None, "she asked for it"]
    assert "anna" not in str(events).lower(), "why it was archived may say as much as the memory"
