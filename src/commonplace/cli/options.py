"""Options that every command takes, and the parser they are added to."""

import argparse
import os
from typing import Any, NoReturn

HELP_WIDTH = 100

WITH_VALUE = frozenset({"--store", "--scope", "--project", "--model"})
SWITCHES = frozenset({"--json", "--verbose", "-v", "--quiet", "-q", "--no-color"})
COMMON_DEFAULTS: dict[str, object] = {
    "store": None,
    "scope": [],
    "project": None,
    "model": None,
    "json": False,
    "verbose": False,
    "quiet": False,
    "no_color": False,
}


class UsageError(Exception):
    """The words of the command line make no sense; the message is for the person who typed them."""


class Help(argparse.RawDescriptionHelpFormatter):
    """Help as we wrote it, as wide as the terminal within reason.

    argparse makes one of these for every argument it is given, and would import shutil to ask for the width.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=HELP_WIDTH)

    def format_help(self) -> str:
        """As wide as the terminal, up to what is good to read; the same everywhere if there is none."""
        try:
            self._width = min(HELP_WIDTH, os.get_terminal_size().columns - 2)
        except OSError:
            self._width = HELP_WIDTH
        return super().format_help()


class Parser(argparse.ArgumentParser):
    """An argument parser whose options are spelled out, and which raises instead of printing and leaving."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=Help, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """UsageError instead of leaving the process: every error goes out by one door."""
        raise UsageError(f"{message} (see '{self.prog} --help').")


def add_common(parser: argparse.ArgumentParser, project_alone: bool = False) -> None:
    """What every command takes. Nothing is stored for an option that is not given, so that both places count.

    With `project_alone`, --project may stand without a folder and then means the project one is in.
    """
    group = parser.add_argument_group("on every command")
    absent = argparse.SUPPRESS
    group.add_argument("--store", metavar="PATH|URL", default=absent, help="the book to use")
    group.add_argument(
        "--scope",
        metavar="SELECTOR",
        action="append",
        default=absent,
        help="user, project:auto, project:NAME, agent:NAME or team:NAME; reads take several",
    )
    alone: dict[str, Any] = {"nargs": "?", "const": ""} if project_alone else {}
    group.add_argument(
        "--project", metavar="DIR", default=absent, help="the folder that project:auto stands for", **alone
    )
    group.add_argument("--model", metavar="NAME|none", default=absent, help="the model pack to look by meaning with")
    group.add_argument("--json", action="store_true", default=absent, help="answer with one JSON document")
    group.add_argument("-v", "--verbose", action="store_true", default=absent, help="log to stderr, never content")
    group.add_argument("-q", "--quiet", action="store_true", default=absent, help="no confirmations, notes or progress")
    group.add_argument("--no-color", action="store_true", default=absent, help="no colour, like NO_COLOR=1")


def add_subcommands(
    parser: argparse.ArgumentParser, meanings: dict[str, str], project_alone: str | None = None, required: bool = True
) -> dict[str, argparse.ArgumentParser]:
    """Parsers for words that follow a command's name, as in `models pull`; `action` holds the word, if any.

    `project_alone` is the word after which --project needs no folder.
    """
    words = parser.add_subparsers(
        dest="action", metavar="ACTION", required=required, parser_class=Parser, help=", ".join(meanings)
    )
    made: dict[str, argparse.ArgumentParser] = {}
    for word, meaning in meanings.items():
        made[word] = words.add_parser(word, help=meaning, description=f"{meaning[0].upper()}{meaning[1:]}.")
        add_common(made[word], word == project_alone)
    return made
