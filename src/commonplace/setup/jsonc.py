"""JSON as hosts' files have it, with comments and trailing commas: read with places, changed at these places only.

A change is made in the text, so comments, order, indentation, line ends and a byte order mark stay as they are.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from commonplace.errors import InvalidInput

DEPTH = 100
BYTE_ORDER_MARK = "\ufeff"
USUAL_INDENT = "  "

_BLANKS = re.compile(r"[ \t\r\n]+")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_LITERAL = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")

Key = str | int


class Member(NamedTuple):
    """A key of an object, where it begins, and its value."""

    key: str
    start: int
    value: "Value"


class Value(NamedTuple):
    """A value and where it stands; `members` of an object, `items` of an array."""

    start: int
    end: int
    data: object
    members: tuple[Member, ...] = ()
    items: tuple["Value", ...] = ()

    @property
    def children(self) -> "tuple[tuple[int, int], ...]":
        """Where each thing in it begins and ends, with its key."""
        own = tuple((each.start, each.value.end) for each in self.members)
        return own or tuple((each.start, each.end) for each in self.items)


class NotJson(InvalidInput):
    """The text is not JSON, also with comments and trailing commas."""


# -- reading ----------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def read(text: str) -> Value:
    """The value of a whole text, with places; an empty text is an empty object without a place to change.

    Kept for the next who asks about the same text, so nobody changes what it says.
    """
    reader = _Reader(text)
    place = reader.after_blanks(1 if text.startswith(BYTE_ORDER_MARK) else 0)
    if place == len(text):
        return Value(place, place, {})
    found = reader.value(place, 0)
    rest = reader.after_blanks(found.end)
    if rest != len(text):
        raise reader.wrong(rest)
    return found


def at(value: Value, path: tuple[Key, ...]) -> Value | None:
    """What stands at a path of keys and numbers, if all of it is there; of a key that is there twice, the last."""
    for key in path:
        found = [each.value for each in value.members if each.key == key]
        found += [each for number, each in enumerate(value.items) if number == key]
        if not found:
            return None
        value = found[-1]
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def wrong(self, place: int) -> NotJson:
        line = self.text.count("\n", 0, place) + 1
        return NotJson(f"it is not JSON at line {line}")

    def trivia(self, place: int) -> Iterator[tuple[int, int, str]]:
        """Blanks and comments from a place on: where each begins and ends, and its first character."""
        text = self.text
        while True:
            if blanks := _BLANKS.match(text, place):
                yield place, blanks.end(), " "
                place = blanks.end()
            elif text.startswith("//", place):
                end = text.find("\n", place)
                end = len(text) if end < 0 else end
                end -= text[end - 1] == "\r"  # which belongs to the end of the line
                yield place, end, "/"
                place = end
            elif text.startswith("/*", place):
                end = text.find("*/", place + 2)
                if end < 0:
                    raise self.wrong(place)
                yield place, end + 2, "*"
                place = end + 2
            else:
                return

    def after_blanks(self, place: int) -> int:
        for _, end, _ in self.trivia(place):
            place = end
        return place

    def value(self, place: int, depth: int) -> Value:
        if depth > DEPTH:
            raise self.wrong(place)
        match self.text[place : place + 1]:
            case "{":
                return self._object(place, depth)
            case "[":
                return self._array(place, depth)
            case '"':
                data, end = self.string(place)
                return Value(place, end, data)
        found = _LITERAL.match(self.text, place)
        if not found:
            raise self.wrong(place)
        try:
            return Value(place, found.end(), json.loads(found.group()))
        except ValueError:
            raise self.wrong(place) from None

    def string(self, place: int) -> tuple[str, int]:
        found = _STRING.match(self.text, place)
        if not found:
            raise self.wrong(place)
        try:
            return str(json.loads(found.group())), found.end()
        except ValueError:
            raise self.wrong(place) from None

    def _object(self, start: int, depth: int) -> Value:
        members: list[Member] = []
        place = self.after_blanks(start + 1)
        while self.text[place : place + 1] != "}":
            key, end = self.string(place)
            colon = self.after_blanks(end)
            if self.text[colon : colon + 1] != ":":
                raise self.wrong(colon)
            inner = self.value(self.after_blanks(colon + 1), depth + 1)
            members.append(Member(key, place, inner))
            place = self._after_comma(inner.end, "}")
        data = {each.key: each.value.data for each in members}
        return Value(start, place + 1, data, members=tuple(members))

    def _array(self, start: int, depth: int) -> Value:
        items: list[Value] = []
        place = self.after_blanks(start + 1)
        while self.text[place : place + 1] != "]":
            items.append(self.value(place, depth + 1))
            place = self._after_comma(items[-1].end, "]")
        return Value(start, place + 1, [each.data for each in items], items=tuple(items))

    def _after_comma(self, place: int, close: str) -> int:
        """Where the next thing begins, or what closes; a comma before that is allowed."""
        place = self.after_blanks(place)
        if self.text[place : place + 1] == ",":
            return self.after_blanks(place + 1)
        if self.text[place : place + 1] != close:
            raise self.wrong(place)
        return place


# -- putting in -------------------------------------------------------------------------------


def put(text: str, path: tuple[str, ...], data: object) -> str:
    """The text with a value at a path of keys, in the place of what is there; objects on the way are made."""
    whole = read(text)
    if whole.end == whole.start:
        return _new_document(text, _nested(path, data))
    holder, left = whole, path
    while left and isinstance(holder.data, dict) and (inner := at(holder, left[:1])) is not None:
        holder, left = inner, left[1:]
    if not left:
        indent = _indent_at(text, holder.start)
        return _cut(text, holder.start, holder.end, _written(text, data, indent, _is_spread(text, whole, holder)))
    if not isinstance(holder.data, dict):
        raise NotJson(f"'{path[len(path) - len(left) - 1] if len(path) > len(left) else ''}' in it is not an object")
    return _insert(text, whole, holder, json.dumps(left[0], ensure_ascii=False) + ": ", _nested(left[1:], data))


def append(text: str, path: tuple[str, ...], data: object) -> str:
    """The text with a value at the end of the array at a path, which is made if it is not there."""
    whole = read(text)
    holder = at(whole, path)
    if holder is None:
        return put(text, path, [data])
    if not isinstance(holder.data, list):
        raise NotJson(f"'{path[-1]}' in it is not a list")
    return _insert(text, whole, holder, "", data)


def _nested(path: tuple[str, ...], data: object) -> object:
    for key in reversed(path):
        data = {key: data}
    return data


def _new_document(text: str, data: object) -> str:
    newline = _newline(text)
    written = json.dumps(data, ensure_ascii=False, indent=USUAL_INDENT).replace("\n", newline)
    separated = "" if not text.strip(BYTE_ORDER_MARK) or text.endswith("\n") else newline
    return f"{text}{separated}{written}{newline}"


def _insert(text: str, whole: Value, holder: Value, label: str, data: object) -> str:
    """After the last thing in an object or array, in the manner of those before it."""
    spread = _is_spread(text, whole, holder)
    close = holder.end - 1
    if not holder.children:
        return _insert_first(text, holder, label, data, spread)
    first, _ = holder.children[0]
    _, last_end = holder.children[-1]
    place, comma, line_comment = _before_close(text, last_end)
    indent = _indent_at(text, first)
    if spread or line_comment:
        lead = _newline(text) + indent
        written = label + _written(text, data, indent, spread)
    else:
        lead = " " if comma < 0 or text[close - 1] != "," else ""
        written = label + _written(text, data, "", False)
    if comma >= 0:  # theirs stays, and ours ends with one too
        return _cut(text, place, place, f"{lead}{written},")
    return _cut(_cut(text, place, place, lead + written), last_end, last_end, ",")


def _insert_first(text: str, holder: Value, label: str, data: object, spread: bool) -> str:
    """Into an empty object or array; comments in it stay before."""
    inside = text[holder.start + 1 : holder.end - 1]
    if not spread and not inside.strip():
        return _cut(text, holder.start + 1, holder.end - 1, label + _written(text, data, "", False))
    base = _indent_at(text, holder.start)
    unit = _unit(text)
    newline = _newline(text)
    written = newline + base + unit + label + _written(text, data, base + unit, True)
    kept = inside.rstrip()
    return _cut(text, holder.start + 1 + len(kept), holder.end - 1, f"{written}{newline}{base}")


def _before_close(text: str, last_end: int) -> tuple[int, int, bool]:
    """Where the last thing, its comma and the comments after it end; where the comma is; whether a // is the last."""
    reader = _Reader(text)
    place, comma, line_comment = last_end, -1, False
    after = reader.after_blanks(last_end)
    if text[after : after + 1] == ",":
        place, comma = after + 1, after
    for _, end, kind in reader.trivia(place):
        if kind != " ":
            place, line_comment = end, kind == "/"
    return place, comma, line_comment


