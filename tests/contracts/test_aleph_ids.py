"""One id for one memory, whichever of Aleph's tools and methods speaks of it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.book.book import Book
from commonplace.dialect import Dialect, perform
from commonplace.dialects.aleph import DIALECT
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.corrections import Severity
from commonplace.store.sqlite import SqliteStore
from tests.contracts.requirements import requires
from tests.contracts.test_aleph_tools import TALK
from tests.hashing import HashingEmbedder

ID = re.compile(r"\b(?:mem|cur|ctx)_[0-9A-Z]{26}\b")
MENTION_NONE = {
    "session_search",
    "memory_status",
    "memory.clear",
    "memory.stats",
    "memory.compress",
    "dreaming.run_now",
}


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    with Book.over(SqliteStore(tmp_path / "book.db"), embedder=HashingEmbedder()) as book:
        yield book


def ask(book: Book, dialect: Dialect, name: str, **given: Any) -> Any:
    answer = perform(dialect, book.through(dialect.door), name, given)
    assert not answer.failed, answer.body
    return answer.body


def told(book: Book) -> dict[str, list[Any]]:
    """Every tool and method once or more often, on pinned memories and others; what each of them answers."""
    answers: dict[str, list[Any]] = {}

    def note(dialect: Dialect, name: str, **given: Any) -> Any:
        body = ask(book, dialect, name, **given)
        answers.setdefault(name, []).append(body)
        return body

    note(DIALECT, "remember", content="The harbour opens at 6:00", priority=8)
    note(METHODS, "memory.store", content="The harbour opens at 9:00")
    note(METHODS, "memory.store", content="The harbour opens at 6:00")  # which is pinned already
    book.corrections.log("The harbour is never open on Sunday", severity=Severity.HIGH, memories=[1])
    note(METHODS, "dreaming.run_now")
    (correction,) = book.corrections.list()
    book.update(correction.results[0], pinned=True)
    for mode in ("tools", "context", "hybrid"):
        note(DIALECT, "memory_search", query="when the harbour opens", mode=mode)
    for depth in ("brief", "standard", "comprehensive"):
        note(DIALECT, "memory_reflect", query="when the harbour opens", depth=depth)
    for name in ("memory.search", "memory.retrieve_with_trace"):
        note(METHODS, name, query="when the harbour opens")
    for name in (
        "memory.list_corrections",
        "dreaming.list_insights",
        "memory.stats",
        "memory.compress",
        "memory.curate",
    ):
        note(METHODS, name)
    note(DIALECT, "memory_status")
    book.sessions.save(TALK, book.scope())
    note(DIALECT, "session_search", query="OAuth")
    note(DIALECT, "forget", query="when the harbour opens")
    note(DIALECT, "forget", query=book.get(1).id, confirm=True)  # what was shown may be named in any spelling
    note(DIALECT, "remember", content="The harbour opens at 6:00")  # forgotten before
    note(METHODS, "memory.delete", id=correction.results[0])
    note(METHODS, "memory.log_correction", content="The harbour opens at 7:00", memory_ids=[book.get(2).id])
    note(METHODS, "memory.clear", confirm=True)
    return answers


@requires("aleph.ids")
def test_one_id_for_one_memory_in_every_answer(book: Book) -> None:
    answers = told(book)
    assert set(answers) == {tool.name for dialect in (DIALECT, METHODS) for tool in dialect.tools}
    names: dict[str, set[str]] = {}
    for tool, bodies in answers.items():
        mentioned = set(ID.findall(json.dumps(bodies)))
        assert bool(mentioned) is (tool not in MENTION_NONE), tool
        for id in mentioned:
            memory = book.get(id)
            assert id.startswith("cur_" if memory.pinned else "mem_"), (tool, memory.text)
            names.setdefault(memory.id, set()).add(id)
    assert {len(spellings) for spellings in names.values()} == {1}
    assert {book.get(id).pinned for id in names} == {True, False}


@requires("aleph.ids")
def test_the_same_fact_is_the_same_entry_of_a_search_a_reflection_and_a_trace(book: Book) -> None:
    ask(book, DIALECT, "remember", content="The harbour opens at six")
    ask(book, METHODS, "memory.store", content="The harbour has a crane")
    asked = {"query": "the harbour"}
    found = [fact["id"] for fact in ask(book, DIALECT, "memory_search", **asked)["facts"]]
    assert sorted(id[:4] for id in found) == ["cur_", "mem_"]
    reflected = ask(book, DIALECT, "memory_reflect", **asked)
    assert [source["id"] for source in reflected["sources"]] == found
    assert {id for sentence in reflected["sentences"] for id in sentence["sources"]} == set(found)
    assert all(source["path"].endswith(source["id"]) for source in reflected["sources"])
    assert all(id in reflected["answer"] for id in found)
    traced = ask(book, METHODS, "memory.retrieve_with_trace", **asked)
    assert [result["id"] for result in traced["results"]] == found
    for stage in traced["trace"][1:]:
        assert {score["id"] for score in stage["scores"]} == set(found)


@requires("aleph.ids")
@pytest.mark.parametrize("spelling", ["mem_", "cur_", "ctx_", ""])
def test_every_spelling_is_taken(book: Book, spelling: str) -> None:
    made = ask(book, DIALECT, "remember", content="The harbour opens at six")["id"]
    tail = made.removeprefix("cur_")
    ask(book, METHODS, "memory.store", content=f"A note about {tail}")  # which a description would find
    for named in (f"{spelling}{tail}", f" {spelling}{tail.lower()}", "#1"):
        shown = ask(book, DIALECT, "forget", query=named)
        assert [each["id"] for each in shown["candidates"]] == [made]
    described = ask(book, METHODS, "memory.store", content="1")["id"]
    assert described in [each["id"] for each in ask(book, DIALECT, "forget", query="1")["candidates"]]
    assert ask(book, METHODS, "memory.delete", id=f"{spelling}{tail}") == {"ok": True, "id": made}


@requires("aleph.rpc.trace.fusion")
def test_the_fusion_is_the_plain_sum_over_the_places_it_shows(book: Book) -> None:
    for words in ("harbour crane", "harbour", "harbour opens early", "crane", "a boat in the harbour", "tide"):
        ask(book, METHODS, "memory.store", content=f"The {words}")
    traced = ask(book, METHODS, "memory.retrieve_with_trace", query="harbour crane opens")
    stages = {stage["stage"]: stage["scores"] for stage in traced["trace"]}
    fusion = stages["rrf_fusion"]
    for score in fusion:
        places = score["places"]
        assert set(places) == {"bm25", "vector"}
        assert score["score"] == pytest.approx(sum(1 / (60 + place) for place in places.values() if place), abs=1e-12)
        assert score["normalised"] == pytest.approx(score["score"] * 61 / 2, abs=1e-4)
    assert [score["score"] for score in fusion] == sorted((score["score"] for score in fusion), reverse=True)
    for listed in ("bm25", "vector"):
        places = {score["id"]: score["places"][listed] for score in fusion if score["places"][listed]}
        values = {score["id"]: score[listed] for score in stages["bm25_vector_scores"]}
        assert sorted(places.values()) == list(range(1, len(places) + 1))
        best_first = sorted(places, key=lambda id: places[id])
        assert [values[id] for id in best_first] == sorted((values[id] for id in best_first), reverse=True)
    assert {score["places"]["bm25"] is None for score in fusion} == {True, False}
    scores = {score["id"]: score["normalised"] for score in fusion}
    assert all(result["score"] == scores[result["id"]] for result in traced["results"])
