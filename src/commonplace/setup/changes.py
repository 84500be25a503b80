"""What setup puts into a file, as data, and pure functions that put it in and take it out again."""

import json
from collections.abc import Mapping

from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.setup import jsonc, toml_text

Path = tuple[str, ...]


class Put(Record):
    """A value at a path of keys of a JSON file; an object is merged into one that is there.

    `needs` is the key without which what is there is somebody else's kind of thing. One that is `optional` is left
    out where something else than an object stands on the way. One that `stays` goes only with all the rest: without
    it nobody else's part of the file could be read.
    """

    path: Path
    data: object
    needs: str = ""
    optional: bool = False
    stays: bool = False


class Listed(Record):
    """An item of a list in a JSON file. With a `mark`, an item in which it stands is an older one of ours."""

    path: Path
    data: object
    mark: str = ""


class Table(Record):
    """A table of a TOML file, merged into one that is there."""

    path: Path
    data: Mapping[str, object]
    needs: str = ""


class Whole(Record):
    """A file that is ours altogether; `mark` stands in it and tells it from somebody else's."""

    text: str
    mark: str


Change = Put | Listed | Table | Whole


class Before(Record):
    """What the changes found: paths they had to make, what stood in the places they took, what was there already."""

    made: tuple[Path, ...] = ()
    replaced: tuple[tuple[Path, object], ...] = ()
    kept: tuple[tuple[Path, object], ...] = ()

    def then(self, later: "Before") -> "Before":
        """The same, and what later changes of ours found; what was ours by then is not somebody else's."""
        ours = {*self.made, *(path for path, _ in self.replaced)}
        return Before(
            tuple(dict.fromkeys((*self.made, *later.made))),
            (*self.replaced, *(each for each in later.replaced if each[0] not in ours)),
            self.kept,
        )


NOTHING = Before()


class CannotChange(InvalidInput):
    """A file is left alone; the message says why, without the file's name."""


# -- putting in -------------------------------------------------------------------------------


def added(text: str, changes: tuple[Change, ...]) -> str:
    """The text with all changes, or the same text if they are all there.

    What the text says beside them is compared before and after: raises CannotChange rather than lose anything.
    """
    if not changes or isinstance(changes[0], Whole):
        return _whole(text, changes)
    try:
        expected: object = _read(text, changes[0])
        new = text
        for change in changes:
            if isinstance(change, Whole) or (isinstance(change, Put) and not _has_room(new, change)):
                continue
            expected = _expected(expected, change.path, change)
            new = _added(new, change)
        if not _same(expected, _read(new, changes[0]), ordered=not isinstance(changes[0], Table)):
            raise CannotChange("it is written so that it cannot be changed without touching something else")
    except (jsonc.NotJson, toml_text.NotToml) as error:
        raise CannotChange(error.message) from None
    return new


def _whole(text: str, changes: tuple[Change, ...]) -> str:
    for change in changes:
        if isinstance(change, Whole):
            if text and change.mark not in text:
                raise CannotChange("it is there and was not made by 'commonplace setup'")
            text = change.text
    return text


def found_before(text: str, changes: tuple[Change, ...]) -> Before:
    """What taking the changes out again has to know, of the text that they go into."""
    made: list[Path] = []
    replaced: list[tuple[Path, object]] = []
    kept: list[tuple[Path, object]] = []
    for change in changes:
        if isinstance(change, Whole):
            continue
        data = _read(text, change)
        on_the_way = [change.path[:length] for length in range(1, len(change.path) + 1)]
        made += [path for path in on_the_way if toml_text.at(data, path) is None]
        there = toml_text.at(data, change.path)
        if isinstance(change, Listed):
            kept += [(change.path, change.data)] if isinstance(there, list) and change.data in there else []
        elif there is not None:
            same = _merged(there, change.data) == there
            (kept if same else replaced).append((change.path, change.data if same else there))
    return Before(tuple(dict.fromkeys(made)), tuple(replaced), tuple(kept))


def _added(text: str, change: Put | Listed | Table) -> str:
    match change:
        case Table():
            there = toml_text.at(toml_text.read(text), change.path)
            _refuse_strangers(there, change)
            if there is not None and _merged(there, change.data) == there:
                return text
            return toml_text.put_table(text, change.path, change.data)
        case Put():
            return _put(text, change.path, change.data, change)
        case Listed():
            return _listed(text, change)


def _has_room(text: str, change: Put) -> bool:
    """Whether a change that is optional can be made."""
    if not change.optional:
        return True
    data = _read(text, change)
    on_the_way = [toml_text.at(data, change.path[:length]) for length in range(1, len(change.path))]
    return all(each is None or isinstance(each, dict) for each in on_the_way)


def _put(text: str, path: Path, data: object, change: Put) -> str:
    found = jsonc.at(jsonc.read(text), path)
    _refuse_strangers(None if found is None else found.data, change)
    if found is None or not (isinstance(found.data, dict) and isinstance(data, Mapping)):
        return text if found is not None and found.data == data else jsonc.put(text, path, data)
    for key, value in data.items():
        text = _put(text, (*path, key), value, Put((), None))
    return text


def _refuse_strangers(there: object, change: Put | Table) -> None:
    if change.needs and isinstance(there, Mapping) and change.needs not in there:
        raise CannotChange(f"it has another kind of '{change.path[-1]}' already: rename or remove that first")


