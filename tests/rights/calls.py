"""Every call that a server takes, from the app's own lists: tools, methods, prompts and resources, each with arguments
after its own schema and the names of what lies in a world."""

import json
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import product
from typing import Any
from urllib.parse import unquote

import anyio
from anyio.from_thread import start_blocking_portal
from starlette.types import Message

from commonplace.api.operations import PREFIX
from commonplace.dialect import Dialect
from commonplace.domain.record import Record
from commonplace.serve.gate import Gate
from tests.http.operations import request_of
from tests.http.test_isolation import NAMED, surfaces
from tests.rights.world import ASKED, World

SPEAKS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
ALWAYS = {"confirm": True, "dry_run": False, "all": True, "hard_delete": True, "format": "json", "min_relevance": 0.0}
TIMES = ("since", "as_of", "_at", "_since", "until")
QUESTIONS = ("query", "text")  # some match every word of a question, some any
NAMES_OF_MEMORIES = ("replaces", "replaced_by", "supersedes", "related_to", "keep", "drop")

Arguments = dict[str, Any]


class Call(Record):
    """One request to one surface. `name` is what is tried, for counting and for complaints."""

    path: str
    name: str
    method: str
    params: Mapping[str, Any]
    reads: bool


def every_call(app: Gate, world: World) -> list[Call]:
    """What could be asked about a world, at every surface the app has."""
    return [call for path, dialect in surfaces(app) for call in _calls(path, dialect, world)]


