"""One table of a TOML file: put in at the end, merged where it is there already, taken out, nothing else touched."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from commonplace.errors import InvalidInput

BYTE_ORDER_MARK = "\ufeff"

_BARE = re.compile(r"[A-Za-z0-9_-]+")


class NotToml(InvalidInput):
    """The text is not TOML, or is written in a way in which one table cannot be told from the rest."""


def read(text: str) -> dict[str, object]:
    """What the text says; a byte order mark before it is passed over."""
    try:
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise NotToml(f"it is not TOML ({error})") from None


def _is_read(text: str) -> bool:
    try:
        read(text)
    except NotToml:
        return False
    return True


def at(data: object, path: tuple[str, ...]) -> object:
    """What stands at a path of keys, or None."""
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = data[key]
    return data


def put_table(text: str, path: tuple[str, ...], table: Mapping[str, object]) -> str:
    """The text with a table: at its end, or key by key where one of that name is there."""
    there = at(read(text), path)
    if there is None:
        newline = _newline(text)
        ended = "" if text in ("", BYTE_ORDER_MARK) or text.endswith("\n") else newline
        blank = newline if text.strip(BYTE_ORDER_MARK) else ""
        longer = text + ended + blank + newline.join(_lines(path, table)) + newline
        if not _is_read(longer):
            raise NotToml(f"'{path[0]}' stands in it as one value: write it as [{path[0]}.NAME] tables first")
        return longer
    if not isinstance(there, dict):
        raise NotToml(f"'{'.'.join(path)}' in it is not a table")
    return _merged(text, path, table)


def take_table(text: str, path: tuple[str, ...]) -> str:
    """The text without a table and those below it; comments that follow it stay."""
    if at(read(text), path) is None:
        return text
    spans: list[tuple[int, int]] = []
    inside = False
    for each in _statements(text.removeprefix(BYTE_ORDER_MARK)):
        if each.header:
            inside = each.header[: len(path)] == path
            if inside:
                spans.append((each.start, each.end))
        elif inside:
            spans[-1] = (spans[-1][0], each.end)
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    body = text.removeprefix(BYTE_ORDER_MARK)
    for start, end in reversed(spans):
        body = _without_blank_line(body[:start]) + body[end:]
    if read(body) != _without(read(text), path):
        raise NotToml(f"'{'.'.join(path)}' is written in it in a way that cannot be taken out safely")
    return mark + body


def _without_blank_line(text: str) -> str:
    """Without the one blank line that stands before a table of ours."""
    for blank in ("\r\n", "\n"):
        if text.endswith("\n" + blank) or text == blank:
            return text.removesuffix(blank)
    return text


def _without(data: object, path: tuple[str, ...]) -> object:
    """What a text says without what is at a path, and without tables above it that hold nothing then."""
    if not isinstance(data, dict) or path[0] not in data:
        return data
    rest = {key: value for key, value in data.items() if key != path[0]}
    inner = _without(data[path[0]], path[1:]) if path[1:] else {}
    return {key: inner if key == path[0] else value for key, value in data.items()} if inner else rest


def _merged(text: str, path: tuple[str, ...], table: Mapping[str, object]) -> str:
    import tomlkit  # 70 ms to import, and needed only where somebody wrote the table before

    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    document = tomlkit.parse(text.removeprefix(BYTE_ORDER_MARK))
    holder: object = document
    for key in path:
        holder = holder[key]  # type: ignore[index]
    _merge(holder, table)
    written = tomlkit.dumps(document)
    if _newline(text) == "\r\n":
        written = written.replace("\r\n", "\n").replace("\n", "\r\n")
    return mark + written


def _merge(holder: object, table: Mapping[str, object]) -> None:
    for key, value in table.items():
        inner = holder.get(key)  # type: ignore[attr-defined]
        if isinstance(value, Mapping) and isinstance(inner, Mapping):
            _merge(inner, value)
        elif inner != value:
            holder[key] = value  # type: ignore[index]


# -- writing ----------------------------------------------------------------------------------


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _lines(path: tuple[str, ...], table: Mapping[str, object]) -> Iterator[str]:
    yield f"[{'.'.join(_key(key) for key in path)}]"
    for key, value in table.items():
        if not isinstance(value, Mapping):
            yield f"{_key(key)} = {json.dumps(value, ensure_ascii=False)}"
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield ""
            yield from _lines((*path, key), value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


# -- statements -------------------------------------------------------------------------------


class Statement(NamedTuple):
    """A header or a value with its key, from its first character to the end of its last line."""

    start: int
    end: int
    header: tuple[str, ...]


def _statements(text: str) -> Iterator[Statement]:
    """Every statement of a text that is known to be TOML; comments and blank lines belong to none."""
    place = 0
    while place < len(text):
        end = _end(text, place)
        line = text[place:end].strip()
        if line.startswith("["):
            yield Statement(place, end, _header(line))
        elif line and not line.startswith("#"):
            yield Statement(place, end, ())
        place = end


def _header(line: str) -> tuple[str, ...]:
    found: list[str] = []
    inner: object = tomllib.loads(line)
    while isinstance(inner, dict | list) and inner:
        if isinstance(inner, list):
            inner = inner[0]
        else:
            ((key, inner),) = inner.items()
            found.append(key)
    return tuple(found)


def _end(text: str, place: int) -> int:
    """The place after the line on which a statement ends."""
    depth = 0
    while place < len(text):
        character = text[place]
        if character == "\n" and depth == 0:
            return place + 1
        if character == "#":
            found = text.find("\n", place)
            place = len(text) if found < 0 else found
        elif character in "\"'":
            place = _string_end(text, place)
        else:
            depth += (character in "[{") - (character in "]}")
            place += 1
    return len(text)


def _string_end(text: str, place: int) -> int:
    quote = text[place]
    closing = quote * 3 if text.startswith(quote * 3, place) else quote
    place += len(closing)
    while place < len(text) and not text.startswith(closing, place):
        place += 2 if quote == '"' and text[place] == "\\" else 1
    place += len(closing)
    if len(closing) == 3:  # up to two quotes may stand before the closing ones
        while place < len(text) and text[place] == quote:
            place += 1
    return place
