"""Which words stand where on the command line, as far as that can be told before anything is imported."""

import os

TYPE_CHECKING = False  # what `typing` calls by this name, without its import
if TYPE_CHECKING:
    from collections.abc import Sequence

WITH_VALUE = frozenset({"--store", "--scope", "--project", "--model"})
SWITCHES = frozenset({"--json", "--verbose", "-v", "--quiet", "-q", "--no-color"})
SERVER = "mcp"
DIALECT = "--dialect"
DEFAULT_DIALECT = "native"


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
