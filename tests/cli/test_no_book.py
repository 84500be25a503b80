"""A book that is not there is not an empty book: whatever needs one says so, and makes none."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.book.book import Book
from commonplace.cli import build_parser
from commonplace.errors import BookMissing
from commonplace.store.postgres import PostgresStore
from tests.cli.conftest import Call
from tests.postgres import Server
from tests.security.every_command import SAMPLES, Words, leaves

BRINGS_SOMETHING: dict[Words, tuple[str, ...]] = {
    ("remember",): ("Lunch is at noon",),
    ("correct",): ("Lunch is not at noon",),
    ("import",): ("memories.jsonl",),
    ("session", "save"): ("talk.txt",),
    ("docs", "add"): ("README.md",),
    ("decision", "create"): (
        "Tabs",
        *"--owner ada --area style --context c --decision d --rationale r --impact low".split(),
    ),
    ("team", "create"): ("core",),
    ("token", "create"): ("--user", "ada"),
    ("restore-backup",): ("copy.db", "--yes"),
}
NEEDS_NONE = {
    *("config", "models", "mcp", "serve", "web", "rpc", "memory", "demo", "completion", "setup", "help", "status"),
    *("hook", "injected", "pause", "catch-up"),
}
"""Settings, models and help come before a book, and status says that there is none; servers and other contracts begin
with an empty one; hooks have a state."""


def required(parser: argparse.ArgumentParser) -> list[str]:
    """What a command cannot do without."""
    given = [
        [*action.option_strings[:1], SAMPLES.get(action.dest, str(next(iter(action.choices or ["12"]))))]
        for action in parser._actions
        if action.required or action.nargs == "+"
    ]
    return [word for each in given for word in each]


def asked(nowhere: Path, other: Path) -> Iterator[list[str]]:
    """A call of every other command, of a book that is not there."""
    answered = {
        ("purge",): ["--yes"],
        ("reset",): ["--yes"],
        ("supersede",): ["13"],
        ("update",): ["--text", "x"],
        ("team", "resolve"): ["--keep", "1", "--drop", "2"],
    }
    for words, parser in leaves(build_parser()):
        if words == ("migrate",):
            yield ["migrate", str(nowhere), str(other)]
        elif words[0] not in NEEDS_NONE and words not in BRINGS_SOMETHING:
            yield [*words, *required(parser), *answered.get(words, []), "--store", str(nowhere)]
    yield ["dream", "--plan", "--store", str(nowhere)]


def test_whatever_needs_a_book_says_that_there_is_none_and_makes_no_folder(cli: Call, tmp_path: Path) -> None:
    store, other = tmp_path / "mistyped" / "book.db", tmp_path / "elsewhere.db"
    said = {}
    for words in asked(store, other):
        answer = cli(*words, "--json")
        if answer.code != 1 or answer.json["error"]["code"] != "book_missing":
            said[" ".join(words)] = answer
    assert said == {}
    assert f"There is no book at {store} yet" in answer.err
    assert "commonplace remember" in answer.err
    assert not store.parent.exists()
    assert not other.exists()


def test_what_brings_something_makes_the_book(cli: Call, tmp_path: Path, project: Path) -> None:
    for name in ("README.md", "talk.txt"):
        (project / name).write_text("User: We decided that deploys are on Monday.\n")
    cli("remember", "Deploys are on Monday").ok()
    cli("export", "--path", "memories.jsonl").ok()
    cli("backup", "copy.db").ok()
    for number, (words, more) in enumerate(BRINGS_SOMETHING.items()):
        store = tmp_path / f"new-{number}" / "book.db"
        cli(*words, *more, "--store", str(store)).ok()
        assert store.exists(), words


def test_the_library_is_told_too_if_it_asks_for_a_book_that_is_there(tmp_path: Path) -> None:
    place = tmp_path / "nowhere" / "book.db"
    with Book.open(place, model="none", create=False) as book:
        for verb in (book.list, lambda: book.recall("x"), lambda: book.remember("x"), book.care.facts):
            with pytest.raises(BookMissing, match="There is no book at"):
                verb()
    assert not place.parent.exists()
    with Book.open(place, model="none") as book:
        assert book.list().total == 0  # as a server starts, with no book yet
        assert not place.parent.exists()
        book.remember("Deploys are on Monday")
    with Book.open(place, model="none", create=False) as book:
        assert book.list().total == 1


def test_a_database_without_a_book_says_so_too(postgres: Server) -> None:
    store = PostgresStore(postgres.address(postgres.new_database()), create=False)
    for verb in (lambda: store.reading("local"), lambda: store.writing("local")):
        with pytest.raises(BookMissing), verb():
            pass
    with pytest.raises(BookMissing):
        store.upkeep.facts()
    store.close()