# -- taking out -------------------------------------------------------------------------------


def take(text: str, path: tuple[Key, ...]) -> str:
    """The text without what stands at a path of keys and numbers; a comma goes with it.

    Raises NotJson where the rest would not say the same as before.
    """
    whole = read(text)
    holder = at(whole, path[:-1])
    if holder is None:
        return text
    found = [number for number, each in enumerate(holder.members) if each.key == path[-1]]
    found += [number for number, _ in enumerate(holder.items) if number == path[-1]]
    if not found:
        return text
    taken = _taken(text, holder, found[-1])
    if len(found) == 1 and read(taken).data != _data_without(whole.data, path):
        raise NotJson("it is written so that nothing can be taken out without touching something else")
    return taken


def _taken(text: str, holder: Value, item: int) -> str:
    spans = holder.children
    start, end = spans[item]
    reader = _Reader(text)
    comma = reader.after_blanks(end)
    if text[comma : comma + 1] == ",":
        return _without(text, start, comma + 1, holder)
    if item == 0:
        return _without(text, start, end, holder)
    before = reader.after_blanks(spans[item - 1][1])
    return _cut(_cut(text, _line_start(text, start, end), end, ""), before, before + 1, "")


def _without(text: str, start: int, end: int, holder: Value) -> str:
    """With its line, where it stands alone on it; an object or array that is empty then is closed up."""
    begin = _line_start(text, start, end)
    if len(holder.children) == 1 and not (text[holder.start + 1 : begin] + text[end : holder.end - 1]).strip():
        return _cut(text, holder.start + 1, holder.end - 1, "")
    if begin == start and text[end : end + 1] == " ":
        end += 1
    return _cut(text, begin, end, "")


