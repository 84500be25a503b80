"""The grammar: which words make a command, and the overview of all of them."""

import argparse
from collections.abc import Sequence

from commonplace import __version__
from commonplace.cli.commands import COMMANDS, Action, Command, find_command
from commonplace.cli.options import COMMON_DEFAULTS, SWITCHES, WITH_VALUE, Parser, UsageError, add_common

PROGRAM = "commonplace"
SUMMARY = "Memory for AI agents that people can trust: one file, explainable, safe."

_COMMON_HELP = f"""\
On every command, before or after its name:
  --store PATH|URL   the book to use
  --scope SELECTOR   user, project:auto, project:NAME, agent:NAME or team:NAME
  --project DIR      the folder that project:auto stands for
  --model NAME|none  the model pack to look by meaning with
  --json             answer with one JSON document
  -v, --verbose      log to stderr, never content
  -q, --quiet        no confirmations, notes or progress
  --no-color         no colour, like NO_COLOR=1
  -h, --help         help on a command, with examples
  --version          print the version

Examples:
  {PROGRAM} remember "Deploys are on Thursday" --topic "deploy day"
  {PROGRAM} recall "when do we deploy?"
  {PROGRAM} demo
"""


class OverviewParser(Parser):
    """The top-level parser: its help is the table of commands."""

    def format_help(self) -> str:
        """The commands by subject instead of one long list."""
        return overview()


def overview() -> str:
    """What `commonplace --help` prints: every command, by what a person wants to do."""
    lines = [SUMMARY, "", f"Usage: {PROGRAM} COMMAND [ARGUMENTS] [OPTIONS]"]
    for group in dict.fromkeys(command.group for command in COMMANDS):
        lines += ["", f"{group}:"]
        lines += [f"  {command.name:<17}{command.help}" for command in COMMANDS if command.group == group]
    return "\n".join([*lines, "", _COMMON_HELP])


def parse(words: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """The command and its arguments. Options that every command takes may also stand before its name."""
    before, word, after = _split(words)
    command = find_command(word)
    if command is None:
        raise UsageError(_unknown(word))
    parser = _filled(command, Parser(prog=f"{PROGRAM} {command.name}"))
    given = parser.parse_args([*before, *after])
    return command, argparse.Namespace(**{**COMMON_DEFAULTS, **vars(given)})


def asked_for_itself(words: Sequence[str]) -> str | None:
    """What to print for --help and --version, which stand where a command would."""
    match _split(words)[1]:
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
    action = command.load()
    parser.description = action.description
    parser.epilog = _examples(action)
    action.add_arguments(parser)
    add_common(parser)
    return parser


def _examples(action: Action) -> str:
    return "\n".join(["examples:", *(f"  {PROGRAM} {example}" for example in action.examples)])


def _split(words: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """The common options before the first other word, that word, and the rest."""
    place = 0
    while place < len(words):
        word = words[place]
        if word in WITH_VALUE:
            place += 2
        elif word in SWITCHES or word.partition("=")[0] in WITH_VALUE:
            place += 1
        else:
            return list(words[:place]), word, list(words[place + 1 :])
    return list(words), "", []


def _unknown(name: str) -> str:
    """What is wrong with a word that stands where a command should."""
    if name.startswith("-") or not name:
        wrong = f"There is no option '{name[:40]}' before a command" if name else "There is no command"
        return f"{wrong}: see '{PROGRAM} --help'."
    from difflib import get_close_matches

    close = get_close_matches(name, [command.name for command in COMMANDS], 1)
    remedy = f"did you mean '{close[0]}'?" if close else f"see '{PROGRAM} --help'."
    return f"There is no command '{name[:40]}': {remedy}"