def answers(app: Gate, calls: Iterable[Call], token: str) -> Iterator[tuple[Call, str]]:
    """Each call with what the server says to it, through the whole app and without a socket."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(_running(app)):
        for call in calls:
            yield call, portal.call(_said, app, call, token)


@asynccontextmanager
async def _running(app: Gate) -> AsyncIterator[None]:
    """The app between its start and its end, as a web server has it."""
    send_order, orders = anyio.create_memory_object_stream[Message](2)
    told, reports = anyio.create_memory_object_stream[Message](2)
    async with send_order, orders, told, reports, anyio.create_task_group() as tasks:
        tasks.start_soon(app, {"type": "lifespan"}, orders.receive, told.send)
        await send_order.send({"type": "lifespan.startup"})
        assert (await reports.receive())["type"] == "lifespan.startup.complete"
        yield
        await send_order.send({"type": "lifespan.shutdown"})
        assert (await reports.receive())["type"] == "lifespan.shutdown.complete"


async def _said(app: Gate, call: Call, token: str) -> str:
    """The answer as its reader would have it: escaped letters are letters."""
    method, place, content = request_to(call)
    path, _, query = place.partition("?")
    body, parts, status = [content], [], 0
    headers = {**SPEAKS, "host": "localhost", "content-type": "application/json", "authorization": f"Bearer {token}"}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1),
    }

    async def receive() -> Message:
        if body:
            return {"type": "http.request", "body": body.pop()}
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    assert is_answer(call, status), (call, status, parts)
    return json.dumps(json.loads(b"".join(parts)), ensure_ascii=False)


def request_to(call: Call) -> tuple[str, str, bytes]:
    """The method, the path with its query, and the body of a call."""
    if call.path == PREFIX:
        method, path, body = request_of(NAMED[call.name], call.params)
        return method, path, body or b""
    message = {"jsonrpc": "2.0", "id": 1, "method": call.method, "params": call.params}
    return "POST", call.path, json.dumps(message).encode()


def is_answer(call: Call, status: int) -> bool:
    """Whether it was heard and answered; the API says by the status that it refuses."""
    return status == 200 or (call.path == PREFIX and status in (400, 403, 404, 409))


def _calls(path: str, dialect: Dialect, world: World) -> Iterator[Call]:
    for tool in dialect.tools:
        for given in variants(tool.input_schema(), world):
            if not path.endswith("/mcp"):
                yield Call(path, tool.name, tool.name, given, tool.effect.read_only)
            else:
                params = {"name": tool.name, "arguments": given}
                yield Call(path, tool.name, "tools/call", params, tool.effect.read_only)
    for prompt in dialect.prompts:
        params = {"name": prompt.name, "arguments": dict.fromkeys(prompt.arguments, ASKED)}
        yield Call(path, prompt.name, "prompts/get", params, True)
    for resource in dialect.resources:
        for name in names(world):
            uri = resource.template.replace("{id}", name)
            yield Call(path, resource.template, "resources/read", {"uri": uri}, True)


def names(world: World) -> tuple[str, ...]:
    """Everything in the world by its name, and a memory by each of its names."""
    tail = world.memory.id.removeprefix("mem_")
    return (
        world.memory.id,
        str(world.memory.number),
        f"ctx_{tail}",
        world.other.id,
        world.forgotten.id,
        world.session,
        world.correction,
        world.decision,
        world.document,
        world.chunk,
        world.evidence,
    )


def _names_for(argument: str, world: World) -> Sequence[str]:
    """What an argument asks for by its own name; where that says little, whatever could be there."""
    for word, name in (("chunk", world.chunk), ("document", world.document), ("session", world.session)):
        if word in argument:
            return [name]
    if "decision" in argument or argument == "supersedes":
        return [world.decision]
    return [world.memory.id, str(world.memory.number), world.forgotten.id, world.session, world.decision]


def variants(schema: Mapping[str, Any], world: World) -> list[Arguments]:
    """The little that has to be given; that and every place; that, a place and every name; and all there is."""
    fields: Mapping[str, Mapping[str, Any]] = schema.get("properties", {})
    known = {name: _values(name, each, world) for name, each in fields.items()}
    required = set(schema.get("required", ()))
    places = {name for name in fields if "scope" in name or name in ("team_id", *ALWAYS) or name.startswith("include")}
    ids = {name for name in fields if _is_name(name)}
    asked = {name for name in fields if name in QUESTIONS}
    made: dict[str, Arguments] = {}
    for chosen, turned in ((required, set()), (required | asked | places, places), (required | places | ids, ids)):
        turns = range(max((len(known[name]) for name in turned), default=1))
        for question, turn in product(range(2 if chosen & asked else 1), turns):
            at = {name: question if name in asked else turn for name in fields if name in chosen}
            given = {name: known[name][place % len(known[name])] for name, place in at.items()}
            made[json.dumps(given, sort_keys=True)] = given
    return [*made.values(), {name: values[0] for name, values in known.items()}]


def _is_name(argument: str) -> bool:
    if argument in ("agent_id", "team_id"):
        return False
    return argument in ("id", "ids", *NAMES_OF_MEMORIES) or argument.endswith(("_id", "_ids"))


def _values(name: str, schema: Mapping[str, Any], world: World) -> Sequence[Any]:
    """What may stand in an argument, the most telling first."""
    if name in ALWAYS:
        return [ALWAYS[name]]
    if "enum" in schema:
        return list(schema["enum"])
    match schema.get("type"):
        case "integer":
            limit = min(50, schema.get("maximum", 50))
            return [world.memory.number, world.forgotten.number] if _is_name(name) else [limit if "l" in name else 1]
        case "number":
            return [schema.get("minimum", 0.0)]
        case "boolean":
            return [True, False]
        case "array":
            return [[each] for each in _values(name, schema.get("items", {}), world)] if name != "tags" else [[]]
        case "object":
            return variants(schema, world) or [{}]
        case _:
            return _texts(name, world)


def _texts(name: str, world: World) -> Sequence[str]:
    if name in ("team", "team_id"):
        return [world.team]
    if name == "user":
        return ["ada"]
    if name == "agent_id":
        return ["main"]
    if _is_name(name):
        return _names_for(name, world)
    if "scope" in name:
        return [str(world.scope), "user:default"]
    if name in QUESTIONS:
        return [ASKED, "harbour"]
    if name.endswith(TIMES):
        return ["2020-01-01T00:00:00Z"]
    return [f"User: {ASKED}" if name == "transcript" else ASKED]