def _line_start(text: str, start: int, end: int) -> int:
    """Where to cut before a thing: with the end of the line before, if nothing else stands on its lines."""
    begin = start
    while begin and text[begin - 1] in " \t":
        begin -= 1
    after = end
    while text[after : after + 1] in (" ", "\t"):
        after += 1
    alone = text[after : after + 1] in ("\r", "\n")
    if alone and begin and text[begin - 1] == "\n":
        return begin - (2 if text[begin - 2 : begin - 1] == "\r" else 1)
    return begin if begin and text[begin - 1] == "," else start


def _data_without(data: object, path: tuple[Key, ...]) -> object:
    key, *rest = path
    if isinstance(data, dict):
        kept = {each: value for each, value in data.items() if each != key or rest}
        return {each: _data_without(value, tuple(rest)) if each == key else value for each, value in kept.items()}
    items = data if isinstance(data, list) else []
    kept_items = [(number, value) for number, value in enumerate(items) if number != key or rest]
    return [_data_without(value, tuple(rest)) if number == key else value for number, value in kept_items]


# -- manner -----------------------------------------------------------------------------------


def _cut(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _newline(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _indent_at(text: str, place: int) -> str:
    """The blanks at the beginning of the line that a place is on."""
    begin = text.rfind("\n", 0, place) + 1
    line = text[begin:place].lstrip(BYTE_ORDER_MARK)
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation: the first that the text has."""
    for line in text.splitlines():
        blanks = line[: len(line) - len(line.lstrip(" \t"))]
        if blanks and line.strip() and not line.lstrip().startswith(("*", "/")):
            return "\t" if blanks[0] == "\t" else blanks
    return USUAL_INDENT


def _is_spread(text: str, whole: Value, holder: Value) -> bool:
    """Whether what is in an object or array stands on lines of its own; of an empty one, the whole text tells."""
    if not holder.children:
        return "\n" in text[whole.start : whole.end] or holder is whole
    first = holder.children[0][0]
    return "\n" in text[holder.start : first]


def _written(text: str, data: object, indent: str, spread: bool) -> str:
    if not spread:
        return json.dumps(data, ensure_ascii=False)
    lines = json.dumps(data, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (_newline(text) + indent).join(lines)
