"""Every field of every tool that takes a text, from the tools' own schemas, and calls that put something into one."""

import random
import string
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from commonplace.book.book import Book
from commonplace.decisions.decision import Proposal
from commonplace.dialect import Dialect, Tool, perform
from commonplace.dialects import dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.memory import Memory

Place = tuple[str | int, ...]
Schema = Mapping[str, Any]

_RANDOM = random.Random(20260803)
_ALNUM = string.ascii_letters + string.digits
HARMLESS = "quokka"
WHEN = "2031-05-06T07:08:09Z"
DOCUMENT = "a document of its own"


class Field(NamedTuple):
    """A place for a text in the arguments of a tool."""

    dialect: Dialect
    tool: Tool
    path: Place

    def __str__(self) -> str:
        spelled = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path)
        return f"{self.dialect.name} {self.tool.name}{spelled}"


def token() -> str:
    """A fresh token of a known provider, put together so that it stands nowhere in the source."""
    return "ghp" + "_" + "".join(_RANDOM.choices(_ALNUM, k=36))


def marker() -> str:
    """A harmless word that nobody else uses, of the same length."""
    return HARMLESS + "".join(_RANDOM.choices(string.ascii_lowercase, k=34))


def dialects() -> Iterator[Dialect]:
    yield from map(load_dialect, dialect_names())
    yield METHODS


def fields() -> Iterator[Field]:
    for dialect in dialects():
        for tool in dialect.tools:
            for path in dict.fromkeys(_places(tool.input_schema(), ())):
                yield Field(dialect, tool, path)


def _places(schema: Schema, path: Place) -> Iterator[Place]:
    """Where a text may stand, also one that has to be of a few: nobody asks a caller what it sends."""
    if schema.get("type") == "string" or "enum" in schema:
        yield path
    for option in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _places(option, path)
    for name, inner in schema.get("properties", {}).items():
        yield from _places(inner, (*path, name))
    if "items" in schema:
        yield from _places(schema["items"], (*path, 0))
    if schema.get("type") == "object" and schema.get("additionalProperties") not in (None, False):
        yield (*path, DOCUMENT)


# -- arguments ---------------------------------------------------------------------------------


def companions(tool: str, there: "World") -> Iterator[Mapping[str, Any]]:
    """What a tool needs beside the field that is tried, where its schema does not say so: each is a way to call it."""
    talk = there.talk
    changed = f"Something else is so {there.one.number}"
    named: Mapping[str, tuple[Mapping[str, Any], ...]] = {
        "memory_decide": (
            {"title": "Use queues", "decision": "We use queues", "rationale": "They hold", "context": "Load"},
        ),
        "memory_session": ({"transcript": talk}, {"transcript": talk + " And so on.", "key": "k1"}),
        "rlm_memory_attach_source": (
            {"evidence_type": "DOCUMENT"},
            {"evidence_type": "CHUNK"},
            {"evidence_type": "PR"},
        ),
        "memory_update": ({"status": "archived"}, {"text": changed}),
        "memory.update": ({"content": changed},),
        "update_memory": ({"text": changed},),
        "memory.forget_many": (
            {"all": True, "dry_run": False},
            {"all": True, "dry_run": False, "confirm": True, "mode": "delete"},
        ),
        "forget": ({"confirm": True}, {"hard_delete": True}),
        "rlm_remember": ({"scope": "agent", "agent_id": "reviewer"}, {"scope": "user"}, {"scope": "team"}),
    }
    return iter(named.get(tool, ()))


class World(NamedTuple):
    """What there is to name in a call: made anew for each, since some calls remove it."""

    one: Memory
    other: Memory
    decision: str
    session: str
    talk: str


def world(book: Book, number: int) -> World:
    one = book.remember(f"Parcel {number} is sent on day {number * 7}", scope="user").memory
    other = book.remember(f"Crate {number} is kept in hall {number * 7}", scope="user").memory
    proposal = Proposal(f"Way {number}", "ada", "context", f"We take way {number}", "it is short", area="roads")
    decision = book.decisions.create(book.scope("project:auto"), proposal)
    talk = f"User: We decided to deploy on day {number} because the office is full then."
    return World(one, other, decision.id, "ses_" + "0" * 26, talk)


