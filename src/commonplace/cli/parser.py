"""The grammar: which words make a command, the options that every command takes, and the overview of all of them."""

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from commonplace import __version__
from commonplace.cli import split
from commonplace.cli.commands import COMMANDS, CONTRACTS, EVERY_DAY, OTHER_WORDS, Action, Command
from commonplace.cli.session import ANY_STATUS, UsageError
from commonplace.domain.memory import Kind, Status

PROGRAM = "commonplace"
SUMMARY = "Memory for AI agents that people can trust: one file, explainable, safe."
HELP_WIDTH = 100
CHOICES_NAMED = 20  # more of them are the help's to name
_USAGE = f"Usage: {PROGRAM} COMMAND [ARGUMENTS] [OPTIONS]"

ON_EVERY_COMMAND = "on every command"
_COMMON_NAMES = ("--store", "--scope", "--project", "--model", "--json", "-v", "-q", "--no-color")
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

_FIRST_HELP = f"""\
More:
  {PROGRAM} help COMMAND      how to use it, with examples
  {PROGRAM} help --all        every command, and the options that all of them take
  {PROGRAM} help contracts    the commands of other tools' contracts

Examples:
  {PROGRAM} remember "Deploys are on Thursday" --topic "deploy day"
  {PROGRAM} recall "when do we deploy?"
  {PROGRAM} demo
"""

_COMMON_HELP = """\
On every command, before or after its name:
  --store PATH|URL   the book to use
  --scope SELECTOR   user, project:auto, project:NAME, agent:NAME or team:NAME
  --project DIR      the folder that project:auto stands for
  --model NAME|none  the model pack that searches by meaning
  --json             answer with one JSON document
  -v, --verbose      log to stderr, never content
  -q, --quiet        no confirmations, notes or progress
  --no-color         no colour, like NO_COLOR=1
  -h, --help         help on a command, with examples
  --version          print the version
"""


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

    def format_help(self) -> str:
        """What this command takes; the options that every command takes are named and told in one place."""
        formatter = self._get_formatter()
        formatter.add_usage(None, [each for each in self._actions if not each.option_strings], [])
        usage = f"{formatter.format_help().rstrip()} [OPTIONS]"
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        for group in self._action_groups:
            if group.title != ON_EVERY_COMMAND:
                formatter.start_section(group.title)
                formatter.add_arguments(group._group_actions)
                formatter.end_section()
        formatter.add_text(f"On every command (see '{PROGRAM} help --all'): {', '.join(_COMMON_NAMES)}.")
        formatter.add_text(self.epilog)
        return f"{usage}\n\n{formatter.format_help()}"

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """What may stand there is said shortly where a word was only mistyped."""
        choices = [] if action.choices is None else list(action.choices)
        if not choices or value in choices:
            return
        close = _closest(str(value), [str(each) for each in choices])
        named = f"choose from {', '.join(map(str, choices))}"
        if len(choices) > CHOICES_NAMED:
            named = f"'{self.prog} --help' names all {len(choices)}"
        remedy = f"did you mean '{close}'?" if close else named
        raise argparse.ArgumentError(action, f"there is no '{str(value)[:40]}': {remedy}")

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """A number is asked for as a number, not as Python calls its type."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError:
            wanted = {int: "a whole number", float: "a number such as 0.5"}.get(action.type)  # type: ignore[call-overload]
            if wanted is None:
                raise
            raise argparse.ArgumentError(action, f"give {wanted}, not '{arg_string[:40]}'") from None


class OverviewParser(Parser):
    """The top-level parser: its help is the table of commands."""

    def format_help(self) -> str:
        """The commands by subject instead of one long list."""
        return overview()


def overview() -> str:
    """What `commonplace --help` prints: what a person does every day, and where the rest is told."""
    return "\n".join([SUMMARY, "", _USAGE, *_of_group(EVERY_DAY), "", _FIRST_HELP])


def whole_overview() -> str:
    """Every command by what a person wants to do, but for those of other tools' contracts."""
    groups = dict.fromkeys(command.group for command in COMMANDS if command.group != CONTRACTS)
    lines = [line for group in groups for line in _of_group(group)]
    contracts = f"'{PROGRAM} help contracts' has the commands of other tools' contracts."
    return "\n".join([SUMMARY, "", _USAGE, *lines, "", contracts, "", _COMMON_HELP])


def contracts_overview() -> str:
    """The commands that speak as another tool does."""
    served = "The same contracts over MCP and HTTP: see 'commonplace help mcp' and 'commonplace help serve'."
    return "\n".join([SUMMARY, "", _USAGE, *_of_group(CONTRACTS), "", served, ""])


def _of_group(group: str) -> list[str]:
    named = [f"  {command.name:<17}{command.help}" for command in COMMANDS if command.group == group]
    return ["", f"{group}:", *named]


def find_command(word: str) -> Command:
    """The command of that name, or the one that other tools call so."""
    name = OTHER_WORDS.get(word, word)
    command = next((each for each in COMMANDS if each.name == name), None)
    if command is None:
        raise UsageError(_unknown(word))
    return command


