"""Operations of the API as requests: what is asked for in the path, the query or the body."""

import json
from collections.abc import Mapping
from urllib.parse import quote, urlencode

from commonplace.api.operations import PREFIX, Operation


def request_of(operation: Operation, given: Mapping[str, object]) -> tuple[str, str, bytes | None]:
    """The method, the path with its query, and the body of a call."""
    path, left = operation.path, dict(given)
    for name in [name for name in given if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", quote(_text(left.pop(name)), safe=""))
    if operation.method != "GET":
        return operation.method, f"{PREFIX}{path}", json.dumps(left).encode()
    pairs = [(name, _text(each)) for name, value in left.items() for each in _each(value)]
    return "GET", f"{PREFIX}{path}" + (f"?{urlencode(pairs)}" if pairs else ""), None


def _each(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _text(value: object) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
