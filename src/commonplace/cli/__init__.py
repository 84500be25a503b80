"""The command line: words become one verb on a book, and its answer is printed.

`COMMANDS` is the table of commands, `build_parser` the whole grammar, `main` the way in.

Only the chosen command's module is imported, and rich and shtab only where something has to be
drawn: `commonplace recall` is called by hooks and has to answer within a few bare starts of
Python, and a host that starts a server is answered before anything of this is imported. That is
why imports inside functions are allowed in this package.
"""

import os
import sys

TYPE_CHECKING = False  # what `typing` calls by this name, without its import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.cli.commands import COMMANDS
    from commonplace.cli.parser import build_parser

__all__ = ["COMMANDS", "build_parser", "main"]

WITH_VALUE = frozenset({"--store", "--scope", "--project", "--model"})
SWITCHES = frozenset({"--json", "--verbose", "-v", "--quiet", "-q", "--no-color"})
SERVER = "mcp"
DIALECT = "--dialect"
DEFAULT_DIALECT = "native"


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run one command and give its exit code: 0, 1 refused, 2 usage, 70 a bug of ours, 130 interrupted."""
    words = sys.argv[1:] if argv is None else argv
    if argv is None and is_hook(words):
        from commonplace.hooks.watch import main as answer

        answer(words[1:])
    dialect = dialect_to_serve(words)
    if dialect is not None:
        from commonplace.serve.front import begin_early

        begin_early(dialect)
    from commonplace.cli.run import main as run

    return run(argv)


def split(words: "Sequence[str]") -> tuple[list[str], str, list[str]]:
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


def is_hook(words: "Sequence[str]") -> bool:
    """Whether a host calls a hook: then nothing that a person types a command with is needed."""
    return words[:1] == ["hook"] and not {"-h", "--help"} & set(words)


def dialect_to_serve(words: "Sequence[str]") -> str | None:
    """The dialect, if these words start a server for a host, and beyond doubt; else what they mean is told later."""
    before, command, after = split(words)
    if command != SERVER or os.isatty(0):
        return None
    dialect, rest = DEFAULT_DIALECT, [*before, *after]
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in SWITCHES and not equals:
            continue
        if name not in (*WITH_VALUE, DIALECT):
            return None
        if not equals:
            value = rest.pop(0) if rest else ""
        if not value or value.startswith("-") or not value.isascii():
            return None
        dialect = value if name == DIALECT else dialect
    return dialect


def __getattr__(name: str) -> object:
    """What else is to be had here, imported when it is first asked for."""
    match name:
        case "COMMANDS":
            from commonplace.cli.commands import COMMANDS

            return COMMANDS
        case "build_parser":
            from commonplace.cli.parser import build_parser

            return build_parser
        case _:
            raise AttributeError(f"module 'commonplace.cli' has no attribute '{name}'")
