"""What is printed and where: answers on stdout, everything else on stderr, colour only where it is wanted.

Whatever is printed passes here, and here whatever a terminal would obey or not show is made visible: no file,
argument, memory or message of somebody else steers the terminal of whoever reads it.
"""

import os
import re
import sys
from collections.abc import Sequence
from typing import TextIO

from commonplace.text import flags, visible, visible_json

USUAL_COLUMNS = 80
STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Output:
    """The two streams, and how the caller wants to be answered."""

    def __init__(
        self,
        json: bool = False,
        verbose: bool = False,
        quiet: bool = False,
        no_color: bool = False,
        noted: set[str] | None = None,
    ) -> None:
        self.json = json
        self.verbose = verbose
        self.quiet = quiet
        self.no_color = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self._noted = set() if noted is None else noted
        self._mark = os.urandom(8).hex()  # tells our own styles from what a text says
        if os.name == "nt" and not self.no_color and sys.stdout.isatty():
            os.system("")  # after this an older Windows console understands colours too

    @property
    def terminal(self) -> bool:
        """Whether a person looks at the answer."""
        return not self.json and sys.stdout.isatty()

    @property
    def columns(self) -> int:
        """How wide the terminal is that the answer goes to."""
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns or USUAL_COLUMNS
        except (OSError, ValueError):
            return USUAL_COLUMNS

    @property
    def watched(self) -> bool:
        """Whether a person looks at stderr and wants to see progress there."""
        return not self.quiet and sys.stderr.isatty()

    def document(self, data: object) -> None:
        """The one JSON document of an answer."""
        from json import dumps

        indent = 2 if sys.stdout.isatty() else None
        document = dumps(data, ensure_ascii=False, indent=indent)
        if flags(document):
            from commonplace.book.display_json import flagged  # which few answers need

            document = dumps(flagged(data), ensure_ascii=False, indent=indent)
        self.written(document + "\n")

    def listing(
        self,
        name: str,
        items: Sequence[object],
        total: int | None = None,
        next_cursor: int | None = None,
        *,
        limit: int | None = None,
        **beside: object,
    ) -> None:
        """The one JSON document of every list: what is in it under its name, how many there are, where it goes on.

        Without a `total` the list is whole or, where it is as long as its `limit`, nobody has counted the rest.
        """
        if total is None and (limit is None or len(items) < limit):
            total = len(items)
        self.document({**beside, name: list(items), "total": total, "next_cursor": next_cursor})

    def written(self, document: str) -> None:
        """JSON that was made elsewhere, which says the same with its hidden characters escaped."""
        sys.stdout.write(visible_json(document))

    def line(self, text: str = "") -> None:
        """A line of the answer, to stdout."""
        self._print(text, sys.stdout)

    def said(self, text: str) -> None:
        """A confirmation that something was done; the answer of commands that have no other."""
        if not self.quiet:
            self._print(text, sys.stdout)

    def note(self, text: str) -> None:
        """Something worth knowing beside the answer, once."""
        if not self.quiet and text not in self._noted:
            self._noted.add(text)
            self._print(self._styled(text, "dim", sys.stderr), sys.stderr)

    def warn(self, text: str) -> None:
        """Something that did not work, beside what did, on one line."""
        self._complain(text, "yellow")

    def fail(self, text: str) -> None:
        """Why there is no answer, on one line."""
        self._complain(text, "red")

    def complain(self, text: str) -> None:
        """Why there is no answer, in words that another contract fixes, or what nobody expected."""
        self._print(without_secrets(text), sys.stderr)

    def _complain(self, text: str, colour: str) -> None:
        line = without_secrets(" ".join(text.split()))
        self._print(f"{self._styled('commonplace:', colour, sys.stderr)} {line}", sys.stderr)

    def log(self, text: str) -> None:
        """For --verbose: names, counts and times, never content."""
        if self.verbose:
            self._print(self._styled(f"commonplace: {text}", "dim", sys.stderr), sys.stderr)

    def ask(self, text: str) -> None:
        """A question; the answer is typed on the same line."""
        self._print(text, sys.stderr, end="")
        sys.stderr.flush()

    def style(self, text: str, name: str) -> str:
        """A text for stdout, in a style if a terminal shows it."""
        return self._styled(text, name, sys.stdout)

    def _styled(self, text: str, name: str, stream: TextIO) -> str:
        if self.no_color or not stream.isatty():
            return text
        return f"{{{self._mark}:{STYLES[name]}}}{text}{{{self._mark}:0}}"

    def _print(self, text: str, stream: TextIO, end: str = "\n") -> None:
        shown = visible(text)
        if self._mark in shown:
            shown = re.sub(rf"\{{{self._mark}:(\d+)\}}", "\x1b[\\1m", shown)
        print(shown, end=end, file=stream)


def without_secrets(text: str) -> str:
    """A complaint as it may be shown, also where it quotes what was typed: logs keep what a terminal forgets."""
    from commonplace.secrets import masked  # 20 ms, which only a complaint has to pay

    return masked(text)
