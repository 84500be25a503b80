"""Nobody but whoever runs the server learns from it where its book is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.dialects import dialect_names, load_dialect
from commonplace.dialects.aleph.methods import METHODS
from commonplace.domain.scope import Right
from commonplace.serve.gate import HEALTH
from commonplace.serve.http import path_of
from tests.http.conftest import Reply, Server, running

CANARY = "canary-folder"
USER = frozenset({Right.READ, Right.WRITE})


def calls(server: Server, token: str) -> Iterator[tuple[str, Reply]]:
    """Every tool, prompt, resource, method and route there is, each called once."""
    for name in dialect_names():
        path, dialect = path_of(name), load_dialect(name)
        for tool in dialect.tools:
            yield f"{name} {tool.name}", server.call(path, tool.name, plausible(tool.input_schema()), token)
        for prompt in dialect.prompts:
            given = {"name": prompt.name, "arguments": dict.fromkeys(prompt.arguments, "deploys")}
            yield f"{name} {prompt.name}", server.rpc(path, "prompts/get", given, token)
        for resource in dialect.resources:
            address = {"uri": resource.template.replace("{id}", "1")}
            yield f"{name} {resource.template}", server.rpc(path, "resources/read", address, token)
    for method in METHODS.tools:
        yield method.name, server.rpc("/rpc", method.name, plausible(method.input_schema()), token)
    for route in ("/ready", "/metrics", HEALTH):
        yield route, server.send("GET", route, token=token)


def plausible(schema: dict[str, Any]) -> dict[str, object]:
    values: dict[str, object] = {
        "string": "deploys",
        "integer": 1,
        "number": 0.5,
        "boolean": True,
        "array": [],
        "object": {},
    }
    required = {name: schema["properties"][name] for name in schema.get("required", ())}
    return {name: (each.get("enum") or [values[each.get("type", "string")]])[0] for name, each in required.items()}


@pytest.mark.parametrize("state", ["whole", "damaged"])
def test_no_answer_tells_a_stranger_where_the_book_is(tmp_path: Path, state: str) -> None:
    (tmp_path / CANARY).mkdir()
    with running(store=str(tmp_path / CANARY / "book.db"), rate_per_minute=10_000_000) as server:
        operator, user = server.token("admin"), server.token("ada", rights=USER)
        server.call("/mcp", "memory_remember", {"text": "Deploys are on Monday"}, user)
        if state == "damaged":
            damage(server)
        told = [name for name, reply in calls(server, user) if CANARY.encode() in reply.body]
        tried = sum(1 for _ in calls(server, operator))
        assert told == []
        assert any(CANARY.encode() in reply.body for _, reply in calls(server, operator)), "nothing to keep to oneself"
    print(f"{tried} calls on a {state} book, 0 tell where it is")
    assert tried > 70


def damage(server: Server) -> None:
    """What memories are read from is gone, so that calls fail with a sentence about the book; tokens are left."""
    with server.book._caller.store._store._connections.writer() as connection:  # type: ignore[attr-defined]
        for table in ("memories", "entries", "events"):
            connection.execute(f"ALTER TABLE {table} RENAME TO {table}_gone")


def test_the_doctor_has_no_path_for_a_user_and_one_for_an_admin(tmp_path: Path) -> None:
    with running(store=str(tmp_path / "book.db")) as server:
        for rights, path in ((USER, None), (frozenset(Right), str(tmp_path / "book.db"))):
            token = server.token("ada", rights=rights)
            told = server.call("/nuzo/mcp", "memory.doctor", {}, token).json["result"]["structuredContent"]
            assert told["ok"] is True
            assert told["store"] == {"path": path, "readable": True, "writable_check": "not_performed"}
