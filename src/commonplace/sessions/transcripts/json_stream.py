"""A JSON document that is read as it comes: of its outermost list or lists one element after another."""

import json
from collections.abc import Iterator

from commonplace import deadline
from commonplace.errors import InvalidInput, TooMany
from commonplace.sessions.transcripts.turns import LINE_CHARACTERS

READ_AT_ONCE = 65_536
_BLANK = " \t\r\n"
_decode = json.JSONDecoder().raw_decode

Member = tuple[str | None, object]


def members(pieces: Iterator[str]) -> Iterator[Member]:
    """The elements of a list, each without a name, or the members of an object.

    Of a member that is a list its elements come one by one, each under its name. What is not JSON to the end, or has
    an element that is too long or too deep to be held, is refused when that place is reached.
    """
    document = _Document(pieces)
    if document.peek() == "[":
        for element in document.elements():
            yield None, element
    else:
        yield from document.named()
    if document.peek():
        raise document.damaged()


class _Document:
    """A document so far as it has been read: the text at hand, and a place in it."""

    def __init__(self, pieces: Iterator[str]) -> None:
        self._pieces = pieces
        self._text = ""
        self._place = 0
        self._before = 0  # characters that are at hand no more

    def named(self) -> Iterator[Member]:
        """The members of the object that begins here."""
        self._take("{")
        more = self.peek() != "}"
        while more:
            name = self._value()
            self._take(":")
            if not isinstance(name, str):
                raise self.damaged()
            if self.peek() == "[":
                for element in self.elements():
                    yield name, element
            else:
                yield name, self._value()
            more = self._goes_on()
        self._take("}")

    def elements(self) -> Iterator[object]:
        """The elements of the list that begins here."""
        self._take("[")
        more = self.peek() != "]"
        while more:
            yield self._value()
            more = self._goes_on()
        self._take("]")

    def peek(self) -> str:
        """The next character that is not blank, or nothing at the end."""
        while True:
            while self._place < len(self._text) and self._text[self._place] in _BLANK:
                self._place += 1
            if self._place < len(self._text) or not self._more():
                return self._text[self._place : self._place + 1]

    def damaged(self) -> InvalidInput:
        """What to say of a document that is not JSON here."""
        place = self._before + self._place
        return InvalidInput(
            f"The transcript is not whole, its JSON breaks off or is wrong behind character {place:,}: get it again.",
            "transcript",
        )

    def _goes_on(self) -> bool:
        if self.peek() != ",":
            return False
        self._place += 1
        return True

    def _take(self, mark: str) -> None:
        if self.peek() != mark:
            raise self.damaged()
        self._place += 1

    def _value(self) -> object:
        """The value that begins here. One that cannot be read yet is tried again with as much text again."""
        deadline.check()
        self.peek()
        while True:
            try:
                value, end = _decode(self._text, self._place)
            except RecursionError:
                raise TooMany("The transcript is nested too deep to be read: no host writes it so.") from None
            except ValueError:
                end = len(self._text)
            if end < len(self._text):
                self._place = end
                return value
            if not self._more():
                raise self.damaged()

    def _more(self) -> bool:
        """Read on; whether there was anything."""
        rest = len(self._text) - self._place
        if rest > LINE_CHARACTERS:
            raise TooMany(
                f"The transcript has a part of more than {LINE_CHARACTERS:,} characters: take it out.", "transcript"
            )
        found, size = [self._text[self._place :]], 0
        for piece in self._pieces:
            found.append(piece)
            size += len(piece)
            if size >= max(READ_AT_ONCE, rest):
                break
        self._before += self._place
        self._text, self._place = "".join(found), 0
        return size > 0
