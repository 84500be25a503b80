"""No secret comes into a book through any argument of any command, and no complaint repeats one."""

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from commonplace.book.book import Book
from commonplace.cli import COMMANDS, build_parser, main
from commonplace.cli.parser import COMMON_DEFAULTS
from commonplace.engine.intake import BATCH_LIMIT, Remembered
from commonplace.store.sqlite import SqliteStore
from tests.security.fields import marker, stored, token

# They serve, fetch or write settings, and keep nothing in a book.
APART = {"serve", "web", "mcp", "models", "setup", "completion", "config", "demo", "bench", "memory init"}
# What names a file or a folder is the user's own choice, and no row of a book.
PLACES = {"file", "path", "paths", "from_file", "folder", "store", "project", "output", "target", "source_store", "to"}
LEAST_ARGUMENTS = 120
LEAST_STORED = 25


Run = Callable[[Path, list[str]], str]
"""Runs a command on a book and gives back what it said on stderr."""


class Argument(NamedTuple):
    """A text that a command takes."""

    words: tuple[str, ...]
    parser: argparse.ArgumentParser
    action: argparse.Action

    def __str__(self) -> str:
        return " ".join((*self.words, *(self.action.option_strings[-1:] or (self.action.dest,))))


def parsers(
    parser: argparse.ArgumentParser, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    if not below:
        yield words, parser
    for action in below:
        for name, inner in action.choices.items():
            yield from parsers(inner, (*words, name))


def takes_text(action: argparse.Action) -> bool:
    switch = action.nargs == 0
    return not switch and action.choices is None and action.dest not in ("help", "version", *COMMON_DEFAULTS, *PLACES)


def arguments() -> Iterator[Argument]:
    whole = dict(parsers(build_parser(), ()))
    for words, parser in whole.items():
        if words[0] not in APART and " ".join(words[:2]) not in APART:
            for action in parser._actions:
                if takes_text(action):
                    yield Argument(words, parser, action)


def filled(argument: Argument, text: str, spare: Iterator[str]) -> list[str]:
    """The words of a call: every argument that is asked for, and the text where it is tried."""
    positional: list[str] = []
    options: list[str] = []
    for action in argument.parser._actions:
        tried = action is argument.action
        asked_for = tried or action.required or (not action.option_strings and action.nargs not in ("?", "*"))
        if action.dest in ("help", "version", *COMMON_DEFAULTS) or not asked_for:
            continue
        value = text if tried else _sample(action, spare)
        if action.option_strings:
            options += [action.option_strings[-1], value]
        else:
            positional.append(value)
    switches = [
        each.option_strings[-1]
        for each in argument.parser._actions
        if each.dest in ("yes", "confirm") and each.nargs == 0
    ]
    return [*argument.words, *positional, *options, *switches]


def _sample(action: argparse.Action, spare: Iterator[str]) -> str:
    if action.choices is not None:
        return str(next(iter(action.choices)))
    if action.dest in ("id", "ids", "memory", "old", "new", "reference", "references", "keep", "drop"):
        return next(spare)
    return "plain words"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(store: Path, words: list[str]) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        main([*words, "--store", str(store), "--model", "none"])
        return capsys.readouterr().err

    return call


def memories(store: Path, count: int) -> Iterator[str]:
    """Ids of memories, one for each time a command names one: some commands take them away."""
    store.parent.mkdir()
    with Book.over(SqliteStore(store, synchronous="OFF")) as book:
        for start in range(0, count, BATCH_LIMIT):
            texts = [f"Parcel {number} is sent on day {number * 7}" for number in range(start, start + BATCH_LIMIT)]
            for each in book.remember_many([book.draft(text) for text in texts]):
                assert isinstance(each, Remembered)
                yield each.memory.id


def test_a_secret_in_any_argument_of_any_command_is_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("COMMONPLACE_SYNCHRONOUS", "NORMAL")
    attack, control = tmp_path / "attack" / "book.db", tmp_path / "control" / "book.db"
    known = {store: iter(list(memories(store, 2 * BATCH_LIMIT))) for store in (attack, control)}
    secrets = {token(): argument for argument in arguments()}
    repeated = [
        f"{argument}: {said}"
        for secret, argument in secrets.items()
        if secret in (said := run(attack, filled(argument, secret, known[attack])))
    ]
    harmless = {marker(): argument for argument in arguments()}
    for word, argument in harmless.items():
        run(control, filled(argument, word, known[control]))
    leaked = sorted(str(secrets[secret]) for secret in stored(attack.parent, secrets))
    kept = stored(control.parent, harmless)
    print(f"\n{len(secrets)} arguments of {len(COMMANDS)} commands: {len(kept)} store harmless words,", end=" ")
    print(f"{len(leaked)} secrets stored, {len(repeated)} repeated in a complaint")
    assert leaked == []
    assert repeated == []
    assert len(secrets) >= LEAST_ARGUMENTS
    assert len(kept) >= LEAST_STORED
