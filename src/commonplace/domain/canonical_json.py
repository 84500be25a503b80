"""A memory as plain data and back: the one form behind revisions, row hashes and exports."""

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import cast

from commonplace.domain.memory import (
    CaptureMode,
    Kind,
    Memory,
    MemoryType,
    Origin,
    Provenance,
    Relation,
    Standing,
    Status,
    Usage,
)
from commonplace.domain.scope import Scope
from commonplace.errors import InvalidInput

HASH_BYTES = 16

Json = dict[str, object]

_FIELDS = (
    "id",
    "number",
    "text",
    "owner",
    "category",
    "topic",
    "importance",
    "confidence",
    "priority",
    "pinned",
    "status_at",
    "status_reason",
    "successor",
    "created_at",
    "updated_at",
    "confirmed_at",
    "expires_at",
    "valid_from",
    "valid_to",
    "revision",
    "project",
)
_ENUMS = ("kind", "memory_type", "origin", "standing", "status")
_PROVENANCE = ("source", "surface", "actor", "session")


def to_json(memory: Memory) -> Json:
    """Everything a memory is, without how often it was used. What is None is left out."""
    data: Json = {name: getattr(memory, name) for name in _FIELDS}
    data["scope"] = str(memory.scope)
    data["tags"] = list(memory.tags)
    for name in _ENUMS:
        value = getattr(memory, name)
        data[name] = None if value is None else value.value
    for name in _PROVENANCE:
        data[name] = getattr(memory.provenance, name)
    mode = memory.provenance.capture_mode
    data["capture_mode"] = None if mode is None else mode.value
    for name in _NUMERIC:  # one form for equal numbers, whether a database or a person wrote them
        data[name] = float(getattr(memory, name)) + 0.0
    return {name: value for name, value in data.items() if value is not None}


def relation_to_json(relation: Relation) -> Json:
    """Everything an edge between two memories is."""
    return {
        "id": relation.id,
        "source": relation.source,
        "target": relation.target,
        "kind": relation.kind.value,
        "reason": relation.reason,
        "created_at": relation.created_at,
    }


def from_json(data: Mapping[str, object], usage: Usage = Usage()) -> Memory:
    """The inverse of `to_json`. Unknown names are refused, and so are values of the wrong type."""
    try:
        return _build(dict(data), usage)
    except KeyError as error:
        raise InvalidInput(f"This is not a memory: it lacks {error}.") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"This is not a memory: {error}.") from error


def _build(data: Json, usage: Usage) -> Memory:
    mode = data.pop("capture_mode", None)
    provenance = Provenance(
        capture_mode=None if mode is None else CaptureMode(cast(str, mode)),
        **{name: cast(str, data.pop(name)) for name in _PROVENANCE if name in data},
    )
    parsed: Json = {
        "scope": Scope.parse(cast(str, data.pop("scope"))),
        "tags": tuple(_strings(data.pop("tags", []))),
    }
    kinds: dict[str, Callable[[str], object]] = {
        "kind": Kind,
        "memory_type": MemoryType,
        "origin": Origin,
        "standing": Standing,
        "status": Status,
    }
    for name, kind in kinds.items():
        if name in data:
            parsed[name] = kind(cast(str, data.pop(name)))
    unknown = data.keys() - set(_FIELDS)
    if unknown:
        raise ValueError(f"unknown field '{sorted(unknown)[0]}'")
    for name, value in data.items():
        _check_type(name, value)
    return Memory(provenance=provenance, usage=usage, **parsed, **data)  # type: ignore[arg-type]


_NUMERIC = frozenset({"importance", "confidence"})
_WHOLE = frozenset(name for name in _FIELDS if name.endswith(("_at", "_from", "_to"))) | {
    "number",
    "priority",
    "revision",
}


def _check_type(name: str, value: object) -> None:
    expected: tuple[type, ...] = (str,)
    if name in _NUMERIC:
        expected = (int, float)
    elif name in _WHOLE:
        expected = (int,)
    elif name == "pinned":
        expected = (bool,)
    if not isinstance(value, expected) or (isinstance(value, bool) and bool not in expected):
        raise TypeError(f"'{name}' has the wrong type")


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError("'tags' is not a list of strings")
    return value


def dumps(data: object) -> str:
    """Canonical JSON: sorted, compact, the same bytes for the same data."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def row_hash(state: str) -> bytes:
    """The content hash of a row, over the canonical JSON of what it holds."""
    return blake2b(state.encode(), digest_size=HASH_BYTES).digest()


def encode(memory: Memory) -> str:
    """A memory as text: the same bytes for the same memory on every engine, so that hashes can be compared."""
    return dumps(to_json(memory))


def decode(state: str) -> Memory:
    """The memory that `encode` wrote; ValueError if it is no JSON, InvalidInput if it is no memory."""
    return from_json(json.loads(state))