def _listed(text: str, change: Listed) -> str:
    found = jsonc.at(jsonc.read(text), change.path)
    items = found.data if found is not None else []
    if isinstance(items, list):
        if any(each == change.data for each in items) or _among_others(items, change):
            return text
        for number in reversed(range(len(items))):
            if _is_ours(items[number], change):
                text = jsonc.take(text, (*change.path, number))
    return jsonc.append(text, change.path, change.data)


def _expected(data: object, path: Path, change: Put | Listed | Table) -> object:
    """What a file should say afterwards, of what it says now."""
    if path:
        holder = dict(data) if isinstance(data, Mapping) else {}
        return {**holder, path[0]: _expected(holder.get(path[0]), path[1:], change)}
    if not isinstance(change, Listed):
        return _merged(data, change.data)
    items = data if isinstance(data, list) else []
    if change.data in items or _among_others(items, change):
        return items
    return [*(each for each in items if not _is_ours(each, change)), change.data]


def _same(one: object, other: object, ordered: bool) -> bool:
    def spelled(data: object) -> str:
        return json.dumps(data, sort_keys=not ordered, default=str)

    return spelled(one) == spelled(other)


def _merged(there: object, data: object) -> object:
    if not isinstance(there, Mapping) or not isinstance(data, Mapping):
        return data
    return {**there, **{key: _merged(there.get(key), value) for key, value in data.items()}}


def _read(text: str, change: Change) -> dict[str, object]:
    data = toml_text.read(text) if isinstance(change, Table) else jsonc.read(text).data
    if not isinstance(data, dict):
        raise jsonc.NotJson("it does not hold an object")
    return data


# -- whose an item is -------------------------------------------------------------------------


def _words(data: object) -> str:
    match data:
        case str():
            return data
        case Mapping():
            return " ".join(_words(each) for each in data.values())
        case list() | tuple():
            return " ".join(_words(each) for each in data)
    return ""


def _marked(data: object, mark: str) -> bool:
    words = _words(data).replace("'", "").replace('"', "")
    return mark in words and "commonplace" in words


def _is_ours(item: object, change: Listed) -> bool:
    """Whether an item is an older one of ours and nobody else's; one with several handlers is if all are."""
    if not change.mark:
        return item == change.data
    handlers = item.get("hooks") if isinstance(item, Mapping) else None
    if isinstance(handlers, list) and handlers:
        return all(_marked(each, change.mark) for each in handlers)
    return _marked(item, change.mark)


def _among_others(items: list[object], change: Listed) -> bool:
    """Whether somebody moved our handlers, as they are, into an item of theirs."""
    own = change.data.get("hooks") if isinstance(change.data, Mapping) else None
    if not isinstance(own, list):
        return False
    held = [each.get("hooks") for each in items if isinstance(each, Mapping) and not _is_ours(each, change)]
    return any(isinstance(each, list) and all(handler in each for handler in own) for each in held)


# -- taking out -------------------------------------------------------------------------------


def removed(text: str, changes: tuple[Change, ...], before: Before) -> str:
    """The text without the changes, whoever wrote beside them since; what they took the place of is put back."""
    staying = [change for change in changes if isinstance(change, Put) and change.stays]
    try:
        for change in reversed(changes):
            if change not in staying and not _was_there(change, before):
                text = _removed(text, change, before)
        for path in sorted(before.made, key=len, reverse=True):
            text = _without_empty(text, path, changes)
        for change in staying:
            if not _was_there(change, before) and _read(text, change).keys() == {change.path[0]}:
                text = _removed(text, change, before)
    except (jsonc.NotJson, toml_text.NotToml) as error:
        raise CannotChange(error.message) from None
    return text


def _was_there(change: Change, before: Before) -> bool:
    return not isinstance(change, Whole) and (change.path, change.data) in before.kept


def _removed(text: str, change: Change, before: Before) -> str:
    match change:
        case Whole():
            return "" if change.mark in text else text
        case Table() | Put():
            return _put_back(text, change, dict(before.replaced).get(change.path))
        case Listed():
            return _unlisted(text, change)


def _put_back(text: str, change: Put | Table, old: object) -> str:
    there = toml_text.at(_read(text, change), change.path)
    if there is None or (change.needs and isinstance(there, Mapping) and change.needs not in there):
        return text
    if not isinstance(change.data, Mapping) and there != change.data:
        return text  # somebody set it to something else since
    if isinstance(change, Table):
        taken = toml_text.take_table(text, change.path)
        return taken if not isinstance(old, Mapping) else toml_text.put_table(taken, change.path, old)
    return jsonc.take(text, change.path) if old is None else jsonc.put(text, change.path, old)


def _unlisted(text: str, change: Listed) -> str:
    found = jsonc.at(jsonc.read(text), change.path)
    if found is None or not isinstance(found.data, list):
        return text
    for number in reversed(range(len(found.data))):
        item = found.data[number]
        if _is_ours(item, change):
            text = jsonc.take(text, (*change.path, number))
        elif change.mark and isinstance(item, Mapping) and isinstance(item.get("hooks"), list):
            ours = [place for place, each in enumerate(item["hooks"]) if _marked(each, change.mark)]
            for place in reversed(ours):
                text = jsonc.take(text, (*change.path, number, "hooks", place))
    return text


def _without_empty(text: str, path: Path, changes: tuple[Change, ...]) -> str:
    if any(isinstance(change, Table | Whole) for change in changes):
        return text  # a table that holds nothing else goes with its header
    found = jsonc.at(jsonc.read(text), path)
    return jsonc.take(text, path) if found is not None and found.data in ({}, []) else text
