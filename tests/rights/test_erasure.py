"""A purge reaches everything that says it, and a restored back-up brings neither it nor a revoked token back."""

import ast
import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.domain.query import Filter
from commonplace.domain.scope import Principal, Scope
from commonplace.engine.lifecycle import Changes
from commonplace.engine.operations import UNDOABLE
from commonplace.errors import Denied
from commonplace.maintenance.erasure import REACHES, without
from commonplace.sessions.transcripts import Speaker, Turn
from tests.conftest import OpenBook
from tests.hashing import HashingEmbedder
from tests.test_architecture import modules, tree

SENTENCE = "The harbour opens with quetzalcoatlus every morning"
CANARY = b"quetzalcoatlus"

SHELVES = {
    "contribution": "belongings",
    "evidence": "belongings",
    "snapshot_line": "belongings",
    "waiting_pin": "belongings",
    "insight": "quotations",
    "correction": "quotations",
    "turn": "turns",
    "session": "digests",
    "learning": "learnings",
    "operation": "operations",
    "operation_part": "operations",
}
"""Shelves that may say what a memory says, and what of a purge reaches them."""
SILENT = {
    "chunks",
    "decision",
    "documents",
    "dream",
    "hourly",
    "lease",
    "member",
    "preview",
    "project",
    "snapshot",
    "team",
    "unfinished_session",
}
"""Shelves that hold no memory's words, or that a purge leaves alone by decision, as documents and decisions."""


def said_in(folder: Path) -> list[str]:
    return [file.name for file in folder.rglob("*") if file.is_file() and CANARY in file.read_bytes().lower()]


def shelves_in_use() -> set[str]:
    """Every shelf that something is put on, found in the source, so that a new one is asked for."""
    found: set[str] = set()
    for module in modules():
        named = vars(importlib.import_module(module)) if "Entry(" in modules()[module].read_text("utf-8") else {}
        for node in ast.walk(tree(module)) if named else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Entry" and node.args:
                match node.args[0]:
                    case ast.Constant(value=str(shelf)):
                        found.add(shelf)
                    case ast.Name(id=name) if isinstance(named.get(name), str):
                        found.add(named[name])
    return found


def test_every_shelf_that_can_say_it_is_reached() -> None:
    assert shelves_in_use() == SHELVES.keys() | SILENT
    assert set(SHELVES.values()) <= REACHES.keys()
    assert set(UNDOABLE) <= SHELVES.keys() | {"decision"}


def test_many_turns_earlier_words_and_other_scopes_are_reached(tmp_path: Path, open_book: OpenBook) -> None:
    book = open_book()
    project = Scope.parse("project:harbour")
    turns = [Turn(Speaker.USER, f"{SENTENCE}. Number {number}.") for number in range(260)]
    book.sessions.save(turns, book.scope())
    book.sessions.save([Turn(Speaker.USER, f"Elsewhere too: {SENTENCE}!")], project)
    memory = book.remember(SENTENCE).memory
    book.update(memory, Changes(text="The harbour opens late"))
    book.update(memory, Changes(scope=project))
    book.corrections.log(f"No: {SENTENCE}", memories=[memory])
    assert book.purge(memory).erasure.complete
    for other in list(book.each(Filter((book.scope(), project)))):
        if CANARY in other.text.lower().encode():
            book.purge(other)
    book.close()
    assert said_in(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "phrase", "left"),
    [
        ("I said: the cat sat. Yes.", "The cat sat", "I said: . Yes."),
        ("a party for art", "art", "a party for"),
        ("好的我住在柏林了", "我住在柏林", "好的了"),
        ("The  cat\n sat here", "the cat sat", "here"),
        ("nothing of it", "the cat", "nothing of it"),
    ],
)
def test_a_phrase_is_taken_out_whatever_its_case_and_blanks(text: str, phrase: str, left: str) -> None:
    assert without(text, phrase) == left


def test_a_restored_back_up_brings_back_nothing_that_was_taken_away(tmp_path: Path, open_book: OpenBook) -> None:
    tenants: list[Callable[[], Book]] = [
        lambda tenant=tenant: open_book(principal=Principal(tenant, "ada")) for tenant in ("local", "acme", "umbrella")
    ]  # type: ignore[misc]
    operator = open_book()
    issued = operator.access.create(Principal("acme", "ada", ()), "laptop")
    memories = []
    for made in tenants:
        book = made()
        memories.append((book, book.remember(SENTENCE).memory))
        book.sessions.save([Turn(Speaker.USER, f"{SENTENCE}, I say.")], book.scope())
    copy = tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    operator.care.backup(str(copy))
    for book, memory in memories:
        book.purge(memory)
        for other in list(book.each()):
            book.purge(other)
    operator.access.revoke(issued.token.id)
    later = operator.access.create(Principal("acme", "eve", ()), "later")
    assert operator.care.restore(str(copy)).purged_again >= len(memories)
    for book, memory in memories:
        assert book.list().total == 0
        assert book.history(memory.id)
    with pytest.raises(Denied):
        operator.access.verify(issued.secret)
    assert operator.access.verify(later.secret).principal.user == "eve"
    for book, _ in memories:
        book.close()
    copy.unlink()
    assert said_in(tmp_path) == []


def test_a_back_up_from_before_the_first_token_does_not_open_the_door(tmp_path: Path, open_book: OpenBook) -> None:
    book = open_book()
    book.remember("Ships are grey")
    book.care.backup(str(tmp_path / "copy.db"))
    book.access.create(Principal(user="ada", teams=()), "laptop")
    book.care.restore(str(tmp_path / "copy.db"))
    assert book.access.exist()


def test_earlier_states_are_shown_only_to_who_could_see_them(open_book: OpenBook) -> None:
    ada, bob = (open_book(principal=Principal(user=user, teams=())) for user in ("ada", "bob"))
    memory = ada.remember("Bob will be let go in March").memory
    moved = ada.update(memory, Changes(text="Reviews are in March", scope=Scope.parse("project:x")))
    assert [revision.memory.text for revision in bob.revisions(moved)] == ["Reviews are in March"]
    assert len(ada.revisions(moved)) == 2


def test_the_vectors_of_what_was_removed_are_gone_from_the_file(tmp_path: Path, open_book: OpenBook) -> None:
    embedder = HashingEmbedder()
    book = open_book(embedder=embedder)
    turn, note = "Is it so that the harbour was loud last night?", f"{SENTENCE} says the note."
    learnt = Turn(Speaker.USER, f"{SENTENCE}, I decided, remember that.")  # which stays when its conversation goes
    saved = book.sessions.save([Turn(Speaker.USER, turn), learnt], book.scope())
    added = book.documents.add_text("notes.md", note)
    decision = book.decisions.create(book.scope(), Proposal(*[f"{SENTENCE} {name}" for name in "abcde"], area="ops"))
    book.care.reembed()
    vectors = embedder.embed([turn, note, decision.text])
    book.close()
    assert [vector in (tmp_path / "book.db").read_bytes() for vector in vectors] == [True] * 3
    again = open_book(embedder=embedder)
    assert saved.session is not None
    again.documents.remove(added.touched[0])
    again.sessions.remove(saved.session.id)
    assert again.decisions.remove(again.scope(), decision.id).complete
    again.close()
    assert [vector in (tmp_path / "book.db").read_bytes() for vector in vectors] == [False] * 3
