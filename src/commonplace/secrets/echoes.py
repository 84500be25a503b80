"""Answers that do not repeat a secret which came with the question.

A call may quote what it was given: a query, an id that does not exist, a word that cannot be used. Whoever looks for a
leaked key has it found, and reads its kind in its place. What the book itself holds is answered as it stands.
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from commonplace import secrets

LOOKED_AT_LIMIT = 64_000
"""Longer texts are transcripts and documents, which no answer quotes."""
TELLING = 8
"""So many characters of a secret are told apart from anything else; of a shorter one, the text that it came in."""

Body = TypeVar("Body")


class Asked:
    """The arguments of a call, as far as they hold secrets."""

    def __init__(self, arguments: object) -> None:
        self._secrets = [
            (text, text[each.start : each.end], f"[{each.kind.replace('_', ' ')}]")
            for text in _texts(arguments)
            if len(text) <= LOOKED_AT_LIMIT
            for each in secrets.find(text)
        ]

    def unsaid(self, answer: Body) -> Body:
        """The answer without them."""
        return self._without(answer) if self._secrets else answer  # type: ignore[return-value]

    def _without(self, value: object) -> object:
        match value:
            case str():
                return self._masked(value)
            case Mapping():
                return {self._masked(str(name)): self._without(item) for name, item in value.items()}
            case list() | tuple():
                return [self._without(item) for item in value]
        return value

    def _masked(self, said: str) -> str:
        for text, secret, kind in self._secrets:
            if len(secret) >= TELLING and secret[:TELLING] in said:
                said = secrets.masked(said.replace(secret, kind))
            elif text in said:
                said = secrets.masked(said)
        return said


def _texts(arguments: object) -> Iterator[str]:
    """Every text in the arguments. They are not checked yet and may be nested deeper than Python can follow."""
    waiting = [arguments]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case Mapping() as named:
                waiting += (*map(str, named), *named.values())
            case (list() | tuple()) as items:
                waiting += items