def ways(field: Field, text: str, there: World) -> Iterator[dict[str, Any]]:
    """Calls with the text in the field: with what is required beside it, and with everything the tool takes."""
    schema = field.tool.input_schema()
    required = {name: schema["properties"][name] for name in schema.get("required", ())}
    least = {name: _sample(name, inner, there) for name, inner in required.items()}
    most = {name: _sample(name, inner, there) for name, inner in schema.get("properties", {}).items()}
    for base in (least, *({**least, **more} for more in companions(field.tool.name, there)), most):
        for spoken in _spoken(str(field.path[-1]), text):
            yield _with(deepcopy(base), field.path, spoken, schema, there)


def _spoken(name: str, text: str) -> tuple[str, ...]:
    """The text as somebody would give it under this name."""
    if name == "transcript":
        return (f"User: We decided to use {text} for the deploys, because it is the only one.\nAssistant: Noted.",)
    return (text, f"agent:{text}", f"project:{text}") if name.endswith("scope") else (text,)


def _with(arguments: dict[str, Any], path: Place, text: str, schema: Schema, there: World) -> dict[str, Any]:
    """The arguments with the text at a place, which is made if it is not there."""
    place: Any = arguments
    inner: Any = schema
    for part, following in zip(path, (*path[1:], None), strict=True):
        if isinstance(part, int):
            inner = inner["items"]
            if not place:
                place.append(None)
        else:
            inner = next(iter(_options(inner, part)), {})
            place.setdefault(part, None)
        if following is None:
            place[part] = {text: text} if part == DOCUMENT else text
        elif place[part] is None or not isinstance(place[part], dict | list):
            place[part] = _sample(str(part), inner, there) if not isinstance(following, int) else []
            if place[part] is None or not isinstance(place[part], dict | list):
                place[part] = {}
        place = place[part]
    return arguments


def _options(schema: Schema, name: str) -> Iterator[Schema]:
    for each in (schema, *schema.get("anyOf", ())):
        if name in each.get("properties", {}):
            yield each["properties"][name]


def _sample(name: str, schema: Schema, there: World) -> Any:
    """Something the tool can use under this name."""
    if "enum" in schema:
        return schema["enum"][0]
    for option in schema.get("anyOf", ()):
        return _sample(name, option, there)
    match schema.get("type"):
        case "string":
            return _text(name, there)
        case "integer":
            return there.one.number if name in ("id", "ids", "superseded_by_id") else max(1, schema.get("minimum", 1))
        case "number":
            return 0.5
        case "boolean":
            return name in ("confirm", "full")
        case "array":
            return [_sample(name, schema["items"], there)]
        case "object":
            inner = schema.get("properties", {})
            return {each: _sample(each, inner[each], there) for each in schema.get("required", ())}
    return None


def _text(name: str, there: World) -> str:
    named = {
        "id": there.one.id,
        "memory_id": there.one.id,
        "old_memory_id": there.one.id,
        "new_memory_id": there.other.id,
        "replaced_by": there.other.id,
        "replaces": there.one.id,
        "related_to": there.other.id,
        "old_decision_id": there.decision,
        "supersedes": there.decision,
        "session_id": there.session,
        "scope": "project:auto",
        "project_scope": "user:default",
        "agent_id": "reviewer",
        "team_id": "core",
        "format": "json",
        "query": there.one.text,
        "task_context": there.one.text,
        "capture_mode": "explicit",
        "document_id": "doc_1",
        "chunk_id": "chunk_1",
        "key": f"key {there.one.number}",
        "transcript": there.talk,
    }
    if name.endswith(("_at", "_since")) or name in ("since", "as_of"):
        return WHEN
    return named.get(name, f"plain words {_RANDOM.randrange(10**9)}")


def call(book: Book, field: Field, arguments: Mapping[str, Any]) -> str:
    """The text of the answer, through the path of every door."""
    return perform(field.dialect, book.through(field.dialect.door), field.tool.name, arguments).text


def stored(folder: Path, words: Iterable[str]) -> set[str]:
    """Which of these words stand in the files of a book that is closed; its index has them in lower case."""
    held = b"".join(path.read_bytes() for path in folder.iterdir()).lower()
    return {word for word in words if word.split("_")[-1].lower().encode() in held}