def help_on(command: Command) -> str:
    """What `commonplace COMMAND --help` prints."""
    return _filled(command, Parser(prog=f"{PROGRAM} {command.name}")).format_help()


def parse(words: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """The command and its arguments. Options that every command takes may also stand before its name."""
    before, word, after = split(words)
    command = find_command(word)
    parser = _filled(command, Parser(prog=f"{PROGRAM} {command.name}"))
    given = parser.parse_args([*before, *after])
    return command, argparse.Namespace(**{**COMMON_DEFAULTS, **vars(given)})


def renamed(words: Sequence[str], command: Command) -> str | None:
    """What to say to whoever called a command by the name it has in another tool."""
    word = split(words)[1]
    return None if word == command.name else f"'{word}' is '{command.name}' here."


def action_of(command: Command) -> Action:
    """What a command takes and does, from its module, which is imported by now."""
    actions: dict[str, Action] = import_module(f"{command.package}.{command.module}").ACTIONS
    return actions[command.name]


def asked_for_itself(words: Sequence[str]) -> str | None:
    """What to print for --help and --version, which stand where a command would."""
    match split(words)[1]:
        case "-h" | "--help":
            return overview()
        case "--version":
            return f"{PROGRAM} {__version__}\n"
        case _:
            return None


def build_parser() -> argparse.ArgumentParser:
    """The whole grammar, for completion and the documentation's tests."""
    parser = OverviewParser(prog=PROGRAM, description=SUMMARY)
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}", help="print the version")
    add_common(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for command in COMMANDS:
        _filled(command, commands.add_parser(command.name, help=command.help))
    return parser


def _filled(command: Command, parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    action = action_of(command)
    parser.description = action.description
    parser.epilog = _examples(action)
    action.add_arguments(parser)
    add_common(parser)
    return parser


def _examples(action: Action) -> str:
    return "\n".join(["examples:", *(f"  {PROGRAM} {example}" for example in action.examples)])


def _unknown(name: str) -> str:
    """What is wrong with a word that stands where a command should."""
    if name.startswith("-") or not name:
        wrong = f"There is no option '{name[:40]}' before a command" if name else "There is no command"
        return f"{wrong}: see '{PROGRAM} --help'."
    close = _closest(name, [*(command.name for command in COMMANDS), *OTHER_WORDS])
    remedy = f"did you mean '{close}'?" if close else f"see '{PROGRAM} help --all'."
    return f"There is no command '{name[:40]}': {remedy}"


def _closest(word: str, names: Sequence[str]) -> str | None:
    """The name that somebody may have meant."""
    from difflib import get_close_matches  # only a mistake pays for it

    close = get_close_matches(word[:40].lower(), names, 1)
    return OTHER_WORDS.get(close[0], close[0]) if close else None


# -- options ----------------------------------------------------------------------------------


def add_common(parser: argparse.ArgumentParser, project_alone: bool = False) -> None:
    """What every command takes. Nothing is stored for an option that is not given, so that both places count.

    With `project_alone`, --project may stand without a folder and then means the project one is in.
    """
    group = parser.add_argument_group(ON_EVERY_COMMAND)
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
    group.add_argument("--model", metavar="NAME|none", default=absent, help="the model pack that searches by meaning")
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


def add_filters(parser: argparse.ArgumentParser, past: bool = True) -> None:
    """The options that narrow a reading down; `past` for commands that can look at a past moment."""
    group = parser.add_argument_group("which memories")
    kinds = [kind.value for kind in Kind]
    group.add_argument(
        "--kind",
        metavar="KIND",
        action="append",
        choices=kinds,
        default=[],
        help=f"{', '.join(kinds)}; several are alternatives",
    )
    group.add_argument("--tag", metavar="TAG", action="append", default=[], help="has this tag; repeated: all of them")
    group.add_argument("--category", metavar="NAME", help="is filed under this category")
    group.add_argument("--topic", metavar="NAME", help="is on this topic")
    group.add_argument("--about", metavar="PROJECT", help="is about this project, by name; . is the one you are in")
    group.add_argument("--session", metavar="ID", help="comes from this conversation")
    group.add_argument("--since", metavar="TIME", help="created since: 7d, 2026-03-01 or 2026-03-01T09:30Z")
    group.add_argument("--until", metavar="TIME", help="created before")
    group.add_argument("--valid-at", metavar="TIME", help="was true at that time")
    if past:
        group.add_argument("--as-of", metavar="TIME", help="the book as it stood at that time")
    statuses = [ANY_STATUS, *(status.value for status in Status)]
    group.add_argument(
        "--status", metavar="STATUS", action="append", choices=statuses, default=[], help=", ".join(statuses)
    )
    group.add_argument("--include-expired", action="store_true", help="also what has expired")
    group.add_argument("--automatic", action="store_true", help="only what no longer waits for confirmation")
    group.add_argument("--verified-only", action="store_true", help="of a team's memories, only verified ones")
