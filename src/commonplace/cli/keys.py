"""What a person answers: single keys on a terminal, lines from a pipe."""

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.cli.output import Output
from commonplace.text import flags, visible

ENDS = ("", "\x04", "\x00")  # the end of the input: a terminal hands on as NUL what was pressed before we listened
ESCAPE = "\x1b"
CHUNK = 64
LINE_LIMIT = 100_000
"""So many characters of a typed line are read."""


class Keyboard:
    """Keys one after the other; what was typed ahead is not lost, and a key that sends a sequence is no letter."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._ahead: deque[str] = deque()
        self._has_keys = _has_keys()

    def key(self, question: str, keys: str) -> str:
        """One of these letters; "q" when whoever was asked has left."""
        while True:
            self._output.ask(question)
            letter = self._pressed() if self._has_keys else _first_letter()
            if self._has_keys:
                self._output.complain(letter if letter.isprintable() else "")
            if letter in ENDS:
                return "q"
            if letter.lower() in keys:
                return letter.lower()

    def line(self, question: str, before: str) -> str:
        """A line of text, on a terminal with the text there is to be changed."""
        if self._has_keys:
            typed, end, rest = "".join(self._ahead).partition("\n")
            self._ahead = deque(rest)
            if end:
                return typed
            with _prefilled(typed or before):
                return input(question)
        self._output.ask(question)
        return sys.stdin.readline(LINE_LIMIT).rstrip("\r\n")

    def _pressed(self) -> str:
        while not self._ahead:
            typed = _read_keys()
            if not typed:
                return ""
            self._ahead.extend(letters(typed))
        return self._ahead.popleft()


def letters(typed: str) -> str:
    """What was typed, without what arrows and function keys send."""
    kept, place = [], 0
    while place < len(typed):
        if typed[place] != ESCAPE:
            kept.append(typed[place])
            place += 1
        else:
            place = _behind_sequence(typed, place + 1)
    return "".join(kept)


def _behind_sequence(typed: str, place: int) -> int:
    """Where a sequence ends: `[` and what follows up to a letter or `~`, `O` and one more, or a single character."""
    opening = typed[place : place + 1]
    if opening == "[":
        place += 1
        while place < len(typed) and not (typed[place].isalpha() or typed[place] == "~"):
            place += 1
        return place + 1
    return place + (2 if opening == "O" else 1)


def _first_letter() -> str:
    """The first letter of a line; a blank for an empty line, nothing at the end of the input."""
    line = sys.stdin.readline(LINE_LIMIT)
    return (line.strip() or " ")[:1] if line else ""


def _has_keys() -> bool:
    """Whether there is a real terminal to read keys from."""
    try:
        return os.isatty(sys.stdin.fileno())
    except (OSError, ValueError):  # a stream without a file, as programs that call us have
        return False


if sys.platform == "win32":
    import msvcrt

    def _read_keys() -> str:
        key = msvcrt.getwch()
        if key in ("\x00", "\xe0"):  # the first half of an arrow or a function key
            msvcrt.getwch()
            return ESCAPE
        if key == "\x03":
            raise KeyboardInterrupt
        return key

else:
    import termios
    import tty

    def _read_keys() -> str:
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSADRAIN)
            return os.read(descriptor, CHUNK).decode("utf-8", "replace")
        finally:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@contextmanager
def _prefilled(text: str) -> Iterator[None]:
    """Typing begins with a text that can be changed, where there is a line editor and the text hides nothing."""
    try:
        import readline  # not on every system
    except ImportError:
        yield
        return
    if visible(text) == text and not flags(text):
        readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
