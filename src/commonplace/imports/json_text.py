"""JSON of somebody else: whole or refused in one sentence, however deep or strange."""

import json
from collections.abc import Iterator

from commonplace import deadline
from commonplace.errors import InvalidInput

Json = dict[str, object]


def document(text: str) -> object:
    """A whole document."""
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("it is not complete JSON, or nested too deeply: export it again") from None
    return found


def lines(text: str) -> Iterator[tuple[int, Json]]:
    """The objects of a file with one on each line, with the numbers of the lines."""
    for number, line in enumerate(deadline.each(text.split("\n")), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise InvalidInput(f"line {number:,} is not JSON: correct it or remove it") from None
        if not isinstance(found, dict):
            raise InvalidInput(f"line {number:,} is not a JSON object: correct it or remove it")
        yield number, found


def text_of(given: Json, *names: str) -> str | None:
    """The first of these members that is a text with something in it."""
    return next((value for name in names if isinstance(value := given.get(name), str) and value.strip()), None)


def texts_of(value: object) -> tuple[str, ...]:
    """The texts of a list; what is none has none."""
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def objects_of(value: object) -> tuple[Json, ...]:
    """The objects of a list; what is none has none."""
    return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()
