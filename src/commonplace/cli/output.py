"""What is printed and where: answers on stdout, everything else on stderr, colour only where it is wanted."""

import os
import sys
from typing import TextIO

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
        if os.name == "nt" and not self.no_color and sys.stdout.isatty():
            os.system("")  # after this an older Windows console understands colours too

    @property
    def terminal(self) -> bool:
        """Whether a person looks at the answer."""
        return not self.json and sys.stdout.isatty()

    @property
    def watched(self) -> bool:
        """Whether a person looks at stderr and wants to see progress there."""
        return not self.quiet and sys.stderr.isatty()

    def document(self, data: object) -> None:
        """The one JSON document of an answer."""
        from json import dumps

        print(dumps(data, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))

    def line(self, text: str = "") -> None:
        print(text)

    def said(self, text: str) -> None:
        """A confirmation that something was done; the answer of commands that have no other."""
        if not self.quiet:
            print(text)

    def note(self, text: str) -> None:
        """Something worth knowing beside the answer, once."""
        if not self.quiet and text not in self._noted:
            self._noted.add(text)
            print(self._styled(text, "dim", sys.stderr), file=sys.stderr)

    def warn(self, text: str) -> None:
        """Something that did not work, beside what did."""
        print(f"{self._styled('commonplace:', 'yellow', sys.stderr)} {text}", file=sys.stderr)

    def fail(self, text: str) -> None:
        """Why there is no answer."""
        print(f"{self._styled('commonplace:', 'red', sys.stderr)} {text}", file=sys.stderr)

    def complain(self, text: str) -> None:
        """Why there is no answer, in words that another contract fixes."""
        print(text, file=sys.stderr)

    def log(self, text: str) -> None:
        """For --verbose: names, counts and times, never content."""
        if self.verbose:
            print(self._styled(f"commonplace: {text}", "dim", sys.stderr), file=sys.stderr)

    def style(self, text: str, name: str) -> str:
        """A text for stdout, in a style if a terminal shows it."""
        return self._styled(text, name, sys.stdout)

    def _styled(self, text: str, name: str, stream: TextIO) -> str:
        if self.no_color or not stream.isatty():
            return text
        return f"\x1b[{STYLES[name]}m{text}\x1b[0m"
