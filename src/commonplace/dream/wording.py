"""How dreams speak of memories in what they note for a person: by their texts, not by their ids."""

from commonplace import secrets
from commonplace.domain.memory import Memory

QUOTED = 160  # characters of a text that a note repeats


def quoted(memory: Memory) -> str:
    """A memory by its number and the beginning of its text, which is left out where it holds a secret."""
    if secrets.find(memory.text):
        return f"{memory.number}"
    return f"{memory.number} '{cut(memory.text)}'"


def cut(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"


def ended(sentence: str) -> str:
    """With a stop at its end, so that it does not run into the next."""
    said = sentence.rstrip()
    return f"{said}." if said[-1:].isalnum() else said
