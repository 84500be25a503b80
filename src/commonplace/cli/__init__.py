"""The command line: words become one verb on a book, and its answer is printed.

`COMMANDS` is the table of commands, `build_parser` the whole grammar, `main` the way in.

Only the chosen command's module is imported, and rich and shtab only where something has to be
drawn: `commonplace recall` is called by hooks and has to answer within a few bare starts of
Python. That is why imports inside functions are allowed in this package.
"""

from commonplace.cli.commands import COMMANDS
from commonplace.cli.parser import build_parser
from commonplace.cli.run import main

__all__ = ["COMMANDS", "build_parser", "main"]
