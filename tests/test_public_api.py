"""What can be leaned on: every type that a public method takes or gives can be had from the package itself."""

import inspect
import subprocess
import sys
import typing
from functools import cached_property
from pathlib import Path
from types import ModuleType

import pytest

import commonplace
from commonplace.book.book import Book
from commonplace.book.subjects import Subjects
from commonplace.engine import fields
from commonplace.store.sqlite import SqliteStore

INSIDE = {"Work", "Caller", "Store", "Embedder", "LLM", "Clock", "Configuration", "Settings"}
"""What whoever brings their own store, model or settings imports from its own module, as docs/library.md says."""


def owners() -> dict[str, type]:
    book = Book.over(SqliteStore(Path("nowhere.db")))
    found = {
        name: type(getattr(book, name)) for name, kind in vars(Subjects).items() if isinstance(kind, cached_property)
    }
    return {"Book": Book, **found}


def named_in(hint: object) -> set[type]:
    """The classes in an annotation, however deep."""
    if isinstance(hint, type) and typing.get_origin(hint) is None:
        return {hint}
    arguments = typing.get_args(hint)
    return {each for argument in arguments for each in named_in(argument)} if arguments else set()


def hints_of(function: object) -> dict[str, object]:
    module = inspect.getmodule(function)
    assert isinstance(module, ModuleType)
    exported = {name: getattr(commonplace, name) for name in commonplace.__all__}
    late = {**exported, **{kind.__name__: kind for kind in owners().values()}}  # imported by type checkers only
    return typing.get_type_hints(function, {**vars(fields), **vars(module), **late})


def public_types() -> dict[str, set[str]]:
    """Every class of ours in the annotations of public methods, with where it was met."""
    found: dict[str, set[str]] = {}
    for name, owner in owners().items():
        for verb, function in inspect.getmembers(owner, inspect.isfunction):
            if not verb.startswith("_"):
                for kind in {each for hint in hints_of(function).values() for each in named_in(hint)}:
                    if kind.__module__.startswith("commonplace"):
                        found.setdefault(kind.__name__, set()).add(f"{name}.{verb}")
    return found


def test_every_type_that_a_public_method_takes_or_gives_is_exported() -> None:
    lacking = {name: places for name, places in public_types().items() if name not in {*commonplace.__all__, *INSIDE}}
    assert lacking == {}


def test_what_is_exported_is_there_and_shown() -> None:
    for name in commonplace.__all__:
        assert getattr(commonplace, name).__name__ == name
    assert set(commonplace.__all__) <= set(dir(commonplace))


GOOD = """
from commonplace import Book, Changes, Kind
book = Book.open("x.db")
book.remember("x", kind="preference", tags=["a"], topic="t", expires_at="30d", pinned=True)
book.remember("x", kind=Kind.FACT, tags={"a", "b"})
book.recall("x", limit=3, mode="words")
book.list(tags=("a",), statuses=())
book.update(1, text="y", tags=["a"], category=None)
book.update(1, Changes(text="y"))
"""
BAD = {
    'book.remember("x", kind="prefrence")': "kind",
    'book.remember("x", tags="a")': "tags",
    'book.remember("x", topc="a")': "topc",
    'book.recall("x", limit="three")': "limit",
    'book.recall("x", mode="magic")': "mode",
    'book.list(tags="a")': "tags",
    'book.list(colour="red")': "colour",
    'book.update(1, tags="a")': "tags",
    'book.update(1, kind="prefrence")': "kind",
}


def test_a_type_checker_refuses_what_the_book_would(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(GOOD + "\n".join(BAD) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), file],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    complaints = [line for line in done.stdout.splitlines() if "error:" in line]
    first = GOOD.count("\n") + 1
    wrong = {int(line.split(":")[1]) for line in complaints}
    assert wrong == set(range(first, first + len(BAD))), done.stdout


@pytest.mark.parametrize("call", sorted(BAD))
def test_and_the_book_says_so_itself_where_it_can(call: str, book: Book) -> None:
    if "tags" in call or "limit" in call:
        pytest.skip("a single tag, or a number as a text, is understood or refused elsewhere")
    book.remember("Deploys are on Monday")
    with pytest.raises(commonplace.CommonplaceError) as caught:
        eval(call, {"book": book})
    assert BAD[call] in caught.value.message
