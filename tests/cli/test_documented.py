"""docs/cli.md has a section for every command, with every one of its options and an example."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace.cli import COMMANDS, build_parser
from commonplace.cli.parser import COMMON_DEFAULTS

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"
SECTIONS = {part.split("\n")[0]: part for part in DOCUMENT.read_text(encoding="utf-8").split("\n## ")}


def inner(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def own_options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.dest not in COMMON_DEFAULTS and action.dest != "help":
            yield from action.option_strings
    for each in inner(parser).values():
        yield from own_options(each)


PARSERS = inner(build_parser())


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_a_command_is_documented_with_its_options_and_an_example(name: str) -> None:
    section = SECTIONS[name]
    assert f"$ commonplace {name}" in section
    assert [option for option in own_options(PARSERS[name]) if not re.search(rf"`{option}\b", section)] == []
    assert [word for word in inner(PARSERS[name]) if f"`{name} {word}" not in section] == []


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_no_option_is_documented_that_a_command_does_not_have(name: str) -> None:
    named = set(re.findall(r"`(--[a-z-]+)", SECTIONS[name])) - {"--scope"}
    assert named <= set(own_options(PARSERS[name]))


def test_the_options_of_every_command_are_documented() -> None:
    section = SECTIONS["On every command"]
    for name in COMMON_DEFAULTS:
        assert f"`--{name.replace('_', '-')}" in section
