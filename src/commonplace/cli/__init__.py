"""The command line: words become one verb on a book, and its answer is printed.

`COMMANDS` is the table of commands, `build_parser` the whole grammar, `main` the way in.

Only the chosen command's module is imported, and rich and shtab only where something has to be
drawn: `commonplace recall` is called by hooks and has to answer within a few bare starts of
Python, and a host that starts a server is answered before anything of this is imported. That is
why imports inside functions are allowed in this package.
"""

import sys

from commonplace.cli.words import dialect_to_serve, is_hook

TYPE_CHECKING = False  # what `typing` calls by this name, without its import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from commonplace.cli.commands import COMMANDS
    from commonplace.cli.parser import build_parser

__all__ = ["COMMANDS", "build_parser", "main"]


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
